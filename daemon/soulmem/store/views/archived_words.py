"""Archived words: what was said, or written by hand, that no recall tells word for word any more.

In a mind that forgets, what was digested is recalled through its notes, and these fade; the messages still lie in the
file. Read-only; called by `working/respond/archive_lookup`, part by part, so that nobody who asks meanwhile waits for
the whole of it. Invariants: what is out of scope, was deleted, or was taken back by a client (a note that was forgotten
or purged by hand) is not there; what can be recalled anyway is no archive.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.messages import message_index_rows
from soulmem.store.notes import note_index_rows, note_rows
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed
from soulmem.store.views import faded_summary
from soulmem.store.views.faded_summary import Lost

ROWS_AT_ONCE = 2_000
_TAKEN_BACK = (  # by a client who wanted a note of the message `m` gone
    "EXISTS (SELECT 1 FROM note_source s CROSS JOIN tombstone t ON t.kind = 'note' AND t.item = s.note "
    "AND t.reason = 'client' WHERE s.message = m.id)"
)
_ARCHIVED = (
    "m.deleted = 0 AND m.sealed = 0 AND m.role IN ('user', 'assistant') AND EXISTS (SELECT 1 FROM epoch e "
    "WHERE e.conversation = m.conversation AND e.epoch = m.epoch AND e.state = 'consolidated') "
    f"AND m.id NOT IN (SELECT message FROM rederive) AND NOT {_TAKEN_BACK}"
)
# Of a note that rests on no message its own words are all there is.
_BY_HAND = (
    "n.shown IS NOT NULL AND n.lifecycle <> 'forgotten' AND n.kind <> 'trigger' "
    "AND NOT EXISTS (SELECT 1 FROM note_source s WHERE s.note = n.id)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the archive, the latest first: numbers with the hashes of their terms. `next_id`: None after the last."""

    rows: tuple[tuple[int, bytes], ...]
    next_id: int | None


def messages_before(connection: Connection, before: int | None, scope: Scope = WHOLE) -> Part:
    """The archived messages among the two thousand before the message `before`, or the last two thousand."""
    first = connection.execute(
        "SELECT min(id) FROM (SELECT id FROM message WHERE ? IS NULL OR id < ? ORDER BY id DESC LIMIT ?)",
        (before, before, ROWS_AT_ONCE),
    ).fetchone()[0]
    if first is None:
        return Part((), None)
    clause, values = scope.items("message", "m.id")
    rows = connection.execute(
        f"SELECT m.id, m.terms FROM message m WHERE m.id >= ? AND (? IS NULL OR m.id < ?) AND {_ARCHIVED} "
        f"AND {clause} ORDER BY m.id DESC",
        (first, before, before, *values),
    ).fetchall()
    return Part(tuple(rows), first)


def notes_by_hand(connection: Connection, scope: Scope = WHOLE) -> Part:
    """The notes that rest on no message and of which something is masked, by all that they say."""
    clause, values = scope.notes("n")
    rows = connection.execute(
        f"SELECT n.id, n.text FROM note n WHERE {_BY_HAND} AND {clause} ORDER BY n.id DESC LIMIT ?",
        (*values, ROWS_AT_ONCE),
    ).fetchall()
    return Part(tuple((note, tokens.text_hashes(text).tobytes()) for note, text in rows), None)


def message_rows(connection: Connection, ids: Sequence[int], scope: Scope = WHOLE) -> list[message_index_rows.IndexRow]:
    """Those of these messages that are archived, as a search index takes them."""
    clause, values = scope.items("message", "m.id")
    rows = connection.execute(
        f"SELECT m.id FROM message m WHERE m.id {AMONG} AND {_ARCHIVED} AND {clause}", (listed(ids), *values)
    ).fetchall()
    kept = [row[0] for row in rows]
    return message_index_rows.index_rows(connection, hide_consolidated=False, ids=kept)


def note_rows_of(connection: Connection, ids: Sequence[int], scope: Scope = WHOLE) -> list[note_index_rows.IndexRow]:
    """These notes as a search index takes them, by all that they say."""
    found = note_rows.get_many(connection, ids, scope)
    return [
        note_index_rows.IndexRow(
            note.id, note.at, note.speaker, tokens.text_hashes(note.text).tobytes(), note.homes, note.source
        )
        for note in found.values()
    ]


def lost_of(connection: Connection, messages: Sequence[int], now_exp: int, scope: Scope = WHOLE) -> list[Lost]:
    """What was made of these messages and of which something is gone, forgotten notes included; none twice."""
    rows = connection.execute(
        f"SELECT DISTINCT s.note FROM note_source s WHERE s.message {AMONG} ORDER BY s.note", (listed(messages),)
    ).fetchall()
    told = note_rows.get_many(connection, [row[0] for row in rows], scope)
    kept = [note for note in told if note not in note_rows.withdrawn(connection, list(told))]
    return faded_summary.of_notes(connection, kept, now_exp)


def lie_archived(
    connection: Connection, notes: Collection[int], scope: Scope = WHOLE, *, digested: bool = False
) -> frozenset[int]:
    """Those of these notes whose words as they were told still lie in the archive.

    `digested`: messages are recalled whether they were digested or not, so that none is archive.
    """
    if not notes:
        return frozenset()
    clause, values = scope.items("message", "m.id")
    told = "" if digested else (
        "SELECT s.note FROM note_source s JOIN message m ON m.id = s.message "
        f"WHERE s.note {AMONG} AND {_ARCHIVED} AND {clause} UNION "
    )  # fmt: skip
    ids = listed(sorted(notes))
    given = (ids, *values, ids) if told else (ids,)
    rows = connection.execute(f"{told}SELECT n.id FROM note n WHERE n.id {AMONG} AND {_BY_HAND}", given).fetchall()
    return frozenset(row[0] for row in rows)
