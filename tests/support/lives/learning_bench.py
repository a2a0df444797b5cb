"""The learning half of a mind over a file of its own, for tests: six notes, a chain of links, trails made by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import Trace
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin, NoteKind
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.run.embedding_threads import EmbedWorker
from soulmem.graph.learning.recall_trace import Trail, TrailLink
from soulmem.llm.extractive.extractive_engine import ExtractiveEngine
from soulmem.ops.process.clock import SimulatedClock
from soulmem.ports import World
from soulmem.store.graph import link_memory, link_rows
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.journal.work_in_progress import UnderwayFile
from soulmem.store.notes import note_writes
from soulmem.store.recalls import recall_records
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.working.feedback.recall_feedback import Feedback

NOW = 1_780_000_000_000
EMBEDDER = HashingEmbedder()
SISTER, BEES, TEA = "What does Tom's sister keep?", "小林养的是什么？", "谁 drinks oolong 茶？"
EXPERIENCED = 0  # what a mind that was made at NOW has experienced then
_FURNISHED: set[Path] = set()


class Bench:
    """The learning half of a mind over a file of its own, with notes 1..6 and a chain of links between them."""

    def __init__(self, memory: OpenMind, worker: EmbedWorker) -> None:
        self.memory = memory
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.clock = SimulatedClock(NOW)
        world = World(
            self.clock,
            lambda event, **more: self.told.append((event, more)),
            worker,
            ExtractiveEngine(EMBEDDER),
            UnderwayFile(Path("/none")),
        )
        self.feedback = Feedback(memory, world)

    async def recall(self, query: str = SISTER, hits: Sequence[int] = (2, 3), state: str = "done") -> int:
        def store(connection: Connection) -> int:
            number = recall_records.insert(
                connection, query=query, depth="normal", k=10, at=self.clock.now_ms(), at_exp=EXPERIENCED,
                state="pending" if state == "done" else state,
            )  # fmt: skip
            if state == "done":
                recall_records.finish(
                    connection, number, [recall_records.Hit("note", hit, 0.9) for hit in hits], EXPERIENCED
                )
            return number

        return await self.memory.database.write("recall", store)

    async def vector(self, link: int, *, backward: bool = False) -> np.ndarray:
        found = await self.memory.database.read(link_memory.load, self.memory.fingerprint, EMBEDDER.dimension, 100)
        for each in found:
            if (each.link, each.is_backward) == (link, backward):
                return each.vector
        return np.zeros(EMBEDDER.dimension, dtype=np.float32)

    async def agreement(self, link: int, query: str = SISTER) -> float:
        return float(await self.vector(link) @ EMBEDDER.embed([query])[0])

    async def rows(self, sql: str) -> list[Any]:
        return await self.memory.database.read(lambda connection: connection.execute(sql).fetchall())


def furnish(connection: Connection, kinds: Sequence[LinkKind] = (LinkKind.ASSOCIATION,) * 5) -> None:
    """Notes 1..6 and links 1..5, each from one to the next."""
    for number in range(1, 7):
        note_writes.insert(
            connection,
            note_writes.NewNote(NoteKind.EPISODIC, f"note {number} 笔记", NOW, NOW, NOW, NOW + DAY_MS),
        )
    for number, kind in enumerate(kinds, start=1):
        trace = Trace(0.5, NOW, 1000 * DAY_MS)
        new = NewLink(number, number + 1, kind, LinkOrigin.CLIENT, trace, NOW + 1000 * DAY_MS, NOW)
        assert link_rows.insert(connection, new) == number


@asynccontextmanager
async def bench(
    path: Path, *, fingerprint: str = EMBEDDER.fingerprint, furnished: bool = False
) -> AsyncIterator[Bench]:
    fresh = path not in _FURNISHED and not furnished
    _FURNISHED.add(path)
    memory, _ = await OpenMind.open(path, fingerprint=fingerprint, dimension=EMBEDDER.dimension, now=NOW)
    worker = EmbedWorker(EMBEDDER)
    try:
        if fresh:
            await memory.database.write("furnish", furnish)
        yield Bench(memory, worker)
    finally:
        await worker.close()
        await memory.close()


def trail_of(
    ways: Sequence[tuple[int, int, int]] = ((1, 1, 2), (2, 2, 3), (4, 4, 5)),
    returned: Sequence[int] = (3, 2),
    texts: Sequence[str] = (SISTER,),
    question: int = 0,
) -> Trail:
    followed = tuple(TrailLink(link, src, dst, src > dst, question) for link, src, dst in ways)
    return Trail(EMBEDDER.embed(list(texts)), tuple(texts), followed, returned=tuple(returned))
