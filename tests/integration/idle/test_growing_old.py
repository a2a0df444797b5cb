"""A mind that grows older takes no more than it must: space is given back, and looks into it stay short."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from test_storage_maintenance import evening

from mind_bench import hosted
from soulmem.store.index import embedding_backlog, vectors
from soulmem.store.index.embedding_backlog import Pending
from soulmem.store.messages import message_log
from soulmem.store.sqlite import driver, migrations, vacuum
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import served_texts


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with closing(driver.writer(tmp_path / "a.db")()) as opened:
        migrations.migrate(opened, tmp_path / "a.db", "mind")
        yield opened


def test_the_gaps_of_the_vector_index_are_closed(connection: Connection) -> None:
    """One note in each chunk would keep them all."""
    vectors.ensure_index(connection, "f0", 4)
    count, kept = 5_000, set(range(1, 5_001, 500))
    chance = np.random.default_rng(3)
    asked = [Pending("note", note, "self", 1) for note in range(1, count + 1)]
    connection.execute("BEGIN")
    embedding_backlog.enqueue(connection, [(each.kind, each.item, each.variant) for each in asked])
    vectors.put(connection, "f0", [(each, chance.standard_normal(4, dtype=np.float32)) for each in asked])
    for note in range(1, count + 1):
        if note not in kept:
            vectors.remove(connection, "note", note)
    connection.execute("COMMIT")
    question = chance.standard_normal(4, dtype=np.float32)
    before = vectors.nearest(connection, "f0", question, 20, kind="note")
    assert connection.execute("SELECT count(*) FROM vec_f0_chunks").fetchone()[0] == 5
    steps = 0
    while rows := vectors.thin(connection, "f0", 2):
        assert len(rows) <= 2
        vectors.gather(connection, "f0", rows)
        steps += 1
    assert steps
    assert connection.execute("SELECT count(*) FROM vec_f0_chunks").fetchone()[0] <= 2
    assert vectors.nearest(connection, "f0", question, 20, kind="note") == before
    assert {item for item, _ in before} == kept


def test_a_file_that_is_mostly_free_gets_smaller(connection: Connection, tmp_path: Path) -> None:
    for number in range(3_000):
        connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (f"k{number}", "x" * 3_500))
    assert vacuum.spare_pages(connection, 64) == 0
    connection.execute("DELETE FROM meta WHERE key GLOB 'k*' AND key NOT GLOB 'k*7'")
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    while part := vacuum.spare_pages(connection, 64):
        connection.execute("BEGIN IMMEDIATE")
        vacuum.give_back(connection, part)
        connection.execute("COMMIT")
    left = connection.execute("PRAGMA page_count").fetchone()[0]
    assert left < pages / 2
    assert connection.execute("SELECT count(*) FROM meta WHERE key GLOB 'k*'").fetchone()[0] == 300
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_a_new_file_can_give_space_back_and_opening_it_again_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(driver.writer(path)()) as opened:
        migrations.migrate(opened, path, "mind")
        assert opened.execute("PRAGMA auto_vacuum").fetchone()[0] == 2
    before = path.read_bytes()
    with closing(driver.writer(path)()) as opened:
        assert opened.execute("PRAGMA auto_vacuum").fetchone()[0] == 2
    assert path.read_bytes() == before


def test_a_file_of_before_is_left_as_large_as_it_is(tmp_path: Path) -> None:
    with closing(driver.writer(tmp_path / "a.db")()) as opened:
        opened.execute("PRAGMA auto_vacuum = 0")
        opened.execute("VACUUM")
        opened.execute("CREATE TABLE t (x)")
        opened.executemany("INSERT INTO t VALUES (zeroblob(4000))", [()] * 2_000)
        opened.execute("DELETE FROM t")
        assert opened.execute("PRAGMA freelist_count").fetchone()[0] > 1_024
        assert vacuum.spare_pages(opened, 64) == 0


# -- what must not cost more as a mind grows older ------------------------------------------------------------------


async def test_no_look_at_what_was_handed_out_walks_through_the_conversation(tmp_path: Path) -> None:
    """Without statistics SQLite takes a conversation for a few messages and would begin with all of them."""
    async with hosted(tmp_path / "a.db") as host:
        await evening(host, 6, "first")

        def plans(connection: Connection) -> list[str]:
            asked: list[str] = []
            connection.set_trace_callback(asked.append)
            served_texts._last_sources(connection, 1, list(range(1, 301)))
            message_log.of_epoch(connection, 1, 1)
            message_log.mood_of_epoch(connection, 1, 1)
            message_log.count(connection)
            connection.set_trace_callback(None)
            return [step[3] for query in asked for step in connection.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()]

        steps = await host.mind.memory.database.read(plans)
        assert any("message_apart" in step for step in steps)
        walks = ("(conversation=?)", "message_pos (conversation=?")
        assert not [step for step in steps if step == "SCAN message" or any(walk in step for walk in walks)]


def test_where_a_summary_ends_is_found_at_once(connection: Connection) -> None:
    """However much was said before it in its conversation."""
    steps = []
    connection.execute("INSERT INTO conversation (id, name, created_at) VALUES (1, 'main', 0)")
    connection.set_progress_handler(lambda: steps.append(1), 10)
    for covers in (10, 2_000):
        connection.executemany(
            "INSERT OR IGNORE INTO message (conversation, seq, pos, client_id, role, speaker, content, at, "
            "arrived_at, epoch, tokens, terms, request_hash, hash) "
            "VALUES (1, ?, ?, ?, 'user', 'x', 'y', 0, 0, 1, 1, x'', x'', x'')",
            [(2 * pos, pos, f"m{pos}") for pos in range(1, covers + 1)],
        )
        connection.execute("DELETE FROM summary")
        connection.execute("INSERT INTO summary VALUES (1, 1, 1, 'It rained.', '[]', ?, 0, x'')", (covers,))
        steps.clear()
        assert [text.after for text in served_texts._summary(connection, 1, 1)] == [2 * covers]
        assert len(steps) < 30


async def test_messages_are_counted_as_they_are_told(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db", window__capacity=2) as host:
        await evening(host, 6, "first")
        await host.mind.amend("main", "m1", "Something else was said.", key=None, keep_notes=True)
        await host.mind.amend("main", "m2", None, key=None, keep_notes=True)
        assert await host.rows("SELECT count(*) FROM message WHERE role = 'correction'") == [(2,)]
        assert (await host.mind.workers.counts()).messages == 5
