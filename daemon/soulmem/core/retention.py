"""Retention: how long what a note tells is kept, by how much it matters and what kind of thing it is.

A friend keeps an allergy for life and a bowl of soup for a week. Notes fall into three classes by their importance;
each class has a factor by which the stability of its notes is multiplied, and between a trifle and what is ordinary it
rises evenly through 1 in the middle, for nobody can tell exactly where one ends. What says the matter keeps as long as
the note, the rest of it is colour and goes first. What speaks of a day ahead does not begin to fade before that day has
come. Called wherever a note is made (`core.elements.born`). Pure. Invariants: a weightier note never keeps shorter;
colour never keeps longer than sense.
"""

from __future__ import annotations

import math
from enum import StrEnum

from soulmem.core.civil import DAY_MS
from soulmem.core.drafts import NoteKind
from soulmem.records import dataclass

VITAL_FROM = 0.75
TRIVIAL_BELOW = 0.3
MIDDLING, ORDINARY_FROM = 0.4, 0.53
FACTS = frozenset({NoteKind.SEMANTIC, NoteKind.PROCEDURAL, NoteKind.REFLECTION})


class Level(StrEnum):
    """How long something is worth keeping."""

    TRIVIAL = "trivial"
    ORDINARY = "ordinary"
    VITAL = "vital"


@dataclass(frozen=True, slots=True)
class Keeping:
    """What of a new note decides how long it keeps, beside its importance.

    `sense`: spans of its text that say what matters; an element among them keeps as long as the whole. `ahead_ms`: how
    long from now until what it speaks of is over. `is_plain`: no factor counts.
    `most`: the importance above which none counts for how long it keeps, because it is of weight only for a time.
    """

    kind: NoteKind = NoteKind.EPISODIC
    sense: tuple[tuple[int, int], ...] = ()
    ahead_ms: int = 0
    is_plain: bool = False
    most: float = 1.0

    def is_sense(self, start: int, end: int) -> bool:
        return any(low < end and start < high for low, high in self.sense)


@dataclass(frozen=True, slots=True)
class Factors:
    """How many times as long as the plain formula has it a note of each class keeps."""

    trivial: float = 1.0
    ordinary: float = 1.0
    vital: float = 1.0

    def of_sense(self, importance: float) -> float:
        """The factor of a note as a whole and of what says the matter; 1 for one of middling importance."""
        if importance >= VITAL_FROM:
            return self.vital
        if importance >= MIDDLING:
            return math.pow(self.ordinary, min(1.0, (importance - MIDDLING) / (ORDINARY_FROM - MIDDLING)))
        return math.pow(self.trivial, min(1.0, (MIDDLING - importance) / (MIDDLING - TRIVIAL_BELOW)))

    def of_colour(self, importance: float) -> float:
        """The factor of the rest: it goes well before the whole, but a note of holes alone tells nobody anything."""
        return math.sqrt(max(1.0, self.of_sense(importance)))


def stays_by_gist(kind: NoteKind, stability_ms: int, vital_days: float) -> bool:
    """Whether a note is kept as long as it is known what it was about: a fact, and what keeps as what is vital does.

    Its importance does not say so: a plan is of weight until its day and lasts as an ordinary thing after it.

    Args:
        stability_ms: of the note as a whole; `vital_days`: what that of a vital note is at least.
    """
    return kind in FACTS or stability_ms >= vital_days * DAY_MS


def level_of(importance: float) -> Level:
    """The class of an importance."""
    if importance >= VITAL_FROM:
        return Level.VITAL
    return Level.TRIVIAL if importance < TRIVIAL_BELOW else Level.ORDINARY
