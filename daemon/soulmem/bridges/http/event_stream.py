"""Events as they happen, as server-sent events: `events.watch` with a connection to the daemon for each stream.

Invariants: nothing is kept here but the line on its way, so a reader that falls behind is waited for by the daemon's
own bounds, which drop it with `lagged`; when either end goes, or this server stops, all that a stream held is freed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from soulmem.bridges.http.http_replies import HttpRefusal, json_bytes
from soulmem.bridges.http.request_bodies import ClientGone, while_heard
from soulmem.client import DaemonUnavailable, SoulmemRemoteError
from soulmem.client.socket_paths import socket_path
from soulmem.client.wire import encode_call, outcome, watch_params

_LINE_BYTES = 128 << 10  # events are short; of a reader that falls behind twice as much is kept
_ANSWER_S = 10.0
_KIND = "text/event-stream"
_PARAMETERS = ("events", "mind")


@dataclass(frozen=True, slots=True)
class StreamSetting:
    """`quiet_s`: after so long without an event comes a comment, so that whoever stands between keeps it open.

    `most`: streams at once, of the connections that the daemon has for everybody.
    """

    socket: Path | None
    quiet_s: float
    most: int = 64


class EventStreams:
    """All streams of a server."""

    def __init__(self, setting: StreamSetting) -> None:
        self._setting = setting
        self._places = setting.most
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """End all streams."""
        self._stopping.set()

    async def answer(self, request: Request) -> Response:
        """The stream that a request asks for, by the parameters of `events.watch`; names of events apart by commas."""
        wanted = _wanted(request)
        return Response(media_type=_KIND) if request.method == "HEAD" else self.stream(wanted)

    def stream(self, params: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
        """A stream by the parameters of `events.watch`."""
        return _EventStream(self, params, headers or {})

    @contextlib.asynccontextmanager
    async def watching(self, params: Mapping[str, Any]) -> AsyncIterator[asyncio.StreamReader]:
        """The daemon's lines. Raises HttpRefusal: too many watch; DaemonUnavailable, SoulmemRemoteError."""
        if not self._places:
            line = f"{self._setting.most} streams are open already"
            raise HttpRefusal("overloaded", line, "close some", retryable=True)
        self._places -= 1
        writer = None
        try:
            reader, writer = await _connected(self._setting.socket)
            writer.write(encode_call(1, "events.watch", params))
            async with asyncio.timeout(_ANSWER_S):
                said = _read(await reader.readline())
            if isinstance(failed := outcome(said), SoulmemRemoteError):
                raise failed
            yield reader
        except (TimeoutError, ConnectionError, ValueError) as error:
            raise DaemonUnavailable(socket_path(self._setting.socket), "it closed the connection") from error
        finally:
            self._places += 1
            if writer is not None:
                writer.close()

    async def relay(self, reader: asyncio.StreamReader, send: Send) -> None:
        """Pass lines on until the daemon goes, drops this watcher, or the server stops."""
        stopping = asyncio.ensure_future(self._stopping.wait())
        line = asyncio.ensure_future(reader.readline())
        try:
            while True:
                await asyncio.wait((line, stopping), timeout=self._setting.quiet_s, return_when=asyncio.FIRST_COMPLETED)
                if stopping.done():
                    return
                if not line.done():
                    await _say(send, b": quiet\n\n")
                    continue
                event = _read(line.result())
                line = asyncio.ensure_future(reader.readline())
                await _say(send, _framed(event))
                if event.get("method") == "lagged":
                    return
        except (ConnectionError, ValueError):  # the daemon has gone, or what came is no event of its
            return
        finally:
            stopping.cancel()
            line.cancel()


class _EventStream(Response):
    """One stream; it is told that there is none before it begins, or not at all."""

    def __init__(self, streams: EventStreams, params: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(media_type=_KIND, headers={"X-Accel-Buffering": "no", **headers})
        self._streams = streams
        self._params = params

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._streams.watching(self._params) as reader:
            headers = [each for each in self.raw_headers if each[0] != b"content-length"]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await _say(send, b"retry: 2000\n\n")
            with contextlib.suppress(ClientGone):
                await while_heard(receive, self._streams.relay(reader, send))
                await send({"type": "http.response.body", "body": b""})


def _wanted(request: Request) -> dict[str, Any]:
    """Raises HttpRefusal: a parameter that there is none of."""
    given = request.query_params
    for name in given:
        if name not in _PARAMETERS:
            raise HttpRefusal("invalid_params", f"there is no parameter {name[:64]!r}", "events, mind")
    named = [name.strip() for text in given.getlist("events") for name in text.split(",") if name.strip()]
    return watch_params(named or None, given.get("mind"))


async def _connected(socket: Path | None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    path = socket_path(socket)
    try:
        async with asyncio.timeout(_ANSWER_S):
            return await asyncio.open_unix_connection(path, limit=_LINE_BYTES)
    except OSError as error:
        raise DaemonUnavailable(path, error.strerror or "it does not accept connections") from error


def _read(line: bytes) -> dict[str, Any]:
    """Raises ValueError: the connection ended, or this is no message."""
    message = json.loads(line) if line.endswith(b"\n") else None
    if not isinstance(message, dict):
        raise ValueError("no message")
    return message


def _framed(message: Mapping[str, Any]) -> bytes:
    """A notification of the daemon as an event: its name, its number, its fields."""
    params = message.get("params") or {}
    name = params.get("event") if message.get("method") == "event" else message.get("method")
    number = f"id: {params['seq']}\n" if "seq" in params else ""
    return f"{number}event: {name}\ndata: ".encode() + json_bytes(params) + b"\n\n"


async def _say(send: Send, said: bytes) -> None:
    await send({"type": "http.response.body", "body": said, "more_body": True})
