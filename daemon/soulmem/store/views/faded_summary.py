"""Faded summary: what of recalled notes has faded so far that nothing is left to read, and of what kind it was.

Called where a prompt is laid out: a note of which no clear word is left is no line of it, but that something was there
is said. Read-only; the faces say what shows (`faces`), and nothing here says more.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.details import gists
from soulmem.core.details.masking import NoteState
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.text.tokens import wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.store.notes import note_rows
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import RenderedNote, faces


@dataclass(frozen=True, slots=True)
class Lost:
    """A note with something gone. `whole`: no clear word is left of it; `kinds`: of which kind what is gone was."""

    note: int
    whole: bool
    kinds: tuple[str, ...]
    language: str


def of_notes(connection: Connection, ids: Sequence[int], now_exp: int) -> list[Lost]:
    """Those of these notes of which something is gone, in their order."""
    shown = faces(connection, note_rows.get_many(connection, ids).values(), now_exp)
    return [lost for each in ids if each in shown and (lost := of_face(shown[each])) is not None]


def of_face(face: RenderedNote) -> Lost | None:
    """What is gone of a note; None where nothing is."""
    whole = face.state is NoteState.BLANK
    kinds = tuple(dict.fromkeys(_kinds(face, whole=whole)))
    language = wording_language(face.note.text)
    return Lost(face.note.id, whole, kinds, language) if whole or kinds else None


def _kinds(face: RenderedNote, *, whole: bool) -> list[str]:
    """What still shows of a note that is gone as a whole; of what is blank in another the kind alone."""
    language = wording_language(face.note.text)
    by_id = {span.id: span.gist for span in face.spans}
    found = []
    for piece in face.rendering.pieces:
        if piece.is_masked and (piece.gist if whole else piece.state is SegmentState.BLANK):
            found += [piece.gist] if piece.gist else [gists.kind_said(by_id.get(o, ""), language) for o in piece.owners]
    if whole and not found:
        found = [gists.kind_said(by_id.get(o, ""), language) for p in face.rendering.pieces for o in p.owners]
    return [kind for kind in found if kind and not face.withheld.tells(kind)]
