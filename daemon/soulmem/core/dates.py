"""Finding dates and times in text, Chinese and English, and saying them absolutely.

Every expression is reckoned from the time of the message it stands in ("yesterday", 上周五), in the UTC
calendar. Called by the extractive engine, which writes notes that stay true when read years later, and by
recall, which takes a time range from a question. Pure: the caller gives the time. Invariants: spans are
inside the text, in order, and never overlap; resolving a resolved text changes nothing (years 1000–9998).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from types import ModuleType

from soulmem.core import civil, dates_chinese, dates_english
from soulmem.core.civil import Anchor, Granularity, Period, Wording
from soulmem.core.patterns import LazyPattern
from soulmem.core.signs import may_hold, signs_of
from soulmem.records import dataclass

__all__ = [
    "DateSpan",
    "Granularity",
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
_EVERY = LazyPattern(r"(?:\bevery|\beach|每个?|每逢)\s?$", re.IGNORECASE)
_YEARLY = LazyPattern(r"\bbirthdays?\b|\banniversar|\bevery year\b|\bannual|生日|纪念日|每年", re.IGNORECASE)
_EXPLANATION = LazyPattern(r"\s?[(（](?=[^()（）]*\d)[^()（）]{0,60}[)）]")
_ENDS_IN_DAY = LazyPattern(r"\d(?:st|nd|rd|th)?$")
_BESIDE = LazyPattern(r"[\s,，、（(]*(?:the )?")
_WEEKDAY = LazyPattern(
    r"(?:on|by|until|till|since)?\s?(?:the )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:周|星期|礼拜)[一二三四五六日天]",
    re.IGNORECASE,
)
_ORDINAL = LazyPattern(r"the \d{1,2}(?:st|nd|rd|th)", re.IGNORECASE)
_PARTS_ZH = {"early": "上旬", "mid": "中旬", "late": "下旬"}
_SEASONS_ZH = {"spring": "春天", "summer": "夏天", "autumn": "秋天", "winter": "冬天"}


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
    def granularity(self) -> Granularity:
        return self.period.granularity

    @property
    def wording(self) -> Wording:
        return self.period.wording


def find_dates(text: str, at_ms: int) -> tuple[DateSpan, ...]:
    """All expressions of time in `text`, said at `at_ms`, from left to right; the longest wins an overlap.

    Recurring ones ("every Friday", 每周五) are not dates and are left out. A date without a year, or a bare
    weekday or day of the month, lies ahead if its clause looks ahead ("will", 打算), behind if it looks back, and
    else is the nearer one (an English weekday the last, a Chinese one the coming one, as each is mostly meant).
    """
    return _found_lately(text, at_ms) if len(text) <= _SENTENCE else _found(text, at_ms)


def _found(text: str, at_ms: int) -> tuple[DateSpan, ...]:
    found: list[DateSpan] = []
    for low, high in _stretches(text):
        stretch = text[low:high]
        here: list[DateSpan] = []
        english, rules = dates_english, _possible(dates_english, signs_of(stretch))
        if rules and english.TRIGGER.search(text, low, high):
            here += _matches(text, at_ms, (low, high), rules, (english.FUTURE, english.PAST, english.PAST))
        if _CJK.search(text, low, high):
            chinese, rules = dates_chinese, _possible(dates_chinese, frozenset(stretch))
            if rules and chinese.TRIGGER.search(text, low, high):
                here += _matches(text, at_ms, (low, high), rules, (chinese.FUTURE, chinese.PAST, chinese.DONE))
        found += _without_overlaps(here)
    return _without_repetition(text, found)


# Whoever looks at a sentence for what it is worth looks again when it is worded; the search costs more than all else.
_found_lately = lru_cache(maxsize=512)(_found)


def _possible(grammar: ModuleType, signs: frozenset[str]) -> list[dates_english.Rule]:
    """The rules that may match in a text, by what it holds."""
    if grammar.NEEDED.isdisjoint(signs):  # most sentences have no date
        return []
    return [rule for rule in grammar.RULES if may_hold(signs, rule[1])]


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


def _matches(
    text: str,
    at_ms: int,
    bounds: tuple[int, int],
    rules: Iterable[dates_english.Rule],
    signs: tuple[LazyPattern, LazyPattern, LazyPattern],
) -> Iterator[DateSpan]:
    """All matches of rules within `bounds`. `signs`: of what is ahead, what is past, and what is done."""
    anchors: dict[tuple[int, int], Anchor] = {}
    for pattern, _, meaning in rules:
        for match in pattern.finditer(text, *bounds):
            if _EVERY.search(text[max(0, match.start() - 8) : match.start()]):
                continue
            clause = _clause(text, match.start(), match.end())
            if clause not in anchors:
                ahead, behind, told = (sign.search(text, *clause) is not None for sign in signs)
                anchors[clause] = civil.anchor(at_ms, future=ahead, past=behind, done=told)
            period = meaning(match, anchors[clause])
            if period is None or match.end() == match.start():
                continue
            if period.wording is Wording.YEARLESS and _YEARLY.search(text, *clause):
                period = replace(period, wording=Wording.COMPLETE)
            yield DateSpan(match.start(), match.end(), period)


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    """Bounds of the sentence around a match, at most 300 characters either way."""
    low = max(0, start - 300)
    for boundary in _CLAUSE.finditer(text, low, start):
        low = boundary.end()
    after = _CLAUSE.search(text, end, end + 300)
    return low, after.start() if after else min(len(text), end + 300)


def _without_overlaps(found: list[DateSpan]) -> list[DateSpan]:
    kept: list[DateSpan] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
        elif span.end - span.start > kept[-1].end - kept[-1].start:
            kept[-1] = span
    return kept


def _without_repetition(text: str, spans: list[DateSpan]) -> tuple[DateSpan, ...]:
    """Leaves out what stands beside a date and says the same day again: its weekday ("on Saturday the 21st of
    March"), or its day of the month ("a week tomorrow, the 14th")."""
    spare: set[DateSpan] = set()
    for left, right in pairwise(spans):
        if _BESIDE.fullmatch(text, left.end, right.start) is None:
            continue
        if _ORDINAL.fullmatch(text, right.start, right.end) and left.granularity is Granularity.DAY:
            if left.period == right.period:
                spare.add(right)
            elif _WEEKDAY.fullmatch(text, left.start, left.end):
                spare.add(left)
            continue
        for weekday, date in ((left, right), (right, left)):
            plain = _WEEKDAY.fullmatch(text, weekday.start, weekday.end) is not None
            if plain and date.wording is not Wording.RELATIVE and date.granularity is Granularity.DAY:
                spare.add(weekday)
    return tuple(span for span in spans if span not in spare)


def render_day(at_ms: int, language: str) -> str:
    """The day of a moment: `7 May 2023`, `2023年5月7日`."""
    year, month, day = civil.civil(at_ms // civil.DAY_MS)
    if language == "zh":
        return f"{year}年{month}月{day}日"
    return f"{day} {dates_english.MONTHS[month - 1]} {year}"


def render_span(period: Period | DateSpan, language: str) -> str:
    """A period said absolutely, without a preposition: `the week of 1 May 2023`, `2022年夏天`."""
    if isinstance(period, DateSpan):
        period = period.period
    return _render_chinese(period) if language == "zh" else _render_english(period)


def _clock(ms: int) -> str:
    minutes = ms % civil.DAY_MS // 60_000
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _render_english(period: Period) -> str:
    year, month, day = civil.civil(period.from_ms // civil.DAY_MS)
    month_name = dates_english.MONTHS[month - 1]
    match period.granularity:
        case Granularity.RANGE if period.approximate:
            return f"since {render_day(period.from_ms, 'en')}"
        case Granularity.RANGE | Granularity.WEEKEND:
            last_year, last_month, last = civil.civil((period.to_ms - 1) // civil.DAY_MS)
            if (last_year, last_month) == (year, month):
                return f"{day}–{last} {month_name} {year}"
            return f"{day} {month_name} – {last} {dates_english.MONTHS[last_month - 1]} {last_year}"
        case Granularity.HOUR:
            return f"{day} {month_name} {year}, {_clock(period.from_ms)}"
        case Granularity.SEASON if period.part == "winter":
            return f"winter {year}–{(year + 1) % 100:02d}"
        case Granularity.SEASON:
            return f"{period.part} {year}"
        case Granularity.MONTH_PART:
            return f"{period.part} {month_name} {year}"
        case Granularity.WEEK if not period.approximate:
            return f"the week of {render_day(period.from_ms, 'en')}"
        case _:
            return _plain(period, "en", "around {}")


def _render_chinese(period: Period) -> str:
    year, month, day = civil.civil(period.from_ms // civil.DAY_MS)
    match period.granularity:
        case Granularity.RANGE if period.approximate:
            return f"{render_day(period.from_ms, 'zh')}以来"
        case Granularity.RANGE | Granularity.WEEKEND:
            last_year, last_month, last = civil.civil((period.to_ms - 1) // civil.DAY_MS)
            end = f"{last}日" if last_month == month else f"{last_month}月{last}日"
            end = end if last_year == year else f"{last_year}年{last_month}月{last}日"
            return f"{year}年{month}月{day}日至{end}"
        case Granularity.HOUR:
            return f"{year}年{month}月{day}日{_clock(period.from_ms)}"
        case Granularity.SEASON:
            return f"{year}年{_SEASONS_ZH[period.part]}"
        case Granularity.MONTH_PART:
            return f"{year}年{month}月{_PARTS_ZH[period.part]}"
        case Granularity.WEEK if not period.approximate:
            return f"{year}年{month}月{day}日当周"
        case _:
            return _plain(period, "zh", "{}前后")


def _plain(period: Period, language: str, vague: str) -> str:
    """A day, month or year; of a vague one its middle."""
    moment = (period.from_ms + period.to_ms) // 2 if period.approximate else period.from_ms
    year, month, _ = civil.civil(moment // civil.DAY_MS)
    if period.granularity is Granularity.YEAR:
        text = f"{year}年" if language == "zh" else str(year)
    elif period.granularity is Granularity.MONTH:
        text = f"{year}年{month}月" if language == "zh" else f"{dates_english.MONTHS[month - 1]} {year}"
    else:
        text = render_day(moment, language)
    return vague.format(text) if period.approximate else text


def resolve_dates(text: str, at_ms: int, language: str | None = None) -> str:
    """The text with every relative expression made absolute; its own words are kept.

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
    if span.wording is Wording.COMPLETE:
        return words
    if span.wording is Wording.YEARLESS:
        if _CJK.search(words):
            return f"{year}年{words}"
        return f"{words}, {year}" if _ENDS_IN_DAY.search(words) else f"{words} {year}"
    absolute = render_span(span, "zh" if chinese else "en")
    return f"{words}（{absolute}）" if chinese else f"{words} ({absolute})"


def time_range(text: str, at_ms: int) -> tuple[int, int] | None:
    """The time a text speaks of, `[from_ms, to_ms)`: from its earliest date to its latest; None without one."""
    spans = find_dates(text, at_ms)
    if not spans:
        return None
    return min(span.from_ms for span in spans), max(span.to_ms for span in spans)
