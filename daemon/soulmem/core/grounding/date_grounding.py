"""Which dates a note may state: those its sources speak of, reckoned from the day they were said, and that day itself.

Used by the gate. A date may be said otherwise than in the source (a weekday for a date, a month for a day, absolute
for relative, in another language), but never finer than it was told. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import pairwise

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import DAY_MS, Granularity, Period, Wording
from soulmem.core.dates.date_parser import DateSpan, find_dates, render_day, render_span
from soulmem.core.dates.english_date_words import MONTHS, WEEKDAYS
from soulmem.core.grounding.number_grounding import Figures, stated
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern, slices
from soulmem.fast_dataclasses import dataclass

_A_YEAR = 368  # days
_HEAD = 6  # characters that are looked at first
_DAYLIKE = frozenset({Granularity.DAY, Granularity.DAY_PART, Granularity.HOUR, Granularity.WEEKEND})
_MONTH_WORD = LazyPattern(
    rf"\b({'|'.join(MONTHS)})\b|(?<![\d个])(\d{{1,2}}|十[一二]?|[一二三四五六七八九])月(?!饼|亮|嫂)"
)
_LED_MONTH = CaselessPattern(
    rf"\b(?:in|from|since|by|until|till|of|next|last|this|early|mid|late)[\s-]+({'|'.join(MONTHS)})\b"
)
_WEEKDAY_WORD = LazyPattern(rf"\b({'|'.join(WEEKDAYS)})s?\b|(?:周|星期|礼拜)([一二三四五六日天])")
_SLASHED = LazyPattern(r"(?<![\d/.])(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})(?![\d/.])")
_DAY_NUMBER = LazyPattern(r"\b(\d{1,2})(?:st|nd|rd|th)\b|(?<!\d)(\d{1,2})[号日]")
_UNTIL = LazyPattern(r"\s*(?:to|until|till|and|through|-|–|—|~|至|到)\s*")  # between the ends of a stretch
_CHINESE_MONTHS = {text: i + 1 for i, text in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split())}


@dataclass(slots=True)
class Told:
    """The stretches of time some sources speak of, and the calendar's words they use.

    `periods` are the stretches by the day they begin; what other sources tell stays with those in `parts`, for a long
    message tells thousands, and each of its notes is held against them. `named`: the months that stand in their words,
    whether or not a date was read there. `day_numbers`: of the months' days that were told.
    """

    periods: dict[int, set[Period]] = field(default_factory=dict)
    months: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    weekdays: set[int] = field(default_factory=set)
    years: set[float] = field(default_factory=set)
    day_numbers: set[int] = field(default_factory=set)
    parts: list[Told] = field(default_factory=list)
    _written: _Written | None = None

    def add(self, text: str, at_ms: int) -> None:
        """Take in what `text`, said at `at_ms`, tells."""
        for span in find_dates(text, at_ms):
            self.tell_all(span)
        for begin, end in slices(text):
            piece = text[begin:end]
            self.named |= _months_in(piece) | {_month_number(match[1]) for match in _LED_MONTH.finditer(piece)}
            self.weekdays |= _weekdays_in(piece)
        self.months |= self.named

    def tell_all(self, span: DateSpan) -> None:
        """Take in a date in every reading it has."""
        for period in span.readings:
            self.tell(period)

    def tell_day(self, at_ms: int) -> None:
        """The day of saying something counts as told."""
        self.tell(calendar_math.one_day(at_ms // DAY_MS))

    def join(self, other: Told) -> None:
        """Take in what other sources tell; they are not to tell more behind that."""
        self.parts.append(other)
        self.months |= other.months
        self.named |= other.named
        self.weekdays |= other.weekdays
        self.years |= other.years
        self.day_numbers |= other.day_numbers

    def tell(self, period: Period) -> None:
        first, last = period.from_ms // DAY_MS, (period.to_ms - 1) // DAY_MS
        begun = self.periods.setdefault(first, set())
        if period in begun:
            return
        begun.add(period)
        self._written = None
        ends = calendar_math.civil(first), calendar_math.civil(last)
        self.months |= {end[1] for end in ends}
        self.years |= {float(end[0]) for end in ends}
        if period.granularity in _DAYLIKE:
            self.weekdays |= {calendar_math.weekday(first), calendar_math.weekday(last)}
            self.day_numbers.add(ends[0][2])

    def _sources(self) -> Iterator[Told]:
        """Itself and all that was joined, each once."""
        seen: set[int] = set()
        left = [self]
        while left:
            told = left.pop()
            if id(told) not in seen:
                seen.add(id(told))
                yield told
                left += told.parts

    def _all(self) -> Iterator[Period]:
        return (period for told in self._sources() for begun in told.periods.values() for period in begun)

    def _begun_on(self, day: int) -> Iterator[Period]:
        return (period for told in self._sources() for period in told.periods.get(day, ()))

    def tells_day(self, day: int) -> bool:
        """Whether that very day, or a part of it, was told."""
        return any(period.granularity in _DAYLIKE for period in self._begun_on(day))

    def holds(self, span: DateSpan, figures: Figures) -> bool:
        """Whether a date of the note says no more than was told, in one of its readings."""
        return any(self._holds(period, figures) for period in span.readings)

    def _holds(self, period: Period, figures: Figures) -> bool:
        if period.approximate:
            return True
        if period.granularity is Granularity.DAY_PART:
            period = calendar_math.one_day(period.from_ms // DAY_MS, period.wording)
        if period.granularity is Granularity.HOUR and period not in self._begun_on(period.from_ms // DAY_MS):
            minute = period.from_ms % DAY_MS // 60_000
            if minute not in figures.minutes and not {float(minute // 60), float(minute // 60 % 12)} & figures.values:
                return False
            period = calendar_math.one_day(period.from_ms // DAY_MS, period.wording)
        if self._is_named(period, figures):
            return True
        return any(_covers(period, told) or self._day_of_week(period, told) for told in self._all())

    def _is_named(self, said: Period, figures: Figures) -> bool:
        """Whether a month, or a day of one, stands in the words themselves: "from april on", "the third of May"."""
        first = said.from_ms // DAY_MS
        _, month, day = calendar_math.civil(first)
        if month not in self.named or not any(abs(first - told.from_ms // DAY_MS) <= _A_YEAR for told in self._all()):
            return False
        return said.granularity is Granularity.MONTH or (
            said.granularity is Granularity.DAY and float(day) in figures.values
        )

    def holds_stretch(self, first: DateSpan, last: DateSpan) -> bool:
        """Whether two dates are the ends of a stretch that was told of: "last week", from its Monday to its Sunday."""
        from_ms, to_ms = first.readings[0].from_ms, last.readings[0].to_ms
        if from_ms >= to_ms:
            return False
        near = (told for beside in (-1, 0, 1) for told in self._begun_on(from_ms // DAY_MS + beside))
        return any(abs(from_ms - told.from_ms) <= DAY_MS and abs(to_ms - told.to_ms) <= DAY_MS for told in near)

    def _day_of_week(self, said: Period, told: Period) -> bool:
        """Whether a day lies in a week that was told of and its weekday was named."""
        within = told.granularity is Granularity.WEEK and told.from_ms <= said.from_ms and said.to_ms <= told.to_ms
        return within and calendar_math.weekday(said.from_ms // DAY_MS) in self.weekdays

    def wordings_in(self, text: str) -> list[str]:
        """What stands in a text of the ways the told dates are written out by us, the longest first."""
        found = {words for told in self._sources() for words in told._all_written().found_in(text)}
        return sorted(found, key=lambda words: (-len(words), words))

    def _all_written(self) -> _Written:
        """Every way its own dates are written out by us."""
        if self._written is None:
            self._written = _Written(
                words
                for begun in self.periods.values()
                for period in begun
                for language in ("en", "zh")
                for words in (render_span(period, language), render_day(period.from_ms, language))
            )
        return self._written

    def when(self, at_ms: int) -> bool:
        """Whether a moment lies in a stretch that was told of."""
        return any(period.from_ms <= at_ms <= period.to_ms for period in self._all())


class _Written:
    """Wordings of dates, and which of them a text holds: at the cost of the text, however many they are."""

    def __init__(self, wordings: Iterable[str]) -> None:
        self._wordings = frozenset(wordings)
        self._lengths = sorted({len(words) for words in self._wordings})
        self._head = min([_HEAD, *self._lengths[:1]])
        self._heads = frozenset(words[: self._head] for words in self._wordings)

    def found_in(self, text: str) -> Iterator[str]:
        for start in range(len(text)):
            if text[start : start + self._head] in self._heads:
                pieces = (text[start : start + length] for length in self._lengths)
                yield from self._wordings.intersection(pieces)


def _covers(said: Period, told: Period) -> bool:
    """Whether `said` is `told` or coarser. Of a date without its year only month and day are compared."""
    if said.from_ms <= told.from_ms and told.to_ms <= said.to_ms:
        return True
    day, last = told.from_ms // DAY_MS, (told.to_ms - 1) // DAY_MS
    mine = said.from_ms // DAY_MS
    if Wording.YEARLESS in {said.wording, told.wording} and abs(mine - day) <= _A_YEAR:  # which year is a guess
        same_day = any(calendar_math.civil(each)[1:] == calendar_math.civil(mine)[1:] for each in (day, last))
        month = calendar_math.civil(mine)[1] in {calendar_math.civil(each)[1] for each in (day, last)}
        return (same_day and said.granularity is told.granularity) or (said.granularity is Granularity.MONTH and month)
    if said.granularity is Granularity.DAY and told.granularity is Granularity.WEEKEND:
        return mine in {day, last}
    return told.approximate and told.from_ms <= said.from_ms and said.to_ms <= told.to_ms


def without_told(
    text: str, told: Told, figures: Figures, said_at: Iterable[int], wordings: Iterable[str]
) -> tuple[str, str]:
    """The text with every date it rightly states blanked out, and the first that it does not ("" if all are right).

    Args:
        said_at: the moments a relative date of the note may be reckoned from: those of its sources.
        wordings: casefolded texts of sources; an expression that stands in one of them is right as it is.
    """
    for words in told.wordings_in(text):
        text = text.replace(words, " " * len(words))
    anchors = tuple(dict.fromkeys(said_at)) or (0,)
    sources = list(wordings)
    right: list[tuple[int, int]] = []
    spans = find_dates(text, anchors[0])
    ends = {
        span.start
        for one, other in pairwise(spans)
        if _UNTIL.fullmatch(text[one.end : other.start]) and told.holds_stretch(one, other)
        for span in (one, other)
    }
    for span in spans:
        words = text[span.start : span.end]
        if span.start in ends:
            right.append((span.start, span.end))
            continue
        readings = (s for at in anchors for s in find_dates(words, at))
        known = any(words.casefold() in source for source in sources) or _weekday_told(words, told)
        if not known and not any(told.holds(reading, figures) for reading in (span, *readings)):
            return text, words
        right.append((span.start, span.end))
    for start, end in right:
        text = text[:start] + " " * (end - start) + text[end:]
    return _without_parts(text, told)


def _weekday_told(words: str, told: Told) -> bool:
    """Whether an expression is a mere weekday ("on Saturday", 周六) that some told day falls on."""
    days = _weekdays_in(words)
    return bool(days) and days <= told.weekdays and not stated(words) and not _months_in(words)


def _without_parts(text: str, told: Told) -> tuple[str, str]:
    """The same for what is left: 5/8/2023, bare years, months, weekdays and days of the month."""
    for match in _SLASHED.finditer(text):
        parts = sorted(int(part) for part in match.groups())
        if parts[1] <= 31 and _is_year(parts[2]) and not _is_told(told, parts):
            return text, match[0]
        text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    for match in _MONTH_WORD.finditer(text):
        if not _months_in(match[0]) <= told.months:
            return text, match[0]
        text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    for match in _WEEKDAY_WORD.finditer(text):
        if not _weekdays_in(match[0]) <= told.weekdays:
            return text, match[0]
    for match in _DAY_NUMBER.finditer(text):
        if int(match[1] or match[2]) in told.day_numbers:
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return text, ""


def _is_told(told: Told, parts: Sequence[int]) -> bool:
    """Whether the parts of a date, the least first, are those of a day that was told."""
    one, other, year = parts
    return any(
        calendar_math.valid_day(year, *each) and told.tells_day(calendar_math.day_number(year, *each))
        for each in ((one, other), (other, one))
    )


def _months_in(text: str) -> set[int]:
    found = set()
    for match in _MONTH_WORD.finditer(text):
        number = match[2]
        found.add(
            MONTHS.index(match[1]) + 1
            if match[1]
            else _CHINESE_MONTHS[number]
            if number in _CHINESE_MONTHS
            else int(number)
        )
    return found


def _month_number(word: str) -> int:
    return MONTHS.index(word.capitalize()) + 1


def _weekdays_in(text: str) -> set[int]:
    return {
        WEEKDAYS.index(match[1]) if match[1] else "一二三四五六日".index(match[2].replace("天", "日"))
        for match in _WEEKDAY_WORD.finditer(text)
    }


def _is_year(number: int) -> bool:
    return 31 < number < 100 or 1900 <= number <= 2100
