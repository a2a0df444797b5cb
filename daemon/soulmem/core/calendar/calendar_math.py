"""The civil calendar in plain integers: days, months, weekdays and named stretches of time, UTC, without bounds.

Used by `core/dates/date_parser.py` and its two grammars. It never raises: years below 1 and above 9999 are ordinary
numbers here (the standard library's `date` refuses them), so any message time can be reckoned from.
Weeks are ISO weeks and begin on Monday; seasons are those of the northern hemisphere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from soulmem.fast_dataclasses import dataclass

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
_NEAR = 75  # days from which a date without a year is near enough to be meant, where no verb tells
_WEEK = 7  # the same for a day of the month
_HALF_A_YEAR = 183
_LONG, _SHORT = 340, 18  # days: what is so far off one way and so near the other way


class Tense(StrEnum):
    """Whether a sentence speaks of what is to come, of what was, or does not tell."""

    AHEAD = "ahead"
    BEHIND = "behind"
    UNTOLD = "untold"


class Granularity(StrEnum):
    """How fine an expression of time is. Of a part of a day (an afternoon) no hour is known."""

    HOUR = "hour"
    DAY_PART = "day_part"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH_PART = "month_part"
    MONTH = "month"
    SEASON = "season"
    YEAR_PART = "year_part"
    YEAR = "year"
    RANGE = "range"


class Wording(StrEnum):
    """What an expression lacks: nothing, its year, or everything but its distance from the speaker."""

    COMPLETE = "complete"
    YEARLESS = "yearless"
    RELATIVE = "relative"


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time `[from_ms, to_ms)`. `approximate`: the speaker was vague ("a few years ago").

    `other` is the second reading of what may mean either of two ("next Saturday"): then neither is certain.
    """

    from_ms: int
    to_ms: int
    granularity: Granularity
    wording: Wording = Wording.RELATIVE
    approximate: bool = False
    part: str = ""  # of a month: early, mid, late; of a day: morning, evening; a season; the unit of a stretch
    other: Period | None = None

    @property
    def certain(self) -> bool:
        return self.other is None

    @property
    def readings(self) -> tuple[Period, ...]:
        """All it may mean, the likeliest first."""
        return (self,) if self.other is None else (self, self.other)


@dataclass(frozen=True, slots=True)
class Anchor:
    """The moment an expression is reckoned from, and whether its sentence speaks of what is to come or was.

    `habit`: the sentence tells what is usual, so that no single day is meant. `unmarked`: it is read as looking ahead
    only because a Chinese verb stands there without any mark.
    """

    at_ms: int
    day: int
    year: int
    month: int
    tense: Tense = Tense.UNTOLD
    habit: bool = False
    unmarked: bool = False


def anchor(at_ms: int, tense: Tense = Tense.UNTOLD, *, habit: bool = False, unmarked: bool = False) -> Anchor:
    day = at_ms // DAY_MS
    year, month, _ = civil(day)
    return Anchor(at_ms, day, year, month, tense, habit, unmarked)


def either(first: Period, second: Period) -> Period:
    """What may mean either of two, the likelier one first."""
    return first if first == second else replace(first, other=replace(second, other=None))


def by_tense(at: Anchor, behind: Period, ahead: Period) -> Period:
    """The one of two readings that the tense means; both, the nearer first, where none tells."""
    if at.tense is Tense.AHEAD and not at.habit:
        return ahead
    if at.tense is Tense.BEHIND and not at.habit:
        return behind
    nearer_behind = at.at_ms - behind.to_ms <= ahead.from_ms - at.at_ms
    return either(behind, ahead) if nearer_behind else either(ahead, behind)


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


def hours(day: int, first: int, last: int, part: str = "") -> Period:
    """Part of a day, e.g. an evening; `last` may pass midnight."""
    start = day * DAY_MS
    return Period(start + first * HOUR_MS, start + last * HOUR_MS, Granularity.DAY_PART, part=part)


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


def year_part(number: int, part: str) -> Period:
    """The beginning of a year (to March), its middle (May to August), its end (from October), or one of its halves."""
    first, end = {"early": (1, 4), "mid": (5, 9), "late": (10, 13), "first": (1, 7), "second": (7, 13)}[part]
    low, high = day_number(number, first, 1), day_number(number, end, 1)
    return days(low, high - low, Granularity.YEAR_PART, part=part)


def day_of(year_number: int, month_number: int, day: int, wording: Wording = Wording.RELATIVE) -> Period | None:
    """A day of a month, None where the month has no such day."""
    if not valid_day(year_number, month_number, day):
        return None
    return one_day(day_number(year_number, month_number, day), wording)


def nth_weekday(year_number: int, month_number: int, nth: int, number: int) -> int:
    """The day number of the nth such weekday of a month; of the last for `nth` -1."""
    if nth < 0:
        last = day_number(year_number, month_number + 1, 1) - 1
        return last - (weekday(last) - number) % 7
    first = day_number(year_number, month_number, 1)
    return first + (number - weekday(first)) % 7 + 7 * (nth - 1)


