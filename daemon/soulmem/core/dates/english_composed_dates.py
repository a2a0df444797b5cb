"""English dates that are made of two: a year ago tomorrow, the last Friday in May, the Tuesday after next.

Called by the rules of `core/dates/english_dates.py`, as the meanings of `core/dates/english_date_meaning.py` are. Each
part alone would be another day, so the whole is read at once, or left in its words where it may be either of two.
"""

from __future__ import annotations

from dataclasses import replace
from re import Match

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Anchor, Granularity, Period, Wording, either
from soulmem.core.dates.english_date_words import MONTH_NUMBER, WEEKDAY_NUMBER, count_of, unit_of, year_of

_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
_JUST_OVER_MS = 45 * calendar_math.DAY_MS
_NEAR = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}


def ago_from(match: Match[str], at: Anchor) -> Period | None:
    """a year ago tomorrow, two years ago this Sunday, ten years ago next month, three years ago this May."""
    unit, word = unit_of(match[2]), match[4].lower()
    count, is_vague = count_of(match[1])
    if is_vague or count % 1:
        return None
    back = -int(count) * (2 if unit == "fortnight" else 1)
    if word in {"week", "month"}:
        shift = {"last": -1, "this": 0, "next": 1}[(match[3] or "this").lower()]
        near = calendar_math.units_away(at, shift, word, approximate=False)
        return _moved(near.from_ms // calendar_math.DAY_MS, back, unit) if unit != "week" else None
    if word in MONTH_NUMBER:
        number, which = MONTH_NUMBER[word], match[3].lower()
        shift = (which == "next" and number <= at.month) - (which == "last" and number >= at.month)
        return calendar_math.month(at.year + shift + back, number) if unit == "year" else None
    if word not in WEEKDAY_NUMBER:
        day = at.day + _NEAR[word]
        return calendar_math.one_day(day + 7 * back) if unit in {"week", "fortnight"} else _same_day(day, back, unit)
    ahead = (WEEKDAY_NUMBER[word] - calendar_math.weekday(at.day)) % 7
    day = at.day + ahead - 7 * ((match[3] or "last").lower() == "last" and ahead > 0)
    return calendar_math.one_day(day + 7 * back) if unit in {"week", "fortnight"} else _moved(day, back, unit)


def _same_day(day: int, back: int, unit: str) -> Period | None:
    year, month, number = calendar_math.civil(day)
    if unit == "month":
        year, month, _ = calendar_math.civil(calendar_math.day_number(year, month + back, 1))
        return calendar_math.day_of(year, month, number)
    return calendar_math.day_of(year + back, month, number)


def _moved(day: int, back: int, unit: str) -> Period:
    """The month in which a day lies, so many months or years back."""
    year, month, _ = calendar_math.civil(day)
    return calendar_math.month(year, month + back) if unit == "month" else calendar_math.month(year + back, month)


def time_of_year(match: Match[str], at: Anchor) -> Period | None:
    """This time last year: the month it was."""
    shift = {"last": -1, "next": 1}[match[1].lower()]
    return calendar_math.month(at.year + shift, at.month)


def nth_in_month(match: Match[str], at: Anchor) -> Period | None:
    """the last day of April, the first Monday in June, the last Friday of this month, the first week of May."""
    nth, name = _NTH[match[1].lower()], match[2].lower()
    if (name == "day" and nth not in (1, -1)) or (name != "day" and (match[3] or "").lower() == "the"):
        return None  # "on the last Friday of the month" is that of any

    def made(year: int, month: int, wording: Wording = Wording.RELATIVE) -> Period | None:
        if name in {"week", "weekend"}:
            return replace(calendar_math.stretch_of_month(year, month, nth, name), wording=wording)
        if name != "day":
            day = calendar_math.nth_weekday(year, month, nth, WEEKDAY_NUMBER[name])
            return calendar_math.one_day(day, wording)
        first = calendar_math.day_number(year, month, 1)
        return calendar_math.one_day(first if nth == 1 else calendar_math.day_number(year, month + 1, 1) - 1, wording)

    if match[3]:
        shift = {"last": -1, "next": 1}.get(match[3].lower(), 0)
        year, month, _ = calendar_math.civil(calendar_math.day_number(at.year, at.month + shift, 1))
        return made(year, month)
    number = MONTH_NUMBER[match[4].lower()]
    if match[5]:
        return made(int(match[5]), number, Wording.COMPLETE)
    return calendar_math.of_year(at, lambda year: made(year, number))


def days_of_month(match: Match[str], at: Anchor) -> Period | None:
    """the 11th and 12th of December, 3rd to 10th May: from the first day to the last."""
    first, last, number = int(match[1]), int(match[2]), MONTH_NUMBER[match[3].lower()]

    def made(year: int, wording: Wording = Wording.YEARLESS) -> Period | None:
        if not first < last or not calendar_math.valid_day(year, number, last):
            return None
        return calendar_math.days(
            calendar_math.day_number(year, number, first), last - first + 1, Granularity.RANGE, wording
        )

    return made(int(match[4]), Wording.COMPLETE) if match[4] else calendar_math.of_year(at, made)


def season_before_last(match: Match[str], at: Anchor) -> Period | None:
    """The summer before last: the last but one that is over; just after a season either of two."""
    name = match[1].lower().replace("fall", "autumn")
    seasons = [calendar_math.season(at.year - back, name) for back in range(5)]
    over = [season for season in seasons if season.to_ms <= at.at_ms]
    fresh = at.at_ms - over[0].to_ms < _JUST_OVER_MS
    return either(over[2], over[1]) if fresh else over[1]


def seasons_ago(match: Match[str], at: Anchor) -> Period | None:
    """two summers ago: the last but one that is over."""
    count, is_vague = count_of(match[1])
    if is_vague or count % 1 or not 2 <= count <= 9:
        return None
    name = match[2].lower().replace("fall", "autumn")
    over = [each for back in range(12) if (each := calendar_math.season(at.year - back, name)).to_ms <= at.at_ms]
    return over[int(count) - 1]


def weekdays_ago(match: Match[str], at: Anchor) -> Period | None:
    """two Sundays ago: the last but one there was."""
    count, is_vague = count_of(match[1])
    if is_vague or count % 1 or count < 2:
        return None
    last = at.day - ((calendar_math.weekday(at.day) - WEEKDAY_NUMBER[match[2].lower()] - 1) % 7 + 1)
    return calendar_math.one_day(last - 7 * (int(count) - 1))


def before_last(match: Match[str], at: Anchor) -> Period | None:
    sign = -2 if match[2].lower() == "before last" else 2
    if match[1].lower() == "weekend" and sign > 0 and calendar_math.weekday(at.day) < 5:
        return either(calendar_math.weekend(at.day + 7), calendar_math.weekend(at.day + 14))
    return calendar_math.units_away(at, sign, match[1].lower(), approximate=False)


def night_before_last(_: Match[str], at: Anchor) -> Period | None:
    return calendar_math.hours(at.day - 2, 18, 30, "night")


def weekday_beyond(match: Match[str], at: Anchor) -> Period | None:
    """the Tuesday after next, the Friday before last: a week beyond what "next Tuesday", "last Friday" may be."""
    number = WEEKDAY_NUMBER[match[1].lower()]
    if match[2].lower() == "before last":
        last = at.day - ((calendar_math.weekday(at.day) - number - 1) % 7 + 1)
        before = calendar_math.one_day(last - 7)
        return before if number >= calendar_math.weekday(at.day) else either(before, calendar_math.one_day(last - 14))
    coming = at.day + ((number - calendar_math.weekday(at.day) - 1) % 7 + 1)
    later = calendar_math.one_day(coming + 7)
    if number <= calendar_math.weekday(at.day):
        return later
    return either(later, replace(calendar_math.one_day(coming + 14), other=None))


def season_of_year(match: Match[str], at: Anchor) -> Period | None:
    number, wording = year_of(match[2], at)
    return calendar_math.season(number, match[1].lower().replace("fall", "autumn"), wording)


def month_year(match: Match[str], at: Anchor) -> Period | None:
    number, wording = year_of(match[2], at)
    return calendar_math.month(number, MONTH_NUMBER[match[1].lower()], wording)


def year(match: Match[str], at: Anchor) -> Period | None:
    number, wording = year_of(match[1], at)
    return calendar_math.year(number, wording)


def weeks_from(match: Match[str], at: Anchor) -> Period | None:
    """a week tomorrow, two weeks ago today, a week on Friday, a week last Monday."""
    weeks = int(count_of(match[1].strip() or "a")[0]) * (2 if match[2].lower() == "fortnight" else 1)
    link, word = (match[3] or "").lower(), match[4].lower()
    if word in WEEKDAY_NUMBER:
        if link == "ago":
            return None
        if link == "last":
            back = (calendar_math.weekday(at.day) - WEEKDAY_NUMBER[word] - 1) % 7 + 1
            return calendar_math.one_day(at.day - back - 7 * weeks)
        ahead = (WEEKDAY_NUMBER[word] - calendar_math.weekday(at.day) - 1) % 7 + 1
    elif link == "last":
        return None
    else:
        ahead = {"today": 0, "tomorrow": 1, "yesterday": -1}[word]
    return calendar_math.one_day(at.day + ahead + 7 * weeks * (-1 if word == "yesterday" or link == "ago" else 1))


def weekday_week(match: Match[str], at: Anchor) -> Period | None:
    """Friday week: seven days after the coming one; tomorrow week, Saturday fortnight; yesterday week is over."""
    later = 14 if match[3].lower() == "fortnight" else 7
    if match[2] and match[2].lower() == "yesterday":
        return calendar_math.one_day(at.day - later - 1)
    if match[2]:
        return calendar_math.one_day(at.day + later + (match[2].lower() == "tomorrow"))
    day = at.day + (WEEKDAY_NUMBER[match[1].lower()] - calendar_math.weekday(at.day) - 1) % 7 + 1 + later
    doubtful = match[0].lower().startswith("next")  # "next Monday week"
    return (
        either(calendar_math.one_day(day), calendar_math.one_day(day + 7)) if doubtful else calendar_math.one_day(day)
    )
