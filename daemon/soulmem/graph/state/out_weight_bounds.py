"""Out weight bounds: what a note sends to all it is linked to together, at the least.

A hub of 10^5 links spreads its mass so thin that none of them gets anything worth sending; to know that, the solver
needs only a lower bound of the sum of its weights, not the weights. Of crowded rows the bound is worked out when it is
first asked for, of the others it is kept when their weights were worked out anyway. `working_graph` owns the bounds and
tells of changes, `edge_weights` asks. Invariant: a bound is never above the sum it stands for, whatever changed since.

The bound of a row is A * exp(-r * elapsed), with A the sum of a * sqrt(conf) then, of parallel links the strongest
alone, and r the mean of 1/S weighted by the same: exp is convex, so the sum falls no faster (Jensen). Every link
changed since then takes 1 off, the most it can have weighed. Bounds stand in columns, for they are asked for and
learnt many at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from soulmem.graph.state.adjacency_rows import ArcRows
from soulmem.graph.state.graph_columns import FELT, NOTE_KINDS, LinkRecords, NoteRecords
from soulmem.graph.state.id_table import NOWHERE, FloatArray, IntArray, RowArray, enlarged, strongest_of, summed

CROWDED = 64  # links; below, the weights themselves are cheaper than a bound
_WORN = 0.5  # a bound that lost half of its worth is worked out again
_MOST = 30_000  # bounds; 3 MB
_TINY = 1e-300


class Crowds:
    """Lower bounds of out-weights, worked out when first asked for."""

    def __init__(self, notes: NoteRecords, links: LinkRecords, arcs: ArcRows) -> None:
        self._notes, self._links, self._arcs = notes, links, arcs
        self._slots: RowArray = np.zeros(0, dtype=np.int32)  # by row: where its bound stands in the columns below
        self._used = 0  # of the slots
        self._free: list[int] = []
        self._sums: FloatArray = np.zeros((0, len(NOTE_KINDS)))  # A by kind of the note at the other end
        self._totals: FloatArray = np.zeros(0)
        self._rates: FloatArray = np.zeros(0)  # per millisecond
        self._at_ms: IntArray = np.zeros(0, dtype=np.int64)
        self._changes: RowArray = np.zeros(0, dtype=np.int32)

    def is_crowded(self, row: int) -> bool:
        return int(self._arcs.lengths[row]) >= CROWDED

    def changed(self, row: int) -> None:
        """A link of this row was changed or taken out."""
        if row < len(self._slots) and self._slots[row] != NOWHERE:
            self._changes[self._slots[row]] += 1

    def forget(self) -> None:
        """The kinds of notes changed: nothing holds any more."""
        self._slots.fill(NOWHERE)
        self._free.clear()
        self._used = 0

    def forget_row(self, row: int) -> None:
        """A row stands for another note now."""
        if row < len(self._slots) and self._slots[row] != NOWHERE:
            self._free.append(int(self._slots[row]))
            self._slots[row] = NOWHERE

    def least_totals(self, rows: Sequence[int], least_gains: FloatArray | None, now_ms: int) -> FloatArray:
        """A lower bound of Σ w_ux of each row for a stance with these gains (algorithms.md §3.6); 0 when none is known.

        `least_gains`: by kind min(1, g m) for the least m, since w = clamp(a c g m (1 + ..), ., 1) >= a c min(1, g m)
        for a c <= 1; None: all 1.
        """
        self._reserve()
        numbers = np.asarray(rows, dtype=np.int64)
        bounds = np.zeros(len(numbers))
        known = np.flatnonzero(self._slots[numbers] != NOWHERE)
        slots = self._slots[numbers[known]].astype(np.int64)
        left = np.exp(-self._rates[slots] * np.maximum(now_ms - self._at_ms[slots], 0))
        totals, lost = self._totals[slots], self._changes[slots]
        holds = totals * left - lost >= _WORN * totals
        welcome = totals if least_gains is None else self._sums[slots] @ least_gains
        bounds[known] = np.where(holds, np.maximum(welcome * left - lost, 0.0), -1.0)
        unknown = np.ones(len(numbers), dtype=np.bool_)
        unknown[known[holds]] = False
        for place in np.flatnonzero(unknown).tolist():
            row = rows[place]
            if self.is_crowded(row):
                slot = self._work_out(row, now_ms)
                bounds[place] = self._totals[slot] if least_gains is None else float(self._sums[slot] @ least_gains)
            else:
                self.forget_row(row)
                bounds[place] = 0.0
        return bounds

    def unknown(self, rows: IntArray) -> bool:
        """Whether the bound of any of these rows is not known."""
        self._reserve()
        return bool((self._slots[rows] == NOWHERE).any())

    def learn(
        self, rows: IntArray, worth: FloatArray, fading: FloatArray, ends: RowArray, lengths: IntArray, now_ms: int
    ) -> None:
        """Keep the bounds of these rows, whose arcs were just read, one arc a pair.

        `worth`: a * sqrt(conf) of each; `fading`: that by S.
        """
        count, kinds = len(rows), len(NOTE_KINDS)
        owners = np.repeat(np.arange(count), lengths)
        sums = summed(owners * kinds + self._notes.kinds[ends], worth, count * kinds).reshape(count, kinds)
        totals = sums.sum(axis=1)
        rates = summed(owners, fading, count) / np.maximum(totals, _TINY)
        slots = self._places_for(rows)
        self._sums[slots], self._totals[slots], self._rates[slots] = sums, totals, rates
        self._at_ms[slots], self._changes[slots] = now_ms, 0

    def _work_out(self, row: int, now_ms: int) -> int:
        """Work out the bound of one row; where it stands."""
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
        slot = int(self._places_for(np.array([row]))[0])
        self._sums[slot], self._totals[slot] = sums, total
        self._rates[slot] = float(weights @ rates) / total if total > 0.0 else 0.0
        self._at_ms[slot], self._changes[slot] = now_ms, 0
        return slot

    def _places_for(self, rows: IntArray) -> IntArray:
        """The slots of these rows, new ones for those that have none; a row may stand there twice."""
        self._reserve()
        if self._used - len(self._free) + len(rows) > _MOST:
            self.forget()
        for row in dict.fromkeys(rows[self._slots[rows] == NOWHERE].tolist()):
            if self._free:
                self._slots[row] = self._free.pop()
            else:
                self._slots[row] = self._used
                self._used += 1
        if self._used > len(self._totals):
            room = max(256, 2 * self._used)
            self._sums, self._totals = enlarged(self._sums, room), enlarged(self._totals, room)
            self._rates, self._at_ms = enlarged(self._rates, room), enlarged(self._at_ms, room)
            self._changes = enlarged(self._changes, room)
        return self._slots[rows].astype(np.int64)

    def _reserve(self) -> None:
        """Have room for every row there is."""
        if len(self._slots) < len(self._notes.ids):
            self._slots = enlarged(self._slots, len(self._notes.ids), NOWHERE)
