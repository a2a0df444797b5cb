"""The two private calls of aiosqlite that the store leans on: a queue of (future, function), and `_execute`."""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
import threading
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from soulmem.store.sqlite import driver


def memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


async def opened(connector: Any = memory) -> Any:
    """An open connection; of no type, because what is tried here is private."""
    return await aiosqlite.Connection(connector, 64)


async def test_a_connection_takes_any_connector(tmp_path: Path) -> None:
    for connector in (memory, driver.writer(tmp_path / "a.db")):
        connection = await opened(connector)
        assert connection._conn.execute("SELECT 1").fetchone() == (1,)
        await connection.close()


async def test_what_is_put_on_the_queue_runs_in_the_connection_thread() -> None:
    connection = await opened()
    try:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        connection._tx.put_nowait((future, threading.get_ident))
        thread = await asyncio.wait_for(future, 5)
        assert thread != threading.get_ident()
        assert thread == await connection._execute(threading.get_ident)
    finally:
        await connection.close()


async def test_the_queue_keeps_its_order() -> None:
    connection = await opened()
    try:
        loop = asyncio.get_running_loop()
        done: list[int] = []
        futures = []
        for number in range(50):
            future: asyncio.Future[Any] = loop.create_future()
            connection._tx.put_nowait((future, partial(done.append, number)))
            futures.append(future)
        await asyncio.wait_for(asyncio.gather(*futures), 5)
        assert done == list(range(50))
    finally:
        await connection.close()


async def test_an_error_reaches_the_future_and_the_thread_lives_on() -> None:
    connection = await opened()
    try:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        connection._tx.put_nowait((future, lambda: 1 / 0))
        with pytest.raises(ZeroDivisionError):
            await asyncio.wait_for(future, 5)
        assert await connection._execute(lambda: 7) == 7
    finally:
        await connection.close()


async def test_a_cancelled_future_does_not_end_the_thread() -> None:
    connection = await opened()
    try:
        gate = threading.Event()
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        connection._tx.put_nowait((future, lambda: gate.wait(5)))
        future.cancel()
        gate.set()
        assert await asyncio.wait_for(connection._execute(lambda: "alive"), 5) == "alive"
    finally:
        await connection.close()


async def test_execute_hands_its_arguments_on() -> None:
    connection = await opened()
    try:
        assert await connection._execute(lambda *args, **kwargs: (args, kwargs), 1, 2, three=3) == (
            (1, 2),
            {"three": 3},
        )
    finally:
        await connection.close()


def test_the_shape_of_what_is_private() -> None:
    parameters = list(inspect.signature(aiosqlite.Connection.__init__).parameters)
    assert parameters[1:3] == ["connector", "iter_chunk_size"]
    assert inspect.iscoroutinefunction(aiosqlite.Connection._execute)
    assert isinstance(inspect.getattr_static(aiosqlite.Connection, "_conn"), property)


async def test_whatever_answers_like_a_future_is_answered_on_the_loop(tmp_path: Path) -> None:
    class Answered:
        def __init__(self) -> None:
            self.loop = asyncio.get_running_loop()
            self.told: asyncio.Future[tuple[object, int]] = self.loop.create_future()

        def get_loop(self) -> asyncio.AbstractEventLoop:
            return self.loop

        def done(self) -> bool:
            return False

        def set_result(self, result: object) -> None:
            self.told.set_result((result, threading.get_ident()))

    connection = await aiosqlite.connect(tmp_path / "a.db")
    try:
        answered = Answered()
        connection._tx.put_nowait((answered, lambda: 7))
        assert await answered.told == (7, threading.get_ident())
    finally:
        await connection.close()
