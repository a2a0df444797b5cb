"""A commit while a recall is under way: what was found over links still says by which, and what calls for it."""

from __future__ import annotations

import threading
from pathlib import Path

import anyio
import pytest

from mind_bench import Host, hosted
from soulmem.store.sqlite.driver import Connection
from soulmem.working.recall.graph_recall import Entry
from soulmem.working.recall.recall_request import Brought, RecallRequest

TALK = {
    "en": ("A stray dog comes to the door.", "Help is asked for.", "Mira shares supper.", "Who is the stray dog?"),
    "zh": ("一只流浪狗来到门口。", "有谁在求助。", "米拉分出晚饭。", "那只流浪狗是谁？"),
}


async def interrupted(host: Host, question: str, elsewhere: tuple[int, int]) -> Brought:
    """A recall between whose look at the graph and whose answer somebody links two other notes."""
    memory, go, held = host.mind.memory, threading.Event(), threading.Event()
    brought: list[Brought] = []

    def hold(_connection: Connection) -> None:
        held.set()
        assert go.wait(10)

    async def ask() -> None:
        brought.append(await host.mind.workers.recalling.search(RecallRequest(question, 5)))

    async with anyio.create_task_group() as group:
        group.start_soon(memory.database.read, hold)
        await anyio.to_thread.run_sync(held.wait)
        group.start_soon(ask)
        await anyio.sleep(0.3)  # it has spread, and waits to read more of what it found
        assert not brought
        graph = memory.graph
        assert graph is not None
        version = graph.version
        await host.link(*elsewhere, 0.5)
        assert graph.version > version
        go.set()
    return brought[0]


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_way_and_what_calls_for_an_act_are_told_all_the_same(tmp_path: Path, language: str) -> None:
    scene, cue, act, question = TALK[language]
    async with hosted(tmp_path / "a.db", works=False) as host:
        seen, trigger = await host.note(scene), await host.note(cue, "trigger")
        does = await host.note(act, "procedural")
        links = [await host.link(seen, trigger, 0.3), await host.link(trigger, does, 0.3, "trigger")]
        elsewhere = await host.note("1"), await host.note("2")
        calm = await host.mind.workers.recalling.search(RecallRequest(question, 5))
        assert {hit.key: hit.tier for hit in calm.hits}[does] == "ppr"
        assert calm.entries == {does: Entry.TRIGGER}
        assert [step.link for step in calm.ways[does]] == links
        assert calm.trail is not None
        disturbed = await interrupted(host, question, elsewhere)
        assert disturbed.hits == calm.hits
        assert disturbed.ways == calm.ways
        assert disturbed.entries == calm.entries
        assert disturbed.trail is not None
        assert disturbed.trail.found == calm.trail.found
