"""List pages: how much of a list is read and answered at once.

A page ends at so many items, or when their texts come to `PAGE_BYTES`, whatever comes first; it holds at least one.
Called where lists are read (`message_log`, `note_rows`, `gate_rejections`) and where they are answered (`rpc`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

PAGE_BYTES = 1 << 20  # a text may have a quarter of it, and a note shows its text twice


def read_page(rows: Iterable[T], size_of: Callable[[T], int]) -> list[T]:
    """A page of these rows, and one row more, if there is one: of what lies beyond nothing is read."""
    found: list[T] = []
    size = 0
    for row in rows:
        found.append(row)
        if size > PAGE_BYTES:
            break
        size += size_of(row)
    return found


def shown(rows: Sequence[T], limit: int, size_of: Callable[[T], int]) -> list[T]:
    """What of a page that was read so is answered: at most `limit`, all but what lies beyond the page."""
    size = 0
    for number, row in enumerate(rows[:limit]):
        if size > PAGE_BYTES:
            return list(rows[:number])
        size += size_of(row)
    return list(rows[:limit])
