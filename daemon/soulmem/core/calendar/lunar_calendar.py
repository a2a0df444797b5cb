"""The Chinese lunar calendar and the feasts that move: which day of ours they are in a year.

Used by `core/dates/holidays.py` and the Chinese grammar of dates. Pure. Bounds: lunar dates are known from 1900 to
2099 (the tables of `lunardate`), Easter from 1583 to 4099 (`dateutil.easter`), 清明 and 冬至 from 1900 to 2099; outside
there is no date, which is better than a wrong one.
"""

from __future__ import annotations

from functools import lru_cache

from soulmem.core.calendar.calendar_math import Granularity, Period, civil, day_number, days, one_day
from soulmem.core.numbers.number_words import chinese_value

MONTHS = {"正": 1, "冬": 11, "腊": 12} | {
    text: i for i, text in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split(), 1)
}
_FIRST, _LAST = 1900, 2099
_TERMS = {"清明": (4, 5.59, 4.81), "冬至": (12, 22.60, 21.94)}  # month, and where in it, by century


@lru_cache(maxsize=512)
def lunar_day(year: int, month: int, day: int, *, leap: bool = False) -> int | None:
    """The day number of a lunar date; None where that year has no such day."""
    from lunardate import LunarDate  # noqa: PLC0415 (a few people speak of lunar dates)

    if not (_FIRST <= year <= _LAST and 1 <= month <= 12 and 1 <= day <= 30):
        return None
    try:
        found = LunarDate(year, month, day, leap).to_solar_date()
    except ValueError:
        return None
    return day_number(found.year, found.month, found.day)


def eve(year: int) -> int | None:
    """除夕: the evening before the first day of the lunar year that begins in a year."""
    first = lunar_day(year, 1, 1)
    return None if first is None else first - 1


@lru_cache(maxsize=128)
def easter_day(year: int) -> int | None:
    """The day number of Easter Sunday, as the western churches reckon it."""
    from dateutil.easter import easter  # noqa: PLC0415 (as above)

    if not 1583 <= year <= 4099:
        return None
    found = easter(year)
    return day_number(found.year, found.month, found.day)


def solar_term(year: int, name: str) -> int | None:
    """The day of 清明 or 冬至."""
    if not _FIRST <= year <= _LAST:
        return None
    month, old, new = _TERMS[name]
    short = year % 100
    day = int(short * 0.2422 + (new if year >= 2000 else old)) - short // 4
    if name == "冬至" and year in {1918, 2021}:
        day -= 1
    return day_number(year, month, day)


def lunar_month(year: int, month: int, *, leap: bool = False) -> Period | None:
    """A whole month of the lunar calendar."""
    first = lunar_day(year, month, 1, leap=leap)
    if first is None:
        return None
    length = 30 if lunar_day(year, month, 30, leap=leap) is not None else 29
    return days(first, length, Granularity.RANGE)


def lunar_date(year: int, month_text: str, day_text: str, *, leap: bool = False) -> Period | None:
    """腊月二十三, 八月初五 of a lunar year."""
    month = MONTHS.get(month_text)
    day = chinese_value(day_text.removeprefix("初"))
    if month is None or day is None:
        return None
    number = lunar_day(year, month, int(day), leap=leap)
    return None if number is None else one_day(number)


def year_begun(day: int) -> int:
    """The lunar year a day lies in; in January mostly the one before."""
    year = civil(day)[0]
    first = lunar_day(year, 1, 1)
    return year - 1 if first is not None and day < first else year
