"""Rehearsing: what being remembered does to the notes of a mind (ALGORITHMS §7.4).

Called by `recalls` and by feedback, in the transaction that records what happened. Only elements that were seen gain.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.drafts import NoteKind
from soulmem.core.elements import Element
from soulmem.core.notes import lasts
from soulmem.core.rehearsal import rehearsed_note
from soulmem.store import elements, showing
from soulmem.store.driver import Connection
from soulmem.store.rows import AMONG, listed


def rehearse(connection: Connection, notes: Sequence[int], now_exp: int, weight: float) -> None:
    """Rehearse what shows of living notes with `weight` (`core.rehearsal`); pinned notes and lore stand still."""
    if not notes or weight <= 0.0:
        return
    rules = elements.fading(connection)
    spans = elements.of_notes(connection, notes)
    changed: list[Element] = []
    for note, kind, text, pinned in connection.execute(
        f"SELECT id, kind, text, pinned FROM note WHERE id {AMONG} AND lifecycle <> 'forgotten'", (listed(notes),)
    ).fetchall():
        if not lasts(NoteKind(kind), pinned=bool(pinned)):
            seen = showing.rendering(text, spans[note], now_exp, rules, lasting=False).visible
            changed += rehearsed_note(spans[note], seen, now_exp, weight)
    elements.update(connection, changed, now_exp)
