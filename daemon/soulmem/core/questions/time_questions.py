"""Time questions: what is asked of a stretch of time, and what belongs to it by when it happened.

"What did I do yesterday", 这周末我有什么安排: such a question is answered not by what sounds like it but by what
happened then, whenever that was told. Called by recall; the dates of questions and of texts are read by
`core.dates.date_parser`. Pure. Invariants: what a text dates elsewhere does not belong to the time it was told in; a
stretch much longer than the one that is asked for ("2023" for a day) says nothing of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import IntEnum

from soulmem.core.calendar.calendar_math import DAY_MS, Granularity, Period, Tense, Wording
from soulmem.core.dates.adjacent_dates import is_denied
from soulmem.core.dates.date_parser import DateSpan, find_dates
from soulmem.core.questions.question_concepts import Units, read_units
from soulmem.core.questions.question_detection import is_question
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.tense import chinese_tense, english_tense
from soulmem.core.text.tokens import query_terms
from soulmem.core.wordlists.fictional_events import is_supposed
from soulmem.fast_dataclasses import dataclass

TOLD_BEFORE_MS = 21 * DAY_MS  # plans are told so long before, mostly
TOLD_AFTER_MS = 14 * DAY_MS
_CJK = LazyPattern(r"[\u3400-\u9fff]")
_LATELY_MS = 7 * DAY_MS
_SHORT_MS = 10 * DAY_MS
_COARSER = 2  # times the stretch that is asked for, or a day
_YEAR_MS = 365 * DAY_MS

_SOON_MS = 31 * DAY_MS
_SOON = LazyPattern(
    r"\b(?:coming up|upcoming|on (?:my|the|our) (?:calendar|agenda|schedule))\b"
    r"|接下来.{0,6}(?:安排|计划|打算|什么事|要做)|[近最][期近]有.{0,3}(?:安排|计划|打算)|(?:有|什么)(?:日程|行程)",
    re.IGNORECASE,
)
_LATELY = LazyPattern(
    r"\b(?:lately|recently|these days|the last few days|the past few days)\b|最近|近来|这几天|这两天", re.IGNORECASE
)
# Dates that only bound what is asked for, or are themselves asked for.
_BOUND = LazyPattern(
    r"\b(?:since|before|after|until|till|by|between|prior to|later than|earlier than)\s+(?:the\s+)?$|(?:自从?|从)$",
    re.IGNORECASE,
)
_BOUND_WITHIN = LazyPattern(r"(?:since|before|after|until|till|by)\b|自从?|从", re.IGNORECASE)
# 五月之前 is no stretch of five months.
_MONTH_SIDE = LazyPattern(r"(?<!个)(?:\d{1,2}|[一二三四五六七八九十]{1,2})月份?(?:之前|以前|前|之后|以后|后)")
_BOUND_AFTER = LazyPattern(r"\s?的?(?:之前|以前|之后|以后|以来|至今|前(?![天年晚往面])|后(?![天年来面]))")
_AHEAD = LazyPattern(
    r"\b(?:will|shall|going to|gonna|plans?|planned|planning|coming up|upcoming|schedule[ds]?|agenda|next|tomorrow"
    r"|(?:am|are) (?:i|we|you)|is \w+ (?!\w+ed\b)\w+ing|happens)\b|['’]ll\b"
    r"|(?<![主重需必])要(?!不|求|是|么|点|素|紧)|(?<![机社聚约晚开例误体学])会(?!不|议|场|员)|将(?!来|军|就|近)|打算|计划|安排|准备|接下来|即将|下[个周月]|明[天年]|后天",
    re.IGNORECASE,
)
_BACK = LazyPattern(
    r"\b(?:did|was|were|had|happened|went|ate|saw|met|last|ago|yesterday)\b|[了过](?!来)|刚才|上[个周月次]|昨|去年|前天",
    re.IGNORECASE,
)
_LAST_WEEKDAY = LazyPattern(r"\blast(?= (?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sun)(?:day)?s?\b)", re.IGNORECASE)
# Words of questions that ask for whatever there was: without them nothing is left of "what happened".
_WHATEVER = LazyPattern(
    r"\b(?:what(?:['’]?s)?|happen(?:ed|s|ing)?|go(?:ing)? on|calendar|agenda|schedule[ds]?|plans?|planned|planning"
    r"|coming up|come up|upcoming|up to|do(?:ing|ne)?|did|events?|activit(?:y|ies)|occur(?:red)?|take place|took place"
    r"|anything|something|things?|special|news?|free|busy|tell me|remind me|list|show|diary|arrangements?|commitments?"
    r"|appointments?|sp(?:en[dt]|ending)|how (?:was|were|did|is)|go|went|gone|turn(?:ed)? out|in store|lined up)\b"
    r"|什么|事情|事儿|发生|安排|计划|打算|日程|行程|干[了过]?[嘛吗啥什]|做[了过]?[啥什]|怎么样|怎么过|过得|忙|活动|出了|有没有"
    r"|接下来|近期|告诉|回顾|总结|家里",
    re.IGNORECASE,
)
_BRACKETED = 2  # characters between a date and what explains it
_PARTS = frozenset({Granularity.DAY_PART, Granularity.HOUR})
_IN_BRACKETS = LazyPattern(r"[)）]\s*[。.!！]?\s*$")
_BRACKET = LazyPattern(r"[(（][^()（）]{0,60}[)）]")
_TIMELESS = LazyPattern(
    r"\b(?:used to|(?:was|were) born|grew up|can['’]t (?:have|eat|stand|drink)|(?:is|am) allergic|is called)\b"
    r"|以前|曾经|小时候|从小|出生|不能吃|过敏|[是][^，。]{1,6}人(?:[，。（]|$)|的名字[是叫]",
    re.IGNORECASE,
)  # fmt: skip
_WHERE = LazyPattern(r"\bwhere\b[^?]{0,30}\b(?:go|going|went|been|was|were)\b|[去到跑]了?哪|在哪", re.IGNORECASE)
_GOES = LazyPattern(
    r"\b(?:went|go(?:es|ing)?|been|drove|flew|cycled|walked|trip|back) (?:\w+ ){0,2}?"
    r"(?:to|into|in|at|round|up|down|from)\b"
    r"|\b(?:visit(?:ed|ing)?|at) (?:the|my|a)\b|[去回到跑飞](?!家里?吃|头|来|年|底|处|时)[了过趟]?[\u4e00-\u9fff]{2}",
    re.IGNORECASE,
)
# A day of the week with such a word is that day of every week.
_WEEKDAY = LazyPattern(
    r"\b(?<!last )(?<!this )(?<!next )(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?! (?:the )?\d)\b"
    r"|(?<![上下这本])(?<![上下这本]个)(?:周|星期|礼拜)[一二三四五六日天末]",
    re.IGNORECASE,
)
_HABIT = LazyPattern(
    r"\b(?:usual(?:ly)?|normally|generally|typically|always|regular(?:ly)?|often|every|each|these days|nowadays"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:night|morning|evening"
    r"|afternoon)s)\b|一般|平[时常日]|通常|每[个到逢]?|逢|总是|老是|经常|雷打不动|如今|眼下|现在|往后",
    re.IGNORECASE,
)
# What is usual, and what is only wanted, happened on no day: it was told on one.
_USUAL = LazyPattern(
    r"\b(?:every|each|always|usually|normally|often|whenever|most) \w+|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
    r"|\b(?:want(?:s|ed)? to|(?:i|we|he|she|they)['’]d (?:like|love)|hop(?:e|es|ing) to|dream(?:s|ing)? of"
    r"|(?:can|could)(?:['’]?t|not) stand|dislikes?|hates?)\b"
    r"|每[天周月年个逢到次]|逢[周年]|平时|通常|一般|总是|经常|常常|老是|一直想|特别想|希望|受不了|讨厌",
    re.IGNORECASE,
)  # fmt: skip
_SENTENCE_END = LazyPattern(r"[.!?。！？；;\n]+")
_PREFIX = LazyPattern(r"[^:：]{0,60}[:：]")


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """The stretches of time a question asks about, [from, to) each, and what of them.

    `units`: what it asks for beside the time; `is_list`: nothing, whatever happened then is wanted. `is_past`: it has
    begun, so that what was planned for it comes after what became of it.
    """

    periods: tuple[tuple[int, int], ...]
    units: Units
    is_list: bool
    is_past: bool = False
    is_where: bool = False  # it asks where somebody went
    from_ms: int | None = None  # the present, where what lies ahead is asked for: what is over by then is not meant

    @property
    def is_over(self) -> bool:
        """Whether all that happened in a time that is over is wanted: that stays so, whatever came instead since."""
        return self.is_list and self.is_past

    @property
    def is_short(self) -> bool:
        """Whether the time is told so finely that little else happened in it."""
        return all(end - start <= _SHORT_MS for start, end in self.periods)

    def reach(self) -> tuple[tuple[int, int], ...]:
        """When what happened then is told, mostly."""
        return tuple((start - TOLD_BEFORE_MS, end + TOLD_AFTER_MS) for start, end in self.periods)


def asks_habit(text: str) -> bool:
    """Whether a question is about what is done on a day of every week, and not about one day."""
    return _WEEKDAY.search(text) is not None and _HABIT.search(text) is not None and _BACK.search(text) is None


def may_ask_time(text: str, at_ms: int) -> bool:
    """Whether a text names any time: a look that costs little, for the present must be known to read it."""
    return bool(find_dates(text, at_ms)) or _LATELY.search(text) is not None or _SOON.search(text) is not None


def read_time(text: str, at_ms: int, leaving_out: Iterable[str] = ()) -> TimeAsked | None:
    """What a question asks of which time; None where it names none, or only a bound.

    Args:
        at_ms: the present it is asked in.
        leaving_out: terms of the names of speakers, as for `read_units`.
    """
    if not is_question(text) or asks_habit(text):
        return None
    spans = find_dates(text, at_ms)
    if _MONTH_SIDE.search(text) or any(_is_bound(text, span) for span in spans):
        return None
    periods = [(each.from_ms, each.to_ms) for span in _meant(text, spans, at_ms) for each in span.readings]
    periods += _last_weekdays(text, spans, at_ms)
    if not periods and _SOON.search(text) and not _BACK.search(text):
        periods = [(at_ms, at_ms + _SOON_MS)]
    if not periods:
        if not _LATELY.search(text):
            return None
        periods = [(at_ms - _LATELY_MS, at_ms + 1)]
    bare = _LATELY.sub(" ", _blanked(text, spans))
    rest = _WHATEVER.sub(" ", bare)
    units = read_units(rest, query_terms(rest), leaving_out)
    is_list = not units.tells
    if not spans and not is_list:  # how somebody is lately may have been told before
        return None
    is_ahead = (_AHEAD.search(text) or _SOON.search(text)) is not None and _BACK.search(text) is None
    is_past = all(start <= at_ms for start, _ in periods) and not is_ahead
    is_where = _WHERE.search(text) is not None
    return TimeAsked(tuple(dict.fromkeys(periods)), units, is_list, is_past, is_where, at_ms if is_ahead else None)


def _last_weekdays(text: str, spans: Sequence[DateSpan], at_ms: int) -> list[tuple[int, int]]:
    """What "last Thursday" means to whoever means the latest, and not the one of the week before this one."""
    bare = _LAST_WEEKDAY.sub(lambda match: "on".rjust(len(match[0])), text)
    if bare == text:
        return []
    starts = {span.end for span in spans}
    return [(each.from_ms, each.to_ms) for each in find_dates(bare, at_ms, Tense.BEHIND) if each.end in starts]


def _is_bound(text: str, span: DateSpan) -> bool:
    """Whether a date only bounds what is asked for."""
    return bool(
        _BOUND.search(text, 0, span.start)
        or _BOUND_WITHIN.match(text, span.start)
        or _BOUND_AFTER.match(text, span.end)
    )


def _meant(text: str, spans: Sequence[DateSpan], at_ms: int) -> list[DateSpan]:
    """The spans as the tense has them: what has no year lies behind, unless the question looks ahead."""
    ahead, back = _AHEAD.search(text) is not None, _BACK.search(text) is not None
    found: list[DateSpan] = []
    for span in spans:
        other: DateSpan | None = None
        if span.wording is Wording.YEARLESS and span.from_ms > at_ms and not (ahead and not back):
            other = _reread(text, span, at_ms - _YEAR_MS)
        elif span.wording is Wording.YEARLESS and span.to_ms <= at_ms and not back:
            other = _reread(text, span, at_ms + _YEAR_MS)
        if other is not None and not back and not ahead:
            found.append(span)  # it may be either
        found.append(other or span)
    return found


def _reread(text: str, span: DateSpan, at_ms: int) -> DateSpan | None:
    return next((each for each in find_dates(text, at_ms) if (each.start, each.end) == (span.start, span.end)), None)


def _blanked(text: str, spans: Sequence[DateSpan]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


class Belonging(IntEnum):
    """How it is known that something happened in a stretch of time, surest first."""

    SAYS_SO = 0  # it dates itself there
    HAPPENED = 1  # a note that is dated there, or begins so
    ROUGHLY = 2  # it dates itself there, by a longer stretch than is asked about
    TOLD = 3  # it was told then, and dates itself nowhere


def belongs(
    text: str, at_ms: int, periods: Sequence[tuple[int, int]], *, dated: bool = False, from_ms: int | None = None
) -> Belonging | None:
    """Whether what a text tells happened in one of these periods, and how that is known.

    `at_ms`: when it was told; of a note when it happened; `dated`: it is a note's, whose own time is when it happened;
    `from_ms`: what is over by then does not count, nor what names no day.
    """
    spans = [span for span in find_dates(text, at_ms) if not is_denied(text, span)]
    if dated and any(span.wording is Wording.COMPLETE for span in spans):  # made absolute when it was written down
        spans = _as_explained(spans)
        if (prefix := _PREFIX.match(text)) and spans[0].end <= prefix.end():  # when it was told stands in front of what
            told, spans = spans[0], spans[1:]
            if not spans:
                if from_ms is not None or is_timeless(text[prefix.end() :]):
                    return None
                return Belonging.HAPPENED if any(_told_within(told, at_ms, period) for period in periods) else None
        elif len(spans) == 1 and _IN_BRACKETS.match(text, spans[0].end) and is_timeless(text):
            return None  # the date behind it is that of the telling
    elif dated:
        spans = []
    there = [each for span in spans for each in span.readings if any(_within(each, period) for period in periods)]
    if from_ms is not None:
        there = [each for each in there if each.to_ms > from_ms]
    if there:
        longest = max(end - start for start, end in periods)
        is_fine = any(each.to_ms - each.from_ms <= longest for each in there)
        return Belonging.SAYS_SO if is_fine else Belonging.ROUGHLY
    if spans or from_ms is not None or not any(start <= at_ms < end for start, end in periods):
        return None
    if is_timeless(text):
        return None
    return Belonging.HAPPENED if dated else Belonging.TOLD


def _as_explained(spans: Sequence[DateSpan]) -> list[DateSpan]:
    """The absolute dates of a note; one that explains a part of a day ("tonight (13 May 2026)") is that part of it."""
    found: list[DateSpan] = []
    for before, span in zip((None, *spans), spans, strict=False):
        if span.wording is not Wording.COMPLETE:
            continue
        part = before is not None and span.start - before.end <= _BRACKETED and before.granularity
        if before is not None and part in _PARTS and span.granularity is Granularity.DAY:
            shift = span.from_ms - before.from_ms // DAY_MS * DAY_MS
            moved = replace(before.period, from_ms=before.from_ms + shift, to_ms=before.to_ms + shift, other=None)
            span = DateSpan(span.start, span.end, moved)  # noqa: PLW2901 - the same span, moved
        found.append(span)
    return found


def is_timeless(text: str) -> bool:
    """Whether a text tells of no event: what would be, or what was so or used to be, whenever that was told."""
    bare = _BRACKET.sub("", text)
    return is_supposed(bare) or _TIMELESS.search(text) is not None or _is_usual(bare)


def _is_usual(text: str) -> bool:
    said = [each for each in _SENTENCE_END.split(text) if each.strip()]
    return bool(said) and all(_USUAL.search(each) is not None for each in said)


def goes_somewhere(text: str) -> bool:
    """Whether a text tells where somebody went or was."""
    return _GOES.search(_BRACKET.sub("", text)) is not None


def is_event(text: str) -> bool:
    """Whether a text tells what was done or befell, and not how things stand: by its verbs."""
    bare = _BRACKET.sub("", text)
    signs = {chinese_tense.sign_of(bare, "")} if _CJK.search(bare) else {english_tense.sign_of(bare, "")}
    return english_tense.BEHIND in signs


def _told_within(told: DateSpan, at_ms: int, period: tuple[int, int]) -> bool:
    """Whether what was told on a day was told in a period; in a part of that day only the moment says so."""
    if told.from_ms <= at_ms < told.to_ms and period[1] - period[0] < DAY_MS:
        return period[0] <= at_ms < period[1]
    return _within(told, period)


def _within(span: DateSpan | Period, period: tuple[int, int]) -> bool:
    """Whether half of either lies in the other, and the span is not much longer.

    A night is half of either day, and belongs to the one that it began on.
    """
    if period[1] - period[0] < DAY_MS == span.to_ms - span.from_ms:
        return span.from_ms <= period[0] < span.to_ms  # Saturday is not the night that began on Friday
    shared = min(span.to_ms, period[1]) - max(span.from_ms, period[0])
    length, asked = span.to_ms - span.from_ms, period[1] - period[0]
    least = min(length, asked) + (span.from_ms < period[0])
    return 2 * shared >= least > 0 and length <= max(DAY_MS, _COARSER * asked)
