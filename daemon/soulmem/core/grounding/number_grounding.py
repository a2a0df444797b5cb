"""The numbers and times of day a text states, by value: `twenty` is 20 is 二十, `3pm` is 15:00 is 下午三点.

Used by the gate to see whether a note states a number that nobody said. A note is read strictly (what is surely meant
as a number), its sources generously (every reading there is), so that in doubt a number is admitted. One is never
asked for: it is an article as often as a number. Pure; values compare across notations and languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise

from soulmem.core.numbers.amount_parser import AmountKind, find_amounts
from soulmem.core.numbers.chinese_amounts import NUMERAL_WORDS
from soulmem.core.numbers.number_words import (
    DIGITS,
    LARGE,
    MYRIADS,
    NUMERALS,
    ORDINALS,
    UNITS,
    WORDS,
    chinese_value,
    values_of,
)
from soulmem.core.regex.lazy_regex import LazyPattern, slices
from soulmem.fast_dataclasses import dataclass

_WORDS = {**WORDS, "dozen": 12, "fortnight": 14}
_ORDINALS = {
    word: value for word, value in ORDINALS.items() if value > 2
}  # "first", "second": words as often as numbers
_SUFFIX = {"k": 1000, "m": 1_000_000, "bn": 1_000_000_000, "w": 10_000, "千": 1000, "百": 100, **LARGE, **MYRIADS}
_HINTS = {  # what a source says without a numeral
    "couple": 2, "twice": 2, "both": 2, "pair": 2, "twin": 2, "double": 2, "second": 2, "triple": 3, "triplets": 3,
    "half": 0.5, "quarter": 4, "双": 2, "俩": 2, "半": 0.5, "季度": 3,
}  # fmt: skip

_CLOCK = LazyPattern(
    r"(?<!\d)(\d{1,2})[:.h](\d{2})(?!\d)(?::\d\d)?\s*(am|pm|a\.m|p\.m)?|(?<!\d)(\d{1,2})\s*(am|pm|a\.m|p\.m)\b"
)
_SPOKEN_HOUR = LazyPattern(
    rf"\b({'|'.join(UNITS[1:13])}|\d{{1,2}})\s*(o['’]clock|am\b|pm\b|a\.m|p\.m|in the (?:morning|afternoon|evening))"
)
_CHINESE_HOUR = LazyPattern(
    rf"(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|深夜)?(\d{{1,2}}|[{NUMERALS}]{{1,3}})"
    rf"(?:[点點](?:钟)?|(?<!小)时(?!候|间|代))(?:(半)|(一刻|三刻)|(\d{{1,2}}|[{NUMERALS}]{{1,3}})分?)?"
)
_DIGIT_NUMBER = LazyPattern(r"\d+(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?", re.ASCII)
_SCALE_BEHIND = LazyPattern(r"\s?(thousand|million|billion|hundred|bn|k|m|w|万|亿|千|百)(?![a-z])")
_WORD = rf"(?:{'|'.join((*_WORDS, *_ORDINALS, *LARGE))})s?"
_WORD_NUMBER = LazyPattern(rf"\b{_WORD}(?:[\s-]+(?:and\s+)?{_WORD})*\b")
_CHINESE_NUMBER = LazyPattern(rf"(?<!\d)[{NUMERALS}]+(?:点[零一二三四五六七八九]+)?")
# From the first of a run only, or a run of numerals would be tried from each of them.
_AND_A_HALF = LazyPattern(
    rf"(?<![\d{NUMERALS}])(\d{{1,9}}|[{NUMERALS}]{{1,9}})个半|\b(\d+|{'|'.join(_WORDS)}) and a half"
)
_LETTERS = LazyPattern(r"[a-z]+")
_MEASURES = (
    "个只条岁年月天日号次位名点块元角秒米里斤公克吨度倍张本家间件套双对颗朵座层楼页集部首门科班级届杯瓶碗盘盒包袋台辆架艘匹头口人遍趟回场顿"
    "周星小礼分钟美英欧折成期题项章笔份卷盏棵株枚根"
)
# A note may not state these as numbers either.
_NO_NUMBER = LazyPattern(rf"{NUMERAL_WORDS}|五一|八成|万分|两人")
_DAYTIME = {"凌晨": 0, "清晨": 0, "早上": 0, "早晨": 0, "上午": 0}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as a text words it, with the values it may have; `minutes` of the day if it is a time."""

    words: str
    values: frozenset[float]
    minutes: frozenset[int] = frozenset()


