"""The catalogue beside the minds: what is in closed files and when something in them falls due.

An index, never the truth: a missing or stale row is mended when the mind is opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from soulmem.store.driver import Connection


@dataclass(frozen=True, slots=True)
class Entry:
    mind: str
    title: str
    profile: str
    state: str
    messages: int
    notes: int
    links: int
    pending_jobs: int
    embed_backlog: int
    due_at: int | None
    updated_at: int


_COLUMNS = ", ".join(field.name for field in fields(Entry))


def sync(connection: Connection, names: Sequence[str]) -> None:
    """Drop rows whose file is gone, add rows for files nobody knows; those count as working until opened."""
    known = {row[0] for row in connection.execute("SELECT mind FROM catalog")}
    connection.executemany("DELETE FROM catalog WHERE mind = ?", [(name,) for name in known - set(names)])
    connection.executemany(
        f"INSERT INTO catalog ({_COLUMNS}) VALUES (?, '', 'companion', 'working', 0, 0, 0, 0, 0, NULL, 0)",
        [(name,) for name in sorted(set(names) - known)],
    )


def put(connection: Connection, entry: Entry) -> None:
    values = tuple(getattr(entry, field.name) for field in fields(Entry))
    connection.execute(
        f"INSERT OR REPLACE INTO catalog ({_COLUMNS}) VALUES ({','.join('?' * len(values))})", values
    )


def remove(connection: Connection, mind: str) -> None:
    connection.execute("DELETE FROM catalog WHERE mind = ?", (mind,))


def entries(connection: Connection) -> list[Entry]:
    return [Entry(*row) for row in connection.execute(f"SELECT {_COLUMNS} FROM catalog ORDER BY mind")]


def fact(connection: Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def set_fact(connection: Connection, key: str, value: str) -> None:
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )
