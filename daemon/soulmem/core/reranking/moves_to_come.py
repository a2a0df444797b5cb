"""Moves to come: whether a statement tells of one, as "Dylan's moving to Auckland in the new year".

Called at recall (`working.validity.told_earlier`) where it is asked where somebody is: until the day comes they are
where they are. Pure. Invariant: without a word for going somewhere, or with a day that has come, nothing is ahead.
"""

from __future__ import annotations

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import CaselessPattern

_READ = 300  # characters
_UNDATED_MS = 30 * DAY_MS  # for so long a move on no day that is told is still to come
_GOING = r"(?:mov|go|leav|relocat|head|fly|start|transferr|emigrat|retir|com)ing\b"
_MOVE = CaselessPattern(
    rf"(?:\b(?:am|is|are)|['’](?:m|s|re)) (?:\w+ ){{0,2}}?{_GOING}"
    r"|\b(?:will|gonna|going to|plan(?:s|ning)? to|hop(?:es?|ing) to|wants? to|thinking of)(?: \w+){0,2} "
    r"(?:mov|go|leav|relocat|transfer|emigrat|retir)"
    r"|(?:[要会想]|准备|打算|计划)[^，。！？了]{0,8}?[去搬到回调来]"
)
_DONE = CaselessPattern(r"\b(?:have|has|['’]ve) (?:\w+ )?(?:moved|gone|left|started|retired)\b|已经|[搬调来去到]了")


def lies_ahead(text: str, told_ms: int, now_ms: int) -> bool:
    """Whether the move that a statement tells of, told at one time, is at another one still to come."""
    text = text[:_READ]
    if _MOVE.search(text) is None or _DONE.search(text) is not None:
        return False
    dates = find_dates(text, told_ms)
    return max(span.to_ms for span in dates) > now_ms if dates else now_ms - told_ms < _UNDATED_MS
