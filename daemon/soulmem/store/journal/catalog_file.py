"""The open file of the catalogue, which is made anew in a running daemon when somebody removes, replaces or spoils it.

It is used like a `Database`. Minds know nothing of it and go on; whoever reads or writes the catalogue waits until it
is there again. Invariant: what stood in its place is set aside, and of what it held all is kept that can still be read.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import anyio
import anyio.to_thread

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.journal import catalog
from soulmem.store.sqlite import mind_files
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection

T = TypeVar("T")
P = ParamSpec("P")


class CatalogFile:
    """The catalogue of one state directory."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._turn = anyio.Lock()
        self._kept: catalog.Rows = {}  # of a file that is being made anew
        self._told_of: Database | None = None
        self._is_refused = False
        self._is_closed = False
        self._names: Callable[[], Sequence[str]] = list
        self._told: Callable[[SoulmemError | None], None] = lambda _error: None
        self._exposed: Callable[[str], None] = lambda _what: None
        self._made_anew: Callable[[], object] = lambda: None

    @classmethod
    async def open(cls, path: Path) -> CatalogFile:
        """Open the file, or make it. Raises SoulmemError: the storage errors."""
        return cls(await Database.open(path, schema="catalog"))

    def follow(
        self,
        names: Callable[[], Sequence[str]],
        *,
        told: Callable[[SoulmemError | None], None],
        exposed: Callable[[str], None],
        made_anew: Callable[[], object],
    ) -> None:
        """Hear of what becomes of the file.

        Args:
            names: which minds there are, asked in a thread.
            told: what is wrong with it, once; None when it can be written again, or was made anew.
            exposed: what others could read of it.
            made_anew: called when rows may know nothing of their minds.
        """
        self._names, self._told, self._exposed, self._made_anew = names, told, exposed, made_anew
        self._database.report(lambda _error: None, exposed)

    async def write(self, name: str, run: Callable[[Connection], T]) -> T:
        """As `Database.write`. Raises SoulmemError: the storage errors."""

        async def work(database: Database) -> T:
            return await database.write(name, run)

        try:
            written = await self._unharmed(work)
        except SoulmemError as error:
            if error.name is ErrorName.STORAGE_READONLY and not self._is_refused:
                self._is_refused = True
                self._told(error)
            raise
        if self._is_refused:
            self._is_refused = False
            self._told(None)
        return written

    async def read(self, run: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """As `Database.read`. Raises SoulmemError: the storage errors."""

        async def work(database: Database) -> T:
            return await database.read(run, *args, **kwargs)

        return await self._unharmed(work)

    async def alone(self, run: Callable[[Connection], T]) -> T:
        """As `Database.alone`. Raises SoulmemError: the storage errors."""

        async def work(database: Database) -> T:
            return await database.alone(run)

        return await self._unharmed(work)

    async def close(self) -> None:
        """Finish what is queued and close the file."""
        async with self._turn:
            self._is_closed = True
            await self._database.close()

    async def _unharmed(self, work: Callable[[Database], Awaitable[T]]) -> T:
        database = self._database
        try:
            return await work(database)
        except SoulmemError as error:
            if not await self._is_another(database, error):
                raise
        return await work(self._database)

    async def _is_another(self, database: Database, error: SoulmemError) -> bool:
        """After an error: whether there is another file now, because this one was harmed."""
        async with self._turn:
            if self._database is not database:
                return True
            harm = error if error.name is ErrorName.STORAGE_DAMAGED else await database.harm()
            if self._is_closed or harm is None or harm.name is not ErrorName.STORAGE_DAMAGED:
                return False
            if self._told_of is not database:
                self._told_of = database
                self._told(harm)
            with anyio.CancelScope(shield=True):
                self._database = await self._anew(database, harm)
            self._is_refused = False
            self._told(None)
        self._made_anew()
        return True

    async def _anew(self, database: Database, harm: SoulmemError) -> Database:
        with suppress(SoulmemError):
            self._kept = await database.read(catalog.keep)
        await database.close(harm)  # first: SQLite, when it closes a file, deletes the log that bears its name
        await anyio.to_thread.run_sync(_set_aside, database.path)
        fresh = await Database.open(database.path, schema="catalog")
        try:
            names = await anyio.to_thread.run_sync(self._names)
            await fresh.write("catalog.anew", lambda connection: catalog.fill(connection, self._kept, names))
        except BaseException:
            await fresh.close(harm)
            raise
        fresh.report(lambda _error: None, self._exposed)
        self._kept = {}
        return fresh


def _set_aside(path: Path) -> None:
    if os.path.lexists(path):
        mind_files.set_aside(path)
    else:
        mind_files.remove(path, but_file=True)
