"""The civil calendar in plain integers: days, months, weekdays and named stretches of time, UTC, without bounds.

Used by `core/dates.py` and its two grammars. It never raises: years below 1 and above 9999 are ordinary
numbers here (the standard library's `date` refuses them), so any message time can be reckoned from.
Weeks are ISO weeks and begin on Monday; seasons are those of the northern hemisphere.
"""

from __future__ import annotations

from enum import StrEnum

from soulmem.records import dataclass

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
_NINE_MONTHS = 274  # days


class Granularity(StrEnum):
    """How fine an expression of time is."""

    HOUR = "hour"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH_PART = "month_part"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    RANGE = "range"


class Wording(StrEnum):
    """What an expression lacks: nothing, its year, or everything but its distance from the speaker."""

    COMPLETE = "complete"
    YEARLESS = "yearless"
    RELATIVE = "relative"


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time `[from_ms, to_ms)`. `approximate`: the speaker was vague ("a few years ago")."""

    from_ms: int
    to_ms: int
    granularity: Granularity
    wording: Wording = Wording.RELATIVE
    approximate: bool = False
    part: str = ""  # "early" | "mid" | "late" for a month's part; a season's English name


@dataclass(frozen=True, slots=True)
class Anchor:
    """The moment an expression is reckoned from, and whether its clause speaks of what is to come or was."""

    at_ms: int
    day: int
    year: int
    month: int
    future: bool
    past: bool = False
    done: bool = False  # any sign at all that it lies behind, weaker ones than `past` asks for included


def anchor(at_ms: int, *, future: bool, past: bool = False, done: bool = False) -> Anchor:
    day = at_ms // DAY_MS
    year, month, _ = civil(day)
    return Anchor(at_ms, day, year, month, future, past and not future, (past or done) and not future)


def day_number(year: int, month: int, day: int) -> int:
    """Days since 1 January 1970; months outside 1..12 carry into the year (H. Hinnant, chrono algorithms)."""
    year += (month - 1) // 12
    month = (month - 1) % 12 + 1
    year -= month <= 2
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def civil(day: int) -> tuple[int, int, int]:
    """Year, month and day of month of a day number (the inverse of `day_number`)."""
    day += 719_468
    era = day // 146_097
    doe = day - era * 146_097
    yoe = (doe - doe // 1460 + doe // 36_524 - doe // 146_096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    index = (5 * doy + 2) // 153
    month = index + (3 if index < 10 else -9)
    return yoe + era * 400 + (month <= 2), month, doy - (153 * index + 2) // 5 + 1


def weekday(day: int) -> int:
    """0 = Monday .. 6 = Sunday."""
    return (day + 3) % 7


def monday(day: int) -> int:
    """The Monday of the ISO week that holds the day."""
    return day - weekday(day)


def days(
    first: int,
    count: int,
    granularity: Granularity,
    wording: Wording = Wording.RELATIVE,
    *,
    approximate: bool = False,
    part: str = "",
) -> Period:
    """A period of whole days, beginning with day number `first`."""
    return Period(first * DAY_MS, (first + count) * DAY_MS, granularity, wording, approximate, part)


def one_day(day: int, wording: Wording = Wording.RELATIVE) -> Period:
    return days(day, 1, Granularity.DAY, wording)


def hours(day: int, first: int, last: int) -> Period:
    """Part of a day, e.g. an evening; `last` may pass midnight. Reads as that day."""
    start = day * DAY_MS
    return Period(start + first * HOUR_MS, start + last * HOUR_MS, Granularity.DAY)


def clock_time(day: int, hour: int, minute: int) -> Period:
    start = day * DAY_MS + hour * HOUR_MS + minute * 60_000
    return Period(start, start + HOUR_MS, Granularity.HOUR)


def week(day: int) -> Period:
    return days(monday(day), 7, Granularity.WEEK)


def weekend(day: int) -> Period:
    """Saturday and Sunday of the ISO week that holds the day."""
    return days(monday(day) + 5, 2, Granularity.WEEKEND)


def month(year: int, number: int, wording: Wording = Wording.RELATIVE, *, approximate: bool = False) -> Period:
    first = day_number(year, number, 1)
    return days(first, day_number(year, number + 1, 1) - first, Granularity.MONTH, wording, approximate=approximate)


def month_part(year: int, number: int, part: str, wording: Wording = Wording.RELATIVE) -> Period:
    """The first ten days of a month, the second ten, or the rest."""
    first, end = day_number(year, number, 1), day_number(year, number + 1, 1)
    bounds = {"early": (first, first + 10), "mid": (first + 10, first + 20), "late": (first + 20, end)}
    low, high = bounds[part]
    return days(low, high - low, Granularity.MONTH_PART, wording, part=part)


def year(number: int, wording: Wording = Wording.RELATIVE, *, approximate: bool = False) -> Period:
    first = day_number(number, 1, 1)
    return days(first, day_number(number + 1, 1, 1) - first, Granularity.YEAR, wording, approximate=approximate)


SEASON_MONTH = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def season(number: int, name: str, wording: Wording = Wording.RELATIVE) -> Period:
    """A season of a year; winter begins in its December and ends in the next year's February."""
    first = day_number(number, SEASON_MONTH[name], 1)
    count = day_number(number, SEASON_MONTH[name] + 3, 1) - first
    return days(first, count, Granularity.SEASON, wording, part=name)


