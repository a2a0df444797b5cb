"""What is written waits for the recalls of what was said before, however much others talk: they must not know of it."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from mind_bench import Host, hosted
from soulmem.ops.process.clock import SimulatedClock
from soulmem.working.runtime.backpressure import Pace


async def _others_talk(host: Host) -> None:
    while True:
        host.mind.life._pace.touch()
        await anyio.sleep(0.001)


@pytest.mark.parametrize(
    ("said", "noted"),
    [("Where does Ines live now?", "Ines lives in Ghent now."), ("伊内斯现在住在哪里？", "伊内斯现在住在根特。")],
)
async def test_no_message_is_reminded_of_a_note_that_is_written_after_it(tmp_path: Path, said: str, noted: str) -> None:
    async with hosted(tmp_path / "mira.db") as host, anyio.create_task_group() as group:
        group.start_soon(_others_talk, host)
        await anyio.sleep(0.05)
        for number in range(6):
            await host.hear(f"{said} {number}", conversation=("tea", "茶")[number % 2])
        await host.note(noted)
        assert await host.rows("SELECT id FROM recall WHERE state = 'pending'") == []
        group.cancel_scope.cancel()
        assert await host.rows("SELECT count(*) FROM recall WHERE state = 'done'") == [(6,)]
        assert await host.rows("SELECT recall FROM recall_hit WHERE kind = 'note'") == []


async def test_who_is_waited_for_does_not_wait_for_a_calm_moment() -> None:
    pace, hurry = Pace(SimulatedClock(0)), anyio.Event()
    pace.touch()
    async with anyio.create_task_group() as group:
        group.start_soon(_hurry_soon, hurry)
        with anyio.fail_after(60):
            while await pace.calm(1e9, hurry):  # it got calm before anybody hurried
                pace.touch()
    assert hurry.is_set()


async def _hurry_soon(hurry: anyio.Event) -> None:
    await anyio.sleep(0.005)
    hurry.set()
