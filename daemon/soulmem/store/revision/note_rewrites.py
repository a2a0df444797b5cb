"""Note rewrites: a faded note whose gaps were filled takes the place of what it was (algorithms.md §7.7).

Text, elements, fidelity and indexes change in the caller's transaction, or nothing does; what the note was stays in
`note_version`. What had faded goes for good: tags, names, attributes and the time keep no more of it than showed.
Called for the fills of a model and of clients, and by `drift`. Invariant: a note that changed since it was shown is
left alone.
"""

from __future__ import annotations

import json
from typing import Any

from soulmem.core.details.elements import Element
from soulmem.core.details.field_redaction import began, said
from soulmem.core.details.reconstruction import Reconstruction
from soulmem.core.schema.blind_ids import Sentence
from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.notes import (
    element_rows,
    masked_indexing,
    merge_queue,
    note_rows,
    note_validity,
    note_writes,
    replay_queue,
)
from soulmem.store.notes.note_rows import Note
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import dump_json, public_id
from soulmem.store.views.rendered_notes import RenderedNote

KEPT_VERSIONS = 10  # of a note, beside the first: what it was when it was told


def rewrite(connection: Connection, shown: RenderedNote, made: Reconstruction, now: int, now_exp: int) -> Note | None:
    """Let the note of `shown` be what was made of it; None if it is another by now, pinned or forgotten."""
    before = unchanged(connection, shown.note)
    if before is None:
        return None
    say(connection, before, shown, made.text, "reconstructed", fidelity=made.fidelity, now=now, now_exp=now_exp)
    element_rows.replace_all(connection, before.id, made.elements, lasting=False)
    masked_indexing.retell(connection, before.id, before.indexed, now_exp)
    detail = {
        "version": before.version + 1, "blurred": made.blur_fills, "blank": made.blank_fills, "given_up": made.given_up,
    }  # fmt: skip
    note_writes.record(connection, now, "note_reconstructed", before.id, detail)
    return note_rows.get(connection, before.id)


def unchanged(connection: Connection, shown: Note) -> Note | None:
    """The note as it is now; None if it is another since it was shown, pinned or forgotten."""
    now = note_rows.get_many(connection, [shown.id]).get(shown.id)
    is_same = (
        now is not None and now.version == shown.version and now.lifecycle != note_rows.FORGOTTEN and not now.lasts
    )
    return now if is_same else None


def say(
    connection: Connection,
    before: Note,
    shown: RenderedNote,
    text: str,
    reason: str,
    *,
    fidelity: float,
    now: int,
    now_exp: int,
) -> None:
    """Let a note say `text`; elements and indexes are the caller's to bring along.

    `fidelity`: by what the note's is multiplied.
    """
    note_writes.keep_version(connection, before, reason, now)
    _drop_old(connection, before.id)
    parts = shown.withheld.known_parts(before.at)
    # What is not known stands for nothing; the beginning of what is known keeps the order.
    at = before.at if not parts else began(said(before.at, parts))
    attributes = dump_json(shown.attributes)
    connection.execute(
        "UPDATE note SET text = ?, at = ?, at_parts = ?, speaker = ?, tags = ?, entities = ?, attributes = ?, "
        "fidelity = ?, rewritten_exp = ?, version = version + 1, hash = ? WHERE id = ?",
        (
            text, at, parts, "" if shown.withheld.tells(before.speaker) else before.speaker,
            dump_json(shown.tags), dump_json(shown.entities), attributes, before.fidelity * fidelity, now_exp,
            note_rows.content_hash(before.kind, text, at, attributes), before.id,
        ),
    )  # fmt: skip


def former(connection: Connection, note: int, version: int) -> dict[str, Any]:
    """What a note was at an earlier version. Raises SoulmemError: `not_found`."""
    row = connection.execute("SELECT body FROM note_version WHERE note = ? AND version = ?", (note, version)).fetchone()
    if row is None:
        raise SoulmemError(
            ErrorName.NOT_FOUND,
            Sentence(public_id("n", note), f" has no earlier version {version}"),
            hint="note.history lists those that are kept",
        )
    body: dict[str, Any] = json.loads(row[0])
    return body


