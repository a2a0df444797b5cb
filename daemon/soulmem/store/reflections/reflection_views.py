"""Reflection views: what a mind concluded, as the protocol shows it, with what each rests on.

Read-only. Invariant: nothing of it, nor of what it rests on, shows more than a reader of these notes gets.
"""

from __future__ import annotations

from typing import Any

from soulmem.core.calendar.iso8601 import to_iso
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes import note_rows
from soulmem.store.reflections import reflection_rows
from soulmem.store.sqlite.driver import Connection, snapshot
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views.rendered_notes import RenderedNote, faces

_QUOTED = 300  # characters


def page(connection: Connection, *, after: int, limit: int, now_exp: int, scope: Scope) -> dict[str, Any]:
    """A page of the reflections that a call may see, oldest first."""
    with snapshot(connection):
        found = reflection_rows.list_page(connection, after=after, limit=limit, scope=scope)
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
            "stale": each.stale > reflection_rows.STANDS,
            "by": each.engine,
            "evidence": [_evidence(told[on]) for on in each.evidence if on in told],
        }
        for note, each in shown
    ]
    more = len(found) > limit
    return {"items": items, "next_cursor": public_id("n", shown[-1][0].id) if more else None}


def _evidence(face: RenderedNote) -> dict[str, Any]:
    return {"id": public_id("n", face.note.id), "at": face.at, "quote": face.text[:_QUOTED]}
