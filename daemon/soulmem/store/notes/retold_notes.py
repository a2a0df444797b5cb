"""Retold notes: the notes that may tell what is told again now, however much of them has faded.

Read by `idle/steps/retold_drafts`. What is masked is in no search index, so notes are looked through by a few letters
of what is told, some at a time, so that nobody who asks meanwhile waits for all of them. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes import note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.sqlite.driver import Connection

KINDS: tuple[NoteKind, ...] = (NoteKind.EPISODIC, NoteKind.SEMANTIC, NoteKind.PROCEDURAL, NoteKind.PLAN)
_ROWS_AT_ONCE = 1_000
_MOST = 200  # notes with the letters that are looked for, of one part
_STANDS = (
    "n.lifecycle <> 'forgotten' AND NOT EXISTS (SELECT 1 FROM ending e WHERE e.note = n.id AND e.by <> n.id) "
    "AND EXISTS (SELECT 1 FROM note_source s WHERE s.note = n.id)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the notes looked through; `next_id`: where the next part begins, None after the last."""

    notes: tuple[Note, ...]
    next_id: int | None


def with_letters(connection: Connection, first: int, letters: Sequence[str]) -> Part:
    """From the note `first` on, those among a thousand that have any of these letters in their text.

    What has ended is left out, and what rests on no message: nobody told it.
    """
    last = connection.execute(
        "SELECT max(id) FROM (SELECT id FROM note WHERE id >= ? ORDER BY id LIMIT ?)", (first, _ROWS_AT_ONCE)
    ).fetchone()[0]
    if last is None or not letters:
        return Part((), None)
    kinds = ",".join("?" * len(KINDS))
    any_of = " OR ".join(["instr(n.text, ?)"] * len(letters))
    rows = connection.execute(
        "SELECT n.id FROM note n WHERE n.id BETWEEN ? AND ? "
        f"AND n.kind IN ({kinds}) AND ({any_of}) AND {_STANDS} LIMIT ?",
        (first, last, *KINDS, *letters, _MOST),
    ).fetchall()
    return Part(tuple(note_rows.get_many(connection, [row[0] for row in rows]).values()), last + 1)


def still_told(connection: Connection, note: int, version: int, home: int | None) -> bool:
    """Whether a note stands as it was read; with `home`, and was heard in that conversation and nowhere else."""
    clause, values = ("TRUE", ()) if home is None else Scope(frozenset({home})).notes("n")
    row = connection.execute(
        f"SELECT 1 FROM note n WHERE n.id = ? AND n.version = ? AND {_STANDS} "
        f"AND (? IS NULL OR n.conversation = ?) AND {clause}",
        (note, version, home, home, *values),
    ).fetchone()
    return row is not None
