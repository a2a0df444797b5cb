"""Numbers in words, English and Chinese: what a number means, and how to say it roughly.

Used for gists: forty-two becomes "about forty", 四十二 becomes 四十左右, and what is round already becomes dozens or
几十. Pure.
"""

from __future__ import annotations

import unicodedata

from soulmem.core.numbers.number_words import DIGITS, LONGEST, NUMERALS, TENS, UNITS, chinese_value, values_of
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern

_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_FIXED = {"dozen": 12, "couple": 2, "once": 1, "twice": 2}
_SUFFIX = {"": 1, "k": 1_000, "m": 1_000_000, "bn": 1_000_000_000, "百": 100, "千": 1_000, "万": 10**4, "亿": 10**8}
_DIGITS = CaselessPattern(r"[^\d.,]{0,3}?(\d[\d,]*(?:\.\d+)?)\s?(k|m|bn|百万|千万|百|千|万|亿)?(?![\d.])")
_WORD = LazyPattern(r"[a-z]+")
_RUN = LazyPattern(rf"[{NUMERALS}]+(?:点[{''.join(DIGITS)}]+)?")
_CHINESE_GROUPS = ((10**12, "万亿"), (10**8, "亿"), (10**4, "万"))
_MOST = 10**15

# No longer ones are said; without an end, a run of number words would be read anew from each of them.
_FIRST_WORD = f"(?:{'|'.join([*TENS, *_SCALES, *_FIXED, *UNITS])})"
_NEXT_WORD = f"(?:[ -](?:and )?(?:{'|'.join([*TENS, *_SCALES, 'dozen', *UNITS])}))"
ENGLISH_NUMBER = f"(?:{_FIRST_WORD}{_NEXT_WORD}{{0,15}})"
SHORT_ENGLISH_NUMBER = f"(?:{_FIRST_WORD}{_NEXT_WORD}{{0,6}})"  # of hours, of goals: one thousand two hundred and fifty
CHINESE_NUMBER = "[零〇一二两三四五六七八九十百千万亿]{1,24}"


def value_of(text: str) -> float | None:
    """What a number means, in digits or in words of either language; None if it is none or beyond measure."""
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    digits = _DIGITS.match(plain)
    if digits:
        value = float(digits[1].replace(",", ""))
        value *= _scale(digits[2] or "")
        word = _WORD.match(plain[digits.end() :].lstrip(" -"))
        value *= {**_SCALES, "dozen": 12}.get(word[0], 1) if word else 1
        return value if value < _MOST else None
    run = _RUN.match(plain)
    return chinese_value(run[0]) if run else _english(plain)


def _scale(suffix: str) -> int:
    scale = 1
    for part in (suffix,) if suffix in _SUFFIX else suffix:
        scale *= _SUFFIX[part]
    return scale


def _english(text: str) -> float | None:
    words = _WORD.findall(text[:LONGEST])
    if words and words[0] in _FIXED:
        return float(_FIXED[words[0]])
    values = values_of(words)
    return values[0] if values and values[0] < _MOST else None


def about(value: float, language: str) -> tuple[str, ...]:
    """A number said roughly, then only by its size: `about forty`, `dozens`; 四十左右, 几十."""
    value = abs(value)
    chinese = language == "zh"
    if value < 10:
        return ("几",) if chinese else ("a few", "several")
    if value < 20:
        return ("十几", "不少") if chinese else ("a dozen or so", "more than a few")
    magnitude = 10 ** (len(str(int(value))) - 1)
    lead = int(value / magnitude + 0.5)
    if lead == 10:
        lead, magnitude = 1, magnitude * 10
    sizes = _sizes(magnitude, chinese=chinese)
    if lead * magnitude == value:
        return sizes
    rough = _said_chinese(lead, magnitude) if chinese else _said_english(lead, magnitude)
    return (f"{rough}左右" if chinese else f"about {rough}", *sizes)


def _sizes(magnitude: int, *, chinese: bool) -> tuple[str, ...]:
    if chinese:
        for size, word in _CHINESE_GROUPS:
            if magnitude >= size:
                return f"几{ {1: '', 10: '十', 100: '百', 1000: '千'}.get(magnitude // size, '千') }{word}", "许多"
        return f"几{ {10: '十', 100: '百', 1000: '千'}[magnitude] }", "不少"
    for size, word in ((10**9, "billions"), (10**6, "millions"), (10**5, "hundreds of thousands")):
        if magnitude >= size:
            return word, "a great many"
    return {10: "dozens", 100: "hundreds", 1_000: "thousands", 10_000: "tens of thousands"}[magnitude], "a good many"


def _said_english(lead: int, magnitude: int) -> str:
    for size, word in ((10**9, "billion"), (10**6, "million"), (1_000, "thousand"), (100, "hundred")):
        if magnitude >= size:
            return f"{_small_english(lead * magnitude // size)} {word}"
    return _small_english(lead * magnitude)


def _small_english(value: int) -> str:
    """1..9, and those times ten or a hundred; `a` for one."""
    if value == 1:
        return "a"
    if value >= 1_000:
        return f"{value:,}"
    if value >= 100:
        return f"{_small_english(value // 100)} hundred"
    return UNITS[value] if value < 20 else TENS[value // 10 - 2]


def _said_chinese(lead: int, magnitude: int) -> str:
    digits = "零一二三四五六七八九"
    scale = ""
    for size, word in _CHINESE_GROUPS:
        if magnitude >= size:
            magnitude, scale = magnitude // size, word
            break
    unit = {1: "", 10: "十", 100: "百", 1_000: "千"}.get(magnitude, "千")
    digit = "两" if lead == 2 and (unit in {"百", "千"} or (scale and not unit)) else digits[lead]
    return f"{'' if lead == 1 and unit == '十' else digit}{unit}{scale}"
