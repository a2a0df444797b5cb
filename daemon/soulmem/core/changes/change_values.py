"""Values in a clause: the days, hours, amounts and codes that a statement can give anew.

Called by `change_detection`, which asks whether one statement gives another value for what an earlier one said. Days that come
back ("every Wednesday", 每周二) are values too, which `date_parser` leaves out because they are no dates. Pure; linear in the
length of a clause. Invariant: two values differ only where both say the same kind of thing, in the same unit.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from soulmem.core.calendar.calendar_math import DAY_MS, civil
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.numbers.amount_parser import Amount, AmountKind, find_amounts
from soulmem.core.numbers.rough_numbers import ENGLISH_NUMBER, value_of
from soulmem.core.regex.lazy_regex import KeptCaseless, KeptPattern
from soulmem.core.text.tokens import is_grammar, stemmed
from soulmem.fast_dataclasses import dataclass


class ValueKind(StrEnum):
    """What a value is: when something is, how much of something, or what is written letter by letter."""

    DAY = "day"
    WEEKDAY = "weekday"
    HOUR = "hour"
    NUMBER = "number"
    CODE = "code"


WHEN = frozenset({ValueKind.DAY, ValueKind.WEEKDAY, ValueKind.HOUR})
_WEEKDAYS = {
    **dict(zip(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), range(7), strict=True)),
    **dict(zip("一二三四五六日", range(7), strict=True)),
    "天": 6,
}
_WEEKDAY = KeptCaseless(
    r"\b(?P<en>mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?s?\b|(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])"
)
_STREET = KeptPattern(r"[\u4e00-\u9fff]?(?:路|街|巷|桥|屯|道口)")  # 二七路口: a name
_CLOCK = KeptCaseless(
    r"\b(?:at|from|till|until|(?:to|it['’]s|by|now)(?= half )) (?P<half>half (?:past )?)?(?P<en>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|\d{1,2})\b(?! (?:euro|percent|of|people|\w+s\b))"
)
# 十一点: an hour without its part of the day; 一点 alone is a little.
_HAN_CLOCK = KeptPattern(
    r"(?<![零一二两三四五六七八九十百\d点])(?P<h>十[一二]?|[二两三四五六七八九]|1?\d)点(?P<half>半)?(?:钟|整)?(?![一二三四五六七八九十\d点儿心子滴])"
)
# What a price or a dose is told by: it counts nothing itself.
_UNITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_TEENS = tuple(
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split()
)
_DAY_WORDS = {
    **{word: place for place, word in enumerate((*_UNITS, *_TEENS, "twentieth"), start=1)},
    **{f"twenty-{word}": 20 + place for place, word in enumerate(_UNITS, start=1)},
    "thirtieth": 30, "thirty-first": 31,
}  # fmt: skip
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DAY_WORD = KeptCaseless(
    rf"\b(?:(?:the|to|on|till|until|by) )(?P<day>(?:twenty[- ]|thirty[- ])?(?:{'|'.join((*_UNITS, *_TEENS))}|twentieth|thirtieth))\b"
    rf"(?= of (?:{_MONTHS})| (?:{_MONTHS})|\s*$|[,.;!]| (?:now|instead|and|so|because|at))"
)
_RATE = KeptCaseless(
    r"(?:每|(?<![零十\d])[一1])(?:个?(?:月|年|天|周|星期|礼拜|小时|学期)|节课?|次|晚|顿|公?斤)|\b(?:a|per|each|every|one) (?:month|year|week|day|night|hour|lesson|session|time)\b"
)
_HAN_NUMBER = KeptPattern(
    r"(?<![零〇一二两三四五六七八九十百千万第\d])[零〇一二两三四五六七八九十百千万]++(?P<half>半)?+(?![几多些样直起定点共般切旦向下会儿边面年期])"
)
_NO_NUMBER = KeptPattern(
    r"(?<![零一二三四五六七八九十百千万\d])一[鸣诺凡航宁菲涵舟博楠恒泽]|第[一二三]次|二胡|二手|三亚|四川|九寨沟|(?<![零一二三四五六七八九十百千万\d])五一|七夕|三明治|百合|千里|万一|千万|一(?:直|起|定|点|共|般|切|旦|向|下|会|边|面|样|些|帆)|十分|[周期拜][一二三四五六]|[一二三四五六七八九十]+(?:月|号|日)|初[一二三四五六七八九十]+"
)
_EN_NUMBER = KeptCaseless(rf"\b{ENGLISH_NUMBER}\b")
_AT_ALL = KeptCaseless(r"once\b(?! (?:an?|every|each|per)\b)")  # "he didn't look back once" counts nothing
_OF_THEM = KeptCaseless(r" of (?:them|us|you|these|those|which|whom)\b")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = KeptCaseless(
    rf"\b(?P<word>{'|'.join(_ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)) (?P<unit>floor|grade|year|row|place|class|street|avenue|level)\b"
)
_CODE = KeptPattern(
    r"(?<![\w.,])(?=[\w-]*\d[\w-]*\d)(?=[\w-]*[A-Za-z]|\d{4,}|\d{2,4}(?: \d{2,4}){2,})[A-Za-z\d][\w-]*(?: \d{2,4})*(?![\w.,]*\d)",
    re.ASCII,
)
EXACT = frozenset("kilo kilogram kg pound lb stone degre cm 斤 两 公 度 码 time 次 day".split())
_THOUSANDS = KeptCaseless(r"(?<![\w.])(\d{1,3})k\b(?! ?(?:run|race))")
_UNIT = KeptCaseless(r"\s?-?(?P<en>[a-z%°]+)|\s?(?P<zh>[\u4e00-\u9fff%])")
_PIECE = "个"
_COUNTED = KeptPattern(r"个多?(?P<what>[\u4e00-\u9fff])?")  # 四个月, 一个人: what stands behind 个 is counted
_MONEY = frozenset("eur euro usd dollar pound quid buck rmb yuan € $ £ 块 元 钱".split())
SPANS = frozenset("year month week day hour minut 年 岁 月 天 周 时 分 点".split())
_NO_UNIT = frozenset(
    "now a an per each every from on in at for of and but so to or not that the until till since again instead is was before after which because with over under 了 的 啊 呢 吧 也 就 以 左 多 出 再 才 还 要 给 半 现".split()
)


# Units that nobody leaves out when he tells the same anew: metres, millis of something, needles.
_OF_THEIR_OWN = frozenset(
    "米 毫 针 度 升 克 寸 尺 页 级 层 楼 名 位 场 局 站 次 两 metre meter mile km cm mm watt volt amp degree page".split()
)


@dataclass(frozen=True, slots=True)
class Value:
    """`text[start:end]` of a clause; `low` to `high` is what it comes to: milliseconds, a weekday, minutes, a number."""

    kind: ValueKind
    start: int
    end: int
    low: float = 0.0
    high: float = 0.0
    unit: str = ""
    code: str = ""
    behind: int = 0  # characters of the unit behind it, which says nothing more

    def is_of(self, other: Value) -> bool:
        """Whether both say the same kind of thing."""
        if self.kind is not other.kind:
            return self.kind in WHEN and other.kind in WHEN
        if self.kind is ValueKind.NUMBER:
            units = {self.unit, other.unit}
            if _PIECE in units:  # 现在五个了 may be of anything that is counted so
                return all(unit.startswith(_PIECE) or not unit for unit in units)
            if self.unit and other.unit:
                return self.unit == other.unit
            if any(unit.startswith(_PIECE) for unit in units):
                return False  # 一个人, 一千五
            # Thirty-five years are no amount of money, and 0.28 mA no age.
            return not {self.unit, other.unit} & SPANS and not {self.unit, other.unit} & _OF_THEIR_OWN
        return True

    def may_be(self, other: Value) -> bool:
        """Whether both may come to the same: "the 2nd" is the second of any month."""
        days = self.kind is ValueKind.DAY and other.kind is ValueKind.DAY
        return self.same(other) or (days and civil(int(self.low // DAY_MS))[2] == civil(int(other.low // DAY_MS))[2])

    def same(self, other: Value) -> bool:
        """Whether both come to the same, as far as both say it."""
        if self.kind is ValueKind.CODE and other.kind is ValueKind.CODE:
            return self.code == other.code
        if {self.kind, other.kind} == {ValueKind.DAY, ValueKind.WEEKDAY}:
            day, week = (self, other) if self.kind is ValueKind.DAY else (other, self)
            return day.high - day.low > 6 * DAY_MS or _weekday_of(day.low) == week.low
        if self.kind is not other.kind:
            return False
        if self.kind is ValueKind.DAY:
            return self.low < other.high and other.low < self.high
        return self.low <= other.high and other.low <= self.high


def counts_otherwise(pairs: Sequence[tuple[Value, Value]]) -> bool:
    """Whether another number of the same is told, though a day is the same: ten kilometres on Saturdays."""
    return any(
        value.kind is ValueKind.NUMBER and value.unit == known.unit and value.unit and not value.same(known)
        for value, known in pairs
    )


def is_day_of(value: Value, known: Value) -> bool:
    """Whether a habit's day comes back on a date: "next Tuesday" of every Tuesday."""
    return value.kind is ValueKind.DAY and known.kind is ValueKind.WEEKDAY


