"""Times as other programs write them, as ISO 8601 in UTC; None for what is none.

What has no zone is of the zone that the one who imports said, else of this machine.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta, tzinfo

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_SPOKEN = re.compile(  # June 19, 2023 2:20pm
    r"\s*([A-Za-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?\s*\Z", re.IGNORECASE
)
_STAMPED = re.compile(  # 2024-7-12@01h31m37s, 2024-6-5 @14h 56m 50s 682ms
    r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?\s*\Z"
)
_CLOCKED = re.compile(  # 1:56 pm on 8 May, 2023
    r"\s*(\d{1,2}):(\d{2})\s*([ap]m)\s+on\s+(\d{1,2})\s+([A-Za-z]{3,9}),?\s+(\d{4})\s*\Z", re.IGNORECASE
)
_MILLISECONDS = 100_000_000_000  # a figure from here on counts milliseconds: as seconds it were the year 5138


def iso(value: object, zone: tzinfo = UTC) -> str | None:
    """A time in any of the ways of writing it."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return of_figure(float(value))
    if not isinstance(value, str) or len(value) > 64:
        return None
    text = value.strip()
    if text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdigit() and len(text) > 8:
        return of_figure(float(text))
    try:
        return _written(_read(text, zone))
    except (ValueError, OverflowError):
        return None


def of_figure(value: float) -> str | None:
    """Seconds or milliseconds since 1970."""
    if not math.isfinite(value):
        return None
    try:
        return _written(datetime.fromtimestamp(value / 1000 if abs(value) >= _MILLISECONDS else value, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def later(at: str, milliseconds: int) -> str:
    """A moment after another."""
    return _written(datetime.fromisoformat(at) + timedelta(milliseconds=milliseconds))


def _read(text: str, zone: tzinfo) -> datetime:
    if found := _STAMPED.match(text):
        year, month, day, hour, minute, second = map(int, found.groups()[:6])
        return datetime(year, month, day, hour, minute, second, int(found[7] or 0) * 1000, UTC)
    if found := _SPOKEN.match(text):
        hour = _hour(int(found[4]), found[7])
        return datetime(
            int(found[3]), _month(found[1]), int(found[2]), hour, int(found[5]), int(found[6] or 0), tzinfo=zone
        )
    if found := _CLOCKED.match(text):
        return datetime(
            int(found[6]), _month(found[5]), int(found[4]), _hour(int(found[1]), found[3]), int(found[2]), tzinfo=zone
        )
    read = datetime.fromisoformat(text.replace("/", "-"))
    return read if read.tzinfo else read.replace(tzinfo=zone)


def _hour(hour: int, half: str | None) -> int:
    if half is None:
        return hour
    return hour % 12 + (12 if half.lower() == "pm" else 0)


def _month(name: str) -> int:
    found = [number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:3])]
    if not found:
        raise ValueError(name)
    return found[0]


def _written(moment: datetime) -> str:
    told = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return told.replace(".000+00:00", "Z").replace("+00:00", "Z")
