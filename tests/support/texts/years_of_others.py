"""Other people's facts that change over years, as tests tell them: `tests/corpora/changes_over_years.tsv`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from checking import Checking, Json

CORPUS = Path(__file__).parents[2] / "corpora" / "changes_over_years.tsv"
YEAR_S = 300 * 86_400
SPEAKERS = {"en": ("Ann", "I see."), "zh": ("小安", "嗯，知道了。")}


@dataclass(frozen=True)
class Case:
    """Whom it is of, the question, the tellings in their order, each with the value that it leaves."""

    who: str
    question: str
    told: tuple[tuple[str, str], ...]

    @property
    def now(self) -> str:
        return self.told[-1][1]

    @property
    def outdated(self) -> frozenset[str]:
        return frozenset(value for _, value in self.told) - {self.now}


def cases(language: str) -> list[Case]:
    found = []
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        if line.startswith(language):
            _, who, question, told = line.split("\t")
            pairs = [each.split(" => ") for each in told.split(" | ")]
            found.append(Case(who, question, tuple((text.strip(), value.strip()) for text, value in pairs)))
    return found


def tell(api: Checking, mind: str, language: str, place: int) -> None:
    """Say what everybody's next telling is, so many years after the first."""
    speaker, reply = SPEAKERS[language]
    for case in cases(language):
        if place < len(case.told):
            api.say(mind, case.told[place][0], speaker=speaker)
            api.say(mind, reply, role="assistant")
    api.settle(mind)


def lost(notes: list[Json], language: str) -> list[str]:
    """What was told and no note tells any more."""
    texts = [note["text"] for note in notes]
    return [
        text
        for case in cases(language)
        for text, value in case.told
        if not any(case.who in each and value in each for each in texts)
    ]


def ended_by_mistake(notes: list[Json], language: str) -> list[str]:
    """Of whom everything that tells how it is now is marked as over."""
    found = []
    for case in cases(language):
        now = [note for note in notes if case.who in note["text"] and case.now in note["text"]]
        if not any(note["superseded_by"] is None and note["valid_to"] is None for note in now):
            found.append(case.who)
    return found
