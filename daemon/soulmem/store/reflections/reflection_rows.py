"""Reflection rows: what a mind concluded, the notes it rests on, and whether it still stands.

Owns `reflection`, `evidence` and `reflection_home`; the text of a reflection is a note of kind `reflection`. Written by
the step `reflect`. Triggers of the file mark what rests on a note that is told otherwise, forgotten, ended or gone, in
the transaction that does it. Invariants: a reflection rests on notes that there are; each as it was told then, or the
reflection is marked; it lies one deeper than the deepest of them; it was heard wherever any of them was heard.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.decay.traces import Trace
from soulmem.core.details.elements import born
from soulmem.core.importance.retention_periods import Keeping
from soulmem.core.linking import hebbian_linking
from soulmem.core.schema.note_requests import ElementDraft, LinkKind, LinkOrigin, NoteKind
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state import audience
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.notes import element_rows, note_rows, note_validity, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.sqlite.driver import Connection, snapshot
from soulmem.store.sqlite.row_hash import AMONG, listed, public_id
from soulmem.store.views.rendered_notes import RenderedNote, faces

STANDS, FADED, SHAKEN = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Reflection:
    """`stale`: whether it stands, or what became of what it rests on. `evidence`: note -> its version then."""

    note: int
    depth: int
    stale: int
    engine: str
    topic: str
    question: str
    home: int
    made_at: int
    evidence: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class NewReflection:
    """What is concluded. `evidence`: the notes it rests on, each with the version that was read."""

    text: str
    at: int
    evidence: Mapping[int, int]
    depth: int
    engine: str
    details: tuple[ElementDraft, ...]
    topic: str = ""
    question: str = ""
    home: int = 0
    importance: float = 0.5
    valence: float = 0.0
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is written: wall time, experienced time, and the strength below which links are forgotten."""

    now: int
    now_exp: int
    delete_below: float


def of_notes(connection: Connection, ids: Sequence[int]) -> dict[int, Reflection]:
    """Those of these notes that are reflections of the mind itself."""
    found: dict[int, dict[int, int]] = {}
    for note, on, version in connection.execute(
        f"SELECT reflection, note, version FROM evidence WHERE reflection {AMONG} ORDER BY reflection, note",
        (listed(ids),),
    ):
        found.setdefault(note, {})[on] = version
    rows = connection.execute(
        "SELECT note, depth, stale, engine, topic, question, home, made_at FROM reflection "
        f"WHERE note {AMONG} ORDER BY note",
        (listed(ids),),
    )
    return {values[0]: Reflection(*values) for row in rows if (values := [*row, found.get(row[0], {})])}


def living(connection: Connection, home: int) -> list[Reflection]:
    """The reflections of a home that were not forgotten, in the order in which they were made."""
    rows = connection.execute(
        "SELECT r.note FROM reflection r JOIN note n ON n.id = r.note WHERE r.home = ? AND n.lifecycle <> 'forgotten' "
        "ORDER BY r.note",
        (home,),
    )
    return list(of_notes(connection, [row[0] for row in rows]).values())


def stale_homes(connection: Connection) -> list[int]:
    """The homes in which a living reflection is to be made anew, or notes are to be thought over again."""
    rows = connection.execute(
        "SELECT r.home FROM reflection r JOIN note n ON n.id = r.note WHERE r.stale > 0 "
        "AND n.lifecycle <> 'forgotten' ORDER BY r.home"
    )
    return list(dict.fromkeys(row[0] for row in rows))


def unsteady(connection: Connection, notes: Collection[int]) -> frozenset[int]:
    """Those of these notes that are reflections which do not stand as they are: nobody is told them meanwhile."""
    if not notes:
        return frozenset()
    rows = connection.execute(f"SELECT note FROM reflection WHERE stale > 0 AND note {AMONG}", (listed(notes),))
    return frozenset(row[0] for row in rows)


def citing(connection: Connection, notes: Collection[int]) -> list[int]:
    """The reflections that rest on any of these notes, on what rests on them, and so on; the nearest first."""
    found: dict[int, None] = {}
    near = list(notes)
    while near:
        rows = connection.execute(
            f"SELECT DISTINCT reflection FROM evidence WHERE note {AMONG} ORDER BY reflection", (listed(near),)
        )
        near = [row[0] for row in rows if row[0] not in found]
        found |= dict.fromkeys(near)
    return list(found)


def make(connection: Connection, new: NewReflection, moment: Moment) -> int | None:
    """Store what was concluded; None if what it rests on is not as it was read, and nothing is stored."""
    if not _stands(connection, new.evidence):
        return None
    elements = born(
        new.details, moment.now_exp, element_rows.fading(connection), importance=new.importance,
        keeping=Keeping(kind=NoteKind.REFLECTION),
    )  # fmt: skip
    note = note_writes.insert(
        connection,
        NewNote(
            NoteKind.REFLECTION, new.text, new.at, moment.now, moment.now_exp, importance=new.importance,
            valence=new.valence, entities=new.entities, elements=elements,
        ),
    )  # fmt: skip
    note_validity.reconciled(connection, note, moment.now)  # it is no statement that another one could end
    connection.execute(
        "INSERT INTO reflection (note, depth, engine, topic, question, home, made_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (note, new.depth, new.engine, new.topic, new.question, new.home, moment.now),
    )
    _rest_on(connection, note, new.evidence, moment)
    return note


