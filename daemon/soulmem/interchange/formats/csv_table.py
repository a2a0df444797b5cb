"""A table: a row is a message, and the one who imports says which column holds what, where their names do not.

Times are read in any of the ways of writing them; a row that names no role was said by a person.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from soulmem.interchange.reading import written_times
from soulmem.interchange.reading.byte_sources import ByteSource, UnreadableError
from soulmem.interchange.records import LeftOut, Record, Said, Wishes, given, label

FIELDS = ("content", "at", "role", "speaker", "conversation", "id")
_FIELD_BYTES = 256 * 1024
_NAMES = {
    "content": ("content", "text", "message", "body", "mes"),
    "at": ("at", "time", "date", "timestamp", "created_at", "datetime"),
    "role": ("role",),
    "speaker": ("speaker", "name", "author", "from", "sender"),
    "conversation": ("conversation", "chat", "channel", "thread"),
    "id": ("id", "message_id"),
}
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "bot": "assistant", "system": "system"}


def recognises(head: bytes, wishes: Wishes) -> bool:
    """Whether the first line names the columns of a table."""
    line = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    delimiter = _delimiter(line)
    names = _cells(line, delimiter) if delimiter in line else []
    columns = _columns(names, wishes)
    return "content" in columns and ("at" in columns or wishes.at is not None)


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of one line; none of what is no table at all, as a program is none."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    csv.field_size_limit(_FIELD_BYTES)
    with source.open() as raw, io.TextIOWrapper(raw, "utf-8-sig", errors="surrogateescape", newline="") as text:
        first = text.readline(_FIELD_BYTES)
        delimiter = _delimiter(first)
        names = _cells(first, delimiter)
        columns = _columns(names, wishes)
        if lost := sorted(set(wishes.columns.values()) - set(names)):
            message = f"it has no column {lost[0]!r}; it has {', '.join(names)[:200]}"
            raise UnreadableError(message)
        if "content" not in columns:
            message = "no column is known to hold what was said: --map content=COLUMN names it"
            raise UnreadableError(message)
        rows = csv.reader(text, delimiter=delimiter)
        try:
            for row in rows:
                if any(cell.strip() for cell in row):
                    yield _row(f"line {rows.line_num + 1}", row, columns, wishes)
        except csv.Error as error:
            yield LeftOut(f"line {rows.line_num + 1}", f"the table is broken from here on: {error}", is_fault=True)


def _delimiter(line: str) -> str:
    return max(",;\t", key=line.count)


def _columns(names: list[str], wishes: Wishes) -> dict[str, int]:
    """At which place each field stands."""
    places = {name.strip().lower(): place for place, name in reversed(list(enumerate(names)))}
    found = {
        field: next((places[name] for name in known if name in places), None) for field, known in _NAMES.items()
    } | {field: names.index(name) for field, name in wishes.columns.items() if name in names}
    return {field: place for field, place in found.items() if place is not None}


def _row(place: str, row: list[str], columns: dict[str, int], wishes: Wishes) -> Record:
    cells = {field: row[at] for field, at in columns.items() if at < len(row)}
    text = cells.get("content", "")
    if not text.strip():
        return LeftOut(place, "an empty message")
    if any("\ud800" <= each <= "\udfff" for each in "".join(cells.values())):
        return LeftOut(place, "a row is not UTF-8", is_fault=True)
    at = written_times.iso(cells.get("at"), wishes.zone) or wishes.at
    if at is None:
        return LeftOut(place, "no time known: --at gives one", is_fault=True)
    speaker = label(cells.get("speaker"))
    told = cells.get("role", "").strip().lower()
    is_character = speaker is not None and speaker == wishes.character
    role = "assistant" if is_character else _ROLES.get(told) if told else "user"
    if role is None:
        return LeftOut(place, f"of an unknown role: {told[:40]}", is_fault=True)
    conversation = wishes.conversation or label(cells.get("conversation"))
    said = given(role=role, content=text, at=at, speaker=speaker, conversation=conversation, id=label(cells.get("id")))
    return Said(place, said, len(text) + 100)
