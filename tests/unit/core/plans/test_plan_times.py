"""A plan at nine is at nine where it is kept: its clock comes back with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.calendar.iso8601 import EARLIEST_MS, LATEST_MS, InvalidInstantError, parse_iso
from soulmem.core.plans.plan_times import read_moment, shown_hour, shown_moment, shown_span

KINDS = [
    ("2026-03-02T09:00:00Z", 0, "2026-03-02T09:00:00Z"),
    ("2026-03-02", 0, "2026-03-02T00:00:00Z"),
    ("2026-03-02T09:00+08:00", 480, "2026-03-02T09:00:00+08:00"),
    ("2026-03-02T09:00-0330", -210, "2026-03-02T09:00:00-03:30"),
    ("2026-03-02 09:00:00.250+01:00", 60, "2026-03-02T09:00:00.250+01:00"),
]


@pytest.mark.parametrize(("text", "offset", "shown"), KINDS)
def test_a_time_comes_back_by_its_own_clock(text: str, offset: int, shown: str) -> None:
    at, ahead = read_moment(text)
    assert (at, ahead) == (parse_iso(text), offset)
    assert shown_moment(at, ahead) == shown


@given(st.integers(EARLIEST_MS, LATEST_MS), st.integers(-14 * 60, 14 * 60))
def test_shown_and_read_again_it_is_the_same_moment(at: int, offset: int) -> None:
    again, ahead = read_moment(shown_moment(at, offset))
    assert again == at
    assert ahead in (offset, 0)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-01:00", "tomorrow", "明天", ""])
def test_what_is_no_time_of_the_calendar_is_refused(text: str) -> None:
    with pytest.raises(InvalidInstantError):
        read_moment(text)


def test_a_span_is_shown_as_people_write_it() -> None:
    def span(start: str, end: str) -> str:
        (begin, offset), (over, _) = read_moment(start), read_moment(end)
        return shown_span(begin, over, offset)

    assert span("2026-03-02T09:00:00Z", "2026-03-02T10:30:00Z") == "2026-03-02 09:00–10:30"
    assert span("2026-03-02T23:00+08:00", "2026-03-03T01:00+08:00") == "2026-03-02 23:00 – 2026-03-03 01:00"
    assert span("2026-03-02", "2026-03-03") == "2026-03-02"
    assert span("2026-03-02T00:00+08:00", "2026-03-05T00:00+08:00") == "2026-03-02 – 2026-03-04"
    assert shown_hour(read_moment("2026-03-02T09:05+08:00")[0], 480) == "09:05"
    assert shown_span(EARLIEST_MS, LATEST_MS, -840), "at the ends of the calendar too"
