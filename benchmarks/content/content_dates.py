"""Definite dates in a note, for `content`: which stand there, and are they the right ones.

A date is an interval of days: a day, a month, a year. Those without a year match in any. Called by the measure of
dates; what a message says word for word is no date that somebody resolved, so it can be right and is never wrong.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.content.content_data import When

_MONTHS = {
    name: number
    for number in range(1, 13)
    for name in (calendar.month_name[number].lower(), calendar.month_abbr[number].lower())
} | {"sept": 9}
_MONTH = (
    r"(?P<m>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth", "twenty-first", "twenty-second", "twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth",
    "twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first",
)  # fmt: skip
_ORDINAL = "(?P<o>" + "|".join(sorted(_ORDINALS, key=len, reverse=True)) + ")"
_DIGITS = "零一二三四五六七八九"
_HAN = r"[一二三四五六七八九十]{1,3}"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<y>\d{4})-(?P<mn>\d\d)-(?P<d>\d\d)(?!\d)",
        r"(?<!\d)(?:(?P<y>\d{4})\s?年\s?)?(?P<mn>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
        rf"(?<![\w])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (?P<y>\d{{4}}))?(?!\w)",
        rf"(?<![\w]){_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<y>\d{{4}}))?",
        rf"(?<!\w){_ORDINAL}(?: of)? {_MONTH}(?:,? (?P<y>\d{{4}}))?(?!\w)",
        rf"(?<!\w){_MONTH} (?:the )?{_ORDINAL}(?!\w)(?:,? (?P<y>\d{{4}}))?",
        rf"(?:(?P<y>\d{{4}})\s?年\s?)?(?P<mh>{_HAN})月(?P<dh>{_HAN})[日号]",
        rf"(?P<y>\d{{4}})\s?年\s?(?P<mh>{_HAN})月",
        r"(?<![\d.])(?P<d>\d{1,2})\.(?P<mn>\d{1,2})\.(?!\d)",
        r"(?<!\d)(?P<y>\d{4})\s?年\s?(?P<mn>\d{1,2})\s?月(?!\s?\d)",
        rf"(?<![\w]){_MONTH},? (?:of )?(?P<y>\d{{4}})(?!\d)",
        r"(?<!\d)(?P<y>\d{4})-(?P<mn>\d\d)(?![\d-])",
        r"(?<!\d)(?P<y>(?:19|20)\d\d)\s?年",
        r"\b(?:in|since|from|until|by|year) (?P<y>(?:19|20)\d\d)\b(?!-)",
    )
)


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `first` to `last`; without a year they stand in the year 4 and match any."""

    first: dt.date
    last: dt.date
    any_year: bool = False

    def within(self, other: Span) -> bool:
        mine = self._in_year_of(other)
        return other.first <= mine.first and mine.last <= other.last

    def meets(self, other: Span) -> bool:
        mine = self._in_year_of(other)
        return mine.first <= other.last and other.first <= mine.last

    def _in_year_of(self, other: Span) -> Span:
        if other.any_year:
            return Span(_moved(self.first, other.first.year), _moved(self.last, other.first.year))
        if self.any_year:
            return Span(_moved(self.first, other.first.year), _moved(self.last, other.first.year))
        return self


def _moved(day: dt.date, year: int) -> dt.date:
    return day.replace(year=year) if (day.month, day.day) != (2, 29) else dt.date(year, 2, 28)


def span(text: str) -> Span:
    """A time of the data: a day, a month, a year, `a..b`, `--05-04`."""
    if ".." in text:
        first, last = (span(each) for each in text.split(".."))
        return Span(first.first, last.last)
    if text.startswith("--"):
        return Span(
            dt.date(4, *map(int, text[2:].split("-"))), dt.date(4, *map(int, text[2:].split("-"))), any_year=True
        )
    parts = [int(each) for each in text.split("-")]
    return _span(*parts)


def _span(year: int, month: int | None = None, day: int | None = None) -> Span:
    if day is not None and month is not None:
        return Span(dt.date(year, month, day), dt.date(year, month, day))
    if month is not None:
        return Span(dt.date(year, month, 1), dt.date(year, month, calendar.monthrange(year, month)[1]))
    return Span(dt.date(year, 1, 1), dt.date(year, 12, 31))


def dates_in(text: str) -> list[Span]:
    """Every definite date that stands in a text, each stretch read once, by the longest form that fits."""
    found, taken = [], [False] * len(text)
    for form in _FORMS:
        for match in form.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            parts = match.groupdict()
            month, day = _month(parts), _day(parts)
            try:
                year = parts.get("y")
                if year is None and (month is None or day is None):
                    continue
                seen = _span(int(year) if year else 4, month, day)
            except ValueError:
                continue
            taken[match.start() : match.end()] = [True] * (match.end() - match.start())
            found.append(seen if year else Span(seen.first, seen.last, any_year=True))
    return found


def _month(parts: dict[str, str | None]) -> int | None:
    if number := parts.get("mn"):
        return int(number)
    if spelt := parts.get("mh"):
        return _chinese(spelt)
    return _MONTHS.get((parts.get("m") or "").lower().rstrip("."))


def _day(parts: dict[str, str | None]) -> int | None:
    if number := parts.get("d"):
        return int(number)
    if spelt := parts.get("dh"):
        return _chinese(spelt)
    word = (parts.get("o") or "").lower()
    return _ORDINALS.index(word) + 1 if word else None


def _chinese(spelt: str) -> int:
    """A number below a hundred."""
    tens, ten, ones = spelt.rpartition("十")
    return (_DIGITS.index(tens) if tens else bool(ten)) * 10 + (_DIGITS.index(ones) if ones else 0)


def judge(when: When, stated: Iterable[Span], *, told: dt.date, said: Iterable[Span], others: Iterable[Span]) -> str:
    """`right`, `wrong` or `words`: how the dates of a note stand to when it was.

    `told`: the day of the telling, `said`: what the message itself names, `others`: right dates of what else was said
    in it; none of these is wrong.
    """
    expected = [span(each) for each in when.right]
    today = Span(told, told)
    free = [today, *said, *others]
    wrong = False
    for each in stated:
        if any(each.within(one) or _ends(each, one) for one in expected):
            return "right"
        if any(each.meets(one) for one in expected) or today.within(each) or any(each.within(one) for one in free):
            continue
        wrong = True
    if wrong:
        return "wrong"
    return "right" if when.vague else "words"


def _ends(each: Span, one: Span) -> bool:
    """A date that names a range by its beginning or its end."""
    return one.first != one.last and each.first == each.last and each.first in (one.first, one.last)
