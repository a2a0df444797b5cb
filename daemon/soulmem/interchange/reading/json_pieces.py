"""JSON that may be larger than memory: the items of a list one by one, lines one by one, and small files whole.

Owns how much of it is held at once. An item is found by its brackets before anything of it is read, so what is broken
or too large is passed over and the others of its list are not harmed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from soulmem.interchange.reading.byte_sources import ByteSource, UnreadableError

ITEM_BYTES = 16 << 20  # of one item, as a conversation
WHOLE_BYTES = 16 << 20  # of a file that is read at once
LINE_BYTES = 4 << 20
_PIECE_BYTES = 256 * 1024
_OUTSIDE, _INSIDE = re.compile(rb'["{}\[\]]'), re.compile(rb'["\\]')
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list: its place in it, from 1, where it begins, and its bytes; None where they are too many."""

    number: int
    begin: int
    data: bytes | None


def parsed(data: bytes, kept: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """What JSON says; a figure that is none (NaN) is null. `kept`: what is held of each object, as soon as it is read.

    Raises ValueError: it is no JSON in UTF-8, or nests too deep.
    """
    try:
        return json.loads(data.removeprefix(_BOM).decode("utf-8"), parse_constant=lambda _: None, object_hook=kept)
    except RecursionError as error:
        message = "it nests too deep"
        raise ValueError(message) from error


def whole(source: ByteSource) -> Any:
    """What a file says that is read at once.

    Raises UnreadableError.
    """
    with source.open() as stream:
        data = stream.read(WHOLE_BYTES + 1)
    if len(data) > WHOLE_BYTES:
        message = f"it is larger than {WHOLE_BYTES >> 20} MiB, which no file of its kind should be"
        raise UnreadableError(message)
    try:
        return parsed(data)
    except ValueError as error:
        message = f"it is no JSON in UTF-8: {error}"
        raise UnreadableError(message) from error


def items(stream: BinaryIO) -> Iterator[Item]:
    """The objects of a list, which is all that a file holds.

    Raises UnreadableError: it ends before the list does.
    """
    found = _Finder()
    while piece := stream.read(_PIECE_BYTES):
        yield from found.read(piece)
        if found.is_done:
            return
    message = "it ends in the middle: the file is cut off"
    raise UnreadableError(message)


def item_at(stream: BinaryIO, begin: int, size: int) -> bytes:
    stream.seek(begin)
    return stream.read(size)


class _Finder:
    """Finds the objects of a list by their brackets, whatever the pieces are in which it comes."""

    def __init__(self) -> None:
        self.is_done = False
        self._depth = 0
        self._is_inside = False  # a text
        self._is_escaped = False  # the next byte belongs to a backslash
        self._passed = 0  # bytes of pieces before this one
        self._begin = 0
        self._held: list[bytes] | None = None  # of the item under way; None where it is too large
        self._size = 0
        self._number = 0

    def read(self, piece: bytes) -> Iterator[Item]:
        place, kept_from = 0, 0  # from where on the piece belongs to the item under way and is not held yet
        if self._is_escaped:
            place, self._is_escaped = 1, False
        while found := (_INSIDE if self._is_inside else _OUTSIDE).search(piece, place):
            place, mark = found.end(), found.group()
            if mark == b'"':
                self._is_inside = not self._is_inside
            elif mark == b"\\":
                self._is_escaped = place == len(piece)
                place += 1
            elif mark in b"{[":
                self._depth += 1
                if self._depth == 2:
                    self._begin, kept_from = self._passed + found.start(), found.start()
                    self._held, self._size = [], 0
            else:
                self._depth -= 1
                if self._depth == 1:
                    self._hold(piece[kept_from:place])
                    self._number += 1
                    held, self._held, self._size = self._held, None, 0
                    data = b"".join(held) if held is not None else None
                    del held  # nobody keeps it twice while it is read
                    yield Item(self._number, self._begin, data)
                    del data
                elif self._depth == 0:
                    self.is_done = True
                    return
        if self._depth >= 2:
            self._hold(piece[kept_from:])
        self._passed += len(piece)

    def _hold(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > ITEM_BYTES:
            self._held = None
        elif self._held is not None:
            self._held.append(part)


def lines(stream: BinaryIO, longest: int = LINE_BYTES) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank, with their numbers; None for one that is too long to be read."""
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        is_long = len(line) > longest
        while is_long and not line.endswith(b"\n") and line:
            line = stream.readline(longest)
        if number == 1 and not is_long:
            line = line.removeprefix(_BOM)
        if is_long or line.strip():
            yield number, None if is_long else line
