"""The in-memory index of a mind in use: notes and raw messages, by words and by vectors, for tier-0 recall.

Owns the rows, their postings and their vector matrix, and answers one search in a few milliseconds without
touching the disk. The mind builds it from the store when it opens (`load`), keeps it in step with every
commit (`add`, `set_vectors`, `replace_terms`, `remove`) and asks it (`search`, `nearest`). Invariant: its
answers depend on what it holds, not on the order in which that came in; SQLite stays the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from soulmem.core import ranking
from soulmem.core.homes import Homes
from soulmem.core.postings import Postings, Terms
from soulmem.core.ranking import Evidence, Question
from soulmem.core.rows import KIND_CODES, KINDS, ItemKind, Rows
from soulmem.core.scope import COMMON, Audience
from soulmem.core.tokens import ASKING

Vector = NDArray[np.float32]

ItemRef = tuple[ItemKind, int]


@dataclass(frozen=True, slots=True)
class Query:
    """One search. Everything but `question`, `vector` and `k` is a hard filter, applied before ranking.

    `from_ms` is inclusive, `to_ms` exclusive (UTC milliseconds of `at`). `before` = (conversation, seq) leaves
    out that message and later ones of the same conversation: a message must not recall itself. `notes`: of the notes
    only these. With `audience` (`core.scope`) only what has its homes there exists: nothing else is found, and nothing
    else weighs.
    """

    question: Question
    vector: Vector | None = None
    k: int = 10
    kinds: frozenset[ItemKind] | None = None
    speaker: str | None = None
    conversation: int | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    before: tuple[int, int] | None = None
    exclude: frozenset[ItemRef] = frozenset()
    notes: NDArray[np.int64] | None = None
    audience: Audience | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer. `score` 0..1: its share of the evidence asked for, times how well the best candidate fits
    at all (so an unanswerable question scores low); `channels`: that evidence (lexical, dense, speaker,
    time), each 0..1, for `explain`; `tier`: what brought it up.
    """

    kind: ItemKind
    key: int
    score: float
    channels: dict[str, float] = field(default_factory=dict)
    tier: str = "vector"


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Many rows as parallel arrays, for `load`. Row i's terms are `terms[offsets[i]:offsets[i + 1]]`.

    `vectors` is (n, dimension) with the mean of a row's vectors as `set_vectors` makes it, or None;
    `seen` says which rows have one. `conversations` holds the home of a note (`core.scope.column_home`), `homes`
    those of the notes that have several.
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