def _weekday_of(ms: float) -> int:
    return (int(ms // DAY_MS) + 3) % 7


def weekdays_in(text: str) -> frozenset[int]:
    """The days of the week a text names, Monday 0."""
    return frozenset(_WEEKDAYS[(match["en"] or match["zh"]).lower()] for match in _WEEKDAY.finditer(text))


def values_in(clause: str, at_ms: int) -> tuple[Value, ...]:
    """The values of a clause, in order; of two that overlap the one that is more surely one."""
    found: list[Value] = []

    def add(value: Value) -> None:
        if not any(value.start < each.end and each.start < value.end for each in found):
            found.append(value)

    rates = [match.span() for match in _RATE.finditer(clause)]
    figures, places = _in_figures(clause)
    for span in find_dates(figures, at_ms):
        add(Value(ValueKind.DAY, places[span.start], places[span.end], float(span.from_ms), float(span.to_ms)))
    for match in _WEEKDAY.finditer(clause):
        day = float(_WEEKDAYS[(match["en"] or match["zh"]).lower()])
        add(Value(ValueKind.WEEKDAY, *match.span(), day, day))
    for match in _THOUSANDS.finditer(clause):
        add(Value(ValueKind.NUMBER, *match.span(), low := 1_000 * float(match[1]), low, "money"))
    for match in _CODE.finditer(clause):
        add(Value(ValueKind.CODE, *match.span(), code=re.sub(r"\W", "", match[0]).lower()))
    for match in _ORDINAL.finditer(clause):
        word = match["word"].lower()
        rank = float(_ORDINALS.index(word) + 1 if word in _ORDINALS else int(re.sub(r"\D", "", word)))
        add(Value(ValueKind.NUMBER, *match.span(), rank, rank, match["unit"].lower()))
    amounts = find_amounts(clause)
    for amount in amounts:
        if amount.kind is AmountKind.TIME:
            add(Value(ValueKind.HOUR, amount.start, amount.end, amount.low % 720, amount.high % 720))
    for match in _CLOCK.finditer(clause):
        hour = 12.0 if match["en"].lower() == "noon" else value_of(match["en"]) or 0.0
        if hour <= 24:
            minutes = (hour * 60 + (30 if match["half"] else 0)) % 720
            add(Value(ValueKind.HOUR, *match.span(), minutes, minutes))
    for match in _HAN_CLOCK.finditer(clause):
        minutes = ((value_of(match["h"]) or 0.0) * 60 + (30 if match["half"] else 0)) % 720
        add(Value(ValueKind.HOUR, *match.span(), minutes, minutes))
    for start, end, low in _numbers(clause, rates, amounts):
        if _STREET.match(clause, end):
            continue
        if end - start > 1 and clause[end - 1] == "两" and (tens := value_of(clause[start : end - 1])) is not None:
            add(Value(ValueKind.NUMBER, start, end, tens, tens, "两"))  # 六斤八两
            continue
        is_money = any(each.start <= start < each.end and each.kind is AmountKind.MONEY for each in amounts)
        unit = "money" if is_money else _unit_of(clause, start, end)
        behind = _UNIT.match(clause, end)
        word = stemmed((behind["en"] or behind["zh"]).lower()) if behind is not None else ""
        told = behind.end() - end if behind is not None and unit in EXACT and word == unit else 0
        add(Value(ValueKind.NUMBER, start, end, low, low, unit, behind=told))
    return tuple(sorted(found, key=lambda each: each.start))


def _in_figures(clause: str) -> tuple[str, list[int]]:
    """The clause with days of the month in figures ("the tenth" is the 10th), and where each character stood."""
    made, places, at = "", list[int](), 0
    for match in _DAY_WORD.finditer(clause):
        number = _DAY_WORDS[match["day"].lower().replace(" ", "-")]
        figure = f"{number}{'st' if number % 10 == 1 and number != 11 else 'nd' if number % 10 == 2 and number != 12 else 'rd' if number % 10 == 3 and number != 13 else 'th'}"
        made += clause[at : match.start("day")] + figure
        places += [*range(at, match.start("day")), *[match.start("day")] * len(figure)]
        at = match.end("day")
    return made + clause[at:], [*places, *range(at, len(clause) + 1)]


def _numbers(clause: str, rates: list[tuple[int, int]], amounts: tuple[Amount, ...]) -> list[tuple[int, int, float]]:
    """Numbers, in digits and in words of either language; what only says how often is none.

    `amounts`: those of the clause.
    """
    plain = clause
    for start, end in [*rates, *(match.span() for match in _NO_NUMBER.finditer(clause))]:
        plain = plain[:start] + " " * (end - start) + plain[end:]
    found = [
        (amount.start, amount.end, amount.low)
        for amount in (amounts if plain == clause else find_amounts(plain))
        if amount.kind in {AmountKind.NUMBER, AmountKind.MONEY, AmountKind.PERCENT, AmountKind.AGE}
    ]
    for pattern in (_EN_NUMBER, _HAN_NUMBER):
        for match in pattern.finditer(plain):
            if _OF_THEM.match(plain, match.end()) or _AT_ALL.match(clause, match.start()):
                continue
            value = value_of(match[0].rstrip("半"))
            if value is not None:
                found.append((*match.span(), value + (0.5 if match[0].endswith("半") else 0.0)))
    return found


def _unit_of(clause: str, start: int, end: int) -> str:
    """What is counted: the word behind a number, or the sign before it; money is one unit."""
    if start and clause[start - 1] in "$€£¥":
        return "money"
    last = clause[end - 1]
    counted = (
        _COUNTED.match(clause, clause.rfind(_PIECE, start, end + 1)) if _PIECE in clause[start : end + 1] else None
    )
    if counted is not None and "半" not in clause[start:end]:
        what = counted["what"] or ""
        plain = what in _NO_UNIT or is_grammar(what)
        return what if what in SPANS else _PIECE if plain else f"{_PIECE}{what}"
    behind = _UNIT.match(clause, end)
    word = ""
    if ("\u4e00" <= last <= "\u9fff" and last not in "零〇一二两三四五六七八九十百千万半") or last in "€£$¥%":
        word = last
    elif behind is not None:
        word = stemmed(behind["en"].lower()) if behind["en"] else behind["zh"]
    if word in _MONEY:
        return "money"
    return "" if word in _NO_UNIT or is_grammar(word) else word
