"""Stretches of time that no single date tells: from one date to another, a season, the school holidays.

"Between the 5th and the 10th", 周一到周三, "what did I do in spring", 暑假我干什么了. Called by
`core/questions/time_questions.py`, and by `event_times.py` for what was told. Pure. Invariant: a stretch begins with
its first date and ends with its last.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import DAY_MS, Period
from soulmem.core.dates.adjacent_dates import DateSpan
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern

_LONGEST_MS = 100 * DAY_MS  # what is farther apart is two dates
_SHORT_MS = 45 * DAY_MS  # what goes on since March is asked of no time
_TO = CaselessPattern(
    r"[)）]?\s*(?:to|till|until|through|-|–|—|~|～|到|至)\s*(?:the )?[^.,;:!?()（）。；，：！？]{0,16}[(（]?"
)
_AND = CaselessPattern(r"[)）]?\s*(?:and|和|跟)\s*(?:the )?[^.,;:!?()（）。；，：！？]{0,16}[(（]?")
_BETWEEN = CaselessPattern(r"\bbetween(?: the)?\s?$")
_OWN_MONTH = CaselessPattern(
    r"\bmy(?= (?:january|february|march|april|june|july|august|september|october|november|december)\b)"
)
_FROM_ZH = LazyPattern(r"[自从](?=[周星礼\d一二三四五六七八九十上这本])")
_SPEND_ZH = LazyPattern(r"怎么过(?![了的])")  # no sign of the past
_WEEKDAYS_ZH = LazyPattern(r"(?<=[周期拜][一二三四五六日天])[到至](?=周|星期|礼拜)")
_UNTIL = CaselessPattern(r"\b(before|by|until|till)(?: the| this)?\s?$")
_UNTIL_ZH = LazyPattern(r"的?(?:之前|以前|前(?![天年晚往面]))")
_SINCE = CaselessPattern(r"\bsince(?: the| last)?\s?$")
_SINCE_WITHIN = CaselessPattern(r"since\b|自从?")
_UNTIL_WITHIN = CaselessPattern(r"by\b|until\b|till\b")
_SINCE_ZH = LazyPattern(r"的?(?:以来|至今|到现在|到今天)")
_SEASON = CaselessPattern(
    r"\b(?:in|over|during|this|for|all)(?: the)? (spring|summer|autumn|fall|winter)\b|(春天|夏天|秋天|冬天|[寒暑]假)"
)
_SEASONS = {
    "春天": "spring", "夏天": "summer", "秋天": "autumn", "冬天": "winter", "暑假": "summer", "寒假": "winter",
    "fall": "autumn",
}  # fmt: skip


def from_to(text: str, spans: Sequence[DateSpan], at_ms: int, *, is_ahead: bool) -> dict[tuple[int, int], DateSpan]:
    """The stretches that two dates of a text make, by which of them they are: those dates are none of their own.

    Of what each date may mean the nearest that fit: both behind the present, unless `is_ahead`.
    """
    found: dict[tuple[int, int], DateSpan] = {}
    for number, (first, last) in enumerate(pairwise(spans)):
        is_joined = _TO.fullmatch(text, first.end, last.start) or (
            _AND.fullmatch(text, first.end, last.start) and _BETWEEN.search(text, 0, first.start)
        )
        fitting = [
            (begin.from_ms, end.to_ms)
            for begin in first.readings
            for end in last.readings
            if is_joined and begin.from_ms < end.from_ms and end.to_ms - begin.from_ms <= _LONGEST_MS
        ]
        if fitting:
            low, high = min(fitting, key=lambda pair: ((pair[0] > at_ms) is not is_ahead, abs(pair[0] - at_ms)))
            whole = Period(low, high, calendar_math.Granularity.RANGE)
            found[number, number + 1] = DateSpan(first.start, last.end, whole)
    return found


def bounded(text: str, span: DateSpan, at_ms: int, *, is_ahead: bool) -> tuple[int, int] | None:
    """From now to a date that a plan is asked for before, or from a date to now; None where it is neither, or long."""
    found = _bounded(text, span, at_ms, is_ahead=is_ahead)
    return found if found is not None and found[1] - found[0] <= _SHORT_MS else None


def _bounded(text: str, span: DateSpan, at_ms: int, *, is_ahead: bool) -> tuple[int, int] | None:
    is_until = _UNTIL.search(text, 0, span.start) or _UNTIL_WITHIN.match(text, span.start)
    if (is_until or _UNTIL_ZH.match(text, span.end)) and is_ahead:
        last = next((each for each in span.readings if each.to_ms > at_ms), None)
        is_before = is_until is None or is_until[0].lower().startswith("before")
        return None if last is None else (at_ms, max(at_ms + 1, last.from_ms if is_before else last.to_ms))
    is_since = _SINCE.search(text, 0, span.start) or _SINCE_WITHIN.match(text, span.start)
    if (is_since or _SINCE_ZH.match(text, span.end)) and not is_ahead:
        first = next((each for each in span.readings if each.from_ms <= at_ms), None)
        return None if first is None else (first.from_ms, at_ms + 1)
    return None


def readable(text: str) -> str:
    """A question as its dates are found, of the same length: 从周一到周三 may be any week, and in a question is one."""
    seen = _WEEKDAYS_ZH.sub("~", _FROM_ZH.sub(" ", text))
    return _OWN_MONTH.sub("in", _SPEND_ZH.sub("怎么办", seen))


def season(text: str, at_ms: int, *, is_ahead: bool) -> DateSpan | None:
    """The season or school holidays a question names: the last that began, or the next for a plan."""
    said = _SEASON.search(text)
    if said is None:
        return None
    name = (said[1] or said[2]).lower()
    year = calendar_math.civil(at_ms // DAY_MS)[0]
    made = [calendar_math.season(each, _SEASONS.get(name, name)) for each in (year - 1, year, year + 1)]
    over = [each for each in made if each.from_ms <= at_ms]
    coming = [each for each in made if each.to_ms > at_ms]
    return DateSpan(*said.span(), coming[0] if is_ahead else over[-1])


def fitting(span: DateSpan, at_ms: int, *, is_ahead: bool, is_past: bool) -> list[tuple[int, int]]:
    """What a date of a question may mean: of the past what has begun, of a plan what is not over, if any is so."""
    readings = [(each.from_ms, each.to_ms) for each in span.readings]
    begun = [each for each in readings if each[0] <= at_ms]
    coming = [each for each in readings if each[1] > at_ms]
    return (coming if is_ahead else begun if is_past else []) or readings
