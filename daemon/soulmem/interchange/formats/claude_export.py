"""Claude's export: a list of conversations, each a list of messages.

The blocks of text are what was said; where there are none, the plain text that stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from soulmem.interchange.formats.listed_conversations import in_order
from soulmem.interchange.reading import written_times
from soulmem.interchange.reading.byte_sources import ByteSource
from soulmem.interchange.records import LeftOut, Record, Said, Wishes, given, label

_ROLES = {"human": "user", "assistant": "assistant"}


def recognises(first: Any) -> bool:
    return isinstance(first, dict) and isinstance(first.get("chat_messages"), list)


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    for place, size, found in in_order(source, _time_of, lambda found: found, "sender"):
        if found is None or not recognises(found):
            yield LeftOut(place, "a conversation that cannot be read, or is larger than 16 MiB", is_fault=True)
        else:
            yield from _conversation(place, found, size, wishes)
        del found  # or it were held while the next is read


def _time_of(found: Any) -> float:
    at = written_times.iso(found.get("created_at")) if isinstance(found, dict) else None
    return datetime.fromisoformat(at).timestamp() if at else 0.0


def _conversation(place: str, found: dict[str, Any], size: int, wishes: Wishes) -> Iterator[Record]:
    name = label(found.get("uuid")) or label(found.get("name")) or place
    conversation = wishes.conversation or label(f"claude {name}")
    latest = written_times.iso(found.get("created_at")) or written_times.iso(found.get("updated_at")) or wishes.at
    said = found["chat_messages"]
    for message in said:
        if not isinstance(message, dict):
            yield LeftOut(place, "what is no message", is_fault=True)
            continue
        role = _ROLES.get(str(message.get("sender")))
        if role is None:
            yield LeftOut(place, "of an unknown sender")
            continue
        text, left_out = _words(message)
        yield from (LeftOut(place, why) for why in left_out)
        if not text:
            continue
        at = written_times.iso(message.get("created_at")) or (written_times.later(latest, 1) if latest else None)
        if at is None:
            yield LeftOut(place, "no time known: --at gives one", is_fault=True)
            continue
        latest = at
        speaker = wishes.me if role == "user" else wishes.character
        own = label(message.get("uuid"))
        values = given(conversation=conversation, role=role, content=text, at=at, id=own, speaker=speaker)
        yield Said(place, values, size // len(said))


def _words(message: dict[str, Any]) -> tuple[str, list[str]]:
    blocks = message.get("content")
    texts, left_out = list[str](), list[str]()
    for block in blocks if isinstance(blocks, list) else []:
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            texts.append(block["text"])
        else:
            left_out.append(_block_left_out(str(block.get("type"))))
    attached = [each for name in ("attachments", "files") for each in message.get(name) or () if each is not None]
    left_out += ["a file that was attached"] * len(attached)
    text = "\n".join(each for each in texts if each.strip())
    if not text and isinstance(message.get("text"), str):
        text = message["text"].strip()
    return text, left_out if text else left_out or ["an empty message"]


def _block_left_out(kind: str) -> str:
    if kind in ("tool_use", "tool_result", "token_budget", "flag"):
        return "what went to and from a tool"
    if kind == "thinking":
        return "thoughts of the model"
    return f"of an unknown kind of content: {kind[:40]}"
