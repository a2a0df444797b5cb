"""What a model answers, read beside the stream as it passes: its words, and whether it came to its end.

Called by `bridges/proxy/proxy_app`; pure. Invariants: it holds nothing back and changes nothing; what is no answer in
the protocol's form has no words; memory is bounded by the longest message.
"""

from __future__ import annotations

import json
from typing import Any

from soulmem.bridges.proxy.spoken_turns import heard, text_of

_MOST_BYTES = 1 << 20  # of a line, or of an answer in one piece; beyond it, it is not heard
_LONGEST_BYTES = 256 * 1024  # what a message may have


class AnswerReading:
    """The reading of one answer. `is_stream`: server-sent events, else JSON in one piece."""

    def __init__(self, *, is_stream: bool) -> None:
        self._is_stream = is_stream
        self._rest = bytearray()
        self._words: list[str] = []
        self._length = 0
        self._is_over = False
        self._is_lost = False

    def feed(self, data: bytes) -> None:
        if self._is_lost:
            return
        self._rest += data
        if not self._is_stream:
            self._is_lost = len(self._rest) > _MOST_BYTES
            return
        while (end := self._rest.find(b"\n")) >= 0:
            line = bytes(self._rest[:end]).strip()
            del self._rest[: end + 1]
            if line.startswith(b"data:"):
                self._take(line[5:].strip())
        self._is_lost = self._is_lost or len(self._rest) > _MOST_BYTES

    def answer(self) -> str | None:
        """The words of an answer that came to its end; None of any other, of several at once, and of none."""
        if self._is_lost:
            return None
        if not self._is_stream:
            return _whole(bytes(self._rest))
        if self._rest.startswith(b"data:"):
            self._take(bytes(self._rest)[5:].strip())
        return _heard("".join(self._words)) if self._is_over else None

    def _take(self, data: bytes) -> None:
        if data == b"[DONE]":
            self._is_over = True
            return
        event = _json(data)
        choices = event.get("choices") if isinstance(event, dict) else None
        for choice in choices if isinstance(choices, list) else ():
            if not isinstance(choice, dict):
                continue
            if choice.get("index", 0) not in (0, None):
                self._is_lost = True  # several to choose from: the next request tells which it was
                return
            delta = choice.get("delta")
            words = delta.get("content") if isinstance(delta, dict) else None
            if isinstance(words, str):
                self._words.append(words)
                self._length += len(words)
                self._is_lost = self._is_lost or self._length > _LONGEST_BYTES
            self._is_over = self._is_over or choice.get("finish_reason") is not None


def _whole(data: bytes) -> str | None:
    answer = _json(data)
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        return None
    message = choices[0].get("message")
    return _heard(text_of(message.get("content"))) if isinstance(message, dict) else None


def _heard(text: str) -> str | None:
    text = heard(text)
    return text if text and len(text.encode()) <= _LONGEST_BYTES else None


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
