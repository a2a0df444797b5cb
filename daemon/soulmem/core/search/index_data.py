"""What the in-memory index of a mind holds: rows of notes and messages, their words, their vectors, their homes.

The bottom part of `core.search.memory_index`, which hands it to the filters and to what reads words; they read its
columns and never write them. The mind fills it from the store when it opens (`load`) and keeps it in step with
every commit (`add`, `set_vectors`, `replace_terms`, `place`, `remove`). Invariant: what it holds does not depend on the
order in which that came in; SQLite stays the truth.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema.audience import COMMON, Audience
from soulmem.core.search.index_columns import (
    KIND_CODES,
    KINDS,
    ItemKind,
    ItemRef,
    RowBatch,
    Rows,
    Source,
    Vector,
    mean_vector,
)
from soulmem.core.search.postings import Postings, Terms
from soulmem.core.search.relevance_scoring import speaker_key
from soulmem.core.search.vector_matrix import VectorMatrix
from soulmem.core.search.visibility import Visibility
from soulmem.core.text.tokens import ASKING


class IndexData:
    """Notes and messages of one mind. Not thread-safe. `state` rises with every change."""

    def __init__(self, dimension: int = 0, *, shared_from: int = 0) -> None:
        self.state = 0
        self.rows = Rows()
        self.postings = Postings()
        self.row_of: tuple[dict[int, int], ...] = tuple({} for _ in KINDS)  # by kind code: key -> row
        self._speaker_ids: dict[str, int] = {"": 0}
        self._homes = Visibility()
        self._newest: tuple[int, Audience | None, int | None] = (-1, None, None)  # in which state, for whom
        self.vectors = VectorMatrix(dimension, self.rows.capacity, shared_from)

    @property
    def row_count(self) -> int:
        return sum(map(len, self.row_of))

    @property
    def gap_count(self) -> int:
        """Slots of what was removed or replaced since `compact`."""
        return self.rows.count - 1 - self.row_count

    def speaker_number(self, key: str) -> int:
        """What stands for a speaker key in the column; -1 for one that was never added, 0 for nobody."""
        return self._speaker_ids.get(key, -1)

    def speakers_within(self, audience: Audience | None) -> frozenset[str]:
        """The speaker keys that this audience knows of; without one, all that were ever added."""
        if audience is None:
            return frozenset(name for name in self._speaker_ids if name)
        known = np.zeros(len(self._speaker_ids), dtype=np.bool_)
        known[self.rows.speaker[: self.rows.count][self.visible(audience)]] = True
        return frozenset(name for name, number in self._speaker_ids.items() if name and known[number])

    def newest_within(self, audience: Audience | None) -> int | None:
        """When the latest item happened that this audience knows of: the present in which its "last week" is meant."""
        state, known_for, newest = self._newest
        if state != self.state or known_for != audience:
            times = self.rows.at_ms[: self.rows.count][self.visible(audience)]
            newest = int(times.max()) if len(times) else None
            self._newest = (self.state, audience, newest)
        return newest

    def homes_of(self, note: int) -> frozenset[int]:
        """The conversations that a note was heard in; empty for a common one, or one that is not here."""
        row = self.row_of[KIND_CODES[ItemKind.NOTE]].get(note)
        return self._homes.of(note, COMMON if row is None else int(self.rows.conversation[row]))

    def times_of(self, items: Iterable[ItemRef]) -> list[int | None]:
        """When each of these items was said or happened; None of one that is not here."""
        rows = (self.row_of[KIND_CODES[kind]].get(key) for kind, key in items)
        return [None if row is None else int(self.rows.at_ms[row]) for row in rows]

    def __contains__(self, item: ItemRef) -> bool:
        return item[1] in self.row_of[KIND_CODES[item[0]]]

    def add(
        self,
        kind: ItemKind,
        key: int,
        *,
        conversation: int = 0,
        seq: int = 0,
        speaker: str = "",
        at_ms: int = 0,
        terms: Terms,
        homes: frozenset[int] = frozenset(),
        source: Source | None = None,
        replies: bool = False,
    ) -> None:
        """Add one note or message; one with the same kind and key is replaced, its vectors dropped.

        `conversation` is that of a message or summary, `homes` those that a note was heard in, `source` what it was
        made of, `replies` whether an assistant said it.
        `terms` is `tokens.text_hashes(text)`, without the speaker's name; `ASKING` stands last in it or nowhere.
        """
        self.state += 1
        self.remove(kind, key)
        self._homes.changed()
        code = KIND_CODES[kind]
        if kind is ItemKind.NOTE:
            conversation = self._homes.put(key, homes)
        row = self.rows.append(
            kind=code,
            key=key,
            conversation=conversation,
            seq=seq,
            speaker=self._speaker_id(speaker),
            at_ms=at_ms,
            length=len(terms),
            asks=len(terms) > 0 and terms[-1] == ASKING,
            replies=replies,
        )
        match kind:
            case ItemKind.MESSAGE:
                self._stand(row, conversation, seq, at_ms)
            case ItemKind.NOTE if source is not None:
                self._stand(row, _among(homes, source), _place(source, key), source.told_ms)
        self.row_of[code][key] = row
        self.postings.append(row, terms)

    def load(self, batch: RowBatch) -> None:
        """Add many new rows at once; keys already held, or twice in the batch, must not occur."""
        self.state += 1
        count = len(batch.keys)
        rows = self.rows
        rows.reserve(count)
        first, last = rows.count, rows.count + count
        rows.kind[first:last] = batch.kinds
        rows.key[first:last] = batch.keys
        rows.conversation[first:last] = batch.conversations
        rows.seq[first:last] = batch.seqs
        rows.speaker[first:last] = [self._speaker_id(name) for name in batch.speakers]
        rows.at_ms[first:last] = batch.at_ms
        rows.length[first:last] = np.diff(batch.offsets)
        rows.active[first:last] = True
        if batch.replies is not None:
            rows.replies[first:last] = batch.replies
        asking = np.flatnonzero(batch.terms == ASKING)
        rows.asks[first + np.searchsorted(batch.offsets, asking, side="right") - 1] = True
        messages = np.flatnonzero(batch.kinds == KIND_CODES[ItemKind.MESSAGE])
        rows.thread[first + messages] = batch.conversations[messages]
        rows.place[first + messages] = batch.seqs[messages]
        rows.told_ms[first + messages] = batch.at_ms[messages]
        for number, source in enumerate(batch.sources):
            if source is not None:
                note = int(batch.keys[number])
                homes = batch.homes.get(note, frozenset({int(batch.conversations[number])}))
                rows.thread[first + number] = _among(homes, source)
                rows.place[first + number], rows.told_ms[first + number] = _place(source, note), source.told_ms
        rows.count = last
        rows.join_all()
        self._homes.put_all(batch.homes)
        numbers = np.arange(first, last, dtype=np.int32)
        self.postings.extend(np.repeat(numbers, np.diff(batch.offsets)), batch.terms)
        for code, held in enumerate(self.row_of):
            mine = batch.kinds == code
            held.update(zip(batch.keys[mine].tolist(), numbers[mine].tolist(), strict=True))
        if batch.vectors is not None and batch.vectors.shape[1]:
            self.vectors.grow(rows.capacity, batch.vectors.shape[1])
            seen = np.ones(count, dtype=np.bool_) if batch.seen is None else batch.seen
            self.vectors.put(slice(first, last), batch.vectors, seen)
            rows.seen[first:last] = seen

    def set_vectors(self, kind: ItemKind, key: int, *vectors: Vector) -> None:
        """Give an item its vectors (of itself, of itself with its neighbours); their mean is what is compared.

        The mean of cosines is the cosine to the mean, so one row of the matrix serves both. An unknown
        item is ignored: it was removed while its vectors were being computed.
        """
        row = self.row_of[KIND_CODES[kind]].get(key)
        if row is None or not vectors:
            return
        self.state += 1
        self.vectors.grow(self.rows.capacity, len(vectors[0]))
        self.vectors.put(slice(row, row + 1), mean_vector(*vectors))
        self.rows.seen[row] = True

    def says(self, kind: ItemKind, key: int, terms: Terms) -> bool:
        """Whether an item is held by just these words."""
        row = self.row_of[KIND_CODES[kind]].get(key)
        if row is None or self.rows.length[row] != len(terms):
            return False
        return all(row in self.postings.rows(int(term)) for term in np.unique(terms))

    def replace_terms(self, kind: ItemKind, key: int, terms: Terms) -> None:
        """Give an item other words; place, speaker, time and vectors stay."""
        code = KIND_CODES[kind]
        row = self.row_of[code].get(key)
        if row is None:
            return
        rows = self.rows
        speaker = next(name for name, number in self._speaker_ids.items() if number == rows.speaker[row])
        seen = bool(rows.seen[row])
        stood = int(rows.thread[row]), int(rows.place[row]), int(rows.told_ms[row])
        self.add(
            kind,
            key,
            conversation=int(rows.conversation[row]),
            seq=int(rows.seq[row]),
            speaker=speaker,
            at_ms=int(rows.at_ms[row]),
            terms=terms,
            homes=self.homes_of(key) if kind is ItemKind.NOTE else frozenset(),
            replies=bool(rows.replies[row]),
        )
        if kind is ItemKind.NOTE:
            self._stand(self.row_of[code][key], *stood)
        if seen:
            self.state += 1
            moved = self.row_of[code][key]
            self.vectors.grow(rows.capacity, self.vectors.dimension)
            self.vectors.copy(row, moved)
            rows.seen[moved] = True

    def place(self, kind: ItemKind, key: int, *, speaker: str, at_ms: int) -> None:
        """Give an item another speaker and time; one that is not here is ignored."""
        row = self.row_of[KIND_CODES[kind]].get(key)
        if row is not None:
            self.state += 1
            self.rows.speaker[row] = self._speaker_id(speaker)
            self.rows.at_ms[row] = at_ms

    def remove(self, kind: ItemKind, key: int) -> bool:
        """Take an item out; False if it was not there. Its slot is given back by `compact`."""
        row = self.row_of[KIND_CODES[kind]].pop(key, None)
        if row is None:
            return False
        self.state += 1
        self.rows.drop(row)
        self._homes.changed()
        if kind is ItemKind.NOTE:
            self._homes.drop(key)
        return True

    def remove_all(self, kind: ItemKind, keys: Iterable[int]) -> None:
        """Take items out, as far as they are there."""
        for key in keys:
            self.remove(kind, key)

    def set_homes(self, note: int, homes: frozenset[int]) -> None:
        """A note is supported from other conversations now; one that is not here is ignored."""
        row = self.row_of[KIND_CODES[ItemKind.NOTE]].get(note)
        if row is None:
            return
        self.state += 1
        rows = self.rows
        rows.conversation[row] = self._homes.put(note, homes)
        if len(homes) != 1 and rows.thread[row]:  # a note that some of a thread's readers may not see stands alone
            rows.leave(row)

    def compact(self) -> None:
        """Give back the slots of removed rows and sort the postings; tens of milliseconds per 10 k rows."""
        self.state += 1
        self._homes.changed()
        old = self.rows
        live = np.flatnonzero(old.active[: old.count])
        new_row = np.zeros(old.count, dtype=np.int32)
        new_row[live] = np.arange(1, len(live) + 1, dtype=np.int32)
        self.rows = old.taken(live)
        self.postings.rebuild(new_row)
        for code, held in enumerate(self.row_of):
            held.update({key: int(new_row[row]) for key, row in self.row_of[code].items()})
        self.vectors.keep(live, self.rows.capacity)

    def cosines(self, vector: Vector) -> NDArray[np.float32]:
        """The cosine of every row to a unit vector."""
        self.vectors.grow(self.rows.capacity, self.vectors.dimension)
        return self.vectors.cosines(vector, self.rows.count)

    def visible(self, audience: Audience | None) -> NDArray[np.bool_]:
        """The rows that exist for an audience."""
        return self._homes.visible(audience, self.rows, self.row_of[KIND_CODES[ItemKind.NOTE]])

    # -- inside -------------------------------------------------------------------------------------------

    def _stand(self, row: int, thread: int, place: int, told_ms: int) -> None:
        """Put a row between its neighbours."""
        rows = self.rows
        rows.thread[row], rows.place[row], rows.told_ms[row] = thread, place, told_ms
        rows.join(row)

    def _speaker_id(self, name: str) -> int:
        return self._speaker_ids.setdefault(speaker_key(name), len(self._speaker_ids))


def _among(homes: frozenset[int], source: Source) -> int:
    """The thread of a note: none, if it was heard elsewhere too, for then not everybody knows it who knows the rest."""
    return -source.conversation if homes == {source.conversation} else 0


def _place(source: Source, note: int) -> int:
    return source.seq << 32 | note
