"""How slow this machine is just now: what bounds of time in tests are multiplied by.

A bound says what holds on a machine of ordinary speed with nothing else to do. On a slower one, or one that is busy, it
grows as much as a fixed piece of work takes longer there, or as many processes as each processor has; it never shrinks.
"""

from __future__ import annotations

import os
import time

PATIENCE_S = 90.0  # when a test gives up on an answer; no bound on its speed, and below the limit of a test
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
    took = (time.perf_counter() - began) / _TRIES / _ORDINARY_S
    # So short a work may have had a processor to itself while others waited: what has queued up of late says more.
    return max(1.0, took, os.getloadavg()[0] / len(os.sched_getaffinity(0)))


def within(bound: float) -> float:
    """A bound of an ordinary machine, in any unit of time, as it holds for this one now."""
    return bound * slowness()


def exceeds(took: float, bound: float) -> bool:
    """Whether something took longer than a bound allows on this machine now; asked of it only where that matters."""
    return took > bound and took > within(bound)
