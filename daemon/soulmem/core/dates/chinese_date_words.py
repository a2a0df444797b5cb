"""The words that Chinese dates are made of: counts, units, weekdays, parts of a day and times of the clock.

Used by `core/dates/chinese_dates.py`. Numbers may be digits or Chinese numerals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from re import Match

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Anchor, Period, Wording
from soulmem.core.numbers.number_words import DIGITS, chinese_value
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.regex.regex_prefilter import Needs

Meaning = Callable[[Match[str], Anchor], Period | None]
Rule = tuple[LazyPattern, Needs, Meaning]
_VAGUE = {"几": 3, "好几": 4, "三五": 4, "十几": 15, "几十": 30, "若干": 4, "十来": 10}
DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3, "听": 1, "琴": -1, "寻": -1, "噚": -1}
YEARS = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
UNITS = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year",
    "小时": "hour", "钟头": "hour", "分钟": "minute",
}  # fmt: skip
DAY_PARTS = {  # from, to, and the name by which both languages go
    "凌晨": (0, 6, "early morning"), "清晨": (5, 9, "morning"), "早上": (5, 12, "morning"), "早晨": (5, 12, "morning"),
    "早": (5, 12, "morning"), "一早": (5, 12, "morning"), "上午": (8, 12, "morning"), "中午": (11, 14, "noon"),
    "下午": (12, 18, "afternoon"), "傍晚": (17, 20, "evening"), "晚上": (18, 24, "night"), "晚": (18, 24, "night"),
    "夜里": (18, 30, "night"), "夜": (18, 30, "night"), "半夜": (22, 30, "night"), "深夜": (22, 30, "night"),
}  # fmt: skip
_NIGHT = frozenset({"晚上", "晚", "夜里", "夜", "半夜", "深夜"})
PARTS = {
    "初": "early", "上旬": "early", "中旬": "mid", "中": "mid", "下旬": "late", "底": "late", "末": "late",
    "上半年": "first", "下半年": "second",
}  # fmt: skip

CN = "[零〇一二三四五六七八九十廿]"
NUMERAL = CN[1:-1]  # the characters alone
COUNT = r"(\d{1,3}(?:\.5)?|好几|十几|几十|十来|几|若干|半|[一二两俩三四五六七八九十百廿]{1,5})"
NUMBER = rf"(\d{{1,2}}|{CN}{{1,3}})"
YEAR = r"(\d{4}|[零〇一二三四五六七八九]{4})"
# 七八年 is as well a stretch of years: what stands about it tells.
SHORT_YEAR = (
    r"(?<=[是在从自打于])(五六|六七|七八|八九)年(?=[生进入参毕结来去下上当调分退出搬]|一[块起]|的时候|那[年会])"
)
WEEK = r"(?:周|星期|礼拜)"
# A weekday, and not the beginning of another word (下周一起, 上周天气, 下周日本).
WEEKDAY = (
    "(一(?!下(?!午)|[个次些起直定共样般整])|二(?![十手维个次])|三(?![亚峡个次十])|四(?![级川个次十])|五(?![个次十])|六(?![级个次十])|"
    "日(?![本语常记程用子])|天(?!气)|末)"
)
# 今天早饭 tells of a breakfast today, 今早 of this morning whatever is eaten.
_EARLY = "(?:(?<![天的])早|早(?![餐饭茶点课教产恋]))"
_LATE = "(?:(?<![天的])晚|晚(?![餐饭霞宴辈年报]))"
_BY_NIGHT = "(?:(?<![天的])夜|夜(?![宵市班景校]))"
PART = rf"(凌晨|清晨|早上|早晨|一早|{_EARLY}|上午|中午|下午|傍晚|晚上|{_LATE}|夜里|{_BY_NIGHT}|半夜|深夜)?"
_CLOCK = (
    rf"(?:(\d{{1,2}}|[两{CN[1:]}{{1,3}})[点點时:：](?!球|评|赞|滴|心|钟头)"
    rf"(半|一刻|三刻|\d{{1,2}}|{CN}{{1,3}})?(?:分|钟|整)?)?"
)
TIME = PART + _CLOCK
_SIMPLIFIED = str.maketrans(
    "個禮號這週後裡點時兩節國慶聖誕農曆臘尋聽過還幾歲從當間開會來將爺",
    "个礼号这周后里点时两节国庆圣诞农历腊寻听过还几岁从当间开会来将爷",
)
OF = rf"(?:的(?=凌晨|清晨|{_EARLY}|上午|中午|下午|傍晚|{_LATE}(?![会点班风])|{_BY_NIGHT}))?"


def plainly_written(text: str) -> str:
    """A text with the traditional characters that dates are made of in their simplified form; of the same length."""
    return text.translate(_SIMPLIFIED)


def numeral(text: str | None) -> int:
    """The value of digits or Chinese numerals (or digit by digit: 二〇二三); 0 if malformed."""
    return int(chinese_value(text or "") or 0)


def count_of(text: str) -> tuple[float, bool]:
    """How many a word of `COUNT` says, and whether it is vague (几, 三四)."""
    if text in _VAGUE:
        return _VAGUE[text], True
    if len(text) == 2 and text[0] in DIGITS and text[1] in DIGITS:
        return DIGITS[text[0]], True
    return (float(text) if text[:1].isdigit() and text.isascii() else chinese_value(text) or 0), False


def with_time(day: int, match: Match[str], group: int, wording: Wording = Wording.RELATIVE) -> Period:
    """A day, or the part of it or the hour named at `group`, `group + 1`, `group + 2`.

    An hour that leaves open which half of the day it is in (明天八点, 昨晚一点) is not told.
    """
    part, hour_text, minute_text = match[group], match[group + 1], match[group + 2]
    moment = _hour(part, numeral(hour_text), minute_text) if hour_text else None
    if moment is not None:
        return replace(calendar_math.clock_time(day, *moment), wording=wording)
    if part:
        return replace(calendar_math.hours(day, *DAY_PARTS[part][:2], DAY_PARTS[part][2]), wording=wording)
    return calendar_math.one_day(day, wording)


def _hour(part: str | None, hour: int, minute_text: str | None) -> tuple[int, int] | None:
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(minute_text or "", numeral(minute_text))
    if hour > 23 or minute > 59:
        return None
    if part in _NIGHT:
        hour += 12 if 5 <= hour < 12 else 0
        return (hour, minute) if hour >= 17 else None
    if part in {"下午", "傍晚"}:
        hour += 12 if hour < 12 else 0
    elif part == "中午":
        hour += 12 if hour < 5 else 0
    elif part is None and hour <= 12:
        return None
    return hour, minute


def rule(pattern: str, chars: str, meaning: Meaning) -> Rule:
    return LazyPattern(pattern), tuple(map(frozenset, chars.split())), meaning


def week_shift(word: str) -> int:
    """How many weeks or months 上 and 下 lead from this one: 上上 two back."""
    return -word.count("上") if "上" in word else word.count("下")


def weekday_number(char: str) -> int:
    """Monday 0, of the last character of 周一, 星期天."""
    return "一二三四五六日".index(char.replace("天", "日"))
