"""Reflection tally: how much was noted since a mind last reflected, and what it is to think over or to leave alone.

Owns `reflecting`, `rethink` and `unreflected`. Read and written by the step `reflect`; `reflection_withdrawal` adds to
the latter two. Invariant: a note counts once, in the home that it was heard in, and what is concluded counts nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.core.reflection.reflection_plan import Tally
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

WHOLE_MIND = 0
_COUNTS = "n.lifecycle <> 'forgotten' AND n.kind NOT IN ('reflection', 'plan', 'lore', 'trigger')"


def tally(connection: Connection, home: int, *, apart: bool) -> Tally:
    """What was noted in a home since it was last thought about; `apart`: each conversation is a home of its own."""
    row = connection.execute(
        "SELECT carried, counted, runs, ran_at FROM reflecting WHERE home = ?", (home,)
    ).fetchone() or (0.0, _begun(connection), 0, None)
    within = "coalesce(n.conversation, 0) = ?" if apart else "? = 0"
    noted, weight, last = connection.execute(
        "SELECT count(*), coalesce(sum(n.importance), 0), max(n.id) FROM note n "
        f"WHERE n.id > ? AND {_COUNTS} AND {within}",
        (row[1], home),
    ).fetchone()
    carried, counted, runs, ran_at = row
    return Tally(carried, counted, runs, ran_at, noted, round(weight, 6), last or counted)


def _begun(connection: Connection) -> int:
    """The last note that was there before any home of its own was counted."""
    row = connection.execute("SELECT counted FROM reflecting WHERE home = 0").fetchone()
    return int(row[0]) if row else 0


def settle(connection: Connection, home: int, after: Tally) -> None:
    """Keep what is left after a run."""
    connection.execute(
        "INSERT INTO reflecting (home, carried, counted, runs, ran_at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (home) DO UPDATE SET carried = excluded.carried, counted = excluded.counted, "
        "runs = excluded.runs, ran_at = excluded.ran_at",
        (home, after.carried, after.counted, after.runs, after.ran_at),
    )


def homes_noted(connection: Connection) -> list[int]:
    """The conversations in which anything was noted since they were last counted, 0 for what is common."""
    rows = connection.execute(
        "SELECT DISTINCT coalesce(n.conversation, 0) FROM note n LEFT JOIN reflecting r "
        "ON r.home = coalesce(n.conversation, 0) WHERE n.id > coalesce(r.counted, "
        f"(SELECT counted FROM reflecting WHERE home = 0), 0) AND {_COUNTS} ORDER BY 1"
    )
    return [row[0] for row in rows]


def to_rethink(connection: Connection) -> dict[int, int]:
    """The notes that are to be thought over again, with the conversation that each was heard in; 0 for common ones."""
    rows = connection.execute(
        "SELECT n.id, coalesce(n.conversation, 0) FROM rethink t JOIN note n ON n.id = t.note "
        "WHERE n.lifecycle <> 'forgotten' ORDER BY n.id"
    )
    return dict(rows.fetchall())


def rethink(connection: Connection, notes: Iterable[int]) -> None:
    """Let these notes be thought over again."""
    connection.executemany("INSERT OR IGNORE INTO rethink (note) VALUES (?)", [(note,) for note in notes])


def thought_over(connection: Connection, notes: Iterable[int]) -> None:
    connection.execute(f"DELETE FROM rethink WHERE note {AMONG}", (listed(notes),))


def drop_forgotten(connection: Connection) -> None:
    """What was forgotten meanwhile is not thought over."""
    connection.execute("DELETE FROM rethink WHERE note IN (SELECT id FROM note WHERE lifecycle = 'forgotten')")


def leave_alone(connection: Connection, notes: Iterable[int]) -> None:
    """Let nothing be concluded from these notes again."""
    connection.executemany("INSERT OR IGNORE INTO unreflected (note) VALUES (?)", [(note,) for note in notes])


def left_alone(connection: Connection, notes: Iterable[int]) -> frozenset[int]:
    rows = connection.execute(f"SELECT note FROM unreflected WHERE note {AMONG}", (listed(notes),))
    return frozenset(row[0] for row in rows)
