"""The life of a note: it is made, changed, pinned, recalled, forgotten, brought back and purged.

Owns the writing of `note` and `note_source`, and `note_version` with the lines of `history` that tell of notes; what a
note is and how it is read is `note_rows`. Called by digestion, by the notebook and by the rest of the store.
Invariants: a note that is made to say something else leaves what it said in `note_version`; forgetting is a tombstone
that `restore` undoes; the search indexes follow in the same transaction. What of a note they hold while something of it
is masked is `masked_indexing`'s.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from soulmem.core.details.elements import Element
from soulmem.core.schema.blind_ids import ItemId, Sentence
from soulmem.core.schema.note_requests import NoteKind, lasts
from soulmem.core.text import tokens
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.index import embedding_backlog, fts, vectors
from soulmem.store.notes import element_rows, masked_indexing, merge_queue, note_rows, note_validity, replay_queue
from soulmem.store.notes.note_rows import Note
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.list_pages import read_page
from soulmem.store.sqlite.row_hash import dump_json, public_id


@dataclass(frozen=True, slots=True)
class NewNote:
    """What `insert` needs. `sources` are (message row, quote) pairs in the order they support the text."""

    kind: NoteKind
    text: str
    at: int
    created_at: int
    created_exp: int
    due_check: int | None = None  # when its right to stay is looked at; None: when something happens to it
    speaker: str = ""
    importance: float = 0.4
    valence: float = 0.0
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    pinned: bool = False
    lifecycle: str = note_rows.CONSOLIDATED
    conversation: int | None = None
    epoch: int | None = None
    sources: tuple[tuple[int, str | None], ...] = ()
    elements: tuple[Element, ...] = ()


def insert(connection: Connection, new: NewNote) -> int:
    """Add a note with its sources and elements, index it, ask for its vector; returns its number."""
    attributes = dump_json(new.attributes)
    words = tokens.segment(new.text)
    note: int = connection.execute(
        "INSERT INTO note (kind, text, at, speaker, importance, valence, tags, entities, attributes, pinned, "
        "lifecycle, conversation, epoch, created_at, created_exp, due_check, terms, hash) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            new.kind, new.text, new.at, new.speaker, new.importance, new.valence, dump_json(new.tags),
            dump_json(new.entities), attributes, new.pinned, new.lifecycle, new.conversation, new.epoch,
            new.created_at, new.created_exp, new.due_check, tokens.term_hashes(words).tobytes(),
            note_rows.content_hash(new.kind, new.text, new.at, attributes),
        ),
    ).fetchone()[0]  # fmt: skip
    connection.executemany(
        "INSERT INTO note_source (note, position, message, quote) VALUES (?, ?, ?, ?)",
        [(note, position, message, quote) for position, (message, quote) in enumerate(new.sources)],
    )
    element_rows.insert(connection, note, new.elements, lasting=lasts(new.kind, pinned=new.pinned))
    fts.put(connection, "note", note, " ".join(words))
    embedding_backlog.enqueue(connection, [("note", note, "self")])
    merge_queue.demand(connection, note, new.kind)
    replay_queue.demand(connection, note, new.kind, new.epoch)
    record(connection, new.created_at, "note_created", note, {"kind": new.kind})
    return note


def add_sources(connection: Connection, note: int, sources: Iterable[tuple[int, str | None]]) -> None:
    """Let further messages support a note; one that does already is not repeated."""
    held = {row[0] for row in connection.execute("SELECT message FROM note_source WHERE note = ?", (note,))}
    for message, quote in sources:
        if message not in held:
            held.add(message)
            connection.execute(
                "INSERT INTO note_source (note, position, message, quote) VALUES (?, "
                "(SELECT count(*) FROM note_source WHERE note = ?), ?, ?)",
                (note, note, message, quote),
            )


def consolidate(connection: Connection, conversation: int, epoch: int) -> None:
    """The epoch is digested: its notes are part of long-term memory now."""
    connection.execute(
        "UPDATE note SET lifecycle = 'consolidated' WHERE conversation = ? AND epoch = ? AND lifecycle = 'working'",
        (conversation, epoch),
    )


def update(
    connection: Connection, note: int, *, changes: dict[str, Any], new_elements: tuple[Element, ...] | None,
    version: int | None, now: int, now_exp: int,
) -> Note:  # fmt: skip
    """Change columns of a note; the former body goes to `note_version`.

    `changes`: column -> value for any of text, importance, valence, tags, attributes, at; `new_elements`: of a new
    text, or None to keep them; `version`: that which the caller saw, if it cares.
    Raises: SoulmemError: `not_found`, `version_conflict`.
    """
    before = note_rows.get(connection, note)
    if version is not None and version != before.version:
        raise SoulmemError(
            ErrorName.VERSION_CONFLICT,
            Sentence(public_id("n", note), f" is at version {before.version}, not {version}"),
            hint="read the note again and repeat the change on what it says now",
        )
    keep_version(connection, before, "updated", now)
    values = {"text": before.text, "at": before.at, "attributes": before.attributes, **changes}
    attributes = dump_json(values["attributes"])
    connection.execute(
        "UPDATE note SET text = ?, at = ?, at_parts = ?, attributes = ?, importance = ?, valence = ?, tags = ?, "
        "version = version + 1, hash = ? WHERE id = ?",
        (
            values["text"], values["at"], None if "at" in changes else before.at_parts, attributes,
            changes.get("importance", before.importance),
            changes.get("valence", before.valence), dump_json(changes.get("tags", before.tags)),
            note_rows.content_hash(before.kind, values["text"], values["at"], attributes), note,
        ),
    )  # fmt: skip
    if new_elements is not None:
        element_rows.replace_all(connection, note, new_elements, lasting=before.lasts)
    if values["text"] != before.text:
        note_validity.retold(connection, note)
        merge_queue.demand(connection, note, before.kind)
        replay_queue.demand(connection, note, before.kind, before.epoch)
    masked_indexing.retell(connection, note, before.indexed, now_exp)
    record(connection, now, "note_updated", note, {"version": before.version + 1})
    return note_rows.get(connection, note)


def set_pinned(connection: Connection, note: int, pinned: bool, now: int, now_exp: int) -> Note:
    """Pin or unpin a note. A pinned one shows whole; one that is unpinned begins to fade now."""
    before = note_rows.get(connection, note)
    connection.execute("UPDATE note SET pinned = ? WHERE id = ?", (pinned, note))
    if pinned != before.pinned:
        element_rows.set_lasting(connection, note, now_exp, lasting=lasts(before.kind, pinned=pinned))
        masked_indexing.refresh(connection, [note], now_exp)
    record(connection, now, "note_pinned" if pinned else "note_unpinned", note, {})
    return note_rows.get(connection, note)


def bury(connection: Connection, note: int, reason: str, now: int, purge_at: int) -> None:
    """Set the tombstone of a note, in the place of one that it has."""
    connection.execute(
        "INSERT OR REPLACE INTO tombstone (kind, item, reason, strength, forgotten_at, purge_at) "
        "VALUES ('note', ?, ?, NULL, ?, ?)",
        (note, reason, now, purge_at),
    )


def forget(connection: Connection, note: int, *, reason: str, now: int, purge_at: int) -> bool:
    """Hide a note behind a tombstone at once; False if it was forgotten already."""
    before = note_rows.get(connection, note)
    if before.lifecycle == note_rows.FORGOTTEN:
        return False
    connection.execute("UPDATE note SET lifecycle = 'forgotten' WHERE id = ?", (note,))
    element_rows.unknown(connection, note)
    fts.remove(connection, "note", note, before.indexed)
    vectors.remove(connection, "note", note)
    bury(connection, note, reason, now, purge_at)
    record(connection, now, "note_forgotten", note, {"reason": reason})
    return True


def restore(connection: Connection, note: int, *, now: int, now_exp: int, due_check: int) -> bool:
    """Bring a forgotten note back with a fresh grace period; False if it was not forgotten."""
    before = note_rows.get(connection, note)
    if before.lifecycle != note_rows.FORGOTTEN:
        return False
    connection.execute("UPDATE note SET created_exp = ?, due_check = ? WHERE id = ?", (now_exp, due_check, note))
    _find_again(connection, before, now_exp)
    record(connection, now, "note_restored", note, {})
    return True


def bring_back(connection: Connection, note: int, *, now: int, now_exp: int) -> None:
    """Bring back a note that was forgotten by mistake, as old as it is."""
    before = note_rows.get(connection, note)
    if before.lifecycle == note_rows.FORGOTTEN:
        _find_again(connection, before, now_exp)
        record(connection, now, "note_restored", note, {"reason": "clock"})


def come_apart(connection: Connection, note: int, *, now: int, now_exp: int) -> None:
    """Bring back a note that had gone into another, as it was."""
    before = note_rows.get(connection, note)
    if before.lifecycle == note_rows.FORGOTTEN:
        _find_again(connection, before, now_exp)
        record(connection, now, "note_restored", note, {"reason": "parted"})


def _find_again(connection: Connection, note: Note, now_exp: int) -> None:
    connection.execute("UPDATE note SET lifecycle = 'consolidated' WHERE id = ?", (note.id,))
    connection.execute("DELETE FROM tombstone WHERE kind = 'note' AND item = ?", (note.id,))
    fts.put(connection, "note", note.id, tokens.index_text(note.indexed))
    embedding_backlog.enqueue(connection, [("note", note.id, "self")])
    masked_indexing.refresh(connection, [note.id], now_exp)


def purge(connection: Connection, note: int) -> None:
    """Remove a note for good, with its versions, elements, sources and links; one that lives is in no index either."""
    before = note_rows.get(connection, note)
    if before.lifecycle != note_rows.FORGOTTEN:
        fts.remove(connection, "note", note, before.indexed)
    vectors.remove(connection, "note", note)
    for table in ("note_version", "note_source", "element"):
        connection.execute(f"DELETE FROM {table} WHERE note = ?", (note,))
    connection.execute("DELETE FROM recall_hit WHERE kind = 'note' AND item = ?", (note,))
    connection.execute("DELETE FROM plan_cut WHERE by = ?", (note,))
    connection.execute(
        "DELETE FROM tombstone WHERE (kind = 'note' AND item = ?) OR "
        "(kind = 'link' AND item IN (SELECT id FROM link WHERE src = ? OR dst = ?))",
        (note, note, note),
    )
    connection.execute(
        "DELETE FROM history WHERE item = ? OR item IN (SELECT 'l' || id FROM link WHERE src = ? OR dst = ?)",
        (public_id("n", note), note, note),
    )
    connection.execute("DELETE FROM note WHERE id = ?", (note,))


def history(
    connection: Connection, note: int, scope: Scope = WHOLE
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(former versions, what happened), both oldest first; of versions the latest that make a page."""
    note_rows.get(connection, note, scope)
    rows = connection.execute(
        "SELECT version, body, reason, replaced_at FROM note_version WHERE note = ? ORDER BY version DESC", (note,)
    )
    latest = read_page(rows, lambda row: len(row[1].encode()))
    versions = [
        {**json.loads(body), "version": version, "reason": reason, "replaced_at": replaced_at}
        for version, body, reason, replaced_at in reversed(latest)
    ]
    acts = [
        {"at": at, "action": action, "detail": _with_ids(json.loads(detail))}
        for at, action, detail in connection.execute(
            "SELECT at, action, detail FROM history WHERE item = ? ORDER BY id", (public_id("n", note),)
        )
    ]
    return versions, acts


