"""What the in-memory index of a mind holds: rows of notes and messages, their words, their vectors, their homes.

`core.search.memory_index` asks it. The mind fills it from the store when it opens (`load`) and keeps it in step with
every commit (`add`, `set_vectors`, `replace_terms`, `place`, `remove`). Invariant: what it holds does not depend on the
order in which that came in; SQLite stays the truth.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema import two_part_vectors
from soulmem.core.schema.audience import COMMON, Audience
from soulmem.core.search import parallel_cosine, relevance_scoring
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
from soulmem.core.search.visibility import Visibility
from soulmem.core.text.tokens import ASKING


class Held:
    """Notes and messages of one mind. Not thread-safe. `state` rises with every change."""

    def __init__(self, dimension: int = 0, *, shared_from: int = 0) -> None:
        """Args: shared_from: where the part begins that all have (`core.schema.two_part_vectors`); 0: there is one."""
        self.state = 0
        self._shared_from = shared_from
        self._rows = Rows()
        self._postings = Postings()
        self._row_of: tuple[dict[int, int], ...] = tuple({} for _ in KINDS)  # by kind code: key -> row
        self._speaker_ids: dict[str, int] = {"": 0}
        self._homes = Visibility()
        self._newest: tuple[int, Audience | None, int | None] = (-1, None, None)  # in which state, for whom
        self._vectors = np.zeros((self._rows.capacity if dimension else 0, dimension), dtype=np.float32)
        self._shares = np.ones(len(self._vectors), dtype=np.float32)  # of each vector, that part

    @property
    def row_count(self) -> int:
        return sum(map(len, self._row_of))

    @property
    def gap_count(self) -> int:
        """Slots of what was removed or replaced since `compact`."""
        return self._rows.count - 1 - self.row_count

    @property
    def speakers(self) -> frozenset[str]:
        """Every speaker key that was ever added."""
        return frozenset(name for name in self._speaker_ids if name)

    def speakers_within(self, audience: Audience | None) -> frozenset[str]:
        """The speaker keys that this audience knows of."""
        if audience is None:
            return self.speakers
        known = np.zeros(len(self._speaker_ids), dtype=np.bool_)
        known[self._rows.speaker[: self._rows.count][self._visible(audience)]] = True
        return frozenset(name for name, number in self._speaker_ids.items() if name and known[number])

    @property
    def newest_at_ms(self) -> int | None:
        """When the latest item happened: the present in which a question's "last week" is meant."""
        return self.newest_within(None)

    def newest_within(self, audience: Audience | None) -> int | None:
        """When the latest item happened that this audience knows of."""
        state, known_for, newest = self._newest
        if state != self.state or known_for != audience:
            times = self._rows.at_ms[: self._rows.count][self._visible(audience)]
            newest = int(times.max()) if len(times) else None
            self._newest = (self.state, audience, newest)
        return newest

    def homes_of(self, note: int) -> frozenset[int]:
        """The conversations that a note was heard in; empty for a common one, or one that is not here."""
        row = self._row_of[KIND_CODES[ItemKind.NOTE]].get(note)
        return self._homes.of(note, COMMON if row is None else int(self._rows.conversation[row]))

    @property
    def memory_bytes(self) -> int:
        keys = 100 * self.row_count
        return self._rows.memory_bytes + self._postings.memory_bytes + self._vectors.nbytes + keys

    def times_of(self, items: Iterable[ItemRef]) -> list[int | None]:
        """When each of these items was said or happened; None of one that is not here."""
        rows = (self._row_of[KIND_CODES[kind]].get(key) for kind, key in items)
        return [None if row is None else int(self._rows.at_ms[row]) for row in rows]

    def __contains__(self, item: ItemRef) -> bool:
        return item[1] in self._row_of[KIND_CODES[item[0]]]

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
        row = self._rows.append(
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
        self._row_of[code][key] = row
        self._postings.append(row, terms)

    def load(self, batch: RowBatch) -> None:
        """Add many new rows at once; keys already held, or twice in the batch, must not occur."""
        self.state += 1
        count = len(batch.keys)
        rows = self._rows
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
        self._postings.extend(np.repeat(numbers, np.diff(batch.offsets)), batch.terms)
        for code, held in enumerate(self._row_of):
            mine = batch.kinds == code
            held.update(zip(batch.keys[mine].tolist(), numbers[mine].tolist(), strict=True))
        if batch.vectors is not None and batch.vectors.shape[1]:
            self._make_room(batch.vectors.shape[1])
            seen = np.ones(count, dtype=np.bool_) if batch.seen is None else batch.seen
            self._vectors[first:last] = batch.vectors
            if not seen.all():
                self._vectors[first:last][~seen] = 0
            rows.seen[first:last] = seen
            self._share(slice(first, last))

    def set_vectors(self, kind: ItemKind, key: int, *vectors: Vector) -> None:
        """Give an item its vectors (of itself, of itself with its neighbours); their mean is what is compared.

        The mean of cosines is the cosine to the mean, so one row of the matrix serves both. An unknown
        item is ignored: it was removed while its vectors were being computed.
        """
        row = self._row_of[KIND_CODES[kind]].get(key)
        if row is None or not vectors:
            return
        self.state += 1
        self._make_room(len(vectors[0]))
        self._vectors[row] = mean_vector(*vectors)
        self._share(slice(row, row + 1))
        self._rows.seen[row] = True

    def says(self, kind: ItemKind, key: int, terms: Terms) -> bool:
        """Whether an item is held by just these words."""
        row = self._row_of[KIND_CODES[kind]].get(key)
        if row is None or self._rows.length[row] != len(terms):
            return False
        return all(row in self._postings.rows(int(term)) for term in np.unique(terms))

    def replace_terms(self, kind: ItemKind, key: int, terms: Terms) -> None:
        """Give an item other words; place, speaker, time and vectors stay."""
        code = KIND_CODES[kind]
        row = self._row_of[code].get(key)
        if row is None:
            return
        rows = self._rows
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
            self._stand(self._row_of[code][key], *stood)
        if seen:
            self.state += 1
            moved = self._row_of[code][key]
            self._make_room(self._vectors.shape[1])
            self._vectors[moved] = self._vectors[row]
            self._shares[moved] = self._shares[row]
            rows.seen[moved] = True

    def place(self, kind: ItemKind, key: int, *, speaker: str, at_ms: int) -> None:
        """Give an item another speaker and time; one that is not here is ignored."""
        row = self._row_of[KIND_CODES[kind]].get(key)
        if row is not None:
            self.state += 1
            self._rows.speaker[row] = self._speaker_id(speaker)
            self._rows.at_ms[row] = at_ms

    def remove(self, kind: ItemKind, key: int) -> bool:
        """Take an item out; False if it was not there. Its slot is given back by `compact`."""
        row = self._row_of[KIND_CODES[kind]].pop(key, None)
        if row is None:
            return False
        self.state += 1
        self._rows.drop(row)
        self._homes.changed()
        if kind is ItemKind.NOTE:
            self._homes.drop(key)
        return True

    def set_homes(self, note: int, homes: frozenset[int]) -> None:
        """A note is supported from other conversations now; one that is not here is ignored."""
        row = self._row_of[KIND_CODES[ItemKind.NOTE]].get(note)
        if row is None:
            return
        self.state += 1
        rows = self._rows
        rows.conversation[row] = self._homes.put(note, homes)
        if len(homes) != 1 and rows.thread[row]:  # a note that some of a thread's readers may not see stands alone
            rows.leave(row)

    def compact(self) -> None:
        """Give back the slots of removed rows and sort the postings; tens of milliseconds per 10 k rows."""
        self.state += 1
        self._homes.changed()
        old = self._rows
        live = np.flatnonzero(old.active[: old.count])
        new_row = np.zeros(old.count, dtype=np.int32)
        new_row[live] = np.arange(1, len(live) + 1, dtype=np.int32)
        self._rows = old.taken(live)
        self._postings.rebuild(new_row)
        for code, held in enumerate(self._row_of):
            held.update({key: int(new_row[row]) for key, row in self._row_of[code].items()})
        if self._vectors.shape[1]:
            vectors = np.zeros((self._rows.capacity, self._vectors.shape[1]), dtype=np.float32)
            vectors[1 : len(live) + 1] = self._vectors[live]
            self._vectors = vectors
            self._shares = np.ones(len(vectors), dtype=np.float32)
            self._share(slice(1, len(live) + 1))

    # -- inside -------------------------------------------------------------------------------------------

    def _stand(self, row: int, thread: int, place: int, told_ms: int) -> None:
        """Put a row between its neighbours."""
        rows = self._rows
        rows.thread[row], rows.place[row], rows.told_ms[row] = thread, place, told_ms
        rows.join(row)

    def _speaker_id(self, name: str) -> int:
        return self._speaker_ids.setdefault(relevance_scoring.speaker_key(name), len(self._speaker_ids))

    def _make_room(self, dimension: int) -> None:
        capacity = self._rows.capacity
        if self._vectors.shape == (capacity, dimension):
            return
        if self._vectors.shape[1] not in {0, dimension}:
            raise ValueError(f"a vector of {dimension} values in an index of {self._vectors.shape[1]}")
        grown = np.zeros((capacity, dimension), dtype=np.float32)
        if self._vectors.shape[1]:
            grown[: len(self._vectors)] = self._vectors
        wider = np.ones(capacity, dtype=np.float32)
        wider[: len(self._shares)] = self._shares
        self._vectors, self._shares = grown, wider

    def _share(self, rows: slice) -> None:
        """Note of what parts the vectors of these rows are."""
        if self._shared_from:
            self._shares[rows] = two_part_vectors.shares(self._vectors[rows], self._shared_from)

    def _cosines(self, vector: Vector) -> NDArray[np.float32]:
        """The cosine of every row to a unit vector."""
        self._make_room(self._vectors.shape[1])
        held, asked = self._vectors[: self._rows.count], vector.astype(np.float32, copy=False)
        if not self._shared_from:
            return parallel_cosine.cosines(held, asked)
        return two_part_vectors.cosines_to(
            held, self._shares[: self._rows.count], asked, self._shared_from, parallel_cosine.cosines
        )

    def _visible(self, audience: Audience | None) -> NDArray[np.bool_]:
        """The rows that exist for an audience."""
        return self._homes.visible(audience, self._rows, self._row_of[KIND_CODES[ItemKind.NOTE]])


def _among(homes: frozenset[int], source: Source) -> int:
    """The thread of a note: none, if it was heard elsewhere too, for then not everybody knows it who knows the rest."""
    return -source.conversation if homes == {source.conversation} else 0


def _place(source: Source, note: int) -> int:
    return source.seq << 32 | note
