"""The Chinese grammar of dates: patterns and what each means, reckoned from a message's own time.

Called by `core/dates.py` only. Numbers may be digits or Chinese numerals; weeks begin on Monday, and 上周五 is
the Friday of last week whatever today is. Beside each pattern stand the characters that such a date is never without:
one of each group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from re import Match

from soulmem.core import civil, dates_holidays
from soulmem.core.civil import Anchor, Granularity, Period, Wording
from soulmem.core.patterns import LazyPattern
from soulmem.core.signs import Needs

Rule = tuple[LazyPattern, Needs, Callable[[Match[str], Anchor], Period | None]]

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_VAGUE = {"几": 3, "好几": 4, "两三": 2, "三四": 3, "三五": 4, "十几": 15, "几十": 30, "若干": 4}
_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3, "当": 0}
_YEARS = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_UNITS = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year",
    "小时": "hour", "钟头": "hour", "分钟": "minute",
}  # fmt: skip
_DAY_PARTS = {
    "凌晨": (0, 6), "清晨": (5, 9), "早上": (5, 12), "早晨": (5, 12), "早": (5, 12), "一早": (5, 12),
    "上午": (8, 12), "中午": (11, 14), "下午": (12, 18), "傍晚": (17, 20), "晚上": (18, 24), "晚": (18, 24),
    "夜里": (18, 30), "夜": (18, 30), "半夜": (22, 30), "深夜": (22, 30),
}  # fmt: skip
_PARTS = {"初": "early", "上旬": "early", "中旬": "mid", "中": "mid", "下旬": "late", "底": "late", "末": "late"}
_CN = "[零〇一二三四五六七八九十]"
_COUNT = r"(\d{1,3}|好几|两三|三四|三五|十几|几十|几|若干|半|[一二两俩三四五六七八九十百]{1,4})"
_NUMBER = rf"(\d{{1,2}}|{_CN}{{1,3}})"
_YEAR = r"(\d{4}|[零〇一二三四五六七八九]{4})"
_WEEK = r"(?:周|星期|礼拜)"
_PART = r"(凌晨|清晨|早上|早晨|一早|早|上午|中午|下午|傍晚|晚上|晚|夜里|夜|半夜|深夜)?"
_CLOCK = rf"(?:(\d{{1,2}}|{_CN}{{1,3}})[点點时:：](?!球|评|赞|滴|心|钟头)(半|一刻|三刻|\d{{1,2}}|{_CN}{{1,3}})?分?)?"
_TIME = _PART + _CLOCK
_OF = "(?:的(?=凌晨|清晨|早|上午|中午|下午|傍晚|晚|夜))?"
_MONTH_PART = r"(?:份)?(初|上旬|中旬|下旬|底|末)?"


def numeral(text: str) -> int | None:
    """The value of digits or Chinese numerals up to 999 (or digit by digit: 二〇二三); None if malformed."""
    if text.isdigit() and text.isascii():
        return int(text)
    if len(text) > 1 and all(char in _DIGITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total, rest = 0, 0
    for char in text:
        if char in _DIGITS:
            rest = _DIGITS[char]
        elif char in "十百":
            total, rest = total + (rest or 1) * (10 if char == "十" else 100), 0
        else:
            return None
    return total + rest


def _count(text: str) -> tuple[int, bool]:
    if text in _VAGUE:
        return _VAGUE[text], True
    return numeral(text) or 0, False


def _with_time(day: int, match: Match[str], group: int, wording: Wording = Wording.RELATIVE) -> Period:
    """A day, or the part of it or the hour named at `group`, `group + 1`, `group + 2`."""
    part, hour_text, minute_text = match[group], match[group + 1], match[group + 2]
    hour = numeral(hour_text) if hour_text else None
    if hour is not None and hour <= 24:
        if (hour < 12 and part in {"下午", "傍晚", "晚上", "晚", "夜里", "夜"}) or (part == "中午" and hour < 6):
            hour += 12
        minute = {"半": 30, "一刻": 15, "三刻": 45}.get(minute_text or "零", numeral(minute_text or "零") or 0)
        return replace(civil.clock_time(day, hour, min(minute, 59)), wording=wording)
    if part:
        return replace(civil.hours(day, *_DAY_PARTS[part]), wording=wording)
    return civil.one_day(day, wording)


def _near_day(match: Match[str], at: Anchor) -> Period | None:
    return _with_time(at.day + _DAYS[match[1]], match, 2)


def _short_day(match: Match[str], at: Anchor) -> Period | None:
    return _with_time(at.day + _DAYS[match[1]], match, 2)


def _week_shift(word: str) -> int:
    return -word.count("上") if "上" in word else word.count("下")


def _week(match: Match[str], at: Anchor) -> Period | None:
    """上周, 下下个星期, 本周 with a weekday, 末 (the weekend) or nothing."""
    day, which = at.day + 7 * _week_shift(match[1]), match[2]
    if which is None:
        return civil.week(day)
    if which == "末":
        return civil.weekend(day)
    return _with_time(civil.monday(day) + "一二三四五六日".index(which.replace("天", "日")), match, 3)


def _bare_weekday(match: Match[str], at: Anchor) -> Period | None:
    """周六 on its own: today or the coming one, or the last one where something is told as done."""
    if match[1] == "末":
        return civil.weekend(at.day - 7 if at.done and civil.weekday(at.day) < 5 else at.day)
    number = "一二三四五六日".index(match[1].replace("天", "日"))
    offset = (number - civil.weekday(at.day)) % 7
    return _with_time(at.day + (-((7 - offset) % 7) if at.done else offset), match, 2)


def _relative_month(match: Match[str], at: Anchor) -> Period | None:
    number = at.month + _week_shift(match[1])
    if match[3] is not None:
        day = numeral(match[3]) or 0
        year, month, _ = civil.civil(civil.day_number(at.year, number, 1))
        return _with_time(civil.day_number(year, month, day), match, 4) if civil.valid_day(year, month, day) else None
    if match[2] is not None:
        return civil.month_part(at.year, number, _PARTS[match[2]])
    return civil.month(at.year, number)


def _within_year(year: int, match: Match[str], group: int, wording: Wording, at: Anchor) -> Period | None:
    """A year, or its season, month, part of a month or day named from `group` on (six groups and a time)."""
    season, edge, month_text, part, day_text = (match[group + i] for i in range(5))
    if season:
        return civil.season(year, _SEASONS[season], wording)
    if edge:
        return civil.month(year, 1 if edge == "初" else 12, wording)
    if not month_text:
        return civil.year(year, wording)
    month = numeral(month_text) or 0
    if not 1 <= month <= 12:
        return None
    if day_text:
        day = numeral(day_text) or 0
        if not civil.valid_day(year, month, day):
            return None
        return _with_time(civil.day_number(year, month, day), match, group + 5, wording)
    return civil.month_part(year, month, _PARTS[part], wording) if part else civil.month(year, month, wording)


def _relative_year(match: Match[str], at: Anchor) -> Period | None:
    return _within_year(at.year + _YEARS[match[1]], match, 2, Wording.RELATIVE, at)


def _absolute_year(match: Match[str], at: Anchor) -> Period | None:
    year = numeral(match[1])
    return None if year is None else _within_year(year, match, 2, Wording.COMPLETE, at)


def _month_day(match: Match[str], at: Anchor) -> Period | None:
    """5月3号, 五月, 1月中旬: a date without its year."""
    month = numeral(match[1]) or 0
    if not 1 <= month <= 12:
        return None
    if match[3]:
        day = numeral(match[3]) or 0
        year = civil.nearest_year(at, month, max(1, min(day, 28)))
        if not civil.valid_day(year, month, day):
            return None
        return _with_time(civil.day_number(year, month, day), match, 4, Wording.YEARLESS)
    year = civil.nearest_year(at, month)
    if match[2]:
        return civil.month_part(year, month, _PARTS[match[2]], Wording.YEARLESS)
    return civil.month(year, month, Wording.YEARLESS)


def _bare_edge(match: Match[str], at: Anchor) -> Period | None:
    """年初, 年底, 月初, 月底 on their own mean this year's or this month's."""
    if match[1] == "年":
        return civil.month(at.year, 1 if match[2] == "初" else 12)
    return civil.month_part(at.year, at.month, _PARTS[match[2]])


def _season_now(match: Match[str], at: Anchor) -> Period | None:
    name = _SEASONS[match[1]]
    return civil.season(at.year - (name == "winter" and at.month <= 2), name)


def _away(match: Match[str], at: Anchor) -> Period | None:
    sign = 1 if "后" in match[3] else -1
    unit = _UNITS[match[2]]
    if match[1] == "半":
        half = {"year": (6, "month"), "month": (15, "day"), "day": (12, "hour"), "hour": (30, "minute")}
        return civil.units_away(at, sign * half[unit][0], half[unit][1], approximate=False) if unit in half else None
    count, vague = _count(match[1])
    return civil.units_away(at, sign * count, unit, approximate=vague) if count else None


def _recent_days(match: Match[str], at: Anchor) -> Period | None:
    """前几天, 前两天: some days back; 过几天, 过两天: some days ahead."""
    sign = -1 if match[1].startswith("前") else 1
    return civil.units_away(at, sign * _count(match[2])[0], "day", approximate=True)


def _past_stretch(match: Match[str], at: Anchor) -> Period | None:
    count = _count(match[1])[0]
    if not count:
        return None
    start = civil.units_away(at, -count, _UNITS[match[2]], approximate=False)
    return Period(start.from_ms, (at.day + 1) * civil.DAY_MS, Granularity.RANGE, Wording.RELATIVE, True)


def _day_of_month(match: Match[str], at: Anchor) -> Period | None:
    day = civil.nearest_day(at, numeral(match[1]) or 0)
    return None if day is None else _with_time(day, match, 2)


def _iso(match: Match[str], at: Anchor) -> Period | None:
    year, month, day = (int(match[i]) for i in (1, 2, 3))
    if not civil.valid_day(year, month, day):
        return None
    return civil.one_day(civil.day_number(year, month, day), Wording.COMPLETE)


def _rule(pattern: str, chars: str, meaning: Callable[[Match[str], Anchor], Period | None]) -> Rule:
    return LazyPattern(pattern), tuple(map(frozenset, chars.split())), meaning


_YEAR_TAIL = (
    r"(?:(?:的)?(春|夏|秋|冬)(?:天|季)|年?(初|底|末)|"
    rf"(?:的)?{_NUMBER}月{_MONTH_PART}(?:{_NUMBER}[号日號])?{_TIME})?"
)
_NUMBERED = "线楼店门院房机码桌位馆球桥选岛别文员仓窗厅路街树井柜屋室病床令称角钢柴公种站台厂塔矿车船舱队组场库区校"
_NO_DAY_BEFORE = rf"(?<![\d月第年.周{_CN[1:-1]}])"
_LED_DAY = (
    rf"{_NO_DAY_BEFORE}(?:(?<=[在到于从，,。 我你他她们咱定约等这个就订])|(?<![我你他她]是)(?<=是)|^|(?<=下周))"
    rf"{_NUMBER}[号號](?![{_NUMBERED}])"
)
_FOLLOWED_DAY = (
    rf"{_NO_DAY_BEFORE}(?<![我你他她]是){_NUMBER}[号號](?=那天|早|上午|中午|下午|傍晚|晚|是|去|来|要|会|有|我|你|他|她|开[始学会业]|结婚|"
    r"考试|出发|之?[前后]|[，。！？、,!?]|$)"
)

_UNIT_CHARS = "天日周期拜月年时头钟"

RULES: tuple[Rule, ...] = (
    _rule(
        rf"(?<!以)(大前|前|昨|今|明|大后|后)[天日儿](?!气|堂|真|文|才){_OF}{_TIME}",
        "前昨今明后 天日儿",
        _near_day,
    ),
    _rule(rf"(?<![聪文透说证])(昨|今|明|当)(?=早|晚|夜){_TIME}", "昨今明当 早晚夜", _short_day),
    _rule(rf"(上+个?|下+个?|这个?|本){_WEEK}([一二三四五六日天末](?![个次下些起]))?{_TIME}", "周期拜 上下这本", _week),
    _rule(
        rf"(?<![每上下这本个]){_WEEK}([一二三四五六日天末])(?![个次下些到至年都]){_OF}{_TIME}",
        "周期拜 一二三四五六日天末",
        _bare_weekday,
    ),
    _rule(
        rf"(上+个?|下+个?|这个?|本)月(?:(初|上旬|中旬|下旬|底|末)|{_NUMBER}[号日號])?{_TIME}",
        "月 上下这本",
        _relative_month,
    ),
    _rule(rf"(大前|前|去|今|明|后)年{_YEAR_TAIL}", "年 前去今明后", _relative_year),
    _rule(rf"(?<!\d){_YEAR}年{_YEAR_TAIL}", "年", _absolute_year),
    _rule(
        rf"(?<![\d个{_CN[1:-1]}]){_NUMBER}月(?:份)?(初|上旬|中旬|下旬|底|末)?(?:{_NUMBER}[号日號])?{_TIME}(?!饼|嫂|台)",
        "月",
        _month_day,
    ),
    _rule(r"(?<![今去明前后\d个三两半一])(年|月)(初|底|末)(?![一二三四五六七八九十])", "年月 初底末", _bare_edge),
    _rule(r"这个?(春|夏|秋|冬)(?:天|季)", "这 春夏秋冬", _season_now),
    _rule(
        rf"(?<![第\d]){_COUNT}个?(?:多)?(天|日|周|星期|礼拜|月|年|小时|钟头|分钟)(之?前|以前|之?后|以后)",
        f"前后 {_UNIT_CHARS}",
        _away,
    ),
    _rule(r"(前|过)(几|两三|两|三四|些)[天日](?![前后])", "前过 天日", _recent_days),
    _rule(rf"(?:最近|过去|近)(?:的|这)?{_COUNT}个?(天|周|星期|礼拜|月|年)", f"近去 {_UNIT_CHARS}", _past_stretch),
    _rule(rf"{_LED_DAY}{_TIME}", "号號", _day_of_month),
    _rule(rf"{_FOLLOWED_DAY}{_TIME}", "号號", _day_of_month),
    _rule(r"(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])", "-/.", _iso),
    (dates_holidays.CHINESE, dates_holidays.CHINESE_NEEDS, dates_holidays.chinese),
)
NEEDED = frozenset().union(*(rule[1][0] for rule in RULES))  # of these any date has one

TRIGGER = LazyPattern(
    r"[天日晚早夜周月年前后号]|星期|礼拜|元旦|情人节|五一|劳动节|儿童节|国庆|十一|平安夜|圣诞|万圣|跨年|\d{4}[-/.]"
)
PAST = LazyPattern(r"[去完到回过]了|过(?!敏|年|期|节)|当时|那时|曾|以前|哪")
# Weaker signs that something is told as done: enough for the day a clause means, not for its year.
DONE = LazyPattern(r"了(?!解)|过(?!敏|年|期|节|来|去|两|几|一)|昨|上周|上个|刚才|那天")
FUTURE = LazyPattern(
    r"打算|计划|准备|将要|即将|(?<![开聚晚约机社体学误宴协年])会(?!议)|要(?!求|点)|[定约改][在到于]|明天|后天|下周|下个?月|明年|等到|约好|预约|记得|别忘|期待|到时|之后"
)
