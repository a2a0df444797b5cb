"""Recall by kinds and tags: what bears a rare one is found however many others fit the question better."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mind_bench import NOW, Host, hosted
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.search.index_columns import ItemKind
from soulmem.store.index import embedding_backlog, vectors
from soulmem.store.notes import note_index_rows, note_writes
from soulmem.store.sqlite.driver import Connection
from soulmem.working.recall.recall_request import RecallRequest

CROWD = 4_200  # more than a search on disk reads in whole
QUESTION = "Where does the blue lantern hang? 蓝灯笼挂在哪里？"
FITS = "The blue lantern hangs here, number {}. 蓝灯笼挂在这里，第{}盏。"
COLOURS = ["blue", "green", "red", "amber", "white", "black", "grey"]
RARE = ["Somewhere a lantern is wrapped in paper. 某处有一盏灯笼。", "A lantern, unlit. 没点的灯笼。"]


def crowd(connection: Connection) -> None:
    for number in range(CROWD):
        text = FITS.format(number, number)
        tags = ("port", 'a "lamp" 灯') if number % 2 else ("port",)
        note_writes.insert(connection, note_writes.NewNote(NoteKind.SEMANTIC, text, NOW, NOW, NOW, None, tags=tags))


async def fill(path: Path) -> None:
    """A mind with a crowd, written once for all tests: each has a copy."""
    async with hosted(path, works=False) as host:
        await host.mind.memory.database.write("crowd", crowd)
        for text in RARE:
            await host.note(text, tags=("smuggler's 走私", "port"))
        await host.note(RARE[1], "reflection", tags=("port",))
        await host.hear(FITS.format("x", "x"), id="said")


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("narrow") / "crowd.db"
    asyncio.run(fill(path))
    return path


@pytest.fixture(scope="module", params=["memory", "disk"])
def told(request: pytest.FixtureRequest, crowded: Path) -> Path:
    return Path(shutil.copy(crowded, crowded.with_name(f"{request.param}.db")))


async def found(host: Host, **wanted: Any) -> list[int]:
    brought = await host.mind.workers.recalling.search(RecallRequest(QUESTION, 10, min_score=0.0, **wanted))
    return [hit.key for hit in brought.hits if hit.kind is ItemKind.NOTE]


def rows_in_ram(path: Path) -> int:
    return 0 if path.stem == "disk" else 1_000_000


async def test_a_rare_tag_or_kind_is_found_behind_all_others(told: Path) -> None:
    async with hosted(told, works=False, memory__max_rows_in_ram=rows_in_ram(told)) as host:
        assert (host.mind.memory.index is None) == (told.stem == "disk")
        one, two, mused = CROWD + 1, CROWD + 2, CROWD + 3
        assert set(await found(host, tags=frozenset({"smuggler's 走私"}))) == {one, two}
        assert set(await found(host, tags=frozenset({"smuggler's 走私", "port"}))) == {one, two}
        assert await found(host, kinds=frozenset({"reflection"})) == [mused]
        assert set(await found(host, kinds=frozenset({"reflection", "episodic"}))) == {one, two, mused}
        assert await found(host, kinds=frozenset({"reflection"}), tags=frozenset({"smuggler's 走私"})) == []
        assert await found(host, tags=frozenset({"smuggler"})) == []
        assert len(await found(host, kinds=frozenset({"note", "reflection"}))) == 10, "any note"


async def test_large_sets_are_searched_within(told: Path) -> None:
    async with hosted(told, works=False, memory__max_rows_in_ram=rows_in_ram(told)) as host:
        semantic = await found(host, kinds=frozenset({"semantic"}))
        assert len(semantic) == 10
        assert max(semantic) <= CROWD
        quoted = await found(host, tags=frozenset({'a "lamp" 灯'}))
        assert len(quoted) == 10
        assert all(note % 2 == 0 for note in quoted), "every other one bears it"
        brought = await host.mind.workers.recalling.search(
            RecallRequest(QUESTION, 10, tags=frozenset({"port"}), min_score=0.0)
        )
        assert {hit.kind for hit in brought.hits} == {ItemKind.NOTE}, "a message bears no tags"


async def test_a_crowd_of_others_does_not_hide_a_crowd(crowded: Path, tmp_path: Path) -> None:
    """On disk the words' best two hundred may all be of another kind."""

    def another(connection: Connection) -> None:
        for number in range(CROWD):
            text = f"Lantern number {number} is {COLOURS[number % 7]}."
            note_writes.insert(connection, note_writes.NewNote(NoteKind.EPISODIC, text, NOW, NOW, NOW, None))

    shutil.copy(crowded, tmp_path / "a.db")
    async with hosted(tmp_path / "a.db", works=False, memory__max_rows_in_ram=0) as host:
        await host.mind.memory.database.write("another", another)
    async with hosted(tmp_path / "a.db", works=False, memory__max_rows_in_ram=0) as host:
        assert host.mind.memory.index is None
        assert len(await found(host, kinds=frozenset({"episodic"}))) == 10


async def test_the_nearest_of_some_are_looked_for_among_those_alone(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db", works=False) as host:
        memory, rng = host.mind.memory, np.random.default_rng(7)
        drawn = rng.normal(size=(300, 256)).astype(np.float32)
        drawn /= np.linalg.norm(drawn, axis=1)[:, None]

        def store(connection: Connection) -> None:
            for vector in drawn:
                note = note_writes.insert(connection, note_writes.NewNote(NoteKind.LORE, "x", NOW, NOW, NOW, None))
                asked = embedding_backlog.Pending("note", note, "self", 1)
                vectors.put(connection, memory.fingerprint, [(asked, vector)])

        await memory.database.write("store", store)
        for among in ([], [7], list(range(1, 300, 5)), list(range(1, 301))):
            best = sorted(among, key=lambda note: -float(drawn[note - 1] @ drawn[0]))[:20]
            near = await memory.database.read(
                lambda connection, some=among: vectors.nearest(
                    connection, memory.fingerprint, drawn[0], 20, kind="note", among=some
                )
            )
            assert [note for note, _ in near] == best


async def test_kinds_in_memory_are_those_of_the_file(tmp_path: Path) -> None:
    """What is known of kinds in memory follows every write; tags are looked up without walking through all notes."""
    async with hosted(tmp_path / "a.db") as host:
        memory, notebook = host.mind.memory, host.mind.workers.notebook
        await memory.graph_ready.wait()
        made = [await host.note(f"note {kind}", kind, tags=(kind, "x")) for kind in list(NoteKind) * 2]
        await memory.database.write("forget", lambda connection: notebook.forget(connection, made[0]))
        assert memory.graph is not None
        for kinds in ([NoteKind.EPISODIC], [NoteKind.LORE, NoteKind.PLAN], list(NoteKind)):
            on_file = await memory.database.read(note_index_rows.fitting, kinds, ())
            assert sorted(memory.graph.of_kinds(kinds).tolist()) == sorted(on_file)
        assert made[0] not in on_file

        def plan(connection: Connection) -> list[str]:
            seen: list[str] = []
            connection.set_trace_callback(seen.append)
            assert set(note_index_rows.fitting(connection, ["plan"], ["x", "plan"])) == {n for n in made if n in plans}
            connection.set_trace_callback(None)
            return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {seen[0]}")]

        plans = memory.graph.of_kinds(["plan"]).tolist()
        assert "note_tagged" in (await memory.database.read(plan))[0]
