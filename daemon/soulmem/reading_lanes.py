"""Reading lanes: the questions of those who wait are read in two threads at a time, one for short ones, one for long.

Called by recall and by the engine without a model for what takes too long for the event loop. Threads share the
interpreter, so sixteen at once read no faster than one after another; but whoever else wants it, the event loop first
of all, would wait until each of them had its turn, at every step. Invariants: who comes first is read first in his
lane, and a short question never waits for long ones. What takes seconds is not for here: it would hold up a lane.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

SHORT = 200  # characters
_T = TypeVar("_T")

# Those of short and of long texts, and the queue of those for whom not all that reading takes was at hand.
_Lanes = tuple[anyio.CapacityLimiter, anyio.CapacityLimiter, anyio.CapacityLimiter]
_lanes: RunVar[_Lanes] = RunVar("soulmem_reading_lanes")


async def in_turn(text: str, read: Callable[[], _T], *, abandon_on_cancel: bool = False) -> _T:
    """What `read` makes of a text, from a thread, when it is its turn in the lane for texts of that length."""
    return await anyio.to_thread.run_sync(read, limiter=_lane_of(text), abandon_on_cancel=abandon_on_cancel)


async def in_turn_until(at_hand: Callable[[], bool], text: str, read: Callable[[], _T]) -> _T | None:
    """Likewise until all that reading takes is at hand; None for whoever still waits then, and need not have waited."""
    queue = _of_this_loop()[2]
    async with queue:
        if not at_hand():
            return await in_turn(text, read)
        queue.total_tokens = math.inf  # all go on at once: one after another, who came later would overtake them
        return None


def _lane_of(text: str) -> anyio.CapacityLimiter:
    short, long, _ = _of_this_loop()
    return short if len(text) <= SHORT else long


def _of_this_loop() -> _Lanes:
    try:
        return _lanes.get()
    except LookupError:
        lanes = anyio.CapacityLimiter(1), anyio.CapacityLimiter(1), anyio.CapacityLimiter(1)
        _lanes.set(lanes)
        return lanes
