"""Event dates: what happened at an event happened on its day ("at the gig", 演出那天, "the night before we moved").

Called by `idle/steps/event_dating.py` with what was told of the event before. Pure. Invariants: a day is given only
where one event is meant, and lies on the side of the telling that its clause speaks of; what has a date of its own is
left alone; an event that somebody else's name or another word marks is another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from soulmem.core.calendar.calendar_math import DAY_MS, Granularity, Tense
from soulmem.core.dates.adjacent_dates import is_denied
from soulmem.core.dates.date_parser import DateSpan, find_dates
from soulmem.core.facts.event_references import READ, WHOSE, Reference, references
from soulmem.core.regex.lazy_regex import HAN, CaselessPattern, LazyPattern
from soulmem.core.tense.verb_tense import Clauses
from soulmem.core.wordlists.dated_events import event_called, event_words
from soulmem.fast_dataclasses import dataclass

_BACK_DAYS, _AHEAD_DAYS = 60, 200
_SAME_DAYS = 14  # an event that is told of anew with a day so near was moved
_APART_DAYS = 25
_MOST_OF_A_YEAR = 300  # days
_BETWEEN, _BETWEEN_ZH = 48, 20  # characters between an event and its date
_HABIT = CaselessPattern(
    r"\b(?:always|every|usually|whenever|each|never|often)\b|每次|总是?|一到|老是|通常|都会|从来|平时"
)
_TOLD = CaselessPattern(
    r"(?P<lead>\b(?:for|about|of|before|after|since|until|till|from|without|than|towards?) )?"
    rf"(?:(?:{WHOSE}|an?|some|another|next|first|big) )?(?:[a-z][\w'’-]* ){{0,2}}?"
    rf"\b(?P<event>{event_words('en', told=True)})\b"
)
_TOLD_ZH = LazyPattern(
    rf"(?P<event>{event_words('zh', told=True)})"
    r"(?!完|的(?!日子|时间|日期)|[前后]|穿|用|费|票|照|准备|那[天日晚]|当[天日晚]|第二天|次日)"
)
_STOPS = LazyPattern(r"[.!?;\n。！？；]|\b(?:and|but|so|because|then|when)\b")
_MOVED = CaselessPattern(r"\b(?:moved|postponed|rescheduled|pushed|put back|brought forward|changed)\b|[改挪推延]|提前")
_CALLED_OFF = CaselessPattern(
    r"\b(?:cancel\w*|call(?:ed|ing) off|called it off|fell through|scrapped|not going ahead|isn['’]?t happening)\b"
    r"|取消|黄了|泡汤|作罢|不[办搞去]了"
)
_ENDS = LazyPattern(r"[.!?\n。！？；;]")
_WORDS = LazyPattern(r"[a-z]+")
_NO_COMING_ZH = LazyPattern(r"(?:电话|消息|[信打发寄送起出过下上拿带])[来去回到]")  # 打电话来: nobody comes
_WHOSE_ZH = LazyPattern(r"^(?:在|到|去|跟|和|参加|我们?|咱们?|[他她它]们?)+")
_MINE = frozenset({"my", "our", "", "我", "我们"})
# What makes an event somebody else's: "my sister's birthday", 妈妈生日.
_OF_OTHERS = CaselessPattern(
    r"(?<!it)(?<!that)(?<!there)(?<!what)(?<!here)(?<!today)['’]s (?:[\w-]+ ){0,2}$"
    r"|(?:[爸妈爷奶哥姐弟妹他她]|儿子|女儿|孩子|老[公婆]|朋友|同[学事]|闺[女蜜])(?:的|过)?$"
)
_OWN = frozenset({"the", "my", "our", "his", "her", "their", "this", "that", ""})
_DAYLIKE = frozenset({Granularity.DAY, Granularity.DAY_PART, Granularity.HOUR})


@dataclass(frozen=True, slots=True)
class EventDay:
    """A day that was told of what a reference names.

    `day`: None where it was called off, or moved to one that is not told; `told`: the number of the message, the later
    the greater; `quote`: the sentence that tells it, word for word.
    """

    day: int | None
    told: int
    quote: str
    moved: bool


def event_days(text: str, at_ms: int, reference: Reference, told: int) -> Iterator[EventDay]:
    """The days that a message, told at `at_ms`, gives to what a reference names."""
    text = text[:READ]
    if _is_put_off(_CALLED_OFF, text, reference):
        yield EventDay(None, told, text, moved=True)
        return
    spans = [
        span
        for span in find_dates(text, at_ms)
        if span.granularity in _DAYLIKE
        and _is_one_day(span)
        and not is_denied(text, span)
        and not _is_reckoned(text, span)
    ]
    if not spans:
        if _is_put_off(_MOVED, text, reference):
            yield EventDay(None, told, text, moved=True)
        return
    for start, end in _named(text, reference) if reference.event else _done(text, spans, reference):
        near = [span for span in spans if _belongs(text, start, end, span)]
        if near:
            best = min(near, key=lambda span: max(span.start - end, start - span.end))
            low, high = _sentence(text, min(start, best.start), max(end, best.end))
            quote = text[low:high].strip()
            for reading in best.readings:
                if reference.deed and reading.from_ms > at_ms and not HAN.search(quote):
                    continue  # what somebody meant to do may have been done on another day
                yield EventDay(reading.from_ms // DAY_MS, told, quote, _MOVED.search(quote) is not None)


def _is_put_off(how: LazyPattern, text: str, reference: Reference) -> bool:
    """Whether a text says that the event was moved, or was called off."""
    if how.search(text) is None or references(text):
        return False
    if reference.event:
        return any(_named(text, reference))
    return HAN.search(reference.seek) is not None and _holds_deed(text, reference)


def _is_one_day(span: DateSpan) -> bool:
    """Whether it is one day, or one of each year: of two days in one week nobody knows which."""
    days = sorted(reading.from_ms // DAY_MS for reading in span.readings)
    return all(later - earlier > _MOST_OF_A_YEAR for earlier, later in pairwise(days))


def _is_reckoned(text: str, span: DateSpan) -> bool:
    """Whether a date is itself reckoned from an event, so that it is not that of the event."""
    return any(each.start <= span.start < each.end for each in references(text))


def _named(text: str, reference: Reference) -> Iterator[tuple[int, int]]:
    """Where a text speaks of an event by its noun."""
    if not _is_of(reference, text):
        return
    for match in (_TOLD_ZH if HAN.search(reference.event) else _TOLD).finditer(text):
        is_it = event_called(match["event"].lower()) == reference.event and not match.groupdict().get("lead")
        if is_it and not (_is_own(reference) and _OF_OTHERS.search(text, 0, match.start("event"))):
            yield match.span("event")


def _done(text: str, spans: Sequence[DateSpan], reference: Reference) -> Iterator[tuple[int, int]]:
    """The sentences of a text with a date in which all words of a deed stand."""
    for span in spans:
        low, high = _sentence(text, span.start, span.end)
        told = text[low:high]
        rest = told[: span.start - low] + " " + told[span.end - low :]
        if _holds_deed(rest, reference):
            yield span.start, span.end


def _holds_deed(text: str, reference: Reference) -> bool:
    """Whether a text tells a deed: of each set of its words one."""
    plain = _NO_COMING_ZH.sub("", text.lower())
    said = frozenset(_WORDS.findall(plain)) if reference.seek.isascii() else frozenset(plain)
    return bool(reference.deed) and not any(said.isdisjoint(each) for each in reference.deed)


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    ends = [match.end() for match in _ENDS.finditer(text, 0, start)]
    stop = _ENDS.search(text, end)
    return (ends[-1] if ends else 0), (stop.end() if stop else len(text))


def _belongs(text: str, start: int, end: int, span: DateSpan) -> bool:
    """Whether little and no stop stands between an event and a date."""
    low, high = (end, span.start) if span.start >= end else (span.end, start)
    between = text[low:high]
    return len(between) <= (_BETWEEN_ZH if HAN.search(between) else _BETWEEN) and _STOPS.search(between) is None


def dated(text: str, at_ms: int) -> tuple[Reference, ...]:
    """The events that tell the day of a text, told at `at_ms`; none where it has a date, or tells a habit."""
    if _HABIT.search(text[:READ]) is not None:
        return ()
    found = references(text)
    if not found or any(not span.from_ms <= at_ms < span.to_ms for span in find_dates(text, at_ms)):
        return ()
    return found


def meant(reference: Reference, text: str, at_ms: int, known: Iterable[EventDay]) -> tuple[int, EventDay] | None:
    """The day that a reference in a text told at `at_ms` means, and what tells it; None where that is not sure."""
    anchor = Clauses(text, 0, len(text), ()).anchor(at_ms, reference.start, reference.end, Tense.UNTOLD)
    today, told = at_ms // DAY_MS, tuple(known)
    days: dict[int, EventDay] = {}
    for is_ahead in _sides(anchor.tense, is_chinese=HAN.search(text, reference.start, reference.end) is not None):
        days = {
            each.day: each
            for each in told
            if each.day is not None and _lies(each.day + reference.days - today, is_ahead)
        }
        if days:
            break
    latest = max(told, key=lambda each: each.told, default=None)
    if not days or latest is None or latest.day is None:
        return None
    day = next(iter(days))
    if len(days) > 1:
        if latest.moved and latest.day in days and all(abs(latest.day - each) <= _SAME_DAYS for each in days):
            day = latest.day
        else:
            day, second = sorted(days, key=lambda each: abs(today - each))[:2]
            if abs(day - second) < _APART_DAYS:
                return None
    return day + reference.days, days[day]


def _sides(tense: Tense, *, is_chinese: bool) -> tuple[bool, ...]:
    """Whether an event is looked for ahead, in the order of trying: a Chinese verb seldom tells."""
    if tense is Tense.AHEAD:
        return (True, False) if is_chinese else (True,)
    return (False,)


def _lies(days: int, is_ahead: bool) -> bool:
    return 0 <= days <= _AHEAD_DAYS if is_ahead else -_BACK_DAYS <= days <= 0


def _is_own(reference: Reference) -> bool:
    """Whether an event is that of who speaks, so that another's is another one."""
    return reference.whose.lower() in _MINE


def _is_of(reference: Reference, words: str) -> bool:
    """Whether what was told of an event may be of the one that is meant: the same owner, the same marks."""
    said = words.casefold()
    whose = re.sub(r"['’]s$|['’]$", "", reference.whose)
    whose = ("" if whose.lower() in _OWN else whose) if whose.isascii() else _WHOSE_ZH.sub("", whose)
    if whose and whose.casefold() not in said:
        return False
    marks = {mark for mark in reference.marks if len(mark) > 2}
    return not marks or any(mark in said for mark in marks)
