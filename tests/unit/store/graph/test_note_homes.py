"""What is hidden from an audience is known in memory, and is after every commit what a look through all notes finds."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.schema.audience import Audience
from soulmem.core.schema.note_requests import NoteKind
from soulmem.store.conversation_state.audience import NoteHomes, Scope, living_homes
from soulmem.store.graph import graph_sync
from soulmem.store.notes import note_writes
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection

NOW = 1_780_000_000_000
TALKS = 4
AUDIENCES = [frozenset[int](), *(frozenset({talk}) for talk in range(1, TALKS + 1)), frozenset({1, 3})]
NUMBERS = st.integers(0, 12)
KINDS = st.sampled_from([NoteKind.EPISODIC, NoteKind.TRIGGER])
ACTS = st.one_of(
    st.tuples(st.just("note"), KINDS, st.integers(0, TALKS), st.lists(st.integers(1, TALKS), max_size=2)),
    st.tuples(st.just("source"), NUMBERS, st.integers(1, TALKS)),
    st.tuples(st.sampled_from(["forget", "restore", "purge"]), NUMBERS),
)
MOSTLY = st.sampled_from((True, True, True, False))
TRANSACTIONS = st.lists(st.tuples(st.lists(ACTS, min_size=1, max_size=4), MOSTLY), max_size=15)


def hidden_by_looking(connection: Connection, audience: Audience) -> set[int]:
    """All living notes that a call in this scope must not see."""
    clause, values = Scope(audience).notes("n")
    rows = connection.execute(f"SELECT n.id FROM note n WHERE n.lifecycle <> 'forgotten' AND NOT ({clause})", values)
    return {row[0] for row in rows}


def do(connection: Connection, act: tuple[object, ...]) -> None:
    held = [row[0] for row in connection.execute("SELECT id FROM note ORDER BY id")]
    match act:
        case ("note", NoteKind() as kind, int() as talk, list() as heard):
            sources = tuple((message, None) for message in dict.fromkeys(heard))
            note_writes.insert(
                connection,
                NewNote(kind, "the ferry 渡船", NOW, NOW, 0, DAY_MS, conversation=talk or None, sources=sources),
            )
        case ("source", int() as number, int() as message) if held:
            note_writes.add_sources(connection, held[number % len(held)], [(message, None)])
        case ("forget", int() as number) if held:
            note_writes.forget(connection, held[number % len(held)], reason="test", now=NOW, purge_at=NOW)
        case ("restore", int() as number) if held:
            note_writes.restore(connection, held[number % len(held)], now=NOW, now_exp=0, due_check=DAY_MS)
        case ("purge", int() as number) if held:
            note_writes.purge(connection, held[number % len(held)])


@contextmanager
def book() -> Iterator[Connection]:
    """A file with one message in each of some talks."""
    with tempfile.TemporaryDirectory() as root:
        path = Path(root) / "mira.db"
        connection = driver.writer(path)()
        migrations.migrate(connection, path, "mind")
        graph_sync.prepare(connection)
        for talk in range(1, TALKS + 1):
            connection.execute("INSERT INTO conversation (id, name, created_at) VALUES (?, ?, 0)", (talk, f"t{talk}"))
            connection.execute(
                "INSERT INTO message (id, conversation, seq, client_id, role, speaker, content, at, arrived_at, epoch, "
                "tokens, terms, request_hash, hash) "
                "VALUES (?, ?, 1, 'm', 'user', 'Ann', 'x', 0, 0, 1, 1, x'', x'', x'')",
                (talk, talk),
            )
        try:
            yield connection
        finally:
            connection.close()


@pytest.mark.thorough
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(transactions=TRANSACTIONS, loaded_at=st.integers(0, 6), late=st.booleans())
def test_what_is_hidden_follows_every_commit(
    transactions: list[tuple[list[tuple[object, ...]], bool]], loaded_at: int, late: bool
) -> None:
    with book() as connection:
        homes = NoteHomes()
        read: dict[int, frozenset[int]] | None = None
        for number, (acts, kept) in enumerate(transactions):
            if number == loaded_at:
                homes.begin()
                read = living_homes(connection)
                if not late:
                    homes.take(read)
            connection.execute("BEGIN IMMEDIATE")
            for act in acts:
                do(connection, act)
            touched = graph_sync.collect(connection)
            connection.execute("COMMIT" if kept else "ROLLBACK")
            if kept and touched is not None:
                homes.follow((note.id for note in touched.notes), touched.gone_notes, touched.homes)
            if read is not None:
                homes.take(read)  # `late`: what was committed while it was read has the last word
                for audience in AUDIENCES:
                    assert homes.hidden_from(audience) == hidden_by_looking(connection, audience)


def test_what_was_told_does_not_change_beneath_whoever_asked() -> None:
    with book() as connection:
        homes = NoteHomes()
        homes.begin()
        homes.take({1: frozenset({1}), 2: frozenset({1, 2})})
        told = homes.hidden_from(frozenset({1}))
        homes.follow([1], [2], {1: frozenset({3})})
        assert (told, homes.hidden_from(frozenset({1}))) == ({2}, {1})
        assert hidden_by_looking(connection, frozenset({1})) == set()
