"""Messages as `message.import` takes them, a line each or as a list; what is wrong with one is the daemon's to say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from soulmem.interchange.reading import json_pieces
from soulmem.interchange.reading.byte_sources import ByteSource
from soulmem.interchange.records import LeftOut, Record, Said, Wishes

LINE_BYTES = 400 * 1024  # 256 KiB of text, with names and escapes


def recognises(first: Any) -> bool:
    return isinstance(first, dict) and {"role", "content"} <= first.keys()


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    if source.is_file and source.head().removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[":
        with source.open() as stream:
            for item in json_pieces.items(stream):
                yield _message(f"message {item.number}", item.data, wishes)
        return
    with source.open() as stream:
        for number, line in json_pieces.lines(stream, LINE_BYTES):
            yield _message(f"line {number}", line, wishes)


def _message(place: str, data: bytes | None, wishes: Wishes) -> Record:
    if data is None:
        return LeftOut(place, f"the line is longer than {LINE_BYTES} bytes", is_fault=True)
    try:
        found = json.loads(data.decode("utf-8"))
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        is_json = isinstance(error, UnicodeEncodeError)
        told = "it holds a lone surrogate, which is no character" if is_json else "not JSON in UTF-8"
        return LeftOut(place, told, is_fault=True)
    if not isinstance(found, dict):
        return LeftOut(place, "a message is an object with role, content and at", is_fault=True)
    if wishes.conversation is not None:
        found.setdefault("conversation", wishes.conversation)
    if wishes.at is not None:
        found.setdefault("at", wishes.at)
    return Said(place, found, len(data))
