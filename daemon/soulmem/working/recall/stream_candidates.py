"""Stream candidates: the notes that a recall of the memory stream weighs: the nearest, the latest, the last retrieved.

Called by `working/recall/stream_recall`, within one read of the file. What a client left out is never weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.reranking import stream_ranking
from soulmem.core.reranking.filter_expressions import Subject
from soulmem.core.reranking.stream_ranking import Components, StreamWish
from soulmem.core.schema import two_part_vectors
from soulmem.core.schema.audience import Audience
from soulmem.core.search import relevance_scoring
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.search.relevance_scoring import Question
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import FloatVector
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.index import fts, vectors
from soulmem.store.notes import note_index_rows
from soulmem.store.recalls import stream_rows as streams
from soulmem.store.recalls.stream_rows import Entry
from soulmem.store.sqlite.driver import Connection
from soulmem.working.recall.recall_request import RecallRequest

READ = 2_000  # characters of a query that are looked at
_TERMS = 64  # of a query that are counted, where words must say what is relevant
_FIRST_REACH = 8  # pools that are looked through, if only some notes pass; then as many as vec0 can tell
_FARTHEST = vectors.VEC0_MOST
_RETURNS = 500  # of recent recalls that are looked through for what was retrieved last


@dataclass(frozen=True, slots=True)
class StreamSearch:
    """One search, once the query has been read and embedded."""

    wanted: RecallRequest
    wish: StreamWish
    vector: FloatVector | None
    fingerprint: str
    decay: float
    now: int
    now_exp: int

    @property
    def size(self) -> int:
        return stream_ranking.pool_size(self.wanted.k)

    @property
    def reaches(self) -> tuple[int, ...]:
        """How far to look for candidates, in steps: if all pass, the pool is what is nearest."""
        wanted = self.wanted
        given = (wanted.kinds, wanted.speaker, wanted.from_ms, wanted.to_ms, self.wish.filter, wanted.having)
        is_narrow = bool(wanted.tags or wanted.exclude) or any(each is not None for each in given)
        return (min(_FIRST_REACH * self.size, _FARTHEST), _FARTHEST) if is_narrow else (self.size,)


@dataclass(frozen=True, slots=True)
class Found:
    """Notes that may fit a query: the nearest with their cosines, and those that share words with it, best first."""

    near: dict[int, float]
    worded: list[int]


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The candidates; `is_enough` unless looking farther could bring others."""

    candidates: list[tuple[int, Components]]
    is_enough: bool


def from_memory(
    index: SearchIndex | None, vector: FloatVector | None, words: Question, reach: int, audience: Audience | None
) -> Found | None:
    """What is near and what shares words, from memory; None if the mind is not in memory."""
    if index is None:
        return None
    kinds = frozenset({ItemKind.NOTE})
    near = index.nearest(vector, reach, kinds, audience) if vector is not None else []
    worded = index.search(Query(words, k=reach, kinds=kinds, audience=audience))
    return Found({hit.key: hit.score for hit in near}, [hit.key for hit in worded])


def _on_disk(connection: Connection, asked: StreamSearch, reach: int) -> Found:
    near: dict[int, float] = {}
    scope = Scope(asked.wanted.audience)
    if asked.vector is not None:
        near = dict(vectors.nearest_within(connection, asked.fingerprint, asked.vector, reach, scope, kind="note"))
    worded = fts.find(connection, "note", asked.wanted.query[:READ], reach, scope)
    return Found(near, [note for note, _ in worded])


def pool_of(connection: Connection, asked: StreamSearch, reach: int, held: Found | None) -> CandidatePool:
    """Of the notes that pass, the most relevant and the most recent."""
    found = held or _on_disk(connection, asked, reach)
    near = found.near
    fitting = near if asked.vector is not None else dict.fromkeys(found.worded)
    # A filter may look at what is only known once a note is weighed: then more than fill the pool are weighed.
    most = stream_ranking.MOST_RECENT if asked.wish.filter is None else None
    scope = Scope(asked.wanted.audience)
    latest = list(streams.newest(connection, max(reach, stream_ranking.MOST_RECENT), scope))
    returned = streams.of_ids(connection, streams.last_returned(connection, _RETURNS, scope), scope)
    entries = _fitting(asked.wanted, streams.of_ids(connection, list(dict.fromkeys([*near, *found.worded])), scope))
    entries |= _fitting(asked.wanted, returned, most) | _fitting(asked.wanted, latest, most)
    passing = _passing(connection, asked, list(entries.values()), near)
    relevant = sorted(passing, key=lambda each: (-each[1].relevance, -each[0].id))[: asked.size]
    recent = sorted(passing, key=lambda each: (-each[0].touched_exp, -each[0].id))[: stream_ranking.MOST_RECENT]
    by_number = {entry.id for entry in latest}
    is_all = len(latest) < reach
    is_enough = sum(entry.id in fitting for entry, _ in passing) >= asked.size and (
        sum(entry.id in by_number for entry, _ in passing) >= stream_ranking.MOST_RECENT
    )
    return CandidatePool(list({entry.id: parts for entry, parts in relevant + recent}.items()), is_all or is_enough)


