"""Query analysis: what a question means is worked out before memory is searched for it (algorithms.md §3.2).

Called by `dialogue_service` for recalls that think hard enough, and with `engine.analysis = "normal"` by it and by
`recall_queue` for what messages and contexts ask. The engine says which sub-questions there are, of which time, and
whether anything is asked at all; each becomes a search of its own, and an item counts by the best of them.
Invariants: what the client asked for in so many words (kinds, times, speaker) is never widened; for a message or a
context nobody waits longer for a model than `AT_ONCE_S`, once in `LEFT_ALONE_S` where it is slower.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio

from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.questions.question_detection import is_question
from soulmem.core.schema.engine_tasks import Depth, Leaning, Mood, QueryAnalysis, QueryRequest, Subquestion
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.recall_trace import together
from soulmem.ops.settings.engine_settings import Analysis
from soulmem.ports import Lane, World
from soulmem.store.messages import conversations, message_log
from soulmem.store.messages.message_log import Message
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import verbatim_messages
from soulmem.working.deliberation.deep_recall import MOST_EXPANDED, MOST_SHOWN, DeepRecall, Deliberation
from soulmem.working.recall.basic_recall import BasicRecall
from soulmem.working.recall.query_guidance import Guidance
from soulmem.working.recall.recall_request import Brought, RecallRequest

LEANINGS = ("specific", "abstract", "semantic", "procedural")
MOODS = ("valence", "arousal", "impatience")
AT_ONCE_S = 0.1  # that a message or a context waits for a model to say what is asked
LEFT_ALONE_S = 600.0  # time in which a model that was slower is not waited for again
_TURNS = 6  # of the talk just before, so that "and then?" can be understood
_READ = 2_000  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Thought:
    """What a recall brought back, and what the question was taken to mean; None where nobody asked."""

    brought: Brought
    analysis: QueryAnalysis | None = None
    deliberation: Deliberation | None = None


class QueryAnalyser:
    """Understands the questions of one mind."""

    def __init__(
        self, memory: OpenMind, world: World, recalling: BasicRecall, thinking: DeepRecall, when: Analysis
    ) -> None:
        self._memory = memory
        self._world = world
        self._recalling = recalling
        self._when = when
        self._deliberating = thinking
        self._slow_until_ms = 0.0  # of the monotonic clock: till then the model is not quick enough to be waited for

    async def search(self, wanted: RecallRequest) -> Thought:
        """Search for what is meant; like `BasicRecall.search` where the question is not analysed."""
        if not self._is_analysed(wanted.depth):
            return Thought(await self._recalling.search(wanted))
        return await self._search_for(wanted, await self._analyse(wanted))

    async def search_at_once(self, wanted: RecallRequest) -> Brought:
        """Search for a message or a context: what is asked is as a quick model takes it, else as its words tell."""
        analysis = await self._quick_analysis(wanted)
        if analysis is None:
            return await self._recalling.search(wanted)
        return (await self._search_for(wanted, analysis)).brought

    async def _quick_analysis(self, wanted: RecallRequest) -> QueryAnalysis | None:
        """What a model takes a question to mean, if it answers at once; None where it is not asked, or is slower."""
        if self._when is not Analysis.NORMAL or not self._deliberating.works or not is_question(wanted.query[:_READ]):
            return None
        if self._world.clock.monotonic_ms() < self._slow_until_ms:
            return None
        self._recalling.foresee(wanted.query, wanted.audience, wanted.asker)
        with anyio.move_on_after(AT_ONCE_S):
            return await self._analyse(wanted)
        self._slow_until_ms = self._world.clock.monotonic_ms() + LEFT_ALONE_S * 1000
        return None

    async def _search_for(self, wanted: RecallRequest, analysis: QueryAnalysis) -> Thought:
        thinks = wanted.depth == Depth.DEEP.value and analysis.depth is not Depth.NONE and self._deliberating.works
        floor = self._recalling.floor_of(wanted)
        if thinks:  # who thinks it over goes on along the links, and wants all but the question itself
            wanted = replace(wanted, traced=True, echo=wanted.query if floor > 0.0 else "")
        searches = [wanted]  # the whole question always counts too: an analysis may miss what it is about
        if analysis.depth is not Depth.NONE:
            for each in analysis.subquestions:
                if (narrowed := _narrowed(wanted, each)) not in searches:  # attributes cannot be hashed
                    searches.append(narrowed)
        k = max(wanted.k, MOST_SHOWN) + MOST_EXPANDED if thinks else wanted.k
        # What is thought over may lie beyond what is not sure enough to be returned.
        least = 0.0 if thinks else floor
        found = [await self._recalling.search(replace(each, k=k, min_score=least), analysis) for each in searches]
        brought = _together(found, k)
        if not thinks:
            return Thought(brought, analysis)
        questions = [each.text for each in analysis.subquestions if each.text] or [wanted.query]
        brought, deliberation = await self._deliberating.think(wanted, replace(brought, shown=None), questions)
        brought = _sure(brought, deliberation, floor)
        return Thought(brought, analysis, deliberation)

    def _is_analysed(self, depth: str | None) -> bool:
        if depth == Depth.DEEP.value:
            return self._when is not Analysis.NEVER
        return depth in (None, Depth.NORMAL.value) and self._when is Analysis.NORMAL

    async def _analyse(self, wanted: RecallRequest) -> QueryAnalysis:
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())

        def before(connection: Connection) -> list[Message]:
            if wanted.conversation is None:
                return []
            home = conversations.conversation(connection, wanted.conversation)
            turns = message_log.before(connection, home.id, home.next_seq, _TURNS) if home else []
            return verbatim_messages.still_told(connection, turns, now_exp)

        said = await self._memory.database.read(before)
        who, now = self._memory.who, self._world.clock.now_ms()
        query = wanted.query[:_READ]
        request = QueryRequest(
            query=query,
            now_ms=now,
            turns=tuple(message.turn() for message in said),
            persona=who.persona,
            mood=wanted.mood,
            language=who.language or None,
            cast=who.cast(wanted.asker or ""),
        )
        key = f"analyse:{hashlib.sha256(query.encode()).hexdigest()[:16]}"
        call = self._memory.call(key, wanted_at_ms=now, lane=Lane.INTERACTIVE)
        return await self._world.model.analyse_query(request, call)


def _narrowed(wanted: RecallRequest, part: Subquestion) -> RecallRequest:
    """The search for one sub-question: its own times where the client named none."""
    query = part.text or wanted.query
    if wanted.from_ms is not None or wanted.to_ms is not None:
        return replace(wanted, query=query)
    return replace(wanted, query=query, from_ms=part.from_ms, to_ms=part.to_ms)


def explained(analysis: QueryAnalysis, guidance: Guidance) -> dict[str, Any]:
    """An analysis as the protocol shows it, with the mood that counted."""
    return {
        "subquestions": [
            {
                "text": each.text,
                "from": to_iso(each.from_ms) if each.from_ms is not None else None,
                "to": to_iso(each.to_ms) if each.to_ms is not None else None,
                "entities": list(each.entities),
            }
            for each in analysis.subquestions
        ],
        "depth": analysis.depth.value,
        "leaning": _shares(analysis.leaning),
        "mood": _figures(guidance.mood),
        "cares": analysis.cares,
    }


def guided(guidance: Guidance) -> dict[str, Any]:
    """What the words of a question were taken to mean, of which no engine made more, as the protocol shows it."""
    return {"depth": guidance.depth, "leaning": _shares(guidance.leaning), "mood": _figures(guidance.mood)}


def _shares(leaning: Leaning) -> dict[str, float]:
    return {name: round(getattr(leaning, name), 4) for name in LEANINGS}


def _figures(mood: Mood) -> dict[str, float]:
    return {name: round(getattr(mood, name), 4) for name in MOODS}


def _together(found: Sequence[Brought], k: int) -> Brought:
    """Several searches as one: the best items, with the first way and what holds no more that was told of each."""
    if len(found) == 1:
        return found[0]
    hits = best_of([each.hits for each in found], k)
    ways = {note: way for each in reversed(found) for note, way in each.ways.items()}
    kept = {(hit.kind, hit.key) for hit in hits}
    suppressed = [each for one in found for each in one.suppressed if (each.hit.kind, each.hit.key) not in kept]
    entries = {note: entry for each in reversed(found) for note, entry in each.entries.items()}
    marks = {ref: mark for each in reversed(found) for ref, mark in each.marks.items()}
    noted = [hit.key for hit in hits if hit.kind is ItemKind.NOTE]
    trail = together([each.trail for each in found if each.trail is not None], noted)
    below = min(found[0].below_floor, k - len(hits))  # what another search was sure of is not below
    return Brought(
        hits,
        ways,
        suppressed,
        found[0].spread,
        entries,
        trail,
        found[0].vector,
        marks=marks,
        guidance=found[0].guidance,
        below_floor=below,
    )


def _sure(brought: Brought, thought: Deliberation, floor: float) -> Brought:
    """What was found useful, and of the rest what is sure enough; where something is useful the rest scores half."""
    share = 0.5 if thought.useful else 1.0
    kept = [hit for hit in brought.hits if (hit.kind, hit.key) in thought.useful or hit.score >= share * floor]
    return replace(brought, hits=kept, below_floor=len(brought.hits) - len(kept))


def deliberated(thought: Deliberation) -> dict[str, Any]:
    """A deliberation as the protocol shows it."""
    judged = thought.judged
    return {
        "sufficient": judged.sufficient if judged is not None else None,
        "confidence": round(judged.confidence, 4) if judged is not None else None,
        "missing": list(judged.missing) if judged is not None else [],
        "judged": len(thought.shown),
        "calls": thought.calls,
        "steps": thought.steps,
        "reflections": thought.reflections,
        "doubt": thought.doubt,
        "judgements": [
            {
                "shown": each.shown,
                "useful": each.useful,
                "sufficient": each.sufficient,
                "missing": list(each.missing),
                "followed": each.followed,
            }
            for each in thought.judgements
        ],
    }


def best_of(found: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """The `k` best items of several searches; an item found by more than one counts by its best score."""
    best: dict[tuple[str, int], Hit] = {}
    for hits in found:
        for hit in hits:
            item = (hit.kind.value, hit.key)
            if item not in best or hit.score > best[item].score:
                best[item] = hit
    return sorted(best.values(), key=lambda hit: -hit.score)[:k]