def put_back(
    connection: Connection, note: int, version: int, born: tuple[Element, ...], now: int, now_exp: int
) -> Note:
    """Let a note be again what it was at an earlier version, with fresh elements; what it is now is kept.

    Raises SoulmemError: `not_found`.
    """
    before, body = note_rows.get(connection, note), former(connection, note, version)
    note_writes.keep_version(connection, before, "restored", now)
    attributes = dump_json(body["attributes"])
    connection.execute(
        "UPDATE note SET text = ?, at = ?, at_parts = ?, speaker = ?, importance = ?, valence = ?, tags = ?, "
        "entities = ?, attributes = ?, fidelity = ?, rewritten_exp = NULL, version = version + 1, hash = ? "
        "WHERE id = ?",
        (
            body["text"], body["at"], body.get("at_parts"), body.get("speaker", before.speaker), body["importance"],
            body["valence"], dump_json(body["tags"]), dump_json(body.get("entities", before.entities)), attributes,
            body.get("fidelity", 1.0), note_rows.content_hash(before.kind, body["text"], body["at"], attributes), note,
        ),
    )  # fmt: skip
    note_validity.retold(connection, note)
    merge_queue.demand(connection, note, before.kind)
    replay_queue.demand(connection, note, before.kind, before.epoch)
    element_rows.replace_all(connection, note, born, lasting=before.lasts)
    masked_indexing.retell(connection, note, before.indexed, now_exp)
    note_writes.record(connection, now, "note_restored", note, {"version": before.version + 1, "as": version})
    return note_rows.get(connection, note)


def say_again(
    connection: Connection, before: Note, version: int, born: tuple[Element, ...], rewritten_exp: int | None, now: int,
    now_exp: int,
) -> None:  # fmt: skip
    """Let a note say again what it said at an earlier version, with these details; nothing else of it changes.

    `rewritten_exp`: when it had been put together anew before, experienced milliseconds.
    """
    body = former(connection, before.id, version)
    note_writes.keep_version(connection, before, "restored", now)
    attributes = dump_json(body["attributes"])
    connection.execute(
        "UPDATE note SET text = ?, at = ?, at_parts = ?, speaker = ?, tags = ?, entities = ?, attributes = ?, "
        "fidelity = ?, rewritten_exp = ?, version = version + 1, hash = ? WHERE id = ?",
        (
            body["text"], body["at"], body["at_parts"], body["speaker"], dump_json(body["tags"]),
            dump_json(body["entities"]), attributes, body["fidelity"], rewritten_exp,
            note_rows.content_hash(before.kind, body["text"], body["at"], attributes), before.id,
        ),
    )  # fmt: skip
    element_rows.replace_all(connection, before.id, born, lasting=before.lasts)
    masked_indexing.retell(connection, before.id, before.indexed, now_exp)
    note_writes.record(connection, now, "note_restored", before.id, {"version": before.version + 1, "as": version})


def unnamed(connection: Connection, limit: int) -> list[int]:
    """Notes with a detail that has no gist yet, because it was made up where nothing was left."""
    rows = connection.execute(
        "SELECT DISTINCT e.note FROM element e JOIN note n ON n.id = e.note WHERE e.gist = '' AND e.\"end\" > e.start "
        "AND n.rewritten_exp IS NOT NULL AND n.lifecycle <> 'forgotten' ORDER BY e.note LIMIT ?",
        (limit,),
    )
    return [row[0] for row in rows]


def name(connection: Connection, note: int, version: int, gists: dict[int, str], now_exp: int) -> Note | None:
    """Give elements of a note their gists; None if it changed since."""
    held = note_rows.get_many(connection, [note]).get(note)
    if held is None or held.version != version:
        return None
    rows = [(gist, element, note) for element, gist in gists.items() if gist]
    connection.executemany("UPDATE element SET gist = ? WHERE id = ? AND note = ? AND gist = ''", rows)
    masked_indexing.refresh(connection, [note], now_exp)
    return note_rows.get(connection, note)


def _drop_old(connection: Connection, note: int) -> None:
    """Keep the last versions and the first one."""
    connection.execute(
        "DELETE FROM note_version WHERE note = ? AND version > (SELECT min(version) FROM note_version WHERE note = ?) "
        "AND version NOT IN (SELECT version FROM note_version WHERE note = ? ORDER BY version DESC LIMIT ?)",
        (note, note, note, KEPT_VERSIONS),
    )
