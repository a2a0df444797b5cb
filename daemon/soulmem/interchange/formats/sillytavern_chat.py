"""SillyTavern's chats: a line is a message, and before those of one character stands a header.

Only what was shown is read, never the other swipes. What names its speaker is a chat of several.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from soulmem.interchange.reading import json_pieces, written_times
from soulmem.interchange.reading.byte_sources import ByteSource
from soulmem.interchange.records import LeftOut, Record, Said, Wishes, given, label

_TOO_LONG = f"a line is longer than {json_pieces.LINE_BYTES >> 20} MiB"


def recognises(first: Any) -> bool:
    """Whether a chat begins with this line."""
    if not isinstance(first, dict):
        return False
    is_header = "chat_metadata" in first or {"user_name", "character_name"} <= first.keys()
    return is_header or ("mes" in first and ("is_user" in first or "name" in first))


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    reader = _Chat(source, wishes)
    with source.open() as stream:
        for number, line in json_pieces.lines(stream):
            place = f"line {number}"
            if line is None:
                yield LeftOut(place, _TOO_LONG, is_fault=True)
                continue
            try:
                found = json_pieces.parsed(line)
            except ValueError:
                yield LeftOut(place, "a line is broken", is_fault=True)
                continue
            yield from reader.record(place, found, len(line))


class _Chat:
    def __init__(self, source: ByteSource, wishes: Wishes) -> None:
        self._wishes = wishes
        path = PurePosixPath(source.name)
        self._conversation = wishes.conversation or label(path.stem[-200:]) or "chat"
        self._user = wishes.me
        self._character: str | None = None
        self._latest: str | None = wishes.at

    def record(self, place: str, found: Any, size: int) -> Iterator[Record]:
        if not isinstance(found, dict):
            yield LeftOut(place, "a line is no message", is_fault=True)
            return
        if "mes" not in found and "swipes" not in found:
            if recognises(found):
                self._begin(found)
            else:
                yield LeftOut(place, "a line is no message", is_fault=True)
            return
        if found.get("is_system"):
            yield LeftOut(place, "hidden, or a note of the program")
            return
        text = self._words(found)
        if not text.strip():
            yield LeftOut(place, "an empty message")
            return
        at = written_times.iso(found.get("send_date"), self._wishes.zone)
        if at is None:
            if self._latest is None:
                yield LeftOut(place, "no time known: --at gives one", is_fault=True)
                return
            at = written_times.later(self._latest, 1)
        self._latest = at
        yield Said(place, self._message(found, text, at), size)

    def _begin(self, header: dict[str, Any]) -> None:
        self._user = self._wishes.me or _name(header.get("user_name"))
        self._character = _name(header.get("character_name"))
        self._latest = written_times.iso(header.get("create_date"), self._wishes.zone) or self._latest

    def _words(self, found: dict[str, Any]) -> str:
        """What was shown: `mes`; where that is missing, the swipe that was chosen."""
        text = found.get("mes")
        if isinstance(text, str) and text.strip():
            return self._filled(text)
        swipes, chosen = found.get("swipes"), found.get("swipe_id", 0)
        if not isinstance(swipes, list) or not isinstance(chosen, int) or not 0 <= chosen < len(swipes):
            return ""
        return self._filled(swipes[chosen]) if isinstance(swipes[chosen], str) else ""

    def _filled(self, text: str) -> str:
        if self._user:
            text = text.replace("{{user}}", self._user)
        return text.replace("{{char}}", self._character) if self._character else text

    def _message(self, found: dict[str, Any], text: str, at: str) -> dict[str, Any]:
        is_user = bool(found.get("is_user"))
        name = (self._wishes.me if is_user else None) or _name(found.get("name"))
        name = name or (self._user if is_user else self._character)
        is_another = self._wishes.character is not None and name != self._wishes.character
        role = "user" if is_user or is_another else "assistant"
        return given(conversation=self._conversation, role=role, content=text, speaker=name, at=at)


def _name(text: object) -> str | None:
    """A name; None for what newer files put in its place."""
    return None if text in ("unused", "You", None) else label(text)
