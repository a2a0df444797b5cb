"""Experienced time goes on where it was when a mind is closed and opened again, however it was talked with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mind_bench import Host, hosted
from soulmem.store.sqlite.driver import Connection
from soulmem.working.recall.recall_request import RecallRequest
from spread import spread

DAY_MS = 86_400_000


async def talk(host: Host, how: str) -> None:
    if how == "look":
        await host.mind.recall(RecallRequest("harbour", 3), [], record=False, explained=False)
    else:
        await host.hear("Ines keeps bees at the harbour. 伊内丝在港口养蜂。", role=how)


@pytest.mark.parametrize(
    ("how", "settings"),
    spread(
        ["user", "assistant", "look"],
        [{}, {"forgetting__dormancy_after_days": 30.0}, {"forgetting__clock": "wall"}],
    ),
)
async def test_days_without_a_long_silence_pass_as_they_were_lived(
    tmp_path: Path, how: str, settings: dict[str, Any]
) -> None:
    path, days = tmp_path / "a.db", 0
    async with hosted(path, works=False, **settings) as host:
        born = host.mind.memory.now(host.clock.trusted_now_ms())
        for silence in (1, 2, 1, 2.5, 1, 2, 2.5, 0.5, 2, 2, 0.25):
            host.clock.advance(round(silence * DAY_MS))
            await talk(host, how)
            days += silence
        now = host.clock.trusted_now_ms()
        assert host.mind.memory.now(now) - born == days * DAY_MS
    async with hosted(path, works=False, at=now) as host:
        felt = host.mind.memory.now(now) - born
        assert felt == days * DAY_MS
        month = host.mind.memory.now(now + 40 * DAY_MS) - host.mind.memory.now(now)
        slow = {"": 6.7, "dormancy_after_days": 31.0, "clock": 40.0}["".join(settings).removeprefix("forgetting__")]
        assert how == "look" or month == slow * DAY_MS  # a look leaves no trace, so the silence began before it


async def test_a_clock_that_was_set_back_for_good_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with hosted(path, works=False) as host:
        host.clock.advance(40 * DAY_MS)
        await talk(host, "user")
        now = host.clock.trusted_now_ms()
        felt, back = host.mind.memory.now(now), now - 30 * DAY_MS
        host.mind.memory.clock.rebase(before_ms=now, after_ms=back)
        await host.mind.memory.clock.touch(back + DAY_MS, back + DAY_MS)
        assert host.mind.memory.now(back + DAY_MS) == felt + DAY_MS
    async with hosted(path, works=False, at=back + DAY_MS) as host:
        assert host.mind.memory.now(back + DAY_MS) == felt + DAY_MS
        assert await host.rows("SELECT wall_anchor_at, exp_anchor FROM mind") == [(back + DAY_MS, felt + DAY_MS)]


@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_what_was_said_while_the_clock_was_ahead_lets_no_time_pass(tmp_path: Path, role: str) -> None:
    """Neither at once, nor is there none for as long afterwards."""
    path = tmp_path / "a.db"
    async with hosted(path, works=False) as host:
        await talk(host, "user")
        host.clock.jump(400 * DAY_MS)
        await talk(host, role)
        host.clock.jump(-400 * DAY_MS)
        now = host.clock.trusted_now_ms()
        felt = host.mind.memory.now(now)
    async with hosted(path, works=False) as host:
        assert host.mind.memory.now(now) == felt
        assert host.mind.memory.now(now + 2 * DAY_MS) == felt + 2 * DAY_MS


async def test_a_file_that_takes_no_more_keeps_nobody_from_recalling_after_a_silence(tmp_path: Path) -> None:
    def seal(connection: Connection) -> None:
        connection.execute("PRAGMA query_only = 1")

    async with hosted(tmp_path / "a.db", works=False) as host:
        await talk(host, "user")
        await host.mind.memory.database.write("seal", seal)
        host.clock.advance(40 * DAY_MS)
        found = await host.mind.recall(RecallRequest("bees", 3), [], record=False, explained=False)
        assert [item["kind"] for item in found["items"]] == ["message"]
        assert await host.rows("SELECT wall_anchor_at - created_at FROM mind") == [(0,)]
