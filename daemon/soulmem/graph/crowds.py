"""Crowds: what a note sends to all it is linked to together, at the least.

A hub of 10^5 links spreads its mass so thin that none of them gets anything worth sending; to know that, the solver
needs only a lower bound of the sum of its weights, not the weights. Of crowded rows the bound is worked out when it is
first asked for, of the others it is kept when their weights were worked out anyway. `adjacency` owns the bounds and
tells of changes, `weighing` asks. Invariant: a bound is never above the sum it stands for, whatever changed since.

The bound of a row is A * exp(-r * elapsed), with A the sum of a * sqrt(conf) then, of parallel links the strongest
alone, and r the mean of 1/S weighted by the same: exp is convex, so the sum falls no faster (Jensen). Every link
changed since then takes 1 off, the most it can have weighed. Bounds stand in columns by row, for they are asked for
and learnt many at a time; a stance that welcomes some kinds of notes less asks for those kinds apart, which is kept of
crowded rows alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from soulmem.graph.arcs import ArcRows
from soulmem.graph.columns import FloatArray, IntArray, RowArray, enlarged, strongest_of, summed
from soulmem.graph.records import FELT, NOTE_KINDS, LinkRecords, NoteRecords

CROWDED = 64  # links; below, the weights themselves are cheaper than a bound
_WORN = 0.5  # a bound that lost half of its worth is worked out again
_UNKNOWN = -1.0
_TINY = 1e-300


class Crowds:
    """Lower bounds of out-weights, worked out when first asked for."""

    def __init__(self, notes: NoteRecords, links: LinkRecords, arcs: ArcRows) -> None:
        self._notes, self._links, self._arcs = notes, links, arcs
        self._totals: FloatArray = np.zeros(0)  # A by row, or unknown
        self._rates: FloatArray = np.zeros(0)  # r, per millisecond
        self._at_ms: IntArray = np.zeros(0, dtype=np.int64)
        self._changes: RowArray = np.zeros(0, dtype=np.int32)
        self._by_kind: dict[int, FloatArray] = {}  # of crowded rows A by kind of the note at the other end

    @property
    def memory_bytes(self) -> int:
        columns = self._totals.nbytes + self._rates.nbytes + self._at_ms.nbytes + self._changes.nbytes
        return columns + 260 * len(self._by_kind)

    def is_crowded(self, row: int) -> bool:
        return int(self._arcs.lengths[row]) >= CROWDED

    def changed(self, row: int) -> None:
        """A link of this row was changed or taken out."""
        if row < len(self._changes):
            self._changes[row] += 1

    def forget(self) -> None:
        """The kinds of notes changed: nothing holds any more."""
        self._totals.fill(_UNKNOWN)
        self._by_kind.clear()

    def forget_row(self, row: int) -> None:
        """A row stands for another note now."""
        if row < len(self._totals):
            self._totals[row] = _UNKNOWN
        self._by_kind.pop(row, None)

    def warm(self, now_ms: int, *, least: int = 4_096) -> None:
        """Work out the bounds of the rows of `least` links and more, so that no recall has to wait for them."""
        self._reserve()
        for row in np.flatnonzero(self._arcs.lengths >= max(CROWDED, least)).tolist():
            self._work_out(row, now_ms)

    def least_totals(self, rows: Sequence[int] | IntArray, least_gains: FloatArray | None, now_ms: int) -> FloatArray:
        """A lower bound of Σ w_ux of each row for a stance with these gains (ALGORITHMS §3.6); 0 when none is known.

        `least_gains`: by kind min(1, g m) for the least m, since w = clamp(a c g m (1 + ..), ., 1) >= a c min(1, g m)
        for a c <= 1; None: all 1.
        """
        self._reserve()
        rows = np.asarray(rows, dtype=np.int64)
        totals = self._totals[rows]
        left = np.exp(-self._rates[rows] * np.maximum(now_ms - self._at_ms[rows], 0))
        bounds = totals * left - self._changes[rows]
        worn = np.flatnonzero((totals == _UNKNOWN) | (bounds < _WORN * totals))
        for place, row in zip(worn.tolist(), rows[worn].tolist(), strict=True):
            left[place] = 1.0
            if self.is_crowded(row):
                self._work_out(row, now_ms)
                bounds[place] = self._totals[row]
            else:
                self.forget_row(row)
                bounds[place] = 0.0
        if least_gains is not None:
            for place, row in enumerate(rows.tolist()):
                by_kind = self._by_kind.get(row)
                welcome = float(by_kind @ least_gains) if by_kind is not None else 0.0
                bounds[place] = welcome * left[place] - self._changes[row]
        return np.maximum(bounds, 0.0)

    def unknown(self, rows: IntArray) -> bool:
        """Whether the bound of any of these rows is not known."""
        self._reserve()
        return bool((self._totals[rows] == _UNKNOWN).any())

    def learn(
        self, rows: IntArray, worth: FloatArray, ends: RowArray, codes: RowArray, lengths: IntArray, now_ms: int
    ) -> None:
        """Keep the bounds of these rows, whose arcs were just read: `worth` is a * sqrt(conf), one arc a pair."""
        self._reserve()
        owners = np.repeat(np.arange(len(rows)), lengths)
        totals = summed(owners, worth, len(rows))
        rates = summed(owners, worth / self._links.stability_ms[codes >> 1], len(rows))
        self._keep(rows, totals, rates / np.maximum(totals, _TINY), now_ms)
        stops = np.cumsum(lengths)
        for place in np.flatnonzero(self._arcs.lengths[rows] >= CROWDED).tolist():
            part = slice(int(stops[place] - lengths[place]), int(stops[place]))
            self._by_kind[int(rows[place])] = self._sums(ends[part], worth[part])

    def _work_out(self, row: int, now_ms: int) -> None:
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
        total = float(weights.sum())
        self._keep(np.array([row]), total, float(weights @ rates) / max(total, _TINY), now_ms)
        self._by_kind[row] = self._sums(ends, weights)

    def _keep(self, rows: IntArray, totals: FloatArray | float, rates: FloatArray | float, now_ms: int) -> None:
        self._totals[rows], self._rates[rows] = totals, rates
        self._at_ms[rows], self._changes[rows] = now_ms, 0

    def _sums(self, ends: RowArray, weights: FloatArray) -> FloatArray:
        return summed(self._notes.kinds[ends].astype(np.int64), weights, len(NOTE_KINDS))

    def _reserve(self) -> None:
        """Have room for every row there is."""
        rows, before = len(self._notes.ids), len(self._totals)
        if rows == before:
            return
        self._totals, self._rates = enlarged(self._totals, rows), enlarged(self._rates, rows)
        self._totals[before:] = _UNKNOWN
        self._at_ms, self._changes = enlarged(self._at_ms, rows), enlarged(self._changes, rows)
