"""Told together: of two unlike things that were told in one breath a month ago, does asking for one bring the other?

Part of `learn`. A few pairs a language (`pairs.tsv`) are told to a real daemon among an evening's talk (`daily_talk`),
half of them as one message and half as two; then come thirty evenings of other talk. Each thing is asked for in the
words that somebody would use, and the other one is looked for among the first five. Invariant: nothing but the words
said and the recalls that they cause tells the daemon that the two belong together.
"""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.forgetting.daily_talk import Life, Said
from daemon_fixture import daemon_process
from soulmem.client import Client

START = dt.datetime(2026, 3, 2, 18, tzinfo=dt.UTC)
FIRST = 5  # items in which the other thing is looked for
PAIRS_AN_EVENING = 4
DAYS_OF_OTHER_TALK = 30
_TURN_S, _BREATH_S, _DAY_S = 60, 15, 86_400


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things told in one breath, what asks for each, and a word by which the telling of each is known."""

    told: tuple[str, ...]  # one message or two
    asked: tuple[str, str]
    known: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one asking found: `one_note` where both things stand in one note, so that either finds both.

    `kept`: both are still told in words; a trifle may have faded by then, as trifles do.
    """

    question: str
    split: bool
    itself: bool
    other: bool
    one_note: bool
    kept: bool
    texts: tuple[str, ...]


Notes = Mapping[str, frozenset[str]]
"""The notes in which each word stands."""


def pairs(language: str) -> list[Pair]:
    """The pairs of a language, as they are told."""
    lines = (Path(__file__).parent / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.reader((line for line in lines if line and not line.startswith("#")), delimiter="\t")
    return [_pair(row) for row in rows if row[0] == language]


def _pair(row: list[str]) -> Pair:
    _, how, *rest = row
    told, (first, second, known, other) = (rest[:1], rest[1:]) if how == "one" else (rest[:2], rest[2:])
    return Pair(tuple(told), (first, second), (known, other))


def ask_for_each(
    directory: Path, language: str, environment: Mapping[str, str], settings: dict[str, Any] | None = None
) -> list[Asked]:
    """Tell all pairs of a language, let a month go by, and ask for each thing."""
    told = pairs(language)
    with daemon_process(directory, "--simulated-clock", START.isoformat(), env=environment) as daemon:
        client = daemon.client(timeout=3_600)
        client.call("mind.create", {"mind": language, "profile": "companion", "settings": settings or {}})
        life, day = Life(11), 0
        noted: dict[str, frozenset[str]] = {}
        for first in range(0, len(told), PAIRS_AN_EVENING):
            some = told[first : first + PAIRS_AN_EVENING]
            _evening(client, language, life.evening(day), some)
            noted |= _noted(client, language, [word for pair in some for word in pair.known])
            day += 1
        for later in range(day, day + DAYS_OF_OTHER_TALK):
            _evening(client, language, life.evening(later), [])
        kept = _noted(client, language, list(noted))
        return [each for pair in told for each in _ask(client, language, pair, noted, kept)]


def _evening(client: Client, mind: str, talk: list[Said], told: list[Pair]) -> None:
    """An evening's talk with pairs told in it, then silence until the next one."""
    spent = 0
    waiting = iter(told)
    for place, each in enumerate(talk):
        if place % 4 == 2 and (pair := next(waiting, None)) is not None:
            for text in pair.told:
                _say(client, mind, "user", text)
                client.call("clock.advance", {"seconds": _BREATH_S})
                spent += _BREATH_S
        _say(client, mind, each.role, each.text)
        if each.role != "user":
            client.call("clock.advance", {"seconds": _TURN_S})
            spent += _TURN_S
    client.call("clock.advance", {"seconds": _DAY_S - spent})


def _say(client: Client, mind: str, role: str, text: str) -> None:
    is_user = role == "user"
    speaker = "Ann" if is_user else "Pell"
    client.call("message.add", {"mind": mind, "role": role, "content": text, "speaker": speaker, "recall": is_user})


def _noted(client: Client, mind: str, words: list[str]) -> dict[str, frozenset[str]]:
    """The notes that have each of these words, on the day after it was told: later it may have faded."""
    notes = client.call("note.list", {"mind": mind, "limit": 500})["items"]
    return {word: frozenset(note["id"] for note in notes if word in note["text"]) for word in words}


def _ask(client: Client, mind: str, pair: Pair, noted: Notes, kept: Notes) -> Iterator[Asked]:
    for place, question in enumerate(pair.asked):
        found = client.call("recall", {"mind": mind, "query": question, "k": FIRST, "record": False})["items"]
        ids = {each["id"] for each in found}
        own, other = noted[pair.known[place]], noted[pair.known[1 - place]]
        yield Asked(
            question,
            split=len(pair.told) > 1,
            itself=bool(own & ids),
            other=bool(other & ids),
            one_note=bool(own & other),
            kept=all(noted[word] & kept[word] for word in pair.known),
            texts=tuple(each["text"] for each in found),
        )
