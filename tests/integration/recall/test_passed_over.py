"""Under load the newest waiting recall of a conversation stands for the older ones; each ends once, whoever runs it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import anyio

from mind_bench import hosted
from soulmem.store.recalls import recall_records


async def test_the_newest_of_each_conversation_stands_for_the_others(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        for number in range(12):
            await host.hear(f"Turn {number} 第{number}句", conversation=f"c{number % 2}")
        newest, older = await host.mind.memory.database.read(recall_records.passed_over, frozenset({1, 12}))
        assert [each.id for each in newest] == [10, 11]
        assert newest == [
            each for each in await host.mind.memory.database.read(recall_records.pending, 99) if each.id in (10, 11)
        ]
        assert sorted(older) == [(10, [2, 4, 6, 8]), (11, [3, 5, 7, 9])]


async def test_no_recall_is_left_over_in_a_crowd(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db") as host:
        for number in range(220):
            await host.hear(f"Turn {number} 第{number}句", conversation=f"c{number % 2}")
        with anyio.fail_after(60):
            await host.mind.workers.recalls.settled()
        rows = await host.rows(
            "SELECT r.id, r.state, r.coalesced_into, m.conversation FROM recall r JOIN message m ON m.id = r.message"
        )
        states = {number: state for number, state, _, _ in rows}
        homes = {number: home for number, _, _, home in rows}
        assert len(rows) == 220
        assert set(states.values()) <= {"done", "coalesced"}
        for number, state, into, home in rows:
            if state == "coalesced":
                assert into > number
                assert homes[into] == home
                assert states[into] == "done"
        assert all(states[number] == "done" for number in (219, 220)), "the last of each conversation is run"


async def test_a_recall_that_somebody_came_for_while_the_file_was_read_is_left_to_him(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        for number in range(4):
            await host.hear(f"Turn {number} 第{number}句")
        queue, gate = host.mind.workers.recalls, threading.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(host.mind.memory.database.read, lambda _connection: gate.wait(10))
            await anyio.sleep(0.01)
            group.start_soon(queue._coalesce)  # its look waits behind the gate
            await anyio.sleep(0.01)
            queue.reserve(2)
            gate.set()
            deadline = time.monotonic() + 60
            waits = "SELECT 1 FROM recall WHERE id = 1 AND state = 'pending'"
            while await host.rows(waits) and time.monotonic() < deadline:
                pass
            states = await host.rows("SELECT state FROM recall WHERE id < 4 ORDER BY id")
            group.cancel_scope.cancel()
        assert [state for (state,) in states] == ["coalesced", "pending", "coalesced"]
        assert 2 in queue._reserved
