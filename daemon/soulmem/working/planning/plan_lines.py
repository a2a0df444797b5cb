"""Plans as lines of a prompt and as a part of recalled items: each says that it is one, and for when.

Called where a context is laid out and where a recall is answered. What is to be done now and next stands in a context
by itself; a plan among the recalled notes has its time where others have their date. Read-only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.plans.plan_items import PlanStatus
from soulmem.core.plans.plan_times import is_of_days, shown_hour, shown_moment, shown_span
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.core.text.prompt_lines import contained, named
from soulmem.core.text.tokens import wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes import note_rows
from soulmem.store.plans import plan_rows
from soulmem.store.plans.plan_rows import PlanItem
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id
from soulmem.store.views.rendered_notes import faces

AHEAD_MS = DAY_MS  # what begins later is not told by itself
MOST = 6
_DATED = re.compile(r"\[\d{4}-\d{2}-\d{2}\] ")
_WORDS = {
    "en": {
        PlanStatus.PLANNED: "plan {when}", PlanStatus.ACTIVE: "plan, now until {end}",
        PlanStatus.DONE: "plan {when}, done", PlanStatus.DROPPED: "plan {when}, dropped",
        PlanStatus.MISSED: "plan {when}, missed", PlanStatus.SUPERSEDED: "former plan {when}",
    },
    "zh": {
        PlanStatus.PLANNED: "计划 {when}", PlanStatus.ACTIVE: "计划，现在到{end}",
        PlanStatus.DONE: "计划 {when}，已完成", PlanStatus.DROPPED: "计划 {when}，已取消",
        PlanStatus.MISSED: "计划 {when}，没做成", PlanStatus.SUPERSEDED: "原计划 {when}",
    },
}  # fmt: skip

_TODAY = {"en": "plan, today", "zh": "计划，今天"}


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A line of a prompt, and the note of which it tells."""

    text: str
    note: int


def current_lines(connection: Connection, now: int, now_exp: int, scope: Scope) -> list[PlanLine]:
    """What is to be kept now, and what comes next within a day."""
    items = plan_rows.current(connection, now, now + AHEAD_MS, MOST, scope)
    if not items:
        return []
    shown = faces(connection, list(note_rows.get_many(connection, [each.note for each in items]).values()), now_exp)
    lines = []
    for each in items:
        face = shown[each.note]
        if face.told_state == "blank":
            continue
        who = _whose(face.speaker, face.text)
        lines.append(PlanLine(f"{_mark(each, face.text, now)} {who}{contained(face.text)}", each.note))
    return lines


def dated_lines(
    connection: Connection,
    hits: Sequence[Hit],
    lines: Mapping[tuple[str, int], str],
    now: int,
    now_exp: int,
    scope: Scope,
) -> dict[tuple[str, int], str]:
    """The lines of recalled items; those of plans say for when they are, and what became of them."""
    noted = [hit.key for hit in hits if hit.kind is ItemKind.NOTE]
    found = plan_rows.get_many(connection, noted, scope) if noted else {}
    told = dict(lines)
    others = list(note_rows.get_many(connection, [note for note, item in found.items() if item.whose]).values())
    speakers = {note: face.speaker for note, face in faces(connection, others, now_exp).items()}
    for note, item in found.items():
        line = told.get((ItemKind.NOTE.value, note))
        if line is not None:
            text = _DATED.sub("", line, count=1)
            shown = _whose(speakers.get(note, ""), text)
            told[ItemKind.NOTE.value, note] = f"{_mark(item, line, now)} {shown}{text}"
    return told


def with_times(connection: Connection, items: Sequence[dict[str, Any]], now: int, scope: Scope) -> list[dict[str, Any]]:
    """Recalled items; those of plans with their times and what became of them."""
    numbers = {each["id"]: private_id("n", each["id"]) for each in items if each["kind"] == "plan"}
    found = plan_rows.get_many(connection, list(numbers.values()), scope) if numbers else {}
    return [
        {**each, "plan": _times(found[numbers[each["id"]]], now)} if numbers.get(each["id"]) in found else each
        for each in items
    ]


def _times(item: PlanItem, now: int) -> dict[str, Any]:
    return {
        "level": item.level.value,
        "start": shown_moment(item.start_ms, item.offset_min),
        "end": shown_moment(item.end_ms, item.offset_min),
        "status": item.status(now).value,
    }


def _whose(speaker: str, text: str) -> str:
    """Whose plan it is, where its words do not say so."""
    return f"{named(speaker)}: " if speaker and speaker not in text else ""


def _mark(item: PlanItem, text: str, now: int) -> str:
    language, status = wording_language(text), item.status(now)
    when = shown_span(item.start_ms, item.end_ms, item.offset_min)
    if status is not PlanStatus.ACTIVE:
        return f"[{_WORDS[language][status].format(when=when)}]"
    if is_of_days(item.start_ms, item.end_ms, item.offset_min):
        last = shown_span(item.end_ms - DAY_MS, item.end_ms, item.offset_min)
        is_last = item.end_ms - now <= DAY_MS
        return f"[{_TODAY[language] if is_last else _WORDS[language][status].format(end=last)}]"
    end = shown_hour(item.end_ms, item.offset_min) if item.end_ms - now < DAY_MS else when[-16:]
    return f"[{_WORDS[language][status].format(end=end)}]"
