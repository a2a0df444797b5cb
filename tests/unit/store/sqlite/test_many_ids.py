"""Readers of many rows at once: more ids than SQLite binds variables make no difference, and no table is walked.

Nor is there a statement for each number of ids: a connection keeps the last 256, one of 20,000 variables takes 3 MB.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from learning_bench import NOW, furnish
from soulmem.core.details.rehearsal import RETURNED
from soulmem.store.conversation_state import audience
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import graph_sync, link_memory, link_rows
from soulmem.store.index import fts, vectors
from soulmem.store.messages import conversations, message_index_rows, message_log, rolling_summaries
from soulmem.store.notes import element_rows, masked_indexing, note_index_rows, note_rows, note_writes, rehearsal_writes
from soulmem.store.recalls import stream_rows
from soulmem.store.revision import tombstones
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import rendered_notes

MANY = range(1, 33_001)
FEW = range(1, 7)
FINGERPRINT = "f0"
OURS = Scope(frozenset({1}))

Reader = Callable[[Connection, Sequence[int]], Any]
READERS: dict[str, Reader] = {
    "notes.get_many": note_rows.get_many,
    "notes.get_many scoped": lambda c, ids: note_rows.get_many(c, ids, OURS),
    "notes.sources_of": lambda c, ids: {note: found for note, found in note_rows.sources_of(c, ids).items() if found},
    "searched.index_rows": note_index_rows.index_rows,
    "glances.of_notes": rendered_notes.previews,
    "links.get_many": link_rows.get_many,
    "links.of_notes": link_rows.of_notes,
    "links.of_notes scoped": lambda c, ids: link_rows.of_notes(c, ids, OURS),
    "messages.get_many": message_log.get_many,
    "messages.of_seqs": lambda c, ids: message_log.of_seqs(c, 1, ids),
    "messages.index_rows": lambda c, ids: message_index_rows.index_rows(c, hide_consolidated=True, ids=ids),
    "messages.around": lambda c, ids: sorted(message_index_rows.around(c, ids, reach=1)),
    "messages.words_of": message_log.words_of,
    "vectors.own": lambda c, ids: vectors.own(c, FINGERPRINT, ids),
    "elements.of_notes": lambda c, ids: {note: found for note, found in element_rows.of_notes(c, ids).items() if found},
    "tombstones.of_notes": tombstones.of_notes,
    "showing.refresh": lambda c, ids: masked_indexing.refresh(c, ids, NOW),
    "rehearsing.rehearse": lambda c, ids: rehearsal_writes.rehearse(c, dict.fromkeys(ids, RETURNED), NOW),
    "graph_rows.neighbourhood": lambda c, ids: sorted(graph_sync.neighbourhood(c, ids), key=lambda link: link.id),
    "link_memory.of_links": lambda c, ids: link_memory.of_links(c, FINGERPRINT, ids),
    "stream.of_ids": stream_rows.of_ids,
    "scope.homes": audience.homes,
    "summaries.current": rolling_summaries.current,
    "search.find": lambda c, ids: fts.find(c, "note", "note 笔记", 10, WHOLE, among=ids),
}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    path = tmp_path / "a.db"
    opened = driver.writer(path)()
    migrations.migrate(opened, path, "mind")
    vectors.ensure_index(opened, FINGERPRINT, 2)
    furnish(opened)
    conversations.ensure_conversation(opened, "main", NOW)
    for seq in FEW:
        words = (1, seq, f"m{seq}", f"message {seq} 消息", NOW, NOW, b"")
        opened.execute(
            "INSERT INTO message (conversation, seq, client_id, content, at, arrived_at, hash, role, speaker, epoch, "
            "tokens, terms, request_hash) VALUES (?, ?, ?, ?, ?, ?, ?, 'user', 'Ann', 1, 3, x'', x'')",
            words,
        )
        opened.execute("INSERT INTO note_source (note, position, message, quote) VALUES (?, 0, ?, NULL)", (seq, seq))
    note_writes.forget(opened, 6, reason="client", now=NOW, purge_at=NOW + 1)
    yield opened
    opened.close()


@pytest.mark.thorough
@pytest.mark.parametrize("name", READERS)
def test_more_ids_than_variables_are_read(connection: Connection, name: str) -> None:
    read = READERS[name]
    assert read(connection, list(MANY)) == read(connection, list(FEW))


@pytest.mark.parametrize("name", [name for name in READERS if not name.startswith(("search", "showing", "rehears"))])
def test_only_the_rows_that_are_asked_for_are_looked_at(connection: Connection, name: str) -> None:
    seen: list[str] = []
    connection.set_trace_callback(seen.append)
    READERS[name](connection, list(FEW))
    connection.set_trace_callback(None)
    for statement in seen:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()]
        walked = [
            step for step in plan if step.startswith("SCAN") and "json_each" not in step and "CONSTANT" not in step
        ]
        assert not walked, f"{statement}: {plan}"


def _statements(connection: Connection, read: Reader, ids: Sequence[int]) -> set[str]:
    """The texts of the statements that a reader needs, whatever their variables are bound to."""
    seen: list[str] = []
    connection.set_trace_callback(seen.append)
    read(connection, ids)
    connection.set_trace_callback(None)
    return {re.sub(r"\b\d+\b", "?", re.sub(r"'\[[^']*\]'", "?", statement)) for statement in seen}


@pytest.mark.parametrize("name", READERS)
def test_no_number_of_ids_has_a_statement_of_its_own(connection: Connection, name: str) -> None:
    read = READERS[name]
    few, more = (_statements(connection, read, list(FEW)[:count]) for count in (4, 5))
    assert few == more
