"""Columns and numbers: how the working graph turns ids of the database into dense rows.

Owns the table of ids and the growth of arrays; only `working_graph` and its neighbours call it. Invariant: a table
answers alike whatever the order in which its ids came in. It costs 12 bytes an id (a dict would cost over 100).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
RowArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
Vector = NDArray[np.float32]

_Scalar = TypeVar("_Scalar", bound=np.generic)

NOWHERE = -1
_RECENT = 1_024  # ids kept in a dict before they are sorted in; below this a merge costs more than it saves


def enlarged(array: NDArray[_Scalar], capacity: int, fill: int = 0) -> NDArray[_Scalar]:
    """A copy with `capacity` places, the new ones holding `fill`."""
    grown = np.full((capacity, *array.shape[1:]), fill, dtype=array.dtype)
    grown[: len(array)] = array
    return grown


def spans(starts: IntArray, lengths: IntArray) -> tuple[IntArray, IntArray]:
    """Places of many slices laid end to end: (place, number of its slice)."""
    owner = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    shift = starts - (np.cumsum(lengths) - lengths)
    return np.arange(len(owner), dtype=np.int64) + shift[owner], owner


def distinct(values: IntArray) -> tuple[IntArray, IntArray]:
    """The different values, ascending, and the place of each value among them: what `np.unique` costs thrice."""
    order = values.argsort(kind="stable")
    ordered = values[order]
    first = np.ones(len(values), dtype=np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    places = np.empty(len(values), dtype=np.int64)
    places[order] = np.cumsum(first) - 1
    return ordered[first], places


def summed(places: IntArray | RowArray, weights: FloatArray, count: int) -> FloatArray:
    """The weights summed by place."""
    return np.bincount(places, weights=weights, minlength=count).astype(np.float64, copy=False)


def strongest_of(weights: FloatArray, first: NDArray[np.bool_]) -> IntArray:
    """Of each group the place of the largest, the first of equals; a group begins where `first` is set."""
    groups = np.flatnonzero(first)
    best = np.maximum.reduceat(weights, groups)[np.cumsum(first) - 1]
    places = np.where(weights == best, np.arange(len(weights)), len(weights))
    return np.minimum.reduceat(places, groups)


class IdTable:
    """From int64 ids to rows: a sorted array, and a small dict of what came since it was sorted.

    Finding is O(log n), adding and removing O(1) amortised.
    """

    def __init__(self) -> None:
        self._ids: IntArray = np.empty(0, dtype=np.int64)
        self._rows: RowArray = np.empty(0, dtype=np.int32)
        self._recent: dict[int, int] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def fill(self, ids: IntArray) -> None:
        """Start anew with these ids, ascending and unique: the i-th gets row i."""
        self._ids = np.array(ids, dtype=np.int64)
        self._rows = np.arange(len(ids), dtype=np.int32)
        self._recent = {}
        self._count = len(ids)

    def row(self, key: int) -> int:
        """The row of an id, or -1."""
        row = self._recent.get(key)
        if row is not None:
            return row
        place = self._place(key)
        return NOWHERE if place is None else int(self._rows[place])

    def rows(self, keys: Sequence[int] | IntArray) -> IntArray:
        """The rows of many ids; -1 where there is none."""
        wanted = np.asarray(keys, dtype=np.int64)
        found = np.full(len(wanted), NOWHERE, dtype=np.int64)
        if len(self._ids) and len(wanted):
            places = np.minimum(np.searchsorted(self._ids, wanted), len(self._ids) - 1)
            hits = self._ids[places] == wanted
            found[hits] = self._rows[places[hits]]
        if self._recent:
            for i in np.flatnonzero(found == NOWHERE).tolist():
                found[i] = self._recent.get(int(wanted[i]), NOWHERE)
        return found

    def add(self, key: int, row: int) -> None:
        """Give an id that has none a row."""
        place = self._place(key)
        if place is None:
            self._recent[key] = row
        else:
            self._rows[place] = row
        self._count += 1
        if len(self._recent) > _RECENT + len(self._ids) // 8:
            self._sort_in()

    def remove(self, key: int) -> int:
        """Forget an id; returns the row it had, or -1."""
        row = self._recent.pop(key, NOWHERE)
        if row == NOWHERE:
            place = self._place(key)
            if place is None:
                return NOWHERE
            row = int(self._rows[place])
            self._rows[place] = NOWHERE
        if row != NOWHERE:
            self._count -= 1
        return row

    def _place(self, key: int) -> int | None:
        if not len(self._ids):
            return None
        place = int(self._ids.searchsorted(key))
        return place if place < len(self._ids) and int(self._ids[place]) == key else None

    def _sort_in(self) -> None:
        kept = self._rows != NOWHERE
        ids = np.concatenate([self._ids[kept], np.fromiter(self._recent.keys(), np.int64, len(self._recent))])
        rows = np.concatenate([self._rows[kept], np.fromiter(self._recent.values(), np.int32, len(self._recent))])
        order = np.argsort(ids, kind="stable")
        self._ids, self._rows, self._recent = ids[order], rows[order], {}
