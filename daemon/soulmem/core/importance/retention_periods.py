"""Retention periods: how long what a note tells is kept, by how much it matters and what kind of thing it is.

A friend keeps an allergy for life, which car somebody drives for a season and a bowl of soup for a week. Notes fall
into four classes by their importance: trifles, plain statements, what is ordinary and what is vital. Each class has a
factor by which the stability of its notes is multiplied; between two it rises evenly, for nobody can tell exactly where
one ends. What says the matter keeps as long as the note, the rest of it is colour and goes first, though of no
statement within a few weeks: the name in it may be all that anybody asks for. What speaks of a day ahead does not begin
to fade before that day has come. Called wherever a note is made (`core.details.elements.born`). Pure.
Invariants: a weightier note never keeps shorter; colour never keeps longer than sense.
"""

from __future__ import annotations

import math
from enum import StrEnum

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass

VITAL_FROM = 0.75
TRIVIAL_BELOW = 0.3
PLAIN_FROM, MIDDLING, ORDINARY_FROM = 0.38, 0.5, 0.53
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
    """How many times as long as the plain formula has it a note of each class keeps; `detail`: its colour."""

    trivial: float = 1.0
    ordinary: float = 1.0
    vital: float = 1.0
    plain: float = 1.0
    detail: float = 1.0

    def of_sense(self, importance: float) -> float:
        """The factor of a note as a whole and of what says the matter."""
        if importance >= VITAL_FROM:
            return self.vital
        if importance >= MIDDLING:
            return _between(self.plain, self.ordinary, (importance - MIDDLING) / (ORDINARY_FROM - MIDDLING))
        return _between(self.trivial, self.plain, (importance - TRIVIAL_BELOW) / (PLAIN_FROM - TRIVIAL_BELOW))

    def of_colour(self, importance: float) -> float:
        """The factor of the rest: it goes before the whole, but a note of holes alone tells nobody anything."""
        detail = _between(1.0, self.detail, (importance - TRIVIAL_BELOW) / (PLAIN_FROM - TRIVIAL_BELOW))
        return max(1.0, detail, math.sqrt(self.of_sense(importance)))


def _between(low: float, high: float, share: float) -> float:
    """A factor that lies between two by this share, which may be below 0 or above 1."""
    return low * math.pow(high / low, min(1.0, max(0.0, share)))


def stays_by_gist(kind: NoteKind, stability_ms: int, vital_days: float) -> bool:
    """Whether a note is kept as long as it is known what it was about: a fact, and what keeps as what is vital does.

    Its importance does not say so: a plan is of weight until its day and lasts as an ordinary thing after it.

    `stability_ms`: of the note as a whole; `vital_days`: what that of a vital note is at least.
    """
    return kind in FACTS or stability_ms >= vital_days * DAY_MS


def level_of(importance: float) -> Level:
    """The class of an importance."""
    if importance >= VITAL_FROM:
        return Level.VITAL
    return Level.TRIVIAL if importance < TRIVIAL_BELOW else Level.ORDINARY
