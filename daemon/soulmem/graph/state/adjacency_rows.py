"""Adjacency rows: for each note the ordered row of what it is linked to, in two flat arrays with room to grow.

A compressed-row form that takes changes in place, so that no snapshot is ever rebuilt: a row that outgrows its room
moves to the end with twice as much, and when half of the arrays is abandoned they are packed. Owned by `working_graph`.
Invariant: a row is ordered by (id of the note it leads to, id of the link), whatever the order of insertion; so all
that is computed along a row comes out the same to the last bit. Diffusion runs on packed rows (`CsrGraph`): weights are
finite and positive, no node leads to itself, and there is one edge at most from u to v.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.id_table import FloatArray, IntArray, RowArray, enlarged, spans

_SMALLEST = 4  # places of a row when it first moves
Order = Callable[[int, int], tuple[int, int]]


class ArcRows:
    """Rows of arcs (`ends`, `codes`). A code is `link slot * 2 + 1` where the link is read against its direction."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self.ends: RowArray = np.empty(0, dtype=np.int32)
        self.codes: RowArray = np.empty(0, dtype=np.int32)
        self.starts: IntArray = np.zeros(0, dtype=np.int64)
        self.lengths: RowArray = np.zeros(0, dtype=np.int32)
        self._rooms: RowArray = np.zeros(0, dtype=np.int32)
        self._used = 0
        self._abandoned = 0

    def reserve(self, rows: int) -> None:
        """Have room for `rows` rows."""
        if rows == len(self.starts):
            return
        self.starts = enlarged(self.starts, rows)
        self.lengths = enlarged(self.lengths, rows)
        self._rooms = enlarged(self._rooms, rows)

    def fill(self, owners: RowArray, ends: RowArray, codes: RowArray, *, row_count: int) -> None:
        """Start anew with these arcs; rows and link slots must already be numbered in the order of their ids."""
        order = np.lexsort((codes, ends, owners))
        self.ends, self.codes = ends[order], codes[order]
        self.lengths = np.bincount(owners, minlength=row_count).astype(np.int32)
        self._rooms = self.lengths.copy()
        self.starts = np.cumsum(self.lengths, dtype=np.int64) - self.lengths
        self._used, self._abandoned = len(codes), 0

    def row(self, row: int) -> tuple[RowArray, RowArray]:
        """The ends and codes of one row: views, valid until the next change."""
        start = int(self.starts[row])
        stop = start + int(self.lengths[row])
        return self.ends[start:stop], self.codes[start:stop]

    def gather(self, rows: IntArray) -> tuple[RowArray, RowArray, IntArray]:
        """The arcs of many rows end to end: (ends, codes, number of the row in `rows`)."""
        places, owner = spans(self.starts[rows], self.lengths[rows].astype(np.int64))
        return self.ends[places], self.codes[places], owner

    def insert(self, row: int, end: int, code: int) -> None:
        if self.lengths[row] == self._rooms[row]:
            self._move(row)
        start, length = int(self.starts[row]), int(self.lengths[row])
        place = start + self._find(row, end, code)
        stop = start + length
        if place < stop:
            self.ends[place + 1 : stop + 1] = self.ends[place:stop]
            self.codes[place + 1 : stop + 1] = self.codes[place:stop]
        self.ends[place] = end
        self.codes[place] = code
        self.lengths[row] = length + 1

    def remove(self, row: int, end: int, code: int) -> None:
        start, length = int(self.starts[row]), int(self.lengths[row])
        place, stop = start + self._find(row, end, code), start + length
        self.ends[place : stop - 1] = self.ends[place + 1 : stop]
        self.codes[place : stop - 1] = self.codes[place + 1 : stop]
        self.lengths[row] = length - 1

    def clear(self, row: int) -> None:
        """Empty a row and give up its room."""
        self._abandoned += int(self._rooms[row])
        self.lengths[row] = self._rooms[row] = 0

    def _find(self, row: int, end: int, code: int) -> int:
        """Where in its row an arc stands or belongs."""
        ends, codes = self.row(row)
        order, wanted = self._order, self._order(end, code)
        if not len(ends) or order(int(ends[-1]), int(codes[-1])) < wanted:
            return len(ends)
        return bisect_left(range(len(ends)), wanted, key=lambda i: order(int(ends[i]), int(codes[i])))

    def _move(self, row: int) -> None:
        length = int(self.lengths[row])
        room = max(_SMALLEST, 2 * length)
        if self._used + room > len(self.ends):
            if self._abandoned > self._used // 2:
                self._pack()
            if self._used + room > len(self.ends):
                capacity = self._used + room + len(self.ends) // 4
                self.ends, self.codes = enlarged(self.ends, capacity), enlarged(self.codes, capacity)
        start = self._used
        old_ends, old_codes = self.row(row)
        self.ends[start : start + length] = old_ends
        self.codes[start : start + length] = old_codes
        self._abandoned += int(self._rooms[row])
        self.starts[row], self._rooms[row] = start, room
        self._used = start + room

    def _pack(self) -> None:
        """Lay all rows end to end again, in the order of their numbers."""
        rows = np.arange(len(self.starts), dtype=np.int64)
        ends, codes, _ = self.gather(rows)
        self._rooms = self.lengths.copy()
        self.starts = np.cumsum(self.lengths, dtype=np.int64) - self.lengths
        self._used, self._abandoned = len(codes), 0
        self.ends[: self._used], self.codes[: self._used] = ends, codes


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

    def owners(self) -> IntArray:
        """The node each edge leaves."""
        return np.repeat(np.arange(self.node_count), np.diff(self.starts))
