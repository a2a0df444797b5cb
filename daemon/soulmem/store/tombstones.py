"""Tombstones: what was forgotten and until when it can be brought back.

Rows are written by `notes.forget` and `links.forget`; this file lists and purges them. Purging is the only act that
removes a memory for good.
"""

from __future__ import annotations

from soulmem.store import links, notes
from soulmem.store.driver import Connection


def purge_due(connection: Connection, now: int, limit: int) -> int:
    """Remove what was forgotten longer ago than allowed, with everything that hangs on it; how many."""
    due = connection.execute(
        "SELECT kind, item FROM tombstone WHERE purge_at <= ? ORDER BY purge_at, kind, item LIMIT ?", (now, limit)
    ).fetchall()
    for kind, item in due:
        if kind == "link":
            links.purge(connection, item)
        else:
            notes.purge(connection, item)
    return len(due)


def next_purge_at(connection: Connection) -> int | None:
    """When the next tombstone may go, wall time."""
    row = connection.execute("SELECT min(purge_at) FROM tombstone").fetchone()
    return row[0] if row else None
