"""Erasure worker: after a deletion the file is gone over until the deleted bytes are in it no more.

One worker a mind, run by `workers`; what is left to do stands in the table `erasure`, written with the deletion itself,
so a crash leaves nothing lying about: it is done at the next start. The word indexes are merged, because they keep
what was taken out of them; links learn anew from the lessons that are left; the write-ahead log is moved into the file
and cut off. SQLite overwrites what it deletes (`secure_delete`), but a page that was rearranged before may hold a copy,
or some of one: while the deleted words are known, they are looked for where no row is (`store/revision/unused_space`),
and the file is written anew if they stand there; after a restart they are not known any more, so it is written anew.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import anyio
import anyio.to_thread

from soulmem.errors import SoulmemError
from soulmem.ports import World
from soulmem.store.index import fts
from soulmem.store.revision import erasure, unused_space
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.working.runtime.step_guard import StepGuard

_PAGES = 256  # of a word index that are merged in one transaction
_MOST_MERGES = 4_000
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 30.0


class ErasureWorker:
    """Goes over the file of one mind after deletions."""

    def __init__(
        self, memory: OpenMind, world: World, relearn: Callable[[], Awaitable[object]], guard: StepGuard
    ) -> None:
        """Args: relearn: lets links learn anew what they are left with."""
        self._memory = memory
        self._guard = guard
        self._world = world
        self._relearn = relearn
        self._work = anyio.Event()
        self._over = anyio.Event()
        self._words: list[tuple[int, str]] = []  # what was deleted since the file was gone over, and its mark
        self._knows_all = False  # whether these are the words of all marks
        self._is_begun = False

    def expect(self, connection: Connection, words: Sequence[str]) -> None:
        """In the transaction that deletes, after its mark: these words must not be found in the file any more.

        Whoever told of them after the commit would come too late for a round that is under way.
        """
        mark = erasure.marked(connection) or 0
        self._words.extend((mark, word) for word in words)

    def wake(self) -> None:
        """Something was deleted."""
        self._work.set()

    async def done(self, seconds: float) -> bool:
        """Wait until the file was gone over, at most so long; whether it was."""
        with anyio.move_on_after(seconds if self._is_begun and not self._guard.is_aside() else 0.0):
            while True:
                over = self._over  # of the round that may end while this looks
                if await self._memory.database.read(erasure.marked) is None:
                    return True
                await over.wait()
        return False

    async def run(self) -> None:
        """Work until cancelled."""
        if not self._is_begun:
            self._is_begun = True
            self._knows_all = await self._memory.database.read(erasure.marked) is None
        pause = _FIRST_PAUSE_S
        while True:
            self._work = anyio.Event()
            through = await self._memory.database.read(erasure.marked)
            if through is None:
                await self._work.wait()
                continue
            await self._guard.until_free()
            with self._guard.at():
                is_done = await self._go_over(through)
            if is_done:
                pause = _FIRST_PAUSE_S
            else:  # somebody else reads the file
                await anyio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_S)

    async def _go_over(self, through: int) -> bool:
        started = self._world.clock.monotonic_ms()
        database = self._memory.database
        looked_for = [word for mark, word in list(self._words) if mark <= through] if self._knows_all else None
        await self._merge()
        if not await database.alone(_cut_log):
            return False
        is_rewritten = looked_for is None or await anyio.to_thread.run_sync(
            unused_space.holds_copy, database.path, looked_for
        )
        if is_rewritten:
            await database.alone(_write_anew)
            if not await database.alone(_cut_log):
                return False
        await database.write("erasure.done", partial(self._unmark, through=through))
        self._knows_all = True
        over, self._over = self._over, anyio.Event()
        over.set()
        self._world.emit(
            "erasure_finished",
            mind=self._memory.name,
            rewritten=is_rewritten,
            ms=round(self._world.clock.monotonic_ms() - started, 1),
        )
        await self._learn_anew()
        return True

    def _unmark(self, connection: Connection, through: int) -> None:
        erasure.unmark(connection, through)
        self._words[:] = [(mark, word) for mark, word in self._words if mark > through]

    async def _merge(self) -> None:
        """Join the parts of the word indexes, step by step, so that nobody waits long behind it."""
        for kind in ("message", "note"):
            is_first = True
            for _ in range(_MOST_MERGES):
                step = partial(fts.merge, kind=kind, pages=_PAGES, first=is_first)
                if not await self._memory.database.write("search.merge", step):
                    break
                is_first = False

    async def _learn_anew(self) -> None:
        try:
            await self._relearn()
        except SoulmemError as error:  # the embedder is away: it is done at the next start
            self._world.emit("embedding_failed", mind=self._memory.name, count=0, error=error.line[:300])


def _cut_log(connection: Connection) -> bool:
    """Move the log into the file and cut it off; False while another process reads it."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute("PRAGMA busy_timeout = 5000")
    return not busy


def _write_anew(connection: Connection) -> None:
    connection.execute("VACUUM")
