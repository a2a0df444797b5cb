"""Finding dates and times in text, Chinese and English, and saying them absolutely.

Every expression is reckoned from the time of the message it stands in ("yesterday", 上周五), in the UTC
calendar. Called by the extractive engine, which writes notes that stay true when read years later, and by
recall, which takes a time range from a question. Pure: the caller gives the time. Invariants: spans are
inside the text, in order, and never overlap; resolving a resolved text changes nothing (years 1000–9998).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from re import Match
from types import ModuleType

from soulmem.core import civil, dates_chinese, dates_english
from soulmem.core.civil import Granularity, Period, Tense, Wording
from soulmem.core.dates_wording import render_day, render_period
from soulmem.core.patterns import LazyPattern
from soulmem.core.signs import may_hold, signs_of
from soulmem.core.tense import Clauses
from soulmem.records import dataclass

__all__ = [
    "DateSpan",
    "Granularity",
    "Tense",
    "Wording",
    "find_dates",
    "render_day",
    "render_span",
    "resolve_dates",
    "time_range",
]

_CJK = LazyPattern(r"[\u3400-\u9fff]")
_STRETCH = 4096
_SENTENCE = 500  # characters
_BLANK = LazyPattern(r"\s")
_CLAUSE = LazyPattern(r"[.!?;。！？；\n]")
_EVERY = LazyPattern(r"(?:\bevery|\beach|每个?|每到?逢?|每年的?|逢|一到)\s?$", re.IGNORECASE)
_YEARLY = LazyPattern(
    r"\bbirthdays?\b|\banniversar|\bevery year\b|\bannual|\bborn\b|\bbday\b|生日|大寿|过寿|纪念日|每年|出生|生于|忌日",
    re.IGNORECASE,
)
_EXPLANATION = LazyPattern(r"\s?[(（](?=[^()（）]*\d)[^()（）]{0,60}[)）]")
_ENDS_IN_DAY = LazyPattern(r"\d(?:st|nd|rd|th)?$")
_BESIDE = LazyPattern(r"[\s,，、（(]*(?:the )?")
_WEEKDAY = LazyPattern(
    r"(?:on|by|until|till|since)?\s?(?:the )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:周|星期|礼拜)[一二三四五六日天]",
    re.IGNORECASE,
)
_ORDINAL = LazyPattern(r"the \d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
_DAYLIKE = frozenset({Granularity.DAY, Granularity.DAY_PART, Granularity.HOUR})


_FRAMES: dict[dates_english.Meaning, Granularity] = {**dates_english.FRAMED, **dates_chinese.FRAMED}
_TRAILING = 4  # characters between "in June" and "last year", "of" among them
_Place = tuple[Match[str], dates_english.Meaning]


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


def find_dates(text: str, at_ms: int, tense: Tense = Tense.UNTOLD) -> tuple[DateSpan, ...]:
    """All expressions of time in `text`, said at `at_ms`, from left to right; the longest wins an overlap.

    Recurring ones ("every Friday", 每周五) are not dates and are left out. A bare weekday, a day of the month or a date
    without its year lies ahead or behind as its clause says ("my exam is on Friday", 我周五去了); where that does not
    tell, as `tense` says, which is `BEHIND` for what is asked of memories; else it may be either, and so may "next
    Saturday": such a span is not `certain`, and `readings` has both.
    """
    return _found_lately(text, at_ms, tense) if len(text) <= _SENTENCE else _found(text, at_ms, tense)


def _found(text: str, at_ms: int, tense: Tense = Tense.UNTOLD) -> tuple[DateSpan, ...]:
    found: list[DateSpan] = []
    for low, high in _stretches(text):
        places = list(_places(text, low, high))
        if places:
            clauses = Clauses(text, low, high, (match.span() for match, _ in places))
            meanings: dict[tuple[int, int], _Place] = {}
            here = []
            for place in places:
                span = _read(*place, at_ms, clauses, tense)
                if span is not None:
                    here.append(span)
                    meanings[span.start, span.end] = place
            found += _framed(_without_overlaps(here), meanings, clauses, at_ms)
    return _without_repetition(text, found)


# Whoever looks at a sentence for what it is worth looks again when it is worded; the search costs more than all else.
_found_lately = lru_cache(maxsize=512)(_found)


def _framed(
    spans: list[DateSpan], meanings: dict[tuple[int, int], _Place], clauses: Clauses, at_ms: int
) -> list[DateSpan]:
    """A weekday, day or month that is told of a week, month or year of the same sentence is that one's ("next year I
    marry in June", 下周我出差，周三回来), unless its own tense forbids."""
    frames: dict[Granularity, DateSpan] = {}
    read: list[DateSpan] = []
    for place, own in enumerate(spans):
        span = own
        match, meaning = meanings[span.start, span.end]
        grain = _FRAMES.get(meaning)
        frame = frames.get(grain) if grain else None
        if frame is None and grain and place + 1 < len(spans) and spans[place + 1].start - span.end <= _TRAILING:
            frame = spans[place + 1] if spans[place + 1].granularity is grain else None  # "in June last year"
        if frame is not None and _is_frame(frame) and clauses.together(frame.start, span.start):
            inside = _within(match, meaning, span, frame.period, at_ms)
            if inside is None:
                continue  # next year has no 29 February
            span = inside
        elif _is_frame(span):
            frames[span.granularity] = span
        read.append(span)
    return read


