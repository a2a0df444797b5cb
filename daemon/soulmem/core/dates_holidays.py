"""Holidays that fall on the same day every year, Chinese and English, and the day or days each of them means.

Called by the two grammars of dates. Holidays that move (春节, 中秋, Easter, Thanksgiving) are deliberately
unknown here: better no date than a wrong one. What is merely named after a holiday (a Christmas tree, 圣诞老人)
is none.
"""

from __future__ import annotations

import re
from re import Match

from soulmem.core import civil
from soulmem.core.civil import Anchor, Granularity, Period
from soulmem.core.patterns import LazyPattern
from soulmem.core.signs import heads_of

# month, day, number of days
_ENGLISH = {
    "christmas": (12, 25, 1),
    "christmas day": (12, 25, 1),
    "christmas eve": (12, 24, 1),
    "xmas": (12, 25, 1),
    "boxing day": (12, 26, 1),
    "halloween": (10, 31, 1),
    "new years eve": (12, 31, 1),
    "new years day": (1, 1, 1),
    "valentines": (2, 14, 1),
    "valentines day": (2, 14, 1),
}
_CHINESE = {
    "元旦": (1, 1, 1), "情人节": (2, 14, 1), "五一": (5, 1, 5), "劳动节": (5, 1, 5), "儿童节": (6, 1, 1),
    "国庆": (10, 1, 7), "国庆节": (10, 1, 7), "十一假期": (10, 1, 7), "平安夜": (12, 24, 1),
    "圣诞": (12, 25, 1), "圣诞节": (12, 25, 1), "圣诞夜": (12, 24, 1), "万圣节": (10, 31, 1), "万圣夜": (10, 31, 1),
    "双十一": (11, 11, 1), "跨年夜": (12, 31, 1),
}  # fmt: skip
_YEARS = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2}

ENGLISH = LazyPattern(
    r"\b(?:(last|this|next|on|for|at|over) )?"
    r"(christmas(?: eve| day)?|xmas|boxing day|halloween|new year['’]?s (?:eve|day)|valentine['’]?s(?: day)?)\b"
    r"(?!['’]s\b| (?:trees?|gifts?|presents?|cards?|carols?|songs?|music|movies?|films?|cookies?|"
    r"markets?|lights?|decorations?|ornaments?|stockings?|sweaters?|jumpers?|costumes?|cand(?:y|ies)|list|spirit|stor(?:y|ies)|island)\b)",
    re.IGNORECASE,
)
CHINESE = LazyPattern(
    rf"(?:(大前|前|去|今|明|后)年(?:的)?)?(?<!七夕)(?<!白色)({'|'.join(sorted(_CHINESE, key=len, reverse=True))})"
    r"(?![老树歌帽礼卡装颂袜饰糖岛劳路街号院]|劳动|广场)"
)

# The beginning of an English name, the end of a Chinese one: no match is without (`core/signs`).
ENGLISH_NEEDS = (frozenset(heads_of(_ENGLISH)),)
CHINESE_NEEDS = (frozenset(name[-1] for name in _CHINESE),)


def english(match: Match[str], at: Anchor) -> Period:
    month, day, count = _ENGLISH[match[2].lower().replace("’", "").replace("'", "")]
    this = civil.day_number(at.year, month, day)
    match (match[1] or "").lower():
        case "last":
            year = at.year if this < at.day else at.year - 1
        case "next":
            year = at.year if this > at.day else at.year + 1
        case "this":
            year = at.year
        case _:
            year = civil.nearest_year(at, month, day)
    return _of_year(year, month, day, count)


def chinese(match: Match[str], at: Anchor) -> Period:
    month, day, count = _CHINESE[match[2]]
    year = at.year + _YEARS[match[1]] if match[1] else civil.nearest_year(at, month, day)
    return _of_year(year, month, day, count)


def _of_year(year: int, month: int, day: int, count: int) -> Period:
    first = civil.day_number(year, month, day)
    return civil.days(first, count, Granularity.RANGE if count > 1 else Granularity.DAY)
