"""Note rows: the nodes of the graph, as they are stored and read.

Owns what a row of `note` and its sources mean; read by whoever needs notes, within a scope. Nothing is written here:
what happens to a note is `note_writes`'s, how it shows to readers is `rendered_notes`'. Invariant: a note that is out
of scope is read no more than one that never was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from soulmem.core.linking.contiguity import Telling
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, lasts
from soulmem.core.search.index_columns import Source as FirstSource
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.notes import note_validity
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.list_pages import read_page
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed, not_there, public_id, row_hash

WORKING, CONSOLIDATED, FORGOTTEN = "working", "consolidated", "forgotten"
_LIVES = "n.lifecycle <> 'forgotten'"
# Whether the note `n` was taken back because what it was made of was changed (see `note_withdrawal`).
WITHDRAWN = "EXISTS (SELECT 1 FROM tombstone w WHERE w.kind = 'note' AND w.item = n.id AND w.reason = 'withdrawn')"

# What the note `n` was made of first, as three numbers: the message's conversation, its place there, when it was told.
FIRST_SOURCE = (
    "(SELECT m.conversation || ' ' || m.seq || ' ' || m.at FROM note_source s JOIN message m ON m.id = s.message "
    "WHERE s.note = n.id ORDER BY s.position LIMIT 1)"
)
_COLUMNS = (
    "id, kind, text, at, speaker, importance, valence, tags, entities, attributes, pinned, lifecycle, version, "
    "conversation, epoch, created_at, created_exp, recalls, recalled_exp, shown, shown_at, shown_speaker, "
    "shown_tags, fidelity, rewritten_exp, at_parts, terms, "
    "(SELECT group_concat(DISTINCT m.conversation) FROM note_source s JOIN message m ON m.id = s.message "
    "WHERE s.note = n.id), "
    "iif(n.kind = 'reflection', (SELECT group_concat(h.conversation) FROM reflection_home h WHERE h.note = n.id), "
    "NULL), " + FIRST_SOURCE
)


@dataclass(frozen=True, slots=True)
class Note:
    id: int
    kind: NoteKind
    text: str
    at: int
    speaker: str
    importance: float
    valence: float
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    attributes: dict[str, Any]
    pinned: bool
    lifecycle: str
    version: int
    conversation: int | None
    epoch: int | None
    created_at: int
    created_exp: int
    recalls: int
    recalled_exp: int | None
    shown: str | None  # as it is indexed while something of it is masked
    shown_at: int | None  # and when, whose and under which tags it is found; None: as told
    shown_speaker: str | None
    shown_tags: tuple[str, ...] | None
    fidelity: float  # 0..1, lowered by each reconstruction
    rewritten_exp: int | None  # when it was last reconstructed
    at_parts: int | None  # how much of `at` is known since, by `core.details.field_redaction`; None: all
    terms: bytes  # the hashes of the terms by which it is found, `core.text.tokens.term_hashes`
    homes: frozenset[int]  # the conversations it was heard in, by `core.schema.audience`; empty: common
    source: FirstSource | None  # what it was made of first

    @property
    def indexed(self) -> str:
        """The text by which it is found: what shows of it."""
        return self.text if self.shown is None else self.shown

    @property
    def found_at(self) -> int:
        """When search takes it to have happened: no finer than what shows of it tells."""
        return self.at if self.shown_at is None else self.shown_at

    @property
    def found_speaker(self) -> str:
        return self.speaker if self.shown_speaker is None else self.shown_speaker

    @property
    def lasts(self) -> bool:
        """Whether nothing of it ever fades."""
        return lasts(self.kind, pinned=self.pinned)


@dataclass(frozen=True, slots=True)
class Source:
    """A message a note came from: its row, where it stands, and the words that support the note."""

    message: int
    conversation: str
    seq: int
    client_id: str
    quote: str | None


def _note(row: Row) -> Note:
    tags, entities = _strings(row[7]), _strings(row[8])
    attributes = json.loads(row[9]) if row[9] != "{}" else {}
    heard = [int(each) for part in row[-3:-1] if part is not None for each in part.split(",")]
    homes = frozenset(heard if row[13] is None else (row[13], *heard))
    shown_tags = _strings(row[22]) if row[22] is not None else None
    values = [row[0], NoteKind(row[1]), *row[2:7], tags, entities, attributes, bool(row[10])]
    values += [*row[11:22], shown_tags, *row[23:-3], homes, first_source(row[-1])]
    return Note(*values)


def first_source(text: str | None) -> FirstSource | None:
    """What `FIRST_SOURCE` says."""
    return FirstSource(*map(int, text.split())) if text is not None else None


def _strings(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text)) if text != "[]" else ()


def content_hash(kind: str, text: str, at: int, attributes: str) -> bytes:
    return row_hash(str(kind), text, at, attributes)


def same_fact(connection: Connection, text: str, home: int | None = None) -> int | None:
    """A living fact with the very same words, whatever their spelling and spacing, that nothing has ended since.

    With `home`, only one that was heard in that conversation and nowhere else: a source from elsewhere would take it
    away from those who know it.
    """
    terms = tokens.term_hashes(tokens.segment(text)).tobytes()
    clause, values = ("TRUE", ()) if home is None else Scope(frozenset({home})).notes("n")
    row = connection.execute(
        "SELECT n.id FROM note n WHERE n.kind = 'semantic' AND n.terms = ? AND n.lifecycle <> 'forgotten' "
        "AND NOT EXISTS (SELECT 1 FROM ending e WHERE e.note = n.id AND e.by <> n.id) "
        f"AND (? IS NULL OR n.conversation = ?) AND {clause} ORDER BY n.id LIMIT 1",
        (terms, home, home, *values),
    ).fetchone()
    return row[0] if row else None


def told_before(connection: Connection, draft: NoteDraft, home: int | None = None) -> int | None:
    """The living note of a fact told again: in the same words, or of the same subject, relation and object.

    The latter is found however much of it has faded; that is how it comes back.
    """
    same = same_fact(connection, draft.text, home)
    if same is not None or not draft.attributes:
        return same
    clause, values = ("TRUE", ()) if home is None else Scope(frozenset({home})).notes("n")
    row = connection.execute(
        "SELECT n.id FROM note n WHERE n.kind = 'semantic' AND n.shown IS NOT NULL AND n.attributes = ? "
        f"AND n.lifecycle <> 'forgotten' AND (? IS NULL OR n.conversation = ?) AND {clause} ORDER BY n.id LIMIT 1",
        (dump_json(draft.attributes), home, home, *values),
    ).fetchone()
    return row[0] if row else None


def get(connection: Connection, note: int, scope: Scope = WHOLE) -> Note:
    """One note, forgotten or not. Raises SoulmemError: `not_found`, for one out of scope as for one that never was."""
    clause, values = scope.notes("n")
    row = connection.execute(f"SELECT {_COLUMNS} FROM note n WHERE n.id = ? AND {clause}", (note, *values)).fetchone()
    if row is None:
        raise not_there("n", public_id("n", note))
    return _note(row)


def get_many(connection: Connection, ids: Sequence[int], scope: Scope = WHOLE) -> dict[int, Note]:
    clause, values = scope.notes("n")
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM note n WHERE n.id {AMONG} AND {clause}", (listed(ids), *values)
    ).fetchall()
    return {row[0]: _note(row) for row in rows}


def withdrawn(connection: Connection, ids: Sequence[int]) -> frozenset[int]:
    """Those of these notes that were taken back."""
    if not ids:
        return frozenset()
    rows = connection.execute(f"SELECT n.id FROM note n WHERE n.id {AMONG} AND {WITHDRAWN}", (listed(ids),))
    return frozenset(row[0] for row in rows)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which notes are listed: by number, `after` excluded (0: all); with `as_of`, only those of what held at that time;
    with `made_of`, (conversation, message), only those that rest on one of these messages."""

    after: int = 0
    limit: int = 100
    forgotten: bool = False
    kind: str | None = None
    as_of: int | None = None
    made_of: Sequence[tuple[str, str]] | None = None
    is_latest_first: bool = False


