"""What is to be read: a file, all files of a folder, or what stands in an archive, each with its format.

Invariants: a folder is not left by a link; what is of no format that is known is left out by name, and keeps nothing
else from being read.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from soulmem.interchange.formats import recognition
from soulmem.interchange.reading import zip_members
from soulmem.interchange.reading.byte_sources import ByteSource, UnreadableError, file_source
from soulmem.interchange.records import LeftOut, Wishes

_MOST_FILES = 100_000
_CARD_IN_ARCHIVE = "card.json"
_UNKNOWN = "a file of no format that is known"
_NO_TALK = {  # what exports hold beside the talk
    "user.json", "users.json", "projects.json", "memories.json", "message_feedback.json", "model_comparisons.json",
    "shared_conversations.json", "shopping.json", "sora.json", "group_chats.json", "user_settings.json",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A source and its format; `is_one_of_many`: its name is told with each place in it."""

    source: ByteSource
    format: str
    is_one_of_many: bool


def sources(path: str, name: str | None, wishes: Wishes) -> Iterator[Found | LeftOut]:
    """What stands under a path. `name`: the format, where it was said.

    Raises UnreadableError: nothing can be read there.
    """
    if path == "-":
        yield from _standard_input(name)
        return
    place = Path(path)
    if place.is_dir():
        yield from _folder(place, name, wishes)
    elif not place.is_file():
        is_there = place.exists()
        message = "it is no file" if is_there else "there is no such file"
        raise UnreadableError(message)
    else:
        yield from _file(place, name, wishes)


def _standard_input(name: str | None) -> Iterator[Found | LeftOut]:
    """Lines as they come; of a format that must be read as a file, not at all."""
    if name not in (None, "messages", "sillytavern", "mcp-memory", "csv"):
        message = f"a {recognition.WHAT[name or 'messages']} is not read from stdin: give a file"
        raise UnreadableError(message)
    yield Found(ByteSource("stdin", _unclosed, 0, is_file=False), name or "messages", is_one_of_many=False)


def _unclosed() -> BinaryIO:
    return io.BufferedReader(_Unclosed())


class _Unclosed(io.RawIOBase):
    """Standard input, which stays open when its reader is done."""

    def readable(self) -> bool:
        return True

    def readinto(self, into: object) -> int:
        view = memoryview(into).cast("B")  # type: ignore[arg-type]  # what `BufferedReader` gives
        data = sys.stdin.buffer.read1(len(view))  # type: ignore[union-attr]  # it is buffered
        view[: len(data)] = data
        return len(data)


def _file(path: Path, name: str | None, wishes: Wishes) -> Iterator[Found | LeftOut]:
    source = file_source(path)
    if source.head().startswith(recognition.ZIP):
        yield from _archive(path, name, wishes)
        return
    found = name or recognition.recognise(source, wishes)
    if found is None:
        message = "it is of no format that is known"
        raise UnreadableError(message)
    yield Found(source, found, is_one_of_many=False)


def _folder(folder: Path, name: str | None, wishes: Wishes) -> Iterator[Found | LeftOut]:
    count = 0
    for at, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for each in sorted(files):
            path = Path(at) / each
            if each.startswith(".") or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > _MOST_FILES:
                message = f"the folder holds more than {_MOST_FILES:,} files"
                raise UnreadableError(message)
            told = str(path.relative_to(folder))
            try:
                source = file_source(path, told)
                if source.head().startswith(recognition.ZIP):
                    yield from _archive(path, name, wishes, within=f"{told}: ")
                else:
                    yield _one_of_many(source, name, wishes)
            except (UnreadableError, OSError) as error:
                yield LeftOut(told, _line(error), is_fault=True)


def _archive(path: Path, name: str | None, wishes: Wishes, within: str = "") -> Iterator[Found | LeftOut]:
    is_card = False
    for member in zip_members.members(path):
        if isinstance(member, str):
            yield LeftOut(f"{within}the archive", member, is_fault=True)
            continue
        is_card = is_card or member.name == _CARD_IN_ARCHIVE
        if is_card and member.name != _CARD_IN_ARCHIVE:  # pictures and sounds of the card
            yield LeftOut(f"{within}{member.name}", "a picture or another file of a card")
            continue
        try:
            found = _one_of_many(member, name, wishes)
        except UnreadableError as error:
            yield LeftOut(f"{within}{member.name}", _line(error), is_fault=True)
            continue
        yield found


def _one_of_many(source: ByteSource, name: str | None, wishes: Wishes) -> Found | LeftOut:
    if source.name.rpartition("/")[2] in _NO_TALK:
        return LeftOut(source.name, "what an export holds beside the talk")
    found = name or recognition.recognise(source, wishes)
    if found == recognition.MIND:
        return LeftOut(source.name, "a whole mind, which is imported by itself")
    return LeftOut(source.name, _UNKNOWN) if found is None else Found(source, found, is_one_of_many=True)


def _line(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
