"""Exclusive write: the one connection that writes works while the one that reads stands still.

Called by `database` for what SQLite does only where nobody reads: cutting off the write-ahead log. The reader waits in
its own thread, at most for a while, so that a writer that dies takes nobody along.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import anyio

from soulmem.store.sqlite.driver import Connection

T = TypeVar("T")
InThread = Callable[[Callable[[Connection], Any]], Coroutine[Any, Any, Any]]

_LONGEST_S = 60.0


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
