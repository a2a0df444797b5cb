"""What links remember comes back with them: after a note was restored, and from a neighbourhood read on the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mind_bench import Host, hosted
from soulmem.core.schema.engine_tasks import Reaction
from soulmem.graph.learning.recall_trace import Trail, TrailLink
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.store.graph import link_memory
from soulmem.store.graph.link_memory import LinkMemory

TOLD = {
    "en": ("The ferry to Bergen leaves at dawn.", "Ann keeps a red umbrella.", "When does the ferry leave?"),
    "zh": ("去青岛的渡船天亮开。", "小林有一把红伞。", "渡船什么时候开？"),
}


async def praised(host: Host, link: int, src: int, dst: int, question: str) -> np.ndarray:
    """Praise a recall that followed this link; what it remembers then."""
    mind = host.mind
    answer = await host.hear(question, recall=True)
    vector = await mind.world.embedding.embed_now(question)
    trail = Trail(np.atleast_2d(vector), (question,), (TrailLink(link, src, dst, False, 0),), returned=(dst,))
    await mind.workers.feedback.remember(int(answer["recall_id"][1:]), trail)
    outcome = await mind.workers.feedback.apply(answer["recall_id"], Reaction.GOOD, 1.0, [f"n{dst}"])
    assert outcome.enhanced == 1
    return remembered(host, link)


def remembered(host: Host, link: int) -> np.ndarray:
    graph = host.mind.memory.graph
    assert graph is not None
    return graph.memory(link, host.mind.memory.now(host.clock.now_ms()))


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_restored_note_s_links_remember_at_once(tmp_path: Path, language: str) -> None:
    scene, thing, question = TOLD[language]
    async with hosted(tmp_path / "a.db") as host:
        await host.mind.memory.graph_ready.wait()
        notebook, src, dst = host.mind.workers.notebook, await host.note(scene), await host.note(thing)
        link = await host.link(src, dst, 0.8)
        before = await praised(host, link, src, dst, question)
        assert before.any()
        await host.mind.memory.database.write("forget", lambda connection: notebook.forget(connection, dst))
        assert not remembered(host, link).any(), "it is not there"
        await host.mind.memory.database.write("restore", lambda connection: notebook.restore(connection, dst))
        assert np.allclose(remembered(host, link), before, atol=1e-3)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_links_read_on_the_way_remember(tmp_path: Path, language: str) -> None:
    scene, thing, question = TOLD[language]
    path = tmp_path / "a.db"
    async with hosted(path) as host:
        await host.mind.memory.graph_ready.wait()
        src, dst, other = await host.note(scene), await host.note(thing), await host.note("!")
        link, last = await host.link(src, dst, 0.8), await host.link(dst, other, 0.8)
        before = await praised(host, link, src, dst, question)
    async with hosted(path, memory__max_links_in_ram=1) as host:
        await host.mind.memory.graph_ready.wait()
        graph = host.mind.memory.graph
        assert graph is not None
        assert [graph.links.table.row(each) >= 0 for each in (link, last)] == [False, True]
        await host.hear(question, recall=True)
        assert np.allclose(remembered(host, link), before, atol=1e-3)


def test_a_lesson_of_a_link_that_is_being_fetched_makes_it_be_fetched_again() -> None:
    """What was read before the lesson must not be put in after it, so the graph must seem changed."""
    graph = WorkingGraph(2)
    version = graph.version
    link_memory.follow(graph, [LinkMemory(7, False, np.array([1.0, 0.0], dtype=np.float32), 1)])
    assert graph.version > version