@dataclass(slots=True)
class Figures:
    """All values a set of sources states."""

    values: set[float] = field(default_factory=set)
    minutes: set[int] = field(default_factory=set)

    def add(self, text: str) -> None:
        """Take in every number of a source, in every reading."""
        for begin, end in slices(text):
            self._add_piece(_folded(text[begin:end]))

    def _add_piece(self, text: str) -> None:
        for figure in (*_times(text), *_numbers(text)):
            self.values |= figure.values
            self.minutes |= figure.minutes
        for amount in find_amounts(text):
            if amount.kind is not AmountKind.PHONE:
                self.values |= {amount.low, amount.high}
        for match in _CHINESE_NUMBER.finditer(text):
            self.values |= {float(DIGITS[char]) for char in match[0] if char in DIGITS}
        for match in _AND_A_HALF.finditer(text):
            whole = chinese_value(match[1]) if match[1] else chinese_value(match[2]) or _WORDS.get(match[2])
            self.values |= {whole + 0.5} if whole is not None else set()
        self.values |= {float(value) for word, value in _HINTS.items() if word in text}
        if "noon" in text or "中午" in text:
            self.minutes.add(720)
        if "midnight" in text or "半夜" in text or "午夜" in text:
            self.minutes |= {0, 1440}

    def join(self, other: Figures) -> None:
        """Take in what another set of sources states."""
        self.values |= other.values
        self.minutes |= other.minutes

    def hold(self, figure: Figure) -> bool:
        if figure.minutes:
            hours = {minute // 60 % 12 for minute in self.minutes} | {value % 12 for value in self.values}
            return bool(figure.minutes & self.minutes) or any(
                minute // 60 % 12 in hours and (minute % 60 == 0 or minute % 60 in self.values)
                for minute in figure.minutes
            )
        return bool(figure.values & self.values)


def stated(text: str) -> tuple[Figure, ...]:
    """The numbers a note surely states, in order; ones are left out."""
    text = _folded(text)
    found: list[Figure] = []
    times = list(_times(text))
    for figure in times:
        text = text.replace(figure.words, " " * len(figure.words), 1)
    text = _NO_NUMBER.sub(lambda match: " " * len(match[0]), text)
    found += [figure for figure in _numbers(text, strict=True) if 1.0 not in figure.values]
    return (*times, *found)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _times(text: str) -> Iterator[Figure]:
    for match in _CLOCK.finditer(text):
        hour, minute = int(match[1] or match[4]), int(match[2] or 0)
        half = match[3] or match[5] or ""
        if hour > 24 or minute > 59 or (match[0][len(match[1] or "")] == "." and not half):
            continue
        yield _time(match[0], hour, minute, half[:1])
    for match in _SPOKEN_HOUR.finditer(text):
        hour = int(match[1]) if match[1].isdigit() else _WORDS[match[1]]
        behind = match[2]
        half = "" if behind.startswith("o") else "p" if behind[0] == "p" or "noon" in behind or "eve" in behind else "a"
        yield _time(match[0], hour, 0, half)
    for match in _CHINESE_HOUR.finditer(text):
        value = chinese_value(match[2])
        if value is None or value > 24:
            continue
        minute = (
            30 if match[3] else {"一刻": 15, "三刻": 45}.get(match[4] or "", int(chinese_value(match[5] or "零") or 0))
        )
        part = match[1]
        half = "" if not part else "a" if part in _DAYTIME else "p"
        yield _time(match[0], int(value), minute, half)


def _time(words: str, hour: int, minute: int, half: str) -> Figure:
    """A time of day; without a half of the day it may be in either."""
    hours = {hour}
    if hour <= 12:
        early, late = hour % 12, hour % 12 + 12
        hours = {"a": {early}, "p": {late}}.get(half, {early, late})
    return Figure(words, frozenset({float(hour), float(minute)}), frozenset(h * 60 + minute for h in hours))


def _numbers(text: str, *, strict: bool = False) -> Iterator[Figure]:
    for match in _DIGIT_NUMBER.finditer(text):
        plain = match[0].replace(",", "")
        value = float(plain) if len(plain) < 40 else float(hash_of_digits(plain))
        scale = _SCALE_BEHIND.match(text, match.end())
        values = {value} if scale is None else {value, value * _SUFFIX[scale[1]]}
        if scale is not None and strict and scale[1] not in {"k", "m", "w"}:
            values = {value * _SUFFIX[scale[1]]}
        if not strict and "." in plain:
            values |= {float(part) for part in plain.split(".")}
        yield Figure(match[0], frozenset(values))
    for match in _WORD_NUMBER.finditer(text):
        yield Figure(match[0], frozenset(_word_values(match[0])))
    for match in _CHINESE_NUMBER.finditer(text):
        words = match[0]
        counted = text[match.end() : match.end() + 1] in _MEASURES and text[match.end() : match.end() + 1] != ""
        led = f" {text[max(0, match.start() - 2) : match.start()]}"
        compound = len(words) > 1 and any(char in words for char in "十百千万亿")
        surely = counted or compound or len(words) > 2 or "之" in led or "第" in led
        vague = led[-1] in "几数好上" or not any(char in DIGITS or char == "十" for char in words)
        if strict and (vague or not surely):
            continue
        meant = chinese_value(words)
        if meant is not None:
            yield Figure(words, frozenset({meant}))


def hash_of_digits(digits: str) -> int:
    """A stand-in for a number too long to be one: equal digits, equal value."""
    return int(digits[:15]) + len(digits)


def _word_values(words: str) -> set[float]:
    """What number words mean, each number of several, and both together as a year (nineteen ninety)."""
    found = values_of(_LETTERS.findall(words))
    years = {x * 100 + y for x, y in pairwise(found) if 10 <= x <= 20 and 10 <= y <= 99}
    return {*found, *years}
