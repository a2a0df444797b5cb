"""Which messages open a topic by their vectors does not depend on how many vectors are made at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from soulmem.core.schema.note_requests import Role
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.run.embedding_threads import EmbedWorker
from soulmem.llm.extractive.extractive_engine import ExtractiveEngine
from soulmem.ops.process.clock import SimulatedClock
from soulmem.ops.settings.config_loader import load_config
from soulmem.ports import FloatVector, World
from soulmem.store.conversation_state import window_state
from soulmem.store.index import embedding_backlog, vectors
from soulmem.store.journal.work_in_progress import UnderwayFile
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.working.ingest import topic_detection
from soulmem.working.ingest.message_ingest import IncomingMessage, MessageIngest

NOW = 1_780_000_000_000
SIZE = 16  # of a vector
SAID = [
    "The violin teacher moved to Lisbon with her cello last spring.", "我妹妹在苏州的图书馆里养了一只橘猫。",
    "Our boiler burst and flooded the whole cellar on Monday.", "昨晚的足球比赛踢到点球，守门员扑出了三个。",
    "Grandfather planted walnut trees behind the sawmill in 1962.", "她的论文写的是青藏高原的冰川和湖泊。",
    "The ferry to Skye was cancelled, so we baked rye bread.", "公司要把财务部搬到郑州的新写字楼去。",
    "Nadia repairs accordions and paints tiny ceramic owls.", "He 买了 a second-hand kayak 准备划到千岛湖去。",
]  # fmt: skip


async def marked(path: Path, at_once: int) -> list[int]:
    """The numbers of the messages that are marked when so many get their vectors together."""
    memory, _ = await OpenMind.open(path, fingerprint="f0", dimension=SIZE, now=NOW)
    config = load_config(environ={"HOME": str(path.parent)}, system_file=path.parent / "none")
    settings = config.for_mind("companion", {"window.topic_marks": False, "window.capacity": 40})
    embedder = HashingEmbedder()
    worker = EmbedWorker(embedder)
    underway = UnderwayFile(path.parent / "none")
    world = World(SimulatedClock(NOW), lambda *_, **__: None, worker, ExtractiveEngine(embedder), underway)
    ingest = MessageIngest(memory, world, lambda: settings, lambda _kind: None)
    for at, text in enumerate(SAID):
        await ingest.hear(IncomingMessage("main", Role.USER, text, "Ann", NOW + at * 1_000))
    unlike = np.eye(SIZE, dtype=np.float32)

    def absorb(connection: Connection) -> None:
        waiting = [each for each in embedding_backlog.pending(connection, 100) if each.variant == "self"]
        for first in range(0, len(waiting), at_once):
            part = waiting[first : first + at_once]
            made: dict[int, FloatVector] = {each.item: unlike[each.item % SIZE] for each in part}
            opening = topic_detection.turns(connection, "f0", made)
            vectors.put(connection, "f0", [(each, made[each.item]) for each in part])
            for message in opening:
                window_state.mark_topic(connection, message.conversation, message.id)

    await memory.database.write("absorb", absorb)
    found = await memory.database.read(
        lambda connection: connection.execute("SELECT seq FROM message WHERE boundary = 1 ORDER BY seq").fetchall()
    )
    await worker.close()
    await memory.close()
    return [seq for (seq,) in found]


@pytest.mark.parametrize("at_once", [2, 3, len(SAID)])
async def test_how_many_are_embedded_at_once_changes_no_mark(tmp_path: Path, at_once: int) -> None:
    alone = await marked(tmp_path / "alone.db", 1)
    assert 0 < len(alone) < len(SAID) - 2, "some are marked, and after each some rest"
    assert await marked(tmp_path / "many.db", at_once) == alone
