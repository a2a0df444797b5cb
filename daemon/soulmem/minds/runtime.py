"""The life of a mind: its machine, its workers, its rounds of digestion.

Part of a `Mind`, run by `registry`. `request` is called by everything that counts as talk and calls digestion off;
silence or `sleep` sends the mind to idle, where it digests. The workers run in one task group and end with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import anyio
import anyio.abc

from soulmem.core.conversation.sliding_window import JobReason
from soulmem.errors import ErrorName, SoulmemError
from soulmem.idle.replay import replay_step
from soulmem.idle.run.digestion import NIGHT
from soulmem.idle.run.digestion_needs import Report
from soulmem.idle.run.digestion_queue import DigestionQueue
from soulmem.idle.upkeep import drift_step
from soulmem.minds.state_machines import MindLifecycle, MindState, MindTrigger
from soulmem.minds.workers import CurrentSettings, MindWorkers
from soulmem.ops.process import process_memory
from soulmem.ops.settings.config_loader import Config
from soulmem.ops.settings.setting_sections import fading_of
from soulmem.ports import World
from soulmem.store.conversation_state import window_state
from soulmem.store.graph import link_rows
from soulmem.store.journal import step_quarantine
from soulmem.store.messages import amendments
from soulmem.store.notes import element_rows, retention_queue
from soulmem.store.revision import drift_writes, tombstones
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_metadata import Counts, Identity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.text_memo import forget_texts
from soulmem.working.runtime.backpressure import Pace

# What fades within these six hours is swept together: a mind with many notes would be woken every hour. Who searches
# meanwhile does not wait for that.
_FADING_GRAIN_MS = 6 * 3_600_000


class MindRuntime:
    """Whether an open mind works or digests, and what its `workers` do when."""

    def __init__(self, memory: OpenMind, world: World, config: Config, pace: Pace) -> None:
        self._memory = memory
        self._world = world
        self._config = config
        self._pace = pace
        self.settings = CurrentSettings(memory, config)
        self.workers = MindWorkers(memory, world, config, self.settings, pace, self._rederive)
        self.is_hosted = False
        self.failure: SoulmemError | None = None  # what it died of
        self.machine = MindLifecycle()
        self.rounds = DigestionQueue(
            self.workers.digesting, is_idle=lambda: self.state is MindState.IDLE, rest=self._rest, gone=self._gone,
            failed=self._round_failed,
        )  # fmt: skip
        self._index_turn = anyio.Lock()
        self._indexed_digested: bool | None = None  # whether the index holds digested messages; None: there is none yet
        self._scope: anyio.CancelScope | None = None
        self._dues: tuple[int | None, int | None] = (None, None)  # when it forgets, and goes over its day, wall time
        self._talked_ms: float | None = None  # when somebody last talked, monotonic
        self.closed = anyio.Event()

    @property
    def state(self) -> MindState:
        return self.machine.state

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Run the workers until `stop`; the file is closed when this returns."""
        try:
            await self._fit()
            if await self._memory.database.read(_open_talk):
                self.machine.fire(MindTrigger.REQUEST)
            elif await self._memory.database.read(window_state.frozen):
                self.rounds.begin(None)
            elif await self._memory.database.read(amendments.due):
                self._rederive()
            async with anyio.create_task_group() as group:
                self._scope = group.cancel_scope
                self.workers.start(group, self.rounds.run)
                group.start_soon(self._load_index)
                group.start_soon(self._load_graph)
                self.is_hosted = True
                task_status.started()
        except Exception as error:
            self.failure = cause(error)
            raise
        finally:
            with anyio.CancelScope(shield=True):
                await self._memory.close(self.failure)
            self.closed.set()
            self.rounds.end()

    async def stop(self) -> None:
        """End the workers, finish what the writer has, close the file; what was read of its texts is let go."""
        if self._scope is not None:
            self._scope.cancel()
            self.workers.digesting.abandon()
        await self.closed.wait()
        self._world.embedding.forget()
        await anyio.to_thread.run_sync(_let_go_of_texts)

    def _gone(self) -> SoulmemError | None:
        """Why nobody will digest any more; None while somebody does."""
        if not self.closed.is_set():
            return None
        return self.failure or SoulmemError(ErrorName.STOPPING, f"{self._memory.name} was closed", retry_after_ms=1000)

    def _round_failed(self, error: SoulmemError) -> None:
        self._world.emit("job_failed", mind=self._memory.name, job="", step="digest", error=error.message[:200])

    async def become(self, who: Identity) -> None:
        """Take over a changed identity; where that changes what can be recalled, load it anew."""
        self._memory.become(who)
        self.settings.apply()
        await self._load_index()
        self.workers.shelving.wake()

    async def reconfigure(self) -> None:
        """Take over a configuration that was read anew."""
        self.settings.apply()
        await self._fit()
        await self.become(self._memory.who)

    async def _fit(self) -> None:
        """The elements in the file fade by the settings there are now: the configuration may have changed."""
        fading = fading_of(self.settings().forgetting)
        if await self._memory.database.read(element_rows.fading) != fading:
            now_exp = self._memory.now(self._world.clock.trusted_now_ms())
            with suppress(SoulmemError):  # a full disk keeps nobody from reading; they fade as before meanwhile
                await self._memory.database.write(
                    "fit", lambda connection: element_rows.refit(connection, fading, now_exp)
                )

    async def _load_index(self) -> None:
        """Let the index hold what the settings of now want recalled, those that change while it is loaded included."""
        async with self._index_turn:
            while self._indexed_digested != (wanted := self.settings().recall.digested_messages):
                self._memory.replace_index(None)
                await self._memory.load_index(hide_digested=not wanted, most_rows=self._config.memory.max_rows_in_ram)
                self._indexed_digested = wanted
                await anyio.to_thread.run_sync(process_memory.give_back)

    async def _load_graph(self) -> None:
        await self._memory.load_graph(
            most_links=self._config.memory.max_links_in_ram, dimension=self._world.embedding.embedder.dimension
        )

    async def request(self) -> None:
        """Somebody talks: the mind works, digestion is called off."""
        self._pace.touch()
        clock = self._world.clock
        self._talked_ms = clock.monotonic_ms()
        await self._memory.clock.touch(clock.now_ms(), clock.trusted_now_ms())
        if self.state is not MindState.WORKING:  # a request while working only renews the activity
            self.workers.digesting.call_off()
            self._fire(MindTrigger.REQUEST)

    def is_talked_to_since(self, began_ms: float) -> bool:
        """Whether somebody talked after that moment, monotonic."""
        return self._talked_ms is not None and self._talked_ms >= began_ms

    async def flush(self, reason: JobReason) -> None:
        """Assign everything fresh in every conversation to a summary job, as if all windows had slid out."""
        now = self._world.clock.now_ms()

        def run(connection: Connection) -> list[tuple[str, int]]:
            return [
                (epoch.conversation_name, window_state.flush(connection, epoch.conversation, reason, now))
                for epoch in window_state.open_with_messages(connection)
            ]

        for conversation, count in await self._memory.database.write("flush", run):
            if count:
                self._world.emit(
                    "window_flushed",
                    mind=self._memory.name,
                    conversation=conversation,
                    reason=reason.value,
                    count=count,
                )

    def quiet_at(self) -> int | None:
        """When the silence will have lasted long enough, wall time; None while idle."""
        if self.state is MindState.IDLE or self._memory.clock.last_activity_at is None:
            return None
        return self._memory.clock.last_activity_at + round(self.settings().idle.after_s * 1000)

    def check_quiet(self) -> bool:
        """Go idle if it has been quiet long enough; True if it has."""
        due = self.quiet_at()
        if due is None or self._world.clock.now_ms() < due:
            return False
        self._fire(MindTrigger.QUIET)
        self.rounds.begin(None)
        return True

    @property
    def retry_at(self) -> int | None:
        """When a step of digestion that had to wait is tried again, wall time; None while somebody talks."""
        return self.workers.digesting.retry_at if self.state is MindState.IDLE else None

    def check_retry(self) -> bool:
        """Digest again if a step that had to wait is due; True if it is."""
        due = self.retry_at
        if due is None or not self.is_resting or self._world.clock.now_ms() < due:
            return False
        self.rounds.begin(None)
        return True

    async def sleep(self, steps: frozenset[str] | None, *, wait: bool) -> dict[str, Any]:
        """Send the mind to idle now and digest; with `wait`, until that is done or called off."""
        self._fire(MindTrigger.SLEEP)
        number = self.rounds.begin(steps)
        if not wait:
            return {"state": self.state.value, "jobs": [], "preempted": False}
        report = await self.wait_digested(number)
        return {"state": self.state.value, "jobs": report.jobs, "preempted": report.preempted}

    async def retry(self, ids: Sequence[str] | None) -> list[str]:
        """Let steps that are set aside be tried again, all or those of `ids`; their ids."""
        released = await self._memory.database.write(
            "job.retry", lambda connection: step_quarantine.release(connection, ids)
        )
        released += await self.workers.release_underway(ids)
        if released:
            self.workers.summarising.wake()
            if self.state is MindState.IDLE:
                self.rounds.begin(None)
        return released

    async def wait_digested(self, number: int | None = None) -> Report:
        """Wait for the rounds of digestion that were begun."""
        return await self.rounds.done(number)

    async def standing(self) -> tuple[Counts, int | None]:
        """What is in the file, and when the next link, note or detail falls due, wall time, if nobody talks till then.

        Nothing falls due for a step that is set aside: it would be found due, and not done, for ever.
        """
        settings = self.settings()
        drifts = drift_step.is_on(self._memory, settings)
        now_exp = self._memory.now(self._world.clock.trusted_now_ms()) if drifts else None
        # Read at once: whoever asks how all minds stand waits for each of them.
        counts, aside, dues, purge, drift = await self._memory.database.read(_stock, now_exp)
        link, note, detail, drift = (
            self._memory.time.wall_at(due) if due is not None else None for due in (*dues, drift)
        )
        walls: list[int | None] = []
        if "sweep" not in aside:
            walls += [link, note, purge] if settings.forgetting.deletes else []
            walls += [-(-detail // _FADING_GRAIN_MS) * _FADING_GRAIN_MS] if detail is not None else []
        if "drift" not in aside and drift is not None:
            walls.append(max(drift, self.workers.digesting.drift_rests_until))
        night, active = None, self._memory.clock.last_activity_at
        if "replay" not in aside and (at := await self._memory.database.read(replay_step.due_at, settings, active)):
            night = max(at, self.workers.digesting.replay_rests_until)
        self._dues = min((wall for wall in walls if wall is not None), default=None), night
        return counts, min((wall for wall in self._dues if wall is not None), default=None)

    def sweep(self) -> bool:
        """Let an idle mind do what fell due: forget, or go over its day; False while it works."""
        if self.state is not MindState.IDLE:
            return False
        (due, night), now = self._dues, self._world.clock.now_ms()
        is_night = night is not None and night <= now and (due is None or due > now)
        return bool(self.rounds.begin(NIGHT if is_night else NIGHT | {"sweep"}))

    def _rederive(self) -> None:
        """What was made of words that were changed is made anew, at once by a mind that is idle."""
        if self.state is MindState.IDLE:
            self.rounds.begin(frozenset({"rederive"}))

    @property
    def is_resting(self) -> bool:
        """Whether no round of digestion is under way or asked for."""
        return self.rounds.is_resting

    def _fire(self, trigger: MindTrigger) -> None:
        before = self.machine.state
        after = self.machine.fire(trigger)
        if after is not before:
            self._world.emit(
                "state_changed",
                machine="mind",
                mind=self._memory.name,
                before=before.value,
                after=after.value,
                trigger=trigger.value,
            )

    async def checkpoint(self) -> None:
        """Move the log into the file, in a calm moment."""
        started = self._world.clock.monotonic_ms()
        wal_bytes = await self._memory.database.checkpoint()
        if wal_bytes:
            took = round(self._world.clock.monotonic_ms() - started, 1)
            self._world.emit("checkpoint_made", mind=self._memory.name, wal_bytes=wal_bytes, ms=took)

    async def _rest(self) -> None:
        """After a round of digestion: what it made superfluous is given back, in memory and beside the file."""
        if self.state is MindState.IDLE:
            self._memory.compact()
            await self._memory.database.give_back()
            await anyio.to_thread.run_sync(process_memory.give_back)
        await self.checkpoint()


def _let_go_of_texts() -> None:
    if forget_texts():
        process_memory.give_back()


def _open_talk(connection: Connection) -> bool:
    return bool(window_state.open_with_messages(connection))


def _stock(
    connection: Connection, drift_at: int | None
) -> tuple[Counts, frozenset[str], tuple[int | None, ...], int | None, int | None]:
    """Counts, steps set aside, when the next link, note and detail fall due, when a tombstone may go, when one drifts.

    Args: drift_at: experienced time; None where nothing drifts.
    """
    dues = link_rows.next_due(connection), retention_queue.next_due(connection), element_rows.next_due(connection)
    return (
        mind_metadata.counts(connection), step_quarantine.steps(connection), dues, tombstones.next_purge_at(connection),
        drift_writes.next_due(connection, drift_at) if drift_at is not None else None,
    )  # fmt: skip


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
