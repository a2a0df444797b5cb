"""Rehearsal writes: what being remembered does to the notes of a mind (algorithms.md §7.4).

Called by `recall_records` and by feedback, in the transaction that records what happened. Only elements that were seen
gain.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.conversation.retelling import Saying, said_in
from soulmem.core.decay.traces import STABILITY_LIMIT_MS
from soulmem.core.details.elements import Element, fact_spans
from soulmem.core.details.masking import visible
from soulmem.core.details.rehearsal import rehearsed_note, retold
from soulmem.core.schema.note_requests import NoteKind, lasts
from soulmem.store.notes import element_rows
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

_NEWS = 0.6  # importance of what changes something known


def fading_notes(connection: Connection, notes: Sequence[int]) -> Iterator[tuple[int, str, list[Element]]]:
    """Of these notes those that live and fade, neither pinned nor lore: each with its text and its elements."""
    spans = element_rows.of_notes(connection, notes)
    for note, kind, text, pinned in connection.execute(
        f"SELECT id, kind, text, pinned FROM note WHERE id {AMONG} AND lifecycle <> 'forgotten'", (listed(notes),)
    ).fetchall():
        if not lasts(NoteKind(kind), pinned=bool(pinned)):
            yield note, text, spans[note]


def rehearse(connection: Connection, weights: Mapping[int, float], now_exp: int, *, was_used: bool = True) -> None:
    """Rehearse what shows of living notes, each with its weight (`core.details.rehearsal`), but not pinned notes and
    lore.

    `was_used`: without it nothing comes to last longer than an ordinary note does: what is only ever laid there beside
    other things does not become a memory for life.
    """
    notes = [note for note, weight in weights.items() if weight > 0.0]
    if not notes:
        return
    rules = element_rows.fading(connection)
    most_ms = STABILITY_LIMIT_MS if was_used else rules.ordinary_ms
    changed: list[Element] = []
    for note, text, spans in fading_notes(connection, notes):
        seen = visible(text, [element.mask(now_exp) for element in spans], rules)
        changed += rehearsed_note(spans, seen, now_exp, weights[note], most_ms=most_ms)
    element_rows.update(connection, changed, now_exp)


def retell(
    connection: Connection, note: int, anew: Iterable[Element], importance: float, now_exp: int, *,
    said: Saying | None = None,
) -> None:  # fmt: skip
    """A note's matter was told again: it is clear once more, more lasting, and at least as important.

    `anew`: the elements it would have if it were told for the first time now; `said`: what was told, where only the
    details that stand in it come back.
    """
    row = connection.execute(
        "SELECT kind, pinned, text, attributes FROM note WHERE id = ? AND lifecycle <> 'forgotten'", (note,)
    ).fetchone()
    if row is None:
        return
    connection.execute("UPDATE note SET importance = max(importance, ?) WHERE id = ?", (importance, note))
    if lasts(NoteKind(row[0]), pinned=bool(row[1])):
        return
    whole = max((each.trace.stability_ms for each in anew if each.level == 0), default=1)
    spans = element_rows.of_notes(connection, [note])[note]
    # A fact is the same in other words: whom it is of, and what it says, is told again.
    facts = fact_spans(row[2], spans, json.loads(row[3])) if row[0] == NoteKind.SEMANTIC else ()
    changed = [
        retold(each, now_exp, least_stability_ms=whole if each.level == 0 else 1)
        for each in spans
        if said is None
        or each.level == 0
        or any(low < each.end and each.start < high for low, high in facts)
        or said_in(row[2][each.start : each.end], said)
    ]
    element_rows.update(connection, changed, now_exp)


def remind(connection: Connection, weights: Mapping[int, float], said: Saying, now_exp: int) -> None:
    """Something that says what notes say was told: what of them shows is rehearsed, what it says of the rest comes
    back.

    `weights`: of each note, as in `rehearse`.
    """
    rehearse(connection, weights, now_exp)
    rules = element_rows.fading(connection)
    changed: list[Element] = []
    for _, text, spans in fading_notes(connection, list(weights)):
        seen = visible(text, [element.mask(now_exp) for element in spans], rules)
        changed += [
            retold(each, now_exp)
            for each in spans
            if each.id not in seen and said_in(text[each.start : each.end], said)
        ]
    element_rows.update(connection, changed, now_exp)


def matters(connection: Connection, note: int, ended: int, now_exp: int) -> None:
    """What took the place of something known is at least as important as that was, and keeps as long.

    News of what is remembered is no trifle: who forgets it tells the old story again.
    """
    row = connection.execute(
        "SELECT max(n.importance, e.importance, ?), n.importance FROM note n, note e WHERE n.id = ? AND e.id = ?",
        (_NEWS, note, ended),
    ).fetchone()
    if row is None or row[0] <= row[1]:
        return
    rules = element_rows.fading(connection)
    changed = [
        retold(each, now_exp, least_stability_ms=int(DAY_MS * rules.fact_days))
        for each in element_rows.of_notes(connection, [note])[note]
    ]
    connection.execute("UPDATE note SET importance = ? WHERE id = ?", (row[0], note))
    element_rows.update(connection, changed, now_exp)
