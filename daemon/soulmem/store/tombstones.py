"""Tombstones: what was forgotten and until when it can be brought back.

Rows are written by `note_life.forget` and `links.forget`; this file lists and purges them. Purging is the only act that
removes a memory for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soulmem.core.instants import to_iso
from soulmem.records import dataclass
from soulmem.store import links, note_life
from soulmem.store.driver import Connection
from soulmem.store.rows import AMONG, listed


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Why and when something was forgotten, and when it goes for good; wall time."""

    reason: str
    forgotten_at: int
    purge_at: int


def of_notes(connection: Connection, ids: Sequence[int]) -> dict[int, Tombstone]:
    """The tombstones of those of the notes that have one."""
    rows = connection.execute(
        f"SELECT item, reason, forgotten_at, purge_at FROM tombstone WHERE kind = 'note' AND item {AMONG}",
        (listed(ids),),
    )
    return {row[0]: Tombstone(*row[1:]) for row in rows}


def told(connection: Connection, ids: Sequence[int], shown: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Views of notes, in the order of their ids, with why and until when each that is forgotten is gone."""
    stones = of_notes(connection, ids)
    return [
        view | {"reason": stone.reason, "forgotten_at": to_iso(stone.forgotten_at), "purge_at": to_iso(stone.purge_at)}
        if (stone := stones.get(note)) is not None
        else view
        for note, view in zip(ids, shown, strict=True)
    ]


def purge_due(connection: Connection, now: int, limit: int) -> int:
    """Remove what was forgotten longer ago than allowed, with everything that hangs on it; how many."""
    due = connection.execute(
        "SELECT kind, item FROM tombstone WHERE purge_at <= ? ORDER BY purge_at, kind, item LIMIT ?", (now, limit)
    ).fetchall()
    for kind, item in due:
        if kind == "link":
            links.purge(connection, item)
        else:
            note_life.purge(connection, item)
    return len(due)


def next_purge_at(connection: Connection) -> int | None:
    """When the next tombstone may go, wall time."""
    row = connection.execute("SELECT min(purge_at) FROM tombstone").fetchone()
    return row[0] if row else None
