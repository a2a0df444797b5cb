"""Note validity: what is so no more, since when, since when that is known, and what says so.

Owns `ending` and `claim`, and of `note` the columns `valid_from` and `reconciled_at`. Written by the step `reconcile`
and by whoever takes an ending back; read by views, recalls and by what weighs whether a note still matters (`over`).
Nothing is overwritten: a note that holds no more says what it said. Invariant: an ending is seen by those alone who may
see what says so, so that a conversation that was hidden from somebody ends nothing for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.core.facts.relations import Reading
from soulmem.core.facts.validity_intervals import CORRECT, Ending
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

_MOST_SUBJECTS = 300
_MOST_CLAIMS = 24  # notes of one subject and relation that are looked at, the latest


@dataclass(frozen=True, slots=True)
class NewEnding:
    """`note` holds no more, or what of it was `said`, for `by` says so; `valid_to` None: it never held.

    `by` is `told_in(heard)` where no note says so: it was told in the conversation `heard`; None: to all.
    """

    note: int
    by: int
    event: str
    valid_to: int | None
    relation: str = ""
    said: str = ""
    whole: bool = True
    heard: int | None = None


def end(connection: Connection, new: NewEnding, now: int) -> bool:
    """Let a note hold no more; False if that is known already."""
    heard = connection.execute("SELECT conversation FROM note WHERE id = ?", (new.by,)).fetchone()
    changed = connection.execute(
        "INSERT OR IGNORE INTO ending (note, by, relation, said, event, heard, valid_to, expired_at, whole) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new.note,
            new.by,
            new.relation,
            new.said,
            new.event,
            heard[0] if heard else new.heard,
            new.valid_to,
            now,
            new.whole,
        ),
    ).rowcount
    return changed > 0


def told_in(conversation: int | None) -> int:
    """What stands for the note that says so, where none does: each talk may say it, whatever another has said."""
    return -(conversation or 0)


def endings(connection: Connection, notes: Sequence[int], scope: Scope = WHOLE) -> dict[int, tuple[Ending, ...]]:
    """What is known of the end of these notes, for whoever may see what says so; those without one are left out."""
    if not notes:
        return {}
    seen, values = scope.notes("b")
    near, heard = _near(scope)
    rows = connection.execute(
        "SELECT e.note, e.by, e.event, e.valid_to, e.expired_at, e.relation, e.said, e.whole FROM ending e "
        f"LEFT JOIN note b ON b.id = e.by WHERE e.note {AMONG} AND e.by <> e.note "
        f"AND CASE WHEN b.id IS NULL THEN {near} ELSE {seen} END ORDER BY e.note, e.expired_at, e.by, e.relation",
        (listed(notes), *heard, *values),
    )
    found: dict[int, list[Ending]] = {}
    for note, by, event, valid_to, expired_at, relation, said, whole in rows:
        found.setdefault(note, []).append(Ending(max(by, 0), event, valid_to, expired_at, relation, said, bool(whole)))
    return {note: tuple(each) for note, each in found.items()}


def ending_others(connection: Connection, notes: Sequence[int], scope: Scope = WHOLE) -> frozenset[int]:
    """Those of these notes that say that another one holds no more, as far as whoever asks may see that one."""
    seen, values = scope.notes("b")
    rows = connection.execute(
        "SELECT DISTINCT e.by FROM ending e JOIN note b ON b.id = e.note "
        f"WHERE e.by {AMONG} AND e.note <> e.by AND {seen}",
        (listed(notes), *values),
    )
    return frozenset(row[0] for row in rows)


def tell_anew(connection: Connection, note: int, wrong: str, now: int) -> None:
    """A note tells what was said by mistake as it should have been: in its first source `wrong` does not count."""
    new = NewEnding(note, note, CORRECT, None, said=wrong, whole=False)
    end(connection, new, now)


def told_anew(connection: Connection, messages: Sequence[int]) -> dict[int, int]:
    """Those of these messages that said something by mistake, each with the living note that tells it anew."""
    rows = connection.execute(
        "SELECT s.message, s.note FROM note_source s JOIN note n ON n.id = s.note JOIN ending e ON e.note = s.note "
        f"WHERE s.message {AMONG} AND s.position = 0 AND e.by = e.note AND n.lifecycle <> 'forgotten' ORDER BY s.note",
        (listed(messages),),
    )
    return {row[0]: row[1] for row in rows}


def resting_on(connection: Connection, messages: Sequence[int]) -> dict[int, list[int]]:
    """The living notes that rest on these messages."""
    found: dict[int, list[int]] = {}
    for message, note in connection.execute(
        "SELECT DISTINCT s.message, s.note FROM note_source s JOIN note n ON n.id = s.note "
        f"WHERE s.message {AMONG} AND n.lifecycle <> 'forgotten' ORDER BY s.message, s.note",
        (listed(messages),),
    ):
        found.setdefault(message, []).append(note)
    return found


def held_at(alias: str, at: int, scope: Scope = WHOLE) -> tuple[str, tuple[int | str, ...]]:
    """A condition on notes, and its values: what they say held at a time, as far as this call may see.

    What is so of somebody held before it was told, unless somebody said since when; what happened had not happened yet.
    """
    seen, values = scope.notes("b")
    near, heard = _near(scope)
    began = (
        f"(({alias}.valid_from IS NULL AND {alias}.kind = 'semantic') OR coalesce({alias}.valid_from, {alias}.at) <= ?)"
    )
    ended = (
        "EXISTS (SELECT 1 FROM ending e LEFT JOIN note b ON b.id = e.by "
        f"WHERE e.note = {alias}.id AND e.by <> e.note AND e.whole = 1 "
        f"AND coalesce(e.valid_to, 0) <= ? AND CASE WHEN b.id IS NULL THEN {near} ELSE {seen} END)"
    )
    return f"{began} AND NOT {ended}", (at, at, *heard, *values)


def _near(scope: Scope) -> tuple[str, tuple[str, ...]]:
    """A condition on endings of which no note says so any more, and its values: they were heard where one may look."""
    if scope.audience is None:
        return "TRUE", ()
    return f"(e.heard IS NULL OR e.heard {AMONG})", (listed(sorted(scope.audience)),)


def beginnings(connection: Connection, notes: Sequence[int]) -> dict[int, int]:
    """Since when these notes hold, where somebody said so."""
    rows = connection.execute(
        f"SELECT id, valid_from FROM note WHERE id {AMONG} AND valid_from IS NOT NULL", (listed(notes),)
    )
    return {row[0]: row[1] for row in rows}


def begin(connection: Connection, note: int, valid_from: int) -> None:
    """Since when a note holds, unless that is known."""
    connection.execute("UPDATE note SET valid_from = ? WHERE id = ? AND valid_from IS NULL", (valid_from, note))


def over(connection: Connection, notes: Sequence[int], now: int) -> frozenset[int]:
    """Those of these notes that hold no more as a whole: they need not be kept as what is so."""
    rows = connection.execute(
        f"SELECT DISTINCT note FROM ending WHERE note {AMONG} AND whole = 1 AND (valid_to IS NULL OR valid_to <= ?)",
        (listed(notes), now),
    )
    return frozenset(row[0] for row in rows)


def take_back(connection: Connection, note: int) -> int:
    """Let a note hold again, whatever said that it does not; how many endings that undoes."""
    return connection.execute("DELETE FROM ending WHERE note = ?", (note,)).rowcount


def withdraw(connection: Connection, by: int) -> list[int]:
    """What a note ended holds again, because that note was taken back on purpose; those notes."""
    ended = [row[0] for row in connection.execute("SELECT DISTINCT note FROM ending WHERE by = ? ORDER BY note", (by,))]
    connection.execute("DELETE FROM ending WHERE by = ?", (by,))
    return ended


def claim(connection: Connection, note: int, readings: Iterable[Reading]) -> None:
    """Keep of whom and of what a note says something."""
    connection.execute("DELETE FROM claim WHERE note = ?", (note,))
    connection.executemany(
        "INSERT OR IGNORE INTO claim (subject, relation, note) VALUES (?, ?, ?)",
        [(each.subject, each.relation, note) for each in readings],
    )


def claiming(connection: Connection, subject: str, relations: Sequence[str], scope: Scope = WHOLE) -> list[int]:
    """The latest notes that say something of these relations of somebody."""
    clause, values = scope.notes("n")
    marks = ",".join("?" * len(relations))
    rows = connection.execute(
        "SELECT DISTINCT c.note FROM claim c JOIN note n ON n.id = c.note "
        f"WHERE c.subject = ? AND c.relation IN ({marks}) AND n.lifecycle <> 'forgotten' AND {clause} "
        "ORDER BY c.note DESC LIMIT ?",
        (subject, *relations, *values, _MOST_CLAIMS),
    )
    return [row[0] for row in rows]


def subjects(connection: Connection, relations: Sequence[str]) -> list[str]:
    """Of whom notes say something of these relations; a few hundred at most."""
    marks = ",".join("?" * len(relations))
    rows = connection.execute(
        f"SELECT DISTINCT subject FROM claim WHERE relation IN ({marks}) ORDER BY subject LIMIT ?",
        (*relations, _MOST_SUBJECTS),
    )
    return [row[0] for row in rows]


def reconciled(connection: Connection, note: int, now: int) -> None:
    connection.execute("UPDATE note SET reconciled_at = ? WHERE id = ?", (now, note))


def retold(connection: Connection, note: int) -> None:
    """Somebody made a note say something else: that holds now, and is compared anew; what it ended holds again."""
    take_back(connection, note)
    withdraw(connection, note)
    connection.execute("UPDATE note SET reconciled_at = NULL WHERE id = ?", (note,))
    connection.execute("DELETE FROM claim WHERE note = ?", (note,))


def unreconciled(connection: Connection, notes: Sequence[int]) -> list[int]:
    """Those of these living notes that are still to be compared."""
    rows = connection.execute(
        f"SELECT id FROM note WHERE id {AMONG} AND reconciled_at IS NULL AND lifecycle <> 'forgotten' ORDER BY id",
        (listed(notes),),
    )
    return [row[0] for row in rows]


def written_by_hand(connection: Connection, limit: int, scope: Scope) -> list[int]:
    """Living notes of a scope that clients wrote or changed and that nothing was compared with yet."""
    clause, within = scope.notes("n")
    rows = connection.execute(
        "SELECT id FROM note n WHERE reconciled_at IS NULL AND lifecycle <> 'forgotten' AND NOT EXISTS "
        "(SELECT 1 FROM job j WHERE j.conversation = n.conversation AND j.epoch = n.epoch AND j.step = 'reconcile' "
        f"AND j.state <> 'done') AND {clause} ORDER BY id LIMIT ?",
        (*within, limit),
    )
    return [row[0] for row in rows]


def told(connection: Connection, notes: Sequence[int]) -> dict[int, tuple[int, int]]:
    """When each of these notes was told: by its latest source, with the number of that message, or by hand after it."""
    rows = connection.execute(
        "SELECT n.id, (SELECT max(m.at) FROM note_source s JOIN message m ON m.id = s.message WHERE s.note = n.id), "
        "(SELECT max(s.message) FROM note_source s WHERE s.note = n.id), n.created_at, "
        "(SELECT max(v.replaced_at) FROM note_version v WHERE v.note = n.id AND v.reason IN ('updated', 'restored')) "
        f"FROM note n WHERE n.id {AMONG}",
        (listed(notes),),
    )
    return {
        note: (max(at if at is not None else created, by_hand or 0), message or 0)
        for note, at, message, created, by_hand in rows
    }
