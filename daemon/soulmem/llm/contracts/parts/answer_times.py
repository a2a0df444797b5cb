"""Times as a model writes them: ISO to any precision, or in words, as a span of UTC milliseconds.

Used where an answer dates an event or bounds a question. A date that is none of any calendar says nothing.
"""

from __future__ import annotations

import re

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.iso8601 import InvalidInstantError, parse_iso
from soulmem.core.dates.date_parser import time_range

_DATE = re.compile(r"(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2}))?)?[年月日号]?", re.ASCII)
_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:[.,]\d{1,9})?)?\s*(?:UTC|([Zz]|[+-]\d{2}:?\d{2}))?", re.ASCII
)
_MINUTE_MS = 60_000
_LONGEST = 60  # characters


def read_time(text: str | None, at_ms: int) -> tuple[int, int] | None:
    """The stretch `[from_ms, to_ms)` a text names: a minute, a day, a month, a year; words count from `at_ms`."""
    text = (text or "").strip().strip("\"'")
    if not text or len(text) > _LONGEST:
        return None
    moment = _MOMENT.fullmatch(text)
    if moment is not None:
        try:
            start = parse_iso(f"{moment[1]}T{moment[2]}{moment[3] or ''}{moment[4] or ''}")
        except InvalidInstantError:
            return None
        return start, start + _MINUTE_MS
    date = _DATE.fullmatch(text)
    if date is None:
        return time_range(text, at_ms)
    year, month, day = (int(part) if part else 0 for part in date.groups())
    if year == 0 or month > 12 or (day and not calendar_math.valid_day(year, month, day)):
        return None
    if not month:
        return _days(calendar_math.day_number(year, 1, 1), calendar_math.day_number(year + 1, 1, 1))
    first = calendar_math.day_number(year, month, day or 1)
    return _days(first, first + 1 if day else calendar_math.day_number(year, month + 1, 1))


def _days(first: int, after: int) -> tuple[int, int]:
    return first * calendar_math.DAY_MS, after * calendar_math.DAY_MS


def happened_at(text: str | None, told_at_ms: int) -> int:
    """When something happened by a model's date; when it was told, if it gives none or only says that time's day."""
    span = read_time(text, told_at_ms)
    if span is None or span[0] <= told_at_ms < span[1]:
        return told_at_ms
    return span[0]
