"""The schedule: ticks come, come again after a jump of the clock, and stop without a trace."""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime, timedelta

import pytest

from soulmem.ops.process.scheduler import INTERVALS_S, Schedule, Tick


class Collector:
    """Collects ticks and waits for them."""

    def __init__(self) -> None:
        self.ticks: list[Tick] = []
        self._changed = asyncio.Event()

    def __call__(self, tick: Tick) -> None:
        assert asyncio.get_running_loop()
        self.ticks.append(tick)
        self._changed.set()

    async def until(self, tick: Tick, count: int) -> None:
        async with asyncio.timeout(5):
            while self.ticks.count(tick) < count:
                self._changed.clear()
                await self._changed.wait()


async def test_ticks_come_at_their_intervals_and_once_when_handed_out() -> None:
    seen = Collector()
    schedule = Schedule(seen, intervals_s={Tick.IDLE_CHECK: 0.1, Tick.SWEEP: 3600})
    schedule.hand_out()
    schedule.start()
    assert seen.ticks == [Tick.IDLE_CHECK, Tick.SWEEP]
    await seen.until(Tick.IDLE_CHECK, 4)
    assert seen.ticks.count(Tick.SWEEP) == 1
    await schedule.stop()


async def test_no_tick_and_no_task_is_left_after_stop() -> None:
    seen = Collector()
    before = asyncio.all_tasks()
    schedule = Schedule(seen, intervals_s={Tick.IDLE_CHECK: 0.02})
    for _ in range(5):
        schedule.start()
        await asyncio.sleep(0.05)
        await schedule.stop()
        count = len(seen.ticks)
        await asyncio.sleep(0.05)
        assert len(seen.ticks) == count
    assert asyncio.all_tasks() == before
    await schedule.stop()
    schedule.realign()
    assert len(seen.ticks) == count


async def test_stopping_in_the_middle_of_a_tick_logs_no_error(caplog: pytest.LogCaptureFixture) -> None:
    for delay in range(20):
        schedule = Schedule(Collector(), intervals_s=dict.fromkeys(INTERVALS_S, 0.005))
        schedule.start()
        await asyncio.sleep(0.004 + delay / 5000)
        await schedule.stop()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_busy_loop_makes_ticks_late_not_doubled_and_not_lost() -> None:
    seen = Collector()
    schedule = Schedule(seen, intervals_s={Tick.IDLE_CHECK: 0.1})
    schedule.start()
    await seen.until(Tick.IDLE_CHECK, 2)
    time.sleep(1.3)  # noqa: ASYNC251 - a loop held up on purpose, longer than APScheduler's own grace of one second
    count = len(seen.ticks)
    await asyncio.sleep(0.06)
    assert len(seen.ticks) - count in {1, 2}
    await schedule.stop()


async def test_realign_brings_ticks_back_after_the_clock_was_put_back() -> None:
    seen = Collector()
    schedule = Schedule(seen, intervals_s={Tick.IDLE_CHECK: 0.1})
    schedule.start()
    # what a wall clock put back by an hour leaves behind: the next time lies an hour ahead
    assert schedule._scheduler is not None
    schedule._scheduler.modify_job(Tick.IDLE_CHECK.value, next_run_time=datetime.now(UTC) + timedelta(hours=1))
    count = len(seen.ticks)
    await asyncio.sleep(0.3)
    assert len(seen.ticks) == count
    schedule.realign()
    assert len(seen.ticks) == count + 1
    await seen.until(Tick.IDLE_CHECK, count + 3)
    await schedule.stop()


async def test_a_tick_that_fails_does_not_stop_the_others() -> None:
    seen = Collector()

    def enqueue(tick: Tick) -> None:
        seen(tick)
        if len(seen.ticks) == 2:
            raise RuntimeError("queue is full")

    schedule = Schedule(enqueue, intervals_s={Tick.IDLE_CHECK: 0.05})
    schedule.start()
    await seen.until(Tick.IDLE_CHECK, 4)
    await schedule.stop()


async def test_starting_twice_is_refused() -> None:
    schedule = Schedule(Collector(), intervals_s={Tick.CHECKPOINT: 60})
    schedule.start()
    with pytest.raises(RuntimeError, match="already started"):
        schedule.start()
    await schedule.stop()


@pytest.mark.parametrize("began", [datetime(1970, 1, 2, tzinfo=UTC), datetime(2026, 2, 28, tzinfo=UTC)])
def test_a_leap_of_the_clock_is_gone_over_in_a_step_or_two(began: datetime) -> None:
    """The library lists what is due until it comes to now; a leap of a century are thousands of millions of seconds."""
    now = datetime(2099, 3, 1, tzinfo=UTC)
    for tick, trigger in Schedule(lambda _: None)._triggers().items():
        due, steps = began, 0
        while due <= now and steps < 10:
            following = trigger.get_next_fire_time(due, now)
            assert following > due
            due, steps = following, steps + 1
        assert steps <= 3
        assert due - now <= timedelta(seconds=INTERVALS_S[tick])


def test_a_tick_that_is_a_little_late_keeps_its_turn() -> None:
    began = datetime(2026, 3, 1, tzinfo=UTC)
    trigger = Schedule(lambda _: None)._triggers()[Tick.SWEEP]
    late = began + timedelta(seconds=1.5 * INTERVALS_S[Tick.SWEEP])
    assert trigger.get_next_fire_time(began, late) == began + timedelta(seconds=INTERVALS_S[Tick.SWEEP])
