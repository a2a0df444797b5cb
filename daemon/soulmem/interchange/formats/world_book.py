"""Lore: SillyTavern's World Info, the book within a character card, and the book of the third card standard.

An entry becomes a note of kind lore: its keys are tags, and one that is always there is pinned. The entry itself is
kept with the note, so that it can be written out as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from soulmem.interchange.reading import json_pieces
from soulmem.interchange.reading.byte_sources import ByteSource
from soulmem.interchange.records import LABEL_CHARACTERS, LeftOut, Noted, Record, Wishes, label

NAME = "lore"  # in the attributes of a note: its book and its entry
_TEXT_BYTES = 256 * 1024
_KEPT_BYTES = 32 * 1024
_MOST_TAGS = 64
_TAKEN = {"content", "key", "keys"}


def recognises(found: Any) -> bool:
    if not isinstance(found, dict):
        return False
    if found.get("spec") == "lorebook_v3":
        return True
    entries = found.get("entries")
    if isinstance(entries, dict):
        entries = list(entries.values())
    if not isinstance(entries, list):
        return False
    return all(isinstance(each, dict) and "content" in each for each in entries[:3])


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    found = json_pieces.whole(source)
    if isinstance(found, dict) and found.get("spec") == "lorebook_v3":
        found = found.get("data")
    book = label(found.get("name")) if isinstance(found, dict) else None
    yield from entries_of(found, book or source.name.rpartition("/")[2].rpartition(".")[0], None, wishes)


def entries_of(book: Any, name: str, character: str | None, wishes: Wishes) -> Iterator[Record]:
    """The notes that a book's entries become."""
    listed = book.get("entries") if isinstance(book, dict) else None
    if isinstance(listed, dict):
        listed = list(listed.values())
    for number, entry in enumerate(listed if isinstance(listed, list) else [], 1):
        place = f"entry {number}"
        if not isinstance(entry, dict):
            yield LeftOut(place, "an entry that cannot be read", is_fault=True)
        elif entry.get("disable") is True or entry.get("enabled") is False:
            yield LeftOut(place, "an entry that is switched off")
        else:
            yield _note(place, entry, name, character, wishes)


def _note(place: str, entry: dict[str, Any], book: str, character: str | None, wishes: Wishes) -> Record:
    content = entry.get("content")
    text = filled(undecorated(content), character, wishes.me) if isinstance(content, str) else ""
    if not text.strip():
        return LeftOut(place, "an entry without words")
    if len(text.encode("utf-8", "replace")) > _TEXT_BYTES:
        return LeftOut(place, "an entry longer than 256 KiB", is_fault=True)
    keys = [*_keys(entry, "key", "keys"), *_keys(entry, "keysecondary", "secondary_keys")]
    own = next((entry[name] for name in ("uid", "id") if isinstance(entry.get(name), int | str)), None)
    kept = {name: value for name, value in entry.items() if name not in _TAKEN}
    if len(str(kept)) > _KEPT_BYTES:
        kept = {"comment": label(entry.get("comment")) or ""}
    note = {
        "kind": "lore",
        "text": text,
        "tags": list(dict.fromkeys(key[:LABEL_CHARACTERS] for key in keys))[:_MOST_TAGS],
        "pinned": entry.get("constant") is True,
        "attributes": {NAME: {"book": book, "keys": _keys(entry, "key", "keys"), "entry": kept}},
    }
    return Noted(place, f"lore {book} {own if own is not None else text}", note)


def _keys(entry: dict[str, Any], *names: str) -> list[str]:
    found = next((entry[name] for name in names if name in entry), None)
    if isinstance(found, str):
        found = found.split(",")
    return [each.strip() for each in found if isinstance(each, str) and each.strip()] if isinstance(found, list) else []


def undecorated(text: str) -> str:
    """The words without the lines before them that tell a program how to show them."""
    lines = text.splitlines(keepends=True)
    while lines and lines[0].startswith("@@"):
        del lines[0]
    return "".join(lines)


def filled(text: str, character: str | None, user: str | None) -> str:
    """The words with the names of the character and of the person where the file keeps places for them."""
    is_chinese = any("\u4e00" <= each <= "\u9fff" for each in text)
    return _replaced(text, ("{{char}}", "<BOT>"), character or ("角色" if is_chinese else "the character")).replace(
        "{{user}}", user or ("用户" if is_chinese else "the user")
    )


def _replaced(text: str, marks: Sequence[str], words: str) -> str:
    for mark in marks:
        text = text.replace(mark, words)
    return text
