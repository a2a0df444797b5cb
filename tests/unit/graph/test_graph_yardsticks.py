"""The yardsticks of the sweep: EdgePush and power iteration agree, and save work where they should."""

from __future__ import annotations

import numpy as np
import pytest
from test_graph_edgesweep import solved

from benchmarks.graph.graph_exact import (
    additive_thresholds,
    denominators,
    distribution,
    edge_push,
    forward_push,
    from_edges,
    l1_thresholds,
    power_iteration,
)
from every_row import every_row
from soulmem.graph.state.adjacency_rows import Csr

# -- the yardsticks --------------------------------------------------------------------------------------


def random_rows(seed: int, *, undirected: bool) -> Csr:
    rng = np.random.default_rng(seed)
    src, dst = rng.integers(0, 50, 220), rng.integers(0, 47, 220)  # the last three are reached by nobody
    weights = np.minimum(rng.lognormal(-2.0, 2.0, 220), 1.0)
    src = np.where(src % 9 == 4, 0, src)  # every ninth leads nowhere
    if undirected:
        src, dst, weights = np.append(src, dst), np.append(dst, src), np.append(weights, weights)
    return from_edges(50, src, dst, weights)


@every_row(range(6), [0.2, 0.5], [False, True])
def test_edge_push_agrees_with_power_iteration(seed: int, teleport: float, undirected: bool) -> None:
    graph = random_rows(seed, undirected=undirected)
    seeds = {0: 1.0, 8: 2.0, 30: 0.5}
    pi = power_iteration(graph, seeds, teleport=teleport, tolerance=1e-14)
    assert pi == pytest.approx(solved(graph, seeds, teleport), abs=1e-12)
    pushed = edge_push(graph, seeds, l1_thresholds(graph, 1e-9), teleport=teleport)
    assert np.abs(pi - pushed.estimate).sum() <= 1e-9
    assert (pushed.estimate <= pi + 1e-14).all()
    rough = edge_push(graph, seeds, l1_thresholds(graph, 0.1), teleport=teleport)
    assert np.abs(pi - rough.estimate).sum() <= rough.left + 1e-12 <= 0.1 + 1e-9
    assert rough.pushes < pushed.pushes
    plain = forward_push(graph, seeds, 1e-11, teleport=teleport)
    assert np.abs(pi - plain.estimate).sum() <= plain.left + 1e-14 <= 1e-8


@every_row(range(6))
def test_the_additive_bound_holds_on_undirected_graphs(seed: int) -> None:
    graph = random_rows(seed, undirected=True)
    seeds = {3: 1.0}
    pi = power_iteration(graph, seeds, teleport=0.2, tolerance=1e-14)
    for error in (1e-2, 1e-4):
        pushed = edge_push(graph, seeds, additive_thresholds(graph, error), teleport=0.2)
        assert (np.abs(pi - pushed.estimate) / denominators(graph)).max() <= error


def test_edge_push_saves_work_where_weights_are_unbalanced() -> None:
    rng = np.random.default_rng(3)
    src, dst = rng.integers(0, 400, 8000), rng.integers(0, 400, 8000)
    graph = from_edges(400, src, dst, np.minimum(rng.lognormal(-4, 3, 8000), 1.0))
    pi = power_iteration(graph, {0: 1.0}, teleport=0.2, tolerance=1e-13)
    edges = edge_push(graph, {0: 1.0}, l1_thresholds(graph, 0.02), teleport=0.2)
    nodes = forward_push(graph, {0: 1.0}, 0.02 / denominators(graph).sum(), teleport=0.2)
    assert np.abs(pi - edges.estimate).sum() <= 0.02
    assert np.abs(pi - nodes.estimate).sum() <= 0.02
    assert edges.pushes < nodes.pushes / 1.5


def test_unsound_edges_are_left_out_of_the_rows() -> None:
    graph = from_edges(
        3, np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 1, 2, 2, 0]), np.array([1.0, 0.5, 0.5, np.nan, -1.0, np.inf])
    )
    assert graph.refused == 4
    assert graph.weights.tolist() == [0.75]
    pushed = edge_push(graph, {0: 1.0}, l1_thresholds(graph, 1e-6), teleport=0.5)
    assert np.isfinite(pushed.estimate).all()
    empty = from_edges(2, np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    assert edge_push(empty, {0: 1.0}, l1_thresholds(empty, 0.1), teleport=0.5).estimate.tolist() == [0.5, 0.0]


def test_a_third_opinion() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    graph = random_rows(1, undirected=False)
    shares = graph.weights / denominators(graph)[graph.owners()]
    p = sparse.csr_matrix((shares, graph.ends, graph.starts), shape=(50, 50)).T.tocsr()
    walking, pi = distribution(50, {0: 1.0}), np.zeros(50)
    for _ in range(60):
        pi += 0.5 * walking
        walking = 0.5 * (p @ walking)
    assert power_iteration(graph, {0: 1.0}, teleport=0.5) == pytest.approx(pi, abs=1e-12)
