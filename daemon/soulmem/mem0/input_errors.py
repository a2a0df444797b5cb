"""What a caller is told of input that cannot be taken: one clear line, as a `ValueError`."""

from __future__ import annotations

from typing import Any


class Mem0ValidationError(ValueError):
    """Something in a call is wrong; nothing was stored or changed."""


class MemoryNotFoundError(Mem0ValidationError):
    """There is no such memory, or it is not of the scope that was named."""


def not_found(memory_id: object) -> MemoryNotFoundError:
    return MemoryNotFoundError(f"Memory with id {str(memory_id)[:80]} not found")


def checked_text(text: str, what: str) -> str:
    """Refuse, before anything is sent, what the daemon would refuse after half of it was stored.

    Raises Mem0ValidationError: empty, over 256 KiB, or with what no person typed.
    """
    if not text.strip():
        raise Mem0ValidationError(f"Invalid {what}: cannot be empty or whitespace-only")
    if "\x00" in text:
        raise Mem0ValidationError(f"Invalid {what}: holds a NUL character")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise Mem0ValidationError(f"Invalid {what}: holds a lone surrogate, which is no character") from error
    if size > _MOST_BYTES:
        raise Mem0ValidationError(f"Invalid {what}: has {size} bytes, at most {_MOST_BYTES} are taken")
    return text


def whole_number(value: Any, name: str) -> int:
    """Raises Mem0ValidationError: no number, or less than 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Mem0ValidationError(f"Invalid {name}: {value!r}. Must be a non-negative integer")
    return value


_MOST_BYTES = 256 * 1024
