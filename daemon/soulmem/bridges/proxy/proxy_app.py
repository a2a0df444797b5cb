"""The proxy itself: takes a request, puts a memory into it, sends it on, and hands back what comes as it comes.

Called by `bridges/proxy/proxy_serving`. Invariants: the first token is never held back, nor is any other; a memory that
fails costs the request nothing but its deadline; whoever hangs up ends the call behind him.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

import httpx2
from starlette.types import Receive, Scope, Send

from soulmem.bridges.http.request_bodies import ClientGone, while_heard, whole_body
from soulmem.bridges.http.request_guard import is_among
from soulmem.bridges.proxy.answer_reading import AnswerReading
from soulmem.bridges.proxy.chat_requests import ChatRequest, read_request
from soulmem.bridges.proxy.memory_door import MemoryDoor
from soulmem.bridges.proxy.prompt_injection import Position
from soulmem.bridges.proxy.upstream_calls import Upstream, passed_on

_PATH = re.compile(r"/(?:p/(?P<persona>[^/]+)/)?v1/(?P<rest>.+)\Z")
_CHAT = "chat/completions"
_MOST_BYTES = 64 << 20  # pictures travel in the body
_TOKEN_HEADER = "x-soulmem-token"  # noqa: S105 - the name of a header


@dataclass(frozen=True, slots=True)
class ProxySetting:
    """`mind`: of whoever names no persona; None: by the system prompt. `hosts`, `origins`: None: not looked at."""

    mind: str | None = None
    position: Position = Position.USER
    depth: int = 4
    token: str | None = field(default=None, repr=False)
    hosts: tuple[str, ...] | None = None
    origins: tuple[str, ...] = ()


class ProxyApp:
    """The application; one for all clients."""

    def __init__(self, setting: ProxySetting, upstream: Upstream, door: MemoryDoor) -> None:
        self._setting = setting
        self._upstream = upstream
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if refused := self._refusal(scope, headers):
            await _say(send, *refused)
            return
        found = _PATH.match(scope["raw_path"].decode("latin-1") if scope.get("raw_path") else scope["path"])
        if found is None:
            await _say(send, 404, "there is nothing here; the address of this endpoint ends with /v1")
            return
        persona = unquote(found["persona"]) if found["persona"] else None
        with contextlib.suppress(ClientGone):
            body = await whole_body(receive, _MOST_BYTES)
            if body is None:
                await _say(send, 413, f"a request has at most {_MOST_BYTES >> 20} MiB")
                return
            await while_heard(receive, self._relay(scope, send, found["rest"], headers, persona, body))

    async def _relay(
        self, scope: Scope, send: Send, path: str, headers: Mapping[str, str], persona: str | None, body: bytes
    ) -> None:
        chat = None
        if scope["method"] == "POST" and path.rstrip("/") == _CHAT:
            try:
                chat = read_request(body, headers, persona, self._setting.mind)
                body = await self._with_memory(chat)
            except Exception as error:  # a fault of ours costs the memory, not the talk
                self._door.tell_fault(error)
        try:
            answer = await self._upstream.send(
                scope["method"], path, scope["query_string"], scope["headers"], body,
                is_token=self._setting.token is not None and _TOKEN_HEADER not in headers,
            )  # fmt: skip
        except httpx2.TimeoutException:
            await _say(send, 504, "the endpoint behind this proxy did not answer in time", kind="upstream_timeout")
            return
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError):
            await _say(send, 502, "the endpoint behind this proxy cannot be reached", kind="upstream_unreachable")
            return
        try:
            await self._hand_back(send, answer, chat)
        finally:
            await answer.aclose()

    async def _with_memory(self, chat: ChatRequest) -> bytes:
        """The body to send on; what was said is told to the daemon meanwhile."""
        memory = None
        if chat.is_talk:
            if self._setting.position is not Position.NONE:
                memory = await self._door.remembered(chat.names, chat.query, chat.turns)
            self._door.tell_history(chat.names, chat.turns)
        return chat.with_memory(memory, self._setting.position, self._setting.depth)

    async def _hand_back(self, send: Send, answer: httpx2.Response, chat: ChatRequest | None) -> None:
        """Pass an answer on, piece by piece; one that breaks off breaks off for the client too."""
        reading = None
        if chat is not None and chat.is_answered and answer.status_code == 200:
            kind = answer.headers.get("content-type", "")
            reading = AnswerReading(is_stream=kind.startswith("text/event-stream"))
        await send({"type": "http.response.start", "status": answer.status_code, "headers": passed_on(answer.headers)})
        async for piece in answer.aiter_raw():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            if reading is not None:
                reading.feed(piece)
        # told before the client knows that it is over: its next request finds it on the way
        text = reading.answer() if reading is not None else None
        if text is not None and chat is not None:
            self._door.tell_answer(chat.names, chat.turns, text)
        await send({"type": "http.response.body", "body": b""})

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Why a request is not served: a web page sends it by another name, or it lacks the token."""
        setting = self._setting
        if setting.hosts is not None:
            if not is_among(headers.get("host", ""), setting.hosts):
                return 421, "this is not called by that name"
            origin = headers.get("origin")
            if origin is not None and not is_among(origin, setting.origins):
                return 403, "web pages from elsewhere are not served"
        if setting.token is not None and not self._brings_token(headers):
            return 401, "a token is needed: Authorization: Bearer TOKEN, or X-Soulmem-Token: TOKEN"
        return None

    def _brings_token(self, headers: Mapping[str, str]) -> bool:
        given = headers.get(_TOKEN_HEADER)
        if given is None:
            scheme, _, given = headers.get("authorization", "").partition(" ")
            if scheme.lower() != "bearer":
                return False
        assert self._setting.token is not None
        return hmac.compare_digest(given.strip().encode(), self._setting.token.encode())


async def _say(send: Send, status: int, line: str, *, kind: str = "proxy_refused") -> None:
    """An error in the protocol's own form."""
    said = json.dumps({"error": {"message": f"soulmem: {line}", "type": kind, "param": None, "code": kind}}).encode()
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(said)).encode())]
    if status == 401:
        head.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": said})
