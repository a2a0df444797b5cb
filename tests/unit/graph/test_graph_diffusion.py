"""Activation that spreads and settles: where it converges, to what, and how it compares with PageRank."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.graph.graph_exact import denominators, from_edges, in_weights, power_iteration, snapshot, top
from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.state.adjacency_rows import Csr
from soulmem.graph.state.graph_columns import GraphLink, GraphNote
from soulmem.graph.state.id_table import FloatArray
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.approximate_ppr import ApproximatePpr
from soulmem.graph.walk.diffusion import Dynamics, Settled, coupling, diffuse, settle

NOW = 100 * DAY_MS
STANCE = QueryContext(NOW)
LINEAR = Dynamics(balance=1.0, silence=0.0)


def rows(edges: list[tuple[int, int]], count: int) -> Csr:
    src, dst = np.array(edges).T
    return from_edges(count, src, dst, np.ones(len(edges)))


def run(graph: Csr, held: FloatArray, dynamics: Dynamics = LINEAR, *, start: FloatArray | None = None) -> Settled:
    in_degrees = np.maximum(in_weights(graph), 1.0)
    couplings = coupling(graph, dynamics.balance, denominators(graph), in_degrees)
    return settle(graph, couplings, held if start is None else start, held, dynamics)


def test_the_vector_of_the_cycle() -> None:
    settled = run(rows([(0, 1), (1, 0)], 2), np.array([1.0, 0.0]))
    assert settled.activation == pytest.approx([4 / 3, 2 / 3], abs=1e-5)
    assert settled.is_at_rest


def test_the_vector_of_the_pulse() -> None:
    settled = run(rows([(0, 1), (1, 0)], 2), np.zeros(2), start=np.array([1.0, 0.0]))
    assert settled.activation == pytest.approx([0.0, 0.0], abs=1e-6)


def test_the_vector_of_the_acyclic_graph() -> None:
    """No loop is needed: exact after the longest path and one step."""
    chain = rows([(0, 1), (1, 2), (2, 3)], 4)
    settled = run(chain, np.array([1.0, 0.0, 0.0, 0.0]))
    assert settled.activation.tolist() == [1.0, 0.5, 0.25, 0.125]
    assert settled.steps <= 5


def test_with_full_balance_it_is_pagerank() -> None:
    rng = np.random.default_rng(2)
    graph = from_edges(60, rng.integers(0, 60, 300), rng.integers(0, 60, 300), rng.uniform(0.1, 1.0, 300))
    held = np.zeros(60)
    held[[3, 9]] = 0.5
    pi = power_iteration(graph, {3: 1.0, 9: 1.0}, teleport=0.5)
    assert run(graph, held).activation == pytest.approx(pi / 0.5, abs=1e-5)


@given(st.integers(0, 500), st.floats(0.0, 1.0), st.floats(0.0, 0.7), st.floats(0.0, 0.25), st.floats(0.0, 0.05))
@settings(deadline=None)
def test_it_comes_to_rest_from_anywhere(number: int, balance: float, gain: float, brake: float, silence: float) -> None:
    rng = np.random.default_rng(number)
    graph = from_edges(30, rng.integers(0, 30, 150), rng.integers(0, 30, 150), rng.uniform(0.0, 1.0, 150))
    held = np.zeros(30)
    held[number % 30] = 1.0
    dynamics = Dynamics(gain, balance, silence, brake)
    couplings = coupling(graph, balance, denominators(graph), np.maximum(in_weights(graph), 1.0))
    ends = [
        settle(graph, couplings, start, held, dynamics, steps=2000) for start in (held, rng.uniform(0, 5, 30), 0 * held)
    ]
    assert all(each.is_at_rest for each in ends)
    assert all((each.activation >= 0.0).all() and np.isfinite(each.activation).all() for each in ends)
    assert ends[0].activation == pytest.approx(ends[1].activation, abs=1e-3)
    assert ends[0].activation == pytest.approx(ends[2].activation, abs=1e-3)


@every_row([{"gain": 1.0}, {"gain": 0.8, "inhibition": 0.2}, {"balance": 1.5}, {"silence": -1.0}, {"gain": -0.1}])
def test_dynamics_that_need_not_settle_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="settle"):
        Dynamics(**fields)


def mind(seed: int = 3, count: int = 300, links: int = 1500) -> WorkingGraph:
    rng = np.random.default_rng(seed)
    graph = WorkingGraph()
    for number in range(count):
        graph.put_note(GraphNote(number, "episodic"))
    for number in range(links):
        src = int(rng.integers(count))
        dst = int((src // 30 * 30 + rng.integers(30)) if rng.random() < 0.8 else rng.integers(count))
        graph.put_link(GraphLink(number, src, dst, "association", float(rng.uniform(0.2, 1)), NOW, 9 * DAY_MS))
    return graph


def test_on_the_working_graph_it_is_what_it_is_on_the_whole() -> None:
    graph, seeds = mind(), {5: 1.0, 17: 1.0}
    weights = Weights(graph, STANCE)
    local = diffuse(weights, seeds)
    ids, whole = snapshot(Weights(graph, STANCE))
    held = np.zeros(len(ids))
    held[[5, 17]] = 0.5
    settled = run(whole, held, Dynamics())
    best = [int(note) for note in np.lexsort((ids, -settled.activation))[:20]]
    assert len(set(best) & set(top(local, 20))) >= 19
    assert [local.of(note) for note in best[:10]] == pytest.approx(settled.activation[best[:10]].tolist(), rel=0.02)


def test_silence_keeps_most_notes_out_and_pagerank_agrees_on_the_best() -> None:
    graph, seeds = mind(), {5: 1.0}
    active = diffuse(Weights(graph, STANCE), seeds, Dynamics(balance=1.0))
    assert 5 <= len(active.ids) < 250
    sweep = ApproximatePpr(Weights(graph, STANCE), seeds)
    sweep.run(1e-6)
    assert len(set(top(active, 20)) & set(top(sweep.scores(), 20))) >= 18
    assert (active.values > 0.0).all()


def test_nothing_fired_gives_nothing() -> None:
    graph = mind()
    assert len(diffuse(Weights(graph, STANCE), {}).ids) == 0
    assert len(diffuse(Weights(graph, STANCE), {9_999: 1.0}).ids) == 0
    assert len(diffuse(Weights(WorkingGraph(), STANCE), {1: 1.0}).ids) == 0


def test_links_that_faded_carry_less() -> None:
    graph = WorkingGraph()
    for number in (1, 2):
        graph.put_note(GraphNote(number, "episodic"))
    graph.put_link(GraphLink(1, 1, 2, "association", 0.8, NOW, 9 * DAY_MS))
    fresh = diffuse(Weights(graph, QueryContext(NOW)), {1: 1.0}).of(2)
    later = diffuse(Weights(graph, QueryContext(NOW + 18 * DAY_MS)), {1: 1.0}).of(2)
    assert 0.0 < later < fresh / 4
