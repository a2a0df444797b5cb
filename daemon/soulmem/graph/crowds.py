"""Crowds: what a note with many links sends to all of them together, at the least.

A hub of 10^5 links spreads its mass so thin that none of them gets anything worth sending; to know that, the solver
needs only a lower bound of the sum of its weights, not the weights. `adjacency` owns the bounds and tells of changes,
`weighing` asks. Invariant: a bound is never above the sum it stands for, whatever changed since it was worked out.

The bound of a row is A * exp(-r * elapsed), with A the sum of a * sqrt(conf) then, of parallel links the strongest
alone, and r the mean of 1/S weighted by the same: exp is convex, so the sum falls no faster (Jensen). Every link
changed since then takes 1 off, the most it can have weighed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from soulmem.graph.arcs import ArcRows
from soulmem.graph.columns import FloatArray, strongest_of, summed
from soulmem.graph.records import FELT, NOTE_KINDS, LinkRecords, NoteRecords

CROWDED = 64  # links; below, the weights themselves are cheaper than a bound
_WORN = 0.5  # a bound that lost half of its worth is worked out again


@dataclass(slots=True)
class _Floor:
    sums: FloatArray  # by kind of the note at the other end
    total: float
    rate: float  # per millisecond
    at_ms: int
    length: int
    changes: int = 0


class Crowds:
    """Lower bounds of out-weights, worked out when first asked for."""

    def __init__(self, notes: NoteRecords, links: LinkRecords, arcs: ArcRows) -> None:
        self._notes, self._links, self._arcs = notes, links, arcs
        self._floors: dict[int, _Floor] = {}

    def is_crowded(self, row: int) -> bool:
        return int(self._arcs.lengths[row]) >= CROWDED

    def changed(self, row: int) -> None:
        """A link of this row was changed or taken out."""
        floor = self._floors.get(row)
        if floor is not None:
            floor.changes += 1

    def forget(self) -> None:
        """The kinds of notes changed: nothing holds any more."""
        self._floors.clear()

    def forget_row(self, row: int) -> None:
        """A row stands for another note now."""
        self._floors.pop(row, None)

    def warm(self, now_ms: int, *, least: int = 4_096) -> None:
        """Work out the bounds of the rows of `least` links and more, so that no recall has to wait for them."""
        for row in np.flatnonzero(self._arcs.lengths >= max(CROWDED, least)).tolist():
            self._floors[row] = self._worked_out(row, now_ms)

    def least_total(self, row: int, kind_gains: FloatArray, mood_rate: float, now_ms: int) -> float:
        """A lower bound of Σ w_ux of a row for a stance with these gains (ALGORITHMS §3.6)."""
        floor = self._floors.get(row)
        if floor is None or self._is_worn(floor, row, now_ms):
            floor = self._floors[row] = self._worked_out(row, now_ms)
        # w = clamp(a c g m (1 + ..), ., 1) >= a c min(1, g m), for a c <= 1; and m >= exp(-|mood rate|).
        gains = np.minimum(1.0, kind_gains * math.exp(-abs(mood_rate)))
        return max(0.0, float(floor.sums @ gains) * _faded(floor, now_ms) - floor.changes)

    def _is_worn(self, floor: _Floor, row: int, now_ms: int) -> bool:
        left = floor.total * _faded(floor, now_ms) - floor.changes
        return left < _WORN * floor.total or int(self._arcs.lengths[row]) > floor.length / _WORN

    def _worked_out(self, row: int, now_ms: int) -> _Floor:
        ends, codes = self._arcs.row(row)
        slots = codes >> 1
        felt = FELT[self._links.kinds[slots].astype(np.int64) * 2 + (codes & 1)]
        weights = self._links.strengths(slots, now_ms) * self._links.trust[slots] * felt
        rates = 1.0 / self._links.stability_ms[slots]
        first = np.ones(len(ends), dtype=np.bool_)
        first[1:] = ends[1:] != ends[:-1]
        if not first.all():
            kept = strongest_of(weights, first)
            ends, weights, rates = ends[kept], weights[kept], rates[kept]
        sums = summed(self._notes.kinds[ends].astype(np.int64), weights, len(NOTE_KINDS))
        total = float(sums.sum())
        rate = float(weights @ rates) / total if total > 0.0 else 0.0
        return _Floor(sums, total, rate, now_ms, len(codes))


def _faded(floor: _Floor, now_ms: int) -> float:
    return math.exp(-floor.rate * max(0, now_ms - floor.at_ms))
