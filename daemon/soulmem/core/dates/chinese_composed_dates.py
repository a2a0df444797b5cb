"""Chinese dates made of two (四月最后一天, 五月第二个周日, 去年这个时候), seasons, and what may be lunar (四月十八).

Called by the rules of `core/dates/chinese_dates.py`. Each part alone would be another day, so the whole is read at
once, or left in its words where it may be either of two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from re import Match

from soulmem.core.calendar import calendar_math, lunar_calendar
from soulmem.core.calendar.calendar_math import Anchor, Period, Tense, either
from soulmem.core.dates.chinese_date_words import (
    COUNT,
    DAYS,
    NUMBER,
    NUMERAL,
    PARTS,
    SEASONS,
    TIME,
    UNITS,
    YEARS,
    Rule,
    count_of,
    numeral,
    rule,
    with_time,
)
from soulmem.core.regex.lazy_regex import LazyPattern

_Made = Callable[[int, int], Period | None]  # of a year and a month
_WEEKDAYS = "一二三四五六日"
_PLANNED = LazyPattern("打算|计划|准备|就要|预计|定在|想去")
_ANY_DAY = LazyPattern("可能|也许|可以|下次|喜欢|或|平时|一般|有时")
_NEAR_IT = 14  # characters
_AROUND = 60  # characters of the text about a season in which a plan is looked for


def last_day(match: Match[str], at: Anchor) -> Period | None:
    """四月最后一天, 下个月最后一天."""

    def made(year: int, month: int) -> Period:
        return calendar_math.one_day(calendar_math.day_number(year, month + 1, 1) - 1)

    return _in_month(match, at, made)


def last_day_of_this_month(_: Match[str], at: Anchor) -> Period | None:
    """月底最后一天."""
    return calendar_math.one_day(calendar_math.day_number(at.year, at.month + 1, 1) - 1)


def nth_weekday(match: Match[str], at: Anchor) -> Period | None:
    """五月第二个周日, 下个月最后一个周五."""
    nth = -1 if match[4] == "最后一" else numeral(match[4].removeprefix("第"))
    number = _WEEKDAYS.index(match[5].replace("天", "日"))

    def made(year: int, month: int) -> Period | None:
        day = calendar_math.nth_weekday(year, month, nth, number)
        return calendar_math.one_day(day) if calendar_math.civil(day)[1] == (month - 1) % 12 + 1 else None

    return _in_month(match, at, made) if nth and nth <= 5 else None


def nth_week(match: Match[str], at: Anchor) -> Period | None:
    """九月头一个礼拜, 上个月第二周, 八月最后一个周末."""
    said = match[4].removeprefix("第").removesuffix("个")
    nth = 1 if said == "头一" else -1 if said == "最后一" else numeral(said)
    name = "weekend" if match[5] else "week"
    return _in_month(match, at, lambda year, month: calendar_math.stretch_of_month(year, month, nth, name))


def _in_month(match: Match[str], at: Anchor, made: _Made) -> Period | None:
    """Groups: the year's shift, how far off the month is, or its number."""
    if match[2]:
        shift = -match[2].count("上") if "上" in match[2] else match[2].count("下")
        year, month, _ = calendar_math.civil(calendar_math.day_number(at.year, at.month + shift, 1))
        return made(year, month)
    number = numeral(match[3])
    if not 1 <= number <= 12:
        return None
    if match[1]:
        return made(at.year + YEARS[match[1]], number)
    return calendar_math.of_year(at, lambda year: made(year, number))


def this_day_ago(match: Match[str], at: Anchor) -> Period | None:
    """三周前的今天, 两年前的昨天, 四年前的这个月."""
    count, is_vague = count_of(match[1])
    if not count or count % 1 or is_vague:
        return None
    unit = UNITS[match[2]]
    if match[3] is None:
        return calendar_math.month(at.year - int(count), at.month) if unit == "year" else None
    day = at.day + DAYS[match[3]]
    if unit == "week":
        return calendar_math.one_day(day - 7 * int(count))
    year, month, number = calendar_math.civil(day)
    if unit == "month":
        year, month, _ = calendar_math.civil(calendar_math.day_number(year, month - int(count), 1))
    return calendar_math.day_of(year - int(count) * (unit == "year"), month, number)


