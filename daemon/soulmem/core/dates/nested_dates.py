"""Dates that are told of each other: a weekday within next week, June of next year, "not June 20th, it's the 27th".

Called by `core/dates/date_parser.py` once each date of a stretch of text is read for itself; the first of them may say
which week, month or year the others are of. Pure. Invariant: what one date says of another never makes it opposed to
its own tense.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from re import Match

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Granularity, Period, Tense, Wording, either
from soulmem.core.dates import chinese_composed_dates, chinese_dates, english_date_meaning, english_dates
from soulmem.core.dates.adjacent_dates import DateSpan
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.tense.verb_tense import Clauses

Place = tuple[Match[str], english_dates.Meaning]
Places = Mapping[tuple[int, int], Place]

_FRAMES: dict[english_dates.Meaning, Granularity] = {**english_dates.FRAMED, **chinese_dates.FRAMED}
_BROAD = frozenset({Granularity.WEEK, Granularity.MONTH, Granularity.SEASON})
_NAMING = frozenset({chinese_dates.week, english_date_meaning.weekday_of_week, english_date_meaning.distant_weekday})
_OF_MONTH = frozenset({chinese_dates.relative_month, english_date_meaning.day_of_near_month})
_BARE = frozenset(meaning for meaning, grain in _FRAMES.items() if grain is Granularity.WEEK)
_DAYLIKE = frozenset({Granularity.DAY, Granularity.DAY_PART, Granularity.HOUR})
_TRAILING = 4  # characters between "in June" and "last year", "of" among them
_NEAR_MS, _HOLIDAY_MS = 4 * calendar_math.DAY_MS, 10 * calendar_math.DAY_MS
# Between two weekdays of one week: 下周一到周三, "next Tuesday and Thursday".
_RANGED = CaselessPattern(r"\s*(?:[-–—~～到至和跟与及、,，/&+]|to|and|or|through|until|till)\s*(?:on )?")

_THROUGH = CaselessPattern(r"\s*(?:[-–—~～到至]|to|through|until|till)\s*(?:on )?(?:the )?")
_FARTHEST = 160  # characters between a month and a day told of it
_SENTENCES = 2
_CLOSE = 3  # characters between a weekday and the number of its day
_BESIDE = CaselessPattern(r"[\s,，、]*(?:on )?")
_STOP = LazyPattern(r"[!?;。！？；…\n]+|\.(?=\s|$)")
_CLAUSE_END = LazyPattern(r"[,，、:：!?;。！？；…\n]|\.(?=\s|$)|\s[-–—]+\s")
# A clause that says nothing before its day but that it is it: "no wait, it's actually", 应该是, 改到了.
_IT = CaselessPattern(
    r"\s*(?:(?:and|but|so|or|no|nope|not|wait|oh|ah|sorry|actually|rather|instead|well|i mean(?:t)?|it['’]?s|it|is|was"
    r"|will|be|that['’]?s|they['’]?re|we['’]?re|now|just|probably|more likely|maybe|exactly|to be exact|precisely|on"
    r"|for|to|the|moved|changed|pushed|shifted|set|booked|fixed|got|been|has|have|by|then|think|i|guess|must|should"
    r"|would|can|could)\b[\s,]*+)*+"
    r"|\s*(?:那?应该|大概|可能|好像|准确地?说|具体)?(?:就|都|又|才|已经|我记错了?)?"
    r"(?:是|在|定在?|改[到成在为]?|挪[到在]?|换[到成]?|推迟?[到至在]|延期?[到至]|提前?[到至]|调[到至成])?了?"
)
# One that tells how long what was told goes on: "we're back on", 住到, 回来.
_UNTIL = CaselessPattern(
    r".*\b(?:back|home|return(?:s|ing)?|until|till|through|lasts?|ends?|over|leav(?:e|es|ing)|checking out)\b"
    r"[\w\s]{0,12}"
    r"|.*(?:住到|待到|玩到|一直到|持续到|直到|到|返程|回程|结束)"
)
_ENDS_ZH = LazyPattern(r"[^，。！？]{0,6}(?:回|返|结束|走|离开|截止)")
_UNLED = frozenset(("", "on", "by", "for", "to", "until", "and", "and on", "then", "but"))
_CORRECTS = CaselessPattern(
    r"\b(?:not|n['’]t|isn['’]?t|wasn['’]?t|never|wrong|mistaken|mixed up|correct(?:ed|ion)|instead|rather)\b"
    r"|不是|记错|说错|搞错|弄错|纠正|更正|而是"
)
_SOONER = CaselessPattern(
    r"\b(?:brought|moved|pulled|come|bumped) (?:it |that |this )?(?:forward|up|earlier)\b|\bearlier\b|提前|提早"
)
_MOVES = CaselessPattern(r"\b(?:moved|changed|pushed|shifted|rescheduled|bumped|postponed|put)\b|[改挪推换延调]")


def told_together(spans: list[DateSpan], places: Places, clauses: Clauses, at_ms: int) -> list[DateSpan]:
    """The dates of a stretch as they stand to each other."""
    weekdays = _of_week_told(_framed(spans, places, clauses, at_ms), places, clauses, at_ms)
    return _in_order(_near_another(weekdays, places, clauses), places, at_ms)


def _in_order(spans: list[DateSpan], places: Places, at_ms: int) -> list[DateSpan]:
    """What goes on from one bare day to another ends after it began: "from the 12th to the 19th"."""
    read = list(spans)
    for place, (first, last) in enumerate(pairwise(spans)):
        match, meaning = places[first.start, first.end]
        is_bare = _is_bare_day(first, places) and _is_bare_day(last, places) and last.from_ms < first.from_ms
        if not is_bare or _THROUGH.fullmatch(match.string, first.end, last.start) is None:
            continue
        is_over = first.to_ms <= at_ms
        earlier = meaning(match, calendar_math.anchor(last.from_ms, Tense.BEHIND)) if is_over else None
        later = None if is_over else _next_after(*places[last.start, last.end], first)
        read[place] = first if earlier is None else _meaning(first, replace(earlier, other=None))
        read[place + 1] = last if later is None else _meaning(last, later)
    return read


def _of_week_told(spans: list[DateSpan], places: Places, clauses: Clauses, at_ms: int) -> list[DateSpan]:
    """A weekday behind one of a named week is of that week (下周二开庭，周四宣判), as far as its tense allows;
    behind one of a past week it may be later. What goes on from a sure one is the next ("I was off Monday and
    Tuesday").
    """
    read: list[DateSpan] = []
    named: DateSpan | None = None
    for own in spans:
        span = own
        match, meaning = places[span.start, span.end]
        before = read[-1] if read else None
        if meaning in _BARE and before is not None and _goes_on(before, span, match.string, places):
            there = _next_such(before, match, meaning)
            opposed = there is not None and span.certain and (span.from_ms > at_ms) != (there.from_ms > at_ms)
            span = span if there is None or opposed else there
        elif meaning in _NAMING and span.certain and span.granularity in _DAYLIKE:
            named = span
        elif named is not None and meaning in _BARE and clauses.together(named.start, span.start):
            span = _in_week_of(named, match, meaning, span, at_ms)
        elif named is not None and span.from_ms // calendar_math.DAY_MS != named.from_ms // calendar_math.DAY_MS:
            named = None  # what says the same day again in brackets changes nothing
        read.append(span)
    return read


def _goes_on(before: DateSpan, span: DateSpan, text: str, places: Places) -> bool:
    """Whether a weekday is joined to a sure one before it."""
    is_weekday = places[before.start, before.end][1] in _NAMING | _BARE and before.granularity in _DAYLIKE
    return is_weekday and before.certain and _RANGED.fullmatch(text, before.end, span.start) is not None


def _next_such(before: DateSpan, match: Match[str], meaning: english_dates.Meaning) -> DateSpan | None:
    there = meaning(match, calendar_math.anchor(before.from_ms, Tense.AHEAD))
    if there is None or there.granularity not in _DAYLIKE or there.from_ms <= before.from_ms:
        return None
    return DateSpan(*match.span(), replace(there, other=None))


def _in_week_of(
    named: DateSpan, match: Match[str], meaning: english_dates.Meaning, span: DateSpan, at_ms: int
) -> DateSpan:
    there = _next_such(named, match, meaning)
    if there is None or calendar_math.monday(named.from_ms // calendar_math.DAY_MS) != calendar_math.monday(
        there.from_ms // calendar_math.DAY_MS
    ):
        return span
    if named.from_ms > at_ms:
        return there if span.from_ms > at_ms or not span.certain else span
    return DateSpan(span.start, span.end, either(there.period, replace(span.period, other=None)))


def _framed(spans: list[DateSpan], places: Places, clauses: Clauses, at_ms: int) -> list[DateSpan]:
    """A weekday, day or month that is told of a week, month or year of the same sentence is that one's ("next year I
    marry in June", 下周我出差，周三回来), unless its own tense forbids."""
    frames: dict[Granularity, DateSpan] = {}
    read: list[DateSpan] = []
    day: DateSpan | None = None  # the last one
    dated: DateSpan | None = None  # the last one with its month: "we fly on 11 July, back the 25th"
    for place, own in enumerate(spans):
        span = own
        match, meaning = places[span.start, span.end]
        grain = _FRAMES.get(meaning)
        frame = frames.get(grain) if grain else None
        if frame is None and grain and place + 1 < len(spans) and spans[place + 1].start - span.end <= _TRAILING:
            frame = spans[place + 1] if spans[place + 1].granularity is grain else None  # "in June last year"
        if meaning is chinese_composed_dates.part_of_today and day is not None:
            moved = _on_the_same_day(span, day, clauses, at_ms)
            if moved is None:
                continue
            read.append(moved)
            continue
        if frame is not None and _is_frame(frame) and clauses.together(frame.start, span.start):
            inside = _within(match, meaning, span, frame.period, at_ms)
            if inside is None:
                continue  # next year has no 29 February
            span = inside
        elif grain is Granularity.MONTH and dated is not None:
            span = _of_named_month(match, meaning, span, dated, at_ms)
        elif _is_frame(span):
            frames[span.granularity] = span
        names_month = span.wording is not Wording.RELATIVE or (meaning in _OF_MONTH and grain is None)
        if names_month and span.granularity in (*_DAYLIKE, Granularity.MONTH):
            dated = span
        if span.granularity in _DAYLIKE:
            day = span
        read.append(span)
    return read


def _on_the_same_day(span: DateSpan, day: DateSpan, clauses: Clauses, at_ms: int) -> DateSpan | None:
    """A mere part of a day behind another day (昨天去了医院，下午拆了线): of that one, where that is sure."""
    away = day.from_ms // calendar_math.DAY_MS - at_ms // calendar_math.DAY_MS
    if not away:
        return span
    if not day.certain or not clauses.together(day.start, span.start):
        return None
    by = away * calendar_math.DAY_MS
    return _meaning(span, replace(span.period, from_ms=span.from_ms + by, to_ms=span.to_ms + by))


def _of_same_number(span: DateSpan, days: Sequence[DateSpan]) -> DateSpan:
    """A day of the month right behind a day of its number is that one: 下周三，11号上午; "on Tuesday, the 10th"."""
    own = span.from_ms // calendar_math.DAY_MS
    for day in days:
        there = day.from_ms // calendar_math.DAY_MS
        if 0 <= span.start - day.end <= _CLOSE and calendar_math.civil(there)[2] == calendar_math.civil(own)[2]:
            by = (there - own) * calendar_math.DAY_MS
            return _meaning(span, replace(span.period, from_ms=span.from_ms + by, to_ms=span.to_ms + by, other=None))
    return span


def _near_another(spans: list[DateSpan], places: Places, clauses: Clauses) -> list[DateSpan]:
    """Of what may be either of two, the one beside another time of the sentence ("in three weeks, on the 8th"); of
    which month a bare day is was told before.
    """
    sure = [span for span in spans if span.certain and span.granularity in _BROAD]
    weeks = [span for span in sure if span.granularity is not Granularity.MONTH]
    holidays = [span for span in spans if span.certain and _is_holiday(span)]
    days = [span for span in spans if span.certain and span.granularity is Granularity.DAY]
    spans = [_of_same_number(span, days) if _is_bare_day(span, places) else span for span in spans]
    return [
        _on_holiday(span, holidays, places, clauses)
        if _is_bare_day(span, places)
        and any(each.start < span.start and clauses.together(each.start, span.start) for each in holidays)
        else span
        if span.certain
        else _beside(span, weeks if _is_bare_day(span, places) else sure, clauses)
        for span in spans
    ]


def _is_holiday(span: DateSpan) -> bool:
    return span.granularity is Granularity.RANGE and span.to_ms - span.from_ms <= _HOLIDAY_MS


def _on_holiday(span: DateSpan, holidays: list[DateSpan], places: Places, clauses: Clauses) -> DateSpan:
    """A bare day behind holidays in which it lies: 国庆回家了，二号吃的火锅."""
    match, meaning = places[span.start, span.end]
    for each in holidays:
        if each.start < span.start and clauses.together(each.start, span.start):
            inside = meaning(match, calendar_math.anchor(each.from_ms - calendar_math.DAY_MS, Tense.AHEAD))
            if inside is not None and each.from_ms <= inside.from_ms < each.to_ms:
                return DateSpan(span.start, span.end, replace(inside, other=None))
    return span


def _is_bare_day(span: DateSpan, places: Places) -> bool:
    return _FRAMES.get(places[span.start, span.end][1]) is Granularity.MONTH


def _beside(span: DateSpan, sure: list[DateSpan], clauses: Clauses) -> DateSpan:
    for other in sure:
        low, high = other.from_ms - _NEAR_MS, other.to_ms + _NEAR_MS
        near = [each for each in span.readings if low <= each.from_ms < high]
        if len(near) == 1 and clauses.together(other.start, span.start):
            return DateSpan(span.start, span.end, replace(near[0], other=None))
    return span


def _is_frame(span: DateSpan) -> bool:
    plain = not span.period.approximate and span.wording is Wording.RELATIVE and span.certain
    return plain and span.granularity in _FRAMES.values()


def _within(
    match: Match[str], meaning: english_dates.Meaning, span: DateSpan, frame: Period, at_ms: int
) -> DateSpan | None:
    before = frame.granularity is Granularity.WEEK  # said on a Monday, "Monday" might be the next
    inside = meaning(match, calendar_math.anchor(frame.from_ms - before, Tense.AHEAD))
    if inside is None or not frame.from_ms <= inside.from_ms < frame.to_ms:
        return None
    opposed = (
        frame.granularity is not Granularity.MONTH
        and span.certain
        and (span.from_ms > at_ms) != (inside.from_ms > at_ms)
    )
    return span if opposed else DateSpan(span.start, span.end, replace(inside, other=None))


def _of_named_month(
    match: Match[str], meaning: english_dates.Meaning, span: DateSpan, named: DateSpan, at_ms: int
) -> DateSpan:
    """A bare day of the month behind a date that names its month, as that makes it mean; of a month of which nobody
    knows the year it is of either, where it surely is of that month.
    """
    if not named.certain:
        one, other = (
            _of_named_month(match, meaning, span, _meaning(named, replace(each, other=None)), at_ms)
            for each in named.readings
        )
        is_sure = one.certain and other.certain and span not in (one, other)
        if is_sure:
            return _meaning(span, either(one.period, other.period))
        # "we had tickets for 21 November … my birthday is the 20th": it may be of that month, or of this
        others = [each for read in (one, other) for each in read.readings if each.from_ms != span.from_ms]
        return _meaning(span, either(span.period, replace(others[0], other=None))) if span.certain and others else span
    text = match.string
    between = text[named.end : span.start]
    stops = len(_STOP.findall(between))
    if len(between) > _FARTHEST or stops > _SENTENCES:
        return span
    same, later = _in_month_of(match, meaning, named), _next_after(match, meaning, named)
    if same is None and later is None:
        return span
    is_whole = named.granularity is not Granularity.MONTH
    clause = between[max((each.end() for each in _CLAUSE_END.finditer(between)), default=0) :]
    is_led = clause.strip(" ,").lower() not in _UNLED
    leads = (is_led or (is_whole and not stops)) and _IT.fullmatch(clause) is not None
    corrects = _CORRECTS.search(text[max(0, named.start - 40) : span.start]) is not None
    if not is_whole:
        beside = _BESIDE.fullmatch(between) is not None
        return _read_there(span, same, at_ms, sure=not stops and (leads or beside))
    moves = _SOONER.search(between) is not None or _MOVES.search(between) is not None
    if (corrects or moves) and (leads or not stops):  # a day in the place of another
        there = same if corrects or _SOONER.search(between) else later
        if moves and not corrects and there is later and later != same and same is not None and same.from_ms > at_ms:
            there = either(same, later) if later is not None else same
        return span if there is None else _meaning(span, there)
    if not stops:
        return span if later is None else _meaning(span, later)
    sure = leads or _UNTIL.fullmatch(clause) is not None or _ENDS_ZH.match(text, span.end) is not None
    return _read_there(span, later, at_ms, sure=sure)


def _meaning(span: DateSpan, period: Period) -> DateSpan:
    return DateSpan(span.start, span.end, period)


def _read_there(span: DateSpan, there: Period | None, at_ms: int, *, sure: bool) -> DateSpan:
    """The day there, if that is sure; else that or what it means by itself, unless only one of them agrees with how it
    is told."""
    if there is None:
        return span
    if sure:
        return _meaning(span, there)
    if not span.certain or _opposed(span, there, at_ms):
        return span
    return _meaning(span, either(span.period, there))


def _opposed(span: DateSpan, there: Period, at_ms: int) -> bool:
    return span.certain and (span.to_ms > at_ms) != (there.to_ms > at_ms)


def _in_month_of(match: Match[str], meaning: english_dates.Meaning, named: DateSpan) -> Period | None:
    """The day in the very month that was named."""
    year, month, _ = calendar_math.civil(named.from_ms // calendar_math.DAY_MS)
    first = calendar_math.day_number(year, month, 1) * calendar_math.DAY_MS
    there = meaning(match, calendar_math.anchor(first, Tense.AHEAD))
    if there is None or calendar_math.civil(there.from_ms // calendar_math.DAY_MS)[:2] != (year, month):
        return None
    return replace(there, other=None)


def _next_after(match: Match[str], meaning: english_dates.Meaning, named: DateSpan) -> Period | None:
    """The next such day behind the named one."""
    later = meaning(match, calendar_math.anchor(named.from_ms, Tense.AHEAD))
    return None if later is None else replace(later, other=None)
