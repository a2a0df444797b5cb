"""What every clock promises, real and simulated alike."""

from __future__ import annotations

import time

import pytest

from soulmem.ops.process.clock import SimulatedClock, SystemClock
from soulmem.ports import Clock

START = 1_700_000_000_000


@pytest.fixture(params=["system", "simulated"])
def clock(request: pytest.FixtureRequest) -> SystemClock | SimulatedClock:
    return SystemClock() if request.param == "system" else SimulatedClock(START)


def test_it_is_a_clock(clock: SystemClock | SimulatedClock) -> None:
    port: Clock = clock
    assert isinstance(port.now_ms(), int)
    assert port.suspect is False
    assert port.trusted_now_ms() == pytest.approx(port.now_ms(), abs=1_000)
    assert clock.check() is None


def test_time_does_not_run_backwards(clock: SystemClock | SimulatedClock) -> None:
    readings = [clock.trusted_now_ms() for _ in range(100)]
    assert readings == sorted(readings)


def test_monotonic_time_is_real(clock: SystemClock | SimulatedClock) -> None:
    before = clock.monotonic_ms()
    time.sleep(0.005)
    assert 5 <= clock.monotonic_ms() - before < 5_000


def test_a_stored_time_of_the_far_future_makes_it_suspect() -> None:
    last_seen = SystemClock().now_ms() + 86_400_000
    clock = SystemClock(last_seen_ms=last_seen)
    assert clock.suspect
    assert clock.trusted_now_ms() == pytest.approx(last_seen, abs=1_000)
    assert not SystemClock(last_seen_ms=SystemClock().now_ms()).suspect


def test_only_one_of_them_is_simulated() -> None:
    assert not SystemClock().simulated
    assert SimulatedClock(START).simulated
    assert SystemClock().now_ms() == pytest.approx(time.time() * 1_000, abs=1_000)
