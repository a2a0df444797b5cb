"""The memory stream: recall that weighs how recent and how important a note is beside how well it fits.

The view of observations, reflections and plans (algorithms.md §8.1). Gathers the nearest and the latest notes, lets
`core/reranking/stream_ranking` rank them, and shows the answer. Messages and summaries stand in no stream. Recency is
of experienced time; only what is returned counts as retrieved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from typing import Any

import numpy as np

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.questions.question_detection import is_question
from soulmem.core.reranking import stream_ranking
from soulmem.core.reranking.filter_expressions import Subject
from soulmem.core.reranking.stream_ranking import STREAM_TIER, Components, Ranked, StreamWish
from soulmem.core.schema import two_part_vectors
from soulmem.core.schema.audience import Audience
from soulmem.core.search import relevance_scoring, score_calibration
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.core.search.relevance_scoring import Question
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import FloatVector, World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.index import fts, vectors
from soulmem.store.notes import note_index_rows
from soulmem.store.recalls import stream_rows as streams
from soulmem.store.recalls.stream_rows import Entry
from soulmem.store.session.index_building import build_index
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import wire_views
from soulmem.working.recall.answer_check import answered, asking_of
from soulmem.working.recall.disk_search import WHOLE
from soulmem.working.recall.recall_request import NOTHING_KNOWN, RecallRequest, floor_of, legibility
from soulmem.working.runtime.long_texts import aside
from soulmem.working.runtime.query_embedding import embedded
from soulmem.working.validity import told_earlier
from soulmem.working.validity.validity_at_recall import Mark, ValidityCheck, marked_item

_READ = 2_000  # characters of a query that are looked at
_TERMS = 64  # of a query that are counted, where words must say what is relevant
_FIRST_REACH = 8  # pools that are looked through, if only some notes pass; then as many as vec0 can tell
_FARTHEST = vectors.VEC0_MOST
_RETURNS = 500  # of recent recalls that are looked through for what was retrieved last


@dataclass(frozen=True, slots=True)
class Streamed:
    """What a recall of the stream found, best first: its `weights`, calibrated `scores`, `marks` of what is over."""

    ranked: list[Ranked]
    weights: Components
    scores: list[float]
    marks: Mapping[ItemRef, Mark] = field(default_factory=dict)
    below_floor: int = 0

    @property
    def hits(self) -> list[Hit]:
        return [
            Hit(ItemKind.NOTE, each.key, score, _named(each.raw), STREAM_TIER)
            for each, score in zip(self.ranked, self.scores, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Search:
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
class _Found:
    """Notes that may fit a query: the nearest with their cosines, and those that share words with it, best first."""

    near: dict[int, float]
    worded: list[int]


@dataclass(frozen=True, slots=True)
class _Pool:
    """The candidates; `is_enough` unless looking farther could bring others."""

    candidates: list[tuple[int, Components]]
    is_enough: bool


class StreamRecall:
    """Answers recalls of one mind's memory stream."""

    def __init__(self, memory: OpenMind, world: World, settings: Callable[[], MindSettings]) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings

    async def search(self, wanted: RecallRequest) -> Streamed:
        """The notes that come first in the stream for a query; records nothing."""
        await self._memory.index_ready.wait()
        await self._memory.up_to_date()
        index = self._memory.index
        speakers = index.speakers_within(wanted.audience) if index is not None else frozenset[str]()
        text = wanted.query[:_READ]
        question = await aside(text, lambda: relevance_scoring.read_question(text, speakers))
        clock, decay = self._world.clock, self._settings().recall.stream_decay
        vector, now_ms = await embedded(self._world.embedding, question.embed_text), clock.now_ms()
        key, wish = self._memory.fingerprint, wanted.stream or StreamWish()
        asked = _Search(wanted, wish, vector, key, decay, now_ms, self._memory.now(clock.trusted_now_ms()))
        # Only words count where a vector is missing; who is named or when it was has no say in a stream.
        words = replace(question, named=frozenset(), name_terms=tokens.term_hashes(()), periods=())
        pool = _Pool([], is_enough=False)
        for reach in asked.reaches:
            held = self._held(asked.vector, words, reach, wanted.audience)
            pool = await self._memory.database.read(_pool, asked, reach, held)
            if pool.is_enough:
                break
        weights = stream_ranking.WEIGHTS[asked.wish.emphasis]
        ranked = stream_ranking.rank(pool.candidates, weights, wanted.k)
        fits = await self._fits(asked, question, pool, [each.key for each in ranked])
        told = score_calibration.scores([each.score for each in ranked], fits)
        sure = [score for score in told if score >= floor_of(wanted, self._settings().recall.min_score)]  # they fall
        found = Streamed(ranked[: len(sure)], weights, sure, below_floor=len(ranked) - len(sure))
        return await self._marked(found, wanted, asked)

    async def _marked(self, found: Streamed, wanted: RecallRequest, asked: _Search) -> Streamed:
        """The same with a word of what holds no more; as of a day, what held on it comes first. What holds instead
        comes in where words or meaning brought it: the stream is of what was told.
        """
        settling = ValidityCheck(
            wanted.query[:_READ],
            Scope(wanted.audience),
            lambda _connection, _kind, _keys: (),
            self._world.clock.now_ms(),
            as_of=wanted.as_of,
            conversation=wanted.conversation,
            asker=wanted.asker or "",
            vector=asked.vector,
            fingerprint=asked.fingerprint,
        )
        settled = await self._memory.database.read(told_earlier.settled, settling, found.hits)
        found = replace(found, marks=settled.marks)
        if wanted.as_of is None:
            return found
        ranked = {each.key: each for each in found.ranked}
        kept = [hit for hit in settled.hits if hit.kind is ItemKind.NOTE and hit.key in ranked]
        return replace(found, ranked=[ranked[hit.key] for hit in kept], scores=[hit.score for hit in kept])

    async def _fits(self, asked: _Search, question: Question, pool: _Pool, keys: Sequence[int]) -> list[float]:
        """How well each of these notes answers; the first as well as the best of all that were candidates."""
        index = self._memory.index
        legible = legibility(self._world.embedding.embedder.coverage(question.embed_text))
        query = Query(question, asked.vector, audience=asked.wanted.audience, legible=legible)
        wanted = [key for key, _ in pool.candidates]

        def look(connection: Connection) -> dict[int, float]:
            scope = Scope(asked.wanted.audience)
            few = note_index_rows.count(connection, scope) <= WHOLE  # then all, as how rare a word is decides
            rows = note_index_rows.index_rows(connection, None if few else wanted, scope)
            return build_index(connection, asked.fingerprint, [], rows).fits_of(query, ItemKind.NOTE, wanted)

        known = (
            index.fits_of(query, ItemKind.NOTE, wanted) if index is not None else await self._memory.database.read(look)
        )
        best = sorted(known, key=lambda key: (-known[key], key))[: score_calibration.LOOKED_AT]
        asks = asking_of(question, asked.wanted.query[:_READ], asked.wanted.asker or "", asked.wanted.conversation)
        if asks is not None and best and is_question(asked.wanted.query):
            hits = [Hit(ItemKind.NOTE, key, 0.0, fit=known[key]) for key in best]
            known |= {hit.key: hit.fit for hit in (await self._memory.database.read(answered, hits, asks, {}))[0]}
        fits = [known.get(key, 0.0) for key in keys]
        return [max(known.values(), default=0.0), *fits[1:]] if fits else []

    async def answer(
        self, found: Streamed, recall: int | None, warnings: Sequence[str], *, explained: bool
    ) -> dict[str, Any]:
        """What `recall` returns: the notes with their scores, and with `explained` what each score is made of."""
        shown = await self._memory.database.read(
            wire_views.items, found.hits, self._memory.now(self._world.clock.trusted_now_ms())
        )
        items = [
            marked_item(shown[hit.kind.value, hit.key], found.marks.get((hit.kind, hit.key)))
            | {"score": hit.score, "tier": STREAM_TIER}
            | ({"why": _explained(ranked, found.weights)} if explained else {})
            for hit, ranked in zip(found.hits, found.ranked, strict=True)
            if (hit.kind.value, hit.key) in shown
        ]
        number = public_id("r", recall) if recall is not None else None
        result: dict[str, Any] = {"recall_id": number, "items": items, "below_floor": found.below_floor}
        if not items:
            result["reason"] = NOTHING_KNOWN
        if warnings:
            result["warnings"] = list(warnings)
        return result

    def _held(
        self, vector: FloatVector | None, words: Question, reach: int, audience: Audience | None
    ) -> _Found | None:
        """What is near and what shares words, from memory; None if the mind is not in memory."""
        index = self._memory.index
        if index is None:
            return None
        kinds = frozenset({ItemKind.NOTE})
        near = index.nearest(vector, reach, kinds, audience) if vector is not None else []
        worded = index.search(Query(words, k=reach, kinds=kinds, audience=audience))
        return _Found({hit.key: hit.score for hit in near}, [hit.key for hit in worded])


