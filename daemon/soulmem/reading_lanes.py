"""Reading lanes: the questions of those who wait are read in two threads at a time, one for short ones, one for long.

Called by recall and by the engine without a model for what takes too long for the event loop. Threads share the
interpreter, so sixteen at once read no faster than one after another; but whoever else wants it, the event loop first
of all, would wait until each of them had its turn, at every step. Invariants: who comes first is read first in his
lane, and a short question never waits for long ones. What takes seconds is not for here: it would hold up a lane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

SHORT = 200  # characters
_T = TypeVar("_T")

_lanes: RunVar[tuple[anyio.CapacityLimiter, anyio.CapacityLimiter]] = RunVar("soulmem_reading_lanes")


async def in_turn(text: str, read: Callable[[], _T], *, abandon_on_cancel: bool = False) -> _T:
    """What `read` makes of a text, from a thread, when it is its turn in the lane for texts of that length."""
    short, long = _of_this_loop()
    lane = short if len(text) <= SHORT else long
    return await anyio.to_thread.run_sync(read, limiter=lane, abandon_on_cancel=abandon_on_cancel)


def _of_this_loop() -> tuple[anyio.CapacityLimiter, anyio.CapacityLimiter]:
    try:
        return _lanes.get()
    except LookupError:
        lanes = anyio.CapacityLimiter(1), anyio.CapacityLimiter(1)
        _lanes.set(lanes)
        return lanes
