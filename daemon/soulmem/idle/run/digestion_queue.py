"""Rounds of digestion: begun by silence, by sleep or by what falls due, one after another.

Owned by the life of a mind. Invariant: a round that was asked for is run, or called off because somebody talks; whoever
waits for it is told which.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from soulmem.errors import SoulmemError
from soulmem.idle.run.digestion import Digestion
from soulmem.idle.run.digestion_needs import Report


class DigestionQueue:
    """The rounds of one mind."""

    def __init__(
        self,
        digesting: Digestion,
        *,
        is_idle: Callable[[], bool],
        rest: Callable[[], Awaitable[None]],
        gone: Callable[[], SoulmemError | None],
        failed: Callable[[SoulmemError], None],
    ) -> None:
        """Args:
        rest: what is done after each round.
        gone: why no round will be run any more, once none will.
        failed: told of a round that could not be ended. The next one is run as soon as it is asked for.
        """
        self._digesting = digesting
        self._is_idle = is_idle
        self._rest = rest
        self._gone = gone
        self._failed = failed
        self._work = anyio.Event()
        self._steps: frozenset[str] | None = None
        self._wanted = 0
        self._done = 0
        self._over = anyio.Event()
        self._report = Report()
        self._failure: SoulmemError | None = None  # of the last round; one that can be read no more ends there

    @property
    def is_resting(self) -> bool:
        """Whether no round is under way or asked for."""
        return self._done >= self._wanted

    def begin(self, steps: frozenset[str] | None) -> int:
        """Ask for a round of these steps, or of all; its number."""
        if not self._work.is_set():
            self._steps = steps
        elif steps is None or self._steps is None:  # a round that waits takes on what comes
            self._steps = None
        else:
            self._steps |= steps
        self._wanted += 1
        self._work.set()
        return self._wanted

    async def done(self, number: int | None = None) -> Report:
        """Wait for the rounds that were begun.

        Raises SoulmemError: why the mind is gone, or why the last round could not be ended.
        """
        wanted = self._wanted if number is None else number
        while self._done < wanted:
            because = self._gone()
            if because is not None:
                raise because
            await self._over.wait()
        if self._failure is not None:
            raise self._failure
        return self._report

    async def run(self) -> None:
        """Run rounds as they are asked for, until cancelled."""
        while True:
            await self._work.wait()
            self._work = anyio.Event()
            wanted = self._wanted
            # Somebody may have begun to talk since this round was asked for; what is left waits for the next silence.
            called_off = not self._is_idle()
            steps = self._steps
            self._failure = None
            try:
                self._report = Report(preempted=True) if called_off else await self._digesting.digest(steps)
                await self._rest()
            except SoulmemError as error:  # those who wait are told, and whoever asks next does not wait
                self._failure = error
                self._failed(error)
            self._tell(wanted)

    def _tell(self, wanted: int) -> None:
        """The rounds up to this one are over."""
        self._done = wanted
        over, self._over = self._over, anyio.Event()
        over.set()

    def end(self) -> None:
        """No round will be run any more: whoever waits is told."""
        self._over.set()
