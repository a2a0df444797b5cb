"""Eviction worker: the background worker that takes digested messages out of the search indexes, or brings them back.

One worker a mind, run by its life. Which of both it does follows the setting `recall.digested_messages` as it stands
before each batch, so a change of mind half-way turns it round; where it stands is in the file
(`store/messages/index_eviction`), so a crash costs nothing. What comes back is found by its words at once, and by its
meaning as soon as it has its vectors.
"""

from __future__ import annotations

from collections.abc import Callable

import anyio

from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.store.index import embedding_backlog
from soulmem.store.messages import index_eviction
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.working.runtime.backpressure import PATIENT_MS, Pace
from soulmem.working.runtime.step_guard import StepGuard

_BATCH = 16  # messages in one transaction: a new one never waits long behind them
_BACKLOG = 64  # vectors that may wait before more are asked for: a new message does not queue behind all the old ones
_PAUSE_S = 0.02
_PATIENCE = 50  # pauses, should no vectors be made


class EvictionWorker:
    """Works off the digested messages of one mind. `is_resting`: as far as is known, nothing is left to do."""

    def __init__(
        self, memory: OpenMind, settings: SettingsNow, pace: Pace, wake_embed: Callable[[], None], guard: StepGuard
    ) -> None:
        self._memory = memory
        self._guard = guard
        self._settings = settings
        self._pace = pace
        self._wake_embed = wake_embed
        self._work = anyio.Event()
        self.is_resting = False

    def wake(self) -> None:
        self.is_resting = False
        self._work.set()

    async def run(self) -> None:
        """Work until cancelled."""
        database = self._memory.database
        self.is_resting = False
        try:
            while True:
                self._work = anyio.Event()
                searched = self._settings().recall.digested_messages
                if self._guard.is_aside():
                    self.is_resting = True  # nobody waits for it
                    await self._guard.until_free()
                elif await database.read(index_eviction.is_due, searched=searched):
                    self.is_resting = False
                    await self._some(searched=searched)
                elif not self._work.is_set():
                    self.is_resting = True
                    await self._work.wait()
        finally:
            self.is_resting = True  # nobody is at work; whoever waits for it would wait for ever

    async def _some(self, *, searched: bool) -> None:
        await self._pace.calm(PATIENT_MS)
        if not searched:
            with self._guard.at():
                await self._memory.database.write("shelve", _shelve)
            return
        for _ in range(_PATIENCE):
            if await self._memory.database.read(embedding_backlog.backlog) <= _BACKLOG:
                break
            await anyio.sleep(_PAUSE_S)
        with self._guard.at():
            await self._memory.database.write("unshelve", _unshelve)
        self._wake_embed()


def _shelve(connection: Connection) -> bool:
    return index_eviction.shelve(connection, _BATCH)


def _unshelve(connection: Connection) -> bool:
    return index_eviction.unshelve(connection, _BATCH)
