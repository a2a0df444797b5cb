"""Invented lives (`corpora/lives.txt`) in an index of their own, and what is known of each question in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.search import score_calibration
from soulmem.core.search.answer_type import meets, read_calls
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import text_hashes

FILE = Path(__file__).parents[2] / "corpora" / "lives.txt"
BEGAN = 1_780_000_000_000


@dataclass
class Life:
    name: str
    speaker: str
    messages: list[tuple[int, str, str]] = field(default_factory=list)
    questions: list[tuple[str, list[int]]] = field(default_factory=list)  # with the messages that answer it

    @property
    def language(self) -> str:
        return self.name[:2]

    def index(self) -> SearchIndex:
        """Its messages as they stand in a mind that no embedder has come to."""
        index = SearchIndex()
        for place, (day, speaker, text) in enumerate(self.messages, start=1):
            index.add(
                ItemKind.MESSAGE, place, conversation=1, seq=place, speaker=speaker, terms=text_hashes(text),
                at_ms=BEGAN + day * DAY_MS + place * 60_000,
            )  # fmt: skip
        return index


def lives() -> list[Life]:
    found: list[Life] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if named := re.match(r"# life (\S+) speaker=(\S+)", line):
            found.append(Life(named[1], named[2]))
        elif line.startswith("- "):
            day, speaker, text = re.fullmatch(r"- (\d+) ([^:]+): (.*)", line).groups()  # type: ignore[union-attr]
            found[-1].messages.append((int(day), speaker, text))
        elif line.startswith("? "):
            text, _, places = line[2:].rpartition(" | ")
            found[-1].questions.append((text, [int(place) + 1 for place in places.split()]))
        elif line.startswith("x "):
            found[-1].questions.append((line[2:], []))
    return found


def asked(life: Life, index: SearchIndex, text: str) -> tuple[list[int], float]:
    """The first ten messages for a question of whoever's life it is, and how sure it is that they answer it."""
    question = read_question(text, index.speakers_within(None), at_ms=index.newest_within(None))
    hits = index.search(Query(question, k=60, legible=0.0))[:10]
    calls = read_calls(text, life.speaker)
    fits = []
    for hit in hits:
        _, speaker, said = life.messages[hit.key - 1]
        role = "assistant" if speaker == "assistant" else "user"
        fits.append(score_calibration.read_fit(hit.fit, meets(calls, said, speaker, role)))
    return [hit.key for hit in hits], score_calibration.certainty(fits)
