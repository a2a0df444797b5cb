"""Traces: everything that decays, as three stored numbers and a formula.

A trace is `(a0, t0, S)`, read as R(t) = a0 * exp(-(t - t0) / S) and never written back on a timer; what falls
due is known in advance as a crossing time. Called by the store (due columns), recall (strengths) and digestion
(rehearsal). All times are the mind's experienced integer milliseconds; the two curves count an age in stabilities, and
pass through 1/e at 1. Invariants: R never rises with time; an age is never negative, so a clock that steps back cannot
raise R above a0; at its crossing time a trace is at or below the threshold and one millisecond earlier it is not; a
rehearsal never weakens; `ages_until` is the exact inverse of `left_after`.

Sources: exponential forgetting and the growth law (gain falls with R and with S, massed repetition adds nothing)
after Ebbinghaus 1885, SM-2 and FSRS; the power curve after Wixted & Ebbesen 1991, whose exponent for his savings is
0.162.
"""

from __future__ import annotations

import math
from enum import StrEnum

from soulmem.core.calendar.calendar_math import DAY_MS, MINUTE_MS
from soulmem.fast_dataclasses import dataclass

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


LINK_DELETE_BELOW = 0.05
BLUR_BELOW = 0.5
BLANK_BELOW = 0.2

STABILITY_LIMIT_MS = 3_650 * DAY_MS
GROWTH_GAP_MS = 10 * MINUTE_MS
FAR_FUTURE_MS = 1 << 62  # later than any date; still an SQLite integer
_FAINTEST = 1e-9  # a trace is never quite nothing, whatever a curve underflows to


@dataclass(frozen=True, slots=True)
class Trace:
    """Strength `a0` in (0, 1] at `t0_ms`, stability `stability_ms` > 0 (time to fall to a0/e).

    `grown_ms`: when the stability last grew, or None.
    """

    a0: float
    t0_ms: int
    stability_ms: int
    grown_ms: int | None = None
    curve: Curve = Curve.EXPONENTIAL

    def __post_init__(self) -> None:
        if not (0.0 < self.a0 <= 1.0 and self.stability_ms >= 1):
            raise ValueError(f"not a trace: {self!r}")

    def strength(self, now_ms: int) -> float:
        """R at `now_ms`, in [0, a0]."""
        return self.a0 * left_after(self.curve, max(0, now_ms - self.t0_ms) / self.stability_ms)

    def crossing_ms(self, threshold: float) -> int:
        """First millisecond at which R <= `threshold` (0 < threshold); `t0_ms` if it starts there."""
        if self.a0 <= threshold:
            return self.t0_ms
        ages = ages_until(self.curve, self.a0 / threshold)
        if ages * self.stability_ms >= FAR_FUTURE_MS - self.t0_ms:
            return FAR_FUTURE_MS
        crossing = self.t0_ms + math.ceil(ages * self.stability_ms)
        # The inverse may round to a neighbour of the exact millisecond; there the definition decides. (Beyond
        # some 10^5 years floats cannot tell milliseconds apart, hence the bound.)
        for _ in range(4):
            if self.strength(crossing) > threshold:
                crossing += 1
            elif crossing - 1 > self.t0_ms and self.strength(crossing - 1) <= threshold:
                crossing -= 1
            else:
                break
        return crossing


@dataclass(frozen=True, slots=True)
class ElementDues:
    """The indexed columns of an element: when it blurs and when it goes blank."""

    blur_ms: int
    blank_ms: int


def stability_ms(days: float, *, importance: float = 0.5, arousal: float = 0.0, scale: float = 1.0) -> int:
    """Initial stability: days * (0.5 + importance) * (1 + arousal / 2) * scale of the character, in ms."""
    product = days * (0.5 + importance) * (1.0 + 0.5 * arousal) * scale
    return min(STABILITY_LIMIT_MS, max(1, round(product * DAY_MS)))


def grown(trace: Trace, now_ms: int, weight: float, *, gap_ms: int = GROWTH_GAP_MS) -> Trace:
    """Let the stability grow by one rehearsal of `weight`, its strength untouched.

    S' = min(3650 d, S * min(3, 1 + 2 w (1 - R) (S / 1 d)^-0.1)), at most once in `gap_ms`; so a memory nearly
    lost gains most, an old one less, and twenty hits within one chat count as one.
    """
    if weight <= 0.0 or (trace.grown_ms is not None and now_ms - trace.grown_ms < gap_ms):
        return trace
    resistance = (trace.stability_ms / DAY_MS) ** -0.1
    factor = min(3.0, 1.0 + weight * 2.0 * (1.0 - trace.strength(now_ms)) * resistance)
    stability = max(trace.stability_ms, min(STABILITY_LIMIT_MS, round(trace.stability_ms * factor)))
    return Trace(trace.a0, trace.t0_ms, stability, now_ms, trace.curve)


def rehearse(
    trace: Trace, now_ms: int, weight: float, *, gap_ms: int = GROWTH_GAP_MS, most_ms: int = STABILITY_LIMIT_MS
) -> Trace:
    """Rehearse a trace: a0' = min(1, R + w/2 (1 - R)) from now on, and one step of growth.

    `weight`, capped at 1.5: returned but not used 0.3, used in the reply or reconstructed 1.0, replayed 0.3,
    positive feedback 1.5. With `weight` 0 nothing changes. On the power curve the same strength is reached
    with a0' = 1 and an origin t0' in the past. The stability grows to `most_ms` at most.
    """
    weight = min(1.5, weight)
    if weight <= 0.0:
        return trace
    now_ms = max(now_ms, trace.t0_ms)
    strength = trace.strength(now_ms)
    raised = min(1.0, strength + weight * 0.5 * (1.0 - strength))
    after = grown(trace, now_ms, weight, gap_ms=gap_ms)
    if after.stability_ms > most_ms:
        most = max(trace.stability_ms, most_ms)
        after = Trace(after.a0, after.t0_ms, most, after.grown_ms, after.curve)
    return placed(after, raised, now_ms)


def placed(trace: Trace, strength: float, now_ms: int) -> Trace:
    """The trace with `strength` at `now_ms`, its stability and curve kept.

    On the power curve that is the curve from 1 which passes through `strength` at `now_ms`: a power curve is steep at
    its start, and starting it anew would let a rehearsal weaken. With S' >= S and R' >= R this one lies above the old
    curve at every later moment, for R'(now + d) = (R'^(-1/p) + d/(wS'))^-p.
    """
    strength = min(1.0, max(_FAINTEST, strength))
    if trace.curve is Curve.EXPONENTIAL:
        return Trace(strength, now_ms, trace.stability_ms, trace.grown_ms, trace.curve)
    past = ages_until(Curve.POWER, 1.0 / strength) * trace.stability_ms
    origin = now_ms - int(min(past, FAR_FUTURE_MS / 2))
    return Trace(1.0, origin, trace.stability_ms, trace.grown_ms, trace.curve)
