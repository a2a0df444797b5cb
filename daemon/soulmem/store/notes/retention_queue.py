"""Retention queue: when a note's right to stay is looked at next.

Owns `note.due_check`. A note is not looked at on a timer, but when a link of it dies, when a detail of it crosses a
threshold, and when a time ends that kept it (its first week, the week after a recall). So a mind in which nothing falls
due writes nothing, however large. Called by `link_rows`, `masked_indexing` and the sweep.
"""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.store.sqlite.driver import Connection

_AT_ONCE = 0  # experienced time begins here: always due


def due(connection: Connection, now_exp: int, limit: int) -> list[int]:
    """Notes whose right to stay is to be looked at."""
    rows = connection.execute(
        "SELECT id FROM note WHERE due_check <= ? AND lifecycle <> 'forgotten' ORDER BY due_check, id LIMIT ?",
        (now_exp, limit),
    )
    return [row[0] for row in rows]


def next_due(connection: Connection) -> int | None:
    """When the next note is looked at, experienced time."""
    row = connection.execute(
        "SELECT min(due_check) FROM note WHERE due_check IS NOT NULL AND lifecycle <> 'forgotten'"
    ).fetchone()
    return row[0] if row else None


def of_note(connection: Connection, note: int) -> int | None:
    """When a note is looked at next, experienced time; None: when something happens to it."""
    row = connection.execute("SELECT due_check FROM note WHERE id = ?", (note,)).fetchone()
    return row[0] if row else None


def plan(connection: Connection, times: Iterable[tuple[int, int | None]]) -> None:
    """When each of these (note, time) is looked at next."""
    connection.executemany("UPDATE note SET due_check = ? WHERE id = ?", [(at, note) for note, at in times])


def demand(connection: Connection, notes: Iterable[int]) -> None:
    """Something happened to notes: they are looked at by the next sweep."""
    plan(connection, [(note, _AT_ONCE) for note in notes])
