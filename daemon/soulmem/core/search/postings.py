"""Postings: which rows hold a term, for the in-memory index of a mind in use.

Owns the term -> rows mapping and nothing else; only `core.search.memory_index` calls it. What was loaded stands in one
sorted block. What is appended is only noted down, so that hearing a message costs next to nothing, and sorted into a
block of its own when somebody asks; small blocks are merged as they come, so that there are few. A row stands in a
term's posting once per occurrence. Invariants: postings ascend, because row numbers only grow and blocks stand in the
order of their rows; rows that were removed may still be listed, the caller masks them and `rebuild` drops them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from soulmem.fast_dataclasses import dataclass

Rows = NDArray[np.int32]
Terms = NDArray[np.uint32]

_MERGED = 100_000  # occurrences; sorting more than these at once would be felt
_NOTED = 1024  # rows noted down at most
_EMPTY: Rows = np.empty(0, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class _Block:
    """Occurrences by term: those of `terms[i]` are `rows[offsets[i]:offsets[i + 1]]`."""

    terms: Terms
    offsets: NDArray[np.int64]
    rows: Rows

    @classmethod
    def of(cls, rows: Rows, terms: Terms) -> _Block:
        # One 64-bit number per occurrence sorts several times faster than an indirect sort of the terms.
        pairs = terms.astype(np.uint64) << np.uint64(32) | rows.astype(np.uint64)
        pairs.sort()
        ordered = (pairs >> np.uint64(32)).astype(np.uint32)
        starts = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] + np.uint32(1)))
        return cls(
            ordered[starts],
            np.append(starts, len(ordered)).astype(np.int64),
            pairs.astype(np.uint32).view(np.int32),
        )

    def find(self, terms: Terms) -> list[Rows]:
        """The rows of each of these terms."""
        if not len(self.terms):
            return [_EMPTY] * len(terms)
        places = np.minimum(self.terms.searchsorted(terms), len(self.terms) - 1)
        held = self.terms[places] == terms
        starts, stops = self.offsets[places].tolist(), self.offsets[places + 1].tolist()
        return [
            self.rows[start:stop] if is_held else _EMPTY
            for is_held, start, stop in zip(held.tolist(), starts, stops, strict=True)
        ]

    def pairs(self) -> tuple[Rows, Terms]:
        return self.rows, np.repeat(self.terms, np.diff(self.offsets))


class Postings:
    """Rows by term hash: a few sorted blocks, and what was appended since somebody asked."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._new: list[tuple[int, Terms]] = []

    def append(self, row: int, terms: Terms) -> None:
        """Add one row's terms, repeats included."""
        if len(terms):
            self._new.append((row, terms))
            if len(self._new) >= _NOTED:
                self._settle()

    def rows(self, term: int) -> Rows:
        """All rows of a term in ascending order, once per occurrence."""
        return self.gather(np.array([term], dtype=np.uint32))[0]

    def gather(self, terms: Terms) -> tuple[Rows, NDArray[np.int64]]:
        """The rows of several terms, one term after the other, each as in `rows`; and how many each has."""
        self._settle()
        held = [block.find(terms) for block in self._blocks]
        sizes = [sum(map(len, parts)) for parts in zip(*held, strict=True)] if held else [0] * len(terms)
        found = [part for parts in zip(*held, strict=True) for part in parts]
        return np.concatenate(found) if found else _EMPTY, np.array(sizes, dtype=np.int64)

    def extend(self, rows: Rows, terms: Terms) -> None:
        """Add many (row, term) occurrences at once by sorting everything held into one block."""
        held_rows, held_terms = self.pairs()
        self._blocks = [_Block.of(np.concatenate((held_rows, rows)), np.concatenate((held_terms, terms)))]

    def rebuild(self, new_row: Rows) -> None:
        """Renumber rows by `new_row[old]`; occurrences whose new row is 0 are dropped."""
        rows, terms = self.pairs()
        moved = new_row[rows]
        kept = moved > 0
        self._blocks = [_Block.of(moved[kept], terms[kept])]

    def pairs(self) -> tuple[Rows, Terms]:
        """Every occurrence as parallel arrays (rows, terms)."""
        self._settle()
        if not self._blocks:
            return _EMPTY, np.empty(0, dtype=np.uint32)
        pairs = [block.pairs() for block in self._blocks]
        return np.concatenate([rows for rows, _ in pairs]), np.concatenate([terms for _, terms in pairs])

    def _settle(self) -> None:
        """Sort what is new into a block, together with small blocks before it."""
        if not self._new:
            return
        counts = [len(terms) for _, terms in self._new]
        rows = np.repeat(np.fromiter((row for row, _ in self._new), dtype=np.int32, count=len(counts)), counts)
        terms = np.concatenate([terms for _, terms in self._new])
        self._new = []
        # As in a log-structured merge tree: an occurrence is sorted anew only when its block has doubled.
        while self._blocks and len(self._blocks[-1].rows) < min(2 * len(rows), _MERGED):
            held_rows, held_terms = self._blocks.pop().pairs()
            rows, terms = np.concatenate((held_rows, rows)), np.concatenate((held_terms, terms))
        self._blocks.append(_Block.of(rows, terms))
