"""The day after one that was told of: "the next day", "the following Monday", 第二天, 转天, 隔天.

Called by `core/dates/date_parser.py` once the other dates of a text are read. Pure. Invariant: such a day follows the
nearest day before it, if that is certain and little is said between them; else it is no date.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Granularity
from soulmem.core.dates.adjacent_dates import DateSpan
from soulmem.core.dates.english_date_words import WEEKDAYS
from soulmem.core.regex.lazy_regex import LazyPattern

_FOLLOWING = LazyPattern(
    r"\b(?:on )?the (?:very )?(?:next|following) day\b(?! (?:of|after|off|or)\b)"
    rf"|\bthe following (?P<weekday>{'|'.join(WEEKDAYS)})\b"
    r"|\bthe day after(?: (?:it|that)\b|(?=[,.;]))"
    r"|\bnext day\b(?=,)|(?:(?<=^)|(?<=[，。！？；,!?;\s]))(?:第二天|次日|转天|隔天)(?![都要就]|早班)",
    re.IGNORECASE,
)
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
        (*match.span(), (match["weekday"] or "").capitalize())
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


def _is_near(text: str, span: DateSpan, start: int) -> bool:
    between = text[span.end : min(start, span.end + _FARTHEST + 1)]
    is_day = span.certain and span.granularity in _DAYLIKE
    return is_day and len(between) <= _FARTHEST and len(_ENDS.findall(between)) <= _SENTENCES
