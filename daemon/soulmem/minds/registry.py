"""The minds of this daemon: opened on demand, closed after a rest, never with two owners.

Made and run by `daemon`; what happens to them because time passes is `ticks`'s. Each open mind is a child of one
task group here. The catalogue beside the files knows what closed minds hold and when something in them falls due; it
can be rebuilt from the files.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

import anyio
import anyio.abc
import anyio.to_thread

from soulmem.core.calendar.clock_leaps import WrongTime
from soulmem.errors import REGISTRY, ErrorName, SoulmemError
from soulmem.minds.mind_api import Mind, MindUse
from soulmem.minds.mind_opening import MindOpening, most_open_here
from soulmem.minds.mind_standings import MindStandings
from soulmem.minds.mind_troubles import MindTroubles
from soulmem.minds.runtime import cause
from soulmem.minds.state_machines import MindState
from soulmem.ops.settings.config_loader import Config
from soulmem.ports import World
from soulmem.store.journal import catalog
from soulmem.store.journal.call_journal import MindJournal
from soulmem.store.journal.catalog import Entry
from soulmem.store.journal.catalog_file import CatalogFile
from soulmem.store.journal.step_quarantine import MOST_DEATHS
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite import mind_files
from soulmem.working.runtime.backpressure import Pace

_TRIES = 4  # to find room for one more


class MindRegistry:
    """Opens, closes, lists and wakes minds."""

    def __init__(
        self, state_dir: Path, config: Config, world: World, book: CatalogFile,
        learn: Callable[[str, int, int, float], None],
    ) -> None:  # fmt: skip
        """Args: learn: told (mind, UTC day, tokens, cost) of what an opened mind's ledger says of today."""
        self.directory = state_dir / "minds"
        self._config = config
        self._world = world
        self._book = book
        self._learn = learn
        self._pace = Pace(world.clock)
        self._open: dict[str, Mind] = {}
        self._locks = WeakValueDictionary[str, anyio.Lock]()  # while somebody holds one or waits for it
        self._group: anyio.abc.TaskGroup | None = None
        self.closing = False
        self.found = 0  # files, at the start
        self.troubles = MindTroubles(world.emit)
        self._opening = MindOpening(self.directory, config, world, book, self.troubles)
        self._standings = MindStandings(world, book, self.troubles, lambda: self.open_minds)

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Host the open minds until `close`."""
        mind_files.tighten_directory(self.directory)
        self.found = await self._opening.enter_files()
        async with anyio.create_task_group() as group:
            self._group = group
            self._standings.follow(self.names, partial(group.start_soon, self._learn_anew))
            group.start_soon(self.awake_unfinished)
            task_status.started()
            await anyio.sleep_forever()

    async def close(self) -> None:
        """Close every mind in order: workers end, the writer finishes, the file is checkpointed."""
        self.closing = True
        for name in tuple(self._open):
            await self._shut(name, reason="drain")
        if self._group is not None:
            self._group.cancel_scope.cancel()

    def names(self) -> list[str]:
        """The minds whose files exist, by name. Raises SoulmemError: `storage_readonly`, when nobody can tell."""
        return self._opening.names()

    def trouble(self, name: str) -> SoulmemError | None:
        """Why a mind cannot be read or written, as far as is known without opening it."""
        return self.troubles.get(name) or (None if name in self._open else self._opening.hindrance(name))

    @property
    def open_minds(self) -> list[Mind]:
        return list(self._open.values())

    def use(self, name: str, *, create: bool = False) -> MindUse:
        """An open mind for the length of a call: `async with minds.use(name) as mind`.

        Raises SoulmemError: `mind_not_found`, `stopping`, or the storage errors.
        """
        return MindUse(self.entered, name, create=create)

    async def entered(self, name: str, *, create: bool) -> Mind:
        """An open mind; whoever asks must `leave` it."""
        mind = self._open.get(name)
        if mind is None or mind.life.closed.is_set():
            mind = await self._get(name, create=create)
        mind.enter()
        return mind

    async def create(self, who: Identity) -> Mind:
        """Raises: SoulmemError: `mind_exists`."""
        async with self._lock(who.name):
            if self._opening.is_there(who.name):
                raise SoulmemError(
                    ErrorName.MIND_EXISTS, f"there is already a mind {who.name!r}", hint="use mind.update to change it"
                )
            return await self._open_file(who.name, who)

    async def adopt(self, name: str, make: Callable[[Path, list[WrongTime]], None]) -> None:
        """Take over a mind whose file `make` writes. Raises SoulmemError: `mind_exists`, or what it raises."""
        async with self._lock(name):
            await self._opening.adopt(name, make)

    async def delete(self, name: str) -> list[str]:
        """Delete a mind's file, or what is left of a mind whose file is gone; returns the copies of it that remain.

        Raises SoulmemError: `mind_not_found`.
        """
        async with self._lock(name):
            path = self.directory / f"{name}.db"
            if not (self._opening.is_there(name) or name in self._open or await self._opening.is_left(name)):
                raise self._missing(name)
            await self._shut_locked(name, reason="deleted")
            await anyio.to_thread.run_sync(mind_files.remove, path)
            self._world.underway.release(name)
            self.troubles.end(name)
            self._opening.forget_failure(name)
            await self._book.write("catalog.remove", lambda connection: catalog.remove(connection, name))
            with suppress(SoulmemError):  # a full disk: the row is gone, its bytes go with the next
                await self._book.alone(catalog.leave_no_bytes)
            return [str(copy) for copy in mind_files.copies_of(path)]

    async def reopen(self, *, reason: str) -> None:
        """Close all minds and open each file once, so that what is done when a file is opened is done in all."""
        for mind in self.open_minds:
            await self._shut(mind.name, reason=reason)
        with suppress(SoulmemError):  # where nobody can tell which there are, all wait for their callers
            for name in self.names():
                with suppress(SoulmemError):  # as does one that cannot be opened
                    async with self.use(name) as mind:
                        await self.catalogue(mind)

    async def entries(self) -> list[Entry]:
        """How all minds stand. Raises SoulmemError: the storage errors, of the catalogue."""
        return await self._standings.entries()

    async def awake_unfinished(self) -> None:
        """Open every mind that was interrupted or has work left; one that cannot be opened waits for its caller."""
        for name in await self._book.read(catalog.unfinished):
            if self._world.underway.is_set_aside(name, "open"):  # whoever asks for it may try; nobody else dies of it
                self._world.emit("step_quarantined", mind=name, step="open", job="", deaths=MOST_DEATHS)
                continue
            with suppress(SoulmemError):
                async with self.use(name):
                    pass

    async def close_rested(self) -> None:
        """Close the minds that nobody used for long and that have nothing left to do."""
        for mind in self.open_minds:
            if not self._has_rested(mind):
                continue
            counts = await mind.workers.counts()
            if counts.pending_jobs or counts.embed_backlog:
                continue
            async with self._lock(mind.name):
                if self._has_rested(mind):  # somebody may have come while we looked
                    await self._shut_locked(mind.name, reason="rest")
        await self._awake_one()

    async def _awake_one(self) -> None:
        """Go on with a mind that was closed to make room before it was done, now that there is some."""
        if len(self._open) >= most_open_here() // 2:
            return
        for name in await self._book.read(catalog.unfinished):
            is_aside = self._world.underway.is_set_aside(name, "open")
            if name not in self._open and name not in self.troubles and not is_aside:
                with suppress(SoulmemError):
                    async with self.use(name):
                        pass
                return

    async def catalogue(self, mind: Mind, *, closed: bool = False) -> None:
        """Write a mind's present numbers into the catalogue."""
        await self._standings.put(mind, closed=closed)

    async def _learn_anew(self) -> None:
        """The catalogue was made anew: it knows nothing of minds that are closed until they are opened."""
        with suppress(SoulmemError):
            await self.awake_unfinished()

    def _lock(self, name: str) -> anyio.Lock:
        return self._locks.setdefault(name, anyio.Lock())

    def _missing(self, name: str) -> SoulmemError:
        return SoulmemError(
            ErrorName.MIND_NOT_FOUND,
            f"there is no mind {name!r}",
            hint="a mind comes into being with its first message or note; mind.list shows those there are",
        )

    async def _get(self, name: str, *, create: bool) -> Mind:
        async with self._lock(name):
            mind = self._open.get(name)
            if mind is not None and not mind.life.closed.is_set():
                return mind
            if not self._opening.is_there(name):
                if not create:
                    raise self._missing(name)
                now = self._world.clock.now_ms()
                who = Identity(name, "", self._config.profile.value, "", "", {}, now, now, now, 0)
                return await self._open_file(name, who)
            return await self._open_file(name, None)

    async def _open_file(self, name: str, who: Identity | None) -> Mind:
        if self.closing or self._group is None:
            raise SoulmemError(ErrorName.STOPPING, "the daemon is stopping", retry_after_ms=1000)
        started = self._world.clock.monotonic_ms()
        await self._make_room()
        await self._opening.check(name, is_new=who is not None)
        with self._world.underway.at(name, "open"):
            return await self._open_read(name, who, started)

    async def _open_read(self, name: str, who: Identity | None, started: float) -> Mind:
        memory, missing = await self._read_with_room(name, who)
        if self._group is None:  # as `_open_file` has seen that it is not
            raise SoulmemError(ErrorName.STOPPING, "the daemon is stopping", retry_after_ms=1000)
        self.troubles.end(name)
        self.troubles.follow(name, memory.database)
        if who is not None:
            self._world.emit("mind_created", mind=name, profile=memory.who.profile)
        memory.enter_calls(MindJournal(memory.database, self._world.clock))
        day, spent = memory.spent
        self._learn(memory.name, day, spent.tokens, spent.cost)
        mind = Mind(memory, self._world, self._config, self._pace)
        await self._group.start(self._host, mind)
        if mind.life.failure is not None and not mind.life.is_hosted:
            raise mind.life.failure
        self._open[name] = mind
        counts = await mind.workers.counts()
        self._world.emit(
            "mind_opened",
            mind=name,
            messages=counts.messages,
            notes=counts.notes,
            links=counts.links,
            pending_jobs=counts.pending_jobs,
            ms=round(self._world.clock.monotonic_ms() - started, 1),
        )
        for step in memory.set_aside:
            self._world.emit("step_quarantined", mind=name, step=step.step, job=step.id, deaths=MOST_DEATHS)
        if missing and who is None and memory.reembedding:
            self._world.emit(
                "reembedding_started", mind=name, embedder=self._world.embedding.embedder.name, count=missing
            )
        with suppress(SoulmemError):  # a disk that takes no more keeps nobody from reading
            await self.catalogue(mind)
        return mind

    async def _read_with_room(self, name: str, who: Identity | None) -> tuple[OpenMind, int]:
        """`MindOpening.read`; where no descriptor is left for it, minds that nobody uses make room."""
        for _ in range(_TRIES):
            try:
                return await self._opening.read(name, who)
            except SoulmemError as error:
                unused = self._least_used()
                if error.name is not ErrorName.OVERLOADED or unused is None:
                    raise
                await self._shut_unused(unused)
        return await self._opening.read(name, who)

    async def _make_room(self) -> None:
        """Close the minds that were used least lately, so that one more may be open; those in use stay."""
        while len(self._open) >= most_open_here():
            oldest = self._least_used()
            if oldest is None:
                raise SoulmemError(
                    ErrorName.OVERLOADED,
                    f"{len(self._open)} minds are in use, more than may be open at once",
                    hint="raise the limits of the daemon: open files (LimitNOFILE of its unit), memory (MemoryMax)",
                    retry_after_ms=500,
                )
            await self._shut_unused(oldest)

    def _least_used(self) -> Mind | None:
        """The mind that was used least lately and is not in use; None when all are.

        One at rest first: what another has to do is done when it is opened again.
        """
        unused = [mind for mind in self._open.values() if not mind.users]
        return min(unused, key=lambda mind: (not mind.life.is_resting, mind.used_ms), default=None)

    async def _shut_unused(self, mind: Mind) -> None:
        async with self._lock(mind.name):
            if not mind.users and self._open.get(mind.name) is mind:
                await self._shut_locked(mind.name, reason="room")

    async def _host(self, mind: Mind, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        """Run a mind; one that dies of a damaged file takes nobody along, and its callers are told why."""
        try:
            await mind.life.run(task_status=task_status)
        except Exception as error:  # a guard of jobs: the other minds and the daemon go on
            reason = mind.life.failure or cause(error)
            if not REGISTRY[reason.name][1]:  # what passes by itself is tried again
                self._opening.remember_failure(mind.name, reason)
            self._open.pop(mind.name, None)
            self.troubles.enter(mind.name, reason)
            if reason.name is not ErrorName.STORAGE_DAMAGED:
                self._world.emit("job_failed", mind=mind.name, job="", step="open", error=reason.message[:200])
            if not mind.life.is_hosted:
                task_status.started()

    def _has_rested(self, mind: Mind) -> bool:
        """Whether nobody used an idle mind for long enough; opening it counts as use."""
        unused_ms = self._world.clock.monotonic_ms() - mind.used_ms
        calm = mind.life.state is MindState.IDLE and not mind.users and mind.life.is_resting
        return calm and unused_ms > self._config.memory.close_after_s * 1000

    async def _shut(self, name: str, *, reason: str) -> None:
        async with self._lock(name):
            await self._shut_locked(name, reason=reason)

    async def _shut_locked(self, name: str, *, reason: str) -> None:
        mind = self._open.get(name)
        if mind is None:
            return
        started = self._world.clock.monotonic_ms()
        if reason != "deleted" and not mind.life.closed.is_set():
            with suppress(SoulmemError):  # the catalogue can be rebuilt; a full disk keeps nobody from closing
                await self.catalogue(mind, closed=True)
        del self._open[name]
        with anyio.move_on_after(5):
            await mind.wait_until_unused()
        await mind.life.stop()
        self._world.emit(
            "mind_closed", mind=name, reason=reason, ms=round(self._world.clock.monotonic_ms() - started, 1)
        )
