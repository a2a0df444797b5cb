"""Drift on disk: which details are due for it, and the note that says another word from now on.

Owns `drift`, a row for each detail that was looked at. Called by `idle.drift`. An episode of blur begins when a detail
crosses into it (`element.due_blur`) and ends when it is clear again; a detail looked at since then is not due.
Invariant: `overwrite` changes a note wholly or, if it is not the one that was looked at any more, not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from soulmem.core.elements import Element
from soulmem.core.masking import state_of
from soulmem.core.tasks import SegmentState
from soulmem.store import elements, notes, showing
from soulmem.store.driver import Connection
from soulmem.store.notes import Note
from soulmem.store.rows import dump_json
from soulmem.store.scope import Scope

_NAMES_FROM = 500  # notes


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What a note says after its details drifted; `moved`: all its elements where they stand then."""

    text: str
    moved: tuple[Element, ...]
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    attributes: dict[str, Any]
    fidelity: float  # by what the note's is to be multiplied
    detail: dict[str, Any]  # for its history; no words of it


def due(connection: Connection, now_exp: int, limit: int) -> list[int]:
    """Living, unpinned, episodic notes with a blurred detail not yet looked at, the longest blurred first."""
    rows = connection.execute(
        "SELECT e.note FROM element e JOIN note n ON n.id = e.note LEFT JOIN drift d ON d.element = e.id "
        "WHERE e.due_blur <= ? AND e.due_blank > ? AND e.level > 0 AND (d.element IS NULL OR d.tried_exp < e.due_blur) "
        "AND n.kind = 'episodic' AND n.pinned = 0 AND n.lifecycle <> 'forgotten' "
        "GROUP BY e.note ORDER BY min(e.due_blur), e.note LIMIT ?",
        (now_exp, now_exp, limit),
    )
    return [row[0] for row in rows]


def untried(connection: Connection, note: int, now_exp: int) -> frozenset[int]:
    """The elements of a note that were not looked at since they blurred."""
    rows = connection.execute(
        "SELECT e.id FROM element e LEFT JOIN drift d ON d.element = e.id WHERE e.note = ? AND e.due_blur <= ? "
        "AND e.due_blank > ? AND (d.element IS NULL OR d.tried_exp < e.due_blur)",
        (note, now_exp, now_exp),
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
    connection: Connection, before: Note, looked_at: Sequence[Element], change: Overwrite | None,
    *, now: int, now_exp: int,
) -> Note | None:  # fmt: skip
    """Let a note's details have been looked at, and the note say what they turned into, if into anything.

    Args:
        before: the note as it was when they were looked at; None is returned if it is another one by now, or one of
            them is not blurred any more, and nothing is changed.
    """
    current = notes.get_many(connection, [before.id]).get(before.id)
    if current is None or current.version != before.version or current.lasts or current.lifecycle == notes.FORGOTTEN:
        return None
    rules = elements.fading(connection)
    held = {element.id: element for element in elements.of_notes(connection, [before.id])[before.id]}
    if any(not _is_as_it_was(each, held.get(each.id)) for each in looked_at):
        return None
    if any(state_of(held[each.id].opacity(now_exp), rules) is not SegmentState.BLUR for each in looked_at):
        return None
    connection.executemany(
        "INSERT INTO drift (element, tried_exp) VALUES (?, ?) ON CONFLICT DO UPDATE SET tried_exp = excluded.tried_exp",
        [(each.id, now_exp) for each in looked_at],
    )
    if change is None:
        return current
    # Search hears of what faded first: what it is to forget is what it knows, not what the note says next.
    showing.refresh(connection, [before.id], now_exp)
    notes.keep_version(connection, current, "drifted", now)
    attributes = dump_json(change.attributes)
    connection.execute(
        "UPDATE note SET text = ?, tags = ?, entities = ?, attributes = ?, fidelity = fidelity * ?, rewritten_exp = ?, "
        "version = version + 1, hash = ? WHERE id = ?",
        (
            change.text, dump_json(change.tags), dump_json(change.entities), attributes, change.fidelity, now_exp,
            notes.content_hash(current.kind, change.text, current.at, attributes), before.id,
        ),
    )  # fmt: skip
    elements.move(connection, change.moved)
    showing.refresh(connection, [before.id], now_exp)
    notes.record(connection, now, "note_drifted", before.id, {"version": current.version + 1, **change.detail})
    return notes.get(connection, before.id)


def _is_as_it_was(before: Element, now: Element | None) -> bool:
    return now is not None and (now.start, now.end, now.gist) == (before.start, before.end, before.gist)