def time_of_year(match: Match[str], at: Anchor) -> Period | None:
    """去年这个时候: the month it was."""
    return calendar_math.month(at.year + YEARS[match[1]], at.month)


def short_year(match: Match[str], at: Anchor) -> Period | None:
    """一八年搬来的, 九七年: a year by its last two figures; 七八年 may be how long."""
    tens, ones = ("零一二三四五六七八九".find(char) for char in match[1].replace("〇", "零"))
    if ones == tens + 1 or min(tens, ones) < 0:  # 十几 and 两三 years are how long
        return None
    century = _century(10 * tens + ones, match, at)
    if century is None:
        return either(calendar_math.year(2000 + 10 * tens + ones), calendar_math.year(1900 + 10 * tens + ones))
    return calendar_math.year(century + 10 * tens + ones)


def month_of_short_year(match: Match[str], at: Anchor) -> Period | None:
    """一六年六月."""
    tens, ones, month = (numeral(match[1][0]), numeral(match[1][1]), numeral(match[2]))
    century = _century(10 * tens + ones, match, at)
    if century is None or not 1 <= month <= 12:
        return None
    return calendar_math.month(century + 10 * tens + ones, month)


def _century(year: int, match: Match[str], at: Anchor) -> int | None:
    """Of two figures: what has been, but for a plan; None where it may be either."""
    if 2000 + year <= at.year or year > at.year % 100 + 10:
        return 1900 if 2000 + year > at.year else 2000
    if at.tense is Tense.BEHIND or match.string.startswith(("生", "出生"), match.end()):
        return 1900
    return 2000 if at.tense is Tense.AHEAD and not at.unmarked else None


def unnumbered_day(match: Match[str], at: Anchor) -> Period | None:
    """四月十八 without 号 is a day of the lunar month as well."""
    year, month, day = match.groups()
    if year:
        plain = calendar_math.day_of(at.year + YEARS[year], numeral(month), numeral(day))
        moon = lunar_calendar.lunar_date(lunar_calendar.year_begun(at.day) + YEARS[year], month, day)
    else:
        plain = calendar_math.of_year(at, lambda year: calendar_math.day_of(year, numeral(month), numeral(day)))
        moon = calendar_math.of_year(at, lambda year: lunar_calendar.lunar_date(year, month, day))
    if plain is None or moon is None:
        return plain or moon
    return either(replace(plain, other=None), replace(moon, other=None))


def half_year(match: Match[str], at: Anchor) -> Period | None:
    return calendar_math.year_part(at.year, PARTS[match[1]])


def season_now(match: Match[str], at: Anchor) -> Period | None:
    name = SEASONS[match[1]]
    return calendar_math.season(at.year - (name == "winter" and at.month <= 2), name)


def planned_season(match: Match[str], at: Anchor) -> Period | None:
    """秋天我打算回学校: what is true of any autumn has no year."""
    low, high = max(0, match.start() - _AROUND), match.end() + _AROUND
    if at.habit or at.tense is not Tense.AHEAD or at.unmarked or _PLANNED.search(match.string, low, high) is None:
        return None
    return calendar_math.of_year(at, lambda year: calendar_math.season(year, SEASONS[match[1]]))


def school_holidays(match: Match[str], at: Anchor) -> Period | None:
    """暑假我学了车, 寒假要回老家: the summer or winter there was or that comes, where what is told of it says which."""
    name = "summer" if match[2] == "暑" else "winter"
    if match[1]:
        return calendar_math.season(at.year + YEARS[match[1]] - (name == "winter"), name)
    if at.habit or at.unmarked or at.tense is Tense.UNTOLD:
        return None
    seasons = [calendar_math.season(at.year + shift, name) for shift in (-2, -1, 0, 1)]
    if at.tense is Tense.BEHIND:
        return [each for each in seasons if each.from_ms <= at.at_ms][-1]
    return next(each for each in seasons if each.to_ms > at.at_ms)


