"""The envelope: JSON-RPC 2.0 requests read from decoded frames, replies and notifications written as lines.

Owns the shape of what travels; called by `rpc/transport/connection.py`, its types are what
`rpc/methods/method_table.py` is written against. Invariant: every line written is valid UTF-8 JSON on one line,
whatever strings came in (P1).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from soulmem.core.text.did_you_mean import did_you_mean
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.rpc.transport.peer_access import Credentials, Rights

RequestId = str | int
_MEMBERS = frozenset({"jsonrpc", "id", "method", "params"})


@dataclass(frozen=True, slots=True)
class Request:
    """One call. `id` is None for a notification: executed, never answered."""

    id: RequestId | None
    method: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A frame that is no request, with the id to answer under where one could be read."""

    id: RequestId | None
    error: SoulmemError


class Peer(Protocol):
    """The other end of a connection, as a method sees it."""

    @property
    def number(self) -> int:
        """Counts the connections of this daemon; `conn` in the log."""
        ...

    @property
    def credentials(self) -> Credentials: ...

    @property
    def rights(self) -> Rights: ...

    @property
    def is_closed(self) -> bool: ...

    def notify(self, method: str, params: Mapping[str, Any], *, urgent: bool = False) -> bool:
        """Send a notification now. False when the peer is gone or reads too slowly; then nothing was sent.

        `urgent` goes out however full the buffer is: for the one `lagged` notice of a dropped watcher.
        """
        ...

    def push(self, line: bytes, *, urgent: bool = False) -> bool:
        """`notify` with a line from `encode_notification`, so that many watchers share one encoding."""
        ...

    def on_close(self, callback: Callable[[], None]) -> None:
        """Run `callback` once when the connection is gone; at once if it already is."""
        ...


class Dispatcher(Protocol):
    """Executes requests. One call a request; calls of one connection start in their order of arrival."""

    async def dispatch(self, request: Request, peer: Peer) -> Mapping[str, Any]:
        """Answer a request with a JSON-able object.

        Raises SoulmemError: what the client is told; anything else becomes `internal`.
        """
        ...

    def is_long(self, method: str) -> bool:
        """Whether the answer of a method may be long: then few of one connection are made at a time."""
        ...


def parse_request(frame: Mapping[str, Any]) -> Request | Refusal:
    """Read a decoded frame as a request. Never raises."""
    request_id = frame.get("id")
    if not _is_id(request_id):
        if "id" in frame:
            return _invalid(None, "id must be a string or an integer", "leave id out for a notification")
        request_id = None
    method = frame.get("method")
    if frame.get("jsonrpc") != "2.0":
        return _invalid(request_id, 'jsonrpc must be "2.0"', 'add "jsonrpc": "2.0"')
    if not isinstance(method, str) or not method:
        return _invalid(request_id, "method must be a non-empty string", None)
    if not _MEMBERS.issuperset(frame):
        return _unknown_member(request_id, frame)
    params = frame.get("params", _NO_PARAMS)
    if type(params) is not dict:
        error = SoulmemError(
            ErrorName.INVALID_PARAMS, "params must be an object", hint="name every parameter; positions are not read"
        )
        return Refusal(request_id, error)
    return Request(request_id, method, params if params is not _NO_PARAMS else {})


def encode_result(request_id: RequestId, result: Mapping[str, Any]) -> bytes:
    """One reply line. Raises TypeError, ValueError: the result holds something JSON has no word for (a set, NaN)."""
    body = result if type(result) is dict else dict(result)
    return _line({"jsonrpc": "2.0", "id": request_id, "result": body})


def encode_error(request_id: RequestId | None, error: SoulmemError) -> bytes:
    """One error line: `{code, message, data: {name, hint?, retryable?, retry_after_ms?}}`."""
    data: dict[str, Any] = {"name": error.name.value}
    if error.hint is not None:
        data["hint"] = error.hint
    if error.retryable:
        data["retryable"] = True
    if error.retry_after_ms is not None:
        data["retry_after_ms"] = error.retry_after_ms
    body = {"code": error.code, "message": error.message, "data": data}
    return _line({"jsonrpc": "2.0", "id": request_id, "error": body})


def encode_notification(method: str, params: Mapping[str, Any]) -> bytes:
    """One line that wants no answer. Raises TypeError, ValueError: the params hold something JSON has no word for."""
    return _line({"jsonrpc": "2.0", "method": method, "params": dict(params)})


_NO_PARAMS: dict[str, Any] = {}
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))


def _line(value: dict[str, Any]) -> bytes:
    text = _ENCODER.encode(value) + "\n"
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate, echoed from the client: shown as U+FFFD (P1)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def _is_id(value: object) -> bool:
    if type(value) is str:
        return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)
    return type(value) is int  # not bool


def _invalid(request_id: RequestId | None, message: str, hint: str | None) -> Refusal:
    return Refusal(request_id, SoulmemError(ErrorName.INVALID_REQUEST, message, hint=hint))


def _unknown_member(request_id: RequestId | None, frame: Mapping[str, Any]) -> Refusal:
    name = next(key for key in frame if key not in _MEMBERS)
    hint = did_you_mean(name, _MEMBERS, otherwise="parameters belong inside params")
    return _invalid(request_id, f"unknown member {name[:64]!r} beside jsonrpc, id, method and params", hint)
