"""A small daemon's worth of methods behind the real socket server, for the tests of server and client."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from soulmem.errors import ErrorName, SoulmemError
from soulmem.rpc.transport.connection import Connection
from soulmem.rpc.transport.jsonrpc import Peer, Request
from soulmem.rpc.transport.listener import Listener, open_listener
from soulmem.rpc.transport.peer_access import Rights, require
from soulmem.rpc.transport.request_limits import Limits
from soulmem.rpc.transport.server import Server

Reader = asyncio.StreamReader
CATALOGUE = json.loads((Path(__file__).parents[3] / "schemas" / "events.json").read_text("utf-8"))["events"]


class Echo:
    """Answers with its parameters, slowly, wrongly or not at all, as the method's name says."""

    def __init__(self) -> None:
        self.started: list[Any] = []
        self.done: list[Any] = []
        self.gate = asyncio.Event()
        self.watchers: list[Peer] = []
        self.gone: list[int] = []
        self.drops = 0  # so many requests more end with their connection

    def is_long(self, method: str) -> bool:
        return method == "big"

    async def dispatch(self, request: Request, peer: Peer) -> Mapping[str, Any]:
        params = request.params
        self.started.append(params.get("n"))
        if self.drops and request.method != "events.watch":
            self.drops -= 1
            assert isinstance(peer, Connection)
            peer.abort()
        match request.method:
            case "echo" | "message.add" | "system.status":
                answer: Any = params
            case "slow":
                await asyncio.sleep(params.get("seconds", 0.05))
                answer = params
            case "work":  # of the loop's own thread
                ends = time.thread_time() + params["ms"] / 1000
                while time.thread_time() < ends:
                    pass
                answer = params
            case "gate":
                await self.gate.wait()
                answer = params
            case "big":
                answer = {"text": "忆" * (params["bytes"] // 3)}
            case "list":  # ten items, named in two scripts
                first = int(params.get("cursor", 0))
                end = min(10, first + params["limit"])
                items = [{"n": n, "text": f"忆 memory {n}"} for n in range(first, end)]
                answer = {"items": items, "next_cursor": str(end) if end < 10 else None}
            case "fail":
                raise SoulmemError(ErrorName.MIND_NOT_FOUND, "no mind named mira", hint="did you mean mirâ?")
            case "crash":
                raise ZeroDivisionError("the secret is 42")
            case "stray":
                raise asyncio.CancelledError
            case "unsayable":
                answer = {"value": {1, 2}}
            case "admin":
                require(peer.rights, Rights.ADMIN, request.method)
                answer = {"uid": peer.credentials.uid, "pid": peer.credentials.pid}
            case "events.watch":
                self.watchers.append(peer)
                peer.on_close(lambda: self.gone.append(peer.number))
                answer = {}
            case _:
                raise SoulmemError(ErrorName.UNKNOWN_METHOD, f"unknown method {request.method[:64]}")
        self.done.append(params.get("n"))
        return dict(answer)


class House:
    """A running server, what it serves and what it said."""

    def __init__(self, path: Path, listener: Listener, limits: Limits | None) -> None:
        self.path = str(path)
        self.echo = Echo()
        self.events: list[tuple[str, dict[str, Any]]] = []
        self._guests: list[asyncio.StreamWriter | socket.socket] = []
        self.server = Server(listener, self.echo, emit=self._emit, limits=limits)

    def _emit(self, event: str, /, **fields: Any) -> None:
        self.events.append((event, fields))

    def named(self, event: str) -> list[dict[str, Any]]:
        return [fields for name, fields in self.events if name == event]

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_unix_connection(self.path, limit=1 << 24)
        self._guests.append(writer)
        return reader, writer

    async def until(self, condition: Any, seconds: float = 5.0) -> None:
        with anyio.fail_after(seconds):
            while not condition():  # noqa: ASYNC110 conditions of the tests, not events of the product
                await anyio.sleep(0.005)

    def raw(self) -> socket.socket:
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(self.path)
        sock.setblocking(False)
        self._guests.append(sock)
        return sock

    def check_events(self) -> None:
        """Every event and field must be in the catalogue."""
        for event, fields in self.events:
            spec = CATALOGUE[event]["fields"]
            given = fields.keys() - {"exc_info"}
            assert given <= spec.keys(), (event, given)
            assert given >= {name for name, field in spec.items() if not field.get("optional")}, (event, given)

    async def see_off(self) -> None:
        for guest in self._guests:
            guest.close()
            if isinstance(guest, asyncio.StreamWriter):
                with contextlib.suppress(OSError):
                    await guest.wait_closed()


@asynccontextmanager
async def serving(directory: Path, limits: Limits | None = None, *, mode: int = 0o660) -> AsyncIterator[House]:
    """Serve on `directory/s.sock` inside the test's own task."""
    path = directory / "s.sock"
    house = House(path, open_listener(path, mode=mode), limits)
    async with anyio.create_task_group() as group:
        group.start_soon(house.server.serve)
        try:
            yield house
        finally:
            group.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                await house.see_off()
    house.check_events()


def call(number: Any, method: str = "echo", **params: Any) -> bytes:
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(request, ensure_ascii=False).encode() + b"\n"


async def reply(reader: Reader, seconds: float = 5.0) -> dict[str, Any]:
    with anyio.fail_after(seconds):
        line = await reader.readline()
    assert line, "closed instead of answering"
    message = json.loads(line)
    assert isinstance(message, dict)
    return message


async def at_end(reader: Reader, seconds: float = 5.0) -> bool:
    """True when the server closed and said nothing more."""
    with anyio.fail_after(seconds):
        try:
            return await reader.read() == b""
        except ConnectionResetError:  # closed while our bytes were still unread
            return True
