"""Postings: which rows hold a term, for the in-memory index of a mind in use.

Owns the term -> rows mapping and nothing else; only `core.index` calls it. A sorted block built in one go
serves what was loaded, a dictionary takes what is appended afterwards, so appending never re-sorts. A row
stands in a term's posting once per occurrence. Invariants: postings ascend, because row numbers only grow;
rows that were removed may still be listed, the caller masks them and `rebuild` drops them.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int32]
Terms = NDArray[np.uint32]

_EMPTY: Rows = np.empty(0, dtype=np.int32)


class Postings:
    """Rows by term hash: a sorted block plus a tail of appended rows."""

    def __init__(self) -> None:
        self._terms: Terms = np.empty(0, dtype=np.uint32)
        self._offsets: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._rows: Rows = _EMPTY
        self._tail: dict[int, array[int]] = {}
        self._tail_count = 0

    def append(self, row: int, terms: Terms) -> None:
        """Add one row's terms, repeats included."""
        tail = self._tail
        for term in terms.tolist():
            rows = tail.get(term)
            if rows is None:
                tail[term] = array("i", (row,))
            else:
                rows.append(row)
        self._tail_count += len(terms)

    def rows(self, term: int) -> Rows:
        """All rows of a term in ascending order, once per occurrence."""
        place = int(np.searchsorted(self._terms, np.uint32(term)))
        base = _EMPTY
        if place < len(self._terms) and self._terms[place] == term:
            base = self._rows[self._offsets[place] : self._offsets[place + 1]]
        tail = self._tail.get(term)
        if tail is None:
            return base
        recent = np.array(tail, dtype=np.int32)
        return np.concatenate((base, recent)) if len(base) else recent

    def extend(self, rows: Rows, terms: Terms) -> None:
        """Add many (row, term) occurrences at once by sorting everything held into one block."""
        held_rows, held_terms = self.pairs()
        self._build(np.concatenate((held_rows, rows)), np.concatenate((held_terms, terms)))

    def rebuild(self, new_row: Rows) -> None:
        """Renumber rows by `new_row[old]`; occurrences whose new row is 0 are dropped."""
        rows, terms = self.pairs()
        moved = new_row[rows]
        kept = moved > 0
        self._build(moved[kept], terms[kept])

    def pairs(self) -> tuple[Rows, Terms]:
        """Every occurrence as parallel arrays (rows, terms)."""
        terms = np.repeat(self._terms, np.diff(self._offsets))
        if not self._tail:
            return self._rows, terms
        counts = [len(rows) for rows in self._tail.values()]
        tail_terms = np.repeat(np.fromiter(self._tail, dtype=np.uint32, count=len(self._tail)), counts)
        tail_rows = np.concatenate([np.array(rows, dtype=np.int32) for rows in self._tail.values()])
        return np.concatenate((self._rows, tail_rows)), np.concatenate((terms, tail_terms))

    @property
    def memory_bytes(self) -> int:
        tail = 120 * len(self._tail) + 6 * self._tail_count  # dictionary slot, array header, slack
        return self._terms.nbytes + self._offsets.nbytes + self._rows.nbytes + tail

    def _build(self, rows: Rows, terms: Terms) -> None:
        # One 64-bit number per occurrence sorts several times faster than an indirect sort of the terms.
        pairs = terms.astype(np.uint64) << np.uint64(32) | rows.astype(np.uint64)
        pairs.sort()
        ordered = (pairs >> np.uint64(32)).astype(np.uint32)
        starts = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] + np.uint32(1)))
        self._terms = ordered[starts]
        self._offsets = np.append(starts, len(ordered)).astype(np.int64)
        self._rows = pairs.astype(np.uint32).view(np.int32)
        self._tail = {}
        self._tail_count = 0
