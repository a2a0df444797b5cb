"""Replay queue: the notes that a sleeping mind is still to go over, when each was gone over last, and when it is time.

Owns `replay_due`, `replayed` and `replay_link`; a note comes into the queue where it is made or made to say something
else, in that transaction. Read by `idle/replay`, a few at a time. Invariant: what is gone over is out of the queue in
the transaction that keeps what came of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.core.schema.note_requests import NoteKind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

KINDS = frozenset({NoteKind.EPISODIC, NoteKind.SEMANTIC, NoteKind.PROCEDURAL, NoteKind.ABSTRACT})
_WAITING = "FROM replay_due d JOIN note n ON n.id = d.note WHERE n.lifecycle = 'consolidated'"


def demand(connection: Connection, note: int, kind: NoteKind, epoch: int | None) -> None:
    """A note that was made of talk is to be gone over: it is new, says something else or is there again.

    What a client wrote by hand waits for nothing: it fades as the client is told that it will.
    """
    if kind in KINDS and epoch is not None:
        connection.execute("INSERT OR IGNORE INTO replay_due (note) VALUES (?)", (note,))


def waits(connection: Connection) -> bool:
    """Whether any note waits; those of a talk that is not digested yet, and those that are forgotten, do not."""
    return connection.execute(f"SELECT 1 {_WAITING} LIMIT 1").fetchone() is not None


def latest(connection: Connection, limit: int) -> list[int]:
    """Notes that wait, the latest first."""
    rows = connection.execute(f"SELECT d.note {_WAITING} ORDER BY d.note DESC LIMIT ?", (limit,))
    return [row[0] for row in rows]


def last_at(connection: Connection) -> int | None:
    """When anything was gone over last, wall milliseconds."""
    row = connection.execute("SELECT max(at) FROM replayed").fetchone()
    return row[0] if row else None


def replayed_at(connection: Connection, notes: Sequence[int]) -> dict[int, tuple[int, int]]:
    """When each of these notes was gone over last, and how often it was."""
    rows = connection.execute(f"SELECT note, at, times FROM replayed WHERE note {AMONG}", (listed(notes),))
    return {row[0]: (row[1], row[2]) for row in rows}


def gone_over(connection: Connection, notes: Iterable[int], now: int) -> None:
    """These notes were gone over."""
    numbers = sorted(notes)
    leave_out(connection, numbers)
    connection.executemany(
        "INSERT INTO replayed (note, at, times) VALUES (?, ?, 1) "
        "ON CONFLICT (note) DO UPDATE SET at = excluded.at, times = times + 1",
        [(note, now) for note in numbers],
    )


def leave_out(connection: Connection, notes: Sequence[int]) -> None:
    """These notes wait no more, for nothing can be done with them: they hold no more, or are of a kind that rests."""
    connection.execute(f"DELETE FROM replay_due WHERE note {AMONG}", (listed(notes),))


def tied(connection: Connection, link: int, now: int) -> None:
    """A link was made by it."""
    connection.execute("INSERT OR IGNORE INTO replay_link (link, made_at) VALUES (?, ?)", (link, now))
