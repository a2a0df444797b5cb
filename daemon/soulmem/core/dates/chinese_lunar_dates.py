"""Chinese dates of the lunar calendar: 农历八月十五, 明年正月初三, 腊月二十三, 腊月.

Called by the rules of `core/dates/chinese_dates.py`. Between the first of January and the New Year's feast 今年 may be
the lunar year that is ending or the one that comes; what nothing tells may be either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from re import Match

from soulmem.core.calendar import calendar_math, lunar_calendar
from soulmem.core.calendar.calendar_math import Anchor, Period, Tense, either
from soulmem.core.dates.chinese_date_words import YEARS, numeral

_FEAST_MS = 35 * calendar_math.DAY_MS
_NEAR_MS = 75 * calendar_math.DAY_MS


def lunar_date(match: Match[str], at: Anchor) -> Period | None:
    """农历八月十五, 明年正月初三, 腊月二十三, 腊月."""
    called, shift, year_text, leap, month_text, day_text = match.groups()
    named = month_text in {"正", "冬", "腊"} or leap is not None or called is not None
    if not (named or (day_text or "").startswith("初")):
        return None

    def made(year: int) -> Period | None:
        if day_text is None:
            if at.unmarked:
                return None  # 正月里不剃头
            return lunar_calendar.lunar_month(year, lunar_calendar.MONTHS[month_text], leap=leap is not None)
        return lunar_calendar.lunar_date(year, month_text, day_text, leap=leap is not None)

    if year_text:
        return made(numeral(year_text))
    return _of_year_said(at, YEARS[shift], made) if shift else calendar_math.of_year(at, made)


def _of_year_said(at: Anchor, shift: int, made: Callable[[int], Period | None]) -> Period | None:
    """今年 between the first of January and the New Year's feast is the year that ends, or the one that comes."""
    ending = lunar_calendar.year_begun(at.day)
    found = [each for year in dict.fromkeys((ending, at.year)) if (each := made(year + shift)) is not None]
    if len(found) < 2 or shift:
        return either(*found) if len(found) == 2 else next(iter(found), None)
    behind = at.tense is Tense.BEHIND
    fitting = [each for each in found if (each.from_ms <= at.at_ms if behind else each.to_ms > at.at_ms)]
    if at.tense is not Tense.UNTOLD and len(fitting) == 1:
        return fitting[0]
    near, far = sorted(found, key=lambda each: abs(each.from_ms - at.at_ms))
    is_near = abs(near.from_ms - at.at_ms) < _NEAR_MS < 2 * _NEAR_MS < abs(far.from_ms - at.at_ms)
    return near if is_near else either(near, far)


def new_year_day(match: Match[str], at: Anchor) -> Period | None:
    """初三去拜年: a day of the first lunar month, if that is near; at other times a form at school, or any month."""
    days = [lunar_calendar.lunar_date(at.year + shift, "正", match[1]) for shift in (0, 1)]
    near = [day for day in days if day is not None and abs(day.from_ms - at.at_ms) < _FEAST_MS]
    if len(near) != 1 or at.habit:
        return None
    is_over = near[0].to_ms <= at.at_ms
    if at.tense is Tense.UNTOLD:
        return None if is_over else near[0]
    opposed = near[0].from_ms > at.at_ms if at.tense is Tense.BEHIND else is_over and not at.unmarked
    return None if opposed else near[0]


def mid_autumn(match: Match[str], at: Anchor) -> Period | None:
    """八月十五 without 号 is the feast as well as the fifteenth of August."""
    feast = calendar_math.of_year(at, lambda year: lunar_calendar.lunar_date(year, "八", "十五"))
    plain = calendar_math.of_year(at, lambda year: calendar_math.day_of(year, 8, 15))
    if feast is None or plain is None:
        return plain
    return either(replace(feast, other=None), replace(plain, other=None))
