"""Situation notes: an abstract note over near notes that a model called variants of one kind (algorithms.md §6.4).

Called by `idle/merging/merge_step` in its transaction. The notes below stay as they are, two for good; the one above
rests on what they rest on, so that it goes with what is taken back or deleted, and leads to each by `abstract_of`.
Invariants: nothing is put above a note that is not as it was read; of the same notes there is one situation at most:
one that is there is extended; one that somebody forgot is not made again.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.decay.traces import Trace
from soulmem.core.details.elements import born
from soulmem.core.importance.retention_periods import Keeping
from soulmem.core.linking import hebbian_linking
from soulmem.core.schema.note_requests import ElementDraft, LinkKind, LinkOrigin, NoteKind
from soulmem.fast_dataclasses import dataclass
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.notes import element_rows, merge_queue, note_rows, note_validity, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.revision.note_merging import Moment
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

VARIANTS = {"made_of": "variants"}
"""The attributes by which such a note is known."""


@dataclass(frozen=True, slots=True)
class NewSituation:
    """What several notes are occasions of, in a few words; `notes`: these, at least two; `details`: of the text."""

    text: str
    notes: tuple[int, ...]
    details: tuple[ElementDraft, ...]


@dataclass(frozen=True, slots=True)
class Above:
    """The note that stands above others now, and how many links lead down from it that did not before."""

    note: Note
    is_new: bool
    links: int


def put_above(connection: Connection, new: NewSituation, moment: Moment) -> Above | None:
    """Put a situation above its notes, which are kept apart for good; None if fewer than two are there still."""
    below = [
        note for note in note_rows.get_many(connection, new.notes).values()
        if note.lifecycle == note_rows.CONSOLIDATED and note.kind is NoteKind.EPISODIC
    ]  # fmt: skip
    if len(below) < 2:
        return None
    for place, one in enumerate(below):
        for other in below[place + 1 :]:
            merge_queue.keep_apart(connection, one.id, other.id)
    above = _standing(connection, [note.id for note in below])
    is_new = above is None
    if above is None:
        above = _insert(connection, new, below, moment)
    for sources in note_rows.sources_of(connection, [note.id for note in below]).values():
        note_writes.add_sources(connection, above, [(each.message, each.quote) for each in sources])
    links = sum(_lead_down(connection, above, note.id, moment) for note in below)
    return Above(note_rows.get(connection, above), is_new, links)


def _standing(connection: Connection, below: Sequence[int]) -> int | None:
    """The situation that stands above one of these notes already, the first that was made."""
    links = link_rows.of_notes(connection, below)
    above = [link.src for link in links if link.kind is LinkKind.ABSTRACT_OF and link.dst in below]
    found = note_rows.get_many(connection, sorted(above)).values()
    return next((n.id for n in found if n.attributes == VARIANTS and n.lifecycle != note_rows.FORGOTTEN), None)


def _insert(connection: Connection, new: NewSituation, below: Sequence[Note], moment: Moment) -> int:
    latest = max(below, key=lambda note: note.at)
    importance = round(sum(note.importance for note in below) / len(below), 3)
    elements = born(
        new.details, moment.now_exp, element_rows.fading(connection), importance=importance,
        keeping=Keeping(kind=NoteKind.ABSTRACT),
    )  # fmt: skip
    note = note_writes.insert(
        connection,
        NewNote(
            NoteKind.ABSTRACT, new.text, latest.at, moment.now, moment.now_exp, importance=importance,
            valence=round(sum(each.valence for each in below) / len(below), 3),
            tags=tuple(tag for tag in latest.tags if all(tag in each.tags for each in below)),
            entities=tuple(name for name in latest.entities if all(name in each.entities for each in below)),
            attributes=dict(VARIANTS), conversation=latest.conversation, epoch=latest.epoch, elements=elements,
        ),
    )  # fmt: skip
    note_validity.reconciled(connection, note, moment.now)  # it is no statement that another one could end
    for each in below:
        note_writes.record(connection, moment.now, "note_put_above", note, {"note": public_id("n", each.id)})
    return note


def _lead_down(connection: Connection, above: int, note: int, moment: Moment) -> bool:
    kind = LinkKind.ABSTRACT_OF
    if link_rows.find(connection, above, note, kind, "") is not None:
        return False
    trace = Trace(hebbian_linking.strength_of(kind, 1.0), moment.now_exp, hebbian_linking.stability_of(kind))
    new = NewLink(above, note, kind, LinkOrigin.MODEL, trace, moment.due_delete(trace), moment.now, confidence=1.0)
    link_rows.insert(connection, new)
    return True
