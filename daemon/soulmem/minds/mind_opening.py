"""Opening the file of a mind: how many may be open, what a file must hold, what is put right in it at once."""

from __future__ import annotations

import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import anyio.to_thread

from soulmem.core.calendar.clock_leaps import WrongTime
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_troubles import MindTroubles
from soulmem.ops.process import process_memory
from soulmem.ops.settings.config_loader import Config
from soulmem.ops.settings.setting_sections import dormancy_of
from soulmem.ports import World
from soulmem.store.journal import catalog
from soulmem.store.journal.catalog_file import CatalogFile
from soulmem.store.revision import wrong_clock_repair
from soulmem.store.revision.wrong_clock_repair import CameBack
from soulmem.store.session import mind_rebuilding
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite import disk_reserve, mind_files
from soulmem.store.sqlite.driver import Connection

_FILES_OF_A_MIND = 4  # descriptors: two connections with their logs
_OTHER_FILES = 320  # of 256 connections, the catalogue, the log, models
_LEAST_OPEN, _MOST_OPEN = 4, 256  # each takes two threads
_BYTES_OF_A_MIND = 3_355_443  # 3.2 MiB of memory, when it is small


def most_open_here() -> int:
    """How many minds may be open at once in this process, as its limits are now."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most_open(process_memory.allowed_bytes(), soft_files=soft)


def most_open(memory: int | None, *, soft_files: int) -> int:
    """What the limit of open files leaves beside the connections, and half of the memory beside everything else.

    Args: memory: bytes that may be taken, None where nobody knows; soft_files: files that may be open.
    """
    most = _MOST_OPEN
    if soft_files != resource.RLIM_INFINITY:
        most = min(most, (soft_files - _OTHER_FILES) // _FILES_OF_A_MIND)
    if memory is not None:
        most = min(most, memory // 2 // _BYTES_OF_A_MIND)
    return max(_LEAST_OPEN, most)


class MindOpening:
    """Opens files for a `MindRegistry`, whose `troubles` it fills in."""

    def __init__(
        self, directory: Path, config: Config, world: World, book: CatalogFile, troubles: MindTroubles
    ) -> None:
        self._directory = directory
        self._config = config
        self._world = world
        self._book = book
        self._troubles = troubles
        self._failed: dict[str, tuple[tuple[int, int], SoulmemError]] = {}  # of what a mind died, and with which file

    def names(self) -> list[str]:
        """The minds whose files exist, by name. Raises SoulmemError: `storage_readonly`, when nobody can tell."""
        try:
            return [path.stem for path in mind_files.mind_files(self._directory)]
        except OSError as error:
            raise mind_files.unreadable(self._directory, error) from error

    async def enter_files(self) -> int:
        """Enter in the catalogue which minds there are; how many. Where nobody can tell, what it knows stays."""
        mind_rebuilding.discard_unfinished(self._directory)
        try:
            names = self.names()
        except SoulmemError as error:
            self._world.emit("job_failed", mind="", job="", step="catalog", error=error.message)
            return 0
        with suppress(SoulmemError):  # where nothing can be written, what is known is told
            await self._book.write("catalog.sync", lambda connection: catalog.sync(connection, names))
        return len(names)

    def is_there(self, name: str) -> bool:
        """Whether anything stands where the file of a mind would.

        Raises SoulmemError: `storage_readonly` or `storage_damaged`, when nobody can tell.
        """
        return mind_files.is_there(self._directory / f"{name}.db")

    async def adopt(self, name: str, make: Callable[[Path, list[WrongTime]], None]) -> None:
        """Let the file of a mind be made, in a thread, by whoever knows how; it is told of the clocks that were wrong.

        Raises SoulmemError: `mind_exists`, or what `make` raises.
        """
        if self.is_there(name):
            raise SoulmemError(ErrorName.MIND_EXISTS, f"there is already a mind {name!r}", hint="give it another name")
        wrong = await self._book.read(catalog.wrong_times)
        await anyio.to_thread.run_sync(make, self._directory / f"{name}.db", wrong)

    async def is_left(self, name: str) -> bool:
        """Whether the catalogue still knows a mind, whatever became of its file."""
        return any(entry.mind == name for entry in await self._book.read(catalog.entries))

    def hindrance(self, name: str) -> SoulmemError | None:
        """Why the file of a mind cannot even be looked for."""
        try:
            self.is_there(name)
        except SoulmemError as error:
            return error
        return None

    def remember_failure(self, name: str, reason: SoulmemError) -> None:
        """A mind died: what of is its answer until its file is another."""
        self._failed[name] = (mind_files.signature(self._directory / f"{name}.db"), reason)

    def forget_failure(self, name: str) -> None:
        """The mind is no more."""
        self._failed.pop(name, None)

    async def check(self, name: str, *, is_new: bool) -> None:
        """Refuse a file that killed its mind, that is somebody else's, or that lost all it held.

        Raises SoulmemError: the storage errors.
        """
        path = self._directory / f"{name}.db"
        try:
            if name in self._failed:
                before, reason = self._failed[name]
                if mind_files.signature(path) == before:
                    raise reason
                del self._failed[name]
            mind_files.refuse_irregular(path)
            if not is_new:
                await self._refuse_emptied(name, path)
        except SoulmemError as error:
            self._troubles.enter(name, error)
            raise

    async def read(self, name: str, who: Identity | None) -> tuple[OpenMind, int]:
        """Open the file of a mind, or make it; how many vectors are missing.

        Raises SoulmemError: the storage errors; of a file that could not be made nothing is left.
        """
        path = self._directory / f"{name}.db"
        embedder = self._world.embedding.embedder
        # In a thread: a model may still have to be loaded.
        fingerprint, dimension = await anyio.to_thread.run_sync(lambda: (embedder.fingerprint, embedder.dimension))
        wrong, came = await self._book.read(catalog.wrong_times), list[CameBack]()

        def mend(connection: Connection, found: Identity, is_new: bool) -> None:
            if is_new:
                wrong_clock_repair.prepare(connection, wrong)
                return
            rules = self._config.for_mind(found.profile, found.settings).forgetting
            after_ms, rate_ppm = dormancy_of(rules)
            came[:] = [wrong_clock_repair.follow(connection, found, wrong, after_ms=after_ms, rate_ppm=rate_ppm)]

        async def open_it() -> tuple[OpenMind, int]:
            now = self._world.clock.now_ms()
            return await OpenMind.open(
                path, fingerprint=fingerprint, dimension=dimension, now=now, create=who, mend=mend if wrong else None
            )

        try:
            try:
                memory, missing = await open_it()
            except SoulmemError as error:
                is_full = error.name is ErrorName.STORAGE_FULL and who is None
                if not is_full or not disk_reserve.release(self._directory.parent):
                    raise
                memory, missing = await open_it()
        except SoulmemError as error:
            if who is not None:  # there was no such file: what could not be made leaves nothing
                with suppress(OSError):  # where nothing can be written, nothing was made
                    mind_files.remove(path)
                raise
            self._troubles.enter(name, error)
            raise
        for each in came:
            if each.notes:
                self._world.emit("note_restored", mind=name, count=each.notes)
            if each.links:
                self._world.emit("link_restored", mind=name, count=each.links)
        return memory, missing

    async def _refuse_emptied(self, name: str, path: Path) -> None:
        """A file that lost all its bytes must not pass for a new mind."""
        if mind_files.size(path) or mind_files.size(Path(f"{path}-wal")):
            return
        known = [entry for entry in await self._book.read(catalog.entries) if entry.mind == name]
        if any(entry.messages or entry.notes for entry in known):
            message = f"{path.name} is empty, though this mind had memories"
            raise SoulmemError(
                ErrorName.STORAGE_DAMAGED, message, hint="restore the file from a backup, or delete it to start anew"
            )
