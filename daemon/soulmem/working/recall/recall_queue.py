"""The recalls of a mind that are remembered: those a client asked for, and one for every user message.

Called by `mind` and `dialogue_service`; what is brought to mind is up to `recall`. Invariant: every user message causes
exactly one recorded recall; those that nobody waits for run in the background, in order, over what was known when the
message arrived.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeVar

import anyio

from soulmem.core.schema.audience import Sharing
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.errors import SoulmemError
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.index import embedding_backlog
from soulmem.store.messages import conversations
from soulmem.store.recalls import recall_records
from soulmem.store.recalls.recall_records import PendingRecall
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.working.recall.graph_recall import Entry
from soulmem.working.recall.recall_request import Brought, RecallRequest
from soulmem.working.recall.rerank import Before
from soulmem.working.runtime.backpressure import Pace

_LOOK_AGAIN_S = 0.5
_PASSED_AT_ONCE = 64  # recalls in one transaction: a message never waits long behind them
# What a user message brings to mind. Summaries are left out: whether one is rolled yet must not decide what is linked.
SAID_AND_NOTED = frozenset({"message", "note"})
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 60.0  # after a failure
_CATCHES_UP_S = 1.0  # that a change waits for the next recall of what was said before it
_MOST_WAITS = 5  # of these for a recall that somebody is at: the first of all takes longest


OnRecalled = Callable[[int, RecallRequest, Brought], Awaitable[None]]
Search = Callable[[RecallRequest], Awaitable[Brought]]


T = TypeVar("T")


class Progress(Protocol):
    """How far embedding has come: whether it works, and what is set when more vectors are there."""

    works: bool

    @property
    def progress(self) -> anyio.Event: ...

    def hurry(self) -> None: ...


class RecallQueue:
    """Runs the recalls of user messages, and keeps a record of all."""

    def __init__(
        self, memory: OpenMind, world: World, settings: Callable[[], MindSettings], pace: Pace,
        search: Search, embedding: Progress, on_recalled: OnRecalled,
    ) -> None:  # fmt: skip
        """Args: search: what brings to mind; on_recalled: told of each recall that was recorded."""
        self._memory = memory
        self._world = world
        self._settings = settings
        self._pace = pace
        self._search = search
        self._work = anyio.Event()
        self._reserved: set[int] = set()
        self._busy: set[int] = set()  # recalls that the background worker is at
        self._is_behind = False  # there may be recalls that nobody has come to
        self._waited_for = 0  # by how many, who cannot wait for a calm moment
        self._haste = anyio.Event()  # one of them has come
        self._oldest = 0  # that waited when the background worker last looked
        self._hurry = anyio.Event()  # somebody waits: no pause after a failure
        self._failure: SoulmemError | None = None  # the last one
        self._failures = 0
        self._served = 0  # by the background worker
        self._freed = anyio.Event()  # somebody is done with a recall that was reserved or busy
        self._embedding = embedding
        self._on_recalled = on_recalled

    # -- asked ------------------------------------------------------------------------------------------

    async def record(
        self, wanted: RecallRequest, found: Brought, beside: Sequence[Hit], after: Callable[[Connection], T]
    ) -> tuple[int, T]:
        """Remember a recall that a client asked for; its number, after the commit, and what `after` reads behind it.

        `beside`: what is handed out as well without having been brought to mind.
        """
        now = self._world.clock.now_ms()
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())
        named = wanted.conversation
        scope = await self._memory.in_front_of(named)

        def store(connection: Connection) -> tuple[int, T]:
            conversation = conversations.conversation(connection, named) if named else None
            recall = recall_records.insert(
                connection,
                query=wanted.query,
                depth=wanted.depth or found.guidance.depth,
                k=wanted.k,
                at=now,
                at_exp=now_exp,
                state="pending",
            )
            if (
                conversation is not None or not named
            ):  # of a conversation that has not begun, no other's talk brought it
                recall_records.attach(connection, recall, conversation.id if conversation else None)
            recall_records.finish(
                connection, recall, _stored(found), now_exp, scope, beside=_stored(replace(found, hits=list(beside)))
            )
            return recall, after(connection)

        number, seen = await self._memory.database.write("recall.record", store)
        await self._on_recalled(number, wanted, found)
        return number, seen

    async def serve(self, recall: int, wanted: RecallRequest) -> Brought:
        """Run the recall of a user message at once, because its sender waits for it."""
        try:
            found = await self._search(replace(wanted, after=_before(wanted, recall)))
            await self._finish(recall, found, was_shown=True)
            await self._on_recalled(recall, wanted, found)
        except BaseException:
            self.wake()  # the background worker takes it up
            raise
        finally:
            self._free(recall)
        return found

    async def again(self, recall: int, wanted: RecallRequest) -> Brought:
        """What a message that was sent again brings to mind: what it did the first time.

        While somebody is at its recall that is waited for; one that nobody has come to yet, for which another stands,
        or of which the record went meanwhile, is run now, as if its sender had waited at once.
        """
        while recall in self._reserved or recall in self._busy:
            await self._freed.wait()
        self.reserve(recall)
        try:
            found = await self._memory.database.read(recall_records.answer_of, recall)
            if found is None:
                return await self.serve(recall, wanted)
        finally:
            self._free(recall)
        return Brought(
            [Hit(ItemKind(hit.kind), hit.item, hit.score, tier=hit.tier) for hit in found],
            entries={hit.item: Entry(hit.entry) for hit in found if hit.kind == ItemKind.NOTE and hit.entry},
        )

    async def settled(self) -> None:
        """Wait until no recall is pending.

        Raises SoulmemError: why one cannot be recorded, as it turned out while it was waited for.
        """
        failures = self._failures
        # As many as the worker looks at: one that cannot be read must not be waited for.
        while await self._memory.database.read(recall_records.pending, self._looked_at):
            if self._failure is not None and self._failures > failures:
                raise self._failure
            self.wake()
            self._hurry.set()
            await anyio.sleep(0.01)

    @property
    def _looked_at(self) -> int:
        return self._settings().recall.coalesce_above + 1 + len(self._reserved)

    def reserve(self, recall: int) -> None:
        """Keep a pending recall from the background worker; `serve` will run it."""
        self._reserved.add(recall)

    def let_go(self, recall: int) -> None:
        """Who reserved a recall cannot serve it: the background worker takes it up."""
        self._free(recall)
        self.wake()

    def _free(self, *recalls: int) -> None:
        """Nobody is at these any more: whoever waits may look again."""
        self._reserved.difference_update(recalls)
        self._busy.difference_update(recalls)
        freed, self._freed = self._freed, anyio.Event()
        freed.set()

    # -- in the background --------------------------------------------------------------------------------

    def wake(self) -> None:
        self._is_behind = True
        self._work.set()

    async def catch_up(self) -> None:
        """Wait until what was said before has brought to mind what it does: then may what is known change.

        Else it would be a matter of milliseconds whether a message is reminded of a note that is written after it. How
        long that takes is up to the machine: it is given up only where nobody is at one, or one takes very long.
        """
        if not self._is_behind:
            return
        self._waited_for += 1
        self._haste.set()
        self._embedding.hurry()
        try:
            newest, waits = await self._memory.database.read(recall_records.newest_pending), 0
            while self._is_behind and self._oldest <= newest:
                with anyio.move_on_after(_CATCHES_UP_S) as pause:
                    await self._freed.wait()
                waits = waits + 1 if pause.cancelled_caught else 0
                if waits >= (_MOST_WAITS if self._busy else 1):
                    return
        finally:
            self._waited_for -= 1

    async def run(self) -> None:
        """Run pending recalls in order, until cancelled."""
        pause_s = _FIRST_PAUSE_S
        while True:
            self._hurry, before = anyio.Event(), self._served
            try:
                await self._work_off()
            except SoulmemError as error:
                self._failure = error
                self._failures += 1
                self._world.emit("job_failed", mind=self._memory.name, job="", step="recall", error=error.message[:200])
            finally:  # of a disk that is full, say: who changes something is told so at once
                self._is_behind = False
                self._free()
            pause_s = _FIRST_PAUSE_S if self._served > before else min(pause_s * 2, _LONGEST_PAUSE_S)
            with anyio.move_on_after(pause_s):
                await self._hurry.wait()

    async def _work_off(self) -> None:
        while True:
            self._work = anyio.Event()
            if not self._waited_for:
                self._haste = anyio.Event()
                await self._pace.calm(hurry=self._haste)
            limit = self._settings().recall.coalesce_above
            pending = await self._memory.database.read(recall_records.pending, self._looked_at)
            pending = [recall for recall in pending if recall.id not in self._reserved]
            if pending and pending[0].id != self._oldest:
                self._oldest = pending[0].id
                self._free()
            if not pending:
                self._is_behind = self._work.is_set()
                self._free()
                await self._work.wait()
            elif len(pending) > limit:
                await self._coalesce()
            else:
                await self._run_one(pending[0])

    async def _run_one(self, pending: PendingRecall) -> None:
        # Vectors of what was said before are waited for, so that the same talk is always recalled the same way.
        await self._vectors_before(pending.message)
        if pending.id in self._reserved:
            return
        self._busy.add(pending.id)
        try:
            # While the vectors were waited for its message may have been sent again, by somebody who waited for it.
            if not await self._memory.database.read(recall_records.is_answered, pending.id):
                await self._answer(pending)
        finally:
            self._free(pending.id)

    async def _answer(self, pending: PendingRecall) -> None:
        k = self._settings().recall.k
        name = await self._memory.database.read(conversations.conversation_name, pending.conversation)
        scope = await self._memory.in_front_of(name)  # what nobody there may know is not brought to mind by its talk
        # what was said since is not there yet: the same talk brings up the same, however late this is
        wanted = RecallRequest(
            pending.query, k, kinds=SAID_AND_NOTED, before=(pending.conversation, pending.seq), until=pending.message,
            audience=scope.audience, mood=pending.mood,
        )  # fmt: skip
        mind, underway, key = self._memory.name, self._world.underway, str(pending.id)
        if underway.is_set_aside(mind, "recall", key):  # it brings nothing to mind
            deaths = underway.deaths(mind, "recall", key)
            self._world.emit("step_quarantined", mind=mind, step="recall", job=f"r{pending.id}", deaths=deaths)
            await self._finish(pending.id, Brought([]), was_shown=False)
            return
        with underway.at(mind, "recall", [key]):
            found = await self._search(replace(wanted, after=_before(wanted, pending.id)))
        await self._finish(pending.id, found, was_shown=False)
        self._served += 1
        await self._on_recalled(pending.id, wanted, found)

    async def _vectors_before(self, message: int) -> None:
        while True:
            goes_on = self._embedding.progress  # of now: what is stored while the file is read must not be missed
            behind = await self._memory.database.read(embedding_backlog.waits_before, message)
            if not behind or not self._embedding.works:
                return
            if self._waited_for:
                self._embedding.hurry()
            with anyio.move_on_after(_LOOK_AGAIN_S):
                await goes_on.wait()

    async def _coalesce(self) -> None:
        """Under load, let the newest waiting recall of each conversation stand for the older ones."""
        newest, found = await self._memory.database.read(recall_records.passed_over, frozenset(self._reserved))
        # While the file was read somebody may have come who waits for one of them.
        older = [(into, [recall for recall in those if recall not in self._reserved]) for into, those in found]
        passed_over = [recall for _, those in older for recall in those]
        self._busy.update(passed_over)
        try:
            for into, those in older:
                for first in range(0, len(those), _PASSED_AT_ONCE):
                    part = those[first : first + _PASSED_AT_ONCE]
                    await self._memory.database.write(
                        "recall.coalesce", partial(recall_records.coalesce, recalls=part, into=into)
                    )
        finally:
            self._free(*passed_over)
        self._world.emit("recall_coalesced", mind=self._memory.name, count=len(passed_over))
        for recall in newest:
            await self._run_one(recall)

    async def _finish(self, recall: int, found: Brought, *, was_shown: bool) -> None:
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())
        is_open = self._settings().recall.sharing is Sharing.OPEN
        name = None if is_open else await self._memory.database.read(recall_records.place, recall)
        finish = partial(
            recall_records.finish, recall=recall, hits=_stored(found), at_exp=now_exp,
            scope=await self._memory.in_front_of(name), was_shown=was_shown,
        )  # fmt: skip
        await self._memory.database.write("recall.finish", finish)


def _before(wanted: RecallRequest, recall: int) -> Before | None:
    return Before(wanted.before[0], recall) if wanted.before is not None else None


def _stored(found: Brought) -> list[recall_records.Hit]:
    entries = {(ItemKind.NOTE, note): entry for note, entry in found.entries.items()}
    return [
        recall_records.Hit(hit.kind.value, hit.key, hit.score, hit.tier, entries.get((hit.kind, hit.key)))
        for hit in found.hits
    ]
