"""The breaker: every state and every event, and the promises it makes whatever happens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.llm.endpoint.circuit_breaker import HOUR_MS, Breaker, State


def opened(at: float = 0.0, failures: int = 3) -> Breaker:
    breaker = Breaker()
    for _ in range(failures):
        assert breaker.enter(at)
        breaker.failed(at)
    return breaker


def test_it_opens_after_three_failures_in_a_row() -> None:
    breaker = Breaker()
    assert [breaker.failed(0), breaker.failed(0)] == [None, None]
    breaker.succeeded()
    assert [breaker.failed(0), breaker.failed(0), breaker.failed(0)] == [None, None, 30_000]
    assert breaker.state(29_999) is State.OPEN
    assert not breaker.admits(29_999)
    assert breaker.left_ms(10_000) == 20_000


def test_one_probe_at_a_time() -> None:
    breaker = opened()
    assert breaker.state(30_000) is State.HALF_OPEN
    assert breaker.enter(30_000)
    assert not breaker.enter(30_000)
    assert not breaker.admits(99_000)


def test_a_probe_that_answers_closes_it() -> None:
    breaker = opened()
    breaker.enter(30_000)
    assert breaker.succeeded()
    assert breaker.state(30_000) is State.CLOSED
    assert not breaker.succeeded()
    assert breaker.failed(30_000) is None


def test_each_probe_that_fails_doubles_the_pause_up_to_ten_minutes() -> None:
    breaker, now, pauses = opened(), 30_000.0, []
    for _ in range(7):
        assert breaker.enter(now)
        pause = breaker.failed(now)
        assert pause is not None
        pauses.append(pause)
        now += pause
    assert pauses == [60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000]
    breaker.enter(now)
    breaker.succeeded()
    assert [breaker.failed(now) for _ in range(3)] == [None, None, 30_000]


def test_a_probe_that_was_called_off_leaves_room_for_the_next() -> None:
    breaker = opened()
    breaker.enter(30_000)
    breaker.abandoned()
    assert breaker.enter(30_000)
    closed = Breaker()
    closed.abandoned()
    assert closed.state(0) is State.CLOSED


@pytest.mark.parametrize(("told", "pause"), [(45_000, 45_000), (1_000, 1_000), (1e12, HOUR_MS)])
def test_an_endpoint_that_names_a_time_is_left_alone_for_it(told: float, pause: float) -> None:
    breaker = Breaker()
    assert breaker.failed(0, retry_after_ms=told) == pause
    assert not breaker.admits(pause - 1)
    assert breaker.admits(pause)


def test_a_late_failure_does_not_open_it_twice() -> None:
    breaker = opened()
    assert breaker.failed(5_000) is None
    assert breaker.left_ms(5_000) == 25_000
    assert breaker.failed(5_000, retry_after_ms=60_000) is None
    assert breaker.left_ms(5_000) == 60_000


@given(
    st.lists(st.tuples(st.sampled_from(["enter", "succeeded", "failed", "told", "abandoned"]), st.integers(0, 90_000)))
)
def test_whatever_happens_it_keeps_its_promises(events: list[tuple[str, int]]) -> None:
    breaker, now = Breaker(), 0.0
    for event, later in events:
        now += later
        before = breaker.state(now)
        match event:
            case "enter":
                admitted = breaker.admits(now)
                assert breaker.enter(now) is admitted
                assert before is not State.OPEN or not admitted
                assert before is State.CLOSED or not breaker.admits(now)
            case "succeeded":
                assert breaker.succeeded() is (before is not State.CLOSED)
            case "failed":
                breaker.failed(now)
            case "told":
                breaker.failed(now, retry_after_ms=1e15)
            case "abandoned":
                breaker.abandoned()
        assert 0 <= breaker.left_ms(now) <= HOUR_MS
        assert breaker.admits(now + HOUR_MS) or breaker.state(now) is State.HALF_OPEN
        if breaker.left_ms(now) > 0:
            assert not breaker.admits(now)
