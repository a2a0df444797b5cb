"""The two connections of a file, each with a thread of its own: one writes, one reads.

What SQLite does only where nobody reads, cutting off the write-ahead log, is done by `run_alone`: the reader waits in
its own thread meanwhile, at most for a while, so that a writer that dies takes nobody along.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
import anyio

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.readonly_copy import LockedAway
from soulmem.store.sqlite.storage_errors import storage_error

T = TypeVar("T")
InThread = Callable[[Callable[[Connection], Any]], Coroutine[Any, Any, Any]]
_LONGEST_S = 60.0


async def open_connections(
    path: Path, schema: str, locked: LockedAway | None
) -> tuple[aiosqlite.Connection, aiosqlite.Connection]:
    """The connections that write and read a file; of one that cannot be written both only read."""
    # A cancelled connect would leak a descriptor and a thread, so opening runs to its end.
    with anyio.CancelScope(shield=True):
        writes = driver.writer(path) if locked is None else driver.reader(locked.readable, traceless=True)
        reads = driver.reader(path) if locked is None else writes
        writer = await _connect(writes, path)
        try:
            await in_thread(writer, migrations.migrate, path, schema)
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


async def in_thread(connection: aiosqlite.Connection, run: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Run `run(connection, ...)` in the thread of a connection."""
    # Untyped and private, but stable within the pinned range; a contract test watches over it.
    try:
        result: T = await connection._execute(run, connection._conn, *args, **kwargs)  # type: ignore[no-untyped-call]  # of aiosqlite itself
    except ValueError as error:
        if connection._connection is None:  # closed meanwhile
            raise SoulmemError(ErrorName.STOPPING, "the file is closed", retry_after_ms=1000) from error
        raise
    return result


async def run_alone(writer: InThread, reader: InThread, run: Callable[[Connection], T]) -> T:
    """Run `run(connection)` in the writer's thread, outside of any transaction, while the reader waits.

    Args: writer, reader: run a function of a connection in its thread.
    Raises: DatabaseError: of the driver.
    """
    parked, released = threading.Event(), threading.Event()

    def park(_connection: Connection) -> None:
        parked.set()
        released.wait(_LONGEST_S)

    def undisturbed(connection: Connection) -> T:
        try:
            parked.wait(_LONGEST_S)
            return run(connection)
        finally:
            released.set()

    failed: list[Exception] = []
    results: list[T] = []
    with anyio.CancelScope(shield=True):  # or the reader would wait for nothing
        async with anyio.create_task_group() as group:
            group.start_soon(reader, park)
            try:
                results.append(await writer(undisturbed))
            except Exception as error:  # raised behind the group, which would wrap it
                failed.append(error)
            finally:
                released.set()
    if failed:
        raise failed[0]
    return results[0]
