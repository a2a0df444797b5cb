"""One whole mind in this process, for tests that must stop time between two steps of it.

The real mind over a real file: hashing embedder, extractive engine, a clock that stands. Its workers run unless a test
wants to see what is done without them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from soulmem.core.schema.note_requests import LinkKind, NoteKind, Role
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.run.embedding_threads import EmbedWorker
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.minds.mind_api import ClientCall, Mind
from soulmem.ops.process.clock import SimulatedClock
from soulmem.ops.settings.config_loader import load_config
from soulmem.ports import World
from soulmem.store.journal.work_in_progress import UnderwayFile
from soulmem.store.notes import note_rows
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.row_hash import row_hash
from soulmem.working.ingest.message_ingest import IncomingMessage
from soulmem.working.notebook.note_drafts import Draft
from soulmem.working.runtime.backpressure import Pace

NOW = 1_780_000_000_000


class Host:
    """A mind and what tests do most with it."""

    def __init__(self, mind: Mind, clock: SimulatedClock) -> None:
        self.mind = mind
        self.clock = clock

    async def hear(self, content: str, *, role: str = "user", recall: bool = False, **more: Any) -> dict[str, Any]:
        """`message.add` in the conversation `main`."""
        given = {"conversation": "main", "speaker": role, "at": self.clock.now_ms(), **more}
        return await self.mind.hear(IncomingMessage(role=Role(role), content=content, **given), wait_for_recall=recall)

    async def amend(
        self,
        conversation: str,
        client_id: str,
        content: str | None,
        *,
        key: str | None = None,
        keep_notes: bool = False,
    ) -> dict[str, Any]:
        """Edit a message or, without `content`, delete it, where no worker runs.

        `Mind.amend` waits for the recalls of what was said before, and there nobody makes them.
        """
        amending, method = self.mind.workers.amending, "message.delete" if content is None else "message.update"
        asked = row_hash(conversation, client_id, content or "")
        return await amending.amend(
            method, conversation, client_id, content, key=key, request_hash=asked, keep_notes=keep_notes
        )

    async def note(self, text: str, kind: str = "episodic", **more: Any) -> int:
        """`note.add`; its number."""
        mind, draft = self.mind, Draft(NoteKind(kind), text, self.clock.now_ms(), **more)
        added = await mind.keep(
            ClientCall(), "note.add", lambda connection: {"id": mind.workers.notebook.add(connection, draft)}
        )
        number: int = added["id"]
        mind.workers.note_changed(await mind.memory.database.read(note_rows.get, number))
        return number

    async def link(self, src: int, dst: int, strength: float, kind: str = "association") -> int:
        """`link.add`; its number."""
        notebook = self.mind.workers.notebook

        def run(connection: Any) -> dict[str, Any]:
            return {"id": notebook.link(connection, src, dst, LinkKind(kind), "", strength, 1.0)[0]}

        number: int = (await self.mind.keep(ClientCall(), "link.add", run))["id"]
        return number

    async def rows(self, sql: str) -> list[Any]:
        return await self.mind.memory.database.read(lambda connection: connection.execute(sql).fetchall())


@asynccontextmanager
async def hosted(path: Path, *, works: bool = True, at: int = NOW, **settings: Any) -> AsyncIterator[Host]:
    """A mind over the file at `path`, made if it is missing.

    Args:
        at: what the clock says then, UTC milliseconds.
        works: whether its workers run; without them its index and graph are loaded all the same.
        settings: of the mind, as `recall__graph=False`; those of the daemon's `memory` section among them.
    """
    named = {name.replace("__", "."): value for name, value in settings.items()}
    own = {name: value for name, value in named.items() if not name.startswith("memory.")}
    flags = {name: str(value) for name, value in named.items() if name.startswith("memory.")}
    config = load_config(flags, environ={"HOME": str(path.parent)}, system_file=path.parent / "none")
    embedder, clock = HashingEmbedder(), SimulatedClock(at)
    worker = EmbedWorker(embedder)
    who = Identity(path.stem, "", "companion", "", "", own, NOW, NOW, NOW, 0)
    memory, _ = await OpenMind.open(
        path, fingerprint=embedder.fingerprint, dimension=embedder.dimension, now=at, create=who
    )
    underway = UnderwayFile(path.parent / "none")  # where it cannot be written, nothing is counted
    world = World(clock, lambda *_, **__: None, worker, ExtractiveEngine(embedder), underway)
    mind = Mind(memory, world, config, Pace(clock))
    try:
        async with anyio.create_task_group() as group:
            if works:
                await group.start(mind.life.run)
            else:
                await memory.load_index(
                    hide_digested=not mind.life.settings().recall.digested_messages,
                    most_rows=config.memory.max_rows_in_ram,
                )
                await memory.load_graph(most_links=config.memory.max_links_in_ram, dimension=embedder.dimension)
            try:
                yield Host(mind, clock)
            finally:
                await (mind.life.stop() if works else memory.close())
    finally:
        await worker.close()
