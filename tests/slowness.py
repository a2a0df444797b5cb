"""How slow this machine is just now: what bounds of time in tests are multiplied by.

A bound says what holds on a machine of ordinary speed with nothing else to do. On a slower one, or one that is busy, it
grows as much as a fixed piece of work takes longer there; it never shrinks.
"""

from __future__ import annotations

import time

_STEPS = 100_000
_ORDINARY_S = 0.003  # what they take on a machine of ordinary speed
_TRIES = 7


def slowness() -> float:
    """How many times longer a fixed piece of work takes now than on a machine of ordinary speed; at least 1."""
    began = time.perf_counter()
    for _ in range(_TRIES):
        total = 0
        for step in range(_STEPS):
            total += step
    return max(1.0, (time.perf_counter() - began) / _TRIES / _ORDINARY_S)


def within(bound: float) -> float:
    """A bound of an ordinary machine, in any unit of time, as it holds for this one now."""
    return bound * slowness()
