"""Instants as text: ISO 8601 to integer UTC milliseconds and back.

Used at every edge where a time is read or shown; keeps `parse_iso(to_iso(ms)) == ms` for the years 0001 to
9999. A time without a zone is UTC; a date alone is its midnight.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from soulmem.core.regex.lazy_regex import LazyPattern

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_OF_UTC = _EPOCH.replace(tzinfo=None)
_MILLISECOND = timedelta(milliseconds=1)
_SHAPE = LazyPattern(
    r"\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?", re.ASCII
)

EARLIEST_MS = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // _MILLISECOND
LATEST_MS = (datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC) - _EPOCH) // _MILLISECOND


class InvalidInstantError(ValueError):
    """A text that is no time, or a time outside the years 0001 to 9999; `hint` says what is accepted."""

    hint = "use ISO 8601 in the years 0001 to 9999, such as 2026-03-01T18:30:00+08:00, 2026-03-01T10:30Z or 2026-03-01"


def parse_iso(text: str) -> int:
    """Read an ISO 8601 date or time as UTC milliseconds since 1970 (negative before); finer digits are cut.

    Raises InvalidInstantError: when it is neither, or lies outside the years 0001 to 9999.
    """
    shown = text if len(text) <= 40 else text[:40] + "…"
    if not _SHAPE.fullmatch(text):
        raise InvalidInstantError(f"{shown!r} is not an ISO 8601 time")
    try:
        moment = datetime.fromisoformat(text.upper().replace(",", "."))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        ms = (moment - _EPOCH) // _MILLISECOND
    except (ValueError, OverflowError) as error:
        raise InvalidInstantError(f"{shown!r} is not a time of any calendar: {error}") from error
    if not EARLIEST_MS <= ms <= LATEST_MS:
        raise InvalidInstantError(f"{shown!r} lies outside the years 0001 to 9999 in UTC")
    return ms


def to_iso(ms: int) -> str:
    """Show UTC milliseconds as `2026-03-01T10:30:00Z`, with `.mmm` only where there are milliseconds.

    Times beyond the calendar are shown as its first or last moment: a due time may lie further away.
    """
    moment = _EPOCH_OF_UTC + timedelta(milliseconds=min(max(ms, EARLIEST_MS), LATEST_MS))
    return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds") + "Z"
