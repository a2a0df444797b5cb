"""ChatGPT's export: a list of conversations, each a tree of which one branch was shown last.

The branch is walked from its end to the root, so that what was tried and given up is not heard. Conversations are read
one at a time, in the order of their times, which the file does not keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from soulmem.interchange.formats.listed_conversations import in_order
from soulmem.interchange.reading import written_times
from soulmem.interchange.reading.byte_sources import ByteSource
from soulmem.interchange.records import LeftOut, Record, Said, Wishes, given, label

_NO_TALK = {"system": "what the system said", "tool": "what a tool said"}
_SPOKEN = ("text", "multimodal_text", "code")
_IS_HIDDEN = "is_visually_hidden_from_conversation"
_OF_MESSAGE = ("id", "author", "content", "metadata", "recipient", "create_time")
_HIDDEN = {
    "thoughts": "thoughts of the model",
    "reasoning_recap": "thoughts of the model",
    "user_editable_context": "custom instructions, which nobody said in the talk",
    "model_editable_context": "notes of the program",
}


def recognises(first: Any) -> bool:
    return isinstance(first, dict) and isinstance(first.get("mapping"), dict)


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    for place, size, found in in_order(source, _time_of, _kept, "parent"):
        if found is None or not recognises(found):
            yield LeftOut(place, "a conversation that cannot be read, or is larger than 16 MiB", is_fault=True)
        else:
            yield from _conversation(place, found, size, wishes)
        del found  # or it were held while the next is read


def _kept(found: dict[str, Any]) -> dict[str, Any]:
    """What is held of an object: of a node and of its message no more than is asked for."""
    if "author" in found:
        return {name: found[name] for name in _OF_MESSAGE if name in found}
    if "model_slug" in found or _IS_HIDDEN in found:
        return {_IS_HIDDEN: found[_IS_HIDDEN]} if _IS_HIDDEN in found else {}
    if "parent" in found and "children" in found:
        return {**found, "children": bool(found["children"])}
    return found


def _time_of(found: Any) -> float:
    if not isinstance(found, dict):
        return 0.0
    return next((time for name in ("create_time", "update_time") if (time := _number(found.get(name)))), 0.0)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


def _conversation(place: str, found: dict[str, Any], size: int, wishes: Wishes) -> Iterator[Record]:
    nodes, is_loop = _branch(found)
    if is_loop:
        yield LeftOut(place, "a conversation whose tree runs in a circle: read as far as it goes", is_fault=True)
    name = label(found.get("conversation_id")) or label(found.get("id")) or label(found.get("title"))
    conversation = wishes.conversation or label(f"chatgpt {name or place}")
    latest = _earliest(nodes) or written_times.iso(_time_of(found) or None) or wishes.at
    share = size // (len(nodes) or 1)
    for node in nodes:
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        text, left_out = _words(message)
        yield from (LeftOut(place, why) for why in left_out)
        if text is None:
            continue
        at = written_times.iso(message.get("create_time")) or (written_times.later(latest, 1) if latest else None)
        if at is None:
            yield LeftOut(place, "no time known: --at gives one", is_fault=True)
            continue
        latest = at
        role = message["author"]["role"]
        own = label(message.get("id")) or label(node.get("id"))
        said = given(
            conversation=conversation, role=role, content=text, at=at, id=own,
            speaker=wishes.me if role == "user" else wishes.character,
        )  # fmt: skip
        yield Said(place, said, share)


def _branch(found: dict[str, Any]) -> tuple[list[dict[str, Any]], bool]:
    """The nodes from the root to what was shown last, and whether the way ran in a circle."""
    mapping: dict[str, Any] = found["mapping"]
    name, seen, nodes = found.get("current_node"), set[str](), list[dict[str, Any]]()
    if not isinstance(name, str) or name not in mapping:
        name = _last_leaf(mapping)
    while isinstance(name, str) and isinstance(node := mapping.get(name), dict):
        if name in seen:
            return nodes[::-1], True
        seen.add(name)
        nodes.append(node)
        name = node.get("parent")
    return nodes[::-1], False


def _last_leaf(mapping: dict[str, Any]) -> str | None:
    """The node that was said last and on which nothing follows: what was shown, where the file does not say."""
    leaves = [
        (_number((node.get("message") or {}).get("create_time")), name)
        for name, node in mapping.items()
        if isinstance(node, dict) and not node.get("children") and isinstance(node.get("message") or {}, dict)
    ]
    return max(leaves)[1] if leaves else None


def _earliest(nodes: list[dict[str, Any]]) -> str | None:
    times = [_number(message.get("create_time")) for node in nodes if isinstance(message := node.get("message"), dict)]
    return written_times.iso(min((time for time in times if time), default=None))


def _words(message: dict[str, Any]) -> tuple[str | None, list[str]]:
    """What was said, if anybody did; and what is left out of it."""
    author, content, about = (message.get(name) for name in ("author", "content", "metadata"))
    role = author.get("role") if isinstance(author, dict) else None
    if not isinstance(content, dict):
        return None, ["a message without content"]
    kind = content.get("content_type")
    if role not in ("user", "assistant"):
        return None, [_NO_TALK.get(str(role), "of an unknown role")]
    if kind in _HIDDEN:
        return None, [_HIDDEN[kind]]
    if kind not in _SPOKEN:
        return None, [f"of an unknown kind of content: {str(kind)[:40]}"]
    if isinstance(about, dict) and about.get(_IS_HIDDEN):
        return None, ["hidden in the talk"]
    if message.get("recipient") not in ("all", None):
        return None, ["said to a tool"]
    parts = content.get("parts") if kind != "code" else [content.get("text")]
    said, left_out = list[str](), list[str]()
    for part in parts if isinstance(parts, list) else []:
        if isinstance(part, str):
            said.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            said.append(part["text"])
        elif isinstance(part, dict):
            left_out.append("a picture or another file within a message")
    text = "\n".join(each for each in said if each.strip())
    return (text, left_out) if text else (None, left_out or ["an empty message"])
