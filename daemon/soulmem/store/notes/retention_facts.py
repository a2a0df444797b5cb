"""Retention facts: a note's right to stay when nothing links to it any more.

Reads `note`, `epoch`, `link` and `element`. The decision itself is `core/decay/pruning_policy`, when it is taken is
`retention_queue`. Where a mind has more notes than it may, it also says which have the least weight.
"""

from __future__ import annotations

import heapq
import math

from soulmem.core.decay.pruning_policy import NoteStanding
from soulmem.core.decay.traces import Trace
from soulmem.core.details.elements import whole_stability_ms
from soulmem.core.details.masking import Rendering
from soulmem.core.importance.retention_periods import TRIVIAL_BELOW
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.schema.note_requests import NoteKind
from soulmem.store.notes import element_rows, masked_indexing, note_index_rows, note_rows, note_validity
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

_EVER = 1 << 62  # whenever it ended


def of_note(connection: Connection, note: int, now_exp: int) -> NoteStanding:
    """What decides a note's right to stay when nothing links to it."""
    found = note_rows.get(connection, note)
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM epoch e WHERE e.conversation = n.conversation AND e.epoch = n.epoch "
        "AND e.state <> 'consolidated'), "
        "EXISTS (SELECT 1 FROM link l JOIN note r ON r.id = l.src AND r.kind = 'reflection' "
        "AND r.lifecycle <> 'forgotten' WHERE l.dst = n.id AND l.kind = 'evidence' AND l.forgotten = 0) "
        "FROM note n WHERE n.id = ?",
        (note,),
    ).fetchone()
    spans, rules = element_rows.of_notes(connection, [note])[note], element_rows.fading(connection)
    rendered = masked_indexing.rendering(found.text, spans, now_exp, rules, lasting=found.lasts)
    return NoteStanding(
        note=public_id("n", note),
        born_ms=found.created_exp,
        pinned=found.pinned,
        lore=found.kind is NoteKind.LORE,
        in_open_epoch=bool(row[0]),
        is_evidence=bool(row[1]),
        recalled_ms=found.recalled_exp,
        has_clear_element=bool(rendered.visible)
        or (rules.stays_by_gist(found.kind, whole_stability_ms(spans)) and tells(rendered)),
    )


def tells(rendered: Rendering) -> bool:
    """Whether anything of a note is known still, be it by its gist alone."""
    return any(piece.state is not SegmentState.BLANK for piece in rendered.pieces)


def excess(connection: Connection, most: int) -> int:
    """How many living notes there are above `most`; 0 at least. They are counted only where they may be too many."""
    made = connection.execute("SELECT max(id) FROM note").fetchone()[0] or 0
    return max(0, note_index_rows.count(connection) - most) if made > most else 0


def lightest(connection: Connection, count: int, now_exp: int) -> list[int]:
    """The living notes of least weight, importance x opacity x (1 + ln(1 + recalls)), the least first.

    What holds no more counts as a trifle, however important it was. Pinned notes and lore have no part in it. Looks at
    every other note, so it is asked only above the ceiling.
    """
    curve = element_rows.fading(connection).curve
    rows = connection.execute(
        "SELECT n.id, n.importance, n.recalls, e.a0, e.t0, e.stability FROM note n "
        "JOIN element e ON e.note = n.id AND e.level = 0 "
        "WHERE n.lifecycle <> 'forgotten' AND n.pinned = 0 AND n.kind <> 'lore'"
    ).fetchall()
    over = note_validity.over(connection, [row[0] for row in rows], _EVER)
    weighed = (
        (
            (min(importance, TRIVIAL_BELOW) if note in over else importance)
            * Trace(a0, t0, stability, None, curve).strength(now_exp)
            * (1 + math.log1p(recalls)),
            note,
        )
        for note, importance, recalls, a0, t0, stability in rows
    )
    return [note for _, note in heapq.nsmallest(count, weighed)]
