"""Reading a SentencePiece model file: its pieces and their scores.

Called when a model is installed. The file is a protocol buffer; two fields of its first level are all that is needed,
so they are read here instead of bringing in a library and its compiler.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from soulmem.errors import model_unavailable

_PIECES, _TEXT, _SCORE = 1, 1, 2  # numbers of fields
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5  # wire types

Field = tuple[int, bytes]


def read_pieces(file: Path) -> list[tuple[str, float]]:
    """The pieces of a model in the order of their ids, with their scores; a control piece scores 0.

    Raises SoulmemError: `model_unavailable`, when the file is no such model.
    """
    try:
        pieces = [_piece(payload) for number, payload in _fields(file.read_bytes()) if number == _PIECES]
    except (OSError, IndexError, ValueError, struct.error) as error:
        raise model_unavailable(f"{file.name} is no SentencePiece model: {error}") from error
    if not pieces:
        raise model_unavailable(f"{file.name} is no SentencePiece model: it has no pieces")
    return pieces


def _piece(payload: bytes) -> tuple[str, float]:
    text, score = "", 0.0
    for number, value in _fields(payload):
        if number == _TEXT:
            text = value.decode()
        elif number == _SCORE:
            (score,) = struct.unpack("<f", value)
    return text, score


def _fields(data: bytes) -> Iterator[Field]:
    """The fields of a message: number and raw bytes; of a number written as varint, nothing."""
    at, end = 0, len(data)
    while at < end:
        tag, at = (data[at], at + 1) if data[at] < 0x80 else _varint(data, at)
        wire, size = tag & 7, 0
        if wire == _BYTES:
            size, at = (data[at], at + 1) if data[at] < 0x80 else _varint(data, at)
        elif wire == _FOUR:
            size = 4
        elif wire == _VARINT:
            _, at = _varint(data, at)
        elif wire == _EIGHT:
            size = 8
        else:
            raise ValueError(f"a field of the unknown kind {wire}")
        if at + size > end:
            raise ValueError("it ends too early")
        yield tag >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
