"""What was said in the messages of a request: the turns of people and character, without what is no talk.

Called by `bridges/proxy/chat_requests` and for what a model answers; pure. System messages are how a character is set
up, messages of tools are what programs say: neither is heard. Invariant: what we put into a prompt is never heard.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

OPEN, CLOSE = "<soulmem-memory>", "</soulmem-memory>"
_THOUGHT = re.compile(r"\A\s*(?:<think(?:ing)?>)?(?:(?!<think).)*?</think(?:ing)?>\s*", re.DOTALL)
# What Open WebUI puts before the words of the user where files or a search go with them.
_SOURCES = re.compile(r"\A\s*#{1,3} ?Task:\s*Respond to the user query\b.*</context>\s*", re.DOTALL)
_QUERY = re.compile(r"\A<user_query>(.*)</user_query>\s*", re.DOTALL)
_EXAMPLES = ("example_user", "example_assistant")  # how a character talks, shown by its card
_LONGEST_BYTES = 256 * 1024
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance. `name`: who says it, if the message tells. `place`: of the message in the request."""

    role: str
    text: str
    name: str | None = None
    place: int = -1

    @property
    def mark(self) -> str:
        """What tells it from others: who speaks and what is said, whatever spaces stand between the words."""
        return mark_of(self.role, self.text)


def mark_of(role: str, text: str) -> str:
    return sha256(f"{role}\0{' '.join(text.split())}".encode("utf-8", "replace")).hexdigest()[:24]


def turns_of(messages: Sequence[Any], speakers: Sequence[str] = ()) -> list[Turn]:
    """The turns of a history, in their order; what is no message, has no words or is too long is passed over.

    Args: speakers: whose names may stand before their words, as front ends write them in a group.
    """
    turns = []
    for place, message in enumerate(messages):
        if not isinstance(message, Mapping) or message.get("role") not in ("user", "assistant"):
            continue
        name = message.get("name")
        if name in _EXAMPLES:
            continue
        speaker, text = named_words(heard(text_of(message.get("content"))), speakers)
        if text and len(text.encode("utf-8", "replace")) <= _LONGEST_BYTES:
            named = name.strip() if isinstance(name, str) and name.isprintable() and len(name) <= _LONGEST_NAME else ""
            turns.append(Turn(message["role"], text, speaker or named or None, place))
    return turns


def named_words(text: str, speakers: Sequence[str]) -> tuple[str | None, str]:
    """Who speaks and what, where the name of one of these stands before the words.

    >>> named_words("罗莎：喝茶吗？", ["Pell", "罗莎"]), named_words("Note: tea.", ["Pell"])
    (('罗莎', '喝茶吗？'), (None, 'Note: tea.'))
    """
    for name in speakers:
        rest = text.removeprefix(name)
        if len(rest) < len(text) and rest[:1] in (":", "：") and rest[1:].strip():
            return name, rest[1:].strip()
    return None, text


def text_of(content: object) -> str:
    """The words of a message: its text, or the text parts among its pictures and files."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") in ("text", None)]
    return "\n".join(part for part in parts if isinstance(part, str))


def heard(text: str) -> str:
    """What is heard of a text: nothing that we put in, no sources, no thinking aloud, nothing that cannot be written.

    >>> heard("Hi.<soulmem-memory>She likes tea.</soulmem-memory>")
    'Hi.'
    """
    kept = without_ours(text) if OPEN in text else text
    if "</context>" in kept:
        kept = _QUERY.sub(r"\1", _SOURCES.sub("", kept))
    if "</think" in kept:
        kept = _THOUGHT.sub("", kept)
    return kept.replace("\0", "").encode("utf-8", "replace").decode().strip()


def without_ours(text: str) -> str:
    """A text without what we once put in, one that was cut in its middle included."""
    kept, at = "", 0
    while (begins := text.find(OPEN, at)) >= 0:
        kept += text[at:begins].removesuffix("\n").removesuffix("\n")
        ends = text.find(CLOSE, begins)
        if ends < 0:
            return kept
        at = ends + len(CLOSE)
        at += len(text[at : at + 2]) - len(text[at : at + 2].lstrip("\n"))
    return kept + text[at:]
