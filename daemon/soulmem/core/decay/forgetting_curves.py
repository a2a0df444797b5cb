"""The two curves of forgetting as bare functions: how much is left after so many stabilities, and the inverse.

Used by `traces` (which adds the clock) and wherever a curve is drawn or compared with data. An age is counted in
stabilities, so both curves pass through 1/e at 1. Invariants: what is left falls from 1 towards 0 and never rises;
`ages_until` is the exact inverse of `left_after`.

Sources: Ebbinghaus 1885, whose savings a power function of time fits with exponent 0.162 (Wixted & Ebbesen 1991
for the form); the exponential is the usual simplification.
"""

from __future__ import annotations

import math
from enum import StrEnum

POWER_EXPONENT = 0.162
POWER_SCALE = 1.0 / (math.exp(1.0 / POWER_EXPONENT) - 1.0)  # w with (1 + 1/w)^-p = 1/e, so that R(S) = a0/e


class Curve(StrEnum):
    """How a trace falls. Links are always exponential; elements may follow the power law of savings."""

    EXPONENTIAL = "exponential"
    POWER = "power"


def left_after(curve: Curve, ages: float) -> float:
    """The share of the initial strength left after `ages` >= 0 stabilities, in [0, 1].

    Exponential e^-x; power (1 + x/w)^-p.
    """
    if curve is Curve.POWER:
        return float((1.0 + ages / POWER_SCALE) ** -POWER_EXPONENT)
    return math.exp(-ages)


def ages_until(curve: Curve, ratio: float) -> float:
    """Stabilities that pass until the strength has fallen by the factor `ratio` >= 1; infinity beyond all floats."""
    try:
        if curve is Curve.POWER:
            return POWER_SCALE * math.expm1(math.log(ratio) / POWER_EXPONENT)
        return math.log(ratio)
    except OverflowError:
        return math.inf