class SearchIndex:
    """Notes and messages of one mind, searchable by words, vectors, speaker and time. Not thread-safe."""

    def __init__(self, dimension: int = 0) -> None:
        self._rows = Rows()
        self._postings = Postings()
        self._row_of: tuple[dict[int, int], ...] = tuple({} for _ in KINDS)  # by kind code: key -> row
        self._speaker_ids: dict[str, int] = {"": 0}
        self._homes = Homes()
        self._vectors = np.zeros((self._rows.capacity if dimension else 0, dimension), dtype=np.float32)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def row_count(self) -> int:
        return sum(map(len, self._row_of))

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
        times = self._rows.at_ms[: self._rows.count][self._visible(audience)]
        return int(times.max()) if len(times) else None

    def homes_of(self, note: int) -> frozenset[int]:
        """The conversations that a note was heard in; empty for a common one, or one that is not here."""
        row = self._row_of[KIND_CODES[ItemKind.NOTE]].get(note)
        return self._homes.of(note, COMMON if row is None else int(self._rows.conversation[row]))

    @property
    def memory_bytes(self) -> int:
        keys = 100 * self.row_count
        return self._rows.memory_bytes + self._postings.memory_bytes + self._vectors.nbytes + keys

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
    ) -> None:
        """Add one note or message; one with the same kind and key is replaced, its vectors dropped.

        `conversation` is that of a message or summary, `homes` those that a note was heard in.
        `terms` is `tokens.text_hashes(text)`, without the speaker's name; `ASKING` stands last in it or nowhere.
        """
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
        )
        if kind is ItemKind.MESSAGE:
            self._rows.join(row)
        self._row_of[code][key] = row
        self._postings.append(row, terms)

    def load(self, batch: RowBatch) -> None:
        """Add many new rows at once; keys already held, or twice in the batch, must not occur."""
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
        asking = np.flatnonzero(batch.terms == ASKING)
        rows.asks[first + np.searchsorted(batch.offsets, asking, side="right") - 1] = True
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
            self._vectors[first:last] = np.where(seen[:, None], batch.vectors, np.float32(0))
            rows.seen[first:last] = seen

    def set_vectors(self, kind: ItemKind, key: int, *vectors: Vector) -> None:
        """Give an item its vectors (of itself, of itself with its neighbours); their mean is what is compared.

        The mean of cosines is the cosine to the mean, so one row of the matrix serves both. An unknown
        item is ignored: it was removed while its vectors were being computed.
        """
        row = self._row_of[KIND_CODES[kind]].get(key)
        if row is None or not vectors:
            return
        self._make_room(len(vectors[0]))
        self._vectors[row] = mean_vector(*vectors)
        self._rows.seen[row] = True

    def replace_terms(self, kind: ItemKind, key: int, terms: Terms) -> None:
        """Give an item other words; place, speaker, time and vectors stay."""
        code = KIND_CODES[kind]
        row = self._row_of[code].get(key)
        if row is None:
            return
        rows = self._rows
        speaker = next(name for name, number in self._speaker_ids.items() if number == rows.speaker[row])
        seen = bool(rows.seen[row])
        self.add(
            kind,
            key,
            conversation=int(rows.conversation[row]),
            seq=int(rows.seq[row]),
            speaker=speaker,
            at_ms=int(rows.at_ms[row]),
            terms=terms,
            homes=self.homes_of(key) if kind is ItemKind.NOTE else frozenset(),
        )
        if seen:
            moved = self._row_of[code][key]
            self._make_room(self._vectors.shape[1])
            self._vectors[moved] = self._vectors[row]
            rows.seen[moved] = True

    def place(self, kind: ItemKind, key: int, *, speaker: str, at_ms: int) -> None:
        """Give an item another speaker and time; one that is not here is ignored."""
        row = self._row_of[KIND_CODES[kind]].get(key)
        if row is not None:
            self._rows.speaker[row] = self._speaker_id(speaker)
            self._rows.at_ms[row] = at_ms

    def remove(self, kind: ItemKind, key: int) -> bool:
        """Take an item out; False if it was not there. Its slot is given back by `compact`."""
        row = self._row_of[KIND_CODES[kind]].pop(key, None)
        if row is None:
            return False
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
        self._rows.conversation[row] = self._homes.put(note, homes)

    def compact(self) -> None:
        """Give back the slots of removed rows and sort the postings; tens of milliseconds per 10 k rows."""
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

    # -- questions ----------------------------------------------------------------------------------------

    def search(self, query: Query) -> list[Hit]:
        """The k best items, best first; items without any lexical or dense evidence are not returned."""
        visible = self._visible(query.audience)
        allowed = self._allowed(query) & visible
        rows = np.flatnonzero(allowed).astype(np.int32)
        if not len(rows) or query.k <= 0:
            return []
        if query.notes is not None:  # how rare a word is among others says nothing of which of these is meant
            visible = visible & self._among(query.notes, slice(self._rows.count))
        is_whole = query.audience is None and query.notes is None
        lexical, coverage = self._lexical(query.question, None if is_whole else visible)
        lexical = ranking.share_of_best(lexical[rows])
        dense, cosine, seen = self._dense(query.vector, rows)
        evidence = Evidence(
            lexical=lexical,
            dense=dense,
            seen=seen,
            named=self._named(query.question, rows),
            timely=self._timely(query.question, rows),
            asks=self._rows.asks[rows],
        )
        speaks = lexical > 0 if dense is None else (lexical > 0) | (seen & (dense > 0))
        total = np.where(speaks, ranking.fuse(evidence), np.float32(0))
        strength = max(coverage, cosine)
        return [
            self._hit(int(rows[place]), strength * float(total[place]), _channels(evidence, place))
            for place in self._best(total, rows, query.k)
        ]

    def admits(self, query: Query, kind: ItemKind, keys: Iterable[int]) -> list[int]:
        """Of these items those that the filters of a query let through, whatever speaks for them."""
        held = self._row_of[KIND_CODES[kind]]
        rows = {row: key for key in keys if (row := held.get(key)) is not None}
        allowed = self._allowed(query, np.fromiter(rows, dtype=np.int64, count=len(rows)))
        return [key for key, lets in zip(rows.values(), allowed.tolist(), strict=True) if lets]

    def cosines(self, vector: Vector, kind: ItemKind, keys: Iterable[int]) -> dict[int, float]:
        """The cosine of each of these items to a unit vector; 0 for one that has none."""
        held = self._row_of[KIND_CODES[kind]]
        rows = {key: held[key] for key in keys if key in held}
        places = np.fromiter(rows.values(), dtype=np.int64, count=len(rows))
        if not self._vectors.shape[1] or not len(places):
            return dict.fromkeys(rows, 0.0)
        found = np.where(self._rows.seen[places], self._vectors[places] @ vector, np.float32(0))
        return dict(zip(rows, found.tolist(), strict=True))

    def nearest(
        self, vector: Vector, k: int, kinds: frozenset[ItemKind] | None = None, audience: Audience | None = None
    ) -> list[Hit]:
        """The k items nearest to a unit vector by cosine; `score` is the cosine."""
        if not self._vectors.shape[1] or k <= 0:
            return []
        count = self._rows.count
        allowed = self._rows.seen[:count] & self._of_kinds(kinds) & self._visible(audience)
        rows = np.flatnonzero(allowed).astype(np.int32)
        cosines = self._cosines(vector)[rows]
        places = self._best(cosines, rows, k, floor=-2.0)
        return [self._hit(int(rows[p]), float(cosines[p]), {"dense": float(cosines[p])}) for p in places]

    # -- inside -------------------------------------------------------------------------------------------

    def _speaker_id(self, name: str) -> int:
        return self._speaker_ids.setdefault(ranking.speaker_key(name), len(self._speaker_ids))

    def _make_room(self, dimension: int) -> None:
        capacity = self._rows.capacity
        if self._vectors.shape == (capacity, dimension):
            return
        if self._vectors.shape[1] not in {0, dimension}:
            raise ValueError(f"a vector of {dimension} values in an index of {self._vectors.shape[1]}")
        grown = np.zeros((capacity, dimension), dtype=np.float32)
        if self._vectors.shape[1]:
            grown[: len(self._vectors)] = self._vectors
        self._vectors = grown

    def _of_kinds(
        self, kinds: frozenset[ItemKind] | None, which: NDArray[np.int64] | slice | None = None
    ) -> NDArray[np.bool_]:
        rows = self._rows
        which = slice(rows.count) if which is None else which
        active = rows.active[which]
        if kinds is None or len(kinds) == len(KINDS):
            return active.copy()
        asked = np.zeros(len(KINDS), dtype=np.bool_)
        asked[[KIND_CODES[kind] for kind in kinds]] = True
        return active & asked[rows.kind[which]]

    def _visible(self, audience: Audience | None) -> NDArray[np.bool_]:
        """The rows that exist for an audience."""
        return self._homes.visible(audience, self._rows, self._row_of[KIND_CODES[ItemKind.NOTE]])

    def _among(self, notes: NDArray[np.int64], part: slice | NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the rows are of these notes, or of whatever is no note."""
        is_other: NDArray[np.bool_] = self._rows.kind[part] != KIND_CODES[ItemKind.NOTE]
        return is_other | np.isin(self._rows.key[part], notes)

    def _allowed(self, query: Query, which: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Which of these rows, or of all, the filters let through."""
        rows = self._rows
        part = slice(rows.count) if which is None else which
        allowed = self._of_kinds(query.kinds, part)
        if query.conversation is not None:
            allowed &= rows.conversation[part] == query.conversation
        if query.speaker is not None:
            wanted = self._speaker_ids.get(ranking.speaker_key(query.speaker), -1)
            allowed &= rows.speaker[part] == wanted
        if query.from_ms is not None:
            allowed &= rows.at_ms[part] >= query.from_ms
        if query.to_ms is not None:
            allowed &= rows.at_ms[part] < query.to_ms
        if query.before is not None:
            conversation, seq = query.before
            allowed &= ~((rows.conversation[part] == conversation) & (rows.seq[part] >= seq))
        if query.notes is not None:
            allowed &= self._among(query.notes, part)
        shut = [row for kind, key in query.exclude if (row := self._row_of[KIND_CODES[kind]].get(key)) is not None]
        if which is not None:
            allowed &= ~np.isin(which, shut)
        else:
            allowed[shut] = False
        return allowed

    def _lexical(
        self, question: Question, visible: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float32], float]:
        """BM25 of every row, and the best one's share of what a row with every term would have.

        With `visible`, how rare a word is and how long a text is are measured on those rows alone: a score must not
        tell of what is hidden. They are whole conversations, so what stands beside them is visible too.
        """
        rows = self._rows
        count = self.row_count if visible is None else int(np.count_nonzero(visible))
        kept = rows.active[: rows.count] if visible is None else visible
        total = np.zeros(rows.count, dtype=np.float32)
        postings = [self._live(int(term), kept) for term in question.terms]
        found = [_distinct(held) for held in postings]
        worth = [ranking.idf(count, n) * float(w) for n, w in zip(found, question.weights, strict=True)]
        norm = ranking.length_norm(*rows.reach(visible))
        for place in ranking.telling(found, count):
            at, counts = rows.occurrences(postings[place])
            total[at] += np.float32(worth[place]) * ranking.saturated(counts, norm[at])
        total[~kept] = 0
        ideal = (ranking.BM25_K1 + 1) * sum(worth)
        return total, min(1.0, float(total.max()) / ideal) if ideal > 0 else 0.0

    def _live(self, term: int, kept: NDArray[np.bool_]) -> NDArray[np.int32]:
        held = self._postings.rows(term)
        return held[kept[held]]

    def _cosines(self, vector: Vector) -> NDArray[np.float32]:
        self._make_room(self._vectors.shape[1])
        return self._vectors[: self._rows.count] @ vector.astype(np.float32, copy=False)

    def _dense(
        self, vector: Vector | None, rows: NDArray[np.int32]
    ) -> tuple[NDArray[np.float32] | None, float, NDArray[np.bool_]]:
        """(dense evidence, best cosine, which candidates have a vector)."""
        seen = self._rows.seen[rows]
        if vector is None or not self._vectors.shape[1] or not seen.any():
            return None, 0.0, seen
        cosines = self._cosines(vector)[rows]
        dense = np.zeros(len(rows), dtype=np.float32)
        dense[seen] = ranking.above_mean(cosines[seen])
        return dense, min(1.0, max(0.0, float(cosines[seen].max()))), seen

    def _named(self, question: Question, rows: NDArray[np.int32]) -> NDArray[np.float32] | None:
        """1 for messages of a named speaker and for notes that mention one; None if nobody is named."""
        numbers = [self._speaker_ids[name] for name in question.named if self._speaker_ids.get(name)]
        if not numbers and not len(question.name_terms):
            return None
        speakers = self._rows.speaker[: self._rows.count]
        named = np.zeros(self._rows.count, dtype=np.float32)
        for number in numbers:
            named[speakers == number] = 1
        for term in question.name_terms.tolist():
            mentions = self._postings.rows(term)
            named[mentions[self._rows.kind[mentions] == KIND_CODES[ItemKind.NOTE]]] = 1
        return named[rows]

    def _timely(self, question: Question, rows: NDArray[np.int32]) -> NDArray[np.float32] | None:
        """1 for what was told in a period the question names; None if it names none."""
        if not question.periods:
            return None
        at_ms = self._rows.at_ms[rows]
        timely = np.zeros(len(rows), dtype=np.float32)
        for from_ms, to_ms in question.periods:
            timely[(at_ms >= from_ms) & (at_ms < to_ms)] = 1
        return timely

    def _best(self, scores: NDArray[np.float32], rows: NDArray[np.int32], k: int, *, floor: float = 0.0) -> list[int]:
        """Places of the k highest scores above `floor`; ties by kind and key."""
        rounded = np.round(scores, 6)
        candidates = np.flatnonzero(rounded > floor)
        if len(candidates) > k:
            cut = np.partition(rounded[candidates], -k)[-k]
            candidates = candidates[rounded[candidates] >= cut]
        chosen = rows[candidates]
        order = np.lexsort((self._rows.key[chosen], self._rows.kind[chosen], -rounded[candidates]))
        return [int(place) for place in candidates[order[:k]]]

    def _hit(self, row: int, score: float, channels: dict[str, float]) -> Hit:
        return Hit(KINDS[int(self._rows.kind[row])], int(self._rows.key[row]), round(score, 6), channels)


def _distinct(rows: NDArray[np.int32]) -> int:
    """How many different rows an ascending posting has."""
    return int(np.count_nonzero(np.diff(rows))) + 1 if len(rows) else 0


def _channels(evidence: Evidence, place: int) -> dict[str, float]:
    channels = {"lexical": float(evidence.lexical[place])}
    if evidence.dense is not None and evidence.seen[place]:
        channels["dense"] = float(evidence.dense[place])
    if evidence.named is not None:
        channels["speaker"] = float(evidence.named[place])
    if evidence.timely is not None:
        channels["time"] = float(evidence.timely[place])
    return channels


def mean_vector(*vectors: Vector) -> Vector:
    """The mean of an item's vectors, not renormalised: cosines to it are means of cosines."""
    return np.asarray(np.mean(np.stack(vectors), axis=0, dtype=np.float32), dtype=np.float32)
