"""Drift on disk: which details are due for it, and the note that says another word from now on.

Owns `drift`, a row for each detail that was looked at. Called by `idle.upkeep.drift_step`. An episode of blur begins
when a detail crosses into it (`element.due_blur`) and ends when it is clear again; a detail looked at since then is not
due. It falls due late in the episode, for the fainter it is the further it is moved, and it is looked at only once.
Invariant: `overwrite` changes a note wholly or, if it is not the one that was looked at any more, not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soulmem.core.details.elements import Element
from soulmem.core.details.masking import state_of
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes import element_rows, masked_indexing, note_rows, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.revision import note_rewrites
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import RenderedNote

_NAMES_FROM = 500  # notes
_LATE = "(e.due_blur + (e.due_blank - e.due_blur) / 4 * 3)"  # three quarters of the way from blurred to blank
# What is blank has nothing to come (`due_next`), and of a mind that lives long most is: an index leaves it out.
_MAY = (
    "e.due_next IS NOT NULL AND e.level > 0 AND e.due_blank > ? AND (d.element IS NULL OR d.tried_exp < e.due_blur) "
    "AND n.kind = 'episodic' AND n.pinned = 0 AND n.lifecycle <> 'forgotten'"
)
_TABLES = "element e JOIN note n ON n.id = e.note LEFT JOIN drift d ON d.element = e.id"


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What a note says after its details drifted; `moved`: all its elements where they stand then."""

    text: str
    moved: tuple[Element, ...]
    fidelity: float  # by what the note's is to be multiplied
    detail: dict[str, Any]  # for its history; no words of it


def due(connection: Connection, now_exp: int, limit: int) -> list[int]:
    """Living, unpinned, episodic notes with a detail that is due, the longest due first."""
    rows = connection.execute(
        f"SELECT e.note FROM {_TABLES} WHERE {_LATE} <= ? AND {_MAY} GROUP BY +e.note ORDER BY min({_LATE}), e.note "
        "LIMIT ?",
        (now_exp, now_exp, limit),
    )
    return [row[0] for row in rows]


def next_due(connection: Connection, now_exp: int) -> int | None:
    """When the next detail falls due, experienced time; it may be past."""
    row = connection.execute(f"SELECT min({_LATE}) FROM {_TABLES} WHERE {_MAY}", (now_exp,)).fetchone()
    return row[0] if row else None


def due_of(connection: Connection, note: int, now_exp: int) -> frozenset[int]:
    """The elements of a note that are due."""
    rows = connection.execute(
        f"SELECT e.id FROM {_TABLES} WHERE e.note = ? AND {_LATE} <= ? AND {_MAY}", (note, now_exp, now_exp)
    )
    return frozenset(row[0] for row in rows)


def names_beside(connection: Connection, note: Note, limit: int) -> tuple[str, ...]:
    """Names that other notes show, the latest first, that everybody may know who knows of this note."""
    clause, values = Scope(note.homes).notes("n")
    rows = connection.execute(
        "SELECT j.value, coalesce(n.shown, n.text) FROM (SELECT * FROM note ORDER BY id DESC LIMIT ?) n, "
        f"json_each(n.entities) j WHERE n.id <> ? AND n.lifecycle <> 'forgotten' AND {clause} ORDER BY n.id DESC",
        (_NAMES_FROM, note.id, *values),
    )
    seen = dict.fromkeys(name for name, shown in rows if name in shown and name not in note.text)
    return tuple(seen)[:limit]


def overwrite(
    connection: Connection,
    shown: RenderedNote,
    looked_at: Sequence[Element],
    change: Overwrite | None,
    *,
    now: int,
    now_exp: int,
) -> Note | None:
    """Let a note's details have been looked at, and the note say what they turned into, if into anything.

    `shown`: the note as it was when they were looked at; None is returned if it is another one by now, or one of them
    is not blurred any more, and nothing is changed.
    """
    before = note_rewrites.unchanged(connection, shown.note)
    if before is None:
        return None
    rules = element_rows.fading(connection)
    held = {element.id: element for element in element_rows.of_notes(connection, [before.id])[before.id]}
    if any(not _is_as_it_was(each, held.get(each.id)) for each in looked_at):
        return None
    if any(state_of(held[each.id].opacity(now_exp), rules) is not SegmentState.BLUR for each in looked_at):
        return None
    connection.executemany(
        "INSERT INTO drift (element, tried_exp) VALUES (?, ?) ON CONFLICT DO UPDATE SET tried_exp = excluded.tried_exp",
        [(each.id, now_exp) for each in looked_at],
    )
    if change is None:
        return before
    note_rewrites.say(
        connection, before, shown, change.text, "drifted", fidelity=change.fidelity, now=now, now_exp=now_exp
    )
    element_rows.move(connection, change.moved)
    masked_indexing.retell(connection, before.id, before.indexed, now_exp)
    note_writes.record(connection, now, "note_drifted", before.id, {"version": before.version + 1, **change.detail})
    return note_rows.get(connection, before.id)


def _is_as_it_was(before: Element, now: Element | None) -> bool:
    return now is not None and (now.start, now.end, now.gist) == (before.start, before.end, before.gist)
