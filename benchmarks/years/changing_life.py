"""A life of years, made from a seed: evenings of talk, spells of silence, and facts that change, in two languages.

Called by `years`. On some evenings of a week somebody talks with a companion (`daily_talk`); twice a year nobody does
for weeks. Each fact (`facts.tsv`) is told once, then changes every year or so, and in between comes up again in other
words. Invariants: the same seed gives the same life; a change names what it ends; no value returns before six others.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.forgetting.daily_talk import Life, Said

YEAR_DAYS = 365
_TALKS = 0.35  # of the evenings
_OTHER = 3  # exchanges of other talk an evening
_SILENCES = ((80, 31), (220, 45))  # days of a year on which a silence begins, and how long it is
_LASTS = (270, 540)  # days between two changes of one fact
_COMES_UP = 1 / 25  # of the evenings, for each fact


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is so for a year or two."""

    language: str
    name: str
    question: str
    first: str
    change: str
    repeat: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evening:
    """What is said on a day, counted from the first."""

    day: int
    said: list[Said]


def facts() -> list[Fact]:
    """All that changes in a life."""
    with (Path(__file__).parent / "facts.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Fact(**{**row, "values": tuple(row["values"].split("|"))}) for row in rows]


class ChangingLife:
    """So many years of one person."""

    def __init__(self, seed: int, years: int) -> None:
        self.facts = facts()
        self._talk, self._seed, self._days = Life(seed), seed, years * YEAR_DAYS
        self._changes = {fact.name: self._change_days(fact) for fact in self.facts}

    def evenings(self) -> Iterator[Evening]:
        """The evenings on which something is said, in order."""
        told: dict[str, int] = {}
        for day in range(self._days):
            chance = random.Random(f"{self._seed}:{day}:years")
            if self.is_silent(day) or chance.random() > _TALKS:
                continue
            said = self._talk.evening(day)[: 2 * _OTHER]
            for fact in self.facts:
                now = self.place_at(fact, day)
                before = told.get(fact.name)
                text = ""
                if before is None:
                    text = fact.first.format(new=fact.values[now])
                elif before != now:
                    text = fact.change.format(old=fact.values[before], new=fact.values[now])
                elif chance.random() < _COMES_UP:
                    text = fact.repeat.format(new=fact.values[now])
                if text:
                    said += [
                        Said("user", text),
                        Said("assistant", "嗯，知道了。" if fact.language == "zh" else "I see."),
                    ]
                told[fact.name] = now
            yield Evening(day, said)

    def questions(self, count: int) -> list[str]:
        """Questions about other talk, half of them Chinese."""
        return self._talk.questions(count)

    def told_by(self, day: int) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Of each fact what was so at the last evening before a day, and what had been so earlier, as it was told."""
        told: dict[str, list[str]] = {fact.name: [] for fact in self.facts}
        for past in range(day):
            chance = random.Random(f"{self._seed}:{past}:years")
            if self.is_silent(past) or chance.random() > _TALKS:
                continue
            for fact in self.facts:
                value = fact.values[self.place_at(fact, past)]
                if not told[fact.name] or told[fact.name][-1] != value:
                    told[fact.name].append(value)
        return {name: (values[-1], tuple(values[:-1])) for name, values in told.items() if values}

    def place_at(self, fact: Fact, day: int) -> int:
        """Which of a fact's values is so on a day."""
        return sum(changed <= day for changed in self._changes[fact.name])

    @staticmethod
    def is_silent(day: int) -> bool:
        """Whether a day lies in a spell in which nothing is said."""
        return any(begins <= day % YEAR_DAYS < begins + lasts for begins, lasts in _SILENCES)

    def _change_days(self, fact: Fact) -> list[int]:
        chance = random.Random(f"{self._seed}:{fact.name}")
        days, day = [], 0
        while len(days) < len(fact.values) - 1:
            day += chance.randint(*_LASTS)
            days.append(day)
        return days
