"""One SQLite file: its writer thread with group commit, its read-only reader, and the way out of both.

A write is a function of a connection. Functions that arrive while a commit is under way wait together and share
the next one: the writer thread drains the queue into one transaction, a savepoint each, and every caller is
answered only after COMMIT returned. A caller that goes away changes nothing: its write still commits and its
`after` effect still runs. Called by `mind` and `minds`; SQL itself lives in the files that own the tables.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import aiosqlite
import anyio

from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite import driver, migrations, mind_files
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.exclusive_write import run_alone
from soulmem.store.sqlite.file_replacement_check import Intact
from soulmem.store.sqlite.readonly_copy import LockedAway

T = TypeVar("T")
P = ParamSpec("P")

BATCH = 256  # operations in one commit at most
_NO_TEXT = "Could not decode to UTF-8"  # what the driver says of bytes that are no text, without a code
_SHORT_READ = 522  # of _IOERR: the file ends where it must not
_LACKS = ("no such table", "no such column")  # of a statement of ours: what the schema promises is not there
_BUSY, _FULL, _READONLY, _IOERR, _CORRUPT, _CANTOPEN, _NOTADB = 5, 13, 8, 10, 11, 14, 26


@dataclass(frozen=True, slots=True)
class Joint:
    """How operations of one kind that stand next to each other are done at once: `run(connection, items)`.

    It returns one result for each item, in order. Should it raise, nothing of it stays, and each is done by itself.
    `at_once`, if there is one, does the same outside of any transaction with a single statement, which SQLite makes a
    transaction of its own; it raises, and has written nothing, where they need more than that. It is tried first when
    nobody else waits: each further statement costs several turns of the interpreter's lock, a turn of it up to half a
    millisecond. What is watched (`watch`) is not asked about afterwards: it must touch nothing of that.
    """

    run: Callable[[Connection, Sequence[Any]], Sequence[Any]]
    item: Any
    at_once: Callable[[Connection, Sequence[Any]], Sequence[Any]] | None = None


@dataclass(slots=True)
class _Operation:
    name: str
    run: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    after: Callable[[Any], None] | None
    joint: Joint | None = None
    result: Any = None
    error: BaseException | None = None


def storage_error(error: BaseException, path: Path) -> BaseException:
    """Translate a driver's error into ours; anything else is returned as it is."""
    if not isinstance(error, driver.DatabaseError):
        return error
    code = getattr(error, "sqlite_errorcode", 0) or 0
    primary = code & 0xFF
    text = str(error)
    if code == _SHORT_READ:
        primary = _CORRUPT
    if primary in (_FULL, _IOERR) or "disk is full" in text:
        return SoulmemError(
            ErrorName.STORAGE_FULL,
            f"the disk under {path.name} takes no more: {text}",
            hint="free some space; the write may then be repeated, recall goes on working",
        )
    if "Too many open files" in text or (primary == _CANTOPEN and not mind_files.forbids(path)):
        return SoulmemError(
            ErrorName.OVERLOADED,
            f"too many files are open to open {path.name}",
            hint="try again; raise the limit of open files of the daemon (LimitNOFILE of its unit)",
            retry_after_ms=500,
        )
    if primary == _BUSY:
        return SoulmemError(
            ErrorName.STORAGE_READONLY,
            f"another program has {path.name} open",
            hint="close that program; a mind can be looked at while the daemon is stopped, or in a copy",
        )
    if primary in (_READONLY, _CANTOPEN):
        return SoulmemError(
            ErrorName.STORAGE_READONLY,
            f"{path.name} cannot be written: {text}",
            hint="check the owner and permissions of the state directory",
        )
    if text.startswith(_NO_TEXT):  # what it quotes is for no log
        text = "what stands where a text was is none"
        primary = _CORRUPT
    if primary in (_CORRUPT, _NOTADB) or text.startswith(_LACKS):
        return SoulmemError(
            ErrorName.STORAGE_DAMAGED,
            f"{path.name} is damaged or not a soulmem file: {text}",
            hint="restore the file from a backup, or move it away",
        )
    return error