def renew(connection: Connection, before: Reflection, new: NewReflection, moment: Moment) -> Note | None:
    """Let a reflection say what is so now and rest on what is there now; None if that changed meanwhile."""
    if not _stands(connection, new.evidence):
        return None
    note = note_rows.get(connection, before.note)
    if note.text != new.text:
        elements = born(
            new.details, moment.now_exp, element_rows.fading(connection), importance=new.importance,
            keeping=Keeping(kind=NoteKind.REFLECTION),
        )  # fmt: skip
        changes = {"text": new.text, "at": new.at, "importance": max(note.importance, new.importance)}
        note = note_writes.update(
            connection, before.note, changes=changes, new_elements=elements, version=None, now=moment.now,
            now_exp=moment.now_exp,
        )  # fmt: skip
        note_validity.reconciled(connection, before.note, moment.now)
    connection.execute(
        "UPDATE reflection SET depth = ?, stale = 0, engine = ?, question = ?, made_at = ? WHERE note = ?",
        (new.depth, new.engine, new.question, moment.now, before.note),
    )
    _rest_on(connection, before.note, new.evidence, moment)
    return note_rows.get(connection, before.note)


def steady(connection: Connection, before: Reflection, moment: Moment) -> bool:
    """Let a reflection stand as it is, on those of its notes that are still there; False if none is."""
    rows = connection.execute(
        f"SELECT id, version FROM note WHERE id {AMONG} AND lifecycle <> 'forgotten'", (listed(before.evidence),)
    ).fetchall()
    if not rows:
        return False
    connection.execute("UPDATE reflection SET stale = 0, depth = ? WHERE note = ?", (before.depth, before.note))
    _rest_on(connection, before.note, dict(rows), moment)
    return True


def _stands(connection: Connection, evidence: Mapping[int, int]) -> bool:
    """Whether these notes are there, each as it was read."""
    rows = connection.execute(
        f"SELECT id, version FROM note WHERE id {AMONG} AND lifecycle <> 'forgotten'", (listed(evidence),)
    ).fetchall()
    return bool(evidence) and dict(rows) == dict(evidence)


def _rest_on(connection: Connection, note: int, evidence: Mapping[int, int], moment: Moment) -> None:
    """Let a reflection rest on these notes and no others, be tied to them, and be heard where they were."""
    connection.execute("DELETE FROM evidence WHERE reflection = ?", (note,))
    connection.executemany(
        "INSERT INTO evidence (reflection, note, version) VALUES (?, ?, ?)",
        [(note, on, version) for on, version in sorted(evidence.items())],
    )
    heard = {home for homes in audience.homes(connection, sorted(evidence)).values() for home in homes}
    connection.execute("DELETE FROM reflection_home WHERE note = ?", (note,))
    connection.executemany(
        "INSERT INTO reflection_home (note, conversation) VALUES (?, ?)", [(note, home) for home in sorted(heard)]
    )
    strength = hebbian_linking.strength_of(LinkKind.EVIDENCE, 1.0)
    trace = Trace(strength, moment.now_exp, hebbian_linking.stability_of(LinkKind.EVIDENCE))
    for on in sorted(evidence):
        if link_rows.find(connection, note, on, LinkKind.EVIDENCE, "") is None:
            due = trace.crossing_ms(moment.delete_below)
            link_rows.insert(
                connection,
                NewLink(note, on, LinkKind.EVIDENCE, LinkOrigin.MODEL, trace, due, moment.now, confidence=1.0),
            )


def list_page(connection: Connection, *, after: int, limit: int, scope: Scope = WHOLE) -> list[tuple[Note, Reflection]]:
    """The reflections that a call may see, and one more to tell that there are others."""
    clause, values = scope.notes("n")
    rows = connection.execute(
        "SELECT n.id FROM note n JOIN reflection r ON r.note = n.id WHERE n.id > ? AND n.lifecycle <> 'forgotten' "
        f"AND {clause} ORDER BY n.id LIMIT ?",
        (after, *values, limit + 1),
    )
    ids = [row[0] for row in rows]
    notes, found = note_rows.get_many(connection, ids), of_notes(connection, ids)
    return [(notes[note], found[note]) for note in ids]


_QUOTED = 300  # characters


def page(connection: Connection, *, after: int, limit: int, now_exp: int, scope: Scope) -> dict[str, Any]:
    """A page of the reflections that a call may see, oldest first, as the protocol shows them; nothing of them, nor of
    what they rest on, shows more than a reader of these notes gets.
    """
    with snapshot(connection):
        found = list_page(connection, after=after, limit=limit, scope=scope)
        shown = found[:limit]
        on = sorted({note for _, each in shown for note in each.evidence})
        notes = note_rows.get_many(connection, on, scope) | {note.id: note for note, _ in shown}
        told = faces(connection, notes.values(), now_exp)
    items = [
        {
            "id": public_id("n", note.id),
            "text": told[note.id].text,
            "state": told[note.id].told_state,
            "at": told[note.id].at,
            "made_at": to_iso(each.made_at),
            "depth": each.depth,
            "stale": each.stale > STANDS,
            "by": each.engine,
            "evidence": [_evidence(told[on]) for on in each.evidence if on in told],
        }
        for note, each in shown
    ]
    more = len(found) > limit
    return {"items": items, "next_cursor": public_id("n", shown[-1][0].id) if more else None}


def _evidence(face: RenderedNote) -> dict[str, Any]:
    return {"id": public_id("n", face.note.id), "at": face.at, "quote": face.text[:_QUOTED]}
