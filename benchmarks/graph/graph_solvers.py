"""The solvers of the graph benchmark: each answers the same question, with its time, its pushes and its best notes.

EdgeSweep works out dynamic weights as it goes; every other one is given the weights of the whole graph, whose making is
a figure of its own. SciPy and python-igraph take part when they are installed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from benchmarks.graph.graph_exact import (
    denominators,
    distribution,
    edge_push,
    forward_push,
    l1_thresholds,
    out_weights,
    power_iteration,
    snapshot,
    top,
)
from benchmarks.graph.graph_worlds import World
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.state.adjacency_rows import Csr
from soulmem.graph.walk.approximate_ppr import DELTA, ApproximatePpr, Scores, seed_shares

TELEPORT = 0.5
BEST = 20
L1_ERROR = 0.2
FINEST_DELTA = 1e-5
REFINEMENT = 5.0


@dataclass(frozen=True, slots=True)
class Answer:
    """One question answered."""

    ms: float
    best: frozenset[int]
    pushes: int = 0
    rest: int = 0  # links weighed, or what else it took


@dataclass(frozen=True, slots=True)
class Whole:
    """The graph at the weights of one question, and the exact solution on it."""

    ids: NDArray[np.int64]
    rows: Csr
    seeds: dict[int, float]
    exact: frozenset[int]
    snapshot_ms: float


def whole(world: World, place: int) -> Whole:
    """Everything weighed for one question, solved to 1e-10."""
    seeds, stance = world.questions[place]
    began = time.thread_time()
    ids, rows = snapshot(Weights(world.graph, stance))
    ms = 1e3 * (time.thread_time() - began)
    local = {int(np.searchsorted(ids, note)): share for note, share in seeds.items()}
    pi = power_iteration(rows, local, teleport=TELEPORT, tolerance=1e-10)
    return Whole(ids, rows, local, best_of(ids, pi), ms)


def best_of(ids: NDArray[np.int64], values: NDArray[np.float64]) -> frozenset[int]:
    return frozenset(ids[np.lexsort((ids, -values))[:BEST]].tolist())


def contributions(
    weights: Weights, seeds: Mapping[int, float], *, delta: float = DELTA, teleport: float = TELEPORT
) -> dict[int, Scores]:
    """What each seed gives each note: C[seed, v] = s_seed * pi_seed(v) (algorithms.md §3.7).

    One run a seed, on the same weights; each with the delta that its share leaves of the budget, so that the runs
    together push no more than one run from all seeds may.
    """
    found = {}
    for seed, share in seed_shares(weights, seeds).items():
        sweep = ApproximatePpr(weights, {seed: 1.0}, teleport=teleport)
        sweep.run(delta / share)
        scores = sweep.scores()
        found[seed] = Scores(scores.ids, share * scores.values)
    return found


def run_until_settled(run: ApproximatePpr, k: int, delta: float, *, finest: float = FINEST_DELTA) -> None:
    """Refine delta by 5 while the set of the k highest still changes, down to `finest` (algorithms.md §4.7)."""
    run.run(delta)
    best = set(top(run.scores(), k))
    while delta > finest:
        delta = max(finest, delta / REFINEMENT)
        run.run(delta)
        before, best = best, set(top(run.scores(), k))
        if best == before:
            return


def sweep(
    world: World,
    seeds: dict[int, float],
    stance: QueryContext,
    delta: float,
    *,
    settles: bool = False,
    repeats: int = 3,
) -> Answer:
    """EdgeSweep from nothing: weights, solution, best notes; the best of some repetitions."""
    times = []
    for _ in range(repeats):
        began = time.thread_time()
        weights = Weights(world.graph, stance)
        run = ApproximatePpr(weights, seeds, teleport=TELEPORT)
        if settles:
            run_until_settled(run, BEST, delta)
        else:
            run.run(delta)
        best = frozenset(top(run.scores(), BEST))
        times.append(1e3 * (time.thread_time() - began))
    return Answer(min(times), best, run.pushes, weights.evaluated_links)


Solver = Callable[[Whole], Answer]


def _edge_push(given: Whole) -> Answer:
    levels = l1_thresholds(given.rows, L1_ERROR)
    began = time.thread_time()
    found = edge_push(given.rows, given.seeds, levels, teleport=TELEPORT)
    return Answer(1e3 * (time.thread_time() - began), best_of(given.ids, found.estimate), found.pushes)


def _forward_push(given: Whole) -> Answer:
    least = L1_ERROR / float(denominators(given.rows).sum())
    began = time.thread_time()
    found = forward_push(given.rows, given.seeds, least, teleport=TELEPORT)
    return Answer(1e3 * (time.thread_time() - began), best_of(given.ids, found.estimate), found.pushes)


def _numpy(given: Whole) -> Answer:
    began = time.thread_time()
    pi = power_iteration(given.rows, given.seeds, teleport=TELEPORT, tolerance=1e-6)
    return Answer(1e3 * (time.thread_time() - began), best_of(given.ids, pi), 20 * len(given.rows.ends))


def _scipy(given: Whole) -> Answer:
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - only when installed

    rows = given.rows
    shares = rows.weights / denominators(rows)[rows.owners()]
    steps = csr_matrix((shares, rows.ends, rows.starts), shape=(rows.node_count, rows.node_count)).T.tocsr()
    began = time.thread_time()
    walking = distribution(rows.node_count, given.seeds)
    pi = np.zeros(rows.node_count)
    for _ in range(20):
        pi += TELEPORT * walking
        walking = (1.0 - TELEPORT) * (steps @ walking)
    return Answer(1e3 * (time.thread_time() - began), best_of(given.ids, pi), 20 * len(rows.ends))


def _igraph(given: Whole) -> Answer:
    """PRPACK normalises rows itself; what the saturating normaliser leaks is led to an extra node, then left out."""
    import igraph  # noqa: PLC0415 - only when installed

    rows = given.rows
    lost = np.maximum(0.0, denominators(rows) - out_weights(rows))
    leaking = np.flatnonzero(lost > 0.0)
    sources = np.concatenate([rows.owners(), leaking])
    ends = np.concatenate([rows.ends, np.full(len(leaking), rows.node_count)])
    graph = igraph.Graph(n=rows.node_count + 1, edges=np.column_stack([sources, ends]), directed=True)
    weights = np.concatenate([rows.weights, lost[leaking]])
    reset = np.append(distribution(rows.node_count, given.seeds), 0.0)
    began = time.thread_time()
    pi = graph.personalized_pagerank(damping=1.0 - TELEPORT, reset=reset.tolist(), weights=weights.tolist())
    values = np.array(pi[:-1])
    return Answer(1e3 * (time.thread_time() - began), best_of(given.ids, values))


def yardsticks() -> dict[str, Solver]:
    """What EdgeSweep is compared with, as far as it is installed."""
    found: dict[str, Solver] = {
        "EdgePush, l1 0.2": _edge_push,
        "forward push, l1 0.2": _forward_push,
        "power iteration, NumPy, 1e-6": _numpy,
    }
    for name, module, solver in (("SciPy, 1e-6", "scipy", _scipy), ("igraph PRPACK", "igraph", _igraph)):
        if _is_installed(module):
            found[name if module == "igraph" else f"power iteration, {name}"] = solver
    return found


def _is_installed(module: str) -> bool:

    return find_spec(module) is not None
