"""What a file holds once it is read: messages, notes, a graph, who the character is, and what is left out.

Plain values; a reader makes them, and whoever imports hands them on. `place` says where it stood in words for people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """A message as `message.import` takes it; `size`: bytes of it in the file, or about as many."""

    place: str
    message: dict[str, Any]
    size: int = 0


@dataclass(frozen=True, slots=True)
class Noted:
    """A note as `note.add` takes it. `source`: what it is called where it comes from, the same each time it is read."""

    place: str
    source: str
    note: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Observed:
    """An entity of a graph, with what was observed of it."""

    place: str
    name: str
    kind: str
    observations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """A relation of a graph."""

    place: str
    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class Persona:
    """Who the character is, and its name."""

    place: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not taken; `why` reads the same for all of a kind. `is_fault`: it should not have been so."""

    place: str
    why: str
    is_fault: bool = False


Record = Said | Noted | Observed | Related | Persona | LeftOut


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the one who imports said about the file.

    `conversation`: where everything was said, whatever the file says; `me`: the name of the person; `character`: the
    one speaker who is the character itself; `zone`: of times without one; `at`: the time of what has none; `columns`:
    which column of a table holds what.
    """

    zone: tzinfo
    conversation: str | None = None
    me: str | None = None
    character: str | None = None
    at: str | None = None
    columns: dict[str, str] = field(default_factory=dict)


IMPORTED = "imported"  # an attribute of a note: what it is called where it comes from, and what it said there
LABEL_CHARACTERS = 256  # of names and tags, as the protocol takes them


def label(text: object) -> str | None:
    """A name as the protocol takes it; None where there is none."""
    if not isinstance(text, str):
        return None
    return text.strip()[:LABEL_CHARACTERS].strip() or None


def given(**values: Any) -> dict[str, Any]:
    """What is there of these."""
    return {name: value for name, value in values.items() if value is not None}


def within(place: str, records: Iterator[Record], named: Callable[[str], str] | None = None) -> Iterator[Record]:
    """The same records, with the file named in which they stand."""
    from dataclasses import replace  # noqa: PLC0415 - folders and archives only

    for each in records:
        yield replace(each, place=(named or (lambda inner: f"{place}, {inner}"))(each.place))
