"""The queue of full-text search: the background worker that feeds full-text search with what was heard.

One worker a mind, run by `mind`; the waiting list is the table `search_pending`, filled in the transaction that stored
the message. Messages can be found meanwhile: in memory, or by a look through those that wait, of which there are never
many more than a bound.
"""

from __future__ import annotations

from functools import partial

import anyio

from soulmem.store.index import fts
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.runtime.backpressure import PATIENT_MS, Pace

_BATCH = 32  # messages in one transaction: a new one never waits long behind them
_MOST = 16_384  # may wait while the mind is held in memory
_MOST_ON_DISK = 256  # may wait where each search looks through them


class FtsQueue:
    """Works off the messages of one mind that wait for the full-text index."""

    def __init__(self, memory: OpenMind, pace: Pace) -> None:
        self._memory = memory
        self._pace = pace
        self._work = anyio.Event()

    def wake(self) -> None:
        self._work.set()

    async def run(self) -> None:
        """Work until cancelled."""
        database = self._memory.database
        while True:
            self._work = anyio.Event()
            waiting = await database.read(fts.waiting)
            if not waiting:
                await self._work.wait()
                continue
            most = _MOST if self._memory.index is not None else _MOST_ON_DISK
            if waiting > most or await self._pace.calm(PATIENT_MS):
                await database.write("search.feed", partial(fts.feed, most=_BATCH))
