"""Finding amounts in a text, in digits and in words, Chinese and English, and what each comes to.

Used by `core/grounding/number_grounding`, with which the gate sees whether a note states a number that nobody said.
三块五 is 3.5, "forty quid" 40, 三四十 30 to 40, "in her late twenties" 27 to 29, 百分之三十 is 30 %. Telephone numbers
are told apart and have no amount. Pure. Invariants: spans are in order and never overlap; a long run of numerals is no
number, and every pattern begins at the first of a run, so that the work grows with the text and no faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from soulmem.core.numbers import chinese_amounts, english_amounts
from soulmem.core.regex.lazy_regex import LazyPattern, in_slices
from soulmem.fast_dataclasses import dataclass

_PHONE = LazyPattern(
    r"(?<![\d.,$£€¥+-])(?:(?:\+\d{1,3}[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}"
    r"|\(?0\d{2,4}\)?[ -]\d{3,4}[ -]?\d{4}"
    r"|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}|\d{3}-\d{4}|0\d{4} \d{6}|0\d{9,10}"
    r"|\+\d{8,14}|\+\d{1,3}(?:[ -]\d{2,7}){2,4}|\d{3} \d{4} \d{4})(?![\d%.,]*\d)"
)
_CJK = LazyPattern(r"[\u3007\u3400-\u9fff]")


class AmountKind(StrEnum):
    """What an amount is of."""

    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    AGE = "age"
    PHONE = "phone"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Amount:
    """`text[start:end]` says an amount from `low` to `high` (the same, where it is one number).

    A percentage is told in hundredths (30 for 30 %), a time of day in minutes after midnight or noon; a telephone
    number has no amount: it is a name in digits.
    """

    start: int
    end: int
    kind: AmountKind
    low: float = 0.0
    high: float = 0.0
    approximate: bool = False


def find_amounts(text: str) -> tuple[Amount, ...]:
    """All amounts of a text from left to right; the longest wins an overlap."""
    found = [Amount(*match.span(), AmountKind.PHONE) for match in in_slices(_PHONE, text)]
    found += _read(english_amounts.find(text))
    if _CJK.search(text):
        found += _read(chinese_amounts.find(text))
    kept: list[Amount] = []
    for amount in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or amount.start >= kept[-1].end:
            kept.append(amount)
        elif amount.end - amount.start > kept[-1].end - kept[-1].start:
            kept[-1] = amount
    return tuple(kept)


def _read(found: Iterator[tuple[int, int, str, float, float, bool]]) -> Iterator[Amount]:
    for start, end, kind, low, high, approximate in found:
        yield Amount(start, end, AmountKind(kind), low, high, approximate)
