"""Plan rows: the times of plans, as they are stored and read.

Owns what a row of `plan_item` and of `plan_cut` means; what a plan says is its note's. Read within a scope: a plan is
seen by whoever may see its note, and that it gave way by whoever may see what took its time, so that a talk that is
hidden from somebody moves none of the plans he knows. Nothing is written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from soulmem.core.facts.validity_intervals import first_end
from soulmem.core.plans.plan_items import PlanLevel, PlanStatus, Slot, Standing, finer, status_of
from soulmem.core.schema.blind_ids import Sentence
from soulmem.core.search.relevance_scoring import speaker_key
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, listed, public_id, row_hash

_COLUMNS = "p.note, p.level, p.start_at, p.end_at, p.offset_min, p.parent, p.status, n.speaker, n.conversation"
_LIVING = "plan_item p JOIN note n ON n.id = p.note AND n.lifecycle <> 'forgotten'"
_AT_ONCE = 200  # rows that are looked at together


@dataclass(frozen=True, slots=True)
class PlanItem:
    """A plan as one may see it. `end_ms`: until when it is kept; `told_end_ms`: until when it was to be."""

    note: int
    level: PlanLevel
    start_ms: int
    told_end_ms: int
    offset_min: int
    parent: int | None
    stored: PlanStatus
    whose: str
    conversation: int | None
    end_ms: int = 0
    is_over: bool = False
    by: int | None = None  # what took its time, or a part of it

    def status(self, now: int) -> PlanStatus:
        return status_of(self.stored, self.start_ms, self.end_ms, now, is_over=self.is_over)

    @property
    def slot(self) -> Slot:
        return Slot(self.level, self.start_ms, self.end_ms, speaker_key(self.whose) if self.whose else "")


@dataclass(frozen=True, slots=True)
class Asked:
    """Which plans are listed: those that meet [from, to), of a level, with one of these statuses, of a person, parts of
    a plan; `after`: the last of the page before."""

    from_ms: int | None = None
    to_ms: int | None = None
    level: PlanLevel | None = None
    statuses: frozenset[PlanStatus] | None = None
    whose: str | None = None
    parent: int | None = None
    after: int | None = None
    limit: int = 100


def content_hash(level: str, start: int, end: int, offset_min: int, status: str) -> bytes:
    return row_hash(str(level), start, end, offset_min, str(status))


def get(connection: Connection, note: int, scope: Scope = WHOLE) -> PlanItem:
    """One plan. Raises SoulmemError: `not_found` for what is not there or forgotten, `invalid_params` for another note.

    What lies out of scope is not there.
    """
    found = get_many(connection, [note], scope)
    if note not in found:
        check(connection, note, scope)
        shown = public_id("n", note)
        raise SoulmemError(ErrorName.NOT_FOUND, Sentence(shown, " is forgotten"), hint="note.restore brings it back")
    return found[note]


def check(connection: Connection, note: int, scope: Scope = WHOLE) -> None:
    """Refuse what is no plan, forgotten or not. Raises SoulmemError: as `get`."""
    note_rows.get(connection, note, scope)
    if not is_plan(connection, note):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS, Sentence(public_id("n", note), " is no plan: no time was ever given to it"),
            hint="plan.list names the plans; what is written with note.add is a note",
        )  # fmt: skip


def is_plan(connection: Connection, note: int) -> bool:
    return connection.execute("SELECT 1 FROM plan_item WHERE note = ?", (note,)).fetchone() is not None


def get_many(connection: Connection, notes: Sequence[int], scope: Scope = WHOLE) -> dict[int, PlanItem]:
    """Those of these notes that are plans and not forgotten."""
    clause, values = scope.notes("n")
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {_LIVING} WHERE p.note {AMONG} AND {clause}", (listed(notes), *values)
    ).fetchall()
    return {each.note: each for each in _items(connection, rows, scope)}


def page(connection: Connection, asked: Asked, now: int, scope: Scope = WHOLE) -> list[PlanItem]:
    """The plans that are asked for, by their beginning, and one more to tell that there are others.

    Raises SoulmemError: `invalid_params` for a cursor whose plan is gone.
    """
    return list(islice(_listed(connection, asked, now, scope), asked.limit + 1))


def _listed(connection: Connection, asked: Asked, now: int, scope: Scope) -> Iterator[PlanItem]:
    clause, within = scope.notes("n")
    clauses, values = [clause], [*within]
    begin = (-(1 << 62), 0)
    if asked.after is not None:
        found = connection.execute(
            f"SELECT p.start_at, p.note FROM {_LIVING} WHERE p.note = ? AND {clause}", (asked.after, *within)
        ).fetchone()
        if found is None:
            raise SoulmemError(
                ErrorName.INVALID_PARAMS, "cursor: the plan it names is gone", hint="begin the list anew, or pass from"
            )
        begin = found
    for condition, value in (
        ("p.end_at > ?", asked.from_ms), ("p.start_at < ?", asked.to_ms),
        ("p.level = ?", asked.level), ("p.parent = ?", asked.parent),
    ):  # fmt: skip
        if value is not None:
            clauses.append(condition)
            values.append(value)  # type: ignore[arg-type]  # numbers and words alike
    who = speaker_key(asked.whose) if asked.whose else asked.whose
    while True:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM {_LIVING} WHERE (p.start_at, p.note) > (?, ?) AND {' AND '.join(clauses)} "
            "ORDER BY p.start_at, p.note LIMIT ?",
            (*begin, *values, _AT_ONCE),
        ).fetchall()
        for each in _items(connection, rows, scope):
            if asked.statuses is not None and each.status(now) not in asked.statuses:
                continue
            if who is None or each.slot.whose == who:
                yield each
        if len(rows) < _AT_ONCE:
            return
        begin = rows[-1][2], rows[-1][0]


def standing(
    connection: Connection, levels: Sequence[PlanLevel], from_ms: int, to_ms: int | None, scope: Scope = WHOLE
) -> list[Standing]:
    """What is still to be kept on these levels in a time, in the order of time."""
    clause, values = scope.notes("n")
    until = (1 << 62) if to_ms is None else to_ms
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {_LIVING} WHERE p.status = 'planned' AND p.level {AMONG} AND p.end_at > ? "
        f"AND p.start_at < ? AND {clause} ORDER BY p.start_at, p.note",
        (json.dumps(list(levels)), from_ms, until, *values),
    ).fetchall()
    kept = (each for each in _items(connection, rows, scope) if not each.is_over and each.end_ms > from_ms)
    return [Standing(each.note, each.slot, each.parent) for each in kept]


def parts_of(connection: Connection, plans: Sequence[int], scope: Scope = WHOLE) -> list[Standing]:
    """The parts of these plans that are still to be kept, of every depth, a whole before its parts."""
    clause, values = scope.notes("n")
    found: list[Standing] = []
    wholes = list(plans)
    for _ in finer(PlanLevel.DAY)[1:]:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM {_LIVING} WHERE p.status = 'planned' AND p.parent {AMONG} AND {clause} "
            "ORDER BY p.start_at, p.note",
            (listed(wholes), *values),
        ).fetchall()
        items = [each for each in _items(connection, rows, scope) if not each.is_over]
        found += [Standing(each.note, each.slot, each.parent) for each in items]
        wholes = [each.note for each in items]
    return found


def current(connection: Connection, now: int, until: int, limit: int, scope: Scope = WHOLE) -> list[PlanItem]:
    """What is to be kept now and next, before a time, by its beginning: a few rows, however many plans there are."""
    clause, values = scope.notes("n")
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {_LIVING} WHERE p.status = 'planned' AND p.end_at > ? AND p.start_at < ? "
        f"AND {clause} ORDER BY p.start_at, p.note LIMIT ?",
        (now, until, *values, _AT_ONCE),
    ).fetchall()
    return [each for each in _items(connection, rows, scope) if not each.is_over and each.end_ms > now][:limit]


def during(connection: Connection, from_ms: int, to_ms: int, limit: int, scope: Scope = WHOLE) -> list[PlanItem]:
    """The plans of a time, whatever became of them, by their beginning: the first of many."""
    clause, values = scope.notes("n")
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {_LIVING} WHERE p.end_at > ? AND p.start_at < ? AND {clause} "
        "ORDER BY p.start_at, p.note LIMIT ?",
        (from_ms, to_ms, *values, _AT_ONCE),
    ).fetchall()
    return [each for each in _items(connection, rows, scope) if each.end_ms > from_ms][:limit]


def past_due(connection: Connection, now: int) -> bool:
    """Whether the time of anything that is still to be kept is over."""
    return bool(
        connection.execute(
            "SELECT EXISTS (SELECT 1 FROM plan_item WHERE status = 'planned' AND end_at <= ?)", (now,)
        ).fetchone()[0]
    )


def _items(connection: Connection, rows: Sequence[Row], scope: Scope) -> list[PlanItem]:
    """Rows as plans, with what of their end may be seen."""
    if not rows:
        return []
    ids = [row[0] for row in rows]
    ended = note_validity.endings(connection, ids, scope)
    cut = _cuts(connection, ids, scope)
    found = []
    for row in rows:
        values = [row[0], PlanLevel(row[1]), *row[2:6], PlanStatus(row[6]), *row[7:], row[3]]
        item = PlanItem(*values)
        over = first_end(ended.get(item.note, ()))
        if over is not None:
            item = replace(item, is_over=True, by=over.by or None)
        elif item.note in cut:
            by, at = cut[item.note]
            item = replace(item, end_ms=min(at, item.end_ms), by=by or None)
        found.append(item)
    return found


def _cuts(connection: Connection, plans: Sequence[int], scope: Scope) -> dict[int, tuple[int, int]]:
    """Which of these plans are not kept to their end: what takes the rest of their time, and from when on."""
    seen, values = scope.notes("b")
    near, heard = "TRUE", tuple[str, ...]()
    if scope.audience is not None:
        near, heard = f"(c.heard IS NULL OR c.heard {AMONG})", (listed(sorted(scope.audience)),)
    rows = connection.execute(
        "SELECT c.plan, c.by, c.cut_at FROM plan_cut c LEFT JOIN note b ON b.id = c.by "
        f"WHERE c.plan {AMONG} AND CASE WHEN c.by <= 0 THEN {near} ELSE b.id IS NOT NULL AND {seen} END "
        "ORDER BY c.cut_at DESC, c.by DESC",
        (listed(plans), *heard, *values),
    )
    return {plan: (max(by, 0), at) for plan, by, at in rows}
