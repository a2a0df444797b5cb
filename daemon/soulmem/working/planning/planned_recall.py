"""Plans that a question about a time is answered with (algorithms.md §8.4): those to be kept then, whenever they were
made.

Called by `working/recall/time_window_recall`. What gave way or was dropped answers nothing; of what lies ahead only
what is still to be kept does, of what is over only what was done, unless it is asked what was intended, or of something
by its words. Of one's own plans and those of others the question says which are meant. A day is one by the clock that a
plan was told by. Read-only. Invariants: nothing that the client's filters or the audience keep out; a bounded number of
rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from soulmem.core.calendar.calendar_math import HOUR_MS, MINUTE_MS
from soulmem.core.plans.plan_items import TO_KEEP, PlanLevel, PlanStatus
from soulmem.core.questions.time_questions import TimeAsked, asks_intent, asks_plans, read_time
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.audience import Audience
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.plans import plan_rows
from soulmem.store.plans.plan_rows import PlanItem
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.runtime.long_texts import aside

_MOST = 60
_OFFSETS = 4  # clocks by which the plans of a time were told
_AROUND_MS = 14 * HOUR_MS  # as far as clocks are apart
_FINE_MS = 4 * HOUR_MS  # of a longer time what each quarter of an hour holds is not told
_WORD = LazyPattern(r"[a-z0-9]+")
_YOU = LazyPattern(r"\b(?:you|your|yours)\b|[你您]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Planned:
    """The plans that answer a question; `all_there`: those of about that time, whatever became of them."""

    items: tuple[PlanItem, ...] = ()
    all_there: frozenset[int] = frozenset()


async def asked_of(memory: OpenMind, text: str, now: int, audience: Audience | None) -> TimeAsked | None:
    """The time of a question for plans that names none, where there are plans for it; else None."""
    asked = await aside(text, lambda: asks_plans(text, now))
    if asked is None:
        return None
    (_, until), scope = asked.periods[0], Scope(audience)
    found = await memory.database.read(plan_rows.current, now, until, 1, scope)
    return asked if found else None


async def planned(memory: OpenMind, query: Query, asked: TimeAsked) -> Planned:
    """The plans of the time that is asked about, by their beginning."""
    is_wanted = ItemKind.NOTE in (query.kinds or frozenset(ItemKind))
    if not is_wanted or (memory.index is None and not query.is_open):
        return Planned()
    begin = min(start for start, _ in asked.periods) - _AROUND_MS
    end = max(end for _, end in asked.periods) + _AROUND_MS
    found = await memory.database.read(plan_rows.during, begin, end, _MOST, Scope(query.audience))
    if not found:
        return Planned()
    meant = await aside(asked.text, lambda: _meant(found, memory, asked))
    if memory.index is not None:
        admitted = set(memory.index.admits(query, ItemKind.NOTE, [each.note for each in meant]))
        meant = [each for each in meant if each.note in admitted]
    return Planned(tuple(_broad(meant, asked)), frozenset(each.note for each in found))


def is_named(item: PlanItem, memory: OpenMind, asked: TimeAsked) -> bool:
    """Whether the question names whose plan it is: then it asks for his plans, and not for that word."""
    names = (item.whose,) if item.whose else (memory.who.title, memory.who.name)
    text = fold(asked.text)
    words = frozenset(_WORD.findall(text))
    return any(_is_said(fold(name), text, words) for name in names if name)


def _is_said(name: str, text: str, words: frozenset[str]) -> bool:
    return name in words if name.isascii() and name.isalnum() else name in text


def _meant(found: Sequence[PlanItem], memory: OpenMind, asked: TimeAsked) -> list[PlanItem]:
    there = [each for each in found if _answers(each, asked)]
    offsets = list(dict.fromkeys(each.offset_min for each in there))[:_OFFSETS]
    when = {offset: _local(asked, offset) for offset in offsets}
    there = [each for each in there if each.offset_min in when and _is_then(each, when[each.offset_min])]
    named = [each for each in there if is_named(each, memory, asked)]
    if named:
        return named
    own = [each for each in there if not each.whose]
    return own if _YOU.search(asked.text) is not None or asked.units.names.any() else there


def _answers(item: PlanItem, asked: TimeAsked) -> bool:
    if item.is_over or item.stored is PlanStatus.DROPPED:
        return False
    if asked.from_ms is not None:
        return item.stored in TO_KEEP and item.end_ms > asked.from_ms
    if asked.is_list and not asks_intent(asked.text):
        return item.stored is PlanStatus.DONE or item.end_ms > asked.at_ms
    return True


def _local(asked: TimeAsked, offset_min: int) -> tuple[int, Sequence[tuple[int, int]]]:
    """By how much a clock is ahead, and the time that is asked about as it shows it."""
    ahead = offset_min * MINUTE_MS
    if not ahead or asked.is_of_plans:
        return 0, asked.periods
    read = read_time(asked.text, asked.at_ms + ahead)
    return (0, asked.periods) if read is None else (ahead, read.periods)


def _is_then(item: PlanItem, when: tuple[int, Sequence[tuple[int, int]]]) -> bool:
    ahead, periods = when
    return any(item.start_ms + ahead < end and start < item.end_ms + ahead for start, end in periods)


def _broad(items: list[PlanItem], asked: TimeAsked) -> list[PlanItem]:
    """Without the smallest strokes where the time is long and there are broader ones."""
    broad = [each for each in items if each.level is not PlanLevel.ACTION]
    longest = max(end - start for start, end in asked.periods)
    return broad if broad and longest > _FINE_MS else items
