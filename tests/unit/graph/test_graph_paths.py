"""The walk that contributed most, found by A*, against trying every walk there is."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.graph.graph_exact import out_weights, snapshot, top
from benchmarks.graph.graph_solvers import contributions
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.state.graph_columns import GraphLink, GraphNote
from soulmem.graph.state.id_table import FloatArray
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.approximate_ppr import ApproximatePpr
from soulmem.graph.walk.path_search import best_path

NOW = 100 * DAY_MS
STANCE = QueryContext(NOW)
Edge = tuple[int, int, float]


def graph_of(edges: list[Edge], kind: str = "association") -> WorkingGraph:
    graph = WorkingGraph()
    for number in sorted({end for edge in edges for end in edge[:2]}):
        graph.put_note(GraphNote(number, "episodic"))
    for number, (src, dst, strength) in enumerate(edges):
        graph.put_link(GraphLink(number, src, dst, kind, strength, NOW, DAY_MS))
    return graph


def cheapest(weights: Weights, source: int, target: int, depth: int, teleport: float) -> float:
    """The least cost of any walk of at most `depth` steps that ends when it first meets its target."""
    ids, rows = snapshot(weights)
    count = len(ids)
    costs: FloatArray = np.full(count, math.inf)
    costs[np.searchsorted(ids, source)] = 0.0
    totals = np.maximum(out_weights(rows), 1.0)
    best = math.inf
    for _ in range(depth):
        following = np.full(count, math.inf)
        for node in range(count):
            for edge in range(rows.starts[node], rows.starts[node + 1]):
                step = -math.log(rows.weights[edge] / totals[node]) - math.log1p(-teleport)
                following[rows.ends[edge]] = min(following[rows.ends[edge]], costs[node] + step)
        costs = following
        best = min(best, costs[np.searchsorted(ids, target)])
    return best


edges = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(0.05, 1.0)).filter(lambda edge: edge[0] != edge[1]),
    min_size=2,
    max_size=30,
)


@given(edges, st.integers(1, 6), st.sampled_from([0.15, 0.5]))
@settings(deadline=None)
def test_the_way_found_is_the_cheapest(links: list[Edge], depth: int, teleport: float) -> None:
    graph = graph_of(links)
    source, target = links[0][0], links[-1][1]
    if source == target:
        return
    everything = range(10)
    weights = Weights(graph, STANCE)
    path = best_path(weights, source, target, within=everything, teleport=teleport, max_depth=depth)
    expected = cheapest(weights, source, target, depth, teleport)
    if path is None:
        assert math.isinf(expected)
        return
    assert path.cost == pytest.approx(expected)
    assert path.contribution == pytest.approx(teleport * math.exp(-path.cost))
    assert path.notes()[0] == source
    assert path.notes()[-1] == target
    assert len(path.links) <= depth
    for step, after in pairwise(path.links):
        assert step.dst == after.src
    for step in path.links:
        src, dst, _ = links[step.link]
        assert (step.src, step.dst) == ((dst, src) if step.is_backward else (src, dst))
        assert 0.0 < step.probability <= 1.0


def test_one_walk_never_gives_more_than_all() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.integers(0, 30, (120, 2)).tolist()
    graph = graph_of([(a, b, float(rng.uniform(0.2, 1))) for a, b in drawn if a != b])
    weights = Weights(graph, STANCE)
    given_by = contributions(weights, {3: 1.0, 8: 1.0}, delta=1e-9)
    notes = [note for note in top(given_by[3], 20) if note not in (3, 8)]
    for note in notes:
        seed = max(given_by, key=lambda each: given_by[each].of(note))
        path = best_path(weights, seed, note, within=given_by[seed].ids.tolist())
        assert path is not None
        assert 0.5 * path.contribution <= given_by[seed].of(note) + 1e-9, "half of the mass began there"


def test_a_long_strong_way_beats_a_short_weak_one_until_it_is_too_long() -> None:
    graph = graph_of([(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (0, 3, 0.01)])
    everything = [0, 1, 2, 3]
    weights = Weights(graph, STANCE)
    path = best_path(weights, 0, 3, within=everything, teleport=0.1)
    assert path is not None
    assert path.notes() == [0, 1, 2, 3]
    short = best_path(weights, 0, 3, within=everything, teleport=0.1, max_depth=2)
    assert short is not None
    assert short.notes() == [0, 3]


def test_no_way_is_none() -> None:
    graph = graph_of([(0, 1, 1.0), (1, 2, 1.0), (3, 4, 1.0)])
    weights = Weights(graph, STANCE)
    assert best_path(weights, 0, 4, within=range(5)) is None
    assert best_path(weights, 0, 2, within=[0, 2]) is None, "not through what the push did not reach"
    assert best_path(weights, 0, 99, within=range(5)) is None
    assert best_path(weights, 0, 2, within=range(5), max_depth=1) is None
    sweep = ApproximatePpr(weights, {0: 1.0})
    sweep.run()
    path = best_path(weights, 0, 2, within=sweep.scores().ids.tolist())
    assert path is not None
    assert [step.link for step in path.links] == [0, 1]
    graph.remove_link(1)
    assert best_path(Weights(graph, STANCE), 0, 2, within=range(5)) is None


def test_a_crowd_is_not_read_when_a_better_way_is_known() -> None:
    """0 - 1 - 2 by way of a quiet note, though the hub 9 joins 0 and 2 as well."""
    edges = [(0, 1, 0.9), (1, 2, 0.9), (0, 9, 0.9), (9, 2, 0.9), *((9, other, 0.9) for other in range(10, 300))]
    graph = graph_of(edges)
    weights = Weights(graph, STANCE)
    path = best_path(weights, 0, 2, within=range(300))
    assert path is not None
    assert path.notes() == [0, 1, 2]
    assert weights.evaluated_links < 50
    through = best_path(weights, 0, 10, within=range(300))
    assert through is not None
    assert through.notes() == [0, 9, 10]
    assert through.cost == pytest.approx(cheapest(weights, 0, 10, 6, 0.5))
    assert Weights(graph, STANCE).least_total(graph.notes.table.row(9)) > 100
