"""One mind as its clients use it: talk, recall, the notebook.

Made by `registry`, which runs its `life`; the methods of the protocol talk to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import anyio
import anyio.abc

from soulmem.core.calendar import iso8601
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.fast_dataclasses import dataclass
from soulmem.minds.runtime import MindRuntime
from soulmem.ops.settings.config_loader import Config
from soulmem.ops.settings.setting_sections import fading_of
from soulmem.ports import World
from soulmem.store.graph import link_rows
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.catalog import Entry
from soulmem.store.messages import unmet_requests
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import row_hash
from soulmem.store.views import wire_views
from soulmem.working.ingest.message_import import Imported, Line
from soulmem.working.ingest.message_ingest import IncomingMessage
from soulmem.working.recall.recall_request import RecallRequest
from soulmem.working.respond.prompt_context import ContextRequest
from soulmem.working.runtime.backpressure import Pace

Found = dict[str, Any]
Again = Callable[[Connection, Found], Found]


@dataclass(frozen=True, slots=True)
class ClientCall:
    """How a write is asked for: in front of whom, under which key, and what makes another call the same."""

    conversation: str | None = None
    key: str | None = None
    request: Any = None


class Mind:
    """An open mind. `users` counts the calls under way, so that nobody closes it beneath them."""

    def __init__(self, memory: OpenMind, world: World, config: Config, pace: Pace) -> None:
        self.memory = memory
        self.life = MindRuntime(memory, world, config, pace)
        self.workers = self.life.workers
        self.scoping = self.workers.scoping
        self.world = world
        self.users = 0
        self.used_ms = world.clock.monotonic_ms()  # when it was opened or last left by a caller
        self._released: anyio.Event | None = None  # of those who wait for the last user to go

    @property
    def name(self) -> str:
        return self.memory.name

    def enter(self) -> None:
        """Somebody uses the mind, so that nobody closes it beneath them."""
        self.users += 1

    def leave(self) -> None:
        self.users -= 1
        self.used_ms = self.world.clock.monotonic_ms()
        if not self.users and self._released is not None:
            released, self._released = self._released, None
            released.set()

    async def wait_until_unused(self) -> None:
        """Wait until nobody uses it."""
        while self.users:
            self._released = self._released or anyio.Event()
            await self._released.wait()

    async def entry(self, *, closed: bool) -> Entry:
        """How it stands, for the catalogue; `closed` when its file is about to be closed in order."""
        counts, due_at = await self.life.standing()
        unmet = await self.memory.database.read(unmet_requests.count_open, self.asked_since())
        who = self.memory.who
        return Entry(
            mind=self.name,
            title=who.title,
            profile=who.profile,
            state=self.life.state.value,
            messages=counts.messages,
            notes=counts.notes,
            links=counts.links,
            pending_jobs=counts.pending_jobs,
            embed_backlog=counts.embed_backlog,
            pending_recalls=counts.pending_recalls,
            quarantined=counts.quarantined,
            unmet_requests=unmet,
            due_at=due_at,
            closed=int(closed),
            updated_at=self.world.clock.now_ms(),
        )

    def asked_since(self) -> int:
        """Requests to forget that are older, wall time, are told no more."""
        return self.world.clock.now_ms() - round(self.life.settings().forgetting.tombstone_days * DAY_MS)

    async def hear(self, incoming: IncomingMessage, *, wait_for_recall: bool) -> dict[str, Any]:
        """Store a message; with `wait_for_recall`, answer with what it brought to mind."""
        await self.life.request()
        heard = await self.workers.conversing.hear(incoming, wait_for_recall=wait_for_recall)
        if incoming.role == "user" and not heard["duplicate"]:
            self.workers.reacting.notice(incoming.conversation, heard["seq"])
        if incoming.role == "assistant" and not heard["duplicate"]:
            self.workers.replying.notice(incoming.conversation, heard["seq"])
        return {**heard, "state": self.life.state.value}

    async def hear_history(
        self,
        lines: Sequence[Line],
        done: Imported,
        *,
        recall: bool,
        continues: bool,
        ages: bool,
        progress: Callable[[Imported, Imported], None],
    ) -> str:
        """Store what was said before, and tell in `done` what became of it; the state of the mind afterwards."""
        await self.life.request()
        await self.workers.importing.hear(lines, done, recall=recall, continues=continues, ages=ages, progress=progress)
        return self.life.state.value

    async def amend(
        self,
        conversation: str,
        client_id: str,
        content: str | None,
        *,
        key: str | None,
        keep_notes: bool = False,
        attributes: str | None = None,
    ) -> dict[str, Any]:
        """Edit a message, or with neither `content` nor `attributes` delete it; `keep_notes`: what was made stays."""
        method = "message.delete" if content is None and attributes is None else "message.update"
        asked = (conversation, client_id, content or "", *(("keep_notes",) if keep_notes else ()))
        described = ("attributes", attributes) if attributes is not None else ()
        await self.workers.recalls.catch_up()
        return await self.workers.amending.amend(
            method, conversation, client_id, content, key=key, request_hash=row_hash(*asked, *described),
            keep_notes=keep_notes, attributes=attributes,
        )  # fmt: skip

    async def purge(self, number: int, *, key: str | None) -> dict[str, Any]:
        """Remove a note for good."""
        await self.workers.recalls.catch_up()
        return await self.workers.amending.purge(number, key=key, request_hash=row_hash("note.purge", number))

    async def recall(
        self, wanted: RecallRequest, exclude: Sequence[str], *, record: bool, explained: bool
    ) -> dict[str, Any]:
        """Recall for a client; recorded unless it says otherwise."""
        await self.life.request()
        return await self.workers.conversing.recall(wanted, exclude, record=record, explained=explained)

    async def context(self, asked: ContextRequest) -> dict[str, Any]:
        """What a prompt should hold, within a budget; with a query, also what it brings to mind."""
        await self.life.request()
        return await self.workers.conversing.context(asked)

    async def keep(
        self, call: ClientCall, method: str, run: Callable[[Connection], Found],
        after: Callable[[Found], None] | None = None, again: Again | None = None,
    ) -> Found:  # fmt: skip
        """Run one write of a client under its idempotency key; `after` only when it really ran, `again` only when not.

        `again`: makes of the first result what may be told of it now (`digestion_jobs.once`).
        """
        await self.workers.recalls.catch_up()
        now = self.world.clock.trusted_now_ms()  # a clock that jumped must not let a key run out
        request_hash = row_hash(repr(call.request))

        def done(result: dict[str, Any]) -> None:
            if after is not None and not result.get("duplicate"):
                after(result)

        return await self.memory.database.write(
            method,
            lambda connection: digestion_jobs.once(connection, call.key, method, request_hash, now, run, again),
            after=done,
        )

    def view_link(self, link: link_rows.Link) -> dict[str, Any]:
        now_exp = self.memory.now(self.world.clock.trusted_now_ms())
        lasts = self.life.settings().forgetting.deletes
        dies = self.memory.time.wall_at(link.due_delete) if lasts and not link.forgotten else None
        return link_rows.view(
            link,
            strength=link.trace.strength(now_exp),
            dies_at=iso8601.to_iso(dies) if dies is not None else None,
            iso=iso8601.to_iso,
        )

    def view_time(self) -> wire_views.Moment:
        """What the views of notes need to show opacities and when they will be gone."""
        return wire_views.Moment(
            self.memory.now(self.world.clock.trusted_now_ms()),
            self.memory.time,
            fading_of(self.life.settings().forgetting),
        )


class Enter(Protocol):
    """Gives an open mind, which is to be left again."""

    async def __call__(self, name: str, *, create: bool) -> Mind: ...


class MindUse:
    """A mind for the length of a call. A class, for every call comes through here and a generator costs more."""

    __slots__ = ("_create", "_enter", "_mind", "_name")

    def __init__(self, enter: Enter, name: str, *, create: bool) -> None:
        self._enter = enter
        self._name = name
        self._create = create
        self._mind: Mind

    async def __aenter__(self) -> Mind:
        self._mind = await self._enter(self._name, create=self._create)
        return self._mind

    async def __aexit__(self, *_: object) -> None:
        self._mind.leave()
