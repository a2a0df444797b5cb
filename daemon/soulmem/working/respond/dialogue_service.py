"""Dialogue service: what a client is answered when it talks with the mind or asks it what it remembers.

Called by `mind` for `message.add`, `recall` and `context.get`; puts together what listening, recalling and the context
give. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from soulmem.core.schema.message_refs import message_ref
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.ports import World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.messages import conversations
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import verbatim_messages, wire_views
from soulmem.working.deliberation.query_analysis import QueryAnalyser, deliberated, guided
from soulmem.working.deliberation.query_analysis import explained as describe
from soulmem.working.feedback.recall_feedback import Feedback
from soulmem.working.ingest.message_ingest import IncomingMessage, MessageIngest, StoredMessage
from soulmem.working.notebook.reconstruction_service import ReconstructionService
from soulmem.working.planning import plan_lines
from soulmem.working.profiles.profile_service import ProfileService
from soulmem.working.recall.basic_recall import BasicRecall
from soulmem.working.recall.recall_explanation import held_back, reasons
from soulmem.working.recall.recall_queue import SAID_AND_NOTED, RecallQueue
from soulmem.working.recall.recall_request import Brought, RecallRequest
from soulmem.working.recall.rerank import Before
from soulmem.working.recall.stream_recall import StreamRecall
from soulmem.working.respond import prompt_context as contexts
from soulmem.working.respond.archive_lookup import ArchiveLookup
from soulmem.working.respond.context_layout import ContextLayout, Seen, filtered
from soulmem.working.runtime.audience import AudienceLookup
from soulmem.working.validity.validity_at_recall import marked_item

T = TypeVar("T")


class DialogueService:
    """The answers of one mind."""

    def __init__(
        self,
        memory: OpenMind,
        world: World,
        settings: SettingsNow,
        listening: MessageIngest,
        recalling: BasicRecall,
        recalls: RecallQueue,
        analysing: QueryAnalyser,
        feedback: Feedback,
        scoping: AudienceLookup,
        reconstructing: ReconstructionService,
        profiles: ProfileService,
    ) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._listening = listening
        self._recalling = recalling
        self._recalls = recalls
        self._analysing = analysing
        self._feedback = feedback
        self._streaming = StreamRecall(memory, world, settings)
        self._archive = ArchiveLookup(memory, world, settings)
        self._layout = ContextLayout(memory, self._archive, recalling, self._now, world.clock)
        self._scoping = scoping
        self._reconstructing = reconstructing
        self._profiles = profiles

    async def hear(self, incoming: IncomingMessage, *, wait_for_recall: bool) -> dict[str, Any]:
        """Store a message; with `wait_for_recall`, answer with what it brought to mind."""
        waits = wait_for_recall and incoming.role == "user"
        heard = await (self._stored(incoming) if waits else self._listening.hear(incoming))
        result = {
            "id": heard.id,
            "ref": message_ref(incoming.conversation, heard.id),
            "seq": heard.seq,
            "duplicate": heard.duplicate,
            "window": {
                "size": heard.window.size if heard.window else 0,
                "capacity": heard.window.capacity if heard.window else self._settings().window.capacity,
            },
            "jobs": [public_id("js", job) for job in heard.jobs],
        }
        if heard.is_gone:
            return {**result, "deleted": True}
        if heard.evicted:
            self._world.emit(
                "window_slid",
                mind=self._memory.name,
                conversation=incoming.conversation,
                message_seq=heard.seq,
                assigned=bool(heard.jobs),
            )
        if heard.recall is not None:
            result["recall_id"] = public_id("r", heard.recall)
        if waits:
            result["context"] = await self._context_of(heard, incoming)
        return result

    async def _stored(self, incoming: IncomingMessage) -> StoredMessage:
        """Store a message whose sender waits for its recall: who goes before the answer leaves it to the worker."""
        is_here, reserved = True, list[int]()

        def reserve(recall: int) -> None:
            if is_here:
                reserved.append(recall)
                self._recalls.reserve(recall)

        try:
            return await self._listening.hear(incoming, reserve=reserve)
        except BaseException:
            is_here = False  # the message is stored all the same, perhaps only after this
            for recall in reserved:
                self._recalls.let_go(recall)
            raise

    async def _context_of(self, heard: StoredMessage, incoming: IncomingMessage) -> dict[str, Any]:
        try:
            scope, material, wanted = await self._wanted_by(heard, incoming)
        except BaseException:
            if heard.recall is not None and not heard.duplicate:
                self._recalls.let_go(heard.recall)
            raise
        if heard.recall is None:  # sent again after so long that what it brought to mind is on record no longer
            brought = await self._analysing.search_at_once(wanted)
        elif heard.duplicate:
            brought = await self._brought_again(heard.recall, wanted, scope)
        else:
            brought = await self._recalls.serve(heard.recall, wanted)
        body = await self._laid_out(
            material,
            brought,
            contexts.DEFAULT_TOKENS,
            completes=not heard.duplicate,
            mood=incoming.mood or "",
            asked=wanted,
        )
        return {"recall_id": public_id("r", heard.recall) if heard.recall is not None else None, **body}

    async def _wanted_by(
        self, heard: StoredMessage, incoming: IncomingMessage
    ) -> tuple[Scope, contexts.Material, RecallRequest]:
        """What a message may see, what stands before it already, and what it asks for."""
        scope = await self._scoping.in_front_of(incoming.conversation)
        material = await self._material(incoming.conversation, scope, contexts.DEFAULT_TOKENS)
        wanted = RecallRequest(
            incoming.content,
            self._settings().recall.k,
            conversation=incoming.conversation,
            kinds=SAID_AND_NOTED,
            exclude=contexts.in_window(material),
            before=(heard.conversation, heard.seq),
            mood=incoming.mood or "",
            audience=scope.audience,
            leaves_out=True,
            widens=False,
        )
        return scope, material, wanted

    async def _material(self, conversation: str | None, scope: Scope, max_tokens: int) -> contexts.Material:
        """What stands in a context whatever is asked."""
        now, now_exp, persona = self._world.clock.now_ms(), self._now(), self._memory.who.persona
        gather = partial(contexts.gather, is_rolled_late=self._world.model.name != "extractive")
        return await self._memory.database.read(gather, conversation, persona, now, now_exp, max_tokens, scope)

    async def _brought_again(self, recall: int, wanted: RecallRequest, scope: Scope) -> Brought:
        """What a message brought to mind when it was first sent, of which only what may surface today is told.

        Nobody may have waited for it then, so what stands in the window was not left out.
        """
        brought = await self._recalls.again(recall, wanted)
        hits = [hit for hit in brought.hits if (hit.kind, hit.key) not in wanted.exclude]
        hits = await self._scoping.surfacing(hits, scope)
        if not self._settings().recall.digested_messages:
            hits = await self._memory.database.read(verbatim_messages.still_recallable, hits)
        return replace(brought, hits=hits)

    async def _laid_out(
        self,
        material: contexts.Material,
        brought: Brought,
        max_tokens: int,
        *,
        completes: bool,
        mood: str,
        asked: RecallRequest | None = None,
        tells_rewritten: bool = False,
        seen: Seen | None = None,
    ) -> dict[str, Any]:
        """The blocks of a context; what stands in it with gaps is filled in afterwards if it `completes` a recall.

        `seen`: how what was brought shows, if somebody has looked.
        """
        body, gone = await self._layout.blocks(material, brought, max_tokens, asked, seen, marks=tells_rewritten)
        recalled = [hit.key for hit in brought.hits if hit.kind is ItemKind.NOTE]
        if completes:
            self._reconstructing.begin([*contexts.notes_in(body, recalled), *gone], mood)
        return body

    async def recall(
        self, wanted: RecallRequest, exclude: Sequence[str], *, record: bool, explained: bool
    ) -> dict[str, Any]:
        """What a query brings to mind, with a warning for each id to exclude that is not known here."""
        scope = await self._scoping.within(wanted.conversation, wanted.heard_in)
        left_out, warnings = await self._left_out(exclude, wanted.conversation, scope)
        after = Before(wanted.conversation) if record and wanted.conversation is not None else None
        wanted = replace(wanted, exclude=left_out, after=after, audience=scope.audience)
        wanted = await filtered(self._memory, wanted, self._now())
        if wanted.stream is not None:
            found = await self._streaming.search(wanted)
            number, warning = await self._recorded(wanted, Brought(found.hits)) if record else (None, None)
            if number is not None:
                self._reconstructing.begin([hit.key for hit in found.hits], wanted.mood)
            warnings += [warning] if warning else []
            answer = await self._streaming.answer(found, number, warnings, explained=explained)
            answer["items"] = await self._with_times(answer["items"], scope)
            return answer | (await self._archive.told(wanted, answer["items"]) if answer["items"] else {})
        # A recall that is recorded changes what it brings: only one that leaves no trace is shown as it is found.
        thought = await self._analysing.search(replace(wanted, traced=record or explained, is_shown=not record))
        hits, entries = thought.brought.hits, thought.brought.entries
        number, warning = await self._recorded(wanted, thought.brought) if record else (None, None)
        if number is not None:  # a look that leaves no trace changes nothing either
            self._reconstructing.begin([hit.key for hit in hits if hit.kind is ItemKind.NOTE], wanted.mood)
        shown = thought.brought.shown
        if shown is None or number is not None:
            shown = await self._memory.database.read(wire_views.items, hits, self._now())
        whys = await self._memory.database.read(reasons, thought.brought, self._now()) if explained else {}
        lesson = thought.deliberation.lesson(hits) if thought.deliberation is not None else None
        if number is not None and lesson is not None:
            self._feedback.remember_judgement(number, lesson)
        warnings += [warning] if warning else []
        items = [
            marked_item(shown[hit.kind.value, hit.key], thought.brought.marks.get((hit.kind, hit.key)))
            | {"score": hit.score, "tier": hit.tier}
            | ({"via": entries[hit.key].value} if hit.kind is ItemKind.NOTE and hit.key in entries else {})
            | ({"why": whys[hit.kind, hit.key]} if explained else {})
            for hit in hits
            if (hit.kind.value, hit.key) in shown
        ]
        items = await self._with_times(items, scope)
        result: dict[str, Any] = {
            "recall_id": public_id("r", number) if number is not None else None,
            "below_floor": thought.brought.below_floor,
            **await self._archive.told(wanted, items),
        }
        if thought.brought.more is not None:
            result["more"] = thought.brought.more
        if explained:
            made, guidance = thought.analysis, thought.brought.guidance
            result["analysis"] = describe(made, guidance) if made is not None else guided(guidance)
        if (judged := thought.deliberation and thought.deliberation.judged) and not judged.sufficient:
            result["missing"] = list(judged.missing)
        if explained and thought.deliberation is not None:
            result["deliberation"] = deliberated(thought.deliberation)
        if explained:
            result["suppressed"] = await self._memory.database.read(held_back, thought.brought.suppressed, self._now())
        if warnings:
            result["warnings"] = warnings
        return result

    async def _with_times(self, items: list[dict[str, Any]], scope: Scope) -> list[dict[str, Any]]:
        """The items with for when they are and what became of them, where they are plans."""
        if all(each["kind"] != "plan" for each in items):
            return items
        return await self._memory.database.read(plan_lines.with_times, items, self._world.clock.now_ms(), scope)

    async def _left_out(
        self, exclude: Sequence[str], conversation: str | None, scope: Scope
    ) -> tuple[frozenset[ItemRef], list[str]]:
        """The items that a client does not want back, and a warning for each id that is not known here."""
        if not exclude:
            return frozenset(), []
        return await self._memory.database.read(wire_views.excluded, exclude, conversation, scope)

    def _now(self) -> int:
        return self._memory.now(self._world.clock.trusted_now_ms())

    async def context(self, asked: contexts.ContextRequest) -> dict[str, Any]:
        """What a prompt should hold, within a budget; with a query, also what it brings to mind."""
        scope = await self._scoping.in_front_of(asked.conversation)
        if asked.query is not None:
            self._recalling.foresee(asked.query, scope.audience)
        material = await self._material(asked.conversation, scope, asked.max_tokens)
        if asked.conversation is not None and not material.window and asked.query is None:
            await self._memory.database.read(conversations.conversation_named, asked.conversation)
        if asked.profile is not None:
            known = await self._profiles.lines(asked.profile, int(asked.max_tokens * contexts.PROFILE_SHARE), scope)
            material = replace(material, profile=known)
        brought = Brought([])
        number, wanted, seen = None, None, None
        if asked.query is not None:
            left_out, _ = await self._left_out(asked.exclude, asked.conversation, scope)
            most = self._settings().recall.k
            wanted = RecallRequest(
                asked.query,
                contexts.most_items(most, asked.max_tokens),
                conversation=asked.conversation,
                exclude=left_out | contexts.in_window(material),
                mood=asked.mood,
                after=Before(asked.conversation) if asked.conversation is not None else None,
                audience=scope.audience,
                leaves_out=True,
                widens=False,
                min_score=asked.min_score,
                attributes=asked.attributes,
            )
            wanted = await filtered(self._memory, wanted, self._now())
            brought = await self._analysing.search_at_once(wanted)
            # What stands in the prompt because there is room was not called to mind: it is not rehearsed.
            called, beside = replace(brought, hits=brought.hits[:most]), brought.hits[most:]
            look = self._layout.looking(brought, wanted, marks=asked.tells_rewritten)
            number, seen, _ = await self._record(replace(wanted, k=most), called, beside, look)
        body = await self._laid_out(
            material,
            brought,
            asked.max_tokens,
            completes=number is not None,
            mood=asked.mood,
            asked=wanted,
            tells_rewritten=asked.tells_rewritten,
            seen=seen,
        )
        return {"recall_id": public_id("r", number) if number is not None else None, **body}

    async def _recorded(self, wanted: RecallRequest, found: Brought) -> tuple[int | None, str | None]:
        number, _, warning = await self._record(wanted, found, (), lambda _: None)
        return number, warning

    async def _record(
        self, wanted: RecallRequest, found: Brought, beside: Sequence[Hit], after: Callable[[Connection], T]
    ) -> tuple[int | None, T | None, str | None]:
        """Remember a recall; its number, and what `after` reads behind it. A full disk costs these, not the answer."""
        try:
            return *await self._recalls.record(wanted, found, beside, after), None
        except SoulmemError as error:
            if error.name not in (ErrorName.STORAGE_FULL, ErrorName.STORAGE_READONLY):
                raise
            return None, None, f"this recall was not recorded: {error.message}"
