"""Heard names: the name of somebody who is still talked about does not fade.

Called by `mask_refresh` for notes of which something falls due, before search is told of it. To hear a name again is to
learn it again, wherever it was first told: who has told of Heather all summer need not say again that she is the boss.
Invariants: only a person's name is kept, and none that is blank; a few notes are looked at for each name.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.details.elements import Element
from soulmem.core.details.gists import stands_for_somebody
from soulmem.core.details.masking import state_of
from soulmem.core.details.rehearsal import retold
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.text import tokens
from soulmem.store.notes import element_rows
from soulmem.store.notes.rehearsal_writes import fading_notes
from soulmem.store.sqlite.driver import Connection

_LATELY_MS = 30 * DAY_MS  # of experienced time
_OFTEN = 2  # other notes that name somebody, from which on he is talked about
_LOOKED_AT = 12  # notes with the words of a name


def keep(connection: Connection, notes: Sequence[int], now_exp: int) -> None:
    """Let the names in these notes that would blur now be clear as on the day they were last told."""
    rules = element_rows.fading(connection)
    kept: list[Element] = []
    for note, text, spans in fading_notes(connection, notes):
        for element in spans:
            if _blurs(element, rules, now_exp):
                told = _last_told(connection, text[element.start : element.end], note, now_exp)
                if told is not None:
                    kept.append(retold(element, told))
    element_rows.update(connection, kept, now_exp)


def _blurs(element: Element, rules: Fading, now_exp: int) -> bool:
    """Whether it is somebody's name that has become faint, but not blank."""
    is_name = element.level > 0 and element.start < element.end and stands_for_somebody(element.gist)
    return is_name and state_of(element.opacity(now_exp), rules) is SegmentState.BLUR


def _last_told(connection: Connection, name: str, note: int, now_exp: int) -> int | None:
    """When a name was told last, experienced time; None where it is hardly told these days."""
    words = tokens.segment(name)
    if not words:
        return None
    rows = connection.execute(
        "SELECT n.text, n.created_exp FROM note_search s JOIN note n ON n.id = s.rowid "
        "WHERE note_search MATCH ? AND n.id <> ? AND n.lifecycle <> 'forgotten' ORDER BY s.rowid DESC LIMIT ?",
        (" AND ".join(f'"{word}"' for word in words), note, _LOOKED_AT),
    ).fetchall()
    sought = name.casefold()
    told = [at for text, at in rows if now_exp - at <= _LATELY_MS and sought in text.casefold()]
    return max(told) if len(told) >= _OFTEN else None
