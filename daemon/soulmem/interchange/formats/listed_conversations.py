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


def in_order(source: ByteSource, time_of: Callable[[Any], float]) -> Iterator[tuple[str, int, Any]]:
    """Where each stands, its bytes, and what it is; None where that cannot be read.

    Raises UnreadableError: the file is cut off.
    """
    with source.repeatable() as stream:
        found = list[tuple[float, int, int, int]]()
        stream.seek(0)
        for item in json_pieces.items(stream):
            if item.data is None:
                yield f"conversation {item.number}", 0, None
                continue
            found.append((time_of(_parsed(item.data)), item.number, item.begin, len(item.data)))
            if len(found) >= _MOST:
                break
        found.sort()
        for _, number, begin, size in found:
            yield f"conversation {number}", size, _parsed(json_pieces.item_at(stream, begin, size))


def _parsed(data: bytes) -> Any:
    try:
        return json_pieces.parsed(data)
    except ValueError:
        return None
