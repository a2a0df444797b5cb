"""Group commit: many writes in one transaction, each with its own result or error.

Part of a `Database`, called in its writer thread. Operations of one kind that stand next to each other are done
jointly where they can be; one that fails is taken back alone. Invariant: behind a commit of which nobody knows whether
it is on the disk, nothing is written any more (`broken`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite import driver
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.file_replacement_check import Intact
from soulmem.store.sqlite.storage_errors import is_failed_flush, storage_error


@dataclass(frozen=True, slots=True)
class Joint:
    """How operations of one kind that stand next to each other are done at once: `run(connection, items)`.

    It returns one result for each item, in order; should it raise, nothing stays, and each is done by itself. `at_once`
    does the same outside of any transaction with a single statement, or raises and has written nothing; it is tried
    first when nobody else waits, for each further statement costs turns of the interpreter's lock. What is watched
    (`watch`) is not asked about afterwards: it must touch nothing of that.
    """

    run: Callable[[Connection, Sequence[Any]], Sequence[Any]]
    item: Any
    at_once: Callable[[Connection, Sequence[Any]], Sequence[Any]] | None = None


@dataclass(slots=True)
class Operation:
    name: str
    run: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    after: Callable[[Any], None] | None
    joint: Joint | None = None
    result: Any = None
    error: BaseException | None = None


class GroupCommit:
    """Commits batches of operations into one file.

    `broken`: why nothing is written any more. `withdrawn`: how often something that was written came to nothing.
    `commits`: how many there were. `changes`: what the watcher found in each transaction, to be told on the event loop.
    """

    def __init__(self, path: Path, intact: Intact) -> None:
        self._path = path
        self._intact = intact
        self._owed: Callable[[Connection], object] | None = None
        self._after_owed: Callable[[], None] = lambda: None
        self._collect: Callable[[Connection], object] | None = None
        self.broken: SoulmemError | None = None
        self.withdrawn = 0
        self.commits = 0
        self.changes: deque[object] = deque()

    def owe(self, run: Callable[[Connection], object], after: Callable[[], None]) -> None:
        """Something that goes before the next write, in its transaction; `after` runs on the event loop then."""
        self._owed, self._after_owed = run, after

    def watch(self, collect: Callable[[Connection], object]) -> None:
        """Ask `collect` in the last moment of each transaction."""
        self._collect = collect

    def commit(self, connection: Connection, batch: Sequence[Operation]) -> None:
        """Do the operations in one transaction; results and errors are left in them."""
        if self.broken is not None:  # by the commit behind which these waited
            for operation in batch:
                operation.error = self.broken
            return
        try:
            self._intact.check()
            if self._owed is None and self._at_once(connection, batch):
                return
            connection.execute("BEGIN IMMEDIATE")
            if self._owed is not None:
                self._owed(connection)
            for crowd in _crowds(batch):
                if len(crowd) == 1 or not self._apply_jointly(connection, crowd):
                    for operation in crowd:
                        self._apply(connection, operation, alone=len(batch) == 1)
            if len(batch) == 1 and batch[0].error is not None:
                self.withdrawn += 1
                connection.execute("ROLLBACK")
            else:
                changes = self._collect(connection) if self._collect is not None else None
                connection.execute("COMMIT")
                self.commits += 1
                self._intact.check_log(driver.committed_frames(connection))
                if changes is not None:
                    self.changes.append(changes)
                if self._owed is not None:
                    self._owed = None
                    batch[0].future.get_loop().call_soon_threadsafe(self._after_owed)
        except BaseException as error:
            self.withdrawn += 1
            self.heed(error)
            self._take_back(connection)
            for operation in batch:
                operation.error = operation.error or self.broken or error

    def _take_back(self, connection: Connection) -> None:
        """End a transaction that failed; one that cannot be ended must take nobody's write in: none comes any more."""
        try:
            if connection.in_transaction:  # SQLite has already rolled back after some errors
                connection.execute("ROLLBACK")
        except Exception as error:
            self.broken = SoulmemError(
                ErrorName.STORAGE_READONLY,
                f"a failed write to {self._path.name} could not be taken back: {error}",
                hint="check the disk, then restart the daemon",
            )

    def look(self) -> None:
        """See whether the files are still those that were opened; where they are not, `broken` says so."""
        try:
            self._intact.check()
        except SoulmemError as error:
            self.heed(error)

    def heed(self, error: BaseException) -> None:
        """After a failed fsync nobody knows what is on the disk, nor in a damaged one: write no more until then."""
        translated = storage_error(error, self._path)
        if isinstance(translated, SoulmemError) and translated.name is ErrorName.STORAGE_DAMAGED:
            self.broken = translated
            return
        if is_failed_flush(error, self._path):
            self.broken = SoulmemError(
                ErrorName.STORAGE_READONLY,
                f"the disk under {self._path.name} failed to flush",
                hint="check the disk, then restart the daemon",
            )

    def _at_once(self, connection: Connection, batch: Sequence[Operation]) -> bool:
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
            self.withdrawn += 1
            return False
        self.commits += 1
        self._intact.check_log(driver.committed_frames(connection))
        for operation, result in zip(batch, results, strict=True):
            operation.result = result
        return True

    def _apply(self, connection: Connection, operation: Operation, *, alone: bool) -> None:
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
            self.withdrawn += 1
            connection.execute("ROLLBACK TO operation")
        connection.execute("RELEASE operation")

    def _apply_jointly(self, connection: Connection, crowd: Sequence[Operation]) -> bool:
        """Do like operations at once; False when that failed and left nothing."""
        joints = [operation.joint for operation in crowd if operation.joint is not None]
        connection.execute("SAVEPOINT crowd")
        try:
            results = joints[0].run(connection, [joint.item for joint in joints])
        except Exception:
            if not connection.in_transaction:
                raise
            self.withdrawn += 1
            connection.execute("ROLLBACK TO crowd")
            connection.execute("RELEASE crowd")
            return False
        connection.execute("RELEASE crowd")
        for operation, result in zip(crowd, results, strict=True):
            operation.result = result
        return True


def _crowds(batch: Sequence[Operation]) -> list[list[Operation]]:
    """The batch in order, operations of one kind that stand next to each other together."""
    crowds: list[list[Operation]] = []
    for operation in batch:
        before = crowds[-1][-1].joint if crowds else None
        if operation.joint is not None and before is not None and before.run == operation.joint.run:
            crowds[-1].append(operation)
        else:
            crowds.append([operation])
    return crowds
