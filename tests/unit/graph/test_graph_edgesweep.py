"""EdgeSweep, EdgePush and forward push against the exact solution."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.graph.graph_exact import (
    denominators,
    distribution,
    edge_push,
    from_edges,
    l1_thresholds,
    power_iteration,
    snapshot,
    top,
)
from benchmarks.graph.graph_solvers import contributions, run_until_settled
from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.state.adjacency_rows import Csr
from soulmem.graph.state.graph_columns import LINK_KINDS, GraphLink, GraphNote
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.approximate_ppr import ApproximatePpr
from soulmem.graph.walk.path_search import is_returnable
from spread import spread

LONG = bool(os.environ.get("SOULMEM_TORTURE"))
NOW = 100 * DAY_MS
STANCE = QueryContext(NOW)


def residues(sweep: ApproximatePpr) -> dict[tuple[int, int], float]:
    """R of every edge of every note that got mass, by note ids; their sum bounds the error (I1)."""
    ids = sweep._weights.graph.notes.ids
    sweep._weights.prepare(list(sweep._income))
    found: dict[tuple[int, int], float] = {}
    for row, income in sweep._income.items():
        ends, _, shares = sweep._weights.transitions(row)
        known = sweep._heads.get(row, ([], [], 0.0))[0]
        sent = dict(zip(known, sweep._sent.get(row, []), strict=True))
        for end, share in zip(ends.tolist(), shares.tolist(), strict=True):
            rest = (1.0 - sweep.teleport) * income * share - sent.get(end, 0.0)
            found[int(ids[row]), int(ids[end])] = rest
    return found


def solved(graph: Csr, seeds: dict[int, float], teleport: float) -> np.ndarray:
    """pi by solving the linear system: (I - (1-a) P^T) pi = a s."""
    count = graph.node_count
    p = np.zeros((count, count))
    p[graph.owners(), graph.ends] = graph.weights / denominators(graph)[graph.owners()]
    return np.linalg.solve(np.eye(count) - (1 - teleport) * p.T, teleport * distribution(count, seeds))


def one_way(edges: list[tuple[int, int, float]], count: int) -> WorkingGraph:
    """A graph that can be walked in one direction only, as far as that goes: triggers felt backwards by 0.2."""
    graph = WorkingGraph()
    for number in range(count):
        graph.put_note(GraphNote(number, "semantic"))
    for number, (src, dst, strength) in enumerate(edges):
        graph.put_link(GraphLink(number, src, dst, "trigger", strength, NOW, DAY_MS))
    return graph


def random_graph(seed: int, notes: int = 60, links: int = 240) -> WorkingGraph:
    rng = np.random.default_rng(seed)
    graph = WorkingGraph()
    for number in range(notes):
        graph.put_note(GraphNote(number, "episodic", float(rng.uniform(-1, 1))))
    for number in range(links):
        src, dst = (int(rng.integers(notes - 5) ** 2 / (notes - 5)), int(rng.integers(notes - 5)))  # 5 without links
        kind = LINK_KINDS[int(rng.integers(len(LINK_KINDS)))]
        strength = float(np.clip(rng.lognormal(-1, 1), 0.01, 1.0))
        graph.put_link(GraphLink(number, src, dst, kind, strength, NOW - DAY_MS, 9 * DAY_MS, 0.9))
    return graph


def exact(
    graph: WorkingGraph, seeds: dict[int, float], teleport: float, stance: QueryContext = STANCE
) -> dict[int, float]:
    ids, rows = snapshot(Weights(graph, stance))
    pi = solved(rows, {int(np.searchsorted(ids, note)): share for note, share in seeds.items()}, teleport)
    return dict(zip(ids.tolist(), pi.tolist(), strict=True))


def swept(graph: WorkingGraph, seeds: dict[int, float], delta: float, teleport: float = 0.5) -> ApproximatePpr:
    sweep = ApproximatePpr(Weights(graph, STANCE), seeds, teleport=teleport, max_pushes=10**9)
    sweep.run(delta)
    return sweep


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6 if LONG else 1))
def test_what_was_read_for_former_questions_saves_work_and_changes_nothing(seed: int) -> None:
    fresh, used = (random_graph(seed, notes=200, links=3_000) for _ in range(2))
    for note in range(0, 200, 3):
        swept(used, {note: 1.0}, 1e-4)
    worked = []
    for seeds in ({1: 0.7, 50: 0.3}, {17: 1.0}, {100 + seed: 0.5, 3: 0.5}):
        cold, warm = (swept(graph, seeds, 1e-3) for graph in (fresh, used))
        assert cold.scores().ids.tolist() == warm.scores().ids.tolist()
        assert cold.scores().values.tolist() == warm.scores().values.tolist()
        worked.append((cold._weights.evaluated_links, warm._weights.evaluated_links))
    assert sum(warm for _, warm in worked) < sum(cold for cold, _ in worked)


# -- the vectors of the specification ---------------------------------------------------------------------


def test_the_vector_of_the_chain() -> None:
    """a -> b -> c, weights 1, a = .5: .5, .25, .125, normalised 4/7, 2/7, 1/7."""
    chain = from_edges(3, np.array([0, 1]), np.array([1, 2]), np.array([1.0, 1.0]))
    expected = [0.5, 0.25, 0.125]
    assert power_iteration(chain, {0: 1.0}, teleport=0.5) == pytest.approx(expected)
    pushed = edge_push(chain, {0: 1.0}, l1_thresholds(chain, 1e-12), teleport=0.5).estimate
    assert pushed == pytest.approx(expected)
    assert pushed / pushed.sum() == pytest.approx([4 / 7, 2 / 7, 1 / 7])


def test_the_vector_of_decay_in_pagerank() -> None:
    """One link of strength .1: what is forwarded is .1 (1-a) q(u)."""
    graph = WorkingGraph()
    for number in (1, 2):
        graph.put_note(GraphNote(number, "semantic"))
    graph.put_link(GraphLink(1, 1, 2, "trigger", 0.1, NOW, DAY_MS))
    sweep = ApproximatePpr(Weights(graph, STANCE), {1: 1.0}, teleport=0.5)
    sweep.run(0.04)
    assert sweep.scores().of(2) == pytest.approx(0.5 * 0.1 * 0.5)


# -- the sweep -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "teleport"), spread(range(12), [0.15, 0.5]))
def test_the_laws_of_the_sweep(seed: int, teleport: float) -> None:
    graph = random_graph(seed)
    seeds = {3: 1.0, 17: 2.0, 58: 1.0}
    truth = exact(graph, seeds, teleport)
    for delta in (1e-2, 1e-3, 1e-5):
        sweep = swept(graph, seeds, delta, teleport)
        scores = sweep.scores()
        rest = np.array(list(residues(sweep).values()))
        assert all(scores.of(note) <= value + 1e-12 for note, value in truth.items())
        error = sum(abs(value - scores.of(note)) for note, value in truth.items())
        assert error <= rest.sum() + 1e-12
        assert rest.min() >= -1e-12
        assert rest.max() < 2 * delta
        assert sweep.pushes <= (1 - teleport) / (teleport * delta)


@given(st.integers(0, 1000), st.dictionaries(st.integers(0, 59), st.floats(0.1, 1.0), min_size=1, max_size=6))
@settings(max_examples=30, deadline=None)
def test_the_sweep_becomes_exact(number: int, seeds: dict[int, float]) -> None:
    graph = random_graph(number, 60, 150)
    truth = exact(graph, seeds, 0.5)
    scores = swept(graph, seeds, 1e-13).scores()
    assert [scores.of(note) for note in truth] == pytest.approx(list(truth.values()), abs=1e-9)
    assert scores.values.sum() <= 1.0 + 1e-12


@given(st.integers(0, 1000), st.floats(1e-6, 1e-2), st.floats(1.0, 50.0))
@settings(max_examples=30, deadline=None)
def test_refining_only_adds_and_may_stop_anywhere(number: int, delta: float, ratio: float) -> None:
    graph = random_graph(number, 60, 150)
    sweep = swept(graph, {1: 1.0, 9: 0.5}, delta * ratio)
    before = sweep.scores()
    sweep.run(delta)
    after = sweep.scores()
    assert all(after.of(note) >= value - 1e-15 for note, value in zip(before.ids.tolist(), before.values, strict=True))
    assert max(residues(sweep).values()) < 2 * delta
    assert sweep.pushes <= 1.0 / delta, "a = 1/2: (1-a)/(a delta)"


def test_the_order_of_arrival_does_not_show_in_the_last_bit() -> None:
    rng = np.random.default_rng(5)
    notes = [GraphNote(number, "episodic") for number in range(40)]
    links = []
    for number in range(200):
        src, dst = (int(rng.integers(40)), int(rng.integers(40)))
        links.append(GraphLink(number, src, dst, "association", round(float(rng.uniform(0.1, 1)), 1), NOW, DAY_MS))
    outcomes = set()
    for _ in range(5):
        graph = WorkingGraph()
        for place in rng.permutation(len(notes)):
            graph.put_note(notes[place])
        for place in rng.permutation(len(links)):
            graph.put_link(links[place])
        seeds = [(4, 0.3), (9, 0.4), (31, 0.3)]
        sweep = ApproximatePpr(Weights(graph, STANCE), dict(seeds[place] for place in rng.permutation(3)))
        sweep.run(1e-4)
        scores = sweep.scores()
        outcomes.add((sweep.pushes, scores.ids.tobytes(), scores.values.tobytes()))
    assert len(outcomes) == 1


def test_rows_do_not_depend_on_what_is_read_with_them() -> None:
    graph = random_graph(3)
    one_by_one, together = Weights(graph, STANCE), Weights(graph, STANCE)
    rows = list(range(60))
    together.prepare(rows)
    for row in reversed(rows):
        assert one_by_one.transitions(row)[2].tobytes() == together.transitions(row)[2].tobytes()


@pytest.mark.thorough
def test_a_hub_costs_nothing_and_loses_nothing_above_delta() -> None:
    graph = WorkingGraph()
    count = 3_000
    for number in range(count):
        graph.put_note(GraphNote(number, "episodic"))
    for number in range(1, count):
        graph.put_link(GraphLink(number, 0, number, "association", 0.6, NOW, 9 * DAY_MS))
    for number in range(1, 200):
        graph.put_link(GraphLink(count + number, number, number % 7 + 1, "association", 0.9, NOW, 9 * DAY_MS))
    weights = Weights(graph, STANCE)
    sweep = ApproximatePpr(weights, {0: 1.0, 5: 1.0}, max_out=count, max_pushes=10**6)
    sweep.run(1e-3)
    assert weights.evaluated_links < 1_000, "the hub's row was not worked out"
    truth, scores = exact(graph, {0: 1.0, 5: 1.0}, 0.5), sweep.scores()
    assert set(top(scores, 2)) == {0, 5}
    assert max(residues(swept(graph, {0: 1.0, 5: 1.0}, 1e-3)).values()) < 2e-3
    assert truth[0] - scores.of(0) > 1e-3, "what the hub sends round and back is below delta"
    sweep.run(1e-7)
    assert sweep.scores().of(0) == pytest.approx(truth[0], abs=3e-4), "a finer budget looks at the hub as well"


def test_budgets_end_a_run_with_what_there_is() -> None:
    graph = random_graph(1)
    sweep = ApproximatePpr(Weights(graph, STANCE), {3: 1.0}, max_pushes=25)
    sweep.run(1e-6)
    assert sweep.is_cut
    assert sweep.pushes == 25
    assert 0.5 <= sweep.scores().values.sum() <= 1.0
    narrow = ApproximatePpr(Weights(graph, STANCE), {3: 1.0}, max_out=1)
    narrow.run(1e-6)
    assert 0.5 < narrow.scores().values.sum() < sweep.scores().values.sum() + 1.0


def test_settling_stops_when_the_best_stay_the_same() -> None:
    graph = random_graph(2)
    sweep = ApproximatePpr(Weights(graph, STANCE), {3: 1.0})
    run_until_settled(sweep, 5, 1e-3)
    truth = exact(graph, {3: 1.0}, 0.5)
    assert set(top(sweep.scores(), 5)) == set(sorted(truth, key=lambda note: -truth[note])[:5])
    assert 1e-5 <= sweep.delta < 1e-3


@every_row([{}, {999: 1.0}, {1: 0.0}, {1: -1.0}, {1: math.nan}, {1: math.inf}])
def test_no_sound_seed_gives_nothing(seeds: dict[int, float]) -> None:
    sweep = swept(random_graph(1), seeds, 1e-4)
    assert len(sweep.scores().ids) == 0
    assert top(sweep.scores(), 5) == []
    assert residues(sweep) == {}


def test_wrong_parameters_are_refused() -> None:
    weights = Weights(random_graph(1), STANCE)
    for teleport in (0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="teleport"):
            ApproximatePpr(weights, {1: 1.0}, teleport=teleport)
    for delta in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="delta"):
            ApproximatePpr(weights, {1: 1.0}).run(delta)


def test_a_neighbourhood_on_disk_is_asked_for() -> None:
    graph = WorkingGraph()
    graph.put_note(GraphNote(1, "episodic"))
    for number in (2, 3):
        graph.put_note(GraphNote(number, "episodic"), whole=False)
    graph.put_link(GraphLink(1, 1, 2, "association", 0.4, NOW, DAY_MS))
    graph.put_link(GraphLink(2, 1, 3, "association", 0.9, NOW, DAY_MS))
    assert not graph.put_link(GraphLink(3, 2, 3, "association", 0.9, NOW, DAY_MS)), "no end of it is whole"
    sweep = swept(graph, {1: 1.0}, 1e-4)
    assert sweep.wanting() == [3, 2]
    graph.set_whole(3)
    assert graph.put_link(GraphLink(3, 2, 3, "association", 0.9, NOW, DAY_MS))
    assert swept(graph, {1: 1.0}, 1e-4).wanting() == [2]


def test_contributions_add_up_to_the_whole() -> None:
    graph = random_graph(4)
    seeds = {3: 1.0, 17: 3.0, 40: 1.0}
    parts = contributions(Weights(graph, STANCE), seeds, delta=1e-12)
    truth = exact(graph, seeds, 0.5)
    for note, value in truth.items():
        assert sum(scores.of(note) for scores in parts.values()) == pytest.approx(value, abs=1e-7)


# -- what is returned ------------------------------------------------------------------------------------


def test_what_may_be_returned() -> None:
    graph = WorkingGraph()
    kinds = ["episodic", "trigger", "semantic", "episodic", "procedural", "episodic", "abstract"]
    for number, kind in enumerate(kinds):
        graph.put_note(GraphNote(number, kind))
    assert [note for note in range(-1, 99) if is_returnable(graph, note)] == [0, 2, 3, 4, 5, 6]
