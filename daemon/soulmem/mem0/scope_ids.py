"""Scope ids: whose a memory is, and the conversation of the mind that stands for it.

Each combination of `user_id`, `agent_id` and `run_id` is one conversation. In a mind where conversations share nothing
the daemon itself keeps them apart, in what it finds and in what it makes of what was said. Invariants: two different
combinations never have the same name, for an id holds no white space and what is long goes by its digest; a name leads
back to its combination.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from soulmem.mem0.input_errors import Mem0ValidationError

KEYS = ("user_id", "agent_id", "run_id")
_WORDS = {"user_id": "user", "agent_id": "agent", "run_id": "run"}
_KEY_OF = {word: key for key, word in _WORDS.items()}
_LONGEST_NAMED, _LONGEST = 64, 4096

Scope = dict[str, str]


def entity_id(value: object, key: str) -> str | None:
    """An id as it is compared: a text, trimmed; None where none was given.

    Raises Mem0ValidationError: empty, or with white space within, or no text that can be kept.
    """
    if value is None:
        return None
    if isinstance(value, (bool, bytes, dict, list, set, tuple)):
        raise Mem0ValidationError(f"Invalid {key}: must be a string, not {type(value).__name__}")
    text = str(value).strip()
    if not text:
        raise Mem0ValidationError(f"Invalid {key}: cannot be empty or whitespace-only")
    if any(each.isspace() for each in text):
        raise Mem0ValidationError(f"Invalid {key}: cannot contain whitespace")
    if "\x00" in text or any("\ud800" <= each <= "\udfff" for each in text):
        raise Mem0ValidationError(f"Invalid {key}: holds what is no character")
    if len(text) > _LONGEST:
        raise Mem0ValidationError(f"Invalid {key}: has {len(text)} characters, at most {_LONGEST} are taken")
    return text


def scope_of(given: Mapping[str, object]) -> Scope:
    """The ids that were given, checked."""
    found = {key: entity_id(given.get(key), key) for key in KEYS}
    return {key: value for key, value in found.items() if value is not None}


def named_scope(given: Mapping[str, object]) -> Scope:
    """The same for a call that stores or deletes: each id names one, and there is at least one.

    Raises Mem0ValidationError.
    """
    scope = scope_of(given)
    if not scope:
        raise Mem0ValidationError("At least one of 'user_id', 'agent_id' or 'run_id' must be provided")
    for key, value in scope.items():
        if value == "*":
            raise Mem0ValidationError(f"Invalid {key}: '*' stands for all of them and names none")
    return scope


def token(value: str) -> str:
    """What stands for an id in a name: itself, or its digest where it is long. No short id looks like a digest."""
    return value if len(value) <= _LONGEST_NAMED else "#" + hashlib.sha256(value.encode()).hexdigest()


def is_digest(value: str) -> bool:
    return len(value) == _LONGEST_NAMED + 1


def conversation_of(scope: Scope) -> str:
    """The name of the conversation that stands for a scope."""
    return _name({key: token(value) for key, value in scope.items()})


def _name(tokens: Scope) -> str:
    return " ".join(f"{_WORDS[key]}={tokens[key]}" for key in KEYS if key in tokens)


def scope_named(conversation: str) -> Scope | None:
    """The scope that a conversation stands for, long ids by their digests; None for one that is not ours."""
    found: Scope = {}
    for part in conversation.split(" "):
        word, is_ours, value = part.partition("=")
        key = _KEY_OF.get(word)
        if not is_ours or not value or key is None:
            return None
        found[key] = value
    return found if _name(found) == conversation else None