def valid_day(year_number: int, month_number: int, day: int) -> bool:
    if not (1 <= month_number <= 12 and 1 <= day <= 31):
        return False
    return civil(day_number(year_number, month_number, day))[1] == month_number


def nearest_year(at: Anchor, month_number: int, day: int | None = None) -> int:
    """The year a date, or without `day` a month, means that names none: ahead or behind as the clause says.

    Where nothing tells, a day is this year's unless that is more than nine months away ("the party on 3 June",
    六月六号); a month, in which things are mostly told of, is ahead only within a hundred days.
    """
    this = day_number(at.year, month_number, day or 1)
    if at.future:
        return at.year if this + 7 > at.day or month_number == at.month else at.year + 1
    if day is not None and not at.past:
        if abs(this - at.day) <= _NINE_MONTHS:
            return at.year
        return at.year + 1 if this < at.day else at.year - 1
    if this > at.day + (7 if at.past and month_number != at.month else 100):
        return at.year - 1
    return at.year + 1 if not at.past and day_number(at.year + 1, month_number, 1) <= at.day + 60 else at.year


def nearest_day(at: Anchor, day: int) -> int | None:
    """The day number a bare day of the month means ("the 21st", 二十七号); None if there is none near.

    Ahead or behind as the clause says; where nothing tells it is this month's, unless that is over two weeks
    and a half away and last month's or next month's within ten days ("the 2nd", said on the 30th).
    """
    months = range(at.month - 2, at.month + 3)
    near = [day_number(at.year, number, day) for number in months if _has_day(at.year, number, day)]
    if at.future:
        return next((found for found in near if found >= at.day), None)
    if at.done:
        return next((found for found in reversed(near) if found <= at.day), None)
    if not near:
        return None
    closest = min(near, key=lambda found: (abs(found - at.day), -found))
    here = day_number(at.year, at.month, day)
    if here not in near or (abs(here - at.day) > 18 and abs(closest - at.day) <= 10):
        return closest
    return here


def _has_day(year_number: int, month_number: int, day: int) -> bool:
    """Whether a month, counted on beyond 1..12, has the day."""
    carried = year_number + (month_number - 1) // 12
    return valid_day(carried, (month_number - 1) % 12 + 1, day)


def units_away(at: Anchor, count: int, unit: str, *, approximate: bool) -> Period:
    """`count` units before (negative) or after the anchor, as fine as such a phrase is meant."""
    if unit in {"minute", "hour"}:
        moment = at.at_ms + count * (60_000 if unit == "minute" else HOUR_MS)
        return clock_time(moment // DAY_MS, moment % DAY_MS // HOUR_MS, moment % HOUR_MS // 60_000)
    if unit == "day":
        if approximate:
            return days(at.day + count - 2, 5, Granularity.DAY, approximate=True)
        return one_day(at.day + count)
    if unit == "weekend":
        return weekend(at.day + 7 * count)
    if unit == "week":
        if approximate:
            return days(monday(at.day + 7 * count) - 7, 21, Granularity.WEEK, approximate=True)
        return week(at.day + 7 * count)
    if unit == "month":
        here = month(at.year, at.month + count)
        if not approximate:
            return here
        first = day_number(at.year, at.month + count - 1, 1)
        last = day_number(at.year, at.month + count + 2, 1)
        return days(first, last - first, Granularity.MONTH, approximate=True)
    if not approximate:
        return year(at.year + count)
    first, last = day_number(at.year + count - 1, 1, 1), day_number(at.year + count + 2, 1, 1)
    return days(first, last - first, Granularity.YEAR, approximate=True)