class Database:
    """The open file of one mind (or the catalogue)."""

    def __init__(self, path: Path, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._queue: deque[_Operation] = deque()
        self._scheduled = False
        self._closed = False
        self._because: SoulmemError | None = None
        self._broken: SoulmemError | None = None
        self._owed: Callable[[Connection], object] | None = None
        self._after_owed: Callable[[], None] = lambda: None
        self._collect: Callable[[Connection], object] | None = None
        self._withdrawn = 0
        self._told: Callable[[Any], None] = lambda _changes: None
        self._changes: deque[object] = deque()
        self._locked: LockedAway | None = None  # it cannot be written where it lies
        self._unlocking = anyio.Lock()
        self._schema = ""
        self._intact = Intact(path)
        self._intact.remember()

    @classmethod
    async def open(cls, path: Path, *, schema: str) -> Database:
        """Open (or create) the file, bring its schema up to date.

        Args:
            path: the file.
            schema: which numbered migrations apply: `mind` or `catalog`.

        Raises:
            SoulmemError: `storage_damaged`, `storage_readonly` or `storage_full`.
        """
        locked = await anyio.to_thread.run_sync(LockedAway.of, path)
        opened = cls(path, *await _opened(path, schema, locked))
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

        Args:
            name: for people reading errors.
            run: synchronous; may be rolled back alone by raising.
            after: called with the result on the event loop once committed, even if the caller is gone.
            joint: how to do it together with its like, for operations that come in crowds.

        Raises:
            SoulmemError: the storage errors, or what `run` raised.
        """
        self._refuse_closed()
        if self._broken is not None:
            raise self._broken
        if self._locked is not None:
            await self._unlock(self._locked)
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.append(_Operation(name, run, future, after, joint))
        if not self._scheduled:
            self._scheduled = True
            # Not at once: whoever else writes in this turn of the loop comes along, undisturbed by the writer thread.
            asyncio.get_running_loop().call_soon(self._submit)
        return await future

    async def read(self, run: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `run(connection, ...)` on the read-only connection, which sees everything committed so far."""
        self._refuse_closed()
        try:
            return await _in_thread(self._reader, run, *args, **kwargs)
        except driver.DatabaseError as error:
            raise storage_error(error, self.path) from error

    def owe(self, run: Callable[[Connection], object], after: Callable[[], None]) -> None:
        """Something that could not be written yet: it goes before the next write, in its transaction, until committed.

        Args:
            after: called on the event loop once it is.
        """
        self._owed, self._after_owed = run, after

    def watch(self, collect: Callable[[Connection], T | None], told: Callable[[T], None]) -> None:
        """Follow all commits: what `collect` finds in a transaction's last moment is told on the event loop after it.

        It is told in the order of the commits, before anybody is answered.
        """
        self._collect, self._told = collect, told

    async def _unlock(self, locked: LockedAway) -> None:
        """Open the file anew, for writing.

        Raises:
            SoulmemError: `storage_readonly`, while that cannot be.
        """
        async with self._unlocking:
            if self._locked is None:
                return
            locked.check()
            former = self._writer, self._reader
            self._writer, self._reader = await _opened(self.path, self._schema, None)
            self._intact.remember()
            self._locked = None
            for connection in former:
                await connection.close()
            locked.leave()

    @property
    def broken(self) -> SoulmemError | None:
        """Why nothing is written any more; None while it is."""
        return self._broken

    @property
    def withdrawn(self) -> int:
        """How often something that was written came to nothing; in the writer thread.

        Whoever keeps there what he wrote must forget it when this has grown.
        """
        return self._withdrawn

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
            size = wal.stat().st_size if wal.exists() else 0
            if size and not connection.in_transaction:
                try:
                    connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
                    self._intact.remember_size()
                except driver.DatabaseError as error:
                    if truncate:
                        raise
                    self._heed(error)
                    return 0
            return size

        return await _in_thread(self._writer, run)

    async def alone(self, run: Callable[[Connection], T]) -> T:
        """Run `run(connection)` in the writer thread outside of any transaction while nobody reads.

        Raises:
            SoulmemError: the storage errors.
        """

        def remembered(connection: Connection) -> T:
            try:
                return run(connection)
            finally:  # in the writer's thread: the write that comes next must know that the file is smaller
                self._intact.remember_size()

        self._refuse_closed()
        try:
            return await run_alone(partial(_in_thread, self._writer), partial(_in_thread, self._reader), remembered)
        except driver.DatabaseError as error:
            raise storage_error(error, self.path) from error

    async def close(self, because: SoulmemError | None = None) -> None:
        """Finish what is queued, then close the reader, checkpoint and close the writer.

        Args:
            because: what later calls are told; None is that it is closed.
        """
        if self._closed:
            return
        self._closed = True
        self._because = because
        with anyio.CancelScope(shield=True):
            await self._reader.close()
            while self._queue:
                await _in_thread(self._writer, lambda _connection: None)  # one drain passes before this
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

    def _drain(self, connection: Connection) -> list[_Operation]:
        """In the writer thread: commit everything queued so far as one transaction."""
        self._scheduled = False  # first, so that an operation queued from now on asks for its own drain
        batch: list[_Operation] = []
        while self._queue and len(batch) < BATCH:
            batch.append(self._queue.popleft())
        if not batch:
            return batch
        if self._broken is not None:  # by the commit behind which these waited
            for operation in batch:
                operation.error = self._broken
            return batch
        try:
            self._intact.check()
            if self._owed is None and self._at_once(connection, batch):
                return batch
            connection.execute("BEGIN IMMEDIATE")
            if self._owed is not None:
                self._owed(connection)
            for crowd in _crowds(batch):
                if len(crowd) == 1 or not self._apply_jointly(connection, crowd):
                    for operation in crowd:
                        self._apply(connection, operation, alone=len(batch) == 1)
            if len(batch) == 1 and batch[0].error is not None:
                self._withdrawn += 1
                connection.execute("ROLLBACK")
            else:
                changes = self._collect(connection) if self._collect is not None else None
                connection.execute("COMMIT")
                self._intact.check_log(driver.committed_frames(connection))
                if changes is not None:
                    self._changes.append(changes)
                if self._owed is not None:
                    self._owed = None
                    batch[0].future.get_loop().call_soon_threadsafe(self._after_owed)
        except BaseException as error:
            self._withdrawn += 1
            self._heed(error)
            self._take_back(connection)
            for operation in batch:
                operation.error = operation.error or self._broken or error
        return batch

    def _take_back(self, connection: Connection) -> None:
        """End a transaction that failed; one that cannot be ended must take nobody's write in: none comes any more."""
        try:
            if connection.in_transaction:  # SQLite has already rolled back after some errors
                connection.execute("ROLLBACK")
        except Exception as error:
            self._broken = SoulmemError(
                ErrorName.STORAGE_READONLY,
                f"a failed write to {self.path.name} could not be taken back: {error}",
                hint="check the disk, then restart the daemon",
            )

    def _heed(self, error: BaseException) -> None:
        """After a failed fsync nobody knows what is on the disk, nor in a damaged one: write no more until then."""
        translated = storage_error(error, self.path)
        if isinstance(translated, SoulmemError) and translated.name is ErrorName.STORAGE_DAMAGED:
            self._broken = translated
            return
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == _IOERR and not mind_files.is_full(self.path):
            self._broken = SoulmemError(
                ErrorName.STORAGE_READONLY,
                f"the disk under {self.path.name} failed to flush",
                hint="check the disk, then restart the daemon",
            )

    def _at_once(self, connection: Connection, batch: Sequence[_Operation]) -> bool:
        """Do a batch of like operations with one statement; False when nothing of it was done."""
        joints = [operation.joint for operation in batch if operation.joint is not None]
        if len(joints) < len(batch) or any(joint.run != joints[0].run for joint in joints):
            return False
        at_once = joints[0].at_once
        if at_once is None:
            return False
        try:
            results = at_once(connection, [joint.item for joint in joints])
        except Exception as error:
            if isinstance(error, driver.DatabaseError) and not isinstance(error, driver.IntegrityError):
                raise  # of the disk, as one at a COMMIT: what it refused is not tried again behind anybody's back
            self._withdrawn += 1
            return False
        self._intact.check_log(driver.committed_frames(connection))
        for operation, result in zip(batch, results, strict=True):
            operation.result = result
        return True

    def _apply(self, connection: Connection, operation: _Operation, *, alone: bool) -> None:
        if alone:
            try:
                operation.result = operation.run(connection)
            except Exception as error:
                operation.error = error
                if not connection.in_transaction:
                    raise
            return
        connection.execute("SAVEPOINT operation")
        try:
            operation.result = operation.run(connection)
        except Exception as error:
            operation.error = error
            if not connection.in_transaction:
                raise
            self._withdrawn += 1
            connection.execute("ROLLBACK TO operation")
        connection.execute("RELEASE operation")

    def _apply_jointly(self, connection: Connection, crowd: Sequence[_Operation]) -> bool:
        """Do like operations at once; False when that failed and left nothing."""
        joints = [operation.joint for operation in crowd if operation.joint is not None]
        connection.execute("SAVEPOINT crowd")
        try:
            results = joints[0].run(connection, [joint.item for joint in joints])
        except Exception:
            if not connection.in_transaction:
                raise
            self._withdrawn += 1
            connection.execute("ROLLBACK TO crowd")
            connection.execute("RELEASE crowd")
            return False
        connection.execute("RELEASE crowd")
        for operation, result in zip(crowd, results, strict=True):
            operation.result = result
        return True

    def _answer(self, batch: list[_Operation]) -> None:
        failed: list[Exception] = []
        while self._changes:
            _safely(partial(self._told, self._changes.popleft()), failed)
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

    def __init__(self, loop: asyncio.AbstractEventLoop, answer: Callable[[list[_Operation]], None]) -> None:
        self._loop = loop
        self._answer = answer

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def done(self) -> bool:
        return False

    def set_result(self, operations: list[_Operation]) -> None:
        self._answer(operations)

    def set_exception(self, error: BaseException) -> None:
        raise error  # a drain turns whatever happens into errors of its operations


def _safely(effect: Callable[[], None], failed: list[Exception]) -> None:
    """Run an effect of a commit; one that fails must not keep others from their answers."""
    try:
        effect()
    except Exception as error:
        failed.append(error)


def _crowds(batch: Sequence[_Operation]) -> list[list[_Operation]]:
    """The batch in order, operations of one kind that stand next to each other together."""
    crowds: list[list[_Operation]] = []
    for operation in batch:
        before = crowds[-1][-1].joint if crowds else None
        if operation.joint is not None and before is not None and before.run == operation.joint.run:
            crowds[-1].append(operation)
        else:
            crowds.append([operation])
    return crowds


async def _opened(
    path: Path, schema: str, locked: LockedAway | None
) -> tuple[aiosqlite.Connection, aiosqlite.Connection]:
    """The connections that write and read a file; of one that cannot be written both only read."""
    # A cancelled connect would leak a descriptor and a thread, so opening runs to its end.
    with anyio.CancelScope(shield=True):
        writes = driver.writer(path) if locked is None else driver.reader(locked.readable, traceless=True)
        reads = driver.reader(path) if locked is None else writes
        writer = await _connect(writes, path)
        try:
            await _in_thread(writer, migrations.migrate, path, schema)
            reader = await _connect(reads, path)
        except BaseException as error:
            await writer.close()
            translated = storage_error(error, path)
            if translated is error:
                raise
            raise translated from error
    return writer, reader


async def _connect(connector: Callable[[], Connection], path: Path) -> aiosqlite.Connection:
    connection = aiosqlite.Connection(connector, 64)
    try:
        return await connection
    except BaseException as error:
        # Its thread has been told to end; left alone it would post to an event loop that may be gone by then.
        await asyncio.to_thread(connection._thread.join)
        raise storage_error(error, path) from error


async def _in_thread(connection: aiosqlite.Connection, run: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    # Untyped and private, but stable within the pinned range; a contract test watches over it.
    try:
        result: T = await connection._execute(run, connection._conn, *args, **kwargs)  # type: ignore[no-untyped-call]
    except ValueError as error:
        if connection._connection is None:  # closed meanwhile
            raise SoulmemError(ErrorName.STOPPING, "the file is closed", retry_after_ms=1000) from error
        raise
    return result
