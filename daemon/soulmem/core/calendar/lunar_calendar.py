"""The Chinese lunar calendar and the feasts that move: which day of ours they are in a year.

Used by `core/dates/holidays.py` and the Chinese grammar of dates. Pure. Bounds: lunar dates are known from 1900 to
2099 (the tables of `lunardate`), Easter from 1583 to 4099 (`dateutil.easter`), the 24 solar terms from 1900 to 2099;
outside there is no date, which is better than a wrong one.
"""

from __future__ import annotations

from functools import lru_cache

from soulmem.core.calendar.calendar_math import Granularity, Period, civil, day_number, days, one_day
from soulmem.core.numbers.number_words import chinese_value

MONTHS = {"正": 1, "冬": 11, "腊": 12} | {
    text: i for i, text in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split(), 1)
}
_FIRST, _LAST = 1900, 2099
# Of a solar term: its month, and where in it, in the twentieth and in the twenty-first century.
TERMS = {
    "小寒": (1, 6.11, 5.4055), "大寒": (1, 20.84, 20.12), "立春": (2, 4.6295, 3.87), "雨水": (2, 19.4599, 18.73),
    "惊蛰": (3, 6.3826, 5.63), "春分": (3, 21.4155, 20.646), "清明": (4, 5.59, 4.81), "谷雨": (4, 20.888, 20.1),
    "立夏": (5, 6.318, 5.52), "小满": (5, 21.86, 21.04), "芒种": (6, 6.5, 5.678), "夏至": (6, 22.20, 21.37),
    "小暑": (7, 7.928, 7.108), "大暑": (7, 23.65, 22.83), "立秋": (8, 8.35, 7.5), "处暑": (8, 23.95, 23.13),
    "白露": (9, 8.44, 7.646), "秋分": (9, 23.822, 23.042), "寒露": (10, 9.098, 8.318), "霜降": (10, 24.218, 23.438),
    "立冬": (11, 8.218, 7.438), "小雪": (11, 23.08, 22.36), "大雪": (12, 7.9, 7.18), "冬至": (12, 22.60, 21.94),
}  # fmt: skip
# The years in which a term is a day later, or earlier, than that tells.
_LATER = {
    "冬至": {1914, 1947, 1980, 1984}, "小寒": {1982}, "春分": {2084}, "立夏": {1911}, "小满": {2008}, "芒种": {1902},
    "夏至": {1928}, "小暑": {1925, 2016}, "大暑": {1922}, "立秋": {2002}, "白露": {1927}, "秋分": {1942},
    "霜降": {2089}, "立冬": {2089}, "小雪": {1978}, "大寒": {2082},
}  # fmt: skip
_EARLIER = {"冬至": {2021}, "雨水": {2026}, "小寒": {2019}, "立春": {1914, 1947}}


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
    """The day of one of the 24 solar terms."""
    if not _FIRST <= year <= _LAST:
        return None
    month, old, new = TERMS[name]
    short = year % 100
    leaps = short // 4 if month > 2 else max(short - 1, 0 if year < 2000 else -1) // 4
    day = int(short * 0.2422 + (new if year >= 2000 else old)) - leaps
    day += (year in _LATER.get(name, ())) - (year in _EARLIER.get(name, ()))
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