_OF_MESSAGES = (
    "n.id IN (SELECT s.note FROM json_each(?) a JOIN conversation c ON c.name = a.value ->> 0 "
    "JOIN message m ON m.conversation = c.id AND m.client_id = a.value ->> 1 JOIN note_source s ON s.message = m.id)"
)


def list_page(connection: Connection, asked: Asked, scope: Scope = WHOLE) -> list[Note]:
    """The notes that are asked for, and one more to tell that there are others."""
    clause, within = scope.notes("n")
    side, order = ("<", "DESC") if asked.is_latest_first else (">", "ASC")
    clauses = [f"n.id {side} ?", f"n.lifecycle = 'forgotten' AND NOT {WITHDRAWN}" if asked.forgotten else _LIVES]
    values: list[Any] = [asked.after if asked.after or not asked.is_latest_first else 1 << 62]
    if asked.kind:
        clauses.append("n.kind = ?")
        values.append(asked.kind)
    if asked.as_of is not None:
        held, at = note_validity.held_at("n", asked.as_of, scope)
        clauses.append(held)
        values += at
    if asked.made_of is not None:
        clauses.append(_OF_MESSAGES)
        values.append(json.dumps(list(asked.made_of)))
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM note n WHERE {' AND '.join(clauses)} AND {clause} ORDER BY n.id {order} LIMIT ?",
        (*values, *within, asked.limit + 1),
    )
    return read_page(map(_note, rows), text_size)


