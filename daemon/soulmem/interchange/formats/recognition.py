"""Which format a file is of, by what stands in it and never by its name; and who reads each.

Looks at the first 64 KiB, and at the whole of a file that is one object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from soulmem.interchange.formats import (
    character_card,
    chatgpt_export,
    claude_export,
    csv_table,
    locomo_dataset,
    mcp_graph,
    mem0_memories,
    plain_messages,
    sillytavern_chat,
    world_book,
)
from soulmem.interchange.reading import json_pieces
from soulmem.interchange.reading.byte_sources import ByteSource, UnreadableError
from soulmem.interchange.records import Record, Wishes

Reader = Callable[[ByteSource, Wishes], Iterator[Record]]

READERS: dict[str, Reader] = {
    "messages": plain_messages.read,
    "sillytavern": sillytavern_chat.read,
    "chatgpt": chatgpt_export.read,
    "claude": claude_export.read,
    "mem0": mem0_memories.read,
    "mcp-memory": mcp_graph.read,
    "locomo": locomo_dataset.read,
    "csv": csv_table.read,
    "lorebook": world_book.read,
    "card": character_card.read,
}
WHAT = {
    "messages": "messages", "sillytavern": "SillyTavern chat", "chatgpt": "ChatGPT export", "claude": "Claude export",
    "mem0": "Mem0 memories", "mcp-memory": "graph of the MCP memory server", "locomo": "LoCoMo conversations",
    "csv": "table of messages", "lorebook": "lorebook", "card": "character card",
}  # fmt: skip
CONTIGUOUS = {"sillytavern", "chatgpt", "claude", "locomo"}  # a conversation stands together, never among others
ZIP = b"PK\x03\x04"
MIND = "mind"  # a whole mind, which is made and not added to one
_LINES = {
    MIND: lambda found: isinstance(found, dict) and found.get("soulmem") == MIND,
    "sillytavern": sillytavern_chat.recognises,
    "mcp-memory": mcp_graph.recognises,
    "messages": plain_messages.recognises,
}
_LISTS = {
    "chatgpt": chatgpt_export.recognises,
    "claude": claude_export.recognises,
    "locomo": locomo_dataset.recognises,
    "messages": plain_messages.recognises,
    "mem0": mem0_memories.recognises,
}
_OBJECTS = {
    "card": character_card.recognises,
    "lorebook": world_book.recognises,
    "locomo": locomo_dataset.recognises,
    "mem0": mem0_memories.recognises,
}
_TRIED = 20  # lines


def recognise(source: ByteSource, wishes: Wishes) -> str | None:
    """The format of a file, None for one that is of none.

    Raises UnreadableError: it cannot be read.
    """
    head = source.head().removeprefix(b"\xef\xbb\xbf")
    if head.startswith(mem0_memories.SQLITE):
        return "mem0"
    if character_card.is_picture(head):
        return "card"
    begin = head.lstrip()[:1]
    if begin == b"[":
        return _of_list(source)
    if begin == b"{":
        return _of_lines(head) or _of_object(source, head)
    if not head.strip():
        return "messages"
    return "csv" if csv_table.recognises(head, wishes) else None


def _of_list(source: ByteSource) -> str | None:
    with source.open() as stream:
        for item in json_pieces.items(stream):
            try:
                first = json_pieces.parsed(item.data or b"")
            except ValueError:
                continue
            return _first(_LISTS, first)
    return None


def _of_lines(head: bytes) -> str | None:
    for line in head.split(b"\n")[:_TRIED]:
        try:
            found = json_pieces.parsed(line)
        except ValueError:
            continue
        if name := _first(_LINES, found):
            return name
    return None


def _of_object(source: ByteSource, head: bytes) -> str | None:
    """Of one object, over many lines or one; what looks like a line that is broken is taken for messages."""
    try:
        found = json_pieces.whole(source)
    except UnreadableError:
        is_laid_out = head.lstrip().split(b"\n", 1)[0].strip() == b"{"
        if is_laid_out or source.size > json_pieces.WHOLE_BYTES:
            raise
        return "messages"
    return _first(_OBJECTS, found)


def _first(known: Mapping[str, Callable[[Any], bool]], found: Any) -> str | None:
    return next((name for name, recognises in known.items() if recognises(found)), None)
