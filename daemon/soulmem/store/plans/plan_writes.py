"""The life of a plan beside its note: it gets a time, is moved, settled, missed, and gives way.

Owns the writing of `plan_item` and `plan_cut`. Called by the plan service, each in a transaction of its caller's, and
by the step of digestion that finds what was missed. Invariants: what gives way to a plan holds again when that plan is
deleted; what was moved, settled or missed is told by the history of its note, and what gave way is not, for whoever
reads that need not know of what took its time.
"""

from __future__ import annotations

from soulmem.core.facts.relations import EVENT
from soulmem.core.facts.validity_intervals import INVALIDATE, SUPERSEDE
from soulmem.core.plans.plan_items import PlanLevel, PlanStatus
from soulmem.fast_dataclasses import dataclass
from soulmem.store.notes import note_validity, note_writes
from soulmem.store.notes.note_validity import NewEnding
from soulmem.store.plans import plan_rows
from soulmem.store.sqlite.driver import Connection


@dataclass(frozen=True, slots=True)
class Times:
    """When something is to be done, [start, end), by a clock that is so many minutes ahead of UTC."""

    level: PlanLevel
    start_ms: int
    end_ms: int
    offset_min: int = 0


def insert(connection: Connection, note: int, times: Times, parent: int | None, now: int) -> None:
    """Give a note that was just made a time: it is a plan. It holds from now on, and is compared with no other note."""
    connection.execute(
        "INSERT INTO plan_item (note, level, start_at, end_at, offset_min, parent, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            note, times.level, times.start_ms, times.end_ms, times.offset_min, parent,
            plan_rows.content_hash(times.level, times.start_ms, times.end_ms, times.offset_min, PlanStatus.PLANNED),
        ),
    )  # fmt: skip
    note_validity.begin(connection, note, now)
    note_validity.reconciled(connection, note, now)


def move(connection: Connection, note: int, times: Times, now: int) -> None:
    """Give a plan other times; nothing it was cut at counts any more."""
    connection.execute(
        "UPDATE plan_item SET level = ?, start_at = ?, end_at = ?, offset_min = ? WHERE note = ?",
        (times.level, times.start_ms, times.end_ms, times.offset_min, note),
    )
    connection.execute("DELETE FROM plan_cut WHERE plan = ?", (note,))
    _rehash(connection, note)
    note_writes.record(connection, now, "plan_moved", note, {})


def detach(connection: Connection, note: int) -> None:
    """A plan is a part of no other any more."""
    connection.execute("UPDATE plan_item SET parent = NULL WHERE note = ?", (note,))


def settle(connection: Connection, note: int, status: PlanStatus, now: int, heard: int | None) -> None:
    """Say what became of a plan; one that was dropped is called off for all who see it, one to be kept again holds."""
    connection.execute(
        "UPDATE plan_item SET status = ?, settled_at = ? WHERE note = ?",
        (status, None if status is PlanStatus.PLANNED else now, note),
    )
    _rehash(connection, note)
    if status is PlanStatus.DROPPED:
        give_way(connection, note, None, now, heard, event=INVALIDATE)
    else:
        connection.execute("DELETE FROM ending WHERE note = ? AND by <= 0", (note,))
    if status is PlanStatus.PLANNED:
        note_validity.take_back(connection, note)
        connection.execute("DELETE FROM plan_cut WHERE plan = ?", (note,))
    note_writes.record(connection, now, f"plan_{status.value}", note, {})


def give_way(
    connection: Connection, note: int, by: int | None, now: int, heard: int | None, *, event: str = SUPERSEDE
) -> None:
    """A plan is not to be kept any more. `heard`: in which conversation, where no plan takes its time."""
    new = NewEnding(note, by or note_validity.told_in(heard), event, now, relation=EVENT, heard=heard)
    note_validity.end(connection, new, now)


def cut(connection: Connection, note: int, by: int | None, at: int, heard: int | None) -> None:
    """A plan is kept until then only."""
    connection.execute(
        "INSERT INTO plan_cut (plan, by, heard, cut_at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (plan, by) DO UPDATE SET cut_at = min(cut_at, excluded.cut_at)",
        (note, by or note_validity.told_in(heard), heard, at),
    )


def miss(connection: Connection, now: int) -> list[int]:
    """What was to be kept and whose time is over was missed; which these are. Nothing is missed twice."""
    rows = connection.execute(
        "UPDATE plan_item SET status = 'missed', settled_at = ? WHERE status = 'planned' AND end_at <= ? "
        "RETURNING note",
        (now, now),
    ).fetchall()
    missed = sorted(row[0] for row in rows)
    for note in missed:
        _rehash(connection, note)
        note_writes.record(connection, now, "plan_missed", note, {})
    return missed


def _rehash(connection: Connection, note: int) -> None:
    row = connection.execute(
        "SELECT level, start_at, end_at, offset_min, status FROM plan_item WHERE note = ?", (note,)
    ).fetchone()
    connection.execute("UPDATE plan_item SET hash = ? WHERE note = ?", (plan_rows.content_hash(*row), note))