def text_size(note: Note) -> int:
    """How much of a page a note takes: its text is shown twice."""
    return 2 * len(note.text.encode())


def pinned(connection: Connection, scope: Scope = WHOLE) -> list[Note]:
    """Pinned notes, the core of the mind, oldest first."""
    clause, values = scope.notes("n")
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM note n WHERE n.pinned = 1 AND n.lifecycle <> 'forgotten' AND {clause} ORDER BY n.id",
        values,
    ).fetchall()
    return [_note(row) for row in rows]


def newest(connection: Connection, limit: int, scope: Scope = WHOLE) -> list[int]:
    clause, values = scope.notes("n")
    rows = connection.execute(
        f"SELECT n.id FROM note n WHERE n.lifecycle <> 'forgotten' AND {clause} ORDER BY n.id DESC LIMIT ?",
        (*values, limit),
    )
    return [row[0] for row in rows]


def sources_of(connection: Connection, ids: Sequence[int]) -> dict[int, list[Source]]:
    """Sources of several notes, in their stored order."""
    found: dict[int, list[Source]] = {note: [] for note in ids}
    for note, *rest in connection.execute(
        "SELECT s.note, s.message, c.name, m.seq, m.client_id, s.quote FROM note_source s "
        "JOIN message m ON m.id = s.message JOIN conversation c ON c.id = m.conversation "
        f"WHERE s.note {AMONG} ORDER BY s.note, s.position",
        (listed(ids),),
    ):
        found[note].append(Source(*rest))
    return found


def tellings(connection: Connection, notes: Sequence[int]) -> list[Telling]:
    """Where each of these notes was told first, in the order of telling; one that rests on no message is left out.

    What answers a question was told where it was answered.
    """
    rows = connection.execute(
        "SELECT m.seq, m.at, m.speaker, s.note, n.kind, min(iif(m.speaker = n.speaker, s.position, s.position + 1000)) "
        "FROM note_source s JOIN message m ON m.id = s.message JOIN note n ON n.id = s.note "
        f"WHERE s.note {AMONG} GROUP BY s.note ORDER BY m.seq, s.note",
        (listed(notes),),
    ).fetchall()
    return [
        Telling(place, at, speaker, public_id("n", note), NoteKind(kind) is NoteKind.SEMANTIC)
        for place, at, speaker, note, kind, _ in rows
    ]
