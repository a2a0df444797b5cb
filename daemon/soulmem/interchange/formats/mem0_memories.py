"""What Mem0 remembers: a saved `get_all`, what its vector store keeps, or its `history.db`.

A memory becomes a note in its own words that Mem0's classes over this daemon find under the same ids of user, agent and
run. Of a history only what holds at its end is read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from soulmem.interchange.reading import json_pieces, written_times
from soulmem.interchange.reading.byte_sources import ByteSource, UnreadableError
from soulmem.interchange.records import LeftOut, Noted, Record, Wishes, given, label
from soulmem.mem0.input_errors import Mem0ValidationError
from soulmem.mem0.kept_metadata import NAME, checked_day, checked_metadata
from soulmem.mem0.scope_ids import KEYS, conversation_of, scope_of

SQLITE = b"SQLite format 3\x00"
_TEXT_BYTES = 256 * 1024
_OWN = {*KEYS, "data", "hash", "created_at", "updated_at", "actor_id", "role", "text_lemmatized", "attributed_to",
        "expiration_date"}  # fmt: skip


def recognises(first: Any) -> bool:
    """Whether a list of memories begins so, or this is an object that holds one."""
    if not isinstance(first, dict):
        return False
    results = first.get("results", first.get("memories"))
    if isinstance(results, list):
        return not results or recognises(results[0])
    payload = first.get("payload") if isinstance(first.get("payload"), dict) else first
    assert isinstance(payload, dict)
    known = {"id", "hash", "created_at", *KEYS} & {*first, *payload}
    return isinstance(payload.get("memory", payload.get("data")), str) and len(known) > 0


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    head = source.head()
    if head.startswith(SQLITE):
        yield from _history(source, wishes)
    elif head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[":
        with source.open() as stream:
            for item in json_pieces.items(stream):
                try:
                    found = json_pieces.parsed(item.data or b"")
                except ValueError:
                    found = None
                yield _memory(f"memory {item.number}", found, wishes)
    else:
        found = json_pieces.whole(source)
        listed = found.get("results", found.get("memories", [found])) if isinstance(found, dict) else None
        for number, each in enumerate(listed if isinstance(listed, list) else [], 1):
            yield _memory(f"memory {number}", each, wishes)


def _memory(place: str, found: Any, wishes: Wishes) -> Record:
    if not isinstance(found, dict):
        return LeftOut(place, "a memory that cannot be read", is_fault=True)
    payload = found.get("payload")
    about: dict[str, Any] = payload if isinstance(payload, dict) else found
    text = about.get("memory", about.get("data"))
    metadata = about.get("metadata")
    if about is not found or "data" in about:
        metadata = {name: value for name, value in about.items() if name not in _OWN and name not in ("id", "metadata")}
    return _note(place, str(found.get("id") or about.get("hash") or ""), text, about, metadata, wishes)


def _note(place: str, own: str, text: object, about: dict[str, Any], metadata: object, wishes: Wishes) -> Record:
    if not isinstance(text, str) or not text.strip():
        return LeftOut(place, "a memory without words")
    if len(text.encode("utf-8", "replace")) > _TEXT_BYTES:
        return LeftOut(place, "a memory longer than 256 KiB", is_fault=True)
    try:
        scope = scope_of({key: about.get(key) for key in KEYS})
        kept = given(
            scope=scope or None,
            metadata=checked_metadata(metadata) or None,
            role=label(about.get("role")),
            actor_id=label(about.get("actor_id")),
            expiration_date=checked_day(str(day)[:10]) if (day := about.get("expiration_date")) else None,
        )
    except Mem0ValidationError:
        return LeftOut(place, "a memory whose ids or metadata cannot be kept", is_fault=True)
    at = written_times.iso(about.get("created_at")) or wishes.at
    conversation = wishes.conversation or (conversation_of(scope) if scope else None)
    kept |= given(timestamp=at)
    note = given(kind="semantic", text=text, at=at, conversation=conversation, attributes={NAME: kept} if scope else {})
    return Noted(place, f"mem0 {own or text}", note)


def _history(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    """What holds at the end of a history: the last words of each memory that was not deleted."""
    if not source.is_file:
        message = "a database within an archive is not read: unpack it first"
        raise UnreadableError(message)
    with source.open() as stream:
        path = Path(str(stream.name)).resolve()
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        message = "another program has the database open, or left it open: close it there first"
        raise UnreadableError(message)
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            columns = {name for (name,) in connection.execute("SELECT name FROM pragma_table_info('history')")}
            if not {"memory_id", "new_memory", "event"} <= columns:
                message = "it is a database of another program: no table `history` as Mem0 has it"
                raise UnreadableError(message)
            wanted = [each if each in columns else "NULL" for each in ("created_at", "actor_id", "role")]
            rows = connection.execute(
                f"SELECT memory_id, event, new_memory, min(created_at) OVER (PARTITION BY memory_id), "
                f"{', '.join(wanted[1:])}, row_number() OVER (PARTITION BY memory_id ORDER BY rowid DESC) AS place "
                "FROM history ORDER BY rowid"
            )
            for own, event, text, created, actor, role, rank in rows:
                place = f"memory {str(own)[:80]}"
                if rank == 1 and event == "DELETE":
                    yield LeftOut(place, "a memory that was deleted there")
                elif rank == 1:
                    about = {"created_at": created, "actor_id": actor, "role": role}
                    yield _note(place, str(own), text, about, None, wishes)
    except sqlite3.DatabaseError as error:
        message = f"the database cannot be read: {error}"
        raise UnreadableError(message) from error
