"""Lines to and from the daemon, without any I/O: shared by the blocking and the asynchronous client.

Owns the client's view of the envelope: numbering calls, splitting bytes into replies, telling replies from
notifications.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from soulmem.client.faults import SoulmemRemoteError

IN_FLIGHT = 30  # of the 32 that the daemon executes at once for one connection; two are for what is sent beside

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_ASCII_ENCODER = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"))


def encode_call(number: int | None, method: str, params: Mapping[str, Any] | None) -> bytes:
    """One request line; a notification when `number` is None.

    Raises TypeError: the params hold something JSON has no word for.
    """
    request: dict[str, Any] = {"jsonrpc": "2.0"}
    if number is not None:
        request["id"] = number
    request["method"] = method
    if params:
        request["params"] = dict(params)
    try:
        return (_ENCODER.encode(request) + "\n").encode()
    except UnicodeEncodeError:  # a lone surrogate: sent escaped, for the daemon to refuse by name
        return (_ASCII_ENCODER.encode(request) + "\n").encode()


class ReplyReader:
    """Splits received bytes into messages (replies, errors, notifications)."""

    __slots__ = ("_buffer", "_scanned")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._scanned = 0

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next(self) -> dict[str, Any] | None:
        """The next complete message, or None until more bytes come.

        Raises ValueError: the other side does not speak JSON-RPC; the text says what it sent instead.
        """
        end = self._buffer.find(b"\n", self._scanned)
        if end < 0:
            self._scanned = len(self._buffer)
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._scanned = 0
        try:
            message = json.loads(line)
        except ValueError as error:
            raise ValueError(f"no JSON-RPC is spoken there, but: {line[:80]!r}") from error
        if not isinstance(message, dict):
            raise ValueError(f"no JSON-RPC is spoken there, but: {line[:80]!r}")
        return message


def outcome(message: Mapping[str, Any]) -> dict[str, Any] | SoulmemRemoteError:
    """What a reply says: its result, or its error as an exception to raise."""
    if "error" in message:
        return SoulmemRemoteError.from_reply(message["error"])
    result = message.get("result")
    return result if isinstance(result, dict) else {"value": result}


def watch_params(events: object, mind: str | None) -> dict[str, Any]:
    """Parameters of `events.watch`."""
    params: dict[str, Any] = {}
    if events is not None:
        params["events"] = [events] if isinstance(events, str) else list(events)  # type: ignore[call-overload]  # any iterable of names
    if mind is not None:
        params["mind"] = mind
    return params
