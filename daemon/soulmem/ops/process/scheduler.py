"""Scheduler: every so often a tick is handed to the daemon, which does the work in its own tasks.

The only file that knows APScheduler, because its jobs live outside every task group and its shutdown cancels what
runs. Invariants: a job does nothing but enqueue a tick; a tick that was missed (suspend, a busy loop) comes once,
late, and is never skipped or doubled. Heartbeat and watchdog are not here: they must not follow the wall clock,
by which APScheduler computes its times. The library is loaded by `prepare` or `start`: nobody waits for ticks, and a
start of the daemon would be a fifteenth longer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

import anyio.lowlevel
import anyio.to_thread

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler
    from apscheduler.triggers.interval import IntervalTrigger


class Tick(StrEnum):
    """What may be due."""

    IDLE_CHECK = "idle_check"  # has any mind been quiet long enough?
    SWEEP = "sweep"  # has anything crossed its forgetting time, in open or closed minds?
    CHECKPOINT = "checkpoint"  # fold write-ahead logs into their files
    RETENTION = "retention"  # purge what was forgotten long ago


INTERVALS_S: Mapping[Tick, float] = MappingProxyType(
    {Tick.IDLE_CHECK: 1.0, Tick.CHECKPOINT: 600.0, Tick.SWEEP: 3600.0, Tick.RETENTION: 86_400.0}
)


class Schedule:
    """Hands out ticks while started.

    Args:
        enqueue: called in the event loop with each tick; must return at once.
        intervals_s: seconds between ticks; a tick that is not named never comes.
    """

    def __init__(self, enqueue: Callable[[Tick], None], *, intervals_s: Mapping[Tick, float] = INTERVALS_S) -> None:
        self._enqueue = enqueue
        self._intervals_s = dict(intervals_s)
        self._scheduler: AsyncIOScheduler | None = None

    async def prepare(self) -> None:
        """Load the library in a thread, so that `start` returns at once."""
        for name in ("schedulers.asyncio", "triggers.interval"):
            await anyio.to_thread.run_sync(import_module, f"apscheduler.{name}")

    def start(self) -> None:
        """Start in the running event loop."""
        if self._scheduler is not None:
            raise RuntimeError("the schedule is already started")
        from apscheduler.schedulers.asyncio import AsyncIOScheduler  # noqa: PLC0415  # see the module's first paragraph

        # UTC: the local zone is of no use to intervals, and finding it fails in bare containers
        self._scheduler = AsyncIOScheduler(
            timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )
        for tick, trigger in self._triggers().items():
            self._scheduler.add_job(self._hand_over, trigger, args=(tick,), id=tick.value, name=tick.value)
        self._scheduler.start()

    def hand_out(self) -> None:
        """Hand out every interval's tick once, for what fell due meanwhile."""
        for tick in self._intervals_s:
            self._enqueue(tick)

    def _triggers(self) -> dict[Tick, IntervalTrigger]:
        from apscheduler.triggers.interval import IntervalTrigger  # noqa: PLC0415  # see the module's first paragraph

        class SkippingTrigger(IntervalTrigger):  # type: ignore[misc,unused-ignore]  # the library has no types
            """Of the times that a leap of the clock went over only the last counts: the library lists each of them, in
            the event loop, and a machine that starts in 1970 has slept through a thousand million seconds."""

            def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime | None:
                if previous_fire_time is not None and now - previous_fire_time > 2 * self.interval:
                    previous_fire_time = now - self.interval
                found: datetime | None = super().get_next_fire_time(previous_fire_time, now)
                return found

        return {tick: SkippingTrigger(seconds=seconds, timezone=UTC) for tick, seconds in self._intervals_s.items()}

    async def _hand_over(self, tick: Tick) -> None:
        # a coroutine, because APScheduler runs plain functions in a thread of its own
        if self._scheduler is not None:
            self._enqueue(tick)

    def realign(self) -> None:
        """Compute all times anew and hand out every interval's tick; call it after the wall clock jumped.

        A clock put back by an hour would otherwise stall every tick for that hour.
        """
        if self._scheduler is None:
            return
        for tick, trigger in self._triggers().items():
            self._scheduler.reschedule_job(tick.value, trigger=trigger)
        self.hand_out()

    async def stop(self) -> None:
        """Stop; no tick comes after this was called. Harmless when not started."""
        scheduler, self._scheduler = self._scheduler, None
        if scheduler is None:
            return
        scheduler.remove_all_jobs()
        # what was begun ends by itself at its next turn; a shutdown would cancel it and log an error
        await anyio.lowlevel.checkpoint()
        scheduler.shutdown(wait=False)
        # the shutdown is only a callback in the loop: let it happen before the loop may close
        await anyio.lowlevel.checkpoint()
        await anyio.lowlevel.checkpoint()