def _fitting(wanted: RecallRequest, entries: Sequence[Entry], most: int | None = None) -> dict[int, Entry]:
    """The first of these notes that the client did not leave out."""
    return dict(islice(((entry.id, entry) for entry in entries if _fits(wanted, entry)), most))


def _passing(
    connection: Connection, asked: StreamSearch, entries: Sequence[Entry], near: dict[int, float]
) -> list[tuple[Entry, Components]]:
    found = []
    for entry, fit in zip(entries, _relevance(connection, asked, entries, near), strict=True):
        recency = stream_ranking.recency(entry.touched_exp, asked.now_exp, asked.decay)
        if asked.wish.filter is None or asked.wish.filter(
            Subject(
                relevance=fit,
                recency=recency,
                importance=entry.importance,
                valence=entry.valence,
                age_days=(asked.now - entry.at) / DAY_MS,
                kind=entry.kind,
                tags=entry.tags,
            )
        ):
            found.append((entry, Components(recency, entry.importance, stream_ranking.nearness(fit))))
    return found


def _fits(wanted: RecallRequest, entry: Entry) -> bool:
    if wanted.kinds is not None and "note" not in wanted.kinds and entry.kind not in wanted.kinds:
        return False
    if wanted.speaker is not None and relevance_scoring.speaker_key(wanted.speaker) != relevance_scoring.speaker_key(
        entry.speaker
    ):
        return False
    if wanted.from_ms is not None and entry.at < wanted.from_ms:
        return False
    if wanted.to_ms is not None and entry.at >= wanted.to_ms:
        return False
    return wanted.tags <= entry.tags and wanted.admits(ItemKind.NOTE, entry.id)


def _relevance(
    connection: Connection, asked: StreamSearch, entries: Sequence[Entry], near: dict[int, float]
) -> list[float]:
    """The cosine of each note to the query; of one without a vector, what its words say."""
    cosines = dict(near)
    rest = [entry.id for entry in entries if entry.id not in near] if asked.vector is not None else []
    for first in range(0, len(rest), vectors.FEW_ITEMS):
        some = {("note", note): at for at, note in enumerate(rest[first : first + vectors.FEW_ITEMS])}
        matrix, seen = vectors.means(connection, asked.fingerprint, some)
        if matrix is not None and seen is not None and asked.vector is not None:
            found = two_part_vectors.cosines(
                matrix, asked.vector[None, :], two_part_vectors.shared_from(asked.fingerprint)
            )[:, 0]
            cosines |= {note: round(float(found[at]), 6) for (_, note), at in some.items() if seen[at]}
    if all(entry.id in cosines for entry in entries):
        return [cosines[entry.id] for entry in entries]
    worth = _worth(connection, asked.wanted.query[:READ], Scope(asked.wanted.audience))
    return [
        cosines[entry.id]
        if entry.id in cosines
        else stream_ranking.shared_words(worth, frozenset(np.frombuffer(entry.terms, dtype=np.uint32).tolist()))
        for entry in entries
    ]


def _worth(connection: Connection, query: str, scope: Scope) -> dict[int, float]:
    """What each term of a query says: the rarer among the notes that may be seen, the more."""
    terms = tokens.query_terms(query)[:_TERMS]
    count = note_index_rows.count(connection, scope)
    spread = fts.spread(connection, "note", terms, scope)
    weights = [relevance_scoring.PAIR_WEIGHT if tokens.is_cjk_pair(term) else 1.0 for term in terms]
    worth = [weight * relevance_scoring.idf(count, found) for weight, found in zip(weights, spread, strict=True)]
    return dict(zip(tokens.term_hashes(terms).tolist(), worth, strict=True))
