"""What was said: the `messages` of a call as roles and texts, checked before anything is sent.

A message may be one text, one dictionary or a list of them; its content a text or parts, of which the texts are kept.
What holds nothing to remember, an image or the call of a tool, is left out with a line in the log. Also the record of
how an agent did something, as one text: what was said, as it was said, or what a model that the caller gives makes of
it, which is checked against nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from soulmem.mem0.input_errors import Mem0ValidationError, checked_text

_LOG = logging.getLogger("soulmem.mem0")
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant"}
_ROLES |= {"system": "system", "developer": "system", "tool": "tool", "function": "tool"}
_LONGEST_NAME, _MOST = 256, 1000
PROCEDURAL = "procedural_memory"
_PROMPT = """\
Below is the record of an agent at work. Write the memory from which it, or another agent, can go on.
First the objective of the task, then how far it has come. Then every step, numbered, in order: what was done; what came
back, word for word, with its numbers, names, paths and errors; what was learnt by it; where it was at, and what failed.
Leave no step out and add nothing that is not in the record. Write in the language of the record. Only the memory."""


class Said(NamedTuple):
    """One message: `role` is user, assistant, system or tool; `name` of who spoke, where it was told."""

    role: str
    text: str
    name: str | None = None


def read_messages(messages: object) -> list[Said]:
    """Raises Mem0ValidationError: no messages, or nothing in them that could be remembered."""
    given = [messages] if isinstance(messages, (str, Mapping)) else messages
    if not isinstance(given, (list, tuple)):
        raise Mem0ValidationError(f"messages must be a string, a dictionary or a list, not {type(messages).__name__}")
    if len(given) > _MOST:
        raise Mem0ValidationError(f"messages: {len(given)} of them, at most {_MOST} are taken in one call")
    said = [found for place, each in enumerate(given) if (found := _read(each, place)) is not None]
    if not said:
        raise Mem0ValidationError("Invalid messages: cannot be empty or whitespace-only, there is nothing to remember")
    return said


def _read(message: object, place: int) -> Said | None:
    what = f"messages[{place}]"
    if isinstance(message, str):
        return Said("user", checked_text(message, what)) if message.strip() else None
    if not isinstance(message, Mapping):
        raise Mem0ValidationError(f"{what} must be a string or a dictionary, not {type(message).__name__}")
    role = message.get("role", "user")
    if not isinstance(role, str) or role not in _ROLES:
        raise Mem0ValidationError(f"{what}: there is no role {str(role)[:40]!r}; use user, assistant or system")
    if "content" not in message and not {"tool_calls", "function_call"} & message.keys():
        raise Mem0ValidationError(f"{what} has no content")
    text = _text(message.get("content"), what)
    if not text.strip():
        return None
    name = message.get("name")
    if name is not None and (not isinstance(name, str) or len(name) > _LONGEST_NAME):
        raise Mem0ValidationError(f"{what}: name must be a text of at most {_LONGEST_NAME} characters")
    return Said(_ROLES[role], checked_text(text, what), checked_text(name, f"{what}.name") if name else None)


def _text(content: Any, what: str) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = [content] if isinstance(content, Mapping) else content
    if not isinstance(parts, (list, tuple)):
        raise Mem0ValidationError(f"{what}: content must be a text or a list of parts, not {type(content).__name__}")
    return "\n".join(filter(None, (_part(each, what) for each in parts)))


def _part(part: Any, what: str) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return str(part["text"])
    kind = str(part.get("type", "unknown"))[:40] if isinstance(part, Mapping) else type(part).__name__
    _LOG.warning("%s: a part of type %r is left out, only text is remembered", what, kind)
    return ""


def told_as_procedure(said: Sequence[Said], prompt: str | None, llm: Any) -> str:
    """The one text to keep. Raises Mem0ValidationError: the model had nothing to say."""
    record = "\n".join(f"{each.name or each.role}: {each.text}" for each in said)
    if llm is None:
        return record
    asked = [{"role": "system", "content": prompt or _PROMPT}, {"role": "user", "content": record}]
    answer = llm.invoke(asked) if hasattr(llm, "invoke") else llm(asked)
    text = _answer_text(getattr(answer, "content", answer)).strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        text = text.split("\n", 1)[1].rsplit("```", 1)[0].strip()
    if not text:
        raise Mem0ValidationError("the model gave no content for the procedural memory summary")
    return text


def _answer_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, (list, tuple)):
        return "\n".join(filter(None, map(_answer_text, content)))
    return _answer_text(content.get("text")) if isinstance(content, dict) else ""
