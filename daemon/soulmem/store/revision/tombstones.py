"""Tombstones: what was forgotten and until when it can be brought back.

Rows are written by `note_writes.forget` and `link_rows.forget`; this file lists and purges them. Purging is the only
act that removes a memory for good. `purge_at` is the earliest moment for it: the time to bring something back runs only
while somebody is there (`core.decay.pruning_policy`), so what falls due in a silence is put off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.decay.pruning_policy import present_ms
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import link_rows
from soulmem.store.notes import note_writes
from soulmem.store.revision import note_merging, purge_log
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, listed, public_id


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


def told(
    connection: Connection, ids: Sequence[int], shown: Sequence[dict[str, Any]], scope: Scope = WHOLE
) -> list[dict[str, Any]]:
    """Views of notes, in the order of their ids, with why and until when each that is forgotten is gone, and into which
    other note it went as far as this call may see that one.
    """
    stones, into = of_notes(connection, ids), note_merging.merged_into(connection, ids)
    seen = scope.may_surface(connection, into.values())
    return [
        view
        | {"reason": stone.reason, "forgotten_at": to_iso(stone.forgotten_at), "purge_at": to_iso(stone.purge_at)}
        | ({"merged_into": public_id("n", into[note])} if into.get(note) in seen else {})
        if (stone := stones.get(note)) is not None
        else view
        for note, view in zip(ids, shown, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Grace:
    """How long what was forgotten can be brought back, and how long after the last word somebody is there still."""

    lasts_ms: int
    absent_after_ms: int


def purge_due(connection: Connection, now: int, limit: int, grace: Grace | None = None) -> int:
    """Remove what was forgotten longer ago than allowed, with everything that hangs on it; how many.

    `grace`: put off what nobody was there to bring back for so long; without it the wall clock alone decides.
    """
    rows = connection.execute(
        "SELECT kind, item, forgotten_at FROM tombstone WHERE purge_at <= ? ORDER BY purge_at, kind, item LIMIT ?",
        (now, limit),
    ).fetchall()
    due = [row[:2] for row in rows] if grace is None else _not_put_off(connection, rows, now, grace)
    purge_log.record_due(connection, now, due)
    for kind, item in due:
        if kind == "link":
            link_rows.purge(connection, item)
        else:
            note_writes.purge(connection, item)
    return len(due)


def gone(connection: Connection) -> list[dict[str, Any]]:
    """What went for good, by what it was and why, with how many and when the first and the last of them went."""
    return [
        {
            "item": each.item, "kind": each.kind, "reason": each.reason, "count": each.count,
            "first_at": to_iso(each.first_at), "last_at": to_iso(each.last_at),
        }
        for each in purge_log.counts(connection)
    ]  # fmt: skip


def _not_put_off(connection: Connection, rows: Sequence[Row], now: int, grace: Grace) -> list[tuple[str, int]]:
    """Those of the tombstones whose time is over; the others fall due later."""
    talked = connection.execute("SELECT EXISTS (SELECT 1 FROM message) OR EXISTS (SELECT 1 FROM recall)").fetchone()[0]
    if not rows or not talked:  # a mind that nobody ever talks to is kept by the clock
        return [row[:2] for row in rows]
    activity = _activity(connection, min(row[2] for row in rows) - grace.absent_after_ms)
    left = {
        at: grace.lasts_ms - present_ms(activity, at, now, lasts_ms=grace.absent_after_ms)
        for at in {row[2] for row in rows}
    }
    connection.executemany(
        "UPDATE tombstone SET purge_at = ? WHERE kind = ? AND item = ?",
        [(now + max(left[at], DAY_MS), kind, item) for kind, item, at in rows if left[at] > 0],
    )
    return [(kind, item) for kind, item, at in rows if left[at] <= 0]


def _activity(connection: Connection, since: int) -> list[int]:
    """When something was said or asked, to the hour; wall time."""
    rows = connection.execute(
        "SELECT max(at) FROM (SELECT arrived_at AS at FROM message WHERE arrived_at >= ? "
        "UNION ALL SELECT at FROM recall WHERE at >= ?) GROUP BY at / 3600000",
        (since, since),
    )
    return [row[0] for row in rows]


def next_purge_at(connection: Connection) -> int | None:
    """When the next tombstone may go, wall time."""
    row = connection.execute("SELECT min(purge_at) FROM tombstone").fetchone()
    return row[0] if row else None
