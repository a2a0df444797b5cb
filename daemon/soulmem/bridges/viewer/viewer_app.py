"""The server behind the page: hands out its files, passes its calls on to the daemon, and tells it what changes.

Called by `bridges/viewer/page_serving`. Invariants: nothing of a mind leaves without a token that this start made;
whoever calls by another name or from another page is refused, token or not; no token stands in an address, a log or an
answer. The files of the page hold nothing of anybody, so they need no token.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from soulmem.bridges.http.event_stream import EventStreams
from soulmem.bridges.http.http_replies import HttpRefusal
from soulmem.bridges.http.request_bodies import ClientGone, whole_body
from soulmem.bridges.viewer.offered_calls import CHANGES, CallRefused, accepted_call
from soulmem.bridges.viewer.page_files import SCRIPT, SERVED_POLICY, SHELL, STYLE, page_file
from soulmem.client import AsyncClient, CallTimeout, DaemonUnavailable, SoulmemRemoteError
from soulmem.client.wire import watch_params

_FILES = {
    "/": (SHELL, b"text/html; charset=utf-8"),
    "/viewer.js": (SCRIPT, b"text/javascript; charset=utf-8"),
    "/viewer.css": (STYLE, b"text/css; charset=utf-8"),
}
_CALL, _EVENTS = "/call", "/events"
_MOST_BYTES = 1 << 20  # as much as a frame of the socket holds
_PATIENCE_S = 30.0
_AWAY = "the daemon does not answer: is it running?"
_HEAD = [
    (b"content-security-policy", SERVED_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a caller must bring. `writing`: None where this start changes nothing."""

    reading: str = field(repr=False)
    writing: str | None = field(default=None, repr=False)


class _Refused(Exception):  # noqa: N818 - it names what happened
    def __init__(self, status: int, name: str, line: str) -> None:
        super().__init__(line)
        self.status, self.name, self.line = status, name, line


class ViewerApp:
    """The application. `hosts`: what may stand in the Host of a request."""

    def __init__(self, client: AsyncClient, streams: EventStreams, tokens: Tokens, hosts: frozenset[str]) -> None:
        self._client = client
        self._streams = streams
        self._tokens = tokens
        self._hosts = hosts
        self._origins = frozenset(f"http://{host}" for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            # a header that comes twice counts as one that is neither
            headers[key] = f"{headers[key]}, {value.decode('latin-1')}" if key in headers else value.decode("latin-1")
        try:
            self._check_origin(headers)
            if scope["path"] == _CALL:
                await self._answer_call(scope["method"], headers, receive, send)
                return
            if scope["path"] == _EVENTS:
                await self._answer_events(headers, scope, receive, send)
                return
            if scope["path"] not in _FILES:
                raise _Refused(404, "not_found", "there is nothing here")
            if scope["method"] not in ("GET", "HEAD"):
                raise _Refused(405, "wrong_method", "this is only read")
            name, kind = _FILES[scope["path"]]
            body = page_file(name).encode() if scope["method"] == "GET" else b""
            await _send(send, 200, kind, body)
        except _Refused as refused:
            await _send_json(send, refused.status, {"error": {"name": refused.name, "message": refused.line}})

    def _check_origin(self, headers: Mapping[str, str]) -> None:
        """Raises _Refused: the request comes by another name, or from another page."""
        if headers.get("host", "") not in self._hosts:
            raise _Refused(421, "wrong_host", "this is not called by that name")
        if headers.get("origin", next(iter(self._origins))) not in self._origins:
            raise _Refused(403, "wrong_origin", "pages from elsewhere are not served")

    async def _answer_events(self, headers: Mapping[str, str], scope: Scope, receive: Receive, send: Send) -> None:
        """Tell of each change of a mind's notes, until the page goes."""
        if scope["method"] != "GET":
            raise _Refused(405, "wrong_method", "this is only read")
        self._check_site(headers)
        self._may_write(headers)
        asked = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if asked.keys() != {"mind"} or len(asked["mind"]) != 1:
            raise _Refused(400, "not_offered", "the events are those of one mind")
        head = {name.decode(): value.decode() for name, value in _HEAD}
        try:
            await self._streams.stream(watch_params(CHANGES, asked["mind"][0]), head)(scope, receive, send)
        except HttpRefusal as refusal:
            raise _Refused(refusal.failure.status, refusal.failure.name, refusal.failure.line) from None
        except SoulmemRemoteError as error:
            raise _Refused(400, str(error.name), error.message) from None
        except DaemonUnavailable:
            raise _Refused(503, "daemon_away", _AWAY) from None

    def _check_site(self, headers: Mapping[str, str]) -> None:
        """Raises _Refused: another page asks."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise _Refused(403, "wrong_origin", "pages from elsewhere are not served")

    async def _answer_call(self, method: str, headers: Mapping[str, str], receive: Receive, send: Send) -> None:
        if method != "POST":
            raise _Refused(405, "wrong_method", "calls are posted")
        self._check_site(headers)
        may_write = self._may_write(headers)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise _Refused(415, "wrong_type", "a call is application/json")
        try:
            call, params = accepted_call(_parsed(await _body(receive)), may_write=may_write)
        except CallRefused as refused:
            raise _Refused(403, "write_token_needed" if refused.needs_token else "not_offered", refused.line) from None
        try:
            result = await self._client.call(call, params, timeout=_PATIENCE_S, retry=True)
        except SoulmemRemoteError as error:
            await _send_json(send, 400, {"error": {"name": error.name, "message": error.message, "hint": error.hint}})
            return
        except DaemonUnavailable:
            raise _Refused(503, "daemon_away", _AWAY) from None
        except CallTimeout:
            raise _Refused(504, "timeout", "the daemon did not answer in time") from None
        await _send_json(send, 200, {"result": result})

    def _may_write(self, headers: Mapping[str, str]) -> bool:
        """Whether the caller may write. Raises _Refused: he may not even read."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        token = given.strip().encode() if scheme.lower() == "bearer" else b""
        writing = self._tokens.writing
        if writing is not None and hmac.compare_digest(token, writing.encode()):
            return True
        if hmac.compare_digest(token, self._tokens.reading.encode()):
            return False
        raise _Refused(401, "token_needed", "open the link that `soulmem view` made")


async def _body(receive: Receive) -> bytes:
    """The body of a request. Raises _Refused: it is too long, or breaks off."""
    try:
        body = await whole_body(receive, _MOST_BYTES)
    except ClientGone:
        raise _Refused(400, "broken_off", "the request broke off") from None
    if body is None:
        raise _Refused(413, "too_large", f"a call has at most {_MOST_BYTES >> 20} MiB")
    return body


def _parsed(body: bytes) -> object:
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        raise _Refused(400, "not_json", "a call is JSON") from None
    return parsed


async def _send_json(send: Send, status: int, told: Mapping[str, Any]) -> None:
    body = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    await _send(send, status, b"application/json", body)


async def _send(send: Send, status: int, kind: bytes, body: bytes) -> None:
    head = [*_HEAD, (b"content-type", kind), (b"content-length", str(len(body)).encode())]
    if status == 401:
        head.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})
