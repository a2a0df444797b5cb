"""The day after one that was told of: "the next day", "the following Monday", 第二天, 转天, 隔天.

Called by `core/dates/date_parser.py` once the other dates of a text are read. Pure. Invariant: such a day follows the
nearest day before it, if that is certain and little is said between them; else it is no date.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Granularity
from soulmem.core.dates.adjacent_dates import DateSpan
from soulmem.core.dates.english_date_words import WEEKDAYS
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern

_FOLLOWING = CaselessPattern(
    r"\b(?:on )?the (?:very )?(?:next|following) day\b(?! (?:of|after|off|or)\b)"
    rf"|\bthe following (?P<weekday>{'|'.join(WEEKDAYS)})\b"
    rf"|\bthe (?P<after>{'|'.join(WEEKDAYS)}) after(?: (?:it|that)\b|(?=\s?[,.;!?(（]|$))"
    r"|\bthe day after(?: (?:it|that)\b|(?=[,.;]))"
    r"|\bnext day\b(?=,)|(?:(?<=^)|(?<=[，。！？；,!?;\s]))(?:第二天|次日|转天|隔天)(?![都要就]|早班)"
)
# How somebody comes back, before the day or behind it: "and return on the 3rd", "back on the 3rd", 3号回来.
_BACK = CaselessPattern(r"\b(?:back|returns?|returning|home|until|till)\b[^,.;!?]{0,12}$")
_BACK_ZH = LazyPattern(r"(?:[早上中下]午|晚上|早上|再|就|要|飞|才)?[回返](?=[来家国程到去，。]|$)")
_LEAVE = 60  # characters between the two days
_ENDS = LazyPattern(r"[.!?。！？\n]+")
_FARTHEST, _SENTENCES = 160, 3
_LOOKED_AT = 4_000  # characters
_DAYLIKE = frozenset({Granularity.DAY, Granularity.DAY_PART, Granularity.HOUR})


def tells_following(text: str) -> bool:
    """Whether the beginning of a text tells of a day after another."""
    return _FOLLOWING.search(text, 0, _LOOKED_AT) is not None


def with_following(text: str, spans: Sequence[DateSpan], stretches: Iterable[tuple[int, int]]) -> tuple[DateSpan, ...]:
    """The dates of a text, and the days after them that it tells of, from left to right.

    `stretches`: the text in parts short enough for one search each.
    """
    following = [
        (*match.span(), (match["weekday"] or match["after"] or "").capitalize())
        for low, high in stretches
        for match in _FOLLOWING.finditer(text, low, high)
    ]
    if not following:
        return tuple(spans)
    found: list[DateSpan] = []
    ahead = deque(spans)
    for start, end, weekday in following:
        while ahead and ahead[0].start < start:
            found.append(ahead.popleft())
        while ahead and ahead[0].start < end:
            ahead.popleft()  # the weekday of "the following Monday" by itself
        if found and found[-1].end <= start and _is_near(text, found[-1], start):
            day = found[-1].from_ms // calendar_math.DAY_MS + 1
            if weekday:
                day += (WEEKDAYS.index(weekday) - calendar_math.weekday(day)) % 7
            found.append(DateSpan(start, end, calendar_math.one_day(day)))
    return (*found, *ahead)


def with_returns(text: str, spans: Sequence[DateSpan]) -> list[DateSpan]:
    """The dates of a text; one on which somebody comes back is the first of its readings behind the day he left on.

    "I fly on the 30th and return on the 3rd": of the month after.
    """
    found: list[DateSpan] = []
    for each in spans:
        span, left = each, found[-1] if found else None
        if left is not None and not span.certain and left.certain and left.granularity in _DAYLIKE:
            later = [reading for reading in span.readings if reading.from_ms >= left.to_ms]
            if later and _comes_back(text, left, span):
                span = DateSpan(
                    span.start, span.end, replace(min(later, key=lambda reading: reading.from_ms), other=None)
                )
        found.append(span)
    return found


def _comes_back(text: str, left: DateSpan, span: DateSpan) -> bool:
    between = text[left.end : span.start]
    return (
        len(between) <= _LEAVE
        and not _ENDS.search(between)
        and (_BACK.search(between) is not None or _BACK_ZH.match(text, span.end) is not None)
    )


def _is_near(text: str, span: DateSpan, start: int) -> bool:
    between = text[span.end : min(start, span.end + _FARTHEST + 1)]
    is_day = span.certain and span.granularity in _DAYLIKE
    return is_day and len(between) <= _FARTHEST and len(_ENDS.findall(between)) <= _SENTENCES
