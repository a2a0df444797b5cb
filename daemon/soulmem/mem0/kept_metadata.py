"""Metadata: what a caller keeps with a memory, and what this surface keeps beside it.

Both stand in the attributes of the note, under one name, so that what digestion keeps there stays. Invariant: what is
taken comes back equal; what could not is refused before anything is stored.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from soulmem.mem0.input_errors import Mem0ValidationError
from soulmem.mem0.scope_ids import KEYS

NAME = "mem0"  # in the attributes of a note
_IDENTITY = (*KEYS, "actor_id")
_MOST_BYTES = 64 * 1024
_LOG = logging.getLogger("soulmem.mem0")


def checked_metadata(metadata: object) -> dict[str, Any]:
    """A copy, without what says whose it is: that is said by the call alone.

    Raises Mem0ValidationError: it could not come back as it is.
    """
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise Mem0ValidationError(f"Invalid metadata: must be a dictionary, not {type(metadata).__name__}")
    given = dict(metadata)
    for key in _IDENTITY:
        if key in given:
            _LOG.warning("ignoring metadata[%r]: whose a memory is is said by the call", key)
            del given[key]
    try:
        text = json.dumps(given, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError) as error:  # a lone surrogate is a ValueError too
        raise Mem0ValidationError(f"Invalid metadata: JSON cannot hold it: {str(error)[:120]}") from error
    copy: dict[str, Any] = json.loads(text)
    if not _equal(copy, given):
        raise Mem0ValidationError("Invalid metadata: it would come back changed; use JSON's types and texts as keys")
    if size > _MOST_BYTES:
        raise Mem0ValidationError(f"Invalid metadata: has {size} bytes, at most {_MOST_BYTES} are taken")
    return copy


def _equal(copy: Any, given: Any) -> bool:
    if isinstance(given, dict):
        return isinstance(copy, dict) and copy.keys() == given.keys() and all(_equal(copy[k], given[k]) for k in given)
    if isinstance(given, list):
        return isinstance(copy, list) and len(copy) == len(given) and all(map(_equal, copy, given))
    return type(copy) is type(given) and bool(copy == given)


def checked_day(value: object) -> str:
    """The day after which a memory is not shown, as YYYY-MM-DD. Raises Mem0ValidationError."""
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    try:
        if isinstance(value, str) and date.fromisoformat(value).isoformat() == value:
            return value
    except ValueError:
        pass
    raise Mem0ValidationError(f"Invalid expiration_date: {str(value)[:40]!r}. Write it like 2030-01-31")


def checked_time(value: object) -> str | None:
    """When something was said, given as seconds since 1970, as ISO 8601 or as a `datetime`; None for now.

    Raises Mem0ValidationError.
    """
    if value is None:
        return None
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC).isoformat()
        found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError) as error:
        message = f"Invalid timestamp: {str(value)[:40]!r}. Seconds since 1970, or ISO 8601 like 2026-03-01T10:30:00Z"
        raise Mem0ValidationError(message) from error
    return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC).isoformat()


def kept_of(note: Mapping[str, Any]) -> dict[str, Any]:
    """What this surface keeps with a note; empty where it kept nothing."""
    found = (note.get("attributes") or {}).get(NAME)
    return found if isinstance(found, dict) else {}
