"""Messages that arrive together are stored together: what is in the file is as if each had come by itself."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from soulmem.core.conversation.sliding_window import JobReason
from soulmem.core.schema.note_requests import Role
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.run.embedding_threads import EmbedWorker
from soulmem.errors import ErrorName, SoulmemError
from soulmem.llm.extractive.extractive_engine import ExtractiveEngine
from soulmem.ops.process.clock import SimulatedClock
from soulmem.ops.settings.config_loader import Config, MindSettings, load_config
from soulmem.ports import World
from soulmem.store.conversation_state import window_state
from soulmem.store.index import fts
from soulmem.store.journal.work_in_progress import UnderwayFile
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.working.ingest.erasure_worker import ErasureWorker
from soulmem.working.ingest.message_edits import MessageEdits
from soulmem.working.ingest.message_ingest import IncomingMessage, MessageIngest, StoredMessage
from soulmem.working.runtime.step_guard import StepGuard

TABLES = (
    "conversation", "message", "message_version", "window", "epoch", "summary_job", "recall", "recall_epoch",
    "embed_pending",
)  # fmt: skip
WORDS = (
    *("I", "we", "lost", "found", "the", "violin", "harbour", "Lisbon", "market", "by", "way", "ok", "why?", "42", "☂"),
    *("对了", "我", "喜欢", "图书馆", "橘猫", "下雨", "吗？", "换个话题"),
)
NOW = 1_780_000_000_000
SEEDS = 16 if os.environ.get("SOULMEM_TORTURE") else 3
Outcome = StoredMessage | SoulmemError | dict[str, Any]
Act = Callable[["Mouth"], Awaitable[Any]]


async def _nothing_learnt() -> None:
    """Nobody links here."""


class Mouth:
    """The listening half of a mind, on a file of its own."""

    def __init__(self, memory: OpenMind, config: Config) -> None:
        self.memory = memory
        self._config = config
        self.settings: MindSettings = config.for_mind("companion", {})
        embedder = HashingEmbedder()
        self._worker = EmbedWorker(embedder)
        clock = SimulatedClock(NOW)
        world = World(
            clock, lambda *_, **__: None, self._worker, ExtractiveEngine(embedder), UnderwayFile(Path("/none"))
        )
        self.listening = MessageIngest(memory, world, lambda: self.settings, lambda _kind: None)
        forget = self.listening.forget_talk
        erasing = ErasureWorker(memory, world, _nothing_learnt, StepGuard(memory.name, world, "erase"))
        self.amending = MessageEdits(
            memory, world, lambda: self.settings, lambda _kind: None, forget, lambda _: None, lambda: None, erasing
        )

    @classmethod
    async def open(cls, path: Path) -> Mouth:
        memory, _ = await OpenMind.open(path, fingerprint="f0", dimension=8, now=NOW)
        config = load_config(environ={"HOME": str(path.parent)}, system_file=path.parent / "none")
        return cls(memory, config)

    async def close(self) -> None:
        await self._worker.close()
        await self.memory.close()

    def configure(self, capacity: int) -> None:
        self.settings = self._config.for_mind("companion", {"window.capacity": capacity})

    async def tables(self) -> dict[str, list[Any]]:
        def dump(connection: Connection) -> dict[str, list[Any]]:
            found = {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3").fetchall() for name in TABLES}
            owed = connection.execute("SELECT item FROM search_pending").fetchall()
            have = connection.execute("SELECT id FROM message_search_docsize").fetchall()
            assert not set(owed) & set(have), "in the index and waiting for it"
            found["searchable"] = sorted(owed + have)
            return found

        return await self.memory.database.read(dump)


async def outcome(act: Awaitable[Any]) -> Outcome:
    try:
        return await act  # type: ignore[no-any-return]
    except SoulmemError as error:
        return error


async def together(mouth: Mouth, acts: list[Act]) -> list[Outcome]:
    """Let all of them wait for the writer at the same time."""
    began, go = threading.Event(), threading.Event()

    def hold(_connection: Connection) -> None:
        began.set()
        assert go.wait(10)

    gate = asyncio.ensure_future(mouth.memory.database.write("gate", hold))
    assert await asyncio.to_thread(began.wait, 10)
    tasks = [asyncio.ensure_future(outcome(act(mouth))) for act in acts]
    await asyncio.sleep(0)
    go.set()
    await gate
    return [await task for task in tasks]


async def one_by_one(mouth: Mouth, acts: list[Act]) -> list[Outcome]:
    return [await outcome(act(mouth)) for act in acts]


def shown(outcomes: list[Outcome]) -> list[object]:
    """What came of each, but for which messages repeat a deleted one: that is looked up when the crowd is stored."""
    told: list[object] = []
    for each in outcomes:
        if isinstance(each, dict):
            told.append({name: value for name, value in each.items() if name != "repeats"})
        else:
            told.append(each.name if isinstance(each, SoulmemError) else each)
    return told


def hear(**changes: Any) -> Act:
    values = {
        "conversation": "main",
        "role": Role.USER,
        "content": "hello 你好",
        "speaker": "Ann",
        "at": NOW,
        **changes,
    }
    return lambda mouth: mouth.listening.hear(IncomingMessage(**values))


def some_act(chance: random.Random, names: list[str]) -> Act:
    """Mostly messages, with ids that clash; now and then an edit, a flush, indexing, or a write that fails."""
    conversation = chance.choice(["a", "a", "b", "c", "中"])
    drawn = chance.random()
    if drawn < 0.06:
        content = chance.choice([None, "edited 改过"])
        key = chance.choice([None, "k1"])
        name = chance.choice(names)
        return lambda mouth: mouth.amending.amend(
            "message.update", conversation, name, content, key=key, request_hash=b"x"
        )
    if drawn < 0.09:
        return lambda mouth: mouth.memory.database.write(
            "flush", lambda c: window_state.flush(c, 1, JobReason.IDLE, NOW)
        )  # fmt: skip
    if drawn < 0.12:
        return lambda mouth: mouth.memory.database.write("feed", lambda c: fts.feed(c, 3) and None)
    if drawn < 0.15:
        return lambda mouth: mouth.memory.database.write("fails", failing)
    return hear(
        conversation=conversation,
        role=chance.choice([Role.USER, Role.USER, Role.ASSISTANT, Role.SYSTEM]),
        content=" ".join(chance.choices(WORDS, k=chance.randint(1, 14))),
        id=chance.choice([None] * 8 + names),
        mark=chance.choice([None] * 12 + ["topic", "end"]),
    )


def failing(connection: Connection) -> None:
    connection.execute("UPDATE conversation SET user_turns = 99")
    connection.execute("UPDATE window SET fresh_tokens = 77")
    raise SoulmemError(ErrorName.NOT_FOUND, "on purpose")


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_crowds_leave_what_single_messages_leave(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    crowd, single = await Mouth.open(tmp_path / "crowd.db"), await Mouth.open(tmp_path / "single.db")
    names = ["x", "y", "m2", "m5", "m5'", "m9", "m14"]
    try:
        for _ in range(12):
            capacity = chance.choice([1, 2, 5, 5, 20])
            crowd.configure(capacity)
            single.configure(capacity)
            acts = [some_act(chance, names) for _ in range(chance.randint(1, 24))]
            assert shown(await together(crowd, acts)) == shown(await one_by_one(single, acts))
            assert await crowd.tables() == await single.tables()
    finally:
        await crowd.close()
        await single.close()


async def test_every_message_leaves_its_whole_trail(tmp_path: Path) -> None:
    mouth = await Mouth.open(tmp_path / "mira.db")
    try:
        mouth.configure(3)
        heard = await together(mouth, [hear(conversation=f"c{n % 3}", content=f"word{n} 词") for n in range(60)])
        found = await mouth.tables()
    finally:
        await mouth.close()
    assert [each.seq for each in heard if isinstance(each, StoredMessage)] == [n // 3 + 1 for n in range(60)]
    assert [row[3] for row in found["message"]] == [n // 3 + 1 for n in range(60)], "pos"
    assert [(row[3], row[4]) for row in found["conversation"]] == [(21, 20)] * 3
    assert sorted(row[1] for row in found["recall"]) == list(range(1, 61))
    assert found["searchable"] == [(n,) for n in range(1, 61)]
    assert len(found["embed_pending"]) == 60 + 57, "each itself, and each but the last of a conversation in context"
    assert [row[5] for row in found["window"]] == [20] * 3


async def test_one_that_is_refused_in_a_crowd_harms_nobody(tmp_path: Path) -> None:
    mouth = await Mouth.open(tmp_path / "mira.db")
    try:
        said = [("one", "first"), (None, "二"), ("one", "other"), ("one", "first")]
        acts = [hear(id=name, content=content) for name, content in said]
        first, second, clash, again = await together(mouth, acts)
    finally:
        await mouth.close()
    assert isinstance(first, StoredMessage)
    assert isinstance(second, StoredMessage)
    assert isinstance(again, StoredMessage)
    assert (first.seq, second.seq, first.duplicate) == (1, 2, False)
    assert (again.seq, again.duplicate, again.recall) == (1, True, first.recall)
    assert isinstance(clash, SoulmemError)
    assert clash.name.value == "idempotency_conflict"
