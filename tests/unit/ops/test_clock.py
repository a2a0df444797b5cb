"""Suspicion: what makes a clock suspect, what ends it, and that trusted time shows no trace of a detour."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS, MINUTE_MS
from soulmem.core.calendar.experienced_time import born
from soulmem.core.decay.traces import Trace
from soulmem.ops.process.clock import ClockJump, JumpKind, SimulatedClock

START = 1_700_000_000_000


def news(clock: SimulatedClock) -> list[tuple[str, int]]:
    found = iter(clock.check, None)
    return [(each.kind.value, each.delta_ms) for each in found if each is not None]


def test_it_stands_still_until_told() -> None:
    clock = SimulatedClock(START)
    assert clock.now_ms() == clock.now_ms() == START
    clock.advance(90_000)
    assert clock.now_ms() == clock.trusted_now_ms() == START + 90_000
    with pytest.raises(ValueError, match="forward only"):
        clock.advance(-1)


def test_a_long_advance_is_not_a_jump() -> None:
    clock = SimulatedClock(START)
    clock.advance(400 * DAY_MS)
    assert not clock.suspect
    assert news(clock) == []


@pytest.mark.parametrize("step", [-2 * MINUTE_MS, -1, 1, HOUR_MS])
def test_small_corrections_are_followed(step: int) -> None:
    clock = SimulatedClock(START)
    clock.jump(step)
    assert not clock.suspect
    assert clock.trusted_now_ms() == START + step


@every_row([-2 * MINUTE_MS - 1, -HOUR_MS, HOUR_MS + 1, 30 * DAY_MS, -START, 2_366_841_600_000])
def test_a_jump_is_suspect_and_trusted_time_runs_on(step: int) -> None:
    clock = SimulatedClock(START)
    clock.jump(step)
    assert clock.suspect
    clock.advance(10 * MINUTE_MS)
    assert clock.trusted_now_ms() == START + 10 * MINUTE_MS
    assert clock.now_ms() == START + step + 10 * MINUTE_MS
    assert news(clock) == [("suspect", step)]


def test_coming_back_ends_the_suspicion() -> None:
    clock = SimulatedClock(START)
    clock.jump(30 * DAY_MS)
    clock.advance(MINUTE_MS)
    clock.jump(-30 * DAY_MS + 1_000)
    assert not clock.suspect
    assert clock.trusted_now_ms() == START + MINUTE_MS + 1_000
    assert news(clock) == [("suspect", 30 * DAY_MS), ("recovered", 1_000)]


def test_an_hour_of_steady_running_is_believed() -> None:
    clock = SimulatedClock(START)
    clock.jump(30 * DAY_MS)
    clock.advance(HOUR_MS - 1)
    assert clock.suspect
    clock.advance(1)
    assert not clock.suspect
    assert clock.trusted_now_ms() == clock.now_ms() == START + 30 * DAY_MS + HOUR_MS
    assert clock.check() == ClockJump(JumpKind.SUSPECT, 30 * DAY_MS, START, START + 30 * DAY_MS)
    assert clock.check() == ClockJump(JumpKind.ACCEPTED, 30 * DAY_MS, START + HOUR_MS, START + 30 * DAY_MS + HOUR_MS)
    assert clock.check() is None


def test_a_second_jump_begins_the_hour_anew() -> None:
    clock = SimulatedClock(START)
    clock.jump(30 * DAY_MS)
    clock.advance(50 * MINUTE_MS)
    clock.jump(5 * DAY_MS)
    clock.advance(50 * MINUTE_MS)
    assert clock.suspect
    clock.advance(10 * MINUTE_MS)
    assert not clock.suspect


def test_a_clock_behind_its_last_life_is_suspect_from_the_start() -> None:
    last_seen = START + 5 * DAY_MS
    clock = SimulatedClock(START, last_seen_ms=last_seen)
    assert clock.suspect
    clock.advance(MINUTE_MS)
    assert clock.trusted_now_ms() == last_seen + MINUTE_MS
    assert news(clock) == [("suspect", -5 * DAY_MS)]
    assert not SimulatedClock(START, last_seen_ms=START + MINUTE_MS).suspect, "within tolerance"
    assert not SimulatedClock(START, last_seen_ms=START - 90 * DAY_MS).suspect, "it was simply off"


def test_a_jump_and_back_leaves_stored_strengths_alone() -> None:
    clock, mind = SimulatedClock(START), born(START)
    link = Trace(0.6, START, 7 * DAY_MS)
    for step in (-HOUR_MS, 30 * DAY_MS, -START, 2_366_841_600_000):
        clock.jump(step)
        mind = mind.touch(clock.trusted_now_ms())
        assert link.strength(mind.at(clock.trusted_now_ms())) == 0.6
        clock.jump(-step)
        assert not clock.suspect
        assert mind.touch(clock.trusted_now_ms()) == born(START)


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("advance"), st.integers(0, 50 * MINUTE_MS)),
            st.tuples(st.just("jump"), st.integers(-(10**12), 10**12)),
        ),
        max_size=15,
    )
)
def test_detours_shorter_than_the_settling_hour_leave_no_trace(life: list[tuple[str, int]]) -> None:
    """Every jump is taken back before an hour has passed: afterwards trusted time is what really passed."""
    clock, passed = SimulatedClock(START), 0
    for kind, amount in life:
        if kind == "advance":
            clock.advance(amount)
            passed += amount
        else:
            clock.jump(amount)
            clock.advance(amount % (40 * MINUTE_MS))
            passed += amount % (40 * MINUTE_MS)
            clock.jump(-amount)
    assert not clock.suspect
    assert clock.now_ms() == clock.trusted_now_ms() == START + passed
