"""Ticks: what happens to minds because time passes, and what the daemon believes about its clock.

Made by `daemon`, which runs its two watches; the methods `clock.*` call it. The schedule's ticks, or the steps of the
simulated clock, come in here and reach every mind they concern. Invariants: what falls due happens in its order; a mind
whose storage fails holds up no other; while the clock is suspect nothing is forgotten, and the time that a restart
compares with is not stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import anyio

from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_api import Mind
from soulmem.minds.registry import MindRegistry
from soulmem.minds.state_machines import MindState
from soulmem.ops.process.clock import JumpKind, SimulatedClock, SystemClock
from soulmem.ops.process.scheduler import Schedule, Tick
from soulmem.ports import Emit
from soulmem.store.journal import call_ledger, catalog, digestion_jobs
from soulmem.store.journal.catalog_file import CatalogFile

_CLOCK_CHECK_S = 5.0
_SWEEP_GRAIN_MS = 3_600_000  # what falls due within one hour is swept together


class MindTicks:
    """Ticks, due times and the clock of one daemon. `schedule` is its caller's to start and to stop."""

    def __init__(self, minds: MindRegistry, clock: SystemClock | SimulatedClock, emit: Emit, book: CatalogFile) -> None:
        self._minds = minds
        self._clock = clock
        self._emit = emit
        self._book = book
        self._ticks: asyncio.Queue[Tick] = asyncio.Queue()
        self.schedule = Schedule(self._ticks.put_nowait)

    async def work_ticks(self) -> None:
        """Do what ticks ask for, one after another, until cancelled."""
        while True:
            tick = await self._ticks.get()
            try:
                await self._work(tick)
            except SoulmemError as error:  # what one tick failed of must not end those to come
                self._emit("job_failed", mind="", job="", step=tick.value, error=error.message)

    async def _work(self, tick: Tick) -> None:
        match tick:
            case Tick.IDLE_CHECK:
                for mind in self._minds.open_minds:
                    mind.life.check_quiet()
                    mind.life.check_retry()
                await self._minds.close_rested()
            case Tick.SWEEP:
                await self._sweep_due(self._clock.now_ms())
            case Tick.CHECKPOINT:
                await self._in_each(lambda mind: mind.life.checkpoint())
            case Tick.RETENTION:
                await self._in_each(self._drop_old)

    async def _in_each(self, work: Callable[[Mind], Awaitable[None]]) -> None:
        """Do this in every open mind.

        Raises SoulmemError: what the first failed of that did; the others had their turn all the same.
        """
        failed: list[SoulmemError] = []
        for mind in self._minds.open_minds:
            try:
                await work(mind)
            except SoulmemError as error:
                if error.name is not ErrorName.STOPPING:  # a mind that was closed meanwhile needs nothing
                    failed.append(error)
        if failed:
            raise failed[0]

    async def _drop_old(self, mind: Mind) -> None:
        now = self._clock.trusted_now_ms()  # of a clock that jumped nothing must run out
        await mind.memory.database.write("keys", lambda connection: digestion_jobs.drop_old_keys(connection, now))
        await mind.memory.database.write("answers", lambda connection: call_ledger.forget_answers(connection, now))

    async def _sweep_due(self, now: int) -> int:
        """Let idle minds forget what fell due, opening those that are closed; returns how many.

        Raises SoulmemError: what the first failed of that did; the others had their turn all the same.
        """
        swept = 0
        await self.check_clock()
        if self._clock.suspect:
            return swept  # nothing irreversible happens now; what is due stays due
        failed: list[SoulmemError] = []
        for entry in await self._minds.entries():
            if entry.due_at is None or _grain(entry.due_at) > now:
                continue
            try:
                async with self._minds.use(entry.mind) as mind:
                    if mind.life.sweep():
                        swept += 1
                        await mind.life.wait_digested()
                        await self._minds.catalogue(mind)
            except SoulmemError as error:
                failed.append(error)
        if failed:
            raise failed[0]
        return swept

    async def advance(self, target: int, step: Callable[[int], Awaitable[None]]) -> tuple[int, list[str]]:
        """Walk the simulated clock to `target`, letting everything happen in its order.

        A mind that is talked to meanwhile stays awake and is not waited for, or this would last as long as the talk.

        Args: step: moves the clock by milliseconds and stores the time, so that a crash resumes what fell due then.
        Returns: (events fired, digestion jobs run).
        """
        fired = 0
        done: list[str] = []
        clock = self._clock
        began = clock.monotonic_ms()
        await self.check_clock()
        await self._minds.awake_unfinished()
        while True:
            for mind in self._minds.open_minds:
                await mind.workers.wait_settled(partial(mind.life.is_talked_to_since, began))
                if not mind.life.is_resting:
                    done += (await mind.life.wait_digested()).jobs
            due = await self._next_event(began)
            if due is None or due > target:
                break
            await step(max(0, due - clock.now_ms()))
            for mind in self._silent_since(began):
                if mind.life.check_quiet() or mind.life.check_retry():
                    fired += 1
                    report = await mind.life.wait_digested()
                    done += report.jobs
            swept = await self._sweep_due(clock.now_ms())
            fired += swept
            if swept == 0 and due == await self._next_event(began) and clock.now_ms() >= due:
                break  # a clock that is suspect lets nothing be forgotten
        await step(max(0, target - clock.now_ms()))
        await self.check_clock()
        return fired, done

    def _silent_since(self, began_ms: float) -> list[Mind]:
        return [mind for mind in self._minds.open_minds if not mind.life.is_talked_to_since(began_ms)]

    async def _next_event(self, began_ms: float) -> int | None:
        """When something will happen if nobody talks: a silence that lasts long enough, a memory that fades."""
        silent = self._silent_since(began_ms)
        dues = [due for mind in silent if (due := mind.life.quiet_at()) is not None]
        dues += [due for mind in silent if (due := mind.life.retry_at) is not None]
        dues += [
            _grain(entry.due_at)
            for entry in await self._minds.entries()
            if entry.due_at is not None and entry.state == MindState.IDLE
        ]
        return min(dues) if dues else None

    async def watch_clock(self) -> None:
        """Look at the clock every so often, until cancelled."""
        while True:
            await anyio.sleep(_CLOCK_CHECK_S)
            await self.check_clock()

    async def check_clock(self) -> None:
        """Report every change of belief about the clock; after an accepted one, experienced time follows.

        One that takes back a leap was wrong since that: what was forgotten on it comes back.
        """
        while (news := self._clock.check()) is not None:
            if news.kind is JumpKind.SUSPECT:
                self._emit("clock_jumped", by_ms=news.delta_ms)
                self.schedule.realign()
                continue
            self._emit("clock_trusted", suspect_ms=abs(news.delta_ms))
            if news.kind is not JumpKind.ACCEPTED:
                continue
            before, after = news.before_ms, news.after_ms
            wrong = None
            with suppress(SoulmemError):  # a full disk: then experienced time follows alone
                wrong = await self._book.write("clock", partial(catalog.step_clock, before_ms=before, after_ms=after))
            if wrong is not None:
                await self._minds.reopen(reason="clock")
            elif news.delta_ms < 0:
                self._follow_clock(before_ms=before, after_ms=after)

    async def note_time(self) -> None:
        """Store the time, so that a restart notices a clock that was put back."""
        if self._clock.suspect:
            return
        now = str(self._clock.now_ms())
        with suppress(SoulmemError):  # a full disk: the next beat tries again
            await self._book.write("last_seen", lambda connection: catalog.set_fact(connection, "last_seen_ms", now))

    def _follow_clock(self, *, before_ms: int, after_ms: int) -> None:
        """The wall clock was set back for good: experienced time goes on from where it was."""
        for mind in self._minds.open_minds:
            mind.memory.clock.rebase(before_ms=before_ms, after_ms=after_ms)


def _grain(due_at: int) -> int:
    """The sweep that a due time belongs to: the next full hour."""
    return -(-due_at // _SWEEP_GRAIN_MS) * _SWEEP_GRAIN_MS
