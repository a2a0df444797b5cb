"""The memory stream: recall that weighs how recent and how important a note is beside how well it fits.

The view of observations, reflections and plans (algorithms.md §8.1). Gathers the nearest and the latest notes, lets
`core/reranking/stream_ranking` rank them, and shows the answer. Messages and summaries stand in no stream. Recency is
of experienced time; only what is returned counts as retrieved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from soulmem.core.questions.question_detection import is_question
from soulmem.core.reranking import stream_ranking
from soulmem.core.reranking.stream_ranking import STREAM_TIER, Components, Ranked, StreamWish
from soulmem.core.search import relevance_scoring, score_calibration
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.core.search.relevance_scoring import Question
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes import note_index_rows
from soulmem.store.session.index_building import build_index
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import wire_views
from soulmem.working.recall import stream_candidates
from soulmem.working.recall.answer_check import answered, asking_of
from soulmem.working.recall.disk_search import WHOLE
from soulmem.working.recall.recall_request import NOTHING_KNOWN, RecallRequest, floor_of, legibility
from soulmem.working.recall.stream_candidates import READ, CandidatePool, StreamSearch, from_memory
from soulmem.working.runtime.long_texts import aside, embedded
from soulmem.working.validity import told_earlier
from soulmem.working.validity.validity_at_recall import Mark, ValidityCheck, marked_item


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
        text = wanted.query[:READ]
        question = await aside(text, lambda: relevance_scoring.read_question(text, speakers))
        clock, decay = self._world.clock, self._settings().recall.stream_decay
        vector, now_ms = await embedded(self._world.embedding, question.embed_text), clock.now_ms()
        key, wish = self._memory.fingerprint, wanted.stream or StreamWish()
        asked = StreamSearch(wanted, wish, vector, key, decay, now_ms, self._memory.now(clock.trusted_now_ms()))
        # Only words count where a vector is missing; who is named or when it was has no say in a stream.
        words = replace(question, named=frozenset(), name_terms=tokens.term_hashes(()), periods=())
        pool = CandidatePool([], is_enough=False)
        for reach in asked.reaches:
            held = from_memory(self._memory.index, asked.vector, words, reach, wanted.audience)
            pool = await self._memory.database.read(stream_candidates.pool_of, asked, reach, held)
            if pool.is_enough:
                break
        weights = stream_ranking.WEIGHTS[asked.wish.emphasis]
        ranked = stream_ranking.rank(pool.candidates, weights, wanted.k)
        fits = await self._fits(asked, question, pool, [each.key for each in ranked])
        told = score_calibration.scores([each.score for each in ranked], fits)
        sure = [score for score in told if score >= floor_of(wanted, self._settings().recall.min_score)]  # they fall
        found = Streamed(ranked[: len(sure)], weights, sure, below_floor=len(ranked) - len(sure))
        return await self._marked(found, wanted, asked)

    async def _marked(self, found: Streamed, wanted: RecallRequest, asked: StreamSearch) -> Streamed:
        """The same with a word of what holds no more; as of a day, what held on it comes first. What holds instead
        comes in where words or meaning brought it: the stream is of what was told.
        """
        settling = ValidityCheck(
            wanted.query[:READ],
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

    async def _fits(
        self, asked: StreamSearch, question: Question, pool: CandidatePool, keys: Sequence[int]
    ) -> list[float]:
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
        asks = asking_of(question, asked.wanted.query[:READ], asked.wanted.asker or "", asked.wanted.conversation)
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


def _named(parts: Components) -> dict[str, float]:
    return {"recency": parts.recency, "importance": parts.importance, "relevance": parts.relevance}


def _explained(ranked: Ranked, weights: Components) -> dict[str, Any]:
    return {
        "channels": {name: round(value, 4) for name, value in _named(ranked.raw).items()},
        "scaled": {name: round(value, 4) for name, value in _named(ranked.scaled).items()},
        "weights": _named(weights),
        "mean": round(ranked.score, 6),
    }
