"""Conversing: what a client is answered when it talks with the mind or asks it what it remembers.

Called by `mind` for `message.add`, `recall` and `context.get`; puts together what listening, recalling and the context
give. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from soulmem.core.index import Hit
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.config import MindSettings
from soulmem.ports import World
from soulmem.store import messages, views
from soulmem.store.open_mind import OpenMind
from soulmem.store.rows import public_id
from soulmem.working import context as contexts
from soulmem.working.analyse import Analysing
from soulmem.working.analyse import explained as describe
from soulmem.working.listen import Heard, Incoming, Listening
from soulmem.working.recall import SAID_AND_NOTED, Recalling, Wanted, explain
from soulmem.working.scope import Scoping


class Conversing:
    """The answers of one mind."""

    def __init__(
        self,
        memory: OpenMind,
        world: World,
        settings: Callable[[], MindSettings],
        listening: Listening,
        recalling: Recalling,
        analysing: Analysing,
        scoping: Scoping,
    ) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._listening = listening
        self._recalling = recalling
        self._analysing = analysing
        self._scoping = scoping

    async def hear(self, incoming: Incoming, *, wait_for_recall: bool) -> dict[str, Any]:
        """Store a message; with `wait_for_recall`, answer with what it brought to mind."""
        waits = wait_for_recall and incoming.role == "user"
        heard = await self._listening.hear(incoming, reserve=self._recalling.reserve if waits else None)
        result = {
            "id": heard.id,
            "seq": heard.seq,
            "duplicate": heard.duplicate,
            "window": {
                "size": heard.window.size if heard.window else 0,
                "capacity": heard.window.capacity if heard.window else self._settings().window.capacity,
            },
            "jobs": [public_id("js", job) for job in heard.jobs],
        }
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
        if waits and heard.recall is not None:
            result["context"] = await self._context_of(heard, incoming)
        return result

    async def _context_of(self, heard: Heard, incoming: Incoming) -> dict[str, Any]:
        scope = await self._scoping.in_front_of(incoming.conversation)
        material = await self._memory.database.read(
            contexts.gather, incoming.conversation, self._memory.who.persona, scope
        )
        wanted = Wanted(
            incoming.content,
            self._settings().recall.k,
            conversation=incoming.conversation,
            kinds=SAID_AND_NOTED,
            exclude=contexts.in_window(material),
            before=(heard.conversation, heard.seq),
            audience=scope.audience,
        )
        assert heard.recall is not None
        hits = (
            await self._scoping.surfacing(await self._recalling.replay(heard.recall), scope)
            if heard.duplicate
            else await self._recalling.serve(heard.recall, wanted)
        )
        shown = await self._memory.database.read(views.lines, hits)
        body = contexts.assemble(material, contexts.recalled_lines(hits, shown), contexts.DEFAULT_TOKENS)
        return {"recall_id": public_id("r", heard.recall), **body}

    async def recall(self, wanted: Wanted, exclude: Sequence[str], *, record: bool, explained: bool) -> dict[str, Any]:
        """What a query brings to mind, with a warning for each id to exclude that is not known here."""
        scope = await self._scoping.in_front_of(wanted.conversation)
        left_out, warnings = await self._memory.database.read(views.excluded, exclude, wanted.conversation, scope)
        wanted = replace(wanted, exclude=left_out, audience=scope.audience)
        thought = await self._analysing.search(wanted)
        hits = thought.hits
        shown = await self._memory.database.read(views.items, hits)
        number, warning = await self._record(wanted, hits) if record else (None, None)
        warnings += [warning] if warning else []
        items = [
            {**shown[hit.kind.value, hit.key], "score": hit.score, "tier": "vector"}
            | ({"why": explain(hit)} if explained else {})
            for hit in hits
            if (hit.kind.value, hit.key) in shown
        ]
        result: dict[str, Any] = {"recall_id": public_id("r", number) if number is not None else None, "items": items}
        if not items:
            result["reason"] = "nothing in this mind shares words or meaning with the query"
        if explained and thought.analysis is not None:
            result["analysis"] = describe(thought.analysis)
        if warnings:
            result["warnings"] = warnings
        return result

    async def context(
        self, conversation: str | None, *, query: str | None, max_tokens: int, exclude: Sequence[str]
    ) -> dict[str, Any]:
        """What a prompt should hold, within a budget; with a query, also what it brings to mind."""
        scope = await self._scoping.in_front_of(conversation)
        material = await self._memory.database.read(contexts.gather, conversation, self._memory.who.persona, scope)
        if conversation is not None and not material.window and query is None:
            await self._memory.database.read(messages.conversation_named, conversation)
        hits: list[Hit] = []
        number = None
        if query is not None:
            left_out, _ = await self._memory.database.read(views.excluded, exclude, conversation, scope)
            wanted = Wanted(
                query,
                self._settings().recall.k,
                conversation=conversation,
                exclude=left_out | contexts.in_window(material),
                audience=scope.audience,
            )
            hits = await self._recalling.search(wanted)
            number, _ = await self._record(wanted, hits)
        shown = await self._memory.database.read(views.lines, hits)
        body = contexts.assemble(material, contexts.recalled_lines(hits, shown), max_tokens)
        return {"recall_id": public_id("r", number) if number is not None else None, **body}

    async def _record(self, wanted: Wanted, hits: Sequence[Hit]) -> tuple[int | None, str | None]:
        """Remember a recall; a disk that takes no more costs the record, not the answer."""
        try:
            return await self._recalling.record(wanted, hits), None
        except SoulmemError as error:
            if error.name not in (ErrorName.STORAGE_FULL, ErrorName.STORAGE_READONLY):
                raise
            return None, f"this recall was not recorded: {error.message}"
