"""The queue of full-text search: the background worker that feeds full-text search with what was heard.

One worker a mind, run by `mind`; the waiting list is the table `search_pending`, filled in the transaction that stored
the message. Messages can be found meanwhile: in memory, or by a look through those that wait, of which there are never
many more than a bound. One over which the daemon died is indexed alone, then not at all: it goes on waiting, and is
found as what waits is.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import anyio

from soulmem.store.index import fts
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.runtime.backpressure import PATIENT_MS, Pace
from soulmem.working.runtime.step_guard import StepGuard

_BATCH = 32  # messages in one transaction: a new one never waits long behind them
_MOST = 16_384  # may wait while the mind is held in memory
_MOST_ON_DISK = 256  # may wait where each search looks through them


class FtsQueue:
    """Works off the messages of one mind that wait for the full-text index."""

    def __init__(self, memory: OpenMind, pace: Pace, guard: StepGuard) -> None:
        self._memory = memory
        self._guard = guard
        self._pace = pace
        self._work = anyio.Event()

    def wake(self) -> None:
        self._work.set()

    async def run(self) -> None:
        """Work until cancelled."""
        database = self._memory.database
        while True:
            self._work = anyio.Event()
            aside = {int(item) for item in self._guard.aside() if self._guard.is_aside(item)}
            waiting = await database.read(fts.waiting) - len(aside)
            if waiting <= 0:
                await self._work.wait()
                continue
            most = _MOST if self._memory.index is not None else _MOST_ON_DISK
            if waiting > most or await self._pace.calm(PATIENT_MS):
                await self._feed(aside)

    async def _feed(self, aside: Collection[int]) -> None:
        first = await self._memory.database.read(fts.first_waiting, _BATCH + len(aside))
        items = [item for item in first if item not in aside][:_BATCH]
        died = [item for item in items if self._guard.has_died(str(item))]
        items = died[:1] or items  # where it may have been any of them, one at a time
        with self._guard.at([str(item) for item in items]):
            await self._memory.database.write("search.feed", partial(fts.feed, most=_BATCH, only=items))
