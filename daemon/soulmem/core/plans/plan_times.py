"""The times of plans as text: with the offset in which they were told, for a plan at nine is at nine where it is kept.

Called where plans are read from a client and shown to one. Pure. Invariant: what is shown, read again, is the same
moment with the same offset.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from soulmem.core.calendar.calendar_math import DAY_MS, MINUTE_MS
from soulmem.core.calendar.iso8601 import EARLIEST_MS, LATEST_MS, parse_iso, to_iso
from soulmem.core.regex.lazy_regex import LazyPattern

_OFFSET = LazyPattern(r"([+-])(\d{2}):?(\d{2})$")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_moment(text: str) -> tuple[int, int]:
    """UTC milliseconds, and by how many minutes the clock it was told by is ahead of UTC.

    Raises InvalidInstantError: as `parse_iso`.
    """
    at = parse_iso(text)
    found = _OFFSET.search(text)
    if found is None:
        return at, 0
    minutes = 60 * int(found[2]) + int(found[3])
    return at, -minutes if found[1] == "-" else minutes


def shown_moment(at_ms: int, offset_min: int) -> str:
    """A moment in ISO 8601 by the clock it was told by; at the ends of the calendar by that of UTC."""
    if offset_min == 0 or not EARLIEST_MS <= at_ms + offset_min * MINUTE_MS <= LATEST_MS:
        return to_iso(at_ms)
    moment = (_EPOCH + timedelta(milliseconds=at_ms)).astimezone(timezone(timedelta(minutes=offset_min)))
    return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds")


def shown_span(start_ms: int, end_ms: int, offset_min: int) -> str:
    """When something is planned, for people: `2026-03-02 09:00–10:30`, whole days by their dates alone."""
    start, end = _wall(start_ms, offset_min), _wall(end_ms, offset_min)
    if is_of_days(start_ms, end_ms, offset_min):
        last = _wall(end_ms - DAY_MS, offset_min)[:10]
        return last if last == start[:10] else f"{start[:10]} – {last}"
    return f"{start}–{end[11:]}" if end[:10] == start[:10] else f"{start} – {end}"


def is_of_days(start_ms: int, end_ms: int, offset_min: int) -> bool:
    """Whether something takes whole days, by the clock it was told by."""
    return (start_ms + offset_min * MINUTE_MS) % DAY_MS == (end_ms + offset_min * MINUTE_MS) % DAY_MS == 0


def shown_hour(at_ms: int, offset_min: int) -> str:
    """The hour and minute of a moment, by the clock it was told by."""
    return _wall(at_ms, offset_min)[11:]


def _wall(at_ms: int, offset_min: int) -> str:
    return to_iso(at_ms + offset_min * MINUTE_MS)[:16].replace("T", " ")
