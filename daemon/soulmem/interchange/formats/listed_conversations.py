"""A list of conversations that may be larger than memory, one at a time and in the order of their times.

Used by the readers of exports that keep the newest first. It is gone through twice: once for the time and place of
each, once for what each says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from soulmem.interchange.reading import json_pieces
from soulmem.interchange.reading.byte_sources import ByteSource

_MOST = 1_000_000  # conversations of which time and place are kept


def in_order(
    source: ByteSource, time_of: Callable[[Any], float], kept: Callable[[dict[str, Any]], Any], parts: str
) -> Iterator[tuple[str, int, Any]]:
    """Where each stands, its bytes, and what it is; None where that cannot be read.

    `kept`: what is held of each object within; `parts`: the name by which an object is known as a part of the talk, of
    which nothing is held while only times are looked for.

    Raises UnreadableError: the file is cut off.
    """

    def outline(found: dict[str, Any]) -> Any:
        return None if parts in found else found

    with source.repeatable() as stream:
        found = list[tuple[float, int, int, int]]()
        stream.seek(0)
        for item in json_pieces.items(stream):
            if item.data is None:
                yield f"conversation {item.number}", 0, None
                continue
            found.append((time_of(_parsed(item.data, outline)), item.number, item.begin, len(item.data)))
            if len(found) >= _MOST:
                break
            del item  # or it were held while the next is read
        found.sort()
        for _, number, begin, size in found:
            yield f"conversation {number}", size, _parsed(json_pieces.item_at(stream, begin, size), kept)


def _parsed(data: bytes, kept: Callable[[dict[str, Any]], Any]) -> Any:
    try:
        return json_pieces.parsed(data, kept)
    except ValueError:
        return None
