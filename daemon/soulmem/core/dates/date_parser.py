"""Finding dates and times in text, Chinese and English, and saying them absolutely.

Every expression is reckoned from the time of the message it stands in ("yesterday", 上周五), in the UTC
calendar. Called by the extractive engine, which writes notes that stay true when read years later, and by
recall, which takes a time range from a question. Pure: the caller gives the time. Invariants: spans are
inside the text, in order, and never overlap; resolving a resolved text changes nothing (years 1000–9998).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from re import Match
from types import ModuleType

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Granularity, Period, Tense, Wording
from soulmem.core.dates import chinese_dates, chinese_lunar_dates, english_dates
from soulmem.core.dates.adjacent_dates import (
    DateSpan,
    end_with_shift,
    is_denied,
    is_shifted,
    is_weekday,
    joined,
    shifted,
    without_weekdays,
)
from soulmem.core.dates.chinese_date_words import plainly_written
from soulmem.core.dates.date_wording import render_day, render_period
from soulmem.core.dates.following_days import tells_following, with_following, with_returns
from soulmem.core.dates.nested_dates import Place, told_together
from soulmem.core.regex.lazy_regex import HAN_WIDE, CaselessPattern, LazyPattern
from soulmem.core.regex.regex_prefilter import may_hold, signs_of
from soulmem.core.tense.verb_tense import Clauses
from soulmem.text_memo import text_memo

__all__ = [
    "DateSpan",
    "Granularity",
    "Tense",
    "Wording",
    "find_dates",
    "find_dates_after",
    "render_day",
    "render_span",
    "resolve_dates",
    "time_range",
]

_STRETCH = 4096
_AROUND = 200  # characters
_BEFORE = 200  # characters of what was said before, in which a month may be named
_SENTENCE = 400 + _BEFORE  # none has more, with what was said before it
_BLANK = LazyPattern(r"\s")
_CLAUSE = LazyPattern(r"[.!?;。！？；\n]")
_EVERY = CaselessPattern(
    r"(?:\bevery(?: other| second| single)?|\beach|\balternate|每个?|每到?逢?|每年的?|逢|(?<![周期拜])一到)\s?$"
)
_YEARLY = CaselessPattern(
    r"\bbirthdays?\b|\banniversar|\bevery year\b|\bannual|\bborn\b|\bbday\b|生日|大寿|过寿|纪念日|每年|出生|生于|忌日"
    r"|(?:在一起|结婚|恋爱|认识|戒[烟酒]).{0,4}[一二两三四五六七八九十\d]+年了"
)
_BORN = LazyPattern(r"份?生[的人](?!气)")  # 我六月生的: in no year that is told
_EXPLANATION = LazyPattern(r"\s?[(（](?=[^()（）]*\d)[^()（）]{0,60}[)）]")
_ENDS_IN_DAY = LazyPattern(r"\d(?:st|nd|rd|th)?$")
# What stands about a date that is only named to reckon from: "the day after Christmas", 端午前一天.
_FROM_IT = CaselessPattern(
    r"\b(?:days?|nights?|weeks?|weekend|mornings?|months?|years?) (?:before|after)(?: the| our| my)?\s?$"
)
_ANY_ONE = CaselessPattern(r"\b(?:an?|some)\s?$")  # "on a Tuesday in November"
_PART_OF_DAY = CaselessPattern(r" (?:in the )?(?:morning|afternoon|evening|night)$")
_WHOSE = CaselessPattern(r"\b(?:the|our|my|his|her|their|those)\s?$")
_CUSTOMS = LazyPattern(
    r"(?:[ -](?:night|evening|morning|afternoon))? (?!does\b)[a-z]{3,}[^s\W]s\b"
)  # "the Wednesday calls"
_MOVED = CaselessPattern(
    r"\b(?:moved|changed|pushed|shifted|rescheduled|bumped|postponed|brought)\b[^.!?]{0,20} from(?: the)?\s?$"
)
_SAID_WAS = CaselessPattern(  # what somebody told wrong; the right day follows
    r"\bi (?:said|thought|told you|wrote|had)\b[^.!?;,]{0,40}\b(?:was|were|is|it['’]?s)(?: on)?(?: the)?\s?$"
)
_BOOKED = CaselessPattern(
    r"\b(?:ordered|booked|arranged|requested|scheduled|pencilled|penciled|referred|reserved|fixed)\b[^.!?;]{0,40}"
    r" for(?: the)?\s?$"
)
_MOVED_TO = CaselessPattern(
    r"\b(?:moved|changed|pushed|put|shifted|rescheduled|bumped|postponed|brought|shoved|shunted|slid|slipped|nudged|knocked"
    r"|switched|swapped|delayed|rearranged|rebooked)\b[^.!?;]{0,30} (?:back |forward |off )?to(?: the)?"
    r"(?: (?:mon|tues|wednes|thurs|fri|satur|sun)day,?(?: the)?)?\s?$"
)
_IT_IS, _NOW = (
    CaselessPattern(r"\b(?:it(?:['’]?s| is)|(?:is|are)(?: on)?)(?: the)?\s?$"),
    CaselessPattern(r"\s?\bnow\b"),
)
_FROM_THEN_ZH = LazyPattern(r"份?(?:起(?![来床飞点])|开始)")
_MOVED_ZH = LazyPattern(r"(?:[改挪推调换延提][到成至在前]|推迟|延期)")
_FROM_IT_ZH = LazyPattern(
    r"的?(?:[前后][一两三几][天周个日]|前夕|前夜|第二天|次日|(?<![今昨明后前][天儿])(?<![周期拜][一二三四五六日天])头一天)"
)


def find_dates(text: str, at_ms: int, tense: Tense = Tense.UNTOLD) -> tuple[DateSpan, ...]:
    """All expressions of time in `text`, said at `at_ms`, from left to right; the longest wins an overlap.

    Recurring ones ("every Friday", 每周五) are not dates and are left out. A bare weekday, a day of the month or a date
    without its year lies ahead or behind as its clause says ("my exam is on Friday", 我周五去了); where that does not
    tell, as `tense` says, which is `BEHIND` for what is asked of memories; else it may be either, and so may "next
    Saturday": such a span is not `certain`, and `fact_reader` has both.
    """
    return _found_lately(text, at_ms, tense) if len(text) <= _SENTENCE else _found(text, at_ms, tense)


def _found(text: str, at_ms: int, tense: Tense = Tense.UNTOLD) -> tuple[DateSpan, ...]:
    text = text if text.isascii() else plainly_written(text)
    found: list[DateSpan] = []
    read: dict[tuple[int, str], tuple[int, list[DateSpan]]] = {}  # what says the same once more is read once
    for low, high in _stretches(text):
        begin = max(0, low - _AROUND)
        key = low - begin, text[begin : high + _AROUND]
        if key not in read:
            read[key] = low, _found_in(text, low, high, at_ms, tense)
        at, spans = read[key]
        found += [DateSpan(span.start + low - at, span.end + low - at, span.period) for span in spans]
    return with_following(text, with_returns(text, without_weekdays(text, joined(text, found))), _stretches(text))


def _found_in(text: str, low: int, high: int, at_ms: int, tense: Tense) -> list[DateSpan]:
    """Those of a stretch; of what stands about it no more than `_AROUND` characters are looked at."""
    places = list(_places(text, low, high))
    if not places:
        return []
    clauses = Clauses(text, low, high, (match.span() for match, _ in places))
    meanings: dict[tuple[int, int], Place] = {}
    here, left = [], set[tuple[int, int]]()
    for place in places:
        is_left = _is_left(text, low, *place[0].span())
        span = _read(*place, at_ms, clauses, Tense.AHEAD if is_left else tense, is_left=is_left)
        if span is not None:
            here.append(span)
            meanings[span.start, span.end] = place
            if is_left:
                left.add((span.start, span.end))
    told = told_together(_without_overlaps(here), meanings, clauses, at_ms)
    return [span for span in told if (span.start, span.end) not in left]


# Whoever looks at a sentence for what it is worth looks again when it is worded; the search costs more than all else.
_found_lately = text_memo(512)(_found)


def _places(text: str, low: int, high: int) -> Iterator[Place]:
    """Whatever may be a date in `text[low:high]`, with what it would mean."""
    stretch = text[low:high]
    rules = _possible(english_dates, signs_of(stretch))
    if HAN_WIDE.search(stretch):
        rules += _possible(chinese_dates, frozenset(stretch))
    for pattern, _, meaning in rules:
        for match in pattern.finditer(text, low, high):
            if match.end() > match.start() and not _is_told_otherwise(text, low, *match.span()):
                yield match, shifted(match, meaning)


def _is_told_otherwise(text: str, low: int, start: int, end: int) -> bool:
    """Whether what stands about a date makes it a recurring one, or one that another is reckoned from."""
    return (
        _EVERY.search(text, max(low, start - 13), start) is not None
        or (_FROM_IT.search(text, max(low, start - 24), start) is not None and not is_shifted(text, start, end))
        or (_FROM_IT_ZH.match(text, end) is not None and not is_shifted(text, start, end))
        or _is_of_no_week(text, low, start, end)
        or (text[start:end] == "周末" and text[end : end + 1] in "才都" and end < len(text))  # it is so every weekend
    )


def _is_of_no_week(text: str, low: int, start: int, end: int) -> bool:
    """A weekday of no week in particular."""
    is_any = _ANY_ONE.search(text, max(low, start - 5), start) is not None
    is_custom = _CUSTOMS.match(text, end) is not None and _WHOSE.search(text, max(low, start - 7), start) is not None
    part = _PART_OF_DAY.search(text, start, end)  # "on a Sunday night"
    return (is_any or is_custom) and is_weekday(text, start, end if part is None else part.start())


def _is_left(text: str, low: int, start: int, end: int) -> bool:
    """A day from which something was moved away: it is none any more, but may name the month of the other."""
    if _MOVED.search(text, max(low, start - 50), start) or _SAID_WAS.search(text, max(low, start - 70), start):
        return True
    return text[max(low, start - 1) : start] == "从" and _MOVED_ZH.match(text, end) is not None


def _possible(grammar: ModuleType, signs: frozenset[str]) -> list[english_dates.Rule]:
    """The rules that may match in a text, by what it holds."""
    if grammar.NEEDED.isdisjoint(signs):  # most sentences have no date
        return []
    return [rule for rule in grammar.RULES if may_hold(signs, rule[1])]


def _read(
    match: Match[str],
    meaning: english_dates.Meaning,
    at_ms: int,
    clauses: Clauses,
    otherwise: Tense,
    *,
    is_left: bool = False,
) -> DateSpan | None:
    anchor = clauses.anchor(at_ms, *match.span(), otherwise)
    if anchor.tense is not Tense.AHEAD and any(
        each.search(match.string, max(0, match.start() - 60), match.start()) for each in (_MOVED_TO, _BOOKED)
    ):
        anchor = replace(anchor, tense=Tense.AHEAD)  # it was moved or booked, and is to come
    elif _NOW.match(match.string, match.end()) and _IT_IS.search(
        match.string, max(0, match.start() - 12), match.start()
    ):
        anchor = replace(anchor, tense=Tense.AHEAD)  # "he had a match, so it's Sunday now"
    if is_left:  # "was moved" tells of the moving
        anchor = calendar_math.anchor(at_ms, otherwise)
    period = meaning(match, anchor)
    # 四月起涨到两千八了: it is decided, and may begin yet.
    is_yearless = period is not None and period.wording is Wording.YEARLESS
    if is_yearless and anchor.tense is Tense.BEHIND and _FROM_THEN_ZH.match(match.string, match.end()):
        period = meaning(match, replace(anchor, tense=Tense.UNTOLD))
    if (
        period is not None
        and (period.wording is Wording.YEARLESS or meaning is chinese_lunar_dates.lunar_date)
        and clauses.holds(_YEARLY, *match.span())
    ):
        period = meaning(match, replace(anchor, habit=True))  # of a birthday no year is told
    if period is None or (period.wording is Wording.YEARLESS and _BORN.match(match.string, match.end())):
        return None
    return DateSpan(match.start(), end_with_shift(match), period)


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


def render_span(period: Period | DateSpan, language: str) -> str:
    """A period said absolutely, without a preposition: `the week of 1 May 2023`, `2022年夏天`."""
    return render_period(period.period if isinstance(period, DateSpan) else period, language)


def find_dates_after(before: str, text: str, at_ms: int) -> tuple[DateSpan, ...]:
    """The dates of a text as they read behind what its speaker said just before: which month "the 27th" is of."""
    before = before[-_BEFORE:]
    found = find_dates(text, at_ms)
    follows = tells_following(text)
    if not before or not (found or follows) or not find_dates(before, at_ms):
        return found
    start = len(before) + 1
    spans = find_dates(f"{before}\n{text}", at_ms)
    here = [replace(span, start=span.start - start, end=span.end - start) for span in spans if span.end > start]
    places = {(each.start, each.end) for each in here}
    more = len(here) > len(found) and follows
    return tuple(here) if (more or len(here) == len(found)) and places >= {(f.start, f.end) for f in found} else found


def resolve_dates(text: str, at_ms: int, language: str | None = None, before: str = "") -> str:
    """The text with every relative expression made absolute; its own words are kept, and what may be either of two
    days keeps nothing else.

    `yesterday` becomes `yesterday (7 May 2023)`, `in May` becomes `in May 2023`, 去年夏天 becomes
    去年夏天（2022年夏天）, 5月3号 becomes 2023年5月3号. `language` is that of the added words; by default each
    expression decides. `before`: what was said just before.
    """
    pieces: list[str] = []
    done = 0
    explained = 0
    for span in find_dates_after(before, text, at_ms):
        if span.start < explained or is_denied(text, span):
            continue
        if explanation := _EXPLANATION.match(text, span.end):
            explained = explanation.end()
        words = text[span.start : span.end]
        chinese = language == "zh" or (language is None and HAN_WIDE.search(words) is not None)
        pieces.append(text[done : span.start])
        pieces.append(words if explanation else _reworded(words, span, chinese=chinese))
        done = span.end
    pieces.append(text[done:])
    return "".join(pieces)


def _reworded(words: str, span: DateSpan, *, chinese: bool) -> str:
    year = calendar_math.civil(span.from_ms // calendar_math.DAY_MS)[0]
    if span.wording is Wording.COMPLETE and span.certain and not any(map(str.isdigit, words)):
        return f"{words}（{render_span(span, 'zh')}）" if HAN_WIDE.search(words) else words  # 二〇一九年
    if span.wording is Wording.COMPLETE or not span.certain:
        return words
    if span.wording is Wording.YEARLESS:
        if HAN_WIDE.search(words):
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
