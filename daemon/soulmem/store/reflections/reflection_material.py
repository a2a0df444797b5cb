"""Reflection material: the notes that a mind thinks over, as they show now.

Read-only; called by the step `reflect`. Invariants: what is masked, forgotten, ended, out of its home or left alone is
not among it; at most `MOST` notes are read; a note stands in the material of one home only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.facts.fact_reader import told_by
from soulmem.core.reflection.recurrence import Occasion, day_of
from soulmem.core.reflection.reflection_plan import WINDOW_DAYS
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.reflections import reflection_rows, reflection_tally
from soulmem.store.reflections.reflection_rows import Reflection
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import rendered_notes
from soulmem.store.views.rendered_notes import RenderedNote

MOST = 600
_EVER = 1 << 62  # whenever it ended
_KINDS = "n.kind IN ('episodic', 'semantic', 'abstract', 'procedural', 'reflection') AND n.lifecycle <> 'forgotten'"
# What a user said, or somebody wrote by hand; what the companion alone said is no life.
_OF_USERS = (
    "(NOT EXISTS (SELECT 1 FROM note_source s WHERE s.note = n.id) OR EXISTS (SELECT 1 FROM note_source s "
    "JOIN message m ON m.id = s.message WHERE s.note = n.id AND m.role = 'user'))"
)


@dataclass(frozen=True, slots=True)
class Material:
    """`faces`: the notes as they show, by number; `occasions`: those of them that tell of a day; `known`: what was
    concluded before, with `texts` of what it says; `again`: the notes that are to be thought over again.
    """

    faces: Mapping[int, RenderedNote]
    occasions: tuple[Occasion, ...]
    known: tuple[Reflection, ...]
    texts: Mapping[int, str] = field(default_factory=dict)
    again: frozenset[int] = frozenset()

    def versions(self, notes: Sequence[int]) -> dict[int, int]:
        return {note: self.faces[note].note.version for note in notes}


def home_scope(home: int, *, apart: bool) -> Scope:
    """What may be thought over together."""
    return Scope(frozenset({home} if home else ())) if apart else WHOLE


def gather(connection: Connection, home: int, now: int, now_exp: int, *, apart: bool) -> Material:
    """What is to be thought over in a home: what was noted lately, and what former reflections of that rest on."""
    scope = home_scope(home, apart=apart)
    clause, values = scope.notes("n")
    within = "coalesce(n.conversation, 0) = ?" if apart else "? = 0"
    rows = connection.execute(
        f"SELECT n.id, n.at FROM note n WHERE {_KINDS} AND n.kind <> 'reflection' AND {_OF_USERS} AND {within} "
        f"AND {clause} ORDER BY n.id DESC LIMIT ?",
        (home, *values, MOST),
    ).fetchall()
    latest = max((at for _, at in rows if at <= now), default=now)
    recent = [note for note, at in rows if at >= latest - WINDOW_DAYS * DAY_MS]
    known = reflection_rows.living(connection, home)
    near = set(recent)
    for each in known:
        if not near.isdisjoint(each.evidence):
            recent += [note for note in each.evidence if note not in near]
            near.update(each.evidence)
    again = frozenset(note for note, at in reflection_tally.to_rethink(connection).items() if at == home or not apart)
    faces = _faces(connection, [*recent, *(again - near), *(each.note for each in known)], now_exp, scope)
    texts = {each.note: faces[each.note].text for each in known if each.note in faces}
    return Material(faces, tuple(_occasions(faces, now)), tuple(known), texts, again)


def statements(connection: Connection, ids: Sequence[int], now_exp: int, scope: Scope) -> dict[int, RenderedNote]:
    """Those of these notes that something may be concluded from, as they show, in the order given."""
    faces = _faces(connection, ids, now_exp, scope)
    return {note: faces[note] for note in dict.fromkeys(ids) if note in faces}


def _faces(connection: Connection, ids: Sequence[int], now_exp: int, scope: Scope) -> dict[int, RenderedNote]:
    found = note_rows.get_many(connection, list(dict.fromkeys(ids)), scope)
    over = note_validity.over(connection, list(found), _EVER)
    alone = reflection_tally.left_alone(connection, found)
    kept = [
        note for note in found.values()
        if note.lifecycle != note_rows.FORGOTTEN and note.id not in over and note.id not in alone
    ]  # fmt: skip
    return {note: face for note, face in rendered_notes.faces(connection, kept, now_exp).items() if face.text.strip()}


def _occasions(faces: Mapping[int, RenderedNote], now: int) -> list[Occasion]:
    found = []
    for note, face in faces.items():
        if face.note.kind.value != "episodic" or not face.day_ms or face.day_ms > now:
            continue
        if speaker := told_by(face.text, face.speaker):
            found.append(Occasion(note, day_of(face.day_ms), face.text, speaker))
    return found
