"""What stands beside a date: the same day again, another of which one is meant, a "not", "the day after".

Owns `DateSpan`. Called by `core/dates/date_parser.py` once all dates of a text are read. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from re import Match

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Anchor, Granularity, Period, Wording
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.fast_dataclasses import dataclass

_BESIDE = LazyPattern(r"[\s,，、（(]*(?:the )?")
_WEEKDAY = CaselessPattern(
    r"(?:on|by|until|till|since)?\s?(?:the )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:周|星期|礼拜)[一二三四五六日天]"
)
_ORDINAL = CaselessPattern(r"(?:the )?\d{1,2}(?:st|nd|rd|th)")
_DAYLIKE = frozenset({Granularity.DAY, Granularity.DAY_PART, Granularity.HOUR})
_CHOICE = CaselessPattern(r"[\s,，]*(?:or(?: on)?(?: the)?|maybe|或者?是?|还是|要么)\s*")
Meaning = Callable[[Match[str], Anchor], Period | None]

_LOOKED_AT = 40  # characters on either side
_DENIED = CaselessPattern(
    r"(?:(?<!why )\bnot|\b(?:is|was)n['’]?t|\brather than|\binstead of)(?: (?:on|in|at|for))?"
    r"(?: the| this| my| our)?\s?$"
    r"|(?:不是|而不是|并非)在?$"
)
_NO_MORE = LazyPattern(r"不(?:在|定在|放在)$")  # 不在二十八号了
_OVER_ZH = LazyPattern(r"[^，。！？]{0,4}了")
_OVER = CaselessPattern(r"[\s,]*(?:any ?more|any longer)\b")
# What makes a date the day beside it: "the day after Christmas", 国庆前一天.
_DAY_FROM = CaselessPattern(r"\bday (?P<side>before|after)\s?$")
_DAY_FROM_ZH = LazyPattern(
    r"的?(?:(?P<back>之?前一天|(?<![今昨明后前][天儿])(?<![周期拜][一二三四五六日天])头一天)|之?后一天|(?P<second>第二天|次日))"
)
# What makes it the week that it is in: "the week of the 7th", 七号那周.
_WEEK_OF = CaselessPattern(r"\bweek (?:of|beginning|starting|commencing)(?: on)?\s?$")
_WEEK_OF_ZH = LazyPattern(r"那个?(?:一?周|星期|礼拜)(?![一二三四五六日天末])|当周")
_LED_BY = 24  # characters


_NEAR_DAY = 30  # characters between a weekday and its date
_OF_ANOTHER = frozenset(("but", "and", "or", "to", "till", "until", "moved", "then", "not"))


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


def without_weekdays(text: str, spans: Sequence[DateSpan]) -> tuple[DateSpan, ...]:
    """Those without a weekday whose date follows in the same sentence: "for Sunday dinner on the 26th"."""
    return tuple(
        span
        for place, span in enumerate(spans)
        if not (
            is_weekday(text, span.start, span.end)
            and place + 1 < len(spans)
            and _names_again(text, span, spans[place + 1])
        )
    )


def _names_again(text: str, weekday: DateSpan, day: DateSpan) -> bool:
    between = text[weekday.end : day.start]
    is_day = day.to_ms - day.from_ms <= calendar_math.DAY_MS and any(map(str.isdigit, text[day.start : day.end]))
    weeks = (day.from_ms - weekday.from_ms) % (7 * calendar_math.DAY_MS) == 0 and day.from_ms != weekday.from_ms
    words = between.split() if len(between) <= _NEAR_DAY else []
    is_one = all(word.isalpha() for word in words) and _OF_ANOTHER.isdisjoint(words)
    return is_day and weeks and len(between) <= _NEAR_DAY and is_one


def joined(text: str, spans: Sequence[DateSpan]) -> tuple[DateSpan, ...]:
    """What says the same day twice, said once: a date and its weekday ("on Saturday the 21st of March"), or a day and
    its number ("a week tomorrow, the 14th"). Where both together leave one day only, that is certain."""
    kept: list[DateSpan] = []
    for span in spans:
        if kept and _CHOICE.fullmatch(text, kept[-1].end, span.start):  # "Monday or Tuesday"
            if is_weekday(text, span.start, span.end) and _falls_on(kept[-1], span):
                continue  # 改到18号，还是周三: as before, a Wednesday
            kept[-1:] = [_one_of(kept[-1], span), _one_of(span, kept[-1])]
            continue
        if not kept or not _says_again(text, kept[-1], span):
            kept.append(span)
            continue
        before = kept[-1]
        weekday = _WEEKDAY.fullmatch(text, before.start, before.end) is not None or _outnumbered(text, before, span)
        fuller, other = (span, before) if weekday else (before, span)
        kept[-1] = _agreed(text, fuller, other)
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
            at = date.from_ms // calendar_math.DAY_MS
            return date.wording is not Wording.RELATIVE or at in days or _falls_on(date, weekday)
    return False


def _outnumbered(text: str, said: DateSpan, number: DateSpan) -> bool:
    """Whether the number of a day says that another is meant: "Thursday week, the 15th", said on a Thursday."""
    days = {period.from_ms // calendar_math.DAY_MS for period in said.readings}
    meant = {period.from_ms // calendar_math.DAY_MS for period in number.readings}
    if _ORDINAL.fullmatch(text, number.start, number.end) is None or not days.isdisjoint(meant):
        return False
    weekdays = {calendar_math.weekday(day) for day in days}
    about = [calendar_math.weekday(each.from_ms // calendar_math.DAY_MS) for each in _months_about(number.period)]
    return said.wording is Wording.RELATIVE and sum(weekday in weekdays for weekday in about) == 1


def _falls_on(date: DateSpan, weekday: DateSpan) -> bool:
    """Whether a date that can mean nothing else is of that day of the week: "the 18th, Wednesday", 18号，周三."""
    days = (each.from_ms // calendar_math.DAY_MS for each in (date, weekday))
    return (
        date.certain and date.granularity is Granularity.DAY and len({calendar_math.weekday(day) for day in days}) == 1
    )


def _agreed(text: str, span: DateSpan, other: DateSpan) -> DateSpan:
    """A date as the words beside it confirm it."""
    days = {period.from_ms // calendar_math.DAY_MS for period in other.readings}
    common = [period for period in span.readings if period.from_ms // calendar_math.DAY_MS in days]
    if not common:  # a date without its year is of the year in which it falls on that weekday
        weekdays = {calendar_math.weekday(day) for day in days}
        years: Sequence[Period] = span.readings
        if span.wording is Wording.YEARLESS:
            years = _years_about(span.period)
        elif _ORDINAL.fullmatch(text, span.start, span.end):  # "Wednesday the 19th": of the month where it is one
            years = _months_about(span.period)
        common = [
            period for period in years if calendar_math.weekday(period.from_ms // calendar_math.DAY_MS) in weekdays
        ]
    if len(common) != 1:
        return span
    return DateSpan(span.start, span.end, replace(common[0], other=None))


def _months_about(period: Period) -> list[Period]:
    """A day of the month before, of its own and of the next."""
    year, month, number = calendar_math.civil(period.from_ms // calendar_math.DAY_MS)
    days = []
    for shift in (-1, 0, 1):
        first = calendar_math.day_number(year, month + shift, 1)
        if number <= calendar_math.day_number(year, month + shift + 1, 1) - first:
            days.append((first + number - 1) * calendar_math.DAY_MS)
    length = period.to_ms - period.from_ms
    return [replace(period, from_ms=day, to_ms=day + length, other=None) for day in days]


def _years_about(period: Period) -> list[Period]:
    """A date of the year before, of its own and of the next."""
    day = period.from_ms // calendar_math.DAY_MS
    year, month, number = calendar_math.civil(day)
    days = [calendar_math.day_number(year + shift, month, number) for shift in (-1, 0, 1) if number <= 28 or shift == 0]
    moved = [(each - day) * calendar_math.DAY_MS for each in days]
    return [replace(period, from_ms=period.from_ms + by, to_ms=period.to_ms + by, other=None) for by in moved]


def is_denied(text: str, span: DateSpan) -> bool:
    """Whether a date of a text is one that its speaker says is not the one."""
    low = max(0, span.start - _LOOKED_AT)
    if _DENIED.search(text, low, span.start) is not None or _OVER.match(text, span.end) is not None:
        return True
    return _NO_MORE.search(text, low, span.start) is not None and _OVER_ZH.match(text, span.end) is not None


def is_shifted(text: str, start: int, end: int) -> bool:
    """Whether the day before or after a date is told, and not it."""
    return (
        _DAY_FROM.search(text, max(0, start - _LED_BY), start) is not None or _DAY_FROM_ZH.match(text, end) is not None
    )


def end_with_shift(match: Match[str]) -> int:
    """Where a date ends that is told as the day beside another."""
    tail = _DAY_FROM_ZH.match(match.string, match.end())
    return match.end() if tail is None else tail.end()


def shifted(match: Match[str], meaning: Meaning) -> Meaning:
    """The meaning of a date, or of the day beside it or the week around it where that is told."""
    text = match.string
    if _WEEK_OF.search(text, max(0, match.start() - _LED_BY), match.start()) or _WEEK_OF_ZH.match(text, match.end()):
        return _week_of(meaning)
    led = _DAY_FROM.search(text, max(0, match.start() - _LED_BY), match.start())
    tail = _DAY_FROM_ZH.match(text, match.end())
    if led is None and tail is None:
        return meaning
    is_before = led["side"].lower() == "before" if led is not None else tail is not None and tail["back"] is not None
    is_second = tail is not None and tail["second"] is not None

    def beside(period: Period) -> Period:
        first, behind = period.from_ms // calendar_math.DAY_MS, -(-period.to_ms // calendar_math.DAY_MS)
        return calendar_math.one_day(first - 1 if is_before else first + 1 if is_second else behind)

    def read(match: Match[str], at: Anchor) -> Period | None:
        period = meaning(match, at)
        if period is None or period.other is None:
            return None if period is None else beside(period)
        return calendar_math.either(beside(period), beside(period.other))

    return read


def _week_of(meaning: Meaning) -> Meaning:
    def around(period: Period) -> Period:
        if period.granularity is not Granularity.DAY:
            return replace(period, other=None)
        return replace(calendar_math.week(period.from_ms // calendar_math.DAY_MS), wording=period.wording)

    def read(match: Match[str], at: Anchor) -> Period | None:
        period = meaning(match, at)
        if period is None or period.other is None:
            return None if period is None else around(period)
        return calendar_math.either(around(period), around(period.other))

    return read