def part_of_today(match: Match[str], at: Anchor) -> Period | None:
    """早上电瓶车被偷了, 晚上要加班: of today, where what is told of it can be; what is so on any morning has no day."""
    if at.habit or at.tense is Tense.UNTOLD or at.unmarked:
        return None
    if _ANY_DAY.search(match.string, max(0, match.start() - _NEAR_IT), match.end() + _NEAR_IT):
        return None
    part = with_time(at.day, match, 1)
    over = part.from_ms > at.at_ms if at.tense is Tense.BEHIND else part.to_ms <= at.at_ms
    return None if over else part


_MONTH_SAID = rf"(?:(去|今|明)年)?(?:(上{{1,8}}+个?|下{{1,8}}+个?|这个?|本)月|(?<![\d个{NUMERAL}]){NUMBER}月)(?:份)?的?"
RULES: tuple[Rule, ...] = (
    rule(rf"(?<![第\d]){COUNT}个?(周|星期|礼拜|月|年)前的(?:(今|昨|明)天|这个?月)", "前 今昨明这", this_day_ago),
    rule(rf"{_MONTH_SAID}最后一天", "月 最", last_day),
    rule(rf"(?<![上下个这本每\d{NUMERAL}])月(?:底|末)的?最后一天", "月 最", last_day_of_this_month),
    rule(
        rf"{_MONTH_SAID}(第[一二三四五]|最后一)个(?:周|星期|礼拜)([一二三四五六日天])",
        "月 第最 周期拜",
        nth_weekday,
    ),
    rule(
        rf"{_MONTH_SAID}(第[一二三四]个?|头一个?|最后一个?)(?:(?:周|星期|礼拜)(?![一二三四五六日天末])|(周末))",
        "月 第头最 周期拜",
        nth_week,
    ),
    rule("(大前|前|去|明|后)年(?:的)?(?:差不多)?(?:这个?时候|这会儿?|这阵子|同期)", "年 时会阵同", time_of_year),
    rule(
        rf"(?<![{NUMERAL}\d第了过满])([{NUMERAL}零〇]{{2}})年(?![{NUMERAL}多来前后内间级了的半假会])",
        "年",
        short_year,
    ),
    rule(
        rf"(?<![{NUMERAL}\d第了过满])([{NUMERAL[:-1]}零〇]{{2}})年(?:的)?{NUMBER}月份?(?!{NUMBER}[号日號])",
        "年 月",
        month_of_short_year,
    ),
    rule(
        rf"(?:(去|今|明|后)年)?(?<![\d{NUMERAL}个历])(?<!\d年)(十[一二]|[一二三四五六七八九十])月"
        rf"(十[一二三四五六七八九]|二十[一二三四五六七八九]?)"
        rf"(?![号日號{NUMERAL}个多来几天年岁块度])",
        "月 十",
        unnumbered_day,
    ),
    rule(
        rf"(?<![天日号號月期拜周一二三四五六七八九十末每个到从整这那前后当第节夕夜早晚昨今明于在了过等半\d])(?!(?:早上|早晨|上午|中午|下午|晚上|傍晚)好)(?=早上|上午|中午|下午|傍晚|晚上|一早){TIME}(?![都还总老常一]|睡不|[是的])",
        "早上中下傍晚",
        part_of_today,
    ),
    rule("(?:(去|今|明)年的?)?(?<![每个放])([暑寒])假(?!作业|[工班期补])", "假 暑寒", school_holidays),
    rule("(?<![今去明前后年这每个])(春|夏|秋|冬)天(?!都|总|一到|到了)", "春夏秋冬 天", planned_season),
)
