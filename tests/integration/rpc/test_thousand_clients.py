"""Many clients of one daemon at once, each in the middle of a talk: all are answered, and all that was said is there.

`make torture` has a thousand of them, more than a daemon takes unless it is told to.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from checking import checking
from daemon_fixture import daemon_process
from pinging import pinging, summary
from probing import ids
from slowness import PATIENCE_S

LONG = bool(os.environ.get("SOULMEM_TORTURE"))
CLIENTS = 1_000 if LONG else 100
ROUNDS = 2 if LONG else 1  # of five calls each
MINDS = 4
_UNEVEN = 2.5  # times the median that a recall may take at most, where all ask at once


def _calls(client: int) -> list[tuple[str, dict[str, Any]]]:
    mind = f"m{client % MINDS}"
    said = {
        "mind": mind,
        "role": "user",
        "content": f"Number {client} keeps bees by the harbour. 港口边的蜂箱{client}号",
    }
    return [
        call
        for number in range(ROUNDS)
        for call in (
            ("system.ping", {}),
            ("message.add", {**said, "id": f"c{client}-{number}"}),
            ("message.list", {"mind": mind, "limit": 3}),
            ("recall", {"mind": mind, "query": "bees 蜂箱", "record": False, "k": 3}),
            ("system.hello", {}),
        )
    ]


async def _client(path: Path, number: int, all_are_there: asyncio.Barrier, took_ms: list[tuple[float, str]]) -> None:
    reader, writer = await asyncio.open_unix_connection(str(path), limit=1 << 22)
    await all_are_there.wait()
    for at, (method, params) in enumerate(_calls(number)):
        began = time.monotonic()
        writer.write(json.dumps({"jsonrpc": "2.0", "id": at, "method": method, "params": params}).encode() + b"\n")
        answer = json.loads(await asyncio.wait_for(reader.readline(), PATIENCE_S))
        took_ms.append(((time.monotonic() - began) * 1000, method))
        assert answer["id"] == at
        assert "result" in answer, answer
    writer.close()


async def _all(path: Path) -> list[tuple[float, str]]:
    took_ms: list[tuple[float, str]] = []
    all_are_there = asyncio.Barrier(CLIENTS)
    async with asyncio.TaskGroup() as group:
        for number in range(CLIENTS):
            group.create_task(_client(path, number, all_are_there, took_ms))
    return sorted(took_ms)


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_each_of_many_clients_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    room = {"SOULMEM_SERVER_CONNECTIONS": "1200"} if LONG else {}
    with daemon_process(tmp_path, env=room) as daemon:
        with pinging(daemon.socket) as pings:
            began = time.monotonic()
            took = asyncio.run(_all(daemon.socket))
            ended = time.monotonic()
        for mind in range(MINDS):
            wanted = {f"c{client}-{at}" for client in range(mind, CLIENTS, MINDS) for at in range(ROUNDS)}
            found = ids(daemon, f"m{mind}")
            assert len(found) == len(wanted)
            assert set(found) == wanted
        assert not daemon.events("client_refused")
        checking(daemon).until(lambda: daemon.call("system.status")["connections"] <= 2, "all have gone")
    took_ms = [ms for ms, _ in took]
    recalls_ms = [ms for ms, method in took if method == "recall"]
    with capsys.disabled():
        print(
            f"\n{CLIENTS} clients at once, {len(took_ms)} calls in {ended - began:.1f} s, all answered: "
            f"p50 {took_ms[len(took_ms) // 2]:.0f} ms, p99 {took_ms[int(len(took_ms) * 0.99)]:.0f} ms, "
            f"recalls p50 {recalls_ms[len(recalls_ms) // 2]:.0f} ms, worst {recalls_ms[-1]:.0f} ms; "
            f"of another: {summary(pings.during(began, ended))}"
        )
    assert len(took_ms) == CLIENTS * ROUNDS * 5
    if LONG:  # who comes first is served first: nobody's question waits while others ask their second one
        assert recalls_ms[-1] < _UNEVEN * recalls_ms[len(recalls_ms) // 2]
