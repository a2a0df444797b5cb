"""The catalogue beside the minds: what is in closed files and when something in them falls due.

An index, never the truth: a missing or stale row is mended when the mind is opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from soulmem.records import dataclass
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
    quarantined: int
    due_at: int | None
    closed: int  # 1 when the file was closed in order and this row tells all about it
    updated_at: int


_COLUMNS = ", ".join(field.name for field in fields(Entry))


def sync(connection: Connection, names: Sequence[str]) -> None:
    """Drop rows whose file is gone, add rows for files nobody knows; those are opened once to learn about them."""
    known = {row[0] for row in connection.execute("SELECT mind FROM catalog")}
    connection.executemany("DELETE FROM catalog WHERE mind = ?", [(name,) for name in known - set(names)])
    connection.executemany(
        f"INSERT INTO catalog ({_COLUMNS}) VALUES (?, '', 'companion', 'working', 0, 0, 0, 0, 0, 0, NULL, 0, 0)",
        [(name,) for name in sorted(set(names) - known)],
    )


def put(connection: Connection, entry: Entry) -> None:
    values = tuple(getattr(entry, field.name) for field in fields(Entry))
    connection.execute(f"INSERT OR REPLACE INTO catalog ({_COLUMNS}) VALUES ({','.join('?' * len(values))})", values)


def remove(connection: Connection, mind: str) -> None:
    connection.execute("DELETE FROM catalog WHERE mind = ?", (mind,))


def entries(connection: Connection) -> list[Entry]:
    return [Entry(*row) for row in connection.execute(f"SELECT {_COLUMNS} FROM catalog ORDER BY mind")]


def unfinished(connection: Connection) -> list[str]:
    """Minds that have something to do, or whose row may be out of date because nobody closed their file."""
    rows = connection.execute(
        "SELECT mind FROM catalog WHERE closed = 0 OR state = 'working' OR pending_jobs > 0 OR embed_backlog > 0 "
        "ORDER BY mind"
    )
    return [row[0] for row in rows]


def fact(connection: Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def set_fact(connection: Connection, key: str, value: str) -> None:
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


@dataclass(frozen=True, slots=True)
class Spending:
    """What a mind spent on language models on a UTC day (days since 1970)."""

    mind: str
    day: int
    tokens: int
    cost: float


def put_spending(connection: Connection, rows: Sequence[Spending]) -> None:
    """Note what was spent; a day's figure only ever grows, whoever tells it late."""
    connection.executemany(
        "INSERT INTO spending (mind, day, tokens, cost) VALUES (?, ?, ?, ?) ON CONFLICT (mind, day) DO UPDATE SET "
        "tokens = max(tokens, excluded.tokens), cost = max(cost, excluded.cost)",
        [(row.mind, row.day, row.tokens, row.cost) for row in rows],
    )


def spending(connection: Connection, day: int) -> list[Spending]:
    """What each mind spent on a day, deleted minds included: the money is gone all the same."""
    rows = connection.execute("SELECT mind, day, tokens, cost FROM spending WHERE day = ? ORDER BY mind", (day,))
    return [Spending(*row) for row in rows]


def forget_spending(connection: Connection, before_day: int) -> None:
    connection.execute("DELETE FROM spending WHERE day < ?", (before_day,))
