"""The catalogue beside the minds: what is in closed files and when something in them falls due.

An index, never the truth: a missing or stale row is mended when the mind is opened.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from soulmem.core.calendar.clock_leaps import MOST_KEPT, Leap, WrongTime, stepped
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite import mind_files
from soulmem.store.sqlite.driver import Connection, DatabaseError


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
    pending_recalls: int
    quarantined: int
    unmet_requests: int
    due_at: int | None
    closed: int  # 1 when the file was closed in order and this row tells all about it
    updated_at: int

    def tells_as(self, other: Entry) -> bool:
        """Whether both tell the same of a mind, at whatever time."""
        return self == replace(other, updated_at=self.updated_at)

    def beside(self, count: int) -> Entry:
        """The same with so many steps more that are set aside and stand in no file of a mind."""
        return replace(self, quarantined=self.quarantined + count)


Rows = dict[str, list[tuple[Any, ...]]]  # of each table
_TABLES = ("catalog", "meta", "spending")
_LEAPS, _WRONG = "clock_leaps", "wrong_times"  # in `meta`
_COLUMNS = ", ".join(field.name for field in fields(Entry))


def sync(connection: Connection, names: Sequence[str]) -> None:
    """Drop rows whose file is gone, add rows for files nobody knows; those are opened once to learn about them."""
    known = {row[0] for row in connection.execute("SELECT mind FROM catalog")}
    connection.executemany("DELETE FROM catalog WHERE mind = ?", [(name,) for name in known - set(names)])
    connection.executemany(
        f"INSERT INTO catalog ({_COLUMNS}) VALUES (?, '', 'companion', 'working', 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0)",
        [(name,) for name in sorted(set(names) - known)],
    )


def keep(connection: Connection) -> Rows:
    """All that can still be read of a file that was harmed, each table by itself."""
    kept: Rows = {}
    for table in _TABLES:
        with suppress(DatabaseError):
            kept[table] = connection.execute(f"SELECT * FROM {table}").fetchall()
    return kept


def fill(connection: Connection, kept: Rows, names: Sequence[str]) -> None:
    """Put what was kept into a new file, and what minds there are."""
    for table, rows in kept.items():
        for row in rows:
            with suppress(DatabaseError):  # read from a file that was harmed: what is no row is none
                marks = ",".join("?" * len(row))
                connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)
    sync(connection, names)


def put(connection: Connection, entry: Entry) -> None:
    values = tuple(getattr(entry, field.name) for field in fields(Entry))
    connection.execute(f"INSERT OR REPLACE INTO catalog ({_COLUMNS}) VALUES ({','.join('?' * len(values))})", values)


def remove(connection: Connection, mind: str) -> None:
    connection.execute("DELETE FROM catalog WHERE mind = ?", (mind,))


def leave_no_bytes(connection: Connection) -> None:
    """Write the file anew without what was removed from it, and cut its log off: a title is nobody's business then.

    For a moment in which nobody reads.
    """
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    file = connection.execute("PRAGMA database_list").fetchone()[2]
    mind_files.flush(Path(f"{file}-wal"))


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


def wrong_times(connection: Connection) -> list[WrongTime]:
    """The stretches of time in which the clock is known to have been wrong, in the order in which that was learnt."""
    return [WrongTime(*each) for each in json.loads(fact(connection, _WRONG) or "[]")]


def step_clock(connection: Connection, before_ms: int, after_ms: int) -> WrongTime | None:
    """The clock went from one moment to the other at once: what was wrong before, if that took a leap back."""
    leaps = [Leap(*each) for each in json.loads(fact(connection, _LEAPS) or "[]")]
    wrong, left = stepped(leaps, before_ms, after_ms)
    if left != leaps:
        set_fact(connection, _LEAPS, json.dumps([(leap.before_ms, leap.after_ms) for leap in left]))
    if wrong is not None:
        known = [*wrong_times(connection), wrong][-MOST_KEPT:]
        set_fact(connection, _WRONG, json.dumps([(w.before_ms, w.after_ms, w.until_ms, w.now_ms) for w in known]))
    return wrong


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
