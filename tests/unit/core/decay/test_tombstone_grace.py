"""Presence: the month in which something can be brought back runs while somebody is there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soulmem.cli.commands.forgotten import purged_lines
from soulmem.core.decay.pruning_policy import present_ms

MOMENTS = st.integers(0, 10_000)
ACTIVITY = st.lists(MOMENTS, max_size=30)


def test_a_silence_adds_no_more_than_its_beginning() -> None:
    assert present_ms([100], 100, 200, lasts_ms=30) == 30
    assert present_ms([100, 500], 100, 1_000, lasts_ms=30) == 60
    assert present_ms([100, 110, 120], 100, 1_000, lasts_ms=30) == 50
    assert present_ms([], 0, 1_000, lasts_ms=30) == 0
    assert present_ms([90], 100, 1_000, lasts_ms=30) == 20, "who spoke just before is still there"


@given(activity=ACTIVITY, since=MOMENTS, passed=MOMENTS, lasts=st.integers(1, 500))
def test_presence_is_what_lies_within_reach_of_an_activity(
    activity: list[int], since: int, passed: int, lasts: int
) -> None:
    until = since + passed
    counted = sum(any(at <= moment < at + lasts for at in activity) for moment in range(since, until))
    assert present_ms(activity, since, until, lasts_ms=lasts) == counted


@given(activity=ACTIVITY, since=MOMENTS, passed=MOMENTS, more=MOMENTS, lasts=st.integers(1, 500))
def test_presence_never_falls(activity: list[int], since: int, passed: int, more: int, lasts: int) -> None:
    before = present_ms(activity, since, since + passed, lasts_ms=lasts)
    assert before <= present_ms(activity, since, since + passed + more, lasts_ms=lasts) <= before + more


def test_what_went_for_good_is_told_by_kind_and_count() -> None:
    gone = {"first_at": "2026-03-01T08:00:00Z", "last_at": "2026-04-01T08:00:00Z"}
    lines = purged_lines([
        {"item": "note", "kind": "episodic", "reason": "forgotten", "count": 3} | gone,
        {"item": "message", "kind": "user", "reason": "client", "count": 1} | gone,
    ])  # fmt: skip
    assert lines[0].startswith("gone for good: 3 episodic notes, forgotten, and not brought back in time")
    assert lines[1].startswith("gone for good: 1 user message, somebody asked for it")
