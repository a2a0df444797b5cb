"""Thirty days: are topics that are talked about reached in fewer hops and more surely than on the first day?

Part of `learn`. Of each topic (`topics.tsv`) two unlike things are told in one breath on the first evening, and on the
next one a third, of the person in the second. From then on a few topics come up every evening among other talk
(`daily_talk`): the first thing is asked about or mentioned, the companion's answer brings in the other two. On some
mornings a question that nobody asks in between is put without being recorded, and all three things are looked for: at
which place, over how many links, with which share of the best score. Invariants: the user tells nothing of a topic
again, so that whatever is reached better was learnt; no language model is asked.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks.forgetting.daily_talk import Life
from benchmarks.learning.told_together import FIRST, START
from daemon_fixture import daemon_process
from soulmem.client import Client

MORNINGS = (1, 5, 10, 20, 30)  # of talk, on which all topics are asked for
DEEPEST = 10  # places looked at; what stands nowhere counts as the next one
THINGS = ("first", "breath", "person")  # what is asked for, what was told with it, what was told of the person in that
TOPICS_AN_EVENING = 4
_OTHER_TALK = 8  # messages an evening
_BREATH_S, _APART_S, _DAY_S = 15, 180, 86_400
_USER = {"role": "user", "speaker": "Ann", "recall": True}
_COMPANION = {"role": "assistant", "speaker": "Pell"}


@dataclass(frozen=True, slots=True)
class Topic:
    """Three things, a word of each, and how they are talked about."""

    told: tuple[tuple[str, ...], tuple[str, ...]]  # on the first evening and on the second
    known: tuple[str, ...]
    mentions: tuple[str, ...]
    reply: str
    question: str


@dataclass(frozen=True, slots=True)
class Reached:
    """How one thing of a topic was reached on one morning, in whatever note or message tells it.

    `hops` is None where it was not; `own`: the note of the first evenings itself is among the first five.
    """

    day: int
    thing: str
    place: int
    score: float  # of the best item's
    hops: int | None
    own: bool

    @property
    def first_five(self) -> bool:
        """Whether it stood among the first."""
        return self.place <= FIRST


def topics(language: str) -> list[Topic]:
    """The topics of a language."""
    lines = (Path(__file__).parent / "topics.tsv").read_text(encoding="utf-8").splitlines()
    rows = csv.reader((line for line in lines if line and not line.startswith("#")), delimiter="\t")
    return [
        Topic(((row[1], row[2]), (row[3],)), tuple(row[4:7]), tuple(row[7].split("|")), row[8], row[9])
        for row in rows
        if row[0] == language
    ]


def live(
    directory: Path,
    language: str,
    environment: Mapping[str, str],
    settings: dict[str, Any] | None = None,
    mornings: tuple[int, ...] = MORNINGS,
) -> list[Reached]:
    """Tell the topics of a language, talk about them for thirty days, and ask on these mornings."""
    told, life = topics(language), Life(23)
    with daemon_process(directory, "--simulated-clock", START.isoformat(), env=environment) as daemon:
        client = daemon.client(timeout=3_600)
        client.call("mind.create", {"mind": language, "profile": "companion", "settings": settings or {}})
        for evening in (0, 1):
            _evening(client, language, life, evening, [(topic.told[evening], "") for topic in told])
        notes = _noted(client, language, [word for topic in told for word in topic.known])
        found: list[Reached] = []
        for day in range(1, mornings[-1] + 1):
            if day in mornings:
                found += [each for topic in told for each in _reached(client, language, topic, notes, day)]
            turns = [(day * TOPICS_AN_EVENING + place) for place in range(TOPICS_AN_EVENING)]
            talked = [(told[turn % len(told)], turn // len(told)) for turn in turns]
            said = [((topic.mentions[again % len(topic.mentions)],), topic.reply) for topic, again in talked]
            _evening(client, language, life, day + 1, said)
        return found


def _evening(client: Client, mind: str, life: Life, day: int, said: list[tuple[tuple[str, ...], str]]) -> None:
    """An evening's talk: each of these with its answer, if it has one, among other talk; then silence."""
    other = [each.text for each in life.evening(day)[:_OTHER_TALK]]
    beside = [((told,), answer) for told, answer in zip(other[::2], other[1::2], strict=True)]
    turns = [turn for pair in zip_longest(said, beside) for turn in pair if turn]
    for texts, reply in turns:
        for text in texts:
            client.call("message.add", {"mind": mind, **_USER, "content": text})
            client.call("clock.advance", {"seconds": _BREATH_S})
        if reply:
            client.call("message.add", {"mind": mind, **_COMPANION, "content": reply})
        client.call("clock.advance", {"seconds": _APART_S})  # one topic is not told in one breath with the next
    spent = len(turns) * _APART_S + sum(len(texts) for texts, _ in turns) * _BREATH_S
    client.call("clock.advance", {"seconds": _DAY_S - spent})


def _noted(client: Client, mind: str, words: list[str]) -> dict[str, frozenset[str]]:
    """The notes that have each of these words on the day after it was told: later it may have faded."""
    notes = client.call("note.list", {"mind": mind, "limit": 500})["items"]
    return {word: frozenset(note["id"] for note in notes if word in note["text"].lower()) for word in words}


def _reached(
    client: Client, mind: str, topic: Topic, notes: Mapping[str, frozenset[str]], day: int
) -> Iterator[Reached]:
    asked = {"mind": mind, "query": topic.question, "k": DEEPEST, "record": False, "explain": True}
    items = client.call("recall", asked)["items"]
    best = max((item["score"] for item in items), default=0.0) or 1.0
    for thing, word in zip(THINGS, topic.known, strict=True):
        places = [
            at for at, item in enumerate(items, start=1) if item["id"] in notes[word] or word in item["text"].lower()
        ]
        own = any(item["id"] in notes[word] for item in items[:FIRST])
        if not places:
            yield Reached(day, thing, DEEPEST + 1, 0.0, None, own)
            continue
        item = items[places[0] - 1]
        yield Reached(day, thing, places[0], item["score"] / best, len(item["why"].get("path", ())), own)


def by_day(reached: Sequence[Reached]) -> list[dict[str, float | str]]:
    """The means of each morning and thing; hops of what was reached."""
    groups: dict[tuple[int, str], list[Reached]] = {}
    for each in reached:
        groups.setdefault((each.day, each.thing), []).append(each)
    return [{"day": day, "thing": thing, **_means(some)} for (day, thing), some in sorted(groups.items())]


def _means(some: Sequence[Reached]) -> dict[str, float]:
    hops = [each.hops for each in some if each.hops is not None]
    return {
        "place": _mean([each.place for each in some]),
        "score": _mean([each.score for each in some]),
        "hops": _mean(hops),
        "reached": _mean([each.hops is not None for each in some]),
        "first_five": _mean([each.first_five for each in some]),
        "own": _mean([each.own for each in some]),
    }


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0
