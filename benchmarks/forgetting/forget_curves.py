"""The curves against people: Ebbinghaus' savings, and whether spaced rehearsal beats massed.

Part of `forget`. Pure: traces of the product's own making are asked for their strength. The syllables that Ebbinghaus
learnt by rote and had no use for are what this memory calls a forced anchor of no importance; an ordinary detail of a
talk fades more slowly, and is set beside it. For the exponential the best fit of any strength and stability is given
as well, so that nobody thinks its settings were chosen badly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS, MINUTE_MS
from soulmem.core.decay.anchors import new_trace
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import Curve, Trace
from soulmem.core.details.elements import Element
from soulmem.core.details.rehearsal import RETURNED, USED, rehearsed
from soulmem.core.schema.note_requests import Anchor

# Savings when relearning nonsense syllables, by minutes since they were learnt; Ebbinghaus 1885, chapter VII.
SAVINGS = ((20, 0.582), (64, 0.442), (526, 0.358), (1_440, 0.337), (2_880, 0.278), (8_640, 0.254), (44_640, 0.211))

GOAL_RMSE = 0.05
TEST_DAY = 30
_REHEARSALS = 5


@dataclass(frozen=True, slots=True)
class Fit:
    """A trace beside the savings: what it says at the seven points, and the root mean square of the differences."""

    name: str
    trace: Trace
    at_points: tuple[float, ...]
    rmse: float


@dataclass(frozen=True, slots=True)
class Spacing:
    """What is left of a detail on the thirtieth day after no rehearsal, and after five.

    `massed`: within eight minutes on day 0, 2 or 4. `drawn_out`: every twelve minutes for an hour of day 4, just
    beyond the ten minutes within which a stability grows once. `spaced`: one a day, the last on day 4.
    """

    curve: Curve
    weight: float
    unrehearsed: float
    massed: tuple[float, float, float]
    drawn_out: float
    spaced: float


def fits() -> list[Fit]:
    """Syllables and a detail on both curves, and the best exponential there is."""
    found = []
    for curve in (Curve.POWER, Curve.EXPONENTIAL):
        fading = Fading(curve=curve)
        syllable = new_trace(2, Anchor.FORCED, 0, fading, importance=0.0)
        found.append(_fit(f"{curve}, defaults: rote-learnt, of no importance", syllable))
    for curve in (Curve.POWER, Curve.EXPONENTIAL):
        found.append(_fit(f"{curve}, defaults: ordinary detail", new_trace(2, Anchor.NONE, 0, Fading(curve=curve))))
    tried = (
        _fit("exponential, best of all strengths and stabilities", Trace(a0 / 100, 0, round(1.05**step * HOUR_MS)))
        for a0 in range(10, 101)
        for step in range(200)
    )
    return [*found, min(tried, key=lambda fit: fit.rmse)]


def _fit(name: str, trace: Trace) -> Fit:
    at_points = tuple(trace.strength(minutes * MINUTE_MS) for minutes, _ in SAVINGS)
    squares = [(held - saved) ** 2 for held, (_, saved) in zip(at_points, SAVINGS, strict=True)]
    return Fit(name, trace, at_points, math.sqrt(sum(squares) / len(squares)))


def spacings() -> list[Spacing]:
    """Five rehearsals of a detail, tested on day 30."""
    return [_spacing(curve, weight) for curve in (Curve.POWER, Curve.EXPONENTIAL) for weight in (USED, RETURNED)]


def _spacing(curve: Curve, weight: float) -> Spacing:
    def left(hours: list[float]) -> float:
        held = Element(1, 0, 1, 2, "", Anchor.NONE, new_trace(2, Anchor.NONE, 0, Fading(curve=curve)))
        for hour in hours:
            held = rehearsed(held, round(hour * HOUR_MS), weight)
        return held.opacity(TEST_DAY * DAY_MS)

    def sitting(day: int, minutes: float) -> float:
        return left([day * 24 + 1 + number * minutes / 60 for number in range(_REHEARSALS)])

    spaced = left([1 + 24.0 * day for day in range(_REHEARSALS)])
    return Spacing(curve, weight, left([]), (sitting(0, 2), sitting(2, 2), sitting(4, 2)), sitting(4, 12), spaced)
