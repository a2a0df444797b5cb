"""Purge log: what went for good, by kind and when, and nothing of what it said.

Owns `purged`. Rows are written in the transaction that removes a message, a note or a link: by `erasure` when somebody
asked for it, by `tombstones` when the time in which it could be brought back is over. Nothing points to a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed


class Why(StrEnum):
    """Why something went for good."""

    CLIENT = "client"  # somebody asked for it
    SOURCE = "source"  # what it was made of was deleted
    FORGOTTEN = "forgotten"  # it was forgotten, and the time to bring it back is over


@dataclass(frozen=True, slots=True)
class Purged:
    """So many of a kind went for this reason, the first and the last of them then; wall time.

    `item` is message, note or link; `kind` the role of a message, the kind of a note or of a link.
    """

    item: str
    kind: str
    reason: str
    count: int
    first_at: int
    last_at: int


def record(connection: Connection, item: str, kinds: Iterable[str], why: Why, now: int) -> None:
    """Enter what goes now."""
    connection.executemany(
        "INSERT INTO purged (item, kind, reason, at, count) VALUES (?, ?, ?, ?, ?)",
        [(item, kind, why.value, now, count) for kind, count in sorted(Counter(kinds).items())],
    )


def record_due(connection: Connection, now: int, due: Sequence[tuple[str, int]]) -> None:
    """Enter what goes because nobody brought it back; `due`: (note or link, its number)."""
    for item in ("note", "link"):
        ids = [number for kind, number in due if kind == item]
        rows = connection.execute(f"SELECT kind FROM {item} WHERE id {AMONG}", (listed(ids),)).fetchall()
        record(connection, item, (row[0] for row in rows), Why.FORGOTTEN, now)


def counts(connection: Connection, since: int = 0) -> list[Purged]:
    """What went since then (UTC milliseconds), by what it was and why."""
    rows = connection.execute(
        "SELECT item, kind, reason, sum(count), min(at), max(at) FROM purged WHERE at >= ? "
        "GROUP BY item, kind, reason ORDER BY item, kind, reason",
        (since,),
    ).fetchall()
    return [Purged(*row) for row in rows]
