"""The index in memory follows the commits: nobody who looks at it misses one, and nobody waits for it who does not."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import anyio
import numpy as np

from held_memory import held_bytes
from mind_bench import hosted
from soulmem.core.schema.note_requests import Summary
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.text.tokens import text_hashes
from soulmem.store.messages.rolling_summaries import Current
from soulmem.store.session.index_building import put_summary
from soulmem.working.recall.recall_request import RecallRequest


async def test_what_was_acknowledged_is_found_at_once(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db") as host:
        await host.mind.memory.index_ready.wait()
        for number in range(30):
            heard = await host.hear(f"Turn {number}: a kettle called zk{number}. 水壶{number}号。")
            found = await host.mind.workers.recalling.search(RecallRequest(f"zk{number}", 3))
            assert found.hits[0].key == heard["seq"]


async def test_effects_wait_for_a_look_in_order_and_are_bounded(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        memory = host.mind.memory
        done: list[int] = []

        def effect(number: int) -> None:
            def apply(index: SearchIndex) -> None:
                assert index.row_count == 0
                done.append(number)

            memory.follow(apply, waits=number != 30)

        for number in range(20):
            effect(number)
        assert done == [], "nobody looked"
        assert memory.index is not None
        assert done == list(range(20))
        for number in range(20, 31):
            effect(number)
        assert done == list(range(31)), "one that does not wait takes those before it along"
        for number in range(31, 1020):
            effect(number)
        assert len(done) > 500, "what waits is bounded"
        assert memory.index is not None
        assert done == list(range(1020))


async def test_an_edit_follows_the_message_it_is_of(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        heard = await host.hear("The cat is called Miso. 猫叫味噌。")
        await host.amend("main", heard["id"], "The cat is called Tofu. 猫叫豆腐。")
        gone = await host.hear("This goes away again. 这句会消失。")
        await host.amend("main", gone["id"], None)
        index = host.mind.memory.index
        assert index is not None
        assert (ItemKind.MESSAGE, 1) in index
        assert (ItemKind.MESSAGE, 2) not in index
        assert not (await host.mind.workers.recalling.search(RecallRequest("Miso", 3))).hits
        assert (await host.mind.workers.recalling.search(RecallRequest("Tofu", 3))).hits[0].key == 1


async def test_an_index_that_is_loaded_anew_needs_no_effects_of_before(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        memory = host.mind.memory
        await host.hear("One. 一。")
        memory.replace_index(None)
        await host.hear("Two. 二。")
        await memory.load_index(hide_digested=False, most_rows=1_000)
        index = memory.index
        assert index is not None
        assert index.row_count == 2


async def test_a_summary_that_is_rolled_while_the_mind_is_loaded_anew_is_found(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        memory = host.mind.memory
        memory.replace_index(None)
        rolled = Current(1, "main", Summary("Miso the cat 猫叫味噌"), host.clock.now_ms())
        gate = threading.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(memory.database.read, lambda _connection: gate.wait(10))
            await anyio.sleep(0.01)
            group.start_soon(lambda: memory.load_index(hide_digested=True, most_rows=1000))
            await anyio.sleep(0.01)
            memory.follow_summaries(lambda held: put_summary(held, rolled))
            gate.set()
        assert memory.index is not None
        assert (ItemKind.SUMMARY, 1) in memory.rolled
        memory.follow_summaries(lambda held: put_summary(held, Current(2, "茶话", rolled.summary, rolled.at)))
        assert memory.rolled.row_count == 2


async def test_a_closed_mind_leaves_nothing_large_to_the_collector(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db") as host:
        await host.hear("The cat is called Miso. 猫叫味噌。")
        await host.mind.memory.index_ready.wait()
        await (
            host.mind.workers.wait_settled()
        )  # a recall that is cut off would keep what it was looking at in its traceback
        memory = host.mind.memory
        held = [weakref.ref(each) for each in (memory.index, memory.rolled, memory.homes, memory.speakers)]
        gc.disable()
    try:
        assert [each() for each in held] == [None] * 4
    finally:
        gc.enable()


def _passing(count: int) -> Callable[[SearchIndex], None]:
    """So many messages that come and go."""

    def passing(index: SearchIndex) -> None:
        for key in range(100, 100 + count):
            index.add(ItemKind.MESSAGE, key, conversation=9, seq=key, terms=text_hashes("gone 走了"))
            index.remove(ItemKind.MESSAGE, key)

    return passing


async def test_a_mind_that_keeps_little_keeps_little_of_what_it_kept(tmp_path: Path) -> None:
    """However long it is talked to: a few hundred of what was taken out, and not for each day some more."""
    async with hosted(tmp_path / "mira.db") as host:
        await host.hear("The cat is called Miso. 猫叫味噌。")
        await host.mind.workers.wait_settled()
        memory = host.mind.memory
        for _ in range(5):
            memory.follow(_passing(150))
            await host.mind.life.sleep(frozenset({"sweep"}), wait=True)
            assert memory.index is not None
            assert memory.index.gap_count < 300


async def test_what_left_the_index_takes_no_memory_after_the_next_round(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db") as host:
        await host.hear("The cat is called Miso. 猫叫味噌。")
        await host.mind.workers.wait_settled()
        memory = host.mind.memory
        vector = np.ones(host.mind.world.embedding.embedder.dimension, dtype=np.float32)

        def passing(index: SearchIndex) -> None:
            for key in range(100, 2000):
                index.add(ItemKind.MESSAGE, key, conversation=9, seq=key, terms=text_hashes("gone 走了"))
                index.set_vectors(ItemKind.MESSAGE, key, vector)
                index.remove(ItemKind.MESSAGE, key)

        memory.follow(passing)
        assert memory.index is not None
        large = held_bytes(memory.index)
        await host.mind.life.sleep(frozenset({"sweep"}), wait=True)
        assert memory.index.gap_count == 0
        assert held_bytes(memory.index) < large / 2
        assert (await host.mind.workers.recalling.search(RecallRequest("Miso", 3))).hits[0].key == 1
        memory.follow(lambda index: index.remove(ItemKind.MESSAGE, 1) and passing(index))
        memory.compact()
        assert (memory.index.row_count, memory.index.gap_count) == (0, 0)
        assert not (await host.mind.workers.recalling.search(RecallRequest("Miso", 3))).hits
