"""One SQLite file: its writer thread with group commit, its read-only reader, and the way out of both.

A write is a function of a connection. Functions that arrive while a commit is under way wait together and share
the next one: the writer thread drains the queue into one transaction, a savepoint each, and every caller is
answered only after COMMIT returned. A caller that goes away changes nothing: its write still commits and its
`after` effect still runs. Called by `mind` and `minds`; SQL itself lives in the files that own the tables.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import aiosqlite
import anyio

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite import driver, vacuum
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.file_replacement_check import Intact
from soulmem.store.sqlite.readonly_copy import LockedAway
from soulmem.store.sqlite.storage_errors import storage_error
from soulmem.store.sqlite.writing.connection_threads import in_thread, open_connections, run_alone
from soulmem.store.sqlite.writing.group_commit import GroupCommit, Joint, Operation

T = TypeVar("T")
P = ParamSpec("P")

BATCH = 256  # operations in one commit at most


class Database:
    """The open file of one mind (or the catalogue)."""

    def __init__(self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._queue: deque[Operation] = deque()
        self._scheduled = False
        self._closed = False
        self._because: SoulmemError | None = None
        self._told: Callable[[Any], None] = lambda _changes: None
        self._locked: LockedAway | None = None  # it cannot be written where it lies
        self._unlocking = anyio.Lock()
        self._schema = ""
        self._intact = Intact(path)
        self._intact.remember()
        self._commits = GroupCommit(path, self._intact)
        self._harmed: Callable[[SoulmemError], None] = lambda _error: None
        self._exposed: Callable[[str], None] | None = None
        self._is_harm_told = False

    @classmethod
    async def open(cls, path: Path, *, schema: str) -> Database:
        """Open (or create) the file, bring its schema up to date.

        `path`: the file; `schema`: which numbered migrations apply: `mind` or `catalog`.
        Raises: SoulmemError: `storage_damaged`, `storage_readonly` or `storage_full`.
        """
        locked = await anyio.to_thread.run_sync(LockedAway.of, path)
        opened = cls(path, *await open_connections(path, schema, locked))
        opened._locked, opened._schema = locked, schema
        return opened

    async def write(
        self,
        name: str,
        run: Callable[[Connection], T],
        *,
        after: Callable[[T], None] | None = None,
        joint: Joint | None = None,
    ) -> T:
        """Run `run(connection)` in the writer thread inside a transaction; return after its COMMIT.

        `name` is for people reading errors. `run` is synchronous, rolled back alone when it raises; `after` is called
        with its result on the event loop once committed, even if the caller is gone. `joint`: how to do it with its
        like, for operations that come in crowds. Raises: SoulmemError: the storage errors, or what `run` raised.
        """
        self._refuse_closed()
        if self._commits.broken is not None:
            raise self._commits.broken
        if self._locked is not None:
            await self._unlock(self._locked)
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.append(Operation(name, run, future, after, joint))
        if not self._scheduled:
            self._scheduled = True
            # Not at once: whoever else writes in this turn of the loop comes along, undisturbed by the writer thread.
            asyncio.get_running_loop().call_soon(self._submit)
        return await future

    async def read(self, run: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `run(connection, ...)` on the read-only connection, which sees what is committed when it begins.

        However many statements it takes, all see the same moment.
        """
        self._refuse_closed()
        try:
            return await in_thread(self._reader, driver.of_one_moment, run, *args, **kwargs)
        except driver.DatabaseError as error:
            found = await self.harm() or storage_error(error, self.path)
            if isinstance(found, SoulmemError) and found.name is ErrorName.STORAGE_DAMAGED:
                self._tell(found)
            raise found from error

    async def harm(self) -> SoulmemError | None:
        """What became of the files behind our back, looked for now; None where nothing did, or rights alone."""
        with suppress(SoulmemError):  # closed meanwhile
            await in_thread(self._writer, lambda _connection: self._commits.look())
        return self._commits.broken

    def report(self, harmed: Callable[[SoulmemError], None], exposed: Callable[[str], None]) -> None:
        """Who is told on the event loop, once, of what is wrong with the file; and of what others could read of it."""
        self._harmed, self._exposed = harmed, exposed
        self._tell_exposed()  # what was found while the file was opened

    def refusal(self) -> SoulmemError | None:
        """Why rights to the files keep us from writing; None where they do not. Looks at them: for a thread."""
        return self._intact.rights.refusal() if self._locked is None else None

    def tell(self) -> None:
        """Say what was found out in other threads."""
        self._tell(self._commits.broken)

    def _tell(self, harm: SoulmemError | None) -> None:
        self._tell_exposed()
        if harm is not None and not self._is_harm_told:
            self._is_harm_told = True
            self._harmed(harm)

    def _tell_exposed(self) -> None:
        while self._exposed is not None and self._intact.rights.exposed:
            self._exposed(self._intact.rights.exposed.popleft())

    def owe(self, run: Callable[[Connection], object], after: Callable[[], None]) -> None:
        """Something that could not be written yet: it goes before the next write, in its transaction, until committed.

        `after`: called on the event loop once it is.
        """
        self._commits.owe(run, after)

    def watch(self, collect: Callable[[Connection], T | None], told: Callable[[T], None]) -> None:
        """Follow all commits: what `collect` finds in a transaction's last moment is told on the event loop after it.

        It is told in the order of the commits, before anybody is answered.
        """
        self._commits.watch(collect)
        self._told = told

    async def _unlock(self, locked: LockedAway) -> None:
        """Open the file anew, for writing. Raises SoulmemError: `storage_readonly`, while that cannot be."""
        async with self._unlocking:
            if self._locked is None:
                return
            locked.check()
            former = self._writer, self._reader
            self._writer, self._reader = await open_connections(self.path, self._schema, None)
            self._intact.remember()
            self._locked = None
            for connection in former:
                await connection.close()
            locked.leave()

    @property
    def broken(self) -> SoulmemError | None:
        """Why nothing is written any more; None while it is."""
        return self._commits.broken

    @property
    def commits(self) -> int:
        """How often something was written since the file was opened; while this stays, what is in it does."""
        return self._commits.commits

    @property
    def withdrawn(self) -> int:
        """How often something that was written came to nothing; in the writer thread.

        Whoever keeps there what he wrote must forget it when this has grown.
        """
        return self._commits.withdrawn

    async def followed(self) -> None:
        """Wait until what was committed so far has had its effects (`after`), which come a moment behind the commit."""
        await in_thread(self._writer, lambda _connection: None)  # the answers of the drains before it come first

    def _refuse_closed(self) -> None:
        if self._closed:
            raise self._because or SoulmemError(ErrorName.STOPPING, f"{self.path.name} is closed", retry_after_ms=1000)

    async def checkpoint(self, *, truncate: bool = False) -> int:
        """Move the write-ahead log into the file; only the writer connection ever does this. Bytes of the log.

        Without `truncate` a disk that takes no more is no error: what is in the log is safe there, and goes later.
        """
        mode = "TRUNCATE" if truncate else "PASSIVE"
        wal = self.path.with_name(f"{self.path.name}-wal")

        def run(connection: Connection) -> int:
            try:
                size = wal.stat().st_size
            except OSError:  # there is none, or nobody lets us look: what is in it is safe there
                size = 0
            if size and not connection.in_transaction:
                try:
                    connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
                    self._intact.remember_size()
                except driver.DatabaseError as error:
                    if truncate:
                        raise
                    self._commits.heed(error)
                    return 0
            return size

        try:
            return await in_thread(self._writer, run)
        finally:
            self.tell()

    async def give_back(self) -> None:
        """Let go of the pages that both connections keep, up to 8 MB each: who comes reads them again."""
        for connection in (self._writer, self._reader):
            with suppress(driver.DatabaseError):  # a damaged file is told of by whoever reads or writes it
                await in_thread(connection, lambda each: each.execute("PRAGMA shrink_memory").close())

    async def shrink(self, pages: int) -> None:
        """Give so many free pages of the file back (`store.sqlite.vacuum`)."""
        await self.write("space", lambda connection: self._intact.may_shrink_to(vacuum.give_back(connection, pages)))

    async def alone(self, run: Callable[[Connection], T]) -> T:
        """Run `run(connection)` in the writer thread outside of any transaction while nobody reads.

        Raises SoulmemError: the storage errors.
        """

        def remembered(connection: Connection) -> T:
            try:
                return run(connection)
            finally:  # in the writer's thread: the write that comes next must know that the file is smaller
                self._intact.remember_size()

        self._refuse_closed()
        try:
            return await run_alone(partial(in_thread, self._writer), partial(in_thread, self._reader), remembered)
        except driver.DatabaseError as error:
            raise storage_error(error, self.path) from error

    async def close(self, because: SoulmemError | None = None) -> None:
        """Finish what is queued, then close the reader, checkpoint and close the writer.

        `because`: what later calls are told; None is that it is closed.
        """
        if self._closed:
            return
        self._closed = True
        self._because = because
        with anyio.CancelScope(shield=True):
            await self._reader.close()
            while self._queue:
                await in_thread(self._writer, lambda _connection: None)  # one drain passes before this
            try:
                await self.checkpoint(truncate=True)
            except driver.DatabaseError:
                pass  # a full or vanished disk must not keep the daemon from stopping; the log is replayed at open
            finally:
                await self._writer.close()
                if self._locked is not None:
                    self._locked.leave()

    def _submit(self) -> None:
        connection = self._writer._conn
        batch = _Batch(asyncio.get_running_loop(), self._answer)
        # The one use of aiosqlite's internals: its public calls cost an event-loop hop per statement.
        self._writer._tx.put_nowait((cast("asyncio.Future[Any]", batch), lambda: self._drain(connection)))

    def _drain(self, connection: Connection) -> list[Operation]:
        """In the writer thread: commit everything queued so far as one transaction."""
        self._scheduled = False  # first, so that an operation queued from now on asks for its own drain
        batch: list[Operation] = []
        while self._queue and len(batch) < BATCH:
            batch.append(self._queue.popleft())
        if batch:
            self._commits.commit(connection, batch)
        return batch

    def _answer(self, batch: list[Operation]) -> None:
        failed: list[Exception] = []
        _safely(self.tell, failed)
        while self._commits.changes:
            _safely(partial(self._told, self._commits.changes.popleft()), failed)
        for operation in batch:
            if operation.error is None and operation.after is not None:
                _safely(partial(operation.after, operation.result), failed)
            if operation.future.done():
                continue  # the caller went away
            if operation.error is None:
                operation.future.set_result(operation.result)
            else:
                translated = storage_error(operation.error, self.path)
                if translated is not operation.error:
                    translated.__cause__ = operation.error
                operation.future.set_exception(translated)
        if self._queue and not self._scheduled:
            self._scheduled = True
            self._submit()
        if failed:  # told to the loop once everybody is answered: what was committed stays committed
            raise failed[0]


class _Batch:
    """What aiosqlite's thread is given instead of a future, which would take the event loop one more turn."""

    __slots__ = ("_answer", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, answer: Callable[[list[Operation]], None]) -> None:
        self._loop = loop
        self._answer = answer

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def done(self) -> bool:
        return False

    def set_result(self, operations: list[Operation]) -> None:
        self._answer(operations)

    def set_exception(self, error: BaseException) -> None:
        raise error  # a drain turns whatever happens into errors of its operations


def _safely(effect: Callable[[], None], failed: list[Exception]) -> None:
    """Run an effect of a commit; one that fails must not keep others from their answers."""
    try:
        effect()
    except Exception as error:
        failed.append(error)
