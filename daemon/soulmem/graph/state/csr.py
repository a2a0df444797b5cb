"""A graph in compressed rows and the exact solution on it: what the local solvers are measured against.

Used by `edgepush`, `diffusion`, tests and benchmarks, and wherever idle time allows a look at the whole graph.
Invariant: weights are finite and positive, no node leads to itself, and there is one edge at most from u to v.
"""

from __future__ import annotations

import math

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.id_table import FloatArray, IntArray, summed

SATURATION = 1.0  # W_sat: links weaker in sum than one fresh strong link do not send all there is (algorithms.md §3.6)


@dataclass(frozen=True, slots=True)
class Csr:
    """Edges of node u: `ends[starts[u]:starts[u + 1]]`, ordered by end, with `weights`; `refused` were unsound."""

    starts: IntArray
    ends: IntArray
    weights: FloatArray
    refused: int = 0

    @property
    def node_count(self) -> int:
        return len(self.starts) - 1

    @property
    def edge_count(self) -> int:
        return len(self.ends)

    def owners(self) -> IntArray:
        """The node each edge leaves."""
        return np.repeat(np.arange(self.node_count), np.diff(self.starts))

    def out_weights(self) -> FloatArray:
        """The sum of the weights that leave each node."""
        return summed(self.owners(), self.weights, self.node_count)

    def in_weights(self) -> FloatArray:
        """The sum of the weights that reach each node."""
        return summed(self.ends, self.weights, self.node_count)


def from_edges(node_count: int, sources: IntArray, ends: IntArray, weights: FloatArray) -> Csr:
    """Edges in any order as compressed rows (algorithms.md §4.6).

    Self-loops and edges of no sound weight (NaN, infinite, not positive) are left out and counted; parallel edges
    become one by noisy-or, 1 - Π(1 - w), with weights above 1 read as 1 there.
    """
    sound = (sources != ends) & np.isfinite(weights) & (weights > 0.0)
    sources, ends, weights = sources[sound], ends[sound], weights[sound]
    order = np.lexsort((weights, ends, sources))
    sources, ends, weights = sources[order], ends[order], weights[order]
    first = np.ones(len(ends), dtype=np.bool_)
    first[1:] = (sources[1:] != sources[:-1]) | (ends[1:] != ends[:-1])
    if not first.all():
        groups = np.flatnonzero(first)
        alone = np.diff(np.append(groups, len(ends))) == 1
        merged = 1.0 - np.multiply.reduceat(1.0 - np.minimum(weights, 1.0), groups)
        weights = np.where(alone, weights[groups], merged)
        sources, ends = sources[groups], ends[groups]
    starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=node_count))]).astype(np.int64)
    return Csr(starts, ends.astype(np.int64), weights, refused=int(np.count_nonzero(~sound)))


def denominators(graph: Csr, saturation: float = SATURATION) -> FloatArray:
    """d(u): the out-weight, at least `saturation`; 1 where both are 0."""
    sums = np.maximum(graph.out_weights(), saturation)
    return np.where(sums > 0.0, sums, 1.0)


def distribution(node_count: int, seeds: dict[int, float]) -> FloatArray:
    """Seeds as a vector that sums to 1; all zero without any sound seed."""
    s = np.zeros(node_count)
    for node, share in seeds.items():
        if math.isfinite(share) and share > 0.0:
            s[node] += share
    total = s.sum()
    return s / total if total > 0.0 else s


def power_iteration(
    graph: Csr, seeds: dict[int, float], *, teleport: float, tolerance: float = 1e-12, saturation: float = SATURATION
) -> FloatArray:
    """pi = a Σ (1-a)^k (P^T)^k s, leaking where a node sends less than it has; l1 error <= `tolerance` (§4.2)."""
    walking = distribution(graph.node_count, seeds)
    pi = np.zeros(graph.node_count)
    owners = graph.owners()
    shares = graph.weights / denominators(graph, saturation)[owners]
    while walking.sum() > tolerance:
        pi += teleport * walking
        sent = (1.0 - teleport) * walking[owners] * shares
        walking = summed(graph.ends, sent, graph.node_count)
    return pi
