"""Crowds: what a note sends to all it is linked to together, at the least.

A hub of 10^5 links spreads its mass so thin that none of them gets anything worth sending; to know that, the solver
needs only a lower bound of the sum of its weights, not the weights. Of crowded rows the bound is worked out when it is
first asked for, of the others it is kept when their weights were worked out anyway. `adjacency` owns the bounds and
tells of changes, `weighing` asks. Invariant: a bound is never above the sum it stands for, whatever changed since.

The bound of a row is A * exp(-r * elapsed), with A the sum of a * sqrt(conf) then, of parallel links the strongest
alone, and r the mean of 1/S weighted by the same: exp is convex, so the sum falls no faster (Jensen). Every link
changed since then takes 1 off, the most it can have weighed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from soulmem.graph.arcs import ArcRows
from soulmem.graph.columns import FloatArray, IntArray, RowArray, strongest_of, summed
from soulmem.graph.records import FELT, NOTE_KINDS, LinkRecords, NoteRecords
from soulmem.records import dataclass

CROWDED = 64  # links; below, the weights themselves are cheaper than a bound
_WORN = 0.5  # a bound that lost half of its worth is worked out again
_MOST = 30_000  # bounds; 8 MB
_TINY = 1e-300


@dataclass(slots=True)
class _Floor:
    sums: FloatArray  # by kind of the note at the other end
    total: float
    rate: float  # per millisecond
    at_ms: int
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

    def least_total(self, row: int, least_gains: FloatArray | None, now_ms: int) -> float:
        """A lower bound of Σ w_ux of a row for a stance with these gains (ALGORITHMS §3.6); 0 when nothing is known.

        `least_gains`: by kind min(1, g m) for the least m, since w = clamp(a c g m (1 + ..), ., 1) >= a c min(1, g m)
        for a c <= 1; None: all 1.
        """
        floor = self._floors.get(row)
        left = _faded(floor, now_ms) if floor is not None else 0.0
        if floor is None or floor.total * left - floor.changes < _WORN * floor.total:
            if not self.is_crowded(row):
                self._floors.pop(row, None)
                return 0.0
            floor = self._floors[row] = self._worked_out(row, now_ms)
            left = 1.0
        total = floor.total if least_gains is None else float(floor.sums @ least_gains)
        return max(0.0, total * left - floor.changes)

    def unknown(self, rows: Sequence[int]) -> bool:
        """Whether the bound of any of these rows is not known."""
        return any(row not in self._floors for row in rows)

    def learn(
        self, rows: Sequence[int], worth: FloatArray, ends: RowArray, codes: RowArray, lengths: IntArray, now_ms: int
    ) -> None:
        """Keep the bounds of these rows, whose arcs were just read: `worth` is a * sqrt(conf), one arc a pair."""
        if len(self._floors) + len(rows) > _MOST:
            self._floors.clear()
        count, kinds = len(rows), len(NOTE_KINDS)
        owners = np.repeat(np.arange(count), lengths)
        sums = summed(owners * kinds + self._notes.kinds[ends], worth, count * kinds).reshape(count, kinds)
        totals = sums.sum(axis=1)
        rates = summed(owners, worth / self._links.stability_ms[codes >> 1], count) / np.maximum(totals, _TINY)
        for place, (row, total, rate) in enumerate(zip(rows, totals.tolist(), rates.tolist(), strict=True)):
            self._floors[row] = _Floor(sums[place], total, rate, now_ms)

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
        return _Floor(sums, total, rate, now_ms)


def _faded(floor: _Floor, now_ms: int) -> float:
    age_ms = now_ms - floor.at_ms
    return math.exp(-floor.rate * age_ms) if age_ms > 0 else 1.0
