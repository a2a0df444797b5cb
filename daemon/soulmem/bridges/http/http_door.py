"""The application: which path leads where, and what a request is told that leads nowhere.

Called by `bridges/http/http_serving`. Invariants: no handler sees a request that the guard did not let pass; whatever
goes wrong is answered in one form, and a fault of ours is told on stderr by its kind alone.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from soulmem.bridges.http.daemon_leases import DaemonLeases
from soulmem.bridges.http.event_stream import EventStreams, StreamSetting
from soulmem.bridges.http.http_replies import Failure, HttpRefusal, error_reply, failure_of, json_reply
from soulmem.bridges.http.mem0_endpoint import Mem0Endpoint
from soulmem.bridges.http.openapi_document import openapi
from soulmem.bridges.http.request_bodies import ClientGone
from soulmem.bridges.http.request_guard import HEALTH, GuardSetting, admit, is_preflight
from soulmem.bridges.http.rpc_endpoint import RpcEndpoint
from soulmem.client import AsyncClient, CallTimeout, DaemonUnavailable, SoulmemRemoteError

_HEALTH_S, _FRESH_S = 5.0, 0.5
_PIECE_BYTES = 64 << 10
_KEPT_OUT = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]


class HttpDoor:
    """One for all clients. `daemon` None: its usual socket; `mind`: that of Mem0's paths; `quiet_s`: of a stream."""

    def __init__(self, guard: GuardSetting, daemon: Path | None, *, mind: str = "mem0", quiet_s: float = 15.0) -> None:
        self._guard = guard
        self._leases = DaemonLeases(daemon)
        self._health = Health(daemon)
        self._streams = EventStreams(StreamSetting(daemon, quiet_s))
        self._mem0 = Mem0Endpoint(daemon, mind)
        rpc = RpcEndpoint(self._leases)
        self._router = Router(
            [
                Route(HEALTH, self._health.answer, methods=["GET"]),
                Route("/events", self._streams.answer, methods=["GET"]),
                Route("/rpc", rpc.envelope, methods=["POST"]),
                Route("/rpc/{method}", rpc.method, methods=["POST"]),
                Route("/openapi.json", self._describe, methods=["GET"]),
                *self._mem0.routes(),
            ],
            redirect_slashes=False,
        )

    def stop(self) -> None:
        """End what would go on for ever."""
        self._streams.stop()

    async def close(self) -> None:
        await self._leases.close()
        await self._health.close()
        await self._mem0.close()

    async def _describe(self, _request: Request) -> Response:
        async with self._leases.lend() as client:
            described = await client.call("system.describe")
        return json_reply(await asyncio.to_thread(openapi, described))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        scope["path"] = scope["path"].rstrip("/") or "/"
        started = False

        async def told(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._mark(scope, message)
            for piece in _pieces(message):
                await send(piece)

        try:
            admit(self._guard, scope)
            app: ASGIApp = _permit if self._is_permitted(scope) else self._router
            scope["app"] = self  # so that the router raises what it finds wrong
            await app(scope, receive, told)
        except ClientGone:
            return
        except asyncio.CancelledError:  # what takes longer than a server that stops can wait for
            if not started:
                hint = "what was begun may still be carried out"
                stopping = Failure("stopping", "the server is stopping", hint, retryable=True)
                await error_reply(stopping)(scope, receive, told)
            raise
        except Exception as error:
            failure = self._routing_failure(scope, error) or failure_of(error)
            if failure is None:
                sys.stderr.write(f"soulmem: a fault of the server's own ({type(error).__name__}); it goes on\n")
                failure = Failure("internal", "a fault of the server's own", code=-1)
            if not started:
                await error_reply(failure)(scope, receive, told)

    def _routing_failure(self, scope: Scope, error: Exception) -> Failure | None:
        if not isinstance(error, HTTPException):
            return None
        if error.status_code != 405:
            return HttpRefusal("unknown_path", "there is nothing at this path", "GET /openapi.json lists them").failure
        routes = [each for each in self._router.routes if isinstance(each, Route)]
        taken = {verb for each in routes if each.matches(scope)[0] is not Match.NONE for verb in each.methods or ()}
        return HttpRefusal("wrong_verb", "this path does not take that verb", ", ".join(sorted(taken))).failure

    def _is_permitted(self, scope: Scope) -> bool:
        return is_preflight(scope) and "origin" in Headers(scope=scope)

    def _mark(self, scope: Scope, message: Message) -> None:
        """Say of an answer that nobody may keep it, and which page may read it."""
        headers = MutableHeaders(raw=message.setdefault("headers", []))
        headers.raw.extend(_KEPT_OUT)
        origin = Headers(scope=scope).get("origin")
        if origin is not None and origin in self._guard.origins:
            headers["Access-Control-Allow-Origin"] = origin
            headers["Vary"] = "Origin"


class Health:
    """Whether the daemon answers. Anybody may ask, so it is looked at twice a second at the most."""

    def __init__(self, daemon: Path | None) -> None:
        self._client = AsyncClient(daemon, timeout=_HEALTH_S)
        self._looking = asyncio.Lock()
        self._seen: tuple[float, bool] | None = None

    async def answer(self, _request: Request) -> Response:
        async with self._looking:
            now = asyncio.get_running_loop().time()
            if self._seen is None or now - self._seen[0] > _FRESH_S:
                self._seen = (now, await self._is_well())
        return json_reply({"status": "ok"}) if self._seen[1] else json_reply({"status": "daemon unavailable"}, 503)

    async def close(self) -> None:
        await self._client.aclose()

    async def _is_well(self) -> bool:
        try:
            await self._client.call("system.ping", retry=True)
        except (DaemonUnavailable, CallTimeout, SoulmemRemoteError):
            return False
        return True


async def _permit(scope: Scope, receive: Receive, send: Send) -> None:
    """Tell a browser that a page may send what it asks about: its origin was let in."""
    permitted = {
        "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, X-API-Key",
        "Access-Control-Max-Age": "600",
    }
    await Response(status_code=204, headers=permitted)(scope, receive, send)


def _pieces(message: Message) -> Iterator[Message]:
    """A message of an answer, a long body piece by piece: who takes one after the other is slow, but not deaf."""
    body = message.get("body", b"")
    last = max(0, (len(body) - 1) // _PIECE_BYTES * _PIECE_BYTES)
    for first in range(0, last, _PIECE_BYTES):
        yield {"type": message["type"], "body": body[first : first + _PIECE_BYTES], "more_body": True}
    yield {**message, "body": body[last:]} if last else message
