"""A clock that jumps lets no key of a write run out: the request that is sent again is the same one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from mind_bench import Host, hosted
from soulmem.minds.mind_api import ClientCall
from soulmem.minds.ticks import MindTicks

DAY_MS = 86_400_000


async def add(host: Host) -> dict[str, Any]:
    return await host.mind.keep(ClientCall(None, "k", "the same"), "note.add", lambda _connection: {"id": "n1"})


async def amend(host: Host, content: str) -> dict[str, Any]:
    return await host.amend("main", "m1", content, key="k2")


async def test_a_key_outlives_a_clock_that_is_ahead_for_a_while(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db", works=False) as host:
        keeping = MindTicks(cast(Any, None), host.clock, host.mind.world.emit, host.mind.memory.database)
        await host.hear("Ines keeps bees.")
        await add(host)
        await amend(host, "Ines keeps geese.")
        host.clock.jump(400 * DAY_MS)
        assert host.clock.suspect
        await keeping._drop_old(host.mind)
        assert (await add(host))["duplicate"]
        assert (await amend(host, "Ines keeps geese."))["duplicate"]
        host.clock.jump(-400 * DAY_MS)
        host.clock.advance(31 * DAY_MS)
        await keeping._drop_old(host.mind)
        assert await host.rows("SELECT key FROM idempotency") == []