def _is_frame(span: DateSpan) -> bool:
    plain = not span.period.approximate and span.wording is Wording.RELATIVE and span.certain
    return plain and span.granularity in _FRAMES.values()


def _within(
    match: Match[str], meaning: dates_english.Meaning, span: DateSpan, frame: Period, at_ms: int
) -> DateSpan | None:
    before = frame.granularity is Granularity.WEEK  # said on a Monday, "Monday" might be the next
    inside = meaning(match, civil.anchor(frame.from_ms - before, Tense.AHEAD))
    if inside is None or not frame.from_ms <= inside.from_ms < frame.to_ms:
        return None
    opposed = span.certain and (span.from_ms > at_ms) != (inside.from_ms > at_ms)
    return span if opposed else DateSpan(span.start, span.end, replace(inside, other=None))


def _places(text: str, low: int, high: int) -> Iterator[_Place]:
    """Whatever may be a date in `text[low:high]`, with what it would mean."""
    stretch = text[low:high]
    rules = _possible(dates_english, signs_of(stretch))
    if _CJK.search(stretch):
        rules += _possible(dates_chinese, frozenset(stretch))
    for pattern, _, meaning in rules:
        for match in pattern.finditer(text, low, high):
            if match.end() > match.start() and not _EVERY.search(text, max(low, match.start() - 8), match.start()):
                yield match, meaning


def _possible(grammar: ModuleType, signs: frozenset[str]) -> list[dates_english.Rule]:
    """The rules that may match in a text, by what it holds."""
    if grammar.NEEDED.isdisjoint(signs):  # most sentences have no date
        return []
    return [rule for rule in grammar.RULES if may_hold(signs, rule[1])]


def _read(
    match: Match[str], meaning: dates_english.Meaning, at_ms: int, clauses: Clauses, otherwise: Tense
) -> DateSpan | None:
    anchor = clauses.anchor(at_ms, *match.span(), otherwise)
    period = meaning(match, anchor)
    if (
        period is not None
        and (period.wording is Wording.YEARLESS or meaning is dates_chinese.lunar_date)
        and clauses.holds(_YEARLY, *match.span())
    ):
        period = meaning(match, replace(anchor, habit=True))  # of a birthday no year is told
    return None if period is None else DateSpan(*match.span(), period)


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """The text in stretches short enough for one search each, cut at the end of a clause or word where there is one.

    A regular expression holds the interpreter while it runs, and the event loop has to answer meanwhile.
    """
    low = 0
    while len(text) - low > _STRETCH:
        high = low + _STRETCH
        for pattern in (_CLAUSE, _BLANK):
            ends = [match.end() for match in pattern.finditer(text, high - 300, high)]
            if ends:
                high = ends[-1]
                break
        yield low, high
        low = high
    yield low, len(text)


def _without_overlaps(found: list[DateSpan]) -> list[DateSpan]:
    kept: list[DateSpan] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
        elif span.end - span.start > kept[-1].end - kept[-1].start:
            kept[-1] = span
    return kept


