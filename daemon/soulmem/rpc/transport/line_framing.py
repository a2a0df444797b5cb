"""Bytes in, frames and faults out: the line discipline of the socket, without any I/O.

Owns the cutting of a byte stream into lines and of lines into JSON objects; called by `rpc/transport/connection.py`
with whatever the socket delivered. Invariants: the items depend on the bytes alone, never on how they were chunked
(F1); memory held is at most one frame limit plus one chunk (F2); after a fault that closes nothing more comes out (F3).
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from soulmem.errors import ErrorName, SoulmemError

FRAME_BYTES = 1_048_576
DEPTH = 64
VALUES = 20_000  # of one request; no method takes a tenth of them

_BLANK = re.compile(rb"[ \t\r\n]*")
_ID_FIRST = re.compile(rb'[^[]{0,128}?"id"\s*:\s*(?:(-?[0-9]{1,18})|"([^"\\]{1,128})")\s*[,}]')
_OPEN_BRACE = 0x7B
_INT64 = 2**63
_INT64_DIGITS = 20  # "-9223372036854775808"
_REQUEST = re.compile(rb"(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT|TRACE|PRI) ")
BANNER = (  # what a browser or curl is told; then the socket closes
    b"This is soulmem. It speaks JSON-RPC 2.0, one JSON object per line, not HTTP: `soulmem http` does. "
    b'Try: {"jsonrpc":"2.0","id":1,"method":"system.hello"}\n'
)
HTTP_REFUSED = "HTTP is not spoken here"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a line is no frame. `closes`: the connection ends with it; `banner`: answered in plain text.

    `id`: under which to answer, where it stands so near the beginning that nothing else had to be read.
    """

    name: ErrorName
    message: str
    hint: str | None = None
    closes: bool = False
    banner: bool = False
    id: str | int | None = None

    def error(self) -> SoulmemError:
        return SoulmemError(self.name, self.message, hint=self.hint)


Item = dict[str, Any] | Fault

_HTTP_FAULT = Fault(ErrorName.PARSE_ERROR, HTTP_REFUSED, closes=True, banner=True)


class FrameReader:
    """Collects bytes and hands out the complete lines as JSON objects or faults.

    Line feed ends a line, a carriage return before it is tolerated, blank lines are skipped. A frame is at most
    `frame_bytes` long (its line feed not counted) and nested at most `depth` deep.
    """

    __slots__ = ("_buffer", "_closed", "_depth", "_limit", "_scanned", "frames", "has_more")

    def __init__(self, *, frame_bytes: int = FRAME_BYTES, depth: int = DEPTH) -> None:
        self._buffer = bytearray()
        self._scanned = 0  # no line feed before this offset
        self._limit = frame_bytes
        self._depth = depth
        self._closed = False
        self.frames = 0  # lines handed out so far, faults included
        self.has_more = False  # the last `take` stopped at its limit, not at the end of the bytes

    @property
    def is_partial(self) -> bool:
        """True while the beginning of a line waits for its end."""
        return bool(self._buffer)

    def feed(self, data: bytes | memoryview) -> None:
        """Append bytes; ignored after a fault that closes (F3)."""
        if not self._closed:
            self._buffer += data

    def take(self, limit: int = 1 << 30) -> list[Item]:
        """Hand out up to `limit` items in stream order; the unfinished rest stays."""
        items: list[Item] = []
        buffer, start = self._buffer, 0
        self.has_more = False
        while buffer:
            start = _skip_blank(buffer, start)
            if start == len(buffer):
                break
            if len(items) >= limit:
                self.has_more = True
                break
            if buffer[start] != _OPEN_BRACE and speaks_http(buffer, start):
                items.append(self._close(_HTTP_FAULT))
                return items
            end = buffer.find(b"\n", max(start, self._scanned))
            if (len(buffer) if end < 0 else end) - start > self._limit:
                items.append(self._close(_oversize(self._limit)))
                return items
            if end < 0:
                self._scanned = len(buffer)
                break
            items.append(decode_line(bytes(buffer[start:end]), self._depth))
            self.frames += 1
            start = end + 1
        if start:
            del buffer[:start]
        self._scanned = 0 if self.has_more else len(buffer)
        return items

    def finish(self) -> list[Item]:
        """Hand out what is left at the end of the stream: a last line whose line feed is missing."""
        if not self._buffer or self._closed:
            return []
        self._buffer += b"\n"
        self._scanned = 0
        return self.take()

    def _close(self, fault: Fault) -> Fault:
        self._closed = True
        self.frames += 1
        self._buffer = bytearray()
        return fault


