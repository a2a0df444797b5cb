"""Experienced time: a year of silence is not a year, and no clock makes it run backwards."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS
from soulmem.core.calendar.experienced_time import ExperiencedTime, born, experienced_ages
from soulmem.core.decay.traces import Trace

NOW = 1_700_000_000_000


def test_three_days_pass_in_full_and_the_rest_at_a_tenth() -> None:
    mind = born(NOW)
    assert mind.at(NOW) == NOW
    assert mind.at(NOW + 3 * DAY_MS) == NOW + 3 * DAY_MS
    assert mind.at(NOW + 13 * DAY_MS) == NOW + 4 * DAY_MS
    assert mind.at(NOW + 365 * DAY_MS) == NOW + 3 * DAY_MS + 362 * DAY_MS // 10


def test_activity_restarts_the_full_speed() -> None:
    mind = born(NOW).touch(NOW + 13 * DAY_MS)
    assert mind.at(NOW + 14 * DAY_MS) == NOW + 5 * DAY_MS


def test_a_friend_who_returns_after_a_year_is_not_a_stranger() -> None:
    link = Trace(0.8, NOW, 30 * DAY_MS)
    year = NOW + 365 * DAY_MS
    assert link.strength(born(NOW).at(year)) > 0.2
    assert link.strength(replace(born(NOW), dormancy_after_ms=0, dormancy_rate_ppm=1_000_000).at(year)) < 1e-5


def test_wall_mode_is_plain_wall_time() -> None:
    mind = replace(born(NOW), dormancy_after_ms=0, dormancy_rate_ppm=1_000_000).touch(NOW + 5 * DAY_MS)
    assert mind.at(NOW + 100 * DAY_MS) == NOW + 100 * DAY_MS
    assert mind.wall_at(NOW + 100 * DAY_MS) == NOW + 100 * DAY_MS


def test_rate_zero_stops_and_never_gets_there() -> None:
    mind = dataclasses.replace(born(NOW), dormancy_rate_ppm=0)
    assert mind.at(NOW + 500 * DAY_MS) == NOW + 3 * DAY_MS
    assert mind.wall_at(NOW + 4 * DAY_MS) is None


@given(st.lists(st.integers(0, 60 * 24), min_size=1, max_size=30), st.integers(0, 60 * 24), st.booleans())
def test_the_age_of_what_was_told_is_what_a_mind_that_was_there_experienced(
    gaps: list[int], last: int, is_wall: bool
) -> None:
    """Gaps in hours; the mind that was there is touched at each moment of talk."""
    rules = replace(born(NOW), dormancy_after_ms=0, dormancy_rate_ppm=1_000_000) if is_wall else born(NOW)
    moments = [NOW + HOUR_MS * sum(gaps[: count + 1]) for count in range(len(gaps))]
    now = moments[-1] + last * HOUR_MS
    lived, then = rules, []
    for moment in moments:
        lived = lived.touch(moment)
        then.append(lived.at(moment))
    ages = experienced_ages(rules, moments, sorted(set(moments)), now)
    assert ages == [lived.at(now) - each for each in then]
    assert experienced_ages(rules, [now + DAY_MS], moments, now) == [0]


def test_a_clock_set_back_for_good_is_followed_by_rebasing() -> None:
    mind = born(NOW).touch(NOW + HOUR_MS)
    back = NOW - 30 * DAY_MS
    assert mind.at(back + HOUR_MS) == NOW + HOUR_MS, "stands still meanwhile"
    mind = mind.rebase(before_ms=NOW + 2 * HOUR_MS, after_ms=back)
    assert mind.at(back) == NOW + 2 * HOUR_MS
    assert mind.at(back + HOUR_MS) == NOW + 3 * HOUR_MS


def test_changing_the_settings_is_no_jump() -> None:
    mind = born(NOW)
    later = NOW + 20 * DAY_MS
    changed = mind.with_dormancy(later, after_ms=0, rate_ppm=1_000_000)
    assert changed.at(later) == mind.at(later)
    assert changed.at(later + DAY_MS) == mind.at(later) + DAY_MS


@pytest.mark.parametrize("bad", [{"dormancy_rate_ppm": 1_000_001}, {"dormancy_after_ms": -1}])
def test_nonsense_is_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="not a dormancy"):
        dataclasses.replace(born(NOW), **bad)


minds = st.builds(
    ExperiencedTime,
    st.integers(-(10**13), 10**13),
    st.integers(-(10**13), 10**13),
    st.integers(0, 30 * DAY_MS),
    st.integers(0, 1_000_000),
)
spans = st.integers(-(10**11), 10**12)


@given(minds, spans, spans)
def test_it_is_monotone_and_never_faster_than_the_wall(mind: ExperiencedTime, one: int, other: int) -> None:
    early, late = sorted((mind.wall_anchor_ms + one, mind.wall_anchor_ms + other))
    assert 0 <= mind.at(late) - mind.at(early) <= late - early


@given(minds.filter(lambda mind: mind.dormancy_rate_ppm > 0), st.integers(1, 10**12))
def test_the_inverse_is_the_first_wall_time_that_gets_there(mind: ExperiencedTime, ahead: int) -> None:
    target = mind.exp_anchor_ms + ahead
    wall = mind.wall_at(target)
    assert wall is not None
    assert mind.at(wall) >= target > mind.at(wall - 1)


@given(minds, st.lists(st.tuples(spans, st.booleans()), max_size=20))
def test_touching_never_moves_it_backwards(mind: ExperiencedTime, life: list[tuple[int, bool]]) -> None:
    wall, latest = mind.wall_anchor_ms, mind.exp_anchor_ms
    for step, touched in life:
        wall += step
        before = mind.at(wall)
        if touched:
            mind = mind.touch(wall)
            assert mind.at(wall) == before, "a touch is felt by nobody"
            assert mind.exp_anchor_ms >= latest
            latest = mind.exp_anchor_ms


@given(minds, st.integers(0, 10**12), st.integers(1, 10**12))
def test_a_clock_stepped_back_and_forward_changes_nothing(mind: ExperiencedTime, at: int, back: int) -> None:
    wall = mind.wall_anchor_ms + at
    touched = mind.touch(wall)
    assert touched.touch(wall - back).touch(wall) == touched