def _without_repetition(text: str, spans: list[DateSpan]) -> tuple[DateSpan, ...]:
    """What says the same day twice, said once: a date and its weekday ("on Saturday the 21st of March"), or a day and
    its number ("a week tomorrow, the 14th"). Where both together leave one day only, that is certain."""
    kept: list[DateSpan] = []
    for span in spans:
        if not kept or not _says_again(text, kept[-1], span):
            kept.append(span)
            continue
        before = kept[-1]
        weekday = _WEEKDAY.fullmatch(text, before.start, before.end) is not None
        fuller, other = (span, before) if weekday else (before, span)
        kept[-1] = _agreed(fuller, other)
    return tuple(kept)


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
            days = {period.from_ms // civil.DAY_MS for period in weekday.readings}
            return date.wording is not Wording.RELATIVE or date.from_ms // civil.DAY_MS in days
    return False


def _agreed(span: DateSpan, other: DateSpan) -> DateSpan:
    """A date as the words beside it confirm it."""
    days = {period.from_ms // civil.DAY_MS for period in other.readings}
    common = [period for period in span.readings if period.from_ms // civil.DAY_MS in days]
    if not common:  # a date without its year is of the year in which it falls on that weekday
        weekdays = {civil.weekday(day) for day in days}
        years = _years_about(span.period) if span.wording is Wording.YEARLESS else span.readings
        common = [period for period in years if civil.weekday(period.from_ms // civil.DAY_MS) in weekdays]
    if len(common) != 1:
        return span
    return DateSpan(span.start, span.end, replace(common[0], other=None))


def _years_about(period: Period) -> list[Period]:
    """A date of the year before, of its own and of the next."""
    day = period.from_ms // civil.DAY_MS
    year, month, number = civil.civil(day)
    days = [civil.day_number(year + shift, month, number) for shift in (-1, 0, 1) if number <= 28 or shift == 0]
    moved = [(each - day) * civil.DAY_MS for each in days]
    return [replace(period, from_ms=period.from_ms + by, to_ms=period.to_ms + by, other=None) for by in moved]


def render_span(period: Period | DateSpan, language: str) -> str:
    """A period said absolutely, without a preposition: `the week of 1 May 2023`, `2022年夏天`."""
    return render_period(period.period if isinstance(period, DateSpan) else period, language)


def resolve_dates(text: str, at_ms: int, language: str | None = None) -> str:
    """The text with every relative expression made absolute; its own words are kept, and what may be either of two
    days keeps nothing else.

    `yesterday` becomes `yesterday (7 May 2023)`, `in May` becomes `in May 2023`, 去年夏天 becomes
    去年夏天（2022年夏天）, 5月3号 becomes 2023年5月3号. `language` is that of the added words; by default each
    expression decides.
    """
    pieces: list[str] = []
    done = 0
    explained = 0
    for span in find_dates(text, at_ms):
        if span.start < explained:
            continue
        if explanation := _EXPLANATION.match(text, span.end):
            explained = explanation.end()
        words = text[span.start : span.end]
        chinese = language == "zh" or (language is None and _CJK.search(words) is not None)
        pieces.append(text[done : span.start])
        pieces.append(words if explanation else _reworded(words, span, chinese=chinese))
        done = span.end
    pieces.append(text[done:])
    return "".join(pieces)


def _reworded(words: str, span: DateSpan, *, chinese: bool) -> str:
    year = civil.civil(span.from_ms // civil.DAY_MS)[0]
    if span.wording is Wording.COMPLETE or not span.certain:
        return words
    if span.wording is Wording.YEARLESS:
        if _CJK.search(words):
            return f"{year}年{words}"
        return f"{words}, {year}" if _ENDS_IN_DAY.search(words) else f"{words} {year}"
    absolute = render_span(span, "zh" if chinese else "en")
    return f"{words}（{absolute}）" if chinese else f"{words} ({absolute})"


def time_range(text: str, at_ms: int) -> tuple[int, int] | None:
    """The time a text speaks of, `[from_ms, to_ms)`: from its earliest certain date to its latest; None without one."""
    spans = [span for span in find_dates(text, at_ms) if span.certain]
    if not spans:
        return None
    return min(span.from_ms for span in spans), max(span.to_ms for span in spans)
