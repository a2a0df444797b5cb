"""Feasts and holidays, Chinese and English: those of a fixed day, those that move, and the lunar ones.

Called by the two grammars of dates. What is merely named after a feast (a Christmas tree, 圣诞老人) is none, and feasts
whose day differs from country to country (Labour Day, Mother's Day, Diwali) are left in their words: better no date
than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from re import Match

from soulmem.core.calendar import lunar_calendar
from soulmem.core.calendar.calendar_math import (
    Anchor,
    Granularity,
    Period,
    Tense,
    Wording,
    civil,
    day_number,
    days,
    either,
    nth_weekday,
    of_year,
    one_day,
    weekday,
)
from soulmem.core.calendar.lunar_calendar import TERMS, easter_day, lunar_day, solar_term
from soulmem.core.dates.english_date_words import tells_custom
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.regex.regex_prefilter import heads_of
from soulmem.core.text.word_file import read_sections

_Feast = Callable[[int], int | None]  # its day number in a year


def _fixed(month: int, day: int) -> _Feast:
    return partial(day_number, month=month, day=day)


def _weekday(month: int, nth: int, number: int, later: int = 0) -> _Feast:
    return lambda year: nth_weekday(year, month, nth, number) + later


def _easter(later: int) -> _Feast:
    def found(year: int) -> int | None:
        day = easter_day(year)
        return None if day is None else day + later

    return found


def _advent(year: int) -> int:
    """The fourth Sunday before Christmas."""
    christmas = day_number(year, 12, 25)
    return christmas - (weekday(christmas) + 1) - 21


def _lunar(month: int, day: int) -> _Feast:
    """A lunar feast of the year in which it falls; those of the last month fall in the next January, mostly."""

    def found(year: int) -> int | None:
        each = [lunar_day(lunar_year, month, day) for lunar_year in (year - 1, year)]
        return next((number for number in each if number is not None and civil(number)[0] == year), None)

    return found


_ENGLISH: dict[str, _Feast] = {
    "christmas": _fixed(12, 25), "christmas day": _fixed(12, 25), "xmas": _fixed(12, 25), "xmas day": _fixed(12, 25),
    "christmas eve": _fixed(12, 24), "xmas eve": _fixed(12, 24), "boxing day": _fixed(12, 26),
    "halloween": _fixed(10, 31), "new years eve": _fixed(12, 31), "new years day": _fixed(1, 1), "nye": _fixed(12, 31),
    "valentines": _fixed(2, 14), "valentines day": _fixed(2, 14), "st patricks day": _fixed(3, 17),
    "april fools day": _fixed(4, 1), "april fools": _fixed(4, 1), "bonfire night": _fixed(11, 5),
    "guy fawkes night": _fixed(11, 5), "may day": _fixed(5, 1), "burns night": _fixed(1, 25),
    "juneteenth": _fixed(6, 19),
    "fourth of july": _fixed(7, 4), "bastille day": _fixed(7, 14), "veterans day": _fixed(11, 11),
    "international womens day": _fixed(3, 8), "canada day": _fixed(7, 1),
    "easter": _easter(0), "easter sunday": _easter(0), "easter monday": _easter(1), "good friday": _easter(-2),
    "palm sunday": _easter(-7), "ash wednesday": _easter(-46), "shrove tuesday": _easter(-47),
    "pancake day": _easter(-47), "maundy thursday": _easter(-3), "mothering sunday": _easter(-21),
    "labor day weekend": _weekday(9, 1, 0, -2), "labour day weekend": _weekday(9, 1, 0, -2),
    "memorial day weekend": _weekday(5, -1, 0, -2), "thanksgiving weekend": _weekday(11, 4, 3),
    "easter weekend": _easter(-2), "whit monday": _easter(50), "pentecost": _easter(49),
    "thanksgiving": _weekday(11, 4, 3), "thanksgiving day": _weekday(11, 4, 3), "black friday": _weekday(11, 4, 3, 1),
    "advent sunday": _advent, "remembrance sunday": _weekday(11, 2, 6), "remembrance day": _fixed(11, 11),
    "armistice day": _fixed(11, 11), "ascension day": _easter(39), "trinity sunday": _easter(56),
    "corpus christi": _easter(60),
    "whit sunday": _easter(49), "cyber monday": _weekday(11, 4, 3, 4), "canadian thanksgiving": _weekday(10, 2, 0),
    "fathers day": _weekday(6, 3, 6), "memorial day": _weekday(5, -1, 0),
    "labor day": _weekday(9, 1, 0), "mlk day": _weekday(1, 3, 0), "columbus day": _weekday(10, 2, 0),
    "chinese new year": _lunar(1, 1), "lunar new year": _lunar(1, 1), "spring festival": _lunar(1, 1),
    "lantern festival": _lunar(1, 15), "dragon boat festival": _lunar(5, 5), "mid-autumn festival": _lunar(8, 15),
    "new year": _fixed(1, 1), "new years": _fixed(1, 1), "mid autumn festival": _lunar(8, 15),
    "moon festival": _lunar(8, 15),
}  # fmt: skip
_LASTING = {
    "easter weekend": 4,
    "labor day weekend": 3,
    "labour day weekend": 3,
    "memorial day weekend": 3,
    "thanksgiving weekend": 4,
}  # days; any other is of one
# What is told over a feast: from so many days before it, and how many.
_AROUND = {"easter": (2, 4), "christmas": (1, 3), "xmas": (1, 3), "new year": (1, 2)}
_CHINESE: dict[str, tuple[_Feast, int]] = {
    "元旦": (_fixed(1, 1), 1), "情人节": (_fixed(2, 14), 1), "妇女节": (_fixed(3, 8), 1), "三八节": (_fixed(3, 8), 1),
    "植树节": (_fixed(3, 12), 1), "愚人节": (_fixed(4, 1), 1), "五一": (_fixed(5, 1), 5), "劳动节": (_fixed(5, 1), 5),
    "青年节": (_fixed(5, 4), 1), "儿童节": (_fixed(6, 1), 1), "六一": (_fixed(6, 1), 1), "建军节": (_fixed(8, 1), 1),
    "教师节": (_fixed(9, 10), 1), "国庆": (_fixed(10, 1), 7), "国庆节": (_fixed(10, 1), 7),
    "十一假期": (_fixed(10, 1), 7), "十一长假": (_fixed(10, 1), 7), "十一期间": (_fixed(10, 1), 7),
    "十一": (_fixed(10, 1), 7),
    "光棍节": (_fixed(11, 11), 1),
    "双十一": (_fixed(11, 11), 1), "双十二": (_fixed(12, 12), 1), "平安夜": (_fixed(12, 24), 1),
    "圣诞": (_fixed(12, 25), 1), "圣诞节": (_fixed(12, 25), 1), "圣诞夜": (_fixed(12, 24), 1),
    "万圣节": (_fixed(10, 31), 1), "万圣夜": (_fixed(10, 31), 1), "跨年夜": (_fixed(12, 31), 1),
    "跨年那晚": (_fixed(12, 31), 1), "跨年那天": (_fixed(12, 31), 1),
    "520那天": (_fixed(5, 20), 1), "520 那天": (_fixed(5, 20), 1),
    "五二零": (_fixed(5, 20), 1),
    "母亲节": (_weekday(5, 2, 6), 1), "父亲节": (_weekday(6, 3, 6), 1), "感恩节": (_weekday(11, 4, 3), 1),
    "复活节": (_easter(0), 1),
    "春节": (_lunar(1, 1), 1), "大年初一": (_lunar(1, 1), 1), "大年初二": (_lunar(1, 2), 1),
    "大年初三": (_lunar(1, 3), 1), "大年初四": (_lunar(1, 4), 1), "大年初五": (_lunar(1, 5), 1),
    "大年初六": (_lunar(1, 6), 1), "大年初七": (_lunar(1, 7), 1), "大年初八": (_lunar(1, 8), 1),
    "除夕": (lunar_calendar.eve, 1), "除夕夜": (lunar_calendar.eve, 1), "大年三十": (lunar_calendar.eve, 1),
    "年三十": (lunar_calendar.eve, 1),
    "大年夜": (lunar_calendar.eve, 1), "元宵": (_lunar(1, 15), 1), "元宵节": (_lunar(1, 15), 1),
    "龙抬头": (_lunar(2, 2), 1), "端午": (_lunar(5, 5), 1), "端午节": (_lunar(5, 5), 1), "七夕": (_lunar(7, 7), 1),
    "七夕节": (_lunar(7, 7), 1), "七夕情人节": (_lunar(7, 7), 1), "中元节": (_lunar(7, 15), 1),
    "中秋": (_lunar(8, 15), 1), "中秋节": (_lunar(8, 15), 1), "重阳": (_lunar(9, 9), 1), "重阳节": (_lunar(9, 9), 1),
    "佛诞": (_lunar(4, 8), 1), "浴佛节": (_lunar(4, 8), 1), "腊八": (_lunar(12, 8), 1), "腊八节": (_lunar(12, 8), 1),
    "清明节": (partial(solar_term, name="清明"), 1),
    **{name: (partial(solar_term, name=name), 1) for name in TERMS},
}  # fmt: skip
# What was done on it and is over: 端午见过她; 春节买了票 may well be for the one to come.
_WAS = LazyPattern(
    r"[^，。！？；,.!?;\n]{0,12}[\u4e00-\u9fff]过(?![年节来去生])|[^，。！？；,.!?;\n]{0,8}(?:认识|遇[到见]|出生|去世)的?"
)
_YEARS = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_MARKS = str.maketrans("", "", "'’.")

_NEW_YEAR = (
    "(?<!the )(?<!happy )(?<!lunar )(?<!chinese )(?<!a )(?<!this )new year(?:['’]?s)?"
    "(?!['’]?s? (?:resolution|day|eve|in the))"
)
_NAMED = "|".join(
    re.escape(name)
    .replace("\\ ", " ")
    .replace("years", "year['’]?s")
    .replace("valentines", "valentine['’]?s")
    .replace("patricks", "(?:patrick|paddy)['’]?s")
    .replace("fools", "fool['’]?s'?")
    .replace("fathers", "father['’]?s['’]?")
    .replace("veterans", "veteran['’]?s['’]?")
    .replace("womens", "women['’]?s")
    if name != "new years"
    else _NEW_YEAR
    for name in sorted(sorted(_ENGLISH.keys() - {"new year"}), key=len, reverse=True)
)
ENGLISH = CaselessPattern(
    rf"\b(?:(last|this|next|on|for|at|over|by|until|since) )?({_NAMED})\b(?:,? ((?:19|20)\d\d)\b)?"
    r"(?!['’]s\b| (?:trees?|gifts?|presents?|cards?|carols?|songs?|music|movies?|films?|cookies?|eggs?|"
    r"bunn(?:y|ies)|sales?|deals?|"
    r"markets?|lights?|decorations?|ornaments?|stockings?|sweaters?|jumpers?|costumes?|cand(?:y|ies)|list|spirit|stor(?:y|ies)|"
    r"island|(?-i:Road|Street|Lane|Avenue|Square|Terrace)|jokes?|weekend|break|holidays?|season|cracker|pudding|turkey)\b)"
)
# What is also weather, or somebody's name, is a solar term only where it is told as a day.
_TERM_DAY = "(?=(?:那|当|这)天|节气|(?:前|后)[一两]天)"
_NO_DAY = "(?!了|[^，。！？]{0,20}(?:[风习]俗|规矩|讲究))"  # 处暑了还这么热; a custom is of every year
_AS_WEATHER = frozenset({"小寒", "雨水", "谷雨", "小满", "小暑", "白露", "小雪", "大雪", "寒露"})
_CHINESE_AS = {
    name: name + (_TERM_DAY if name in _AS_WEATHER else "") + _NO_DAY for name in TERMS.keys() - {"清明", "冬至"}
} | {
    "大暑": "大暑(?!假|期)" + _NO_DAY,
    "十一": r"(?<![\d一二三四五六七八九十月第周拜期])十一(?=打算|放假|出去|回老?家|准备|计划|要去|去哪|那几天|那会)",
    "元宵": "元宵(?=那天|当天|晚|夜|之?[前后])",  # by itself it is mostly eaten
    "年三十": "(?<![今去前明后每全整当周几多半])年三十(?![一二三四五六七八九多几来个岁天号人块万])",  # 今年三十五岁
}
_CHINESE_NAMED = "|".join(_CHINESE_AS.get(name, name) for name in sorted(_CHINESE, key=len, reverse=True))
CHINESE = LazyPattern(
    rf"(?:(上一?个)|(大前|前|去|今|明|后)年(?:的)?|(?<!\d)(\d{{4}})年(?:的)?)?(?<!七夕)(?<!白色)(?<![十\d月])"
    rf"({_CHINESE_NAMED})"
    r"(?![老树歌帽礼卡装颂袜饰糖岛劳路街号院棒蒜粥饼上]|劳动|广场|班|中(?![心午途间])|小(?!长假|孩|朋友|聚|住|两口)|放假通知|前夕|季)"
)

# People are called so: 谭立冬, 张国庆; not where what follows makes it a day.
_GIVEN_NAMES = frozenset(TERMS) | {"国庆", "元旦", "重阳", "端午", "中秋", "五一", "七夕"}
_LISTS = read_sections("core/names/chinese_names.txt")
_SURNAMES = frozenset(_LISTS["frequent"] + _LISTS["common"]) - frozenset("于常 \n")  # 于国庆期间, 常国庆加班
_AS_DAY = LazyPattern(r"期间|假|当[天日晚]|那[天晚]|节|[前后](?:[一两三几]?[天周]|夕)?")

# The beginning of an English name, the end of a Chinese one: no match is without (`core/regex/regex_prefilter`).
ENGLISH_NEEDS = (frozenset(heads_of(name.split()[0] for name in _ENGLISH)) | {"pad"},)
CHINESE_NEEDS = (frozenset(name[-1] for name in _CHINESE),)


def _period(feast: _Feast, year: int, count: int = 1, wording: Wording = Wording.RELATIVE) -> Period | None:
    day = feast(year)
    if day is None:
        return None
    return days(day, count, Granularity.RANGE, wording) if count > 1 else one_day(day, wording)


def _around(feast: _Feast, year: int, lead: int, count: int) -> Period | None:
    day = feast(year)
    return None if day is None else days(day - lead, count, Granularity.RANGE, Wording.RELATIVE)


def _is_of_somebody(text: str, day: str) -> bool:
    """Whether a text calls somebody by the name of a day: 谭立冬, 张国庆."""
    place = text.find(day, 1)
    while place > 0:
        is_surname = text[place - 1] in _SURNAMES
        if is_surname and _AS_DAY.match(text, place + len(day)) is None:
            return True
        place = text.find(day, place + 1)
    return False


def english(match: Match[str], at: Anchor) -> Period | None:
    name = " ".join(match[2].lower().translate(_MARKS).replace("paddys", "patricks").split())
    feast = _ENGLISH[name] if name in _ENGLISH else _ENGLISH[name.removesuffix("s")]
    count = _LASTING.get(name, 1)
    if match[3]:
        return _period(feast, int(match[3]), count, Wording.COMPLETE)
    word = (match[1] or "").lower()
    if word == "over" and name in _AROUND:
        lead, count = _AROUND[name]
        return of_year(at, lambda year: _around(feast, year, lead, count))
    if word not in {"last", "this", "next"}:
        if word != "since" and at.tense is not Tense.BEHIND and tells_custom(match):
            return None
        at = at if word != "since" else replace(at, tense=Tense.BEHIND)
        was = at.tense is Tense.BEHIND and word not in {"for", "by", "until"}  # "I got him a bike for Christmas"
        return of_year(at, lambda year: _period(feast, year, count), sure=was)
    this = _period(feast, at.year, count)
    if this is None:
        return None
    ahead = this.from_ms > at.at_ms
    if word == "this":
        return this
    if word == "last":
        return _period(feast, at.year - 1, count) if ahead else this
    later = _period(feast, at.year + 1, count)
    return either(this, later) if ahead and later is not None else later


def chinese(match: Match[str], at: Anchor) -> Period | None:
    feast, count = _CHINESE[match[4]]
    if match[4] in _GIVEN_NAMES and not (match[2] or match[3]) and _is_of_somebody(match.string, match[4]):
        return None
    if match[3]:
        return _period(feast, int(match[3]), count, Wording.COMPLETE)
    if match[2]:
        return _period(feast, at.year + _YEARS[match[2]], count)
    if at.habit and match[1] is None:
        return None
    at = at if match[1] is None else replace(at, tense=Tense.BEHIND)
    was = match[1] is not None or (at.tense is Tense.BEHIND and _WAS.match(match.string, match.end()) is not None)
    return of_year(at, lambda year: _period(feast, year, count), sure=was)
