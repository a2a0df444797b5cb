"""Path search: by which links a note that PageRank brought up belongs to a seed.

PageRank gives notes, not ways. A dummy edge says "this seed brought that note up"; when it proved useful, A* finds the
single walk that contributed most, so that its links can be strengthened and shown. Sources: algorithms.md §3.7; A*:
Hart, Nilsson, Raphael 1968. Invariants: cost is -ln of the walk's share of pi(target), up to the factor `teleport`; the
way found is the cheapest within the limits; no link is ever invented; a conduit to actions is never a result, however
much it is sent (§3.6).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.state.graph_columns import NOTE_CODES
from soulmem.graph.state.id_table import NOWHERE
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.approximate_ppr import TELEPORT

_MAX_EXPANSIONS = 2_000
MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class PathLink:
    """One step: of parallel links the strongest. `probability` is P of the step, all parallel links together."""

    link: int
    src: int
    dst: int
    is_backward: bool
    probability: float


@dataclass(frozen=True, slots=True)
class Path:
    """A way from a seed to a note; `contribution` is what this one walk adds to pi(note), of a seed of share 1."""

    links: tuple[PathLink, ...]
    cost: float
    contribution: float

    def notes(self) -> list[int]:
        """The notes along the way, both ends included."""
        return [link.src for link in self.links[:1]] + [link.dst for link in self.links]


def best_path(
    weights: Weights,
    source: int,
    target: int,
    *,
    within: Collection[int],
    teleport: float = TELEPORT,
    max_depth: int = MAX_DEPTH,
) -> Path | None:
    """The walk from `source` to `target` that contributed most, through notes in `within` (those the push reached).

    None when there is none within the limits: links were deleted meanwhile, or the neighbourhood is not in memory.
    """
    table = weights.graph.notes.table
    start, goal = table.row(source), table.row(target)
    if NOWHERE in (start, goal):
        return None
    rows = table.rows(sorted(set(within) | {source, target}))
    allowed = set(rows[rows != NOWHERE].tolist())
    return _Search(weights, goal, allowed, teleport=teleport, max_depth=max_depth).run(start)


class _Search:
    """A* over (note, steps so far): a dearer way may still be the only one short enough to be finished."""

    def __init__(self, weights: Weights, goal: int, allowed: set[int], *, teleport: float, max_depth: int) -> None:
        self._weights, self._goal, self._allowed = weights, goal, allowed
        self._teleport, self._max_depth = teleport, max_depth
        self._put_off: set[tuple[int, int]] = set()
        self._least_cost = -math.log1p(-teleport)  # c_min: a sure step
        whole = weights.graph.notes.whole
        self._whole = {row for row in allowed if whole[row]}
        # Every link is walked both ways, so what leads to the goal is what the goal leads to.
        self._near = set(weights.graph.arcs.row(goal)[0].tolist())

    def run(self, start: int) -> Path | None:
        ids = self._weights.graph.notes.ids
        came: dict[tuple[int, int], tuple[int, int]] = {}
        costs = {(start, 0): 0.0}
        heap = [(self._ahead(start), 0, int(ids[start]), start)]
        done: dict[int, int] = {}  # note -> fewest steps it was left with: more steps at a higher cost lead nowhere new
        for _ in range(_MAX_EXPANSIONS):
            state = self._next(heap, done)
            if state is None:
                return None
            if state[0] == self._goal:
                return self._path(state, came, costs[state])
            row, depth = state
            if self._is_put_off(heap, state, costs[state]):
                continue
            done[row] = depth
            if depth == self._max_depth or row not in self._whole:
                continue
            ends, _, shares = self._weights.transitions(row)
            steps = (self._least_cost - np.log(shares)).tolist()
            for end, step in zip(ends.tolist(), steps, strict=True):
                after = (end, depth + 1)
                cost = costs[state] + step
                if end not in self._allowed or done.get(end, depth + 2) <= depth + 1:
                    continue
                if cost < costs.get(after, math.inf):
                    costs[after] = cost
                    came[after] = state
                    heapq.heappush(heap, (cost + self._ahead(end), depth + 1, int(ids[end]), end))
        return None

    def _is_put_off(self, heap: list[tuple[float, int, int, int]], state: tuple[int, int], cost: float) -> bool:
        """Whether a crowd was put back into the queue: each step from it costs ln Σw more, known before it is read."""
        row, depth = state
        if state in self._put_off or not self._weights.graph.crowds.is_crowded(row):
            return False
        self._put_off.add(state)
        dearer = math.log(self._weights.least_total(row))
        heapq.heappush(heap, (cost + self._ahead(row) + dearer, depth, int(self._weights.graph.notes.ids[row]), row))
        return True

    def _next(self, heap: list[tuple[float, int, int, int]], done: dict[int, int]) -> tuple[int, int] | None:
        while heap:
            _, depth, _, row = heapq.heappop(heap)
            if done.get(row, depth + 1) > depth:
                return row, depth
        return None

    def _ahead(self, row: int) -> float:
        """h: at least this much is still to pay; admissible and consistent, for no step costs less than c_min."""
        if row == self._goal:
            return 0.0
        return self._least_cost if row in self._near else 2.0 * self._least_cost

    def _path(self, state: tuple[int, int], came: dict[tuple[int, int], tuple[int, int]], cost: float) -> Path:
        graph = self._weights.graph
        links = []
        while state in came:
            before = came[state]
            ends, codes, shares = self._weights.transitions(before[0])
            place = int(np.flatnonzero(ends == state[0])[0])
            code = int(codes[place])
            src, dst = int(graph.notes.ids[before[0]]), int(graph.notes.ids[state[0]])
            link = PathLink(int(graph.links.ids[code >> 1]), src, dst, bool(code & 1), float(shares[place]))
            links.append(link)
            state = before
        return Path(tuple(reversed(links)), cost, self._teleport * math.exp(-cost))


_TRIGGER = NOTE_CODES["trigger"]


def is_returnable(graph: WorkingGraph, note: int) -> bool:
    """Whether a note may be a result: held, and no trigger."""
    row = graph.notes.table.row(note)
    return row != NOWHERE and bool(graph.notes.kinds[row] != _TRIGGER)
