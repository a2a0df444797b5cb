"""The exact solution on a graph in compressed rows, EdgePush as published, and plain forward push: yardsticks.

EdgePush (Wang, Wei, Gan, Guo, Yan, Wen; PVLDB 15(7), 2022; algorithms.md §4.3, §4.4): mass moves along single edges
whose residue reached their own threshold, found through a heap of keys a node. Forward push (Andersen, Chung, Lang,
FOCS 2006; §4.2): mass moves along all edges of a node at once. Dangling nodes and rows that sum to less than
`saturation` leak (§4.6). Invariants: the estimate is never above pi, and the l1 error at most the mass left over.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from itertools import pairwise

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.state.adjacency_rows import SATURATION, Csr
from soulmem.graph.state.id_table import FloatArray, IntArray, summed
from soulmem.graph.walk.approximate_ppr import Scores

_CHUNK = 1 << 18  # arcs evaluated at a time


def snapshot(weights: Weights) -> tuple[IntArray, Csr]:
    """The whole graph at these weights: note ids ascending, and rows numbered in that order."""
    graph = weights.graph
    live = graph.notes.live()
    number = np.zeros(len(graph.notes.ids), dtype=np.int64)
    number[live] = np.arange(len(live))
    reached = np.cumsum(graph.arcs.lengths[live], dtype=np.int64)
    cuts = np.flatnonzero(np.diff(reached // _CHUNK)) + 1
    parts = [weights.merged(rows) for rows in np.split(live, cuts)]
    ends, shares, lengths = (np.concatenate([part[place] for part in parts]) for place in (0, 2, 3))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return graph.notes.ids[live], Csr(starts, number[ends], shares)


def top(scores: Scores, k: int) -> list[int]:
    """The ids of the k highest, best first; equals by id."""
    return [int(note) for note in scores.ids[np.lexsort((scores.ids, -scores.values))[: max(0, k)]]]


def out_weights(graph: Csr) -> FloatArray:
    """The sum of the weights that leave each node."""
    return summed(graph.owners(), graph.weights, graph.node_count)


def in_weights(graph: Csr) -> FloatArray:
    """The sum of the weights that reach each node."""
    return summed(graph.ends, graph.weights, graph.node_count)


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
    sums = np.maximum(out_weights(graph), saturation)
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


@dataclass(frozen=True, slots=True)
class Pushed:
    """An estimate of pi with the work it took: `pushes` counts edges that carried mass; `left` bounds the l1 error."""

    estimate: FloatArray
    pushes: int
    left: float


def l1_thresholds(graph: Csr, error: float) -> FloatArray:
    """θ_uv = error * sqrt(A_uv) / Σ sqrt(A): they sum to `error`, so that is the l1 error at most, on any digraph."""
    roots = np.sqrt(graph.weights)
    return error * roots / max(float(roots.sum()), np.finfo(np.float64).tiny)


def additive_thresholds(graph: Csr, error: float, *, saturation: float = SATURATION) -> FloatArray:
    """θ_uv = error * d(v) * sqrt(A_uv) / Σ_x sqrt(A_xv): then |pi(v) - pi^(v)| <= error * d(v) for every v.

    Holds on undirected graphs only: it needs d(s) pi_s(t) = d(t) pi_t(s).
    """
    roots = np.sqrt(graph.weights)
    reaching = summed(graph.ends, roots, graph.node_count)
    return error * denominators(graph, saturation)[graph.ends] * roots / reaching[graph.ends]


def edge_push(
    graph: Csr, seeds: dict[int, float], thresholds: FloatArray, *, teleport: float, saturation: float = SATURATION
) -> Pushed:
    """Push along edges until R_uv < θ_uv everywhere.

    R_uv = (1-a) q(u) A_uv / d(u) - Q_uv >= θ_uv is the same as (1-a) q(u) / d(u) >= (Q_uv + θ_uv) / A_uv =: the key
    of the edge, so a node needs to look at its least key alone. Level 1 is a queue of nodes, level 2 a heap a node.
    """
    income = distribution(graph.node_count, seeds).tolist()
    rates = ((1.0 - teleport) / denominators(graph, saturation)).tolist()
    starts, ends, weights = graph.starts.tolist(), graph.ends.tolist(), graph.weights.tolist()
    first_keys = (thresholds / graph.weights).tolist()
    least_keys = [min(first_keys[start:stop], default=math.inf) for start, stop in pairwise(starts)]
    spent = [0.0] * len(graph.ends)
    heaps: dict[int, list[tuple[float, int]]] = {}
    queue = deque(node for node, mass in enumerate(income) if mass > 0.0)
    queued = set(queue)
    pushes = 0
    while queue:
        node = queue.popleft()
        queued.discard(node)
        if node not in heaps:
            heaps[node] = sorted((first_keys[edge], edge) for edge in range(starts[node], starts[node + 1]))
        heap = heaps[node]
        drive = rates[node] * income[node]
        while heap and heap[0][0] <= drive:
            edge = heap[0][1]
            due = drive * weights[edge]
            end = ends[edge]
            income[end] += due - spent[edge]
            spent[edge] = due
            pushes += 1
            # The next key is (Q + θ) / A with Q = drive * A; above the drive even where rounding swallows θ.
            heapq.heapreplace(heap, (max(drive + first_keys[edge], math.nextafter(drive, math.inf)), edge))
            least_keys[node] = heap[0][0]
            if end not in queued and least_keys[end] <= rates[end] * income[end]:
                queued.add(end)
                queue.append(end)
    incomes = np.array(income)
    owed = (np.array(rates) * incomes)[graph.owners()] * graph.weights - np.array(spent)
    return Pushed(teleport * incomes, pushes, float(owed.sum()))


def forward_push(
    graph: Csr, seeds: dict[int, float], least: float, *, teleport: float, saturation: float = SATURATION
) -> Pushed:
    """Push from nodes until r(u) < least * d(u) everywhere: p(u) += a r(u), and the rest along all edges of u."""
    residue = distribution(graph.node_count, seeds).tolist()
    reserve = [0.0] * graph.node_count
    divisors = denominators(graph, saturation)
    bars, rates = (least * divisors).tolist(), ((1.0 - teleport) / divisors).tolist()
    starts, ends, weights = graph.starts.tolist(), graph.ends.tolist(), graph.weights.tolist()
    queue = deque(node for node, mass in enumerate(residue) if mass >= bars[node])
    queued = set(queue)
    pushes = 0
    while queue:
        node = queue.popleft()
        queued.discard(node)
        mass = residue[node]
        residue[node] = 0.0
        reserve[node] += teleport * mass
        for edge in range(starts[node], starts[node + 1]):
            end = ends[edge]
            residue[end] += mass * rates[node] * weights[edge]
            if residue[end] >= bars[end] and end not in queued:
                queued.add(end)
                queue.append(end)
        pushes += starts[node + 1] - starts[node]
    return Pushed(np.array(reserve), pushes, float(sum(residue)))
