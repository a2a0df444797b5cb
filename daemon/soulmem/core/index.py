"""The in-memory index of a mind in use: notes and raw messages, by words and by vectors, for tier-0 recall.

Answers one search (`search`, `nearest`) over what it holds (`core.held`) in a few milliseconds, without touching the
disk. Invariant: its answers depend on what it holds, not on the order in which that came in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from soulmem.core import ranking
from soulmem.core.held import Held, Vector
from soulmem.core.ranking import Evidence, Question
from soulmem.core.rows import KIND_CODES, KINDS, ItemKind, ItemRef
from soulmem.core.scope import Audience
from soulmem.records import dataclass

Part = slice | NDArray[np.int64]  # some of the rows

_LAST_DECIMAL = 2e-6  # of a score, and a little more


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

    def is_open_to(self, kind: ItemKind) -> bool:
        """Whether no filter keeps any item of a kind out, whatever it is; `audience` is not asked."""
        given = (self.speaker, self.conversation, self.from_ms, self.to_ms, self.before, self.notes)
        return (self.kinds is None or kind in self.kinds) and not self.exclude and all(each is None for each in given)


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
class Worded:
    """A search half done: the rows its filters let through, and all that speaks for them but a vector.

    `coverage`: the share that the best row has of what one with every term would have. True only of the index that made
    it, in the `state` it was in: a mind may be loaded anew meanwhile, and two indexes count alike.
    """

    made_by: SearchIndex
    state: int
    rows: NDArray[np.int64]
    coverage: float
    evidence: Evidence


class SearchIndex(Held):
    """Notes and messages of one mind, searchable by words, vectors, speaker and time. Not thread-safe."""

    def search(self, query: Query, worded: Worded | None = None) -> list[Hit]:
        """The k best items, best first; items without any lexical or dense evidence are not returned.

        Args:
            worded: what `words_of` made of the same query, whatever its vector; made anew if the index has changed.
        """
        if worded is None or worded.made_by is not self or worded.state != self.state:
            worded = self.words_of(query)
        rows = worded.rows
        if not len(rows) or query.k <= 0:
            return []
        dense, cosine = self._dense(query.vector, rows, worded.evidence.seen)
        evidence = replace(worded.evidence, dense=dense)
        speaks = evidence.lexical > 0
        if dense is not None:
            speaks |= evidence.seen & (dense > 0)
        total = np.where(speaks, ranking.fuse(evidence), np.float32(0))
        return self._hits(rows, total, self._best(total, rows, query.k), max(worded.coverage, cosine), evidence)

    def words_of(self, query: Query) -> Worded:
        """What filters and words say to a query: all of a search that can be done before its vector is there."""
        visible = self._visible(query.audience)
        allowed = self._allowed(query) & visible
        rows = np.flatnonzero(allowed)
        if query.notes is not None:  # how rare a word is among others says nothing of which of these is meant
            visible = visible & self._among(query.notes, slice(self._rows.count))
        is_whole = query.audience is None and query.notes is None
        lexical, coverage = np.zeros(self._rows.count, dtype=np.float32), 0.0
        if len(rows):
            lexical, coverage = self._lexical(query.question, None if is_whole else visible)
        part = _run_of(rows)
        evidence = Evidence(
            lexical=ranking.share_of_best(lexical[part]),
            dense=None,
            seen=self._rows.seen[part],
            named=self._named(query.question, part),
            timely=self._timely(query.question, part),
            asks=self._rows.asks[part],
        )
        return Worded(self, self.state, rows, coverage, evidence)

    def admits(self, query: Query, kind: ItemKind, keys: Iterable[int]) -> list[int]:
        """Of these items those that the filters of a query let through, whatever speaks for them."""
        held = self._row_of[KIND_CODES[kind]]
        if query.is_open_to(kind):
            return [key for key in keys if key in held]
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
        rows = np.flatnonzero(allowed)
        cosines = self._cosines(vector)[_run_of(rows)]
        places = self._best(cosines, rows, k, floor=-2.0)
        found = zip(self._refs(rows[places]), cosines[places].tolist(), strict=True)
        return [Hit(kind, key, round(cosine, 6), {"dense": cosine}) for (kind, key), cosine in found]

    # -- inside -------------------------------------------------------------------------------------------

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
        is_all = count == rows.count - 1  # nothing was removed, nothing is hidden
        postings = [self._live(int(term), None if is_all else kept) for term in question.terms]
        found = [_distinct(held) for held in postings]
        worth = [ranking.idf(count, n) * float(w) for n, w in zip(found, question.weights, strict=True)]
        norm = rows.norm() if visible is None else ranking.length_norm(*rows.reach(visible))
        for place in ranking.telling(found, count):
            at, counts = rows.occurrences(postings[place])
            total[at] += np.float32(worth[place]) * ranking.saturated(counts, norm[at])
        if is_all:
            total[0] = 0  # the sentinel
        else:
            total[~kept] = 0
        ideal = (ranking.BM25_K1 + 1) * sum(worth)
        return total, min(1.0, float(total.max()) / ideal) if ideal > 0 else 0.0

    def _live(self, term: int, kept: NDArray[np.bool_] | None) -> NDArray[np.int32]:
        held = self._postings.rows(term)
        return held if kept is None else held[kept[held]]

    def _cosines(self, vector: Vector) -> NDArray[np.float32]:
        self._make_room(self._vectors.shape[1])
        return self._vectors[: self._rows.count] @ vector.astype(np.float32, copy=False)

    def _dense(
        self, vector: Vector | None, rows: NDArray[np.int64], seen: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32] | None, float]:
        """(dense evidence, best cosine); `seen`: which of the rows have a vector."""
        if vector is None or not self._vectors.shape[1] or not seen.any():
            return None, 0.0
        compared = rows if seen.all() else rows[seen]
        cosines = self._cosines(vector)[_run_of(compared)]
        scaled = ranking.above_mean(cosines)
        if len(compared) < len(rows):
            dense = np.zeros(len(rows), dtype=np.float32)
            dense[seen] = scaled
        else:
            dense = scaled
        return dense, min(1.0, max(0.0, float(cosines.max())))

    def _named(self, question: Question, part: Part) -> NDArray[np.float32] | None:
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
        return named[part]

    def _timely(self, question: Question, part: Part) -> NDArray[np.float32] | None:
        """1 for what was told in a period the question names; None if it names none."""
        if not question.periods:
            return None
        at_ms = self._rows.at_ms[part]
        timely = np.zeros(len(at_ms), dtype=np.float32)
        for from_ms, to_ms in question.periods:
            timely[(at_ms >= from_ms) & (at_ms < to_ms)] = 1
        return timely

    def _best(
        self, scores: NDArray[np.float32], rows: NDArray[np.int64], k: int, *, floor: float = 0.0
    ) -> NDArray[np.int64]:
        """Places of the k highest scores above `floor`, to six decimals; ties by kind and key."""
        candidates = np.arange(len(scores))
        if len(scores) > k:
            # Rounding keeps the order, so what rounds to the k-th highest lies within a last decimal of it.
            cut = np.partition(scores, -k)[-k] - np.float32(_LAST_DECIMAL)
            candidates = np.flatnonzero(scores >= cut)
        rounded = np.round(scores[candidates], 6)
        above = rounded > floor
        candidates, rounded = candidates[above], rounded[above]
        chosen = rows[candidates]
        order = np.lexsort((self._rows.key[chosen], self._rows.kind[chosen], -rounded))
        return candidates[order[:k]]

    def _hits(
        self,
        rows: NDArray[np.int64],
        total: NDArray[np.float32],
        places: NDArray[np.int64],
        strength: float,
        evidence: Evidence,
    ) -> list[Hit]:
        """The candidates at these places, each with its score times `strength` and what speaks for it."""
        found = [
            Hit(kind, key, round(strength * score, 6), {"lexical": lexical})
            for (kind, key), score, lexical in zip(
                self._refs(rows[places]), total[places].tolist(), evidence.lexical[places].tolist(), strict=True
            )
        ]
        seen = evidence.seen[places].tolist()
        for name, channel in (("dense", evidence.dense), ("speaker", evidence.named), ("time", evidence.timely)):
            if channel is None:
                continue
            for hit, has_vector, value in zip(found, seen, channel[places].tolist(), strict=True):
                if has_vector or name != "dense":
                    hit.channels[name] = value
        return found

    def _refs(self, rows: NDArray[np.int64]) -> list[ItemRef]:
        kinds, keys = self._rows.kind[rows].tolist(), self._rows.key[rows].tolist()
        return [(KINDS[kind], key) for kind, key in zip(kinds, keys, strict=True)]


def _run_of(rows: NDArray[np.int64]) -> Part:
    """These ascending rows to read columns by: a slice where they follow each other, for then nothing is copied."""
    if len(rows) and int(rows[-1]) - int(rows[0]) + 1 == len(rows):
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def _distinct(rows: NDArray[np.int32]) -> int:
    """How many different rows an ascending posting has."""
    return int(np.count_nonzero(np.diff(rows))) + 1 if len(rows) else 0