def stretch_of_month(year_number: int, month_number: int, nth: int, name: str) -> Period:
    """The nth week of a month, seven days each from its first on, or its nth weekend; the last for `nth` -1."""
    if name == "weekend":
        return days(nth_weekday(year_number, month_number, nth, 5), 2, Granularity.WEEKEND)
    first = day_number(year_number, month_number, 1)
    start = day_number(year_number, month_number + 1, 1) - 7 if nth < 0 else first + 7 * (nth - 1)
    return days(start, 7, Granularity.WEEK)


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


def of_year(at: Anchor, make: Callable[[int], Period | None], *, sure: bool = False) -> Period | None:
    """What names no year ("in June", 3 June, 六月, Easter): that of a year before, of the next, or either.

    `make` gives it for a year, None where that year has none. Where no verb tells it is the nearer one, if that is near
    and the other is not; else it may mean both. `sure`: the tense is believed however near the other one is.
    """
    for reach in (1, 8):  # 29 February may be eight years away
        years = range(at.year - reach, at.year + reach + 1)
        made = [period for year in years if (period := make(year)) is not None]
        now = [period for period in made if period.from_ms <= at.at_ms < period.to_ms]
        behind = next((period for period in reversed(made) if period.to_ms <= at.at_ms), None)
        ahead = next((period for period in made if period.from_ms > at.at_ms), None)
        if now or (behind is not None and ahead is not None):
            break
    if behind is None or ahead is None:
        return next(iter(now or made), None)
    if now:
        return now[0]
    away_behind, away_ahead = (at.at_ms - behind.to_ms) // DAY_MS, (ahead.from_ms - at.at_ms) // DAY_MS
    nearer, near = (behind, away_behind) if away_behind < away_ahead else (ahead, away_ahead)
    if at.tense is Tense.UNTOLD and not at.habit and near <= _NEAR and max(away_behind, away_ahead) >= 2 * _NEAR:
        return nearer
    if at.unmarked and away_ahead > _HALF_A_YEAR and away_behind < away_ahead:
        return either(behind, ahead)
    long, short = (away_behind, away_ahead) if at.tense is Tense.BEHIND else (away_ahead, away_behind)
    if (
        not sure and at.tense is not Tense.UNTOLD and long > _LONG and short < _SHORT
    ):  # so far off, one would say the year
        return either(behind, ahead) if at.tense is Tense.BEHIND else either(ahead, behind)
    return by_tense(at, behind, ahead)


def of_month(at: Anchor, day: int) -> Period | None:
    """What a bare day of the month means ("the 21st", 二十七号): of this month, the last or the next that has it."""
    months = range(at.month - 2, at.month + 3)
    near = [one_day(day_number(at.year, number, day)) for number in months if _has_day(at.year, number, day)]
    ahead = next((each for each in near if each.to_ms > at.at_ms), None)
    behind = next((each for each in reversed(near) if each.from_ms <= at.at_ms), None)
    if ahead is None or behind is None or ahead == behind:
        return ahead or behind
    away_behind, away_ahead = (at.at_ms - behind.to_ms) // DAY_MS, (ahead.from_ms - at.at_ms) // DAY_MS
    if at.tense is Tense.UNTOLD and min(away_behind, away_ahead) <= _WEEK and max(away_behind, away_ahead) >= 3 * _WEEK:
        return behind if away_behind < away_ahead else ahead
    return by_tense(at, behind, ahead)


def _has_day(year_number: int, month_number: int, day: int) -> bool:
    """Whether a month, counted on beyond 1..12, has the day."""
    carried = year_number + (month_number - 1) // 12
    return valid_day(carried, (month_number - 1) % 12 + 1, day)


def units_away(at: Anchor, count: int, unit: str, *, approximate: bool) -> Period:
    """`count` units before (negative) or after the anchor, as fine as such a phrase is meant."""
    if unit in {"minute", "hour"}:
        moment = at.at_ms + count * (60_000 if unit == "minute" else HOUR_MS)
        return replace(
            clock_time(moment // DAY_MS, moment % DAY_MS // HOUR_MS, moment % HOUR_MS // MINUTE_MS),
            approximate=approximate,
        )
    if unit == "day":
        if approximate:
            return days(at.day + count - 2, 5, Granularity.DAY, approximate=True)
        return one_day(at.day + count)
    if unit == "weekend":
        return weekend(at.day + 7 * count)
    if unit == "week":
        if approximate:
            return days(at.day + 7 * count - 7, 15, Granularity.WEEK, approximate=True)
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


def half_units_away(at: Anchor, sign: int, count: int, unit: str, *, vague: bool = False) -> Period | None:
    """Two and a half months ago: as many of the smaller unit."""
    if unit == "hour":
        return units_away(at, sign * (count * 60 + 30), "minute", approximate=vague)
    if unit == "year":
        return units_away(at, sign * (count * 12 + 6), "month", approximate=True)
    length = {"month": 30.4, "week": 7.0, "day": 1.0}.get(unit)
    return units_away(at, sign * round((count + 0.5) * length), "day", approximate=True) if length else None
