"""What is read of many messages at once, to embed them, is what was read of each by itself."""

from __future__ import annotations

import random
from pathlib import Path

import anyio
import numpy as np
import pytest

from mind_bench import Host, hosted
from soulmem.core.conversation import topic_shift
from soulmem.ops.process.clock import SimulatedClock
from soulmem.store.index import embedding_backlog, vectors
from soulmem.store.messages import message_log
from soulmem.store.sqlite.driver import Connection
from soulmem.working.ingest import embedding_queue
from soulmem.working.ingest.embedding_queue import Items, Known
from soulmem.working.runtime.backpressure import Pace


async def talk(host: Host) -> None:
    """Three conversations that mix, with system messages, corrections and deletions between the rest."""
    chance = random.Random(5)
    for number in range(90):
        role = chance.choice(("user", "assistant", "user", "assistant", "system"))
        await host.hear(f"Turn {number} 第{number}句", role=role, conversation=f"c{chance.randrange(3)}")
    told = "SELECT c.name, m.client_id FROM message m JOIN conversation c ON c.id = m.conversation"
    for conversation, name in await host.rows(f"{told} WHERE m.id % 7 = 0 AND m.role = 'user'"):
        await host.amend(conversation, name, None)


async def test_many_messages_have_the_neighbours_that_each_has(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        await talk(host)

        def look(connection: Connection) -> None:
            ids = [row[0] for row in connection.execute("SELECT id FROM message")]
            spoken = message_log.get_many(connection, ids)
            before = message_log.before_each(connection, ids, topic_shift.WINDOW)
            beside = message_log.neighbours(connection, ids)
            assert set(before) == set(beside) == set(ids)
            for number, message in spoken.items():
                mine = message_log.before(connection, message.conversation, message.seq, topic_shift.WINDOW)
                assert before[number] == mine
                later = [
                    each
                    for each in spoken.values()
                    if each.conversation == message.conversation
                    and each.seq > message.seq
                    and each.role in message_log.SEARCHABLE
                    and not each.deleted
                ]
                after = min(later, key=lambda each: each.seq).id if later else None
                assert beside[number] == (mine[-1].id if mine else None, after)
            assert any(len(those) == topic_shift.WINDOW for those in before.values())

        await host.mind.memory.database.read(look)


@pytest.mark.parametrize("language", ["en", "zh", "mixed"])
async def test_the_surroundings_of_a_message_are_the_mean_of_what_stands_there(tmp_path: Path, language: str) -> None:
    said = {
        "en": ["The lamp is lit.", "A ferry comes in.", "It carries salt.", "The fog is thick."],
        "zh": ["灯点着了。", "渡船进港了。", "船上装着盐。", "雾很大。"],
        "mixed": ["The lamp 点着了。", "渡船 comes in.", "It carries 盐。", "雾 is thick."],
    }[language]
    async with hosted(tmp_path / "mira.db") as host:
        for text in said:
            await host.hear(text)
        await host.hear("one more 再一句")
        await host.mind.workers.wait_settled()
        stored = await host.rows("SELECT item, variant, data FROM vector WHERE kind = 'message'")
        found = {(item, variant): np.frombuffer(data, dtype=np.float32) for item, variant, data in stored}
        own = host.mind.world.embedding.embedder.embed(said)
        for number in range(1, len(said) + 1):
            assert np.allclose(found[number, "self"], own[number - 1], atol=1e-6)
            near = [found[each, "self"] for each in (number - 1, number, number + 1) if (each, "self") in found]
            mean = np.mean(near, axis=0)
            assert np.allclose(found[number, "context"], mean / np.linalg.norm(mean), atol=1e-5)


async def test_a_vector_asked_for_again_meanwhile_is_not_the_one_that_was_wanted(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        for text in ("One 一", "Two 二", "Three 三"):
            await host.hear(text)
        fingerprint = host.mind.memory.fingerprint
        waiting = await host.mind.memory.database.read(embedding_backlog.pending, 100)
        made = await host.mind.world.embedding.embed_background([f"{each.item} {each.variant}" for each in waiting])
        asked_again = ("message", waiting[1].item, waiting[1].variant)
        await host.mind.memory.database.write("again", lambda c: embedding_backlog.enqueue(c, [asked_again]))

        known = await host.mind.memory.database.write(
            "put", lambda c: vectors.put(c, fingerprint, [*zip(waiting[:-1], made, strict=False), (waiting[-1], None)])
        )
        left = await host.mind.memory.database.read(embedding_backlog.pending, 100)
        assert [(each.kind, each.item, each.variant) for each in left] == [asked_again]
        assert left[0].asked == waiting[1].asked + 1
        assert set(known) == {(each.kind, each.item) for each in waiting}
        stored = await host.rows("SELECT kind, item, variant FROM vector")
        without = {asked_again, (waiting[-1].kind, waiting[-1].item, waiting[-1].variant)}
        assert set(stored) == {(each.kind, each.item, each.variant) for each in waiting} - without


async def test_whoever_waits_for_vectors_hears_of_them(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db") as host:
        goes_on = host.mind.workers.absorbing.progress
        heard = await host.hear("A kettle on the stove. 炉子上有水壶。")
        with anyio.fail_after(20):
            await goes_on.wait()
        assert not await host.rows(f"SELECT 1 FROM embed_pending WHERE kind = 'message' AND item < {heard['seq']}")
        assert host.mind.workers.absorbing.progress is not goes_on, "whoever waits from now on waits for the next"


class Standing(SimulatedClock):
    """A clock of which not even the real time passes: a message that came stays a message of this moment."""

    def monotonic_ms(self) -> float:
        return 0.0


@pytest.mark.parametrize(("streams", "together"), [(False, [32]), (True, [8, 8, 8, 8])])
async def test_vectors_are_stored_together_while_nobody_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streams: bool, together: list[int]
) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        for number in range(20):
            await host.hear(f"Kettle {number} 水壶")
        pending = await host.mind.memory.database.read(embedding_backlog.pending, 32)
        put, parts = embedding_queue._put, []

        def counted(connection: Connection, fingerprint: str, items: Items) -> Known:
            parts.append(len(items))
            return put(connection, fingerprint, items)

        monkeypatch.setattr(embedding_queue, "_put", counted)
        pace = host.mind.workers.absorbing._pace = Pace(Standing(0))
        if streams:
            pace.touch()
        await host.mind.workers.absorbing._absorb(pending)
        assert parts == together
        assert await host.rows("SELECT count(*) FROM vector") == [(32,)]
        left = await host.mind.memory.database.read(embedding_backlog.pending, 100)
        assert left
        assert not set(left) & set(pending)


SAID = (
    "The ferry leaves the harbour before sunrise every Monday",
    "Our captain polished the brass lantern on the ferry",
    "The harbour ferry carries sailors and crates of salt",
    "Fog delayed that ferry near the harbour lighthouse",
    "Sailors on the ferry sang about the lighthouse",
)
OTHER = (
    "My garden tomatoes, basil, cucumbers and pumpkins ripened under glass beside rosemary, lavender, parsley, "
    "strawberries and sunflowers"
)


@pytest.mark.parametrize("by_meaning", [False, True])
async def test_words_mark_no_topic_right_after_meaning_did(tmp_path: Path, by_meaning: bool) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        for text in SAID:
            await host.hear(text)
        if by_meaning:
            last = await host.mind.memory.database.read(message_log.get_many, [len(SAID)])
            memory = host.mind.memory
            await host.mind.workers.absorbing._store(memory.fingerprint, [], [last[len(SAID)]])
        await host.hear(OTHER)
        marked = await host.rows("SELECT seq FROM message WHERE boundary = 1")
        assert marked == [(len(SAID) + (not by_meaning),)]
