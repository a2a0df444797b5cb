"""Rehearsing: what being remembered does to the notes of a mind (ALGORITHMS §7.4).

Called by `recalls` and by feedback, in the transaction that records what happened. Only elements that were seen gain.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.drafts import NoteKind
from soulmem.core.elements import Element
from soulmem.core.masking import visible
from soulmem.core.notes import lasts
from soulmem.core.rehearsal import rehearsed_note
from soulmem.store import elements
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
            seen = visible(text, [element.mask(now_exp) for element in spans[note]], rules)
            changed += rehearsed_note(spans[note], seen, now_exp, weight)
    elements.update(connection, changed, now_exp)
