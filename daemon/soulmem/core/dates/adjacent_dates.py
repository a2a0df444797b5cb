"""Dates that stand beside each other: a day said twice is one day, and of two of which one is meant neither is sure.

Owns `DateSpan`. Called by `core/dates/date_parser.py` once all dates of a text are read. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Granularity, Period, Wording
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.fast_dataclasses import dataclass

_BESIDE = LazyPattern(r"[\s,，、（(]*(?:the )?")
_WEEKDAY = LazyPattern(
    r"(?:on|by|until|till|since)?\s?(?:the )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:周|星期|礼拜)[一二三四五六日天]",
    re.IGNORECASE,
)
_ORDINAL = LazyPattern(r"(?:the )?\d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
_DAYLIKE = frozenset({Granularity.DAY, Granularity.DAY_PART, Granularity.HOUR})
_CHOICE = LazyPattern(r"[\s,，]*(?:or(?: on)?(?: the)?|maybe|或者?是?|还是|要么)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DateSpan:
    """An expression of time at `text[start:end]` meaning `[from_ms, to_ms)`, UTC milliseconds."""

    start: int
    end: int
    period: Period

    @property
    def from_ms(self) -> int:
        return self.period.from_ms

    @property
    def to_ms(self) -> int:
        return self.period.to_ms

    @property
    def certain(self) -> bool:
        """Whether it can mean nothing else."""
        return self.period.certain

    @property
    def readings(self) -> tuple[Period, ...]:
        """All it may mean, the likeliest first."""
        return self.period.readings

    @property
    def granularity(self) -> Granularity:
        return self.period.granularity

    @property
    def wording(self) -> Wording:
        return self.period.wording


def is_weekday(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is a weekday and nothing else."""
    return _WEEKDAY.fullmatch(text, start, end) is not None


def joined(text: str, spans: Sequence[DateSpan]) -> tuple[DateSpan, ...]:
    """What says the same day twice, said once: a date and its weekday ("on Saturday the 21st of March"), or a day and
    its number ("a week tomorrow, the 14th"). Where both together leave one day only, that is certain."""
    kept: list[DateSpan] = []
    for span in spans:
        if kept and _CHOICE.fullmatch(text, kept[-1].end, span.start):  # "Monday or Tuesday"
            kept[-1:] = [_one_of(kept[-1], span), _one_of(span, kept[-1])]
            continue
        if not kept or not _says_again(text, kept[-1], span):
            kept.append(span)
            continue
        before = kept[-1]
        weekday = _WEEKDAY.fullmatch(text, before.start, before.end) is not None
        fuller, other = (span, before) if weekday else (before, span)
        kept[-1] = _agreed(fuller, other)
    return tuple(kept)


def _one_of(span: DateSpan, other: DateSpan) -> DateSpan:
    """A date of which nobody knows whether it is that one or another."""
    return DateSpan(span.start, span.end, replace(span.period, other=replace(other.period, other=None)))


def _says_again(text: str, left: DateSpan, right: DateSpan) -> bool:
    """Whether two dates stand side by side, both of a day, and one is a mere weekday or day of the month."""
    if not _DAYLIKE.issuperset({left.granularity, right.granularity}):
        return False
    if _BESIDE.fullmatch(text, left.end, right.start) is None:
        return False
    if _ORDINAL.fullmatch(text, right.start, right.end):
        return True
    for weekday, date in ((left, right), (right, left)):
        if _WEEKDAY.fullmatch(text, weekday.start, weekday.end) is not None:
            days = {period.from_ms // calendar_math.DAY_MS for period in weekday.readings}
            return date.wording is not Wording.RELATIVE or date.from_ms // calendar_math.DAY_MS in days
    return False


def _agreed(span: DateSpan, other: DateSpan) -> DateSpan:
    """A date as the words beside it confirm it."""
    days = {period.from_ms // calendar_math.DAY_MS for period in other.readings}
    common = [period for period in span.readings if period.from_ms // calendar_math.DAY_MS in days]
    if not common:  # a date without its year is of the year in which it falls on that weekday
        weekdays = {calendar_math.weekday(day) for day in days}
        years = _years_about(span.period) if span.wording is Wording.YEARLESS else span.readings
        common = [
            period for period in years if calendar_math.weekday(period.from_ms // calendar_math.DAY_MS) in weekdays
        ]
    if len(common) != 1:
        return span
    return DateSpan(span.start, span.end, replace(common[0], other=None))


def _years_about(period: Period) -> list[Period]:
    """A date of the year before, of its own and of the next."""
    day = period.from_ms // calendar_math.DAY_MS
    year, month, number = calendar_math.civil(day)
    days = [calendar_math.day_number(year + shift, month, number) for shift in (-1, 0, 1) if number <= 28 or shift == 0]
    moved = [(each - day) * calendar_math.DAY_MS for each in days]
    return [replace(period, from_ms=period.from_ms + by, to_ms=period.to_ms + by, other=None) for by in moved]
