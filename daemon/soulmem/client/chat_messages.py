"""Lists of messages as chat APIs have them, read into what `message.add` takes.

Called by `add` of both clients, before anything is sent. A message is a mapping, or an object of an SDK with
`model_dump`; its content is a text or a list of parts, of which the texts are kept. What nobody said is left out: calls
and results of tools, pictures, thinking.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from soulmem.client.planning_calls import given_params

_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant"}
_ROLES |= {"system": "system", "developer": "system"}
_OF_TOOLS = frozenset({"tool", "function"})
_TEXTS = frozenset({"text", "input_text", "output_text", None})  # types of parts that are words
_TAKEN = ("at", "id", "mark", "mood", "attributes")  # ours, where a message has them


def chat_messages(
    mind: str,
    messages: object,
    *,
    conversation: str | None = None,
    speaker: str | None = None,
    character: str | None = None,
    recall: bool | None = None,
) -> list[dict[str, Any]]:
    """The parameters of `message.add` for each message in which something was said; `recall` is for the last of a user.

    Raises TypeError: these are no messages; ValueError: one has a role that is none.
    """
    given = [messages] if isinstance(messages, str | Mapping) or hasattr(messages, "model_dump") else messages
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        message = f"messages must be a text, a message or a list of messages, not {type(messages).__name__}"
        raise TypeError(message)
    names = {"user": speaker, "assistant": character}
    found = []
    for place, each in enumerate(given):
        params = _read({"content": each} if isinstance(each, str) else _mapping(each, f"messages[{place}]"), place)
        if params is not None:
            params = {"mind": mind, "conversation": conversation, "speaker": names.get(params["role"]), **params}
            found.append(given_params(**params))
    last = next((each for each in reversed(found) if each["role"] == "user"), None)
    if recall is not None and last is not None:
        last["recall"] = recall
    return found


def _read(message: Mapping[str, Any], place: int) -> dict[str, Any] | None:
    """A message as `message.add` takes it, without the mind; None where nothing was said."""
    role = message.get("role", "user")
    if not isinstance(role, str) or role not in _ROLES.keys() | _OF_TOOLS:
        told = f"messages[{place}]: there is no role {str(role)[:40]!r}; use user, assistant or system"
        raise ValueError(told)
    if role in _OF_TOOLS:
        return None
    text = _text(message.get("content", message.get("parts")), f"messages[{place}]")
    if not text.strip():
        return None
    params = {"role": _ROLES[role], "content": text, **{key: message[key] for key in _TAKEN if key in message}}
    if name := message.get("speaker") or message.get("name"):
        params["speaker"] = name
    if talk := message.get("conversation"):
        params["conversation"] = talk
    return params


def _text(content: object, what: str) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, bytes) or not isinstance(content, Iterable):
        told = f"{what}: content must be a text or a list of parts, not {type(content).__name__}"
        raise TypeError(told)
    parts = [content] if isinstance(content, Mapping) else content
    return "\n".join(filter(None, (each if isinstance(each, str) else _words(_mapping(each, what)) for each in parts)))


def _words(part: Mapping[str, Any]) -> str:
    """The words of a part; none of what is no text, or of what was only thought."""
    text = part.get("text")
    return text if part.get("type") in _TEXTS and isinstance(text, str) and not part.get("thought") else ""


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    dump = getattr(value, "model_dump", None)
    found = dump() if callable(dump) else value
    if not isinstance(found, Mapping):
        told = f"{what} must be a mapping or a text, not {type(value).__name__}"
        raise TypeError(told)
    return found