def _on_disk(connection: Connection, asked: _Search, reach: int) -> _Found:
    near: dict[int, float] = {}
    scope = Scope(asked.wanted.audience)
    if asked.vector is not None:
        near = dict(vectors.nearest_within(connection, asked.fingerprint, asked.vector, reach, scope, kind="note"))
    worded = fts.find(connection, "note", asked.wanted.query[:_READ], reach, scope)
    return _Found(near, [note for note, _ in worded])


def _pool(connection: Connection, asked: _Search, reach: int, held: _Found | None) -> _Pool:
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
    return _Pool(list({entry.id: parts for entry, parts in relevant + recent}.items()), is_all or is_enough)


def _fitting(wanted: RecallRequest, entries: Sequence[Entry], most: int | None = None) -> dict[int, Entry]:
    """The first of these notes that the client did not leave out."""
    return dict(islice(((entry.id, entry) for entry in entries if _fits(wanted, entry)), most))


def _passing(
    connection: Connection, asked: _Search, entries: Sequence[Entry], near: dict[int, float]
) -> list[tuple[Entry, Components]]:
    found = []
    for entry, fit in zip(entries, _relevance(connection, asked, entries, near), strict=True):
        recency = stream_ranking.recency(entry.touched_exp, asked.now_exp, asked.decay)
        if asked.wish.filter is None or asked.wish.filter.passes(
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


def _relevance(connection: Connection, asked: _Search, entries: Sequence[Entry], near: dict[int, float]) -> list[float]:
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
    worth = _worth(connection, asked.wanted.query[:_READ], Scope(asked.wanted.audience))
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


def _named(parts: Components) -> dict[str, float]:
    return {"recency": parts.recency, "importance": parts.importance, "relevance": parts.relevance}


def _explained(ranked: Ranked, weights: Components) -> dict[str, Any]:
    return {
        "channels": {name: round(value, 4) for name, value in _named(ranked.raw).items()},
        "scaled": {name: round(value, 4) for name, value in _named(ranked.scaled).items()},
        "weights": _named(weights),
        "mean": round(ranked.score, 6),
    }
