"""Readers of many rows at once: more ids than SQLite binds variables make no difference, and no table is walked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from learning_bench import NOW, furnish
from soulmem.core.rehearsal import RETURNED
from soulmem.store import (
    driver,
    elements,
    glances,
    graph_rows,
    link_memory,
    links,
    messages,
    migrations,
    note_life,
    notes,
    rehearsing,
    scope,
    search,
    searched,
    showing,
    stream,
    tombstones,
    vectors,
)
from soulmem.store.driver import Connection
from soulmem.store.scope import WHOLE, Scope

MANY = range(1, 40_001)
FEW = range(1, 7)
FINGERPRINT = "f0"
OURS = Scope(frozenset({1}))

Reader = Callable[[Connection, Sequence[int]], Any]
READERS: dict[str, Reader] = {
    "notes.get_many": notes.get_many,
    "notes.get_many scoped": lambda c, ids: notes.get_many(c, ids, OURS),
    "notes.sources_of": lambda c, ids: {note: found for note, found in notes.sources_of(c, ids).items() if found},
    "searched.index_rows": searched.index_rows,
    "glances.of_notes": glances.of_notes,
    "links.get_many": links.get_many,
    "links.of_notes": links.of_notes,
    "links.of_notes scoped": lambda c, ids: links.of_notes(c, ids, OURS),
    "messages.get_many": messages.get_many,
    "messages.of_seqs": lambda c, ids: messages.of_seqs(c, 1, ids),
    "messages.index_rows": lambda c, ids: messages.index_rows(c, hide_consolidated=True, ids=ids),
    "messages.around": lambda c, ids: sorted(messages.around(c, ids, reach=1)),
    "messages.words_of": messages.words_of,
    "vectors.own": lambda c, ids: vectors.own(c, FINGERPRINT, ids),
    "elements.of_notes": lambda c, ids: {note: found for note, found in elements.of_notes(c, ids).items() if found},
    "tombstones.of_notes": tombstones.of_notes,
    "showing.refresh": lambda c, ids: showing.refresh(c, ids, NOW),
    "rehearsing.rehearse": lambda c, ids: rehearsing.rehearse(c, dict.fromkeys(ids, RETURNED), NOW),
    "graph_rows.neighbourhood": lambda c, ids: sorted(graph_rows.neighbourhood(c, ids), key=lambda link: link.id),
    "link_memory.of_links": lambda c, ids: link_memory.of_links(c, FINGERPRINT, ids),
    "stream.of_ids": stream.of_ids,
    "scope.homes": scope.homes,
    "search.find": lambda c, ids: search.find(c, "note", "note 笔记", 10, WHOLE, among=ids),
}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    path = tmp_path / "a.db"
    opened = driver.writer(path)()
    migrations.migrate(opened, path, "mind")
    vectors.ensure_index(opened, FINGERPRINT, 2)
    furnish(opened)
    messages.ensure_conversation(opened, "main", NOW)
    for seq in FEW:
        words = (1, seq, f"m{seq}", f"message {seq} 消息", NOW, NOW, b"")
        opened.execute(
            "INSERT INTO message (conversation, seq, client_id, content, at, arrived_at, hash, role, speaker, epoch, "
            "tokens, terms, request_hash) VALUES (?, ?, ?, ?, ?, ?, ?, 'user', 'Ann', 1, 3, x'', x'')",
            words,
        )
        opened.execute("INSERT INTO note_source (note, position, message, quote) VALUES (?, 0, ?, NULL)", (seq, seq))
    note_life.forget(opened, 6, reason="client", now=NOW, purge_at=NOW + 1)
    yield opened
    opened.close()


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
