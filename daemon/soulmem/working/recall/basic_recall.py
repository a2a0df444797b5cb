"""Basic recall: a query comes in, what belongs to it comes back.

Words and vectors over notes and raw messages, fused with calibration (`core/search/relevance_scoring`), are tier 0;
what belongs to what they found comes over the links of the graph (`graph_recall`); `rerank` orders it. Called for
`recall`, for `context.get` and by `recall_queue` for every user message. Invariant: looking changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.names.kin_names import asked_kin
from soulmem.core.questions.list_questions import asks_all
from soulmem.core.questions.question_detection import is_question
from soulmem.core.questions.time_questions import TimeAsked, may_ask_time, read_time
from soulmem.core.reranking import list_ranking
from soulmem.core.reranking.noise_floor import without_noise
from soulmem.core.reranking.reflection_ranking import asks_recurring
from soulmem.core.reranking.rival_questions import has_rivals
from soulmem.core.schema.audience import Audience
from soulmem.core.schema.engine_tasks import QueryAnalysis
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.search.answer_type import read_calls
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.lexical_scoring import Worded
from soulmem.core.search.memory_index import Hit, SearchIndex
from soulmem.core.search.relevance_scoring import Question, embedded_text, read_question, speaker_key
from soulmem.core.search.score_calibration import LOOKED_AT
from soulmem.core.text.plain_wording import in_plain_words
from soulmem.core.text.tokens import segment
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.conversation_state.audience import Scope, living_homes
from soulmem.store.messages import message_log
from soulmem.store.notes import note_index_rows
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.planning import planned_recall
from soulmem.working.recall import kin_aliases, list_recall
from soulmem.working.recall.answer_check import Asking, asking_of, by_worth, calibrated
from soulmem.working.recall.disk_search import DiskSearch
from soulmem.working.recall.graph_recall import Associated, GraphRecall, entries_of, trail_of, ways_of
from soulmem.working.recall.query_guidance import Guidance, guide, guided_by
from soulmem.working.recall.recall_request import Brought, RecallRequest, floor_of, item_kinds, legibility
from soulmem.working.recall.rerank import choose
from soulmem.working.recall.time_window_recall import in_time
from soulmem.working.runtime.backpressure import turn
from soulmem.working.runtime.long_texts import aside, begin_embedded, embedded, is_quick, plainly
from soulmem.working.validity.successor_filter import successor_filter
from soulmem.working.validity.validity_at_recall import ValidityCheck

_LIVE_MS = 2 * DAY_MS  # a message that came so long after it happened was handed over
_POOL = 60  # items that words and vectors bring up where the graph and the choice need more than are asked for
_READ = 2_000  # characters of a query that are looked at: what it is about stands in front


class BasicRecall:
    """Searches one mind."""

    def __init__(self, memory: OpenMind, world: World, settings: Callable[[], MindSettings]) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._associating = GraphRecall(memory, world, settings)
        self._on_disk = DiskSearch(memory, settings)

    def foresee(self, query: str, audience: Audience | None, asker: str | None = None) -> None:
        """Begin with what takes longest of a search that comes at once: the vector of its question."""
        text, index = query[:_READ], self._memory.index
        if is_quick(text) and (text := in_plain_words(text)).strip():
            speakers = index.speakers_within(audience) if index is not None else ()
            begin_embedded(self._world.embedding, embedded_text(text, speakers, asker=asker))

    async def search(self, wanted: RecallRequest, analysis: QueryAnalysis | None = None) -> Brought:
        """The best items for a query, best first; records nothing."""
        await self._memory.index_ready.wait()
        await self._memory.graph_ready.wait()
        await self._memory.up_to_date()
        index = self._memory.index
        speakers = index.speakers_within(wanted.audience) if index is not None else frozenset[str]()
        self.foresee(wanted.query, wanted.audience, wanted.asker)  # all else is found while the embedder is at work
        text = await plainly(wanted.query[:_READ])
        present = await self._present(text, wanted.audience)
        is_timed = wanted.from_ms is not None or wanted.to_ms is not None
        question, asked, kin, asks_list = await aside(
            text, lambda: _read(text, speakers, wanted.asker, present, is_timed=is_timed)
        )
        if asked is None and not is_timed and wanted.as_of is None:
            asked = await planned_recall.asked_of(self._memory, text, self._world.clock.now_ms(), wanted.audience)
        is_list = wanted.widens is not None and asks_list
        most = max(wanted.k, list_ranking.WIDEST) if is_list else wanted.k
        # Nothing but notes bears tags.
        kinds = item_kinds(wanted.kinds) & (frozenset({ItemKind.NOTE}) if wanted.tags else frozenset(ItemKind))
        query = Query(
            question=question,
            k=max(_POOL, most, list_recall.POOL if is_list else 0),
            kinds=kinds,
            speaker=wanted.speaker,
            from_ms=wanted.from_ms,
            to_ms=wanted.to_ms,
            before=wanted.before,
            until=wanted.until,
            exclude=wanted.exclude,
            notes=await self._fitting(wanted),
            messages=wanted.numbers_having(ItemKind.MESSAGE),
            audience=wanted.audience,
        )
        query, by_name = await kin_aliases.by_names(self._memory, query, text, kin, wanted.asker or "")
        query, worded, guidance = await self._embedded(query, lambda: _guided(wanted, text, question, analysis))
        found, asking = Associated([]), is_question(text)
        if kinds:
            await turn()
            hits = await self._direct(query, wanted, worded)
            found = await self._associate(query, wanted, hits, guidance, asking=asking)
        hits = found.hits
        if asking and not question.compares:
            hits = by_worth(hits)
        if is_list and index is not None and kinds:
            hits = await self._listed(index, query, hits, text, by_name, wanted.asker or "")
        if asked is not None and kinds:
            hits = await in_time(self._memory, query, asked, hits)
        showing_at = self._memory.now(self._world.clock.trusted_now_ms()) if wanted.is_shown else None
        settling = self._settling(wanted, query, asked, text)
        # Without a floor all is wanted.
        echo = (wanted.echo or (wanted.query if self.floor_of(wanted) > 0.0 else ""))[:_READ]
        asks = await self._asks(query.question, text, by_name, wanted, ranks=asked is None and not is_list)
        # However few are wanted, as many are looked at: what is found, and how surely, does not depend on that.
        at_hand = max(most, LOOKED_AT)
        recurring = asks_recurring(text) or NoteKind.REFLECTION.value in (wanted.kinds or ())
        chosen = await choose(
            self._memory, hits, at_hand, wanted.after, asking=asking, asked=echo, asks=asks, showing_at=showing_at,
            settling=settling, wanted=most, request=text if query.question.seeks_advice else "",
            recurring=recurring,
        )  # fmt: skip
        await turn()
        ranked = self._filled(chosen.hits, query, wanted, at_hand)[:at_hand]
        tells = asking and asks is not None and asks.ranks and not (recurring or query.question.seeks_advice)
        hits, more = self._sure(ranked, wanted, asking=asking, tells=tells)[:most], None
        below_floor = len(ranked[: wanted.k]) - len(hits[: wanted.k])
        if is_list:
            hits, more = list_ranking.kept(hits, ranked[:most], wanted.k, widens=bool(wanted.widens))
        ways = ways_of(found.spread, hits, only_actions=not wanted.traced)
        trail = trail_of(found.spread, query.vector, wanted.query, hits, ways) if wanted.traced else None
        entries = entries_of(found.spread, ways, hits)
        # What a summary adds was not there to be shown yet.
        has_all = all((hit.kind.value, hit.key) in chosen.shown for hit in hits)
        shown = chosen.shown if wanted.is_shown and has_all else None
        return Brought(
            hits, ways, chosen.suppressed, found.spread, entries, trail, query.vector, shown, chosen.marks, more,
            guidance, below_floor,
        )  # fmt: skip

    async def _asks(
        self, question: Question, text: str, by_name: str, wanted: RecallRequest, *, ranks: bool
    ) -> Asking | None:
        """How what answers is told by its text; None for thinking, which makes more of what only leads to an answer."""
        if wanted.depth == "deep":
            return None
        asker, said_in = wanted.asker or "", wanted.conversation
        return await aside(text, lambda: asking_of(question, text, asker, said_in, by_name, ranks=ranks))

    def _filled(self, hits: list[Hit], query: Query, wanted: RecallRequest, most: int) -> list[Hit]:
        """The items with summaries in the places that they leave: a summary repeats what its messages say."""
        if len(hits) >= most or wanted.tags or wanted.having is not None:  # a summary has neither tags nor attributes
            return hits
        if wanted.kinds is not None and "summary" not in wanted.kinds:
            return hits
        rest = replace(query, kinds=frozenset({ItemKind.SUMMARY}), k=most - len(hits))
        last = hits[-1].score if hits else 1.0
        return hits + [hit._replace(score=min(hit.score, last)) for hit in self._memory.rolled.search(rest)]

    def _settling(self, wanted: RecallRequest, query: Query, asked: TimeAsked | None, text: str) -> ValidityCheck:
        """How what still holds is told."""
        fingerprint, tells_digested = self._memory.fingerprint, self._settings().recall.digested_messages
        return ValidityCheck(
            text,
            Scope(wanted.audience),
            successor_filter(query, asked, fingerprint=fingerprint, tells_digested=tells_digested),
            self._world.clock.now_ms(),
            as_of=wanted.as_of,
            before=wanted.before,
            conversation=wanted.conversation,
            leaves_out=wanted.leaves_out,
            asker=wanted.asker or "",
            vector=query.vector,
            fingerprint=fingerprint,
        )

    async def _present(self, text: str, audience: Audience | None) -> int:
        """The moment from which words like "last week" are read.

        Of a mind that lives along with the clock it is now; of one whose past was handed over, when it ended.
        """
        now = self._world.clock.now_ms()
        index = self._memory.index
        newest = index.newest_within(audience) if index is not None else None
        present = now if newest is None else min(newest, now)
        if present < now and await aside(text, lambda: may_ask_time(text, present)):
            latest = await self._memory.database.read(message_log.latest_times, audience)
            if latest is None or latest[1] - latest[0] <= _LIVE_MS:
                return now
        return present

    async def _listed(
        self, index: SearchIndex, query: Query, hits: list[Hit], text: str, by_name: str, asker: str
    ) -> list[Hit]:
        """Everything of what is asked for, spread over time."""
        hits = list_recall.with_members(index, query, hits, text)
        spread = list_ranking.spread(hits, index.times_of([(hit.kind, hit.key) for hit in hits]))
        return await list_recall.with_entries(self._memory, spread, query.question, text, by_name, asker)

    def _sure(self, ranked: Sequence[Hit], wanted: RecallRequest, *, asking: bool, tells: bool) -> list[Hit]:
        """The items that are sure enough, with their scores; `tells`: one text answers, so that the rest is noise."""
        floor = self.floor_of(wanted)
        hits = calibrated(ranked, floor, asking=asking)
        return without_noise(hits, self._settings().recall.noise) if tells and floor > 0.0 else hits

    def floor_of(self, wanted: RecallRequest) -> float:
        """The score below which nothing is returned."""
        return floor_of(wanted, self._settings().recall.min_score)

    async def _fitting(self, wanted: RecallRequest) -> NDArray[np.int64] | None:
        """The notes of the kinds, tags and attributes that are asked for, looked for first, so that a rare one is found
        however badly it fits; None where any note will do.
        """
        asked = wanted.kinds or frozenset()
        note_kinds = frozenset() if "note" in asked else asked - {"message", "summary"}
        having = wanted.numbers_having(ItemKind.NOTE)
        if not note_kinds and not wanted.tags:
            return having
        graph = self._memory.graph
        if not wanted.tags and graph is not None:
            found = graph.of_kinds(note_kinds)
        else:
            read = await self._memory.database.read(note_index_rows.fitting, note_kinds, wanted.tags)
            found = np.array(read, dtype=np.int64)
        return found if having is None else np.intersect1d(found, having)

    async def _embedded(self, query: Query, guided: Callable[[], Guidance]) -> tuple[Query, Worded | None, Guidance]:
        """The query with its vector, what words and filters say to it, and how to go about it: all but the vector is
        found while the embedder is at work. What the loop would be held by is found before, in a thread.
        """
        worded: Worded | None = None
        guidance: Guidance | None = None
        text, covers = query.question.embed_text, self._world.embedding.embedder.coverage
        if is_quick(text):
            read = covers(text)
        else:
            read, guidance = await aside(text, lambda: (covers(text), guided()))
        query = replace(query, legible=legibility(read))

        def meanwhile() -> None:
            nonlocal worded, guidance
            guidance = guidance or guided()
            index = self._memory.index
            worded = index.words_of(query) if index is not None and query.kinds else None

        vector = await embedded(self._world.embedding, text, meanwhile, read)
        return replace(query, vector=vector), worded, guidance or guided()

    async def _direct(self, query: Query, wanted: RecallRequest, worded: Worded | None) -> list[Hit]:
        """What words and vectors find."""
        index = self._memory.index
        if index is None:
            return await self._on_disk.search(query, wanted.query[:_READ])
        return index.search(query, worded)

    async def _associate(
        self, query: Query, wanted: RecallRequest, hits: list[Hit], guidance: Guidance, *, asking: bool
    ) -> Associated:
        """What belongs to that, within the client's filters."""
        if ItemKind.NOTE not in (query.kinds or frozenset()) or not self._associating.works:
            return Associated(hits)

        async def admits(keys: Collection[int]) -> Collection[int]:
            index = self._memory.index
            if index is not None:
                return index.admits(query, ItemKind.NOTE, keys)
            return await self._on_disk.admitted(query, tuple(keys))

        return await self._associating.extend(
            hits,
            vector=query.vector,
            guidance=guidance,
            admits=admits,
            barred=await self.hidden_from(wanted.audience),
            reminds=not asking,
        )

    async def hidden_from(self, audience: Audience | None) -> frozenset[int]:
        """The notes that do not exist for an audience: links lead neither to them nor through them."""
        if audience is None:
            return frozenset()
        homes = self._memory.homes
        if not homes.is_loaded:
            homes.begin()
            homes.take(await self._memory.database.read(living_homes))
        return homes.hidden_from(audience)

    @property
    def follows_links(self) -> bool:
        """Whether this mind has links, and may follow them."""
        return self._associating.works

    async def similarities(self, wanted: RecallRequest, keys: Sequence[int]) -> dict[int, float]:
        """How like the question each note is that the client's filters let through, cosine; 0 without a vector."""
        await self._memory.up_to_date()
        index = self._memory.index
        text = wanted.query[:_READ]
        vector = await embedded(self._world.embedding, text)
        query = Query(
            question=await aside(text, lambda: read_question(text)),
            speaker=wanted.speaker, from_ms=wanted.from_ms, to_ms=wanted.to_ms, exclude=wanted.exclude,
            notes=await self._fitting(wanted), audience=wanted.audience,
        )  # fmt: skip
        if index is None:
            return dict.fromkeys(await self._on_disk.admitted(query, tuple(keys)), 0.0)
        admitted = index.admits(query, ItemKind.NOTE, keys)
        return index.cosines(vector, ItemKind.NOTE, admitted) if vector is not None else dict.fromkeys(admitted, 0.0)


def _read(
    text: str, speakers: frozenset[str], asker: str | None, present: int, *, is_timed: bool
) -> tuple[Question, TimeAsked | None, str, bool]:
    """What a question asks for, of which time, of which of the asker's kin, and whether for all that there is."""
    question = read_question(text, speakers, asker=asker, at_ms=present)
    names = [term for name in speakers if speaker_key(name) in question.named for term in segment(name)]
    return question, None if is_timed else read_time(text, present, names), asked_kin(text), asks_all(text)


def _guided(wanted: RecallRequest, text: str, question: Question, analysis: QueryAnalysis | None) -> Guidance:
    """How to go about a question: as it is taken to mean where an engine was asked, else by its words."""
    if has_rivals(text):
        read_calls(text, wanted.asker or "")  # kept for who weighs the answers: now the embedder is at work
    if analysis is not None:
        return guided_by(analysis, wanted.mood, wanted.depth)
    return guide(text, wanted.mood, wanted.depth, is_dated=bool(question.periods))
