"""A whole mind out of a daemon as lines, and lines into a daemon as a mind: `mind.export` and `mind.import`.

Invariants: what is exported is of one moment; where something is deleted meanwhile it is begun again, so that what was
deleted is not in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from soulmem.client import Client, SoulmemRemoteError
from soulmem.interchange.reading.byte_sources import UnreadableError

if TYPE_CHECKING:
    from soulmem.client.results import ImportedPiece

_PIECE_BYTES = 128 * 1024
_TRIES = 5
_HEAD_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Written:
    """How much was written."""

    bytes: int
    lines: int


def write(client: Client, mind: str, stream: BinaryIO, told: Callable[[int, int], None]) -> Written:
    """Write a mind as lines; `told` is called with the bytes that are written, and all.

    Raises SoulmemRemoteError.
    """
    for left in reversed(range(_TRIES)):
        try:
            return _write(client, mind, stream, told)
        except SoulmemRemoteError as error:
            if error.name != "version_conflict" or not left or not stream.seekable():
                raise
            stream.seek(0)
            stream.truncate()
    raise AssertionError


def _write(client: Client, mind: str, stream: BinaryIO, told: Callable[[int, int], None]) -> Written:
    cursor: str | None = None
    size = lines = 0
    while True:
        piece = client.export_mind(mind, cursor=cursor)
        data = piece["text"].encode()
        stream.write(data)
        size, lines, cursor = size + len(data), lines + data.count(b"\n"), piece["next_cursor"]
        told(size, piece["bytes"])
        if cursor is None:
            return Written(size, lines)


def mind_of(path: Path) -> str | None:
    """Whose lines a file holds; None where it holds no mind."""
    with path.open("rb") as stream:
        line = stream.readline(_HEAD_BYTES)
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_mind = isinstance(found, dict) and found.get("soulmem") == "mind"
    return str(found.get("mind")) if is_mind else None


def read_in(client: Client, path: Path, name: str, told: Callable[[int, int], None]) -> ImportedPiece:
    """Make a mind of a file of lines; what the daemon answered at the end.

    Raises SoulmemRemoteError; UnreadableError: the file is cut off.
    """
    size, seal = path.stat().st_size, _seal(path)
    with path.open("rb") as stream:
        cursor: str | None = None
        place, data = 0, stream.read(_PIECE_BYTES)
        while True:
            piece, rest = _whole_characters(data)
            following = rest + stream.read(_PIECE_BYTES)
            answer = client.import_mind(
                name, piece, cursor=cursor, end=not following, seal=seal if cursor is None else None
            )
            place += len(data) - len(rest)
            told(place, size)
            cursor = answer["next_cursor"]
            if cursor is None:
                return answer
            data = following


def _whole_characters(data: bytes) -> tuple[str, bytes]:
    try:
        return data.decode(), b""
    except UnicodeDecodeError as error:
        if len(data) - error.start > 3 or error.reason != "unexpected end of data":
            message = "it is not UTF-8"
            raise UnreadableError(message) from error
        return data[: error.start].decode(), data[error.start :]


def _seal(path: Path) -> str:
    """What the last line should say: of all before it."""
    seal, last = hashlib.sha256(), b""
    with path.open("rb") as stream:
        for line in stream:
            seal.update(last)
            last = line
    if b'"end"' not in last[:20]:
        message = "it ends in the middle: it was cut off"
        raise UnreadableError(message)
    return seal.hexdigest()