def decode_line(line: bytes, depth: int = DEPTH) -> Item:
    """Decode one line into a JSON object, or say why it is none. Never raises."""
    value = decode_json(line, depth)
    if isinstance(value, (dict, Fault)):
        return value
    if isinstance(value, list):
        return Fault(ErrorName.INVALID_REQUEST, "batches are not accepted", "send one request per line")
    return Fault(ErrorName.INVALID_REQUEST, "a request is a JSON object")


def decode_json(line: bytes, depth: int = DEPTH) -> Any:
    """Decode what a client sent, whatever JSON it is, or say in a `Fault` why it is none. Never raises."""
    if line.count(b",") > VALUES and _is_crowd(line):
        return _crowd(line)
    try:
        value = _DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Fault(ErrorName.PARSE_ERROR, f"not UTF-8: byte {error.start + 1} of the line")
    except json.JSONDecodeError as error:
        return Fault(ErrorName.PARSE_ERROR, f"not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        return _too_deep(depth)
    except ValueError as error:  # raised by the hooks below, or by int() on thousands of digits
        return Fault(ErrorName.PARSE_ERROR, f"not accepted JSON: {error}")
    if line.count(b"{") + line.count(b"[") > depth and _is_deeper(value, depth):
        return _too_deep(depth)
    return value


def _skip_blank(buffer: bytearray, start: int) -> int:
    if buffer[start : start + 1] == b"{":
        return start
    match = _BLANK.match(buffer, start)
    return match.end() if match else start


def _is_deeper(value: object, depth: int) -> bool:
    """True when containers are nested more than `depth` deep; walks level by level, so it cannot recurse."""
    level = [value]
    for _ in range(depth):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)  # type: ignore[attr-defined]  # a level holds containers only
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def _is_crowd(line: bytes) -> bool:
    """True when more than `VALUES` stand in a line: to build them all takes a second, to count commas a moment."""
    line = line.replace(b"\\\\", b"").replace(b'\\"', b"")
    if line.count(b'"') > 4 * VALUES:  # a name and a string for each, and it would be too many
        return True
    return b"".join(line.split(b'"')[::2]).count(b",") > VALUES  # every other part is in a string


def _crowd(line: bytes) -> Fault:
    found = _ID_FIRST.match(line)
    number = (int(found[1]) if found[1] else found[2].decode("utf-8", "replace")) if found else None
    return Fault(
        ErrorName.INVALID_PARAMS,
        f"a request holds more than {VALUES} values",
        "send them in several requests",
        id=number,
    )


def _too_deep(depth: int) -> Fault:
    return Fault(ErrorName.PARSE_ERROR, f"nested deeper than {depth} levels")


def _oversize(limit_bytes: int) -> Fault:
    return Fault(
        ErrorName.TOO_LARGE, f"a line is longer than {limit_bytes} bytes", "send smaller requests", closes=True
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has the same key twice")
    return value


def _integer(text: str) -> int:
    if len(text) <= _INT64_DIGITS and -_INT64 <= (value := int(text)) < _INT64:
        return value
    raise ValueError("an integer does not fit in 64 bits")


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("a number is too large")
    return value


def _constant(text: str) -> float:
    raise ValueError(f"{text} is not a JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
)


def speaks_http(buffer: bytes | bytearray, start: int) -> bool:
    """Whether the bytes from `start` on begin as a request of HTTP does."""
    return _REQUEST.match(buffer, start) is not None
