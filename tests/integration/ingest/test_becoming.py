"""A mind whose settings change while it still takes in the former change: the last one holds."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import anyio
import pytest

from mind_bench import Host, hosted
from soulmem.core.search.index_columns import ItemKind
from soulmem.store.sqlite.driver import Connection
from spread import spread


async def digested(path: Path, *, recallable: bool) -> None:
    """A mind that has digested one message."""
    async with hosted(path, recall__digested_messages=recallable) as host:
        await host.hear("Ann keeps bees in Porto. 小林养蜜蜂。")
        await host.mind.life.sleep(None, wait=True)
        assert await host.rows("SELECT DISTINCT state FROM epoch WHERE epoch = 1") == [("consolidated",)]


async def become(host: Host, recallable: bool) -> None:
    who = host.mind.memory.who
    await host.mind.life.become(replace(who, settings={**who.settings, "recall.digested_messages": recallable}))


def holds_it(host: Host) -> bool:
    index = host.mind.memory.index
    assert index is not None
    return (ItemKind.MESSAGE, 1) in index


@pytest.mark.parametrize(
    ("choices", "first"),
    spread([[True, False], [False, True], [True, False, True], [False, True, False]], [True, False]),
)
async def test_the_last_choice_wins_while_the_index_is_loading(
    tmp_path: Path, choices: list[bool], first: bool
) -> None:
    path = tmp_path / "a.db"
    await digested(path, recallable=first)
    go = threading.Event()

    def hold(_connection: Connection) -> None:
        assert go.wait(10)

    async with hosted(path) as host, anyio.create_task_group() as group:
        await host.mind.memory.index_ready.wait()
        assert holds_it(host) is first
        group.start_soon(host.mind.memory.database.read, hold)
        for choice in choices:
            group.start_soon(become, host, choice)
            await anyio.sleep(0.02)
        assert host.mind.memory.index is None, "it is being loaded"
        go.set()
        with anyio.fail_after(10):
            await become(host, choices[-1])
        assert holds_it(host) is choices[-1]


async def test_a_choice_that_is_waited_for_is_in_force(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await digested(path, recallable=False)
    async with hosted(path) as host:
        await host.mind.memory.index_ready.wait()
        for _, choice in pairwise([False, True, False, True]):
            await become(host, choice)
            assert holds_it(host) is choice
