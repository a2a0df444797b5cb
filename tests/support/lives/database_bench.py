"""What is written to a mind's file by the tests of it, and how one write is held up while others queue."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection


def put(number: int, word: str = "茶 tea") -> Callable[[Connection], int]:
    def run(connection: Connection) -> int:
        connection.execute("INSERT INTO t VALUES (?, ?)", (number, word))
        return number

    return run


def stored(path: Path) -> set[int]:
    """What another process would find now."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return {row[0] for row in connection.execute("SELECT n FROM t")}
    finally:
        connection.close()


class Gate:
    """Holds the writer thread, so that what is written meanwhile queues up."""

    def __init__(self, database: Database) -> None:
        self._open = threading.Event()
        self._began = threading.Event()
        self._task = asyncio.ensure_future(database.write("gate", self._wait))

    def _wait(self, _connection: Connection) -> None:
        self._began.set()
        assert self._open.wait(10)

    async def __aenter__(self) -> Gate:
        assert await asyncio.to_thread(self._began.wait, 10)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._open.set()
        await self._task


async def queued(database: Database, *runs: Callable[[Connection], Any]) -> list[Any]:
    """Write all of them while the writer is busy: they wait together. Results and errors in order."""
    async with Gate(database):
        tasks = [asyncio.ensure_future(database.write("some", run)) for run in runs]
        await asyncio.sleep(0)
    return await asyncio.gather(*tasks, return_exceptions=True)
