"""The texts that a PNG carries beside its picture, as character cards do.

A chunk is refused where its checksum is wrong or it is too large; nothing of the picture is read.
"""

from __future__ import annotations

import struct
import zlib
from typing import BinaryIO

from soulmem.interchange.reading.byte_sources import ByteSource, UnreadableError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TEXT_BYTES = 16 << 20  # of one text, packed or not
_MOST_CHUNKS = 100_000
_HEADER = struct.Struct(">I4s")
_CHECK = struct.Struct(">I")


def texts(source: ByteSource) -> dict[str, bytes]:
    """The texts by keyword, in small letters; of several under one the first.

    Raises UnreadableError: it is no PNG, is cut off, or a text is damaged.
    """
    found: dict[str, bytes] = {}
    with source.open() as stream:
        if stream.read(len(SIGNATURE)) != SIGNATURE:
            message = "it is no PNG"
            raise UnreadableError(message)
        for _ in range(_MOST_CHUNKS):
            header = stream.read(_HEADER.size)
            if len(header) < _HEADER.size:
                message = "the picture is cut off"
                raise UnreadableError(message)
            size, kind = _HEADER.unpack(header)
            if kind == b"IEND":
                return found
            if kind not in (b"tEXt", b"iTXt", b"zTXt"):
                _pass_over(stream, size + _CHECK.size)
                continue
            keyword, text = _text(kind, _checked(stream, size, kind))
            found.setdefault(keyword, text)
    message = "the picture has more parts than any picture has"
    raise UnreadableError(message)


def _checked(stream: BinaryIO, size: int, kind: bytes) -> bytes:
    if size > _TEXT_BYTES:
        message = f"a text in the picture is larger than {_TEXT_BYTES >> 20} MiB"
        raise UnreadableError(message)
    data, check = stream.read(size), stream.read(_CHECK.size)
    if len(data) < size or len(check) < _CHECK.size:
        message = "the picture is cut off"
        raise UnreadableError(message)
    if _CHECK.unpack(check)[0] != zlib.crc32(data, zlib.crc32(kind)):
        message = "a text in the picture is damaged: its checksum is wrong"
        raise UnreadableError(message)
    return data


def _pass_over(stream: BinaryIO, size: int) -> None:
    while size > 0:
        data = stream.read(min(size, 1 << 20))
        if not data:
            message = "the picture is cut off"
            raise UnreadableError(message)
        size -= len(data)


def _text(kind: bytes, data: bytes) -> tuple[str, bytes]:
    keyword, _, rest = data.partition(b"\x00")
    name = keyword.decode("latin-1").strip().lower()
    if kind == b"tEXt":
        return name, rest
    if kind == b"zTXt":
        return name, _unpacked(rest[1:])
    is_packed, rest = rest[:1] == b"\x01", rest[2:]
    _language, _, rest = rest.partition(b"\x00")
    _translated, _, text = rest.partition(b"\x00")
    return name, _unpacked(text) if is_packed else text


def _unpacked(data: bytes) -> bytes:
    inflate = zlib.decompressobj()
    try:
        text = inflate.decompress(data, _TEXT_BYTES)
    except zlib.error as error:
        message = f"a text in the picture cannot be unpacked: {error}"
        raise UnreadableError(message) from error
    if inflate.unconsumed_tail:
        message = f"a text in the picture is larger than {_TEXT_BYTES >> 20} MiB"
        raise UnreadableError(message)
    return text
