"""Reading a recall set: conversations with questions whose answers are known messages.

Used by the demo; the same form holds our examples and the public sets that benchmarks use. Invariant: what
is returned is complete and ordered by time; a file that is not a recall set is refused with one sentence.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from soulmem.cli.output.command_session import CommandError, ExitCode
from soulmem.cli.output.tables import parse_time

FORM = "a recall set is JSON: {name, conversations: [{id, language, messages: [...], questions: [...]}]}"
QUIET = timedelta(seconds=600)  # the silence after which a mind goes to rest


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a recall set. `key` names it among all conversations of the set's mind."""

    id: str
    conversation: str
    role: str
    speaker: str
    content: str
    at: datetime

    @property
    def key(self) -> tuple[str, str]:
        return (self.conversation, self.id)


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    gold: frozenset[str]
    category: str
    answer: str


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation object of a recall set: messages in order of time, and questions about them."""

    name: str
    id: str
    language: str
    lines: tuple[Line, ...]
    questions: tuple[Question, ...]
    left_out: int = 0  # messages beyond the limit

    def sittings(self) -> Iterator[tuple[Line, ...]]:
        """Split the talk where somebody fell silent for longer than a mind stays awake."""
        sitting: list[Line] = []
        for line in self.lines:
            if sitting and line.at - sitting[-1].at > QUIET:
                yield tuple(sitting)
                sitting = []
            sitting.append(line)
        if sitting:
            yield tuple(sitting)

    @property
    def speakers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.speaker for line in self.lines if line.speaker))


def read_talk(path: Path, limit: int | None) -> Talk:
    """Read the first conversation of a recall set (`.json` or `.json.gz`), at most `limit` messages of it.

    Questions whose evidence lies beyond the limit are left out.

    Raises CommandError: if the file cannot be read or is not a recall set.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            found = json.load(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandError(f"cannot read {path}: {reason}", hint=FORM, code=ExitCode.REFUSED_INPUT) from error
    except (ValueError, EOFError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {error}", hint=FORM, code=ExitCode.REFUSED_INPUT) from error
    try:
        return _talk(str(found["name"]), found["conversations"][0], limit)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        wrong = f"{path} is not a recall set ({type(error).__name__}: {error})"
        raise CommandError(wrong, hint=FORM, code=ExitCode.REFUSED_INPUT) from error


def _talk(name: str, found: dict[str, Any], limit: int | None) -> Talk:
    lines = sorted((_line(message) for message in found["messages"]), key=lambda line: line.at)
    kept = lines[:limit]
    if not kept:
        raise ValueError("no messages")
    return Talk(
        name=name,
        id=str(found["id"]),
        language=str(found.get("language") or ""),
        lines=tuple(kept),
        questions=tuple(_questions(found.get("questions", ()), {line.id for line in kept})),
        left_out=len(lines) - len(kept),
    )


def _line(message: dict[str, Any]) -> Line:
    at = parse_time(message["at"])
    if at is None:
        raise ValueError(f"message {message['id']} has no valid time")
    return Line(
        id=str(message["id"]),
        conversation=str(message.get("conversation") or "main"),
        role=str(message["role"]),
        speaker=str(message.get("speaker") or ""),
        content=str(message["content"]),
        at=at,
    )


def _questions(found: Sequence[dict[str, Any]], known: set[str]) -> Iterator[Question]:
    for question in found:
        gold = frozenset(map(str, question.get("gold", ())))
        if gold and gold <= known:
            yield Question(
                text=str(question["text"]),
                gold=gold,
                category=str(question.get("category", "")),
                answer=str(question.get("answer", "")),
            )
