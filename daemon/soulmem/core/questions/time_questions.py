"""Time questions: what is asked of a stretch of time, and which.

"What did I do yesterday", 这周末我有什么安排: such a question is answered not by what sounds like it but by what
happened then, whenever that was told (`core/questions/event_times.py`). Called by recall; the dates are read by
`core.dates.date_parser`. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from soulmem.core.calendar.calendar_math import DAY_MS, Tense, Wording
from soulmem.core.dates.date_parser import DateSpan, find_dates
from soulmem.core.questions.asked import asked_stretches
from soulmem.core.questions.question_concepts import Units, read_units
from soulmem.core.questions.question_detection import is_question
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.tokens import query_terms
from soulmem.fast_dataclasses import dataclass

TOLD_BEFORE_MS = 21 * DAY_MS  # plans are told so long before, mostly
TOLD_AFTER_MS = 14 * DAY_MS
_LATELY_MS = 7 * DAY_MS
_SHORT_MS = 10 * DAY_MS
_YEAR_MS = 365 * DAY_MS

_SOON_MS = 31 * DAY_MS
_SOON = CaselessPattern(
    r"\b(?:coming up|upcoming|on (?:my|the|our) (?:calendar|agenda|schedule))\b"
    r"|接下来.{0,6}(?:安排|计划|打算|什么事|要做)|[近最][期近]有.{0,3}(?:安排|计划|打算)|(?:有|什么)(?:日程|行程)"
)
_LATELY = CaselessPattern(
    r"\b(?:lately|recently|these days|the last few days|the past few days)\b|最近|近来|这几天|这两天"
)
# Dates that only bound what is asked for, or are themselves asked for.
_BOUND = CaselessPattern(
    r"\b(?:since|before|after|until|till|by|between|prior to|later than|earlier than)\s+(?:the\s+)?$|(?:自从?|从)$"
)
_BOUND_WITHIN = CaselessPattern(r"(?:since|before|after|until|till|by)\b|自从?|从")
# 五月之前 is no stretch of five months.
_MONTH_SIDE = LazyPattern(r"(?<!个)(?:\d{1,2}|[一二三四五六七八九十]{1,2})月份?(?:之前|以前|前|之后|以后|后)")
_BOUND_AFTER = LazyPattern(r"\s?的?(?:之前|以前|之后|以后|以来|至今|前(?![天年晚往面])|后(?![天年来面]))")
_AHEAD = CaselessPattern(
    r"\b(?:will|shall|going to|gonna|(?<!did )have to|need to|must|supposed to"
    r"|plans?|planned|planning|(?:is|are|s) coming|coming up|upcoming|schedule[ds]?|agenda|next|tomorrow"
    r"|(?:am|are) (?:i|we|you)|is \w+ (?!\w+ed\b)\w+ing|happens)\b|['’]ll\b"
    r"|(?<![主重需必])要(?!不|求|是|么|点|素|紧)|(?<![机社聚约晚开例误体学])会(?!不|议|场|员)|将(?!来|军|就|近)|怎么过(?![了的])|打算|计划|安排|准备|接下来|即将|下[个周月]|明[天年]|后天"
)
_BACK = CaselessPattern(
    r"\b(?:did|was|were|had|happened|went|ate|saw|met|last|ago|yesterday)\b|(?<!怎么)[了过](?!来)|怎么过[了的]|刚才|上[个周月次]|昨|去年|前天"
)
_LAST_WEEKDAY = CaselessPattern(r"\blast(?= (?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sun)(?:day)?s?\b)")
# Words of questions that ask for whatever there was: without them nothing is left of "what happened".
_WHATEVER = CaselessPattern(
    r"\b(?:between|before|since|until|earlier|around|on my plate|on the cards|what(?:['’]?s)?"
    r"|happen(?:ed|s|ing)?|go(?:ing)? on|calendar|agenda|schedule[ds]?|plans?|planned|planning"
    r"|coming up|come up|upcoming|up to|do(?:ing|ne)?|did|events?|activit(?:y|ies)|occur(?:red)?|take place|took place"
    r"|anything|something|things?|special|news?|free|busy|tell me|remind me|list|show|diary|arrangements?|commitments?"
    r"|arranged|booked|befell|must|need to|have to|wrong|went down"
    r"|appointments?|sp(?:en[dt]|ending)|how (?:was|were|did|is)|go|went|gone|turn(?:ed)? out|in store|lined up)\b"
    r"|什么|事情|事儿|发生|安排|计划|打算|日程|行程|干[了过]?[嘛吗啥什]|做[了过]?[啥什]|怎么样|怎么过|过得|忙|活动|出了|有没有"
    r"|有空|得空|空闲|什么日子|[闯惹][了过啥什么]*祸|动静|出[了过啥什么]*事|倒[了过]?(?:什么|啥)?霉|怎么[了啦]|公司里?|接下来|近期|那天|那会儿?|当天|期间|以来|之前|之后|告诉|回顾|总结|家里"
)
_DOING = CaselessPattern(
    r"\bwhat(?:['’]s|['’]re| is| are) \w+ (?:currently |now )?(?:doing|up to)"
    r"(?: right now| now| at the moment| currently)?[ ?!.]*$"
    r"|(?:现在|此刻|这会儿|正)在?(?:做|干|忙)(?:些?什么|啥|嘛)|在(?:做|干|忙)(?:些?什么|啥|嘛)[呢呀啊 ?？。!！]*$"
)
_INTENT = CaselessPattern(
    r"\b(?:plan(?:s|ned|ning)?|inten(?:d|t)\w*|supposed to|meant to|want(?:ed)? to|scheduled?|going to|agenda"
    r"|miss(?:ed)?|skip(?:ped)?)\b|计划|打算|安排|本来|原本|原来要|本该|该做|想做|日程|错过|没做|没去"
)
_PLANS = CaselessPattern(
    r"\bwhat(?:['’]s| is| comes) next\b|\bwhat(?:['’]re| are) (?:your|my|our|the|\w+['’]s) plans?\b"
    r"|\b(?:have|got) (?:any )?plans\b|接下来|下一步|有(?:什么|啥|哪些)(?:计划|打算|安排)|(?:计划|打算|安排)是什么"
)
_WHERE = CaselessPattern(r"\bwhere\b[^?]{0,30}\b(?:go|going|went|been|was|were)\b|[去到跑]了?哪|在哪")
# A day of the week with such a word is that day of every week.
_WEEKDAY = CaselessPattern(
    r"\b(?<!last )(?<!this )(?<!next )(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?! (?:the )?\d)\b"
    r"|(?<![上下这本])(?<![上下这本]个)(?:周|星期|礼拜)[一二三四五六日天末]"
)
# How somebody is in a month, whatever the year: "what happens to me in February", 我一到二月会怎么样.
_EACH_YEAR = CaselessPattern(
    r"\b(?:what (?:happens|is it) (?:to|with) \w+|(?:how|why) (?:do|does|am|is|are) \w+ (?:\w+ ){0,4}?)"
    r"\s?(?:every|each|in(?: the)?) "
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
    r"|fall|winter)\b"
    r"|(?:一到|每到|每逢|一进)[一二三四五六七八九十\d]{1,2}月|[一二三四五六七八九十\d]{1,2}月份?(?:我|他|她)?(?:都|就|会|总)+(?:会)?(?:怎么样|怎样|咋样?|怎么了)"
)
_HABIT = CaselessPattern(
    r"\b(?:usual(?:ly)?|normally|generally|typically|always|regular(?:ly)?|often|every|each|these days|nowadays"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:night|morning|evening"
    r"|afternoon)s)\b|一般|平[时常日]|通常|每[个到逢]?|逢|总是|老是|经常|雷打不动|如今|眼下|现在|往后"
)


@dataclass(frozen=True, slots=True)
class TimeAsked:
    """The stretches of time that the question `text` asks about, [from, to) each, and what of them.

    `units`: what it asks for beside the time; `is_list`: nothing, whatever happened then is wanted. `is_past`: it has
    begun, so that what was planned for it comes after what became of it.
    """

    text: str
    periods: tuple[tuple[int, int], ...]
    units: Units
    is_list: bool
    is_past: bool = False
    is_where: bool = False  # it asks where somebody went
    is_open: bool = False  # it asks of one day, and of nobody by name
    from_ms: int | None = None  # the present, where what lies ahead is asked for: what is over by then is not meant
    is_of_plans: bool = False  # it asks what is planned, whatever that is
    at_ms: int = 0  # the present it is asked in

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
    """Whether a question is about what is so on a day of every week or in a month of each year, and not at one time."""
    if _EACH_YEAR.search(text) is not None and _BACK.search(text.replace("happens", "")) is None:
        return True
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
    is_back = _BACK.search(text) is not None
    is_ahead = (_AHEAD.search(text) or _SOON.search(text)) is not None and not is_back
    seen = asked_stretches.readable(text)
    spans = find_dates(seen, at_ms)
    stretches = asked_stretches.from_to(seen, spans, at_ms, is_ahead=is_ahead)
    alone = [span for number, span in enumerate(spans) if number not in set(chain(*stretches))]
    bounds = [span for span in alone if _is_bound(text, span)]
    bounded = [asked_stretches.bounded(text, span, at_ms, is_ahead=is_ahead) for span in bounds]
    if _MONTH_SIDE.search(text) or None in bounded:
        return None
    meant = [*stretches.values(), *_meant(text, [span for span in alone if span not in bounds], at_ms)]
    if not spans and (season := asked_stretches.season(text, at_ms, is_ahead=is_ahead)):
        meant, spans = [season], (season,)
    fitting = (asked_stretches.fitting(span, at_ms, is_ahead=is_ahead, is_past=is_back) for span in meant)
    periods = [each for each in (*chain(*fitting), *bounded) if each is not None]
    periods += _last_weekdays(text, spans, at_ms)
    if not periods and _SOON.search(text) and not _BACK.search(text):
        periods = [(at_ms, at_ms + _SOON_MS)]
    if not periods:
        if not _LATELY.search(text):
            return None
        periods = [(at_ms - _LATELY_MS, at_ms + 1)]
    bare = _LATELY.sub(" ", _blanked(text, [*spans, *stretches.values()]))
    rest = _WHATEVER.sub(" ", bare)
    units = read_units(rest, query_terms(rest), leaving_out)
    is_list = not units.tells
    if (not spans or bounds) and not is_list:  # how somebody is lately may have been told before
        return None
    is_past = all(start <= at_ms for start, _ in periods) and not is_ahead
    is_where = _WHERE.search(text) is not None
    is_day = all(end - start <= DAY_MS for start, end in periods)
    from_ms = at_ms if is_ahead else None
    is_open = is_day and not units.names.any()
    return TimeAsked(
        text, tuple(dict.fromkeys(periods)), units, is_list, is_past, is_where, is_open, from_ms, at_ms=at_ms
    )


def asks_intent(text: str) -> bool:
    """Whether a question about what is over asks what was intended, and not what was done."""
    return _INTENT.search(text) is not None


def asks_plans(text: str, at_ms: int, leaving_out: Iterable[str] = ()) -> TimeAsked | None:
    """What is asked for of plans where no time is named: of those for now, or of those to come; None for another
    question."""
    is_now = _DOING.search(text) is not None
    if not is_now and _PLANS.search(text) is None:
        return None
    until = at_ms + 1 if is_now else at_ms + _SOON_MS
    rest = _WHATEVER.sub(" ", _DOING.sub(" ", _PLANS.sub(" ", text)))
    units = read_units(rest, query_terms(rest), leaving_out)
    return TimeAsked(text, ((at_ms, until),), units, is_list=False, from_ms=at_ms, is_of_plans=True, at_ms=at_ms)


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
