"""Digested messages leave the search indexes of a mind that does not search them, and come back when it does."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from mind_bench import Host, hosted
from soulmem.core.search.index_columns import ItemKind
from soulmem.ports import FloatVector
from soulmem.store.conversation_state import window_state
from soulmem.store.index import embedding_backlog, vectors
from soulmem.store.messages import index_eviction, message_index_rows
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.session.verify import damages
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection
from soulmem.working.recall import disk_search
from soulmem.working.recall.recall_request import RecallRequest

SAID = ("My sister Ines moved from Porto to Ghent.", "她在那里教大提琴。", "The ferry was late again on Friday.")
INDEXED = "SELECT rowid FROM message_search UNION ALL SELECT item FROM search_pending ORDER BY 1"
EMBEDDED = "SELECT DISTINCT item FROM vector WHERE kind = 'message' ORDER BY item"


async def become(host: Host, *, searched: bool) -> None:
    who = host.mind.memory.who
    await host.mind.life.become(replace(who, settings={**who.settings, "recall.digested_messages": searched}))


async def settled(host: Host) -> None:
    with anyio.fail_after(30):
        await host.mind.workers.wait_settled()


async def found(host: Host, query: str) -> list[str]:
    """The raw messages that a query brings back."""
    wanted = RecallRequest(query, 10, kinds=frozenset({"message"}))
    answer = await host.mind.recall(wanted, [], record=False, explained=False)
    return [item["text"] for item in answer["items"]]


async def near(host: Host, text: str) -> list[int]:
    """The messages that the vector index has near a text."""
    vector: FloatVector = await host.mind.world.embedding.embed_now(text)
    fingerprint = host.mind.memory.fingerprint

    def look(connection: Connection) -> list[int]:
        return [item for item, _ in vectors.nearest(connection, fingerprint, vector, 10, kind="message")]

    return await host.mind.memory.database.read(look)


def check_index(connection: Connection) -> None:
    connection.execute("INSERT INTO message_search (message_search) VALUES ('integrity-check')")


async def digested(host: Host) -> None:
    for text in SAID:
        await host.hear(text)
    await host.mind.life.sleep(None, wait=True)
    await settled(host)


async def test_what_is_digested_is_in_no_index_and_its_text_stays(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        for text in SAID:
            await host.hear(text)
        await settled(host)
        assert [row[0] for row in await host.rows(INDEXED)] == [1, 2, 3]
        assert [row[0] for row in await host.rows(EMBEDDED)] == [1, 2, 3]
        await host.mind.life.sleep(None, wait=True)
        await settled(host)
        assert await host.rows(INDEXED) == await host.rows(EMBEDDED) == []
        assert await host.rows("SELECT 1 FROM embed_pending") == []
        assert await near(host, SAID[0]) == []
        assert await host.rows("SELECT count(*) FROM message_search_data") == [(2,)], "nothing is left behind"
        assert [row[0] for row in await host.rows("SELECT content FROM message ORDER BY id")] == list(SAID)
        assert await host.rows("SELECT 1 FROM note_search LIMIT 1"), "notes are found as before"
        assert await host.rows("SELECT 1 FROM vector WHERE kind = 'note' LIMIT 1")
        assert damages(host.mind.memory.database.path) == []


@pytest.mark.parametrize("rows_in_ram", [300_000, 0])
async def test_it_comes_back_by_words_and_by_meaning_and_goes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_in_ram: int
) -> None:
    monkeypatch.setattr(disk_search, "WHOLE", 0)  # on disk, only what the indexes bring up is looked at
    async with hosted(tmp_path / "a.db") as host:
        await digested(host)
    async with hosted(tmp_path / "a.db", memory__max_rows_in_ram=rows_in_ram) as host:
        await host.mind.memory.index_ready.wait()
        assert (host.mind.memory.index is None) == (rows_in_ram == 0)
        for _ in range(3):
            assert await found(host, "sister Ines in Ghent") == []
            await become(host, searched=True)
            await settled(host)
            assert SAID[0] in await found(host, "sister Ines in Ghent")
            assert SAID[1] in await found(host, "大提琴")
            assert sorted(await near(host, SAID[2])) == [1, 2, 3]
            assert [row[0] for row in await host.rows(INDEXED)] == [1, 2, 3]
            assert damages(host.mind.memory.database.path) == []
            await become(host, searched=False)
            await settled(host)
            assert await host.rows(INDEXED) == await host.rows(EMBEDDED) == []
            assert damages(host.mind.memory.database.path) == []


async def test_a_mind_that_searches_digested_messages_keeps_them(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db", recall__digested_messages=True) as host:
        await digested(host)
        assert [row[0] for row in await host.rows(INDEXED)] == [1, 2, 3]
        assert [row[0] for row in await host.rows(EMBEDDED)] == [1, 2, 3]
        assert SAID[0] in await found(host, "sister Ines in Ghent")


async def test_what_is_on_the_shelf_is_edited_and_deleted_like_any_other(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await digested(host)
        await host.mind.amend("main", "m1", "My brother Ivo moved to Bruges.", key=None)
        await host.mind.amend("main", "m2", None, key=None)
        await host.mind.amend("main", "m3", None, key=None, keep_notes=True)
        await host.mind.amend("main", "m3", "The tram was late.", key=None)
        await host.mind.life.wait_digested()  # what was changed is searched itself until its notes are there
        await settled(host)
        assert await host.rows(INDEXED) == await host.rows(EMBEDDED) == []
        assert damages(host.mind.memory.database.path) == []
        await become(host, searched=True)
        await settled(host)
        assert "My brother Ivo moved to Bruges." in await found(host, "brother Ivo in Bruges")
        assert SAID[1] not in await found(host, "大提琴")
        assert "The tram was late." in await found(host, "tram")
        assert [row[0] for row in await host.rows(EMBEDDED)] == [1, 3]
        assert damages(host.mind.memory.database.path) == []


async def test_a_talk_under_way_stays_in_the_indexes(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await digested(host)
        await host.hear("The harbour smells of tar today.")
        await settled(host)
        assert [row[0] for row in await host.rows(INDEXED)] == [4]
        assert [row[0] for row in await host.rows(EMBEDDED)] == [4]
        assert "The harbour smells of tar today." in await found(host, "tar in the harbour")
        index = host.mind.memory.index
        assert index is not None
        assert (ItemKind.MESSAGE, 1) not in index


async def test_another_embedder_embeds_only_what_is_searched(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with hosted(path) as host:
        await digested(host)
        await host.hear("The harbour smells of tar today.")
        await settled(host)
    memory, _ = await OpenMind.open(path, fingerprint="another", dimension=8, now=host.clock.now_ms())
    try:
        waits = await memory.database.read(lambda c: c.execute("SELECT kind, item FROM embed_pending").fetchall())
    finally:
        await memory.close()
    assert {item for kind, item in waits if kind == "message"} == {4}
    assert any(kind == "note" for kind, _ in waits)


@pytest.mark.parametrize("batch", [1, 2, 5])
async def test_any_step_may_be_the_last_before_a_crash_or_a_change_of_mind(tmp_path: Path, batch: int) -> None:
    """Whatever was done half-way, whoever goes on finds a sound file and ends where he should."""
    path = tmp_path / "a.db"
    async with hosted(path, recall__digested_messages=True) as host:
        for evening in range(3):
            for turn in range(4):
                await host.hear(f"Evening {evening}, thing {turn}. 第{evening}晚，第{turn}件事。")
            await host.mind.life.sleep(None, wait=True)
        await host.mind.amend("main", "m6", None, key=None)
        await settled(host)
    chance = random.Random(batch)
    wanted = set(range(1, 13)) - {6}
    for _ in range(12):
        database = await Database.open(path, schema="mind")
        try:
            step = index_eviction.shelve if chance.random() < 0.5 else index_eviction.unshelve
            for _ in range(chance.randrange(1, 4)):
                await database.write("step", partial(step, most=batch))
                assert damages(path) == []
        finally:
            await database.close()
    for searched in (False, True):
        async with hosted(path) as host:
            await become(host, searched=searched)
            await settled(host)
            indexed = {row[0] for row in await host.rows("SELECT rowid FROM message_search")}
            embedded = {row[0] for row in await host.rows(EMBEDDED)}
            assert indexed == embedded == (wanted if searched else set())
            await host.mind.memory.database.write("check", check_index)


async def test_nothing_is_written_where_nothing_is_due(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await digested(host)
        before = await host.rows("PRAGMA data_version")
        host.mind.workers.shelving.wake()
        await settled(host)
        assert await host.rows("PRAGMA data_version") == before


async def test_a_vector_that_is_being_made_when_its_message_goes_is_not_kept(tmp_path: Path) -> None:
    """Between the reading of a text and the storing of its vector, the message was digested."""
    async with hosted(tmp_path / "a.db", works=False) as host:
        database, fingerprint = host.mind.memory.database, host.mind.memory.fingerprint
        await host.hear("The ferry was late.")
        pending = await database.read(embedding_backlog.pending, 10)
        vector = await host.mind.world.embedding.embed_now("The ferry was late.")

        def digest(connection: Connection) -> None:
            window_state.consolidate(connection, 1, 1, host.clock.now_ms())
            index_eviction.shelve(connection, 10)

        await database.write("digest", digest)
        await database.write("put", lambda connection: vectors.put(connection, fingerprint, [(pending[0], vector)]))
        assert await host.rows(EMBEDDED) == []


async def test_index_rows_of_messages_do_not_depend_on_the_shelf(tmp_path: Path) -> None:
    """The words of a message stay in its row: a mind in memory finds it at once when it is searched again."""
    async with hosted(tmp_path / "a.db") as host:
        await digested(host)

        def rows(connection: Connection) -> list[Any]:
            return list(message_index_rows.index_rows(connection, hide_consolidated=False))

        assert [row.id for row in await host.mind.memory.database.read(rows)] == [1, 2, 3]
        assert all(len(row.terms) >= 4 for row in await host.mind.memory.database.read(rows))
