"""A chat completion as it came: who speaks in it, what was said, and how it goes on with a memory in it.

Called by `bridges/proxy/proxy_app`; pure. Invariant: what needs no change leaves with the bytes it came with, and what
does keeps every field that is not ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from soulmem.bridges.proxy.caller_names import CallerNames, names_of, split_model
from soulmem.bridges.proxy.housekeeping_calls import is_housekeeping
from soulmem.bridges.proxy.prompt_injection import Position, injected, stripped, wrapped
from soulmem.bridges.proxy.spoken_turns import Turn, text_of, turns_of

_LONGEST_QUERY = 2_000  # characters


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """`is_talk`: heard and given a memory; all else only passes. `is_answered`: what comes is a turn of its own."""

    raw: bytes
    body: Mapping[str, Any] | None
    names: CallerNames
    turns: tuple[Turn, ...] = ()
    is_talk: bool = False
    is_answered: bool = False

    @property
    def query(self) -> str:
        """What the user said last; its end, where it is long, for there the question stands."""
        return next((turn.text for turn in reversed(self.turns) if turn.role == "user"), "")[-_LONGEST_QUERY:]

    def with_memory(self, memory: str | None, position: Position, depth: int) -> bytes:
        """The body to send on."""
        if self.body is None:
            return self.raw
        changed = dict(self.body)
        model, persona = split_model(self.body.get("model"))
        if persona is not None:
            changed["model"] = model
        messages = self.body.get("messages")
        if isinstance(messages, list):
            kept = stripped(messages)
            if memory is not None and self.is_talk:
                kept = injected(kept, wrapped(memory, self.query), position, depth)
            changed["messages"] = kept
            if kept is messages and persona is None:
                return self.raw
        elif persona is None:
            return self.raw
        return json.dumps(changed, ensure_ascii=True, separators=(",", ":")).encode()


def read_request(raw: bytes, headers: Mapping[str, str], path_persona: str | None, mind: str | None) -> ChatRequest:
    """Read a request; one that is no JSON object, or holds no messages, only passes. `mind`: of the command line."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        return ChatRequest(raw, None, names_of(headers, {}, path_persona=path_persona, mind=mind))
    names = names_of(headers, body, path_persona=path_persona, mind=mind)
    messages = body.get("messages")
    turns = tuple(turns_of(messages, names.speakers)) if isinstance(messages, list) else ()
    if not isinstance(messages, list) or not any(turn.role == "user" for turn in turns):
        return ChatRequest(raw, body, names)
    last_words = [text_of(messages[at].get("content")) for at in _last_places(messages, turns[-1])]
    if is_housekeeping(headers, body, last_words):
        return ChatRequest(raw, body, names)
    return ChatRequest(raw, body, names, turns, is_talk=True, is_answered=_is_answered(names, turns[-1]))


def _is_answered(names: CallerNames, last: Turn) -> bool:
    """Whether what comes is a turn of its own: behind a turn of the character the model goes on with that turn, and the
    next request brings it whole; behind one of another character of a group it answers.
    """
    if last.role == "user":
        return True
    if names.persona is None or last.name not in names.speakers:
        return False
    # a character whose name another has too is called by more than its name
    return last.name != names.persona and not names.persona.startswith(f"{last.name} ")


def _last_places(messages: list[Any], last: Turn) -> list[int]:
    """The last turn and the instructions behind it."""
    behind = range(last.place + 1, len(messages))
    return [last.place, *(at for at in behind if isinstance(messages[at], dict) and messages[at].get("role") != "tool")]
