"""Measures a recogniser of names against the marked sentences of `tests/corpora/names.txt`: what is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

_MARK = re.compile(r"\[([^\[\]]+)\]|\{([^{}]+)\}")

_CORPUS = Path(__file__).parents[2] / "corpora" / "names.txt"


def lots_of_names() -> dict[str, list[str]]:
    """The sentences of each lot of the corpus."""
    lots: dict[str, list[str]] = {}
    for line in _CORPUS.read_text("utf-8").splitlines():
        if line.startswith("== "):
            lot = lots[line.removeprefix("== ")] = []
        elif line and not line.startswith("#"):
            lot.append(line)
    return lots


@dataclass
class Measured:
    right: int = 0
    invented: int = 0
    missed: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.invented)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    def __str__(self) -> str:
        head = f"precision {self.precision:.3f}, recall {self.recall:.3f} ({self.right} right)"
        return "\n".join((head, *self.faults))


def marked(sentence: str) -> tuple[str, list[tuple[int, int]], list[tuple[int, int]]]:
    """A sentence without its marks, the spans of people and those of places."""
    text, people, places, at = "", [], [], 0
    for match in _MARK.finditer(sentence):
        text += sentence[at : match.start()]
        (people if match[1] else places).append((len(text), len(text) + len(match[1] or match[2])))
        text += match[1] or match[2]
        at = match.end()
    return text + sentence[at:], people, places


def measured(sentences: Iterable[str], find: Callable[[str], Iterable[tuple[int, int]]]) -> Measured:
    """How well `find` finds the people of these sentences, span by span."""
    result = Measured()
    for sentence in sentences:
        text, people, _ = marked(sentence)
        found = set(find(text))
        result.right += len(found & set(people))
        result.invented += len(found - set(people))
        result.missed += len(set(people) - found)
        result.faults += [f"  invented {text[slice(*each)]!r} in {text}" for each in sorted(found - set(people))]
        result.faults += [f"  missed {text[slice(*each)]!r} in {text}" for each in sorted(set(people) - found)]
    return result
