"""What of a mind is written for other programs, read from the daemon page by page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from soulmem.client import Client

_CALL_S = 120.0
Found = dict[str, Any]


def pages(client: Client, method: str, **params: Any) -> Iterator[Found]:
    """The items of a list, however many."""
    return client.items(method, params, timeout=_CALL_S)


def notes(client: Client, mind: str) -> Iterator[Found]:
    """The notes there are, by number."""
    return pages(client, "note.list", mind=mind)


def known_names(client: Client, mind: str) -> list[str]:
    """Whom a mind knows by name."""
    found = pages(client, "profile.list", mind=mind)
    return [each["name"] for each in found if len(each["name"]) > 1]


def named_in(text: str, names: list[str]) -> list[str]:
    """Those of these names that stand in a text."""
    return [name for name in names if _stands(name, text)]


def _stands(name: str, text: str) -> bool:
    """Whether a name stands in a text as a word of its own; in a script without spaces, anywhere."""
    place = text.find(name)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(name) : place + len(name) + 1]
        if not name.isascii() or not any(each.isascii() and each.isalnum() for each in (before, after)):
            return True
        place = text.find(name, place + 1)
    return False
