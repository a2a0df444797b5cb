"""Times as a caller writes them: months, years and words of both languages, read whole or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar import iso8601
from soulmem.core.calendar.calendar_math import Tense
from soulmem.core.schema.requested_times import UnreadTimeError, read_stretch

SUNDAY = iso8601.parse_iso("2026-11-29T09:55:00Z")

STRETCHES = [
    ("2026-03", "2026-03-01", "2026-04-01"),
    ("2026-12", "2026-12-01", "2027-01-01"),
    ("2024", "2024-01-01", "2025-01-01"),
    ("2026-03-05", "2026-03-05", "2026-03-06"),
    ("yesterday", "2026-11-28", "2026-11-29"),
    ("Yesterday", "2026-11-28", "2026-11-29"),
    ("last week", "2026-11-16", "2026-11-23"),
    ("3 days ago", "2026-11-26", "2026-11-27"),
    ("March 2025", "2025-03-01", "2025-04-01"),
    ("since March", "2026-03-01", "2026-04-01"),
    ("friday", "2026-11-27", "2026-11-28"),
    ("last summer", "2026-06-01", "2026-09-01"),
    ("昨天", "2026-11-28", "2026-11-29"),
    ("上周", "2026-11-16", "2026-11-23"),
    ("三天前", "2026-11-26", "2026-11-27"),
    ("周五", "2026-11-27", "2026-11-28"),
    ("去年夏天", "2025-06-01", "2025-09-01"),
    ("2026年3月", "2026-03-01", "2026-04-01"),
    ("yesterday at 6pm", "2026-11-28T18:00:00Z", "2026-11-28T18:00:00Z"),
    ("昨天下午三点", "2026-11-28T15:00:00Z", "2026-11-28T15:00:00Z"),
    ("yesterday 09:00", "2026-11-28T09:00:00Z", "2026-11-28T09:00:00Z"),
    ("Friday at 7:05", "2026-11-27T07:05:00Z", "2026-11-27T07:05:00Z"),
    ("昨天 00:15", "2026-11-28T00:15:00Z", "2026-11-28T00:15:00Z"),
    ("昨天下午3:20", "2026-11-28T15:20:00Z", "2026-11-28T15:20:00Z"),
    ("now", "2026-11-29T09:55:00Z", "2026-11-29T09:55:00Z"),
    ("现在", "2026-11-29T09:55:00Z", "2026-11-29T09:55:00Z"),
]
NONE = [
    "", " ", "yesterday ", "whenever", "某一天", "not yesterday", "I went yesterday", "yesterday and today",
    "昨天和前天", "2026-13", "0000", "20260", "2026-3x", "every Friday", "每周五", "last Monday 8:00 at 9:00", "8:00",
    "yesterday " * 20, "昨天" * 200,
]  # fmt: skip


@every_row(STRETCHES, unpack=True)
def test_a_stretch_is_read(words: str, first: str, end: str) -> None:
    assert read_stretch(words, SUNDAY) == (iso8601.parse_iso(first), iso8601.parse_iso(end))


@every_row(NONE)
def test_what_is_no_single_time_is_refused_with_advice(words: str) -> None:
    with pytest.raises(UnreadTimeError) as caught:
        read_stretch(words, SUNDAY)
    assert "2026-03" in caught.value.hint
    assert len(str(caught.value)) < 200


def test_what_may_be_either_of_two_names_both() -> None:
    for words, days in (("last Monday", "2026-11-16 or 2026-11-23"), ("3/5/2026", "2026-03-05 or 2026-05-03")):
        with pytest.raises(UnreadTimeError, match=days):
            read_stretch(words, SUNDAY)


def test_what_is_planned_lies_ahead() -> None:
    for words in ("friday", "周五"):
        assert read_stretch(words, SUNDAY, Tense.AHEAD)[0] == iso8601.parse_iso("2026-12-04")


@given(st.text(max_size=100), st.integers(iso8601.EARLIEST_MS, iso8601.LATEST_MS))
def test_any_text_is_a_time_or_refused(words: str, now: int) -> None:
    try:
        first, end = read_stretch(words, now)
    except UnreadTimeError:
        return
    assert iso8601.EARLIEST_MS <= first <= end <= iso8601.LATEST_MS + 1
