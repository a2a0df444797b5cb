"""The life of a mind: its machine, its two halves at work, its rounds of digestion.

Made by `minds` as a `Mind`, which adds what clients ask. Working and idle stand side by side here: `request` is called
by everything that counts as talk and calls digestion off; silence or `sleep` sends the mind to idle, where it digests.
Its workers run in one task group and end with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio
import anyio.abc

from soulmem.core.window import JobReason
from soulmem.errors import ErrorName, SoulmemError
from soulmem.idle import digest, drift
from soulmem.idle.digest import Digesting, Needs, Report
from soulmem.idle.rounds import Rounds
from soulmem.lifecycle import MindLifecycle, MindState, MindTrigger
from soulmem.llm.detailing import details_of
from soulmem.ops import heap
from soulmem.ops.config import Config, MindSettings
from soulmem.ops.settings import fading_of
from soulmem.ports import World
from soulmem.store import checks, elements, identity, links, tombstones, windows
from soulmem.store.driver import Connection
from soulmem.store.identity import Counts
from soulmem.store.notes import Note
from soulmem.store.open_mind import OpenMind
from soulmem.working.absorb import Absorbing
from soulmem.working.amend import Amending
from soulmem.working.analyse import Analysing
from soulmem.working.blurring import Blurring
from soulmem.working.converse import Conversing
from soulmem.working.feedback import Feedback
from soulmem.working.indexing import Indexing
from soulmem.working.listen import Listening
from soulmem.working.notebook import Notebook
from soulmem.working.pace import Pace
from soulmem.working.reacting import Reacting
from soulmem.working.recall import Recalling
from soulmem.working.recall_queue import RecallQueue
from soulmem.working.reconstructing import Reconstructing
from soulmem.working.scope import Scoping
from soulmem.working.shelving import Shelving
from soulmem.working.summarise import Summarising

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
# What fades within these six hours is swept together: a mind with many notes would be woken every hour. Who searches
# meanwhile does not wait for that.
_FADING_GRAIN_MS = 6 * 3_600_000


class Life:
    """An open mind as it lives: what it is made of, which of its workers run, whether it works or digests."""

    def __init__(self, memory: OpenMind, world: World, config: Config, pace: Pace) -> None:
        self.memory = memory
        self.world = world
        self._config = config
        self._pace = pace
        self.is_hosted = False
        self.failure: SoulmemError | None = None  # what it died of
        self.machine = MindLifecycle()
        self.settings = config.for_mind(memory.who.profile, memory.who.settings)
        self.apply_settings()
        current = self.current_settings
        self.listening = Listening(memory, world, current, self._wake)
        self.amending = Amending(memory, world, current, self._wake, self.listening.forget_talk)
        self.notebook = Notebook(memory, world, current, details_of)
        self.blurring = Blurring(memory, world, self._wake)
        memory.up_to_date = self.blurring.keep_up
        self.recalling = Recalling(memory, world, current)
        self.recalls = RecallQueue(memory, world, current, pace, self.recalling)
        self.absorbing = Absorbing(memory, world, current, pace, self.listening.forget_talk)
        self.indexing = Indexing(memory, pace)
        self.shelving = Shelving(memory, current, pace, self.absorbing.wake)
        self.summarising = Summarising(memory, world, current, pace, self.absorbing.wake)
        analysing = Analysing(memory, world, self.recalling, config.engine.analysis)
        self.feedback = Feedback(memory, world)
        self.recalls.on_followed = self.feedback.remember
        self.scoping = Scoping(memory, current)
        memory.in_front_of = self.scoping.in_front_of
        self.reconstructing = Reconstructing(memory, world, self.note_changed)
        self.conversing = Conversing(
            memory, world, current, self.listening, self.recalling, self.recalls, analysing, self.feedback,
            self.scoping, self.reconstructing,
        )  # fmt: skip
        self.reacting = Reacting(memory, world, current, pace, self.feedback)
        self.recalls.embedding_works = lambda: self.absorbing.works
        self.recalls.embedding_goes_on = lambda: self.absorbing.progress
        needs = Needs(
            summary_rolled=self.summarising.rolled,
            recalls_done=self.recalls.settled,
            notes_absorbed=self.absorbing.notes_absorbed,
            hurry_summaries=self.summarising.hurry,
            wake=self._wake,
            blur=self.blurring.catch_up,
            details_of=details_of,
        )
        self.digesting = Digesting(memory, world, current, needs)
        memory.when_prepared = self._wake_all
        self.rounds = Rounds(
            self.digesting, is_idle=lambda: self.state is MindState.IDLE, rest=self._rest, gone=self._gone
        )
        self._index_turn = anyio.Lock()
        self._indexed_digested: bool | None = None  # whether the index holds digested messages; None: there is none yet
        self._scope: anyio.CancelScope | None = None
        self.closed = anyio.Event()

    def note_changed(self, note: Note) -> None:
        """After a commit: the index follows, and a new text gets its vector."""
        self.notebook.follow(note)
        self.absorbing.wake()

    @property
    def name(self) -> str:
        return self.memory.name

    @property
    def state(self) -> MindState:
        return self.machine.state

    def current_settings(self) -> MindSettings:
        return self.settings

    def apply_settings(self) -> None:
        """Take over changed settings: the dormancy of experienced time changes from now on, without a jump."""
        self.settings = self._config.for_mind(self.memory.who.profile, self.memory.who.settings)
        rules = self.settings.forgetting
        slow = rules.clock.value == "experienced"
        self.memory.time = self.memory.time.with_dormancy(
            self.memory.time.wall_anchor_ms,
            after_ms=round(rules.dormancy_after_days * 86_400_000) if slow else 0,
            rate_ppm=round(rules.dormancy_rate * 1_000_000) if slow else 1_000_000,
        )

    # -- life ----------------------------------------------------------------------------------------------

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Run the workers until `stop`; the file is closed when this returns."""
        try:
            await self._fit()
            if await self.memory.database.read(_open_talk):
                self.machine.fire(MindTrigger.REQUEST)
            elif await self.memory.database.read(windows.frozen):
                self.rounds.begin(None)
            async with anyio.create_task_group() as group:
                self._scope = group.cancel_scope
                group.start_soon(self._keep_running, "summarise", self.summarising.run)
                group.start_soon(self._keep_running, "absorb", self.absorbing.run)
                group.start_soon(self._keep_running, "index", self.indexing.run)
                group.start_soon(self._keep_running, "shelve", self.shelving.run)
                group.start_soon(self._keep_running, "recall", self.recalls.run)
                group.start_soon(self._keep_running, "feedback", self.feedback.run)
                group.start_soon(self._keep_running, "recollect", self.feedback.recollect)
                group.start_soon(self._keep_running, "react", self.reacting.run)
                group.start_soon(self._keep_running, "digest", self.rounds.run)
                group.start_soon(self._load_index)
                group.start_soon(self._load_graph)
                self.is_hosted = True
                task_status.started()
        except Exception as error:
            self.failure = cause(error)
            raise
        finally:
            with anyio.CancelScope(shield=True):
                await self.memory.close(self.failure)
            self.closed.set()
            self.rounds.end()

    async def _keep_running(self, step: str, work: Callable[[], Awaitable[None]]) -> None:
        """The guard of a worker: what fails is told and tried again after a pause; it never takes others along."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                await work()
            except Exception as error:  # a guard of jobs: a disk that is full must not end the mind
                text = error.message if isinstance(error, SoulmemError) else f"{type(error).__name__}: {error}"
                self.world.emit("job_failed", mind=self.name, job="", step=step, error=text[:200])
                await anyio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_S)

    async def stop(self) -> None:
        """End the workers, finish what the writer has, close the file."""
        if self._scope is not None:
            self._scope.cancel()
            self.digesting.abandon()
        await self.closed.wait()

    def _gone(self) -> SoulmemError | None:
        """Why nobody will digest any more; None while somebody does."""
        if not self.closed.is_set():
            return None
        return self.failure or SoulmemError(ErrorName.STOPPING, f"{self.name} was closed", retry_after_ms=1000)

    async def become(self, who: identity.Identity) -> None:
        """Take over a changed identity; where that changes what can be recalled, load it anew."""
        self.memory.who = who
        self.apply_settings()
        await self._load_index()
        self.shelving.wake()

    async def _fit(self) -> None:
        """The elements in the file fade by the settings there are now: the configuration may have changed."""
        fading = fading_of(self.settings.forgetting)
        if await self.memory.database.read(elements.fading) != fading:
            now_exp = self.memory.now(self.world.clock.trusted_now_ms())
            with suppress(SoulmemError):  # a full disk keeps nobody from reading; they fade as before meanwhile
                await self.memory.database.write("fit", lambda connection: elements.refit(connection, fading, now_exp))

    async def _load_index(self) -> None:
        """Let the index hold what the settings of now want recalled, those that change while it is loaded included."""
        async with self._index_turn:
            while self._indexed_digested != (wanted := self.settings.recall.digested_messages):
                self.memory.index = None
                await self.memory.load_index(hide_digested=not wanted, most_rows=self._config.memory.max_rows_in_ram)
                self._indexed_digested = wanted
                await anyio.to_thread.run_sync(heap.give_back)

    async def _load_graph(self) -> None:
        await self.memory.load_graph(
            most_links=self._config.memory.max_links_in_ram, dimension=self.world.embedding.embedder.dimension
        )

    async def request(self) -> None:
        """Somebody talks: the mind works, digestion is called off."""
        self._pace.touch()
        clock = self.world.clock
        await self.memory.touch(clock.now_ms(), clock.trusted_now_ms())
        if self.state is not MindState.WORKING:  # a request while working only renews the activity
            self.digesting.call_off()
            self._fire(MindTrigger.REQUEST)

    async def flush(self, reason: JobReason) -> None:
        """Assign everything fresh in every conversation to a summary job, as if all windows had slid out."""
        now = self.world.clock.now_ms()

        def run(connection: Connection) -> list[tuple[str, int]]:
            return [
                (epoch.conversation_name, windows.flush(connection, epoch.conversation, reason, now))
                for epoch in windows.open_with_messages(connection)
            ]

        for conversation, count in await self.memory.database.write("flush", run):
            if count:
                self.world.emit(
                    "window_flushed", mind=self.name, conversation=conversation, reason=reason.value, count=count
                )

    def quiet_at(self) -> int | None:
        """When the silence will have lasted long enough, wall time; None while idle."""
        if self.state is MindState.IDLE or self.memory.last_activity_at is None:
            return None
        return self.memory.last_activity_at + round(self.settings.idle.after_s * 1000)

    def check_quiet(self) -> bool:
        """Go idle if it has been quiet long enough; True if it has."""
        due = self.quiet_at()
        if due is None or self.world.clock.now_ms() < due:
            return False
        self._fire(MindTrigger.QUIET)
        self.rounds.begin(None)
        return True

    @property
    def retry_at(self) -> int | None:
        """When a step of digestion that had to wait is tried again, wall time; None while somebody talks."""
        return self.digesting.retry_at if self.state is MindState.IDLE else None

    def check_retry(self) -> bool:
        """Digest again if a step that had to wait is due; True if it is."""
        due = self.retry_at
        if due is None or not self.is_resting or self.world.clock.now_ms() < due:
            return False
        self.rounds.begin(None)
        return True

    async def sleep(self, steps: frozenset[str] | None, *, wait: bool) -> dict[str, Any]:
        """Send the mind to idle now and digest; with `wait`, until that is done or called off."""
        self._fire(MindTrigger.SLEEP)
        number = self.rounds.begin(steps)
        if not wait:
            return {"state": self.state.value, "jobs": [], "preempted": False}
        report = await self.digested(number)
        return {"state": self.state.value, "jobs": report.jobs, "preempted": report.preempted}

    async def digested(self, number: int | None = None) -> Report:
        """Wait for the rounds of digestion that were begun."""
        return await self.rounds.done(number)

    async def sweep_due(self) -> int | None:
        """When the next link, note or detail falls due, wall time, if nobody talks till then."""
        deletes = self.settings.forgetting.deletes
        dues, purge = await self.memory.database.read(_next_dues)
        link, note, detail = (self.memory.time.wall_at(due) if due is not None else None for due in dues)
        walls = [link, note, purge] if deletes else []
        if detail is not None:
            walls.append(-(-detail // _FADING_GRAIN_MS) * _FADING_GRAIN_MS)
        walls.append(await drift.next_due(self.memory, self.world, self.settings, self.digesting.drift_rests_until))
        return min((wall for wall in walls if wall is not None), default=None)

    def sweep(self) -> bool:
        """Let an idle mind forget what fell due; False while it works."""
        if self.state is not MindState.IDLE:
            return False
        self.rounds.begin(frozenset({"sweep"}))
        return True

    @property
    def is_resting(self) -> bool:
        """Whether no round of digestion is under way or asked for."""
        return self.rounds.is_resting

    async def settled(self) -> None:
        """Wait until no background work is left: recalls, vectors, what goes on the shelf or comes back from it."""
        while True:
            counts = await self.counts()
            is_busy = counts.embed_backlog or not self.shelving.is_resting
            if not is_busy and not await self.memory.database.read(digest.pending_recalls):
                return
            if counts.embed_backlog and not self.absorbing.works:
                return
            await anyio.sleep(0.01)

    async def counts(self) -> Counts:
        return await self.memory.database.read(identity.counts)

    def _fire(self, trigger: MindTrigger) -> None:
        before = self.machine.state
        after = self.machine.fire(trigger)
        if after is not before:
            self.world.emit(
                "state_changed",
                machine="mind",
                mind=self.name,
                before=before.value,
                after=after.value,
                trigger=trigger.value,
            )

    async def checkpoint(self) -> None:
        """Move the log into the file, in a calm moment."""
        started = self.world.clock.monotonic_ms()
        wal_bytes = await self.memory.database.checkpoint()
        if wal_bytes:
            took = round(self.world.clock.monotonic_ms() - started, 1)
            self.world.emit("checkpoint_made", mind=self.name, wal_bytes=wal_bytes, ms=took)

    async def _rest(self) -> None:
        """After a round of digestion: what it made superfluous is given back, in memory and beside the file."""
        if self.state is MindState.IDLE:
            self.memory.compact()
            await anyio.to_thread.run_sync(heap.give_back)
        await self.checkpoint()

    def _wake_all(self) -> None:
        for kind in ("summary", "embed", "index", "shelve", "recall"):
            self._wake(kind)

    def _wake(self, kind: str) -> None:
        match kind:
            case "summary":
                self.summarising.wake()
            case "embed":
                self.absorbing.wake()
            case "index":
                self.indexing.wake()
            case "shelve":
                self.shelving.wake()
            case "recall":
                self.recalls.wake()
            case _:
                raise ValueError(kind)


def _open_talk(connection: Connection) -> bool:
    return bool(windows.open_with_messages(connection))


def _next_dues(connection: Connection) -> tuple[tuple[int | None, ...], int | None]:
    """(when the next link, note and detail fall due, experienced time; when the next tombstone may go, wall time)."""
    dues = links.next_due(connection), checks.next_due(connection), elements.next_due(connection)
    return dues, tombstones.next_purge_at(connection)


def cause(error: BaseException) -> SoulmemError:
    """The error of ours inside what ended a mind."""
    if isinstance(error, SoulmemError):
        return error
    inner = list(error.exceptions) if isinstance(error, BaseExceptionGroup) else []
    for each in inner:
        found = cause(each)
        if found.name is not ErrorName.INTERNAL:
            return found
    return SoulmemError(ErrorName.INTERNAL, f"this mind stopped: {type(error).__name__}: {error}")