def _with_ids(detail: dict[str, Any]) -> dict[str, Any]:
    """What is kept of an act, with the notes that it names known for ids again."""
    return detail | {name: ItemId(detail[name]) for name in ("by", "note") if isinstance(detail.get(name), str)}


def touch_recalled(connection: Connection, ids: Iterable[int], now_exp: int) -> None:
    connection.executemany(
        "UPDATE note SET recalls = recalls + 1, recalled_exp = ? WHERE id = ?", [(now_exp, note) for note in ids]
    )


def keep_version(connection: Connection, note: Note, reason: str, now: int) -> None:
    """Keep what a note is until now, because it changes for this reason."""
    body = {
        "text": note.text, "at": note.at, "importance": note.importance, "valence": note.valence,
        "tags": note.tags, "attributes": note.attributes, "entities": note.entities, "fidelity": note.fidelity,
        "speaker": note.speaker, "at_parts": note.at_parts,
    }  # fmt: skip
    connection.execute(
        "INSERT INTO note_version (note, version, body, reason, replaced_at) VALUES (?, ?, ?, ?, ?)",
        (note.id, note.version, dump_json(body), reason, now),
    )


def record(connection: Connection, now: int, action: str, note: int, detail: dict[str, Any]) -> None:
    """Enter in the history what happened to a note."""
    connection.execute(
        "INSERT INTO history (at, action, item, detail) VALUES (?, ?, ?, ?)",
        (now, action, public_id("n", note), dump_json(detail)),
    )
