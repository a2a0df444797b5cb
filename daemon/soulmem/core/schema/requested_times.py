"""Times as a caller writes them where a time is asked for: a month, a year, or words like "last week" and 三天前.

Called for the filters of the protocol (`rpc/methods/wire_shapes.py`) and by the command line. The words are those of
`core/dates/date_parser.py`; the whole text must be one expression that means one time. Pure: the caller gives the time.
"""

from __future__ import annotations

import re

from soulmem.core.calendar import calendar_math, iso8601
from soulmem.core.calendar.calendar_math import Granularity, Period, Tense
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern

_LONGEST = 80  # characters
_YEAR_OR_MONTH = LazyPattern(r"(\d{4})(?:-(\d{2}))?", re.ASCII)
_WITH_A_CLOCK = LazyPattern(r"(.*\S)\s*(?<!\d)([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)  # typed, it is of 24 hours
_AT = CaselessPattern(r"\s+at$")
_NOW = frozenset({"now", "现在"})


class UnreadTimeError(ValueError):
    """A text that names no time, or more than one; `hint` says what is read."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = (
            hint or "write it like 2026-03-01T10:30:00Z, 2026-03-01, 2026-03, yesterday, 3 days ago, 上周 or 三天前"
        )


def read_stretch(words: str, now_ms: int, tense: Tense = Tense.BEHIND) -> tuple[int, int]:
    """The time `[from_ms, to_ms)` that words name, reckoned from `now_ms`; of a time of the day both are that moment.

    Raises UnreadTimeError: they name none, or may mean either of two.
    """
    shown = words if len(words) <= _LONGEST else words[:40] + "…"
    if words.casefold() in _NOW:
        return now_ms, now_ms
    period = None if len(words) > _LONGEST else _year_or_month(words) or _spoken(words, now_ms, tense)
    if period is None or not iso8601.EARLIEST_MS <= period.from_ms < period.to_ms <= iso8601.LATEST_MS + 1:
        raise UnreadTimeError(f"{shown!r} is no time that can be read")
    if not period.certain:
        days = " or ".join(sorted(iso8601.to_iso(each.from_ms)[:10] for each in period.readings))
        message = f"{shown!r} may mean {days}"
        raise UnreadTimeError(message, "write the date")
    return period.from_ms, period.from_ms if period.granularity is Granularity.HOUR else period.to_ms


def _year_or_month(words: str) -> Period | None:
    match = _YEAR_OR_MONTH.fullmatch(words)
    if match is None:
        return None
    year, month = int(match[1]), int(match[2] or 1)
    if not 1 <= year <= 9999 or not 1 <= month <= 12:
        return None
    after = (year, month + 1) if match[2] else (year + 1, 1)
    first, last = (calendar_math.day_number(*each, 1) * calendar_math.DAY_MS for each in ((year, month), after))
    return Period(first, last, Granularity.MONTH if match[2] else Granularity.YEAR)


def _spoken(words: str, now_ms: int, tense: Tense) -> Period | None:
    """The one expression of time that these words are, from their first character to their last."""
    if clock := _WITH_A_CLOCK.fullmatch(words):
        day = _spoken(_AT.sub("", clock[1]), now_ms, tense)
        if day is not None and day.granularity is Granularity.DAY and day.certain:
            return calendar_math.clock_time(day.from_ms // calendar_math.DAY_MS, int(clock[2]), int(clock[3]))
    found = find_dates(words, now_ms, tense)
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(words)):
        return None
    return found[0].period
