"""`soulmem http` as its users run it: a process of its own before a daemon, asked by httpx2 and by curl."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from daemon_fixture import Daemon
from served_process import served
from soulmem.bridges.http.http_door import HttpDoor
from soulmem.bridges.http.http_serving import BoundedProtocol, door_config
from soulmem.bridges.http.request_guard import GuardSetting
from soulmem.bridges.http_server import StoppableServer
from warm_start import WarmProcess

PATIENCE_S = 30.0
TOKEN = "a-token-of-the-tests-0123456789"


class EventReader:
    """What comes over a stream, piece by piece."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def block(self) -> list[str]:
        """The lines up to the next empty one; none at the end."""
        found: list[str] = []
        for line in self._lines:
            if not line:
                break
            found.append(line)
        return found

    def rest(self) -> list[str]:
        """All lines until the stream ends."""
        return list(self._lines)

    def next(self) -> dict[str, Any]:
        """The next event, comments passed over: what stands in each of its lines."""
        while (found := self.block())[0].startswith(":"):
            pass
        fields = dict(line.split(": ", 1) for line in found)
        return fields | {"data": json.loads(fields["data"])}


@dataclass
class HttpBench:
    """A server, what it said, and the daemon behind it."""

    url: str
    log: Path
    daemon: Daemon
    process: WarmProcess
    token: str = TOKEN
    client: httpx2.Client = field(default_factory=lambda: httpx2.Client(verify=False, timeout=PATIENCE_S))

    @property
    def authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, verb: str, path: str, body: Any = None, **more: Any) -> httpx2.Response:
        """One request with the token; `body`: bytes as they are, anything else as JSON."""
        headers = self.authorization | more.pop("headers", {})
        if body is not None:
            more["content"] = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        return self.client.request(verb, self.url + path, headers=headers, **more)

    def call(self, method: str, **params: Any) -> Any:
        """The result of a method; it may not fail."""
        answer = self.ask("POST", f"/rpc/{method}", params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def error(self, verb: str, path: str, body: Any = None, **more: Any) -> tuple[int, str]:
        """Status and name of the error with which a request is answered."""
        answer = self.ask(verb, path, body, **more)
        found = answer.json()
        assert "Traceback" not in answer.text
        assert "\n" not in found["error"]["message"]
        return answer.status_code, found["error"]["data"]["name"]

    @contextlib.contextmanager
    def events(self, query: str = "") -> Iterator[EventReader]:
        """A stream of events; it has begun."""
        with self.client.stream("GET", f"{self.url}/events{query}", headers=self.authorization) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"].startswith("text/event-stream")
            reader = EventReader(answer.iter_lines())
            assert reader.block() == ["retry: 2000"]
            yield reader

    def open_files(self) -> int:
        """How many descriptors the server has."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def curl(self, path: str, *arguments: str, body: bytes = b"") -> tuple[int, str]:
        """Status and text of what curl gets, without a token unless the arguments bring one."""
        command = ["curl", "-sS", "-m", "30", "-w", "\n%{http_code}", self.url + path, *arguments]
        done = subprocess.run(command, input=body, capture_output=True, check=True, timeout=60)
        text, _, status = done.stdout.decode().rpartition("\n")
        return int(status), text


@contextlib.contextmanager
def http_process(
    daemon: Daemon, *arguments: str, says: str | None = None, token: str | None = TOKEN, **env: str
) -> Iterator[HttpBench]:
    """A server on a free port, or where the arguments say; it says where, and nothing else but `says`, and ends with 0.

    `token` None: it finds or makes one itself.
    """
    asked = list(arguments if {"--port", "--listen", "--uds"} & set(arguments) else ("--port", "0", *arguments))
    if token is not None:
        env["SOULMEM_HTTP_TOKEN"] = token
    ready = r"soulmem: HTTP on (\S+?)(?:, token in (\S+))?\n"
    with served(["http", "--socket", str(daemon.socket), *asked], ready, then=says or "", **env) as running:
        where, kept = running.said.groups()
        token = Path(kept).read_text().strip() if kept else token or ""
        bench = HttpBench(where, running.log, daemon, running.process, token)
        with bench.client:
            yield bench
        assert not token or token not in running.log.read_text()


@contextlib.contextmanager
def door_in_thread(
    socket_path: Path, *, quiet_s: float = 15.0, arrival_s: float = 30.0, stall_s: float = 20.0, stop_s: int = 3
) -> Iterator[str]:
    """The server in this process, with other deadlines and with buffers so small that a deaf client is soon noticed."""

    class Protocol(BoundedProtocol):
        pass

    Protocol.arrival_s, Protocol.stall_s = arrival_s, stall_s
    door = HttpDoor(GuardSetting(TOKEN, ("127.0.0.1:*",)), socket_path, quiet_s=quiet_s)
    server = _Unsignalled(door_config(door, Protocol, stop_s), door.stop)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"

        async def serve() -> None:
            await server.serve(sockets=[listener])
            await door.close()

        running = threading.Thread(target=asyncio.run, args=(serve(),))
        running.start()
        try:
            yield url
        finally:
            server.should_exit = True
            running.join(20)
            assert not running.is_alive()


class _Unsignalled(StoppableServer):
    """One that a thread runs, to which no signal comes."""

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]  # as its parent's
        return contextlib.nullcontext()
