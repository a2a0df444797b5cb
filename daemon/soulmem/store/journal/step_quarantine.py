"""Quarantine: a step over which the daemon died twice is set aside, so that it takes the daemon along no third time.

Whatever ran when a process ended without a word (a crash, the watchdog, a lack of memory, kill -9) still stands as
running when its file is opened again. A step that ends in order, is called off or fails never does. What is set aside
is kept with all it would have read; the rest of the mind goes on without it, until somebody lets it be tried again.
Owns `deaths` and `quarantined_at` of `job` and `summary_job`.
"""

from __future__ import annotations

from collections.abc import Collection

from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

MOST_DEATHS = 2
WHY = f"the daemon died {MOST_DEATHS} times while it was under way; `soulmem jobs --retry` lets it be tried again"
_TABLES = (("job", "j", "step"), ("summary_job", "js", "'roll'"))


@dataclass(frozen=True, slots=True)
class SetAside:
    """A step that is tried no more: its public id, and its name."""

    id: str
    step: str


def take_stock(connection: Connection, now: int) -> list[SetAside]:
    """At open, before what ran is to be run again: count the deaths, and set aside what had its share of them."""
    aside: list[SetAside] = []
    for table, letter, step in _TABLES:
        connection.execute(f"UPDATE {table} SET deaths = deaths + 1 WHERE state = 'running'")
        rows = connection.execute(
            f"UPDATE {table} SET state = 'failed', quarantined_at = ?, error = ? "
            f"WHERE state = 'running' AND deaths >= ? RETURNING id, {step}",
            (now, WHY, MOST_DEATHS),
        ).fetchall()
        aside += [SetAside(public_id(letter, number), name) for number, name in rows]
    return aside


def count(connection: Connection) -> int:
    """How many steps are set aside."""
    return sum(
        int(connection.execute(f"SELECT count(*) FROM {table} WHERE quarantined_at IS NOT NULL").fetchone()[0])
        for table, _, _ in _TABLES
    )


def steps(connection: Connection) -> frozenset[str]:
    """The names of the steps of digestion of which one is set aside."""
    return frozenset(row[0] for row in connection.execute("SELECT step FROM job WHERE quarantined_at IS NOT NULL"))


def release(connection: Connection, ids: Collection[str] | None) -> list[str]:
    """Let steps be tried again as if nobody had died; their ids. None: all that are set aside."""
    released: list[str] = []
    for table, letter, _ in _TABLES:
        rows = connection.execute(f"SELECT id FROM {table} WHERE quarantined_at IS NOT NULL ORDER BY id").fetchall()
        named = [row[0] for row in rows if ids is None or public_id(letter, row[0]) in ids]
        connection.executemany(
            f"UPDATE {table} SET state = 'pending', quarantined_at = NULL, deaths = 0, error = NULL WHERE id = ?",
            [(number,) for number in named],
        )
        released += [public_id(letter, number) for number in named]
    return released
