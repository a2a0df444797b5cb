"""Standing: a note's right to stay when nothing links to it any more, and when it is looked at again.

Reads `note`, `epoch`, `link` and `element`; writes `note.due_check`. The decision itself is `core/forgetting`.
"""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.core.drafts import NoteKind
from soulmem.core.forgetting import NoteStanding
from soulmem.store import notes
from soulmem.store.driver import Connection
from soulmem.store.rows import public_id


def due_for_check(connection: Connection, now_exp: int, limit: int) -> list[int]:
    """Notes whose right to stay is to be looked at."""
    rows = connection.execute(
        "SELECT id FROM note WHERE due_check <= ? AND lifecycle <> 'forgotten' ORDER BY due_check, id LIMIT ?",
        (now_exp, limit),
    )
    return [row[0] for row in rows]


def next_check(connection: Connection) -> int | None:
    row = connection.execute(
        "SELECT min(due_check) FROM note WHERE due_check IS NOT NULL AND lifecycle <> 'forgotten'"
    ).fetchone()
    return row[0] if row else None


def check_of(connection: Connection, note: int) -> int | None:
    """When a note is looked at next, experienced time."""
    row = connection.execute("SELECT due_check FROM note WHERE id = ?", (note,)).fetchone()
    return row[0] if row else None


def check_again(connection: Connection, ids: Iterable[int], due_check: int) -> None:
    connection.executemany("UPDATE note SET due_check = ? WHERE id = ?", [(due_check, note) for note in ids])


def of_note(connection: Connection, note: int, now_exp: int) -> NoteStanding:
    """What decides a note's right to stay when nothing links to it."""
    found = notes.get(connection, note)
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM epoch e WHERE e.conversation = n.conversation AND e.epoch = n.epoch "
        "AND e.state <> 'consolidated'), "
        "EXISTS (SELECT 1 FROM link l JOIN note r ON r.id = l.src AND r.kind = 'reflection' "
        "AND r.lifecycle <> 'forgotten' WHERE l.dst = n.id AND l.kind = 'evidence' AND l.forgotten = 0), "
        "EXISTS (SELECT 1 FROM element x WHERE x.note = n.id AND x.due_blur > ?) FROM note n WHERE n.id = ?",
        (now_exp, note),
    ).fetchone()
    return NoteStanding(
        note=public_id("n", note),
        born_ms=found.created_exp,
        pinned=found.pinned,
        lore=found.kind is NoteKind.LORE,
        in_open_epoch=bool(row[0]),
        is_evidence=bool(row[1]),
        recalled_ms=found.recalled_exp,
        has_clear_element=bool(row[2]),
    )
