"""Step guard: the work of a background worker, counted while it is under way, and left out once it is set aside.

Called by the workers whose work has no job of its own (full-text feeding, shelving, erasing, what links remember,
reactions). What the daemon died of as often as it may is told once, and waits until somebody lets it be tried again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

import anyio

from soulmem.ports import World


class StepGuard:
    """Guards one step of one mind; its items are names of what it works on, "" where it is one thing."""

    def __init__(self, mind: str, world: World, step: str) -> None:
        self._mind = mind
        self._world = world
        self._step = step
        self._told: set[str] = set()
        self._released = anyio.Event()

    def at(self, items: Sequence[str] = ("",)) -> AbstractContextManager[None]:
        """Work on these; when it has ended, however, nobody died of them."""
        return self._world.underway.at(self._mind, self._step, items)

    def has_died(self, item: str = "") -> bool:
        return self._world.underway.deaths(self._mind, self._step, item) > 0

    def is_aside(self, item: str = "") -> bool:
        """Whether it is not to be tried; said in the log the first time."""
        if not self._world.underway.is_set_aside(self._mind, self._step, item):
            return False
        if item not in self._told:
            self._told.add(item)
            deaths = self._world.underway.deaths(self._mind, self._step, item)
            self._world.emit("step_quarantined", mind=self._mind, step=self._step, job="", deaths=deaths)
        return True

    def aside(self) -> list[str]:
        """The items that are set aside."""
        return [item for step, item in self._world.underway.aside(self._mind) if step == self._step]

    async def until_free(self) -> None:
        """Wait while the step itself is set aside."""
        while self.is_aside():
            await self._released.wait()

    def release(self) -> None:
        """It may be tried again: whoever waits goes on."""
        self._told.clear()
        released, self._released = self._released, anyio.Event()
        released.set()
