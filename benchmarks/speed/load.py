"""The load generator: closed-loop clients that add messages over raw NDJSON, in a process of their own.

Started by `add_phase` as `python load.py`, with one JSON object on stdin and one on stdout; the same generator drives
the daemon and the bare server. One client is a blocking socket; several share one asyncio loop, each sending its next
call when the last one is answered. Lines are made before the clock starts and the collector is off while it runs, so
that little is measured but the server. Invariant: a refused call fails the run.
"""

from __future__ import annotations

import asyncio
import gc
import json
import math
import os
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.speed.speech import Speech


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of all do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def call_line(number: int, method: str, params: dict[str, Any]) -> bytes:
    body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def lines_of(client: int, count: int, mind: str, seed: int) -> list[bytes]:
    """One client's calls: two conversations by turns of ten, one English and one Chinese, users and assistants."""
    speech = Speech(seed * 1000 + client)
    lines = []
    for number in range(count):
        chinese = bool((number // 10 + client) % 2)
        params = {
            "mind": mind,
            "conversation": f"{'zh' if chinese else 'en'}{client}",
            "role": "assistant" if number % 2 else "user",
            "speaker": "Mira" if number % 2 else "Ann",
            "content": speech.message(chinese=chinese),
        }
        lines.append(call_line(number, "message.add", params))
    return lines


def _refuse(reply: bytes) -> None:
    if b'"result"' not in reply:
        raise SystemExit(f"a call was refused: {reply[:300]!r}")


def one_client(path: str, lines: Sequence[bytes], warm_up: int) -> tuple[list[float], float]:
    """(milliseconds of each call, seconds in all) of one client that blocks."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.connect(path)
        took: list[float] = []
        began = 0.0
        for number, line in enumerate(lines):
            sent = time.perf_counter()
            if number == warm_up:
                began = sent
            link.sendall(line)
            reply = link.recv(65536)
            while not reply.endswith(b"\n"):
                reply += link.recv(65536)
            if number >= warm_up:
                took.append((time.perf_counter() - sent) * 1000)
            _refuse(reply)
        return took, time.perf_counter() - began


class _Client(asyncio.Protocol):
    """One of several clients: sends a call, waits for its reply, sends the next."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self._lines: Sequence[bytes] = ()
        self._place = 0
        self._sent = 0.0
        self._reply = b""
        self._done: asyncio.Future[None]
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def run(self, lines: Sequence[bytes]) -> asyncio.Future[None]:
        self._lines, self._place, self.took = lines, 0, []
        self._done = asyncio.get_running_loop().create_future()
        self._send()
        return self._done

    def _send(self) -> None:
        self._sent = time.perf_counter()
        self._transport.write(self._lines[self._place])

    def data_received(self, data: bytes) -> None:
        self._reply += data
        if not data.endswith(b"\n"):
            return
        self.took.append((time.perf_counter() - self._sent) * 1000)
        reply, self._reply = self._reply, b""
        if b'"result"' not in reply:
            self._done.set_exception(RuntimeError(f"a call was refused: {reply[:300]!r}"))
            return
        self._place += 1
        if self._place < len(self._lines):
            self._send()
        else:
            self._done.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._done.done():
            self._done.set_exception(RuntimeError(f"the connection ended: {exc}"))

    def close(self) -> None:
        self._transport.close()


async def many_clients(path: str, lines: Sequence[Sequence[bytes]], warm_up: int) -> tuple[list[float], float]:
    """(milliseconds of each call, seconds in all) of clients that run side by side."""
    loop = asyncio.get_running_loop()
    clients = [(await loop.create_unix_connection(_Client, path))[1] for _ in lines]
    if warm_up:
        await asyncio.wait([client.run(mine[:warm_up]) for client, mine in zip(clients, lines, strict=True)])
    began = time.perf_counter()
    runs = [client.run(mine[warm_up:]) for client, mine in zip(clients, lines, strict=True)]
    for run in runs:
        await run
    seconds = time.perf_counter() - began
    took = [ms for client in clients for ms in client.took]
    for client in clients:
        client.close()
    return took, seconds


def main() -> None:
    asked = json.load(sys.stdin)
    clients, warm_up = asked["clients"], asked["warm_up"] // asked["clients"]
    count = asked["calls"] // clients + warm_up
    lines = [lines_of(client, count, asked["mind"], asked["seed"]) for client in range(clients)]
    gc.collect()
    gc.disable()
    cpu = time.process_time()
    if clients == 1:
        took, seconds = one_client(asked["socket"], lines[0], warm_up)
    else:
        took, seconds = asyncio.run(many_clients(asked["socket"], lines, warm_up))
    report = {
        "p50_ms": percentile(took, 0.5),
        "p99_ms": percentile(took, 0.99),
        "max_ms": max(took),
        "rate": len(took) / seconds,
        "calls": len(took),
        "client_cpu": (time.process_time() - cpu) / seconds,
        "load_average": os.getloadavg()[0],
    }
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
