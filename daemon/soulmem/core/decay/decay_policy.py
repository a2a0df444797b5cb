"""How details fade in one mind: the curve they follow, where they blur and go blank, how good the memory is.

One frozen `Fading` stands for the settings of a mind; traces are made, moved to another curve and dated through it, so
no other module knows a threshold. Pure, in experienced milliseconds. Invariants: 0 < blank_below < blur_below < 1; a
trace moved to another curve keeps its strength at that moment.
"""

from __future__ import annotations

import math
from dataclasses import replace

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import BLANK_BELOW, BLUR_BELOW, FAR_FUTURE_MS, Curve, ElementDues, Trace, placed
from soulmem.core.importance.retention_periods import (
    FACTS,
    VITAL_FROM,
    Factors,
    Keeping,
    Level,
    level_of,
    stays_by_gist,
)
from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass

_PLAIN = Factors()


class UnfitFadingError(ValueError):
    """A setting under which fading makes no sense; `setting` is its name."""

    def __init__(self, setting: str, message: str) -> None:
        super().__init__(f"{setting}: {message}")
        self.setting = setting


@dataclass(frozen=True, slots=True)
class Fading:
    """The settings by which details fade.

    `blurs`: whether anything is ever masked (profile `assistant` never does). `scale`: the character's memory, 2 keeps
    twice as long. `level_days`: stability of a whole note, a clause and a detail; `fact_days`: of a note that states a
    fact instead of telling what happened, as long as it is no trifle. `factors`: by how much a note matters.
    """

    curve: Curve = Curve.EXPONENTIAL
    blur_below: float = BLUR_BELOW
    blank_below: float = BLANK_BELOW
    scale: float = 1.0
    level_days: tuple[float, float, float] = (30.0, 14.0, 7.0)
    fact_days: float = 30.0
    factors: Factors = Factors()
    blurs: bool = True

    def __post_init__(self) -> None:
        if not 0.0 < self.blur_below < 1.0:
            raise UnfitFadingError("blur_below", f"{self.blur_below} is not between 0 and 1")
        if not 0.0 < self.blank_below < 1.0:
            raise UnfitFadingError("blank_below", f"{self.blank_below} is not between 0 and 1")
        if self.blank_below >= self.blur_below:
            raise UnfitFadingError("blank_below", "what goes blank has blurred before: it must be below blur_below")
        if not (self.scale > 0.0 and math.isfinite(self.scale)):
            raise UnfitFadingError("scale", f"{self.scale} is no memory: it must be more than 0")
        if len(self.level_days) != 3 or not all(days > 0.0 and math.isfinite(days) for days in self.level_days):
            raise UnfitFadingError("level_days", "three stabilities in days, each more than 0, are needed")
        if self.fact_days < self.level_days[0]:
            raise UnfitFadingError("fact_days", "a fact keeps at least as long as what happened: not below whole_days")
        if not 0.0 < self.factors.trivial <= 1.0 <= self.factors.ordinary:
            raise UnfitFadingError("trivial_factor", "a trifle keeps no longer than what is ordinary: at most 1")
        if not self.factors.trivial <= self.factors.plain <= self.factors.ordinary:
            raise UnfitFadingError("plain_factor", "a plain statement keeps no longer than what is ordinary")
        if not 1.0 <= self.factors.detail < math.inf:
            raise UnfitFadingError("detail_factor", "the details of a statement keep no shorter than those of a trifle")
        if not self.factors.ordinary <= self.factors.vital < math.inf:
            raise UnfitFadingError("vital_factor", "what is vital keeps at least as long as what is ordinary")

    def days_of(self, level: int, importance: float, keeping: Keeping, *, is_sense: bool) -> float:
        """Stability in days of an ordinary element before the formula's own factors (`anchors.new_trace`).

        Args:
            level: 0 the whole note, 1 a clause, 2 a detail.
            is_sense: it says what matters in the note, as the whole one does.
        """
        factors, importance = _PLAIN if keeping.is_plain else self.factors, min(importance, keeping.most)
        whole = self.level_days[0] * factors.of_sense(importance)
        is_fact = keeping.kind in FACTS and level_of(importance) is not Level.TRIVIAL
        if level > 0 and not is_sense:
            colour = self.level_days[level] * factors.of_colour(importance)
            if is_fact:  # it is known for years, and its details for a part of them
                return min(colour * math.sqrt(self.fact_days / self.level_days[0]), self.fact_days)
            return colour if keeping.is_plain else min(colour, whole)
        if is_fact:
            return max(self.fact_days * (factors.vital if level_of(importance) is Level.VITAL else 1.0), whole)
        return whole

    @property
    def ordinary_ms(self) -> int:
        """How long an ordinary note keeps as a whole: its stability."""
        return round(self.level_days[0] * self.factors.ordinary * self.scale * DAY_MS)

    def stays_by_gist(self, kind: NoteKind, stability_ms: int) -> bool:
        """Whether a note whose whole has this stability is kept as long as it is known what it was about."""
        vital_days = self.level_days[0] * self.factors.vital * (0.5 + VITAL_FROM) * self.scale
        return stays_by_gist(kind, stability_ms, vital_days)

    def dues(self, trace: Trace, *, lasting: bool = False) -> ElementDues:
        """When an element blurs and goes blank; never if it is `lasting` (pinned, lore) or nothing blurs here."""
        if lasting or not self.blurs:
            return ElementDues(FAR_FUTURE_MS, FAR_FUTURE_MS)
        return ElementDues(trace.crossing_ms(self.blur_below), trace.crossing_ms(self.blank_below))


def moved_to(trace: Trace, curve: Curve, now_ms: int) -> Trace:
    """The trace on another curve, as strong at `now_ms` as before: for a mind whose setting changes."""
    if trace.curve is curve:
        return trace
    now_ms = max(now_ms, trace.t0_ms)  # what has not begun to fade does not begin by this
    return placed(replace(trace, curve=curve), trace.strength(now_ms), now_ms)
