"""Validity intervals: when what a note says was so, and when it was learnt that it is so no more (algorithms.md §11.2).

Two times: that of the world (`valid_from`, `valid_to`: when it held) and that of the memory (when it was told, when it
expired). A note holds from the one to the other, half-open; where nobody said since when, it always did; while nothing
ended it, it still does. Pure. Called by the step that stores endings, by views and at recall. Invariants: what was
learnt later never shortens what lies wholly outside of it; a statement that was taken back never held at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.calendar import calendar_math
from soulmem.core.dates.english_date_words import MONTHS as _MONTHS
from soulmem.core.facts.relations import EVENT
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.tokens import wording_language
from soulmem.fast_dataclasses import dataclass

SUPERSEDE, INVALIDATE, CORRECT = "supersede", "invalidate", "correct"


@dataclass(frozen=True, slots=True)
class Interval:
    """When something held, `[valid_from, valid_to)` in wall milliseconds; None: not known, or still."""

    valid_from: int | None = None
    valid_to: int | None = None
    expired_at: int | None = None  # when it was learnt that it does not hold (any more)

    def overlaps(self, other: Interval) -> bool:
        begins_before = self.valid_from is None or other.valid_to is None or self.valid_from < other.valid_to
        ends_after = self.valid_to is None or other.valid_from is None or other.valid_from < self.valid_to
        return begins_before and ends_after

    def holds_at(self, at: int) -> bool:
        return (self.valid_from is None or self.valid_from <= at) and (self.valid_to is None or at < self.valid_to)


@dataclass(frozen=True, slots=True)
class Settled:
    """Two statements that cannot hold at once, once it is clear until when each did."""

    old: Interval
    new: Interval


_SLACK_MS = 100 * calendar_math.DAY_MS  # how far before what was told a change may be dated that was told after it


def settle(old: Interval, new: Interval, now: int, *, told_old: int, told_new: int) -> Settled:
    """What contradiction makes of two statements, given when each was told.

    What held apart stays as it is. Else what began earlier ended where the other began. Where nobody said since when
    something holds, it began before it was told, and what was told later began then at the latest: unless it is dated
    long before, and so tells of the past.
    """
    if not old.overlaps(new):
        return Settled(old, new)
    begun_new = told_new if new.valid_from is None else new.valid_from
    if old.valid_from is None:
        is_past = begun_new < told_old - _SLACK_MS
        begun_old, end_old = told_old, max(begun_new, told_old)
    else:
        is_past = begun_new < old.valid_from
        begun_old = end_old = old.valid_from
        end_old = max(begun_new, end_old)
    if not is_past:
        return Settled(Interval(old.valid_from, end_old, now), Interval(begun_new, new.valid_to, new.expired_at))
    return Settled(Interval(begun_old, old.valid_to, old.expired_at), Interval(new.valid_from, begun_old, now))


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a note, or the part of it that was `said`, holds no more. `valid_to` None: it never held."""

    by: int
    event: str
    valid_to: int | None
    expired_at: int
    relation: str = ""
    said: str = ""
    whole: bool = True


def first_end(found: Sequence[Ending]) -> Ending | None:
    """What ended the whole of a note first; None while as a whole it holds. What never held is told first."""
    whole = [each for each in found if each.whole]
    return min(whole, key=lambda each: (each.valid_to is not None, each.valid_to or 0, each.by), default=None)


def interval_of(valid_from: int | None, found: Sequence[Ending]) -> Interval:
    """When a note held, with what is known of its end; one that was taken back held at no time."""
    ended = first_end(found)
    if ended is None:
        return Interval(valid_from)
    if ended.valid_to is None:
        since = ended.expired_at if valid_from is None else valid_from
        return Interval(since, since, ended.expired_at)
    return Interval(valid_from, max(ended.valid_to, valid_from or ended.valid_to), ended.expired_at)


def is_over(found: Sequence[Ending], at: int) -> bool:
    """Whether a note holds no more at a time, as a whole."""
    return any(each.whole and (each.valid_to is None or each.valid_to <= at) for each in found)


def was_taken_back(found: Sequence[Ending]) -> bool:
    return any(each.whole and each.event == CORRECT for each in found)


def marked(text: str, found: Sequence[Ending], at: int) -> str:
    """A text with a word, in its own language, of what of it holds no more at a time; itself where all of it does.

    A part is named by its words only where they still show in the text.
    """
    over = [each for each in found if each.valid_to is None or each.valid_to <= at]
    if not over:
        return text
    chinese = wording_language(text) == "zh"
    whole = first_end(over)
    if whole is not None:
        return _bracketed(text, _said_of(whole, chinese=chinese), chinese=chinese)
    parts = dict.fromkeys(_part(each, text, chinese=chinese) for each in over)
    return _bracketed(text, ("；" if chinese else "; ").join(parts), chinese=chinese)


# The words above, as they come back when a client pastes what it was told.
MARK = LazyPattern(
    r"\s*[(（](?:in part |部分内容|“[^“”()（）]{1,200}” ?)?"
    r"(?:until [A-Z][a-z]{2,8} \d{1,4}|said by mistake|(?:no longer, )?(?:moved|called off) since"
    r"|到\d{1,4}年\d{1,2}月为止|说错了|(?:已过时，)?后来改了时间|已取消(?:，不再算数)?"
    r"|said earlier, may be outdated|早先说的，可能已过时)[)）]"
)


def marked_earlier(text: str) -> str:
    """A text with a word, in its own language, that something else was said of the same later."""
    chinese = wording_language(text) == "zh"
    return _bracketed(text, "早先说的，可能已过时" if chinese else "said earlier, may be outdated", chinese=chinese)


# Who speaks and what he does, which a note says of him by name, before what is left of two words at least.
_ONESELF = LazyPattern(r"^(?:我们?|咱们?)(?=..)|^(?:I|We)(?:['’]\w+)? (?:(?:am|have|was|are) )?\w+ (?=\w+ \w)")


# The day that a note tells beside or before the words of who spoke: 下个月（2026年5月）, 2026年六月.
_RESOLVED = LazyPattern(r"\s?[(（][^()（）]{0,40}\d{4}[^()（）]{0,40}[)）]|\d{4}年(?=[一二三四五六七八九十元])")


def _part(ending: Ending, text: str, *, chinese: bool) -> str:
    words = _said_of(ending, chinese=chinese)
    said = ending.said if ending.said in text else _ONESELF.sub("", ending.said)  # 苏禾开车 for 我开车
    if said and (said in text or said in _RESOLVED.sub("", text)):
        return f"“{said}”{words}" if chinese else f"“{said}” {words}"
    return f"部分内容{words}" if chinese else f"in part {words}"


def _said_of(ending: Ending, *, chinese: bool) -> str:
    if ending.event == CORRECT:
        return "说错了" if chinese else "said by mistake"
    if ending.relation == EVENT:
        if ending.event == SUPERSEDE:
            return "已过时，后来改了时间" if chinese else "no longer, moved since"
        return "已取消，不再算数" if chinese else "no longer, called off since"
    year, month, _ = calendar_math.civil((ending.valid_to or 0) // calendar_math.DAY_MS)
    return f"到{year}年{month}月为止" if chinese else f"until {_MONTHS[month - 1]} {year}"


def _bracketed(text: str, words: str, *, chinese: bool) -> str:
    return f"{text}（{words}）" if chinese else f"{text} ({words})"
