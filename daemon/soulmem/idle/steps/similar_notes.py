"""Similar notes: the few known notes that a new one is compared with.

Called by the step `reconcile`. Those that say something of the same subject and relation, those that share the words of
what is said to be over, those that name the same, those that share words, those that are nearest; never all there are.
Also keeps of whom and of what each new note says something, before any is compared, so that two statements of one talk
meet. Read-only but for that. Invariant: the same neighbours whenever the step is run again: what this talk itself ended
is shown still.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from soulmem.core.changes.change_clauses import topics_of
from soulmem.core.changes.contradiction import Told
from soulmem.core.facts.relations import ANY, EVENT, ONE, Reading, ends_any
from soulmem.core.facts.topic_terms import words_of_matter
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.correction_step import Mended
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.index import fts, vectors
from soulmem.store.messages import message_log
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.notes.note_rows import Note
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed
from soulmem.store.views import undigested_talk

MOST = 32  # known notes a new one is compared with
ASKED = 12  # of these the first, of which an engine is asked where code cannot read them
_FIRST_PERSON = LazyPattern(r"\b(?:I|I['’]\w+|[Mm]y)\b|我")
_BY_HAND = 100  # notes written by clients that one step takes along
_WORDED, _NAMED, _NEAR = 6, 3, 4
COMPARED = frozenset({NoteKind.SEMANTIC, NoteKind.EPISODIC, NoteKind.PROCEDURAL, NoteKind.PLAN})


@dataclass(frozen=True, slots=True)
class Material:
    """The new notes in the order of telling; `compared`: those that a former run of the step has done already.

    `spoke_as`: the mind's own name in the epoch; empty if it said nothing under one.
    """

    epoch: EpochRow
    new: tuple[Told, ...]
    compared: frozenset[int]
    spoke_as: str = ""

    @property
    def open(self) -> tuple[Told, ...]:
        return tuple(told for told in self.new if told.note not in self.compared)


@dataclass(slots=True)
class Near:
    """The neighbours of some new notes, by number, and the notes themselves."""

    told: dict[int, Told] = field(default_factory=dict)
    of: dict[int, tuple[int, ...]] = field(default_factory=dict)
    alike: dict[int, tuple[int, ...]] = field(default_factory=dict)  # nearest in meaning first


def gather(connection: Connection, epoch: EpochRow, mended: Mended, scope: Scope) -> Material:
    """The notes of an epoch, and those that clients wrote since the last one, of what may be known there."""
    rows = connection.execute(
        "SELECT id FROM note WHERE conversation = ? AND epoch = ? AND lifecycle <> 'forgotten' ORDER BY id",
        (epoch.conversation, epoch.epoch),
    )
    ids = [row[0] for row in rows]
    ids += [note for note in note_validity.written_by_hand(connection, _BY_HAND, scope) if note not in ids]
    told = told_of(connection, ids, mended)
    open_ones = frozenset(note_validity.unreconciled(connection, ids))
    spoke_as = message_log.own_name_in_epoch(connection, epoch.conversation, epoch.epoch)
    in_order = tuple(sorted(told, key=lambda each: (each.order, each.note)))
    return Material(epoch, in_order, frozenset(ids) - open_ones, spoke_as)


def keep_claims(connection: Connection, told: Sequence[Told]) -> None:
    """Keep of whom and of what these notes say something, so that those that are new meet each other too."""
    standing = standing_as(connection, told)
    for each in told:
        if each.note in standing:
            note_validity.claim(connection, each.note, each.readings)


def standing_as(connection: Connection, told: Iterable[Told]) -> frozenset[int]:
    """Those of these notes that still say what was read: one may have been taken back or changed meanwhile."""
    read = {each.note: each.text for each in told}
    found = note_rows.get_many(connection, sorted(read))
    return frozenset(n.id for n in found.values() if n.lifecycle != note_rows.FORGOTTEN and n.text == read[n.id])


def told_of(connection: Connection, ids: Sequence[int], mended: Mended | None = None) -> list[Told]:
    """Notes as they are compared; kinds that state nothing of the world are left out, what was taken back, and advice:
    what an assistant alone said, unless it is of itself."""
    found = note_rows.get_many(connection, ids)
    order, since = note_validity.told(connection, ids), note_validity.beginnings(connection, ids)
    corrects = mended.corrects if mended is not None else {}
    before = undigested_talk.before_notes(connection, ids)
    said_by = undigested_talk.speakers(connection, ids)
    advice = undigested_talk.of_assistants(connection, ids)
    return [
        Told(
            note.id,
            note.text,
            _speaker(note) or said_by.get(note.id, ""),
            order[note.id],
            since.get(note.id),
            frozenset(note.entities),
            note.kind is NoteKind.SEMANTIC,
            corrects.get(note.id, frozenset()),
            before.get(note.id, ""),
        )
        for note in found.values()
        if note.kind in COMPARED and (note.id not in advice or _is_of_itself(note))
    ]


def _is_of_itself(note: Note) -> bool:
    """Whether a note of what an assistant said tells of the assistant."""
    named = bool(note.speaker) and note.speaker in note.text[len(note.speaker) :]  # the first one says who speaks
    return named or _FIRST_PERSON.search(note.text) is not None


def _speaker(note: Note) -> str:
    """Who says a note; of a fact that was written down of somebody, that one."""
    subject = note.attributes.get("subject")
    return note.speaker or (subject if isinstance(subject, str) else "")


def neighbours(
    connection: Connection, fingerprint: str, batch: Sequence[Told], material: Material, scope: Scope
) -> Near:
    """The neighbours of each note of a batch."""
    near = Near()
    chosen: dict[int, list[int]] = {}
    for told in batch:
        alike = [note for note in _alike(connection, fingerprint, told, scope) if note != told.note]
        near.alike[told.note] = tuple(alike)
        mine = list(dict.fromkeys([*_found(connection, told, scope), *alike]))
        mine = [note for note in mine if note != told.note]
        chosen[told.note] = list(dict.fromkeys([*mine[: 2 * MOST], *alike]))
    every = sorted({note for mine in chosen.values() for note in mine})
    settled = _settled_elsewhere(connection, every, material.epoch)
    near.told = {each.note: each for each in told_of(connection, [note for note in every if note not in settled])}
    new = {each.note: each for each in material.new}
    near.told |= {note: new[note] for note in near.told if note in new}
    for told in batch:
        # Two new notes are compared once: when the later one is.
        fit = [
            note
            for note in chosen[told.note]
            if note in near.told and not (note in new and (new[note].order, note) > (told.order, told.note))
        ]
        alike = [note for note in fit if note in near.alike[told.note]]
        near.of[told.note] = tuple(dict.fromkeys([*fit[:MOST], *alike]))
    return near


def _found(connection: Connection, told: Told, scope: Scope) -> Iterator[int]:
    for reading in told.readings:
        yield from _claimed(connection, reading, scope)
    words = [each.object or each.subject for each in told.readings if each.relation in {ANY, "life"}]
    words += [each.subject for each in told.readings if each.relation == EVENT]
    for text in words[:4]:
        yield from (note for note, _ in fts.find(connection, "note", text, _WORDED * 2, scope))
    for text in topics_of(told.statement):  # and those of what it changes, in whatever words
        yield from (note for note, _ in fts.find(connection, "note", text, _WORDED * 2, scope))
    for name in sorted(told.entities - {told.speaker})[:4]:
        yield from (note for note, _ in fts.find(connection, "note", name, _NAMED, scope))
    about = words_of_matter(told.text[:400], told.at_ms, told.speaker)
    yield from (note for note, _ in fts.find(connection, "note", about, _WORDED, scope))


def _alike(connection: Connection, fingerprint: str, told: Told, scope: Scope) -> Iterator[int]:
    """The notes that mean most nearly the same, the nearest first."""
    own = vectors.of_items(connection, fingerprint, [("note", told.note)])
    for vector in own["note", told.note]:
        yield from (
            note for note, _ in vectors.nearest_within(connection, fingerprint, vector, _NEAR + 1, scope, kind="note")
        )


def _claimed(connection: Connection, reading: Reading, scope: Scope) -> Iterable[int]:
    """The latest notes of the same subject that this reading may be about."""
    relations = {reading.relation}
    if reading.relation == ANY:
        relations |= {each for each in ONE if ends_any(each)} | {"habit", "owns", "pet", "studies"}
    if reading.relation in {"partner", "status"}:
        relations |= {"partner", "status"}
    if reading.relation == "work":
        relations |= {"job"}
    if ends_any(reading.relation):
        relations |= {ANY}
    subjects = {reading.subject, reading.subject.split(" ")[0]}
    return sorted(
        {
            note
            for subject in subjects
            for note in note_validity.claiming(connection, subject, sorted(relations), scope)
        },
        reverse=True,
    )[:ASKED]


def _settled_elsewhere(connection: Connection, ids: Sequence[int], epoch: EpochRow) -> frozenset[int]:
    """Those of these notes that something outside of this talk has ended already as a whole."""
    rows = connection.execute(
        "SELECT DISTINCT e.note FROM ending e LEFT JOIN note b ON b.id = e.by "
        f"WHERE e.note {AMONG} AND e.by <> e.note AND e.whole = 1 "
        "AND NOT coalesce(b.conversation = ? AND b.epoch = ?, FALSE)",
        (listed(ids), epoch.conversation, epoch.epoch),
    )
    return frozenset(row[0] for row in rows)
