"""Index columns: the columns of the in-memory index and the neighbourhood of turns within their conversations.

Owns the growable arrays (one slot per note or message, amortised append) and the links from each turn to
the one before and after it. Only `core.search.memory_index` calls it. Invariants: row 0 is a sentinel that never exists
and neighbours itself; `prev`/`next` join what stands in one thread, the messages of a conversation or the notes made of
them, that follow each other by `place` with no more than `SESSION_GAP_MS` between them, whatever the order they were
appended in.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from soulmem.core.search.postings import Terms
from soulmem.core.search.relevance_scoring import NEIGHBOUR_WEIGHTS, length_norm
from soulmem.core.text.passage_weights import turn_share
from soulmem.fast_dataclasses import dataclass

# Turns further apart than this are not read together: an hour of silence ends the exchange.
SESSION_GAP_MS = 3_600_000
Vector = NDArray[np.float32]


class ItemKind(StrEnum):
    """What a row stands for."""

    NOTE = "note"
    MESSAGE = "message"
    SUMMARY = "summary"  # of a conversation that is still going on


ItemRef = tuple[ItemKind, int]  # one item: its kind and its number there

KIND_CODES = {ItemKind.MESSAGE: 0, ItemKind.NOTE: 1, ItemKind.SUMMARY: 2}
KINDS = (ItemKind.MESSAGE, ItemKind.NOTE, ItemKind.SUMMARY)

_COLUMNS: dict[str, type[np.generic]] = {
    "kind": np.uint8,
    "key": np.int64,
    "conversation": np.int64,
    "seq": np.int64,
    "thread": np.int64,
    "place": np.int64,
    "told_ms": np.int64,
    "speaker": np.int32,
    "at_ms": np.int64,
    "length": np.float32,
    "active": np.bool_,
    "seen": np.bool_,
    "asks": np.bool_,
    "replies": np.bool_,
    "prev": np.int32,
    "next": np.int32,
}


class Rows:
    """Columns with room to grow; `count` slots are in use, the sentinel included.

    `thread`: what a row stands among, its conversation for a message, minus that for a note, 0 for what stands alone;
    `place` there, and when it was told (`told_ms`), which of a note is not when it happened (`at_ms`).
    """

    kind: NDArray[np.uint8]
    key: NDArray[np.int64]
    conversation: NDArray[np.int64]
    seq: NDArray[np.int64]
    thread: NDArray[np.int64]
    place: NDArray[np.int64]
    told_ms: NDArray[np.int64]
    speaker: NDArray[np.int32]
    at_ms: NDArray[np.int64]
    length: NDArray[np.float32]
    active: NDArray[np.bool_]
    seen: NDArray[np.bool_]
    asks: NDArray[np.bool_]
    replies: NDArray[np.bool_]  # an assistant said it
    prev: NDArray[np.int32]
    next: NDArray[np.int32]

    def __init__(self, capacity: int = 256) -> None:
        self.count = 1
        self.capacity = capacity
        for name, dtype in _COLUMNS.items():
            setattr(self, name, np.zeros(capacity, dtype=dtype))
        self._threads: dict[int, tuple[list[int], list[int]]] = {}  # thread -> (places, rows), by place
        self._reach: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        self._norm: NDArray[np.float32] | None = None
        self._shares: NDArray[np.float32] | None = None
        self._norm_within: tuple[NDArray[np.bool_], NDArray[np.float32]] | None = None  # among which rows

    def reserve(self, extra: int) -> None:
        """Make room for `extra` more rows, doubling so that appending stays amortised."""
        needed = self.count + extra
        if needed <= self.capacity:
            return
        self.capacity = max(needed, 2 * self.capacity)
        for name, dtype in _COLUMNS.items():
            grown = np.zeros(self.capacity, dtype=dtype)
            grown[: self.count] = getattr(self, name)[: self.count]
            setattr(self, name, grown)

    def append(self, **values: Any) -> int:
        """Add one active row and return its number; neighbours are joined by `join`."""
        self.reserve(1)
        row = self.count
        for name, value in values.items():
            getattr(self, name)[row] = value
        self.active[row] = True
        self.count += 1
        self._forget_lengths()
        return row

    def join(self, row: int) -> None:
        """Take a row into its thread, between those before and after it; what stands alone stays so."""
        thread, place = int(self.thread[row]), int(self.place[row])
        if not thread:
            return
        places, rows = self._threads.setdefault(thread, ([], []))
        at = len(places) if not places or place > places[-1] else bisect_left(places, place)
        places.insert(at, place)
        rows.insert(at, row)
        self._forget_lengths()
        if at:
            self._pair(rows[at - 1], row)
        if at + 1 < len(rows):
            self._pair(row, rows[at + 1])

    def drop(self, row: int) -> None:
        """Deactivate a row; those around it become neighbours."""
        self.active[row] = False
        self.seen[row] = False
        self._forget_lengths()
        self.leave(row)

    def leave(self, row: int) -> None:
        """Take a row out of its thread; those around it become neighbours."""
        thread = int(self.thread[row])
        if not thread:
            return
        places, rows = self._threads[thread]
        at = rows.index(row, bisect_left(places, int(self.place[row])))
        before = rows[at - 1] if at else 0
        after = rows[at + 1] if at + 1 < len(rows) else 0
        del places[at], rows[at]
        if not rows:
            del self._threads[thread]
        self.thread[row] = self.prev[row] = self.next[row] = 0
        self._forget_lengths()
        if before:
            self.next[before] = 0
        if after:
            self.prev[after] = 0
        if before and after:
            self._pair(before, after)

    def join_all(self) -> None:
        """Rebuild all neighbourhoods from the columns: what `join` per row would have given."""
        live = np.flatnonzero(self.active[: self.count] & (self.thread[: self.count] != 0)).astype(np.int32)
        order = live[np.lexsort((live, self.place[live], self.thread[live]))]
        self.prev[: self.count] = self.next[: self.count] = 0
        self._threads = {}
        self._forget_lengths()
        if not len(order):
            return
        a, b = order[:-1], order[1:]
        same = self.thread[a] == self.thread[b]
        near = same & (np.abs(self.told_ms[b] - self.told_ms[a]) <= SESSION_GAP_MS)
        self.next[a[near]] = b[near]
        self.prev[b[near]] = a[near]
        starts = np.append(0, np.flatnonzero(~same) + 1)
        for part in np.split(order, starts[1:]):
            self._threads[int(self.thread[part[0]])] = (self.place[part].tolist(), part.tolist())

    def taken(self, live: NDArray[np.int64]) -> Rows:
        """A copy with only these rows, numbered from 1 in the given order, neighbours joined."""
        copy = Rows(capacity=max(256, len(live) + len(live) // 4 + 1))
        copy.count = len(live) + 1
        for name in _COLUMNS:
            getattr(copy, name)[1 : copy.count] = getattr(self, name)[live]
        copy.join_all()
        return copy

    @property
    def stand_alone(self) -> bool:
        """Whether nothing stands beside anything: there are notes alone."""
        return not self._threads

    def occurrences(self, rows: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Which rows hold a term, given its own rows once per occurrence, and how often.

        Occurrences in neighbouring turns count by `NEIGHBOUR_WEIGHTS`. Returns (rows, counts), row 0 left out.
        """
        before, after = rows, rows
        share = self.share()
        own = share[rows]
        touched = [rows]
        weights = [np.ones(len(rows), dtype=np.float32)]
        for weight in NEIGHBOUR_WEIGHTS:
            before, after = self.prev[before], self.next[after]
            touched += [before, after]
            lent = np.float32(weight) * own
            weights += [lent * share[before], lent * share[after]]
        counts = np.bincount(np.concatenate(touched), weights=np.concatenate(weights), minlength=self.count)
        counts[self.length[: self.count] <= 0] = 0  # what has no words left says nothing by those beside it; nor row 0
        held = np.flatnonzero(counts > 0)  # of booleans: ten times faster than of floats
        return held, counts[held].astype(np.float32)

    def norm(self, visible: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """`relevance_scoring.length_norm` of every row, among all or among these; cached, for the last `visible` it was
        asked.

        `visible`: by row; an array that is never written to, so that it may be known again.
        """
        if visible is not None:
            if self._norm_within is None or self._norm_within[0] is not visible:
                self._norm_within = (visible, length_norm(*self.reach(visible)))
            return self._norm_within[1]
        known = self._reach
        if known is None or self._norm is None:
            known = self.reach()
            self._norm = length_norm(*known)
        return self._norm

    def reach(self, visible: NDArray[np.bool_] | None = None) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(length with weighted neighbours, its mean over rows of the same kind), both per row; cached.

        With `visible`, the means are those of these rows, as if there were no others.
        """
        if visible is not None:
            reach, _ = self.reach()
            return reach, self._means(reach, visible)
        if self._reach is None:
            n = self.count
            own = np.where(self.active[:n], self.length[:n], np.float32(0))
            share = self.share()
            reach = own.copy()
            lent = share * own
            everything = np.arange(n, dtype=np.int32)
            before, after = everything, everything
            for weight in NEIGHBOUR_WEIGHTS:
                before, after = self.prev[before], self.next[after]
                reach += np.float32(weight) * share * (lent[before] + lent[after])
            self._reach = (reach, self._means(reach, self.active[:n]))
        return self._reach

    def share(self) -> NDArray[np.float32]:
        """`passage_weights.turn_share` of every row: how far it is read with those beside it; cached."""
        if self._shares is None:
            self._shares = turn_share(self.length[: self.count])
        return self._shares

    def _forget_lengths(self) -> None:
        self._shares = self._reach = self._norm = self._norm_within = None

    def _means(self, reach: NDArray[np.float32], among: NDArray[np.bool_]) -> NDArray[np.float32]:
        mean = np.ones(self.count, dtype=np.float32)
        for code in KIND_CODES.values():
            of_kind = among & (self.kind[: self.count] == code)
            if of_kind.any():
                mean[of_kind] = reach[of_kind].mean(dtype=np.float64)
        return mean

    def _pair(self, a: int, b: int) -> None:
        near = abs(int(self.told_ms[b]) - int(self.told_ms[a])) <= SESSION_GAP_MS
        self.next[a] = b if near else 0
        self.prev[b] = a if near else 0


class Source(NamedTuple):
    """The first message that a note was made of: its conversation, its number there, and when it was told."""

    conversation: int
    seq: int
    told_ms: int


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Many rows as parallel arrays, for `load`. Row i's terms are `terms[offsets[i]:offsets[i + 1]]`.

    `vectors` is (n, dimension) with the mean of a row's vectors as `set_vectors` makes it, or None; `seen` says which
    rows have one. `conversations` holds the home of a note (`core.schema.audience.column_home`), `homes` those of the
    notes that have several. `sources`: by row, what each note was made of first; None for every other.
    """

    kinds: NDArray[np.uint8]  # KIND_CODES
    keys: NDArray[np.int64]
    conversations: NDArray[np.int64]
    seqs: NDArray[np.int64]
    speakers: Sequence[str]
    at_ms: NDArray[np.int64]
    terms: Terms
    offsets: NDArray[np.int64]
    vectors: NDArray[np.float32] | None = None
    seen: NDArray[np.bool_] | None = None
    homes: Mapping[int, frozenset[int]] = field(default_factory=dict)
    sources: Sequence[Source | None] = ()
    replies: NDArray[np.bool_] | None = None  # what an assistant said; None: nothing


def mean_vector(*vectors: Vector) -> Vector:
    """The mean of an item's vectors, not renormalised: cosines to it are means of cosines."""
    total = np.array(vectors[0], dtype=np.float32)
    for vector in vectors[1:]:
        total += vector
    total /= np.float32(len(vectors))
    return total
