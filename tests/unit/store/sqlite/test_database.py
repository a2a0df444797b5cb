"""The file of a mind: shared commits, each durable when answered; one that fails harms nobody; the way out."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from database_bench import Gate, put, queued, stored
from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite.database import BATCH, Database
from soulmem.store.sqlite.driver import Connection, DatabaseError


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    found = await Database.open(tmp_path / "mira.db", schema="mind")
    try:
        await found.write(
            "table", lambda connection: connection.execute("CREATE TABLE t (n INTEGER UNIQUE, word TEXT)")
        )
        yield found
    finally:
        await found.close()


# -- commits -------------------------------------------------------------------------------------------------


async def test_a_write_is_durable_when_it_is_answered(database: Database) -> None:
    for number in range(20):
        assert await database.write("put", put(number)) == number
        assert number in stored(database.path)


async def test_the_file_is_set_up_as_promised(database: Database) -> None:
    def pragmas(connection: Connection) -> dict[str, Any]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}

    found: dict[str, Any] = {}
    async with Gate(database):
        pass
    await database.write("look", lambda connection: found.update(pragmas(connection)))
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    with pytest.raises(Exception, match="readonly"):
        await database.read(lambda connection: connection.execute("INSERT INTO t VALUES (1, 'x')"))


async def test_waiting_writes_share_one_transaction(database: Database) -> None:
    versions: list[int] = []

    def watch(connection: Connection) -> None:
        versions.append(connection.execute("SELECT total_changes()").fetchone()[0])
        assert connection.in_transaction

    def version(connection: Connection) -> int:
        """It changes with what another connection commits."""
        return int(connection.execute("PRAGMA data_version").fetchone()[0])

    before = await database.read(version)
    seen_inside: list[set[int]] = []

    def look(_connection: Connection) -> None:
        seen_inside.append(stored(database.path))

    results = await queued(database, *(put(number) for number in range(50)), look, watch)
    assert results[:50] == list(range(50))
    assert seen_inside == [set()], "all fifty stand or fall with one commit, which has not come yet"
    assert await database.read(version) != before
    assert stored(database.path) == set(range(50))


async def test_more_than_a_batch_is_written_in_order(database: Database) -> None:
    count = BATCH * 2 + 7
    assert await queued(database, *(put(number) for number in range(count))) == list(range(count))
    numbers = await database.read(lambda connection: connection.execute("SELECT n FROM t ORDER BY rowid").fetchall())
    assert [row[0] for row in numbers] == list(range(count))


async def test_readers_see_what_was_answered_and_nothing_earlier(database: Database) -> None:
    def count(connection: Connection) -> int:
        return int(connection.execute("SELECT count(*) FROM t").fetchone()[0])

    async with Gate(database):
        task = asyncio.ensure_future(database.write("put", put(1)))
        await asyncio.sleep(0.01)
        assert await database.read(count) == 0
    await task
    assert await database.read(count) == 1


async def test_reads_take_their_arguments(database: Database) -> None:
    def run(connection: Connection, low: int, *, high: int) -> list[int]:
        rows = connection.execute("SELECT n FROM t WHERE n BETWEEN ? AND ? ORDER BY n", (low, high))
        return [row[0] for row in rows]

    await queued(database, *(put(number) for number in range(9)))
    assert await database.read(run, 3, high=5) == [3, 4, 5]


# -- failures ------------------------------------------------------------------------------------------------


def broken(number: int) -> Callable[[Connection], None]:
    def run(connection: Connection) -> None:
        connection.execute("INSERT INTO t VALUES (?, 'half')", (number,))
        raise LookupError(f"no {number}")

    return run


async def test_one_that_fails_leaves_nothing_and_harms_nobody(database: Database) -> None:
    results = await queued(database, put(1), broken(2), put(3), put(1), put(4), broken(5))
    assert [result for result in results if isinstance(result, int)] == [1, 3, 4]
    assert isinstance(results[1], LookupError)
    assert isinstance(results[5], LookupError)
    assert "UNIQUE" in str(results[3])
    assert stored(database.path) == {1, 3, 4}
    with pytest.raises(LookupError):
        await database.write("alone", broken(6))
    assert await database.write("after", put(7)) == 7
    assert stored(database.path) == {1, 3, 4, 7}


async def test_an_effect_runs_after_the_commit_and_only_then(database: Database) -> None:
    seen: list[tuple[int, set[int]]] = []

    def after(number: int) -> None:
        seen.append((number, stored(database.path)))

    assert await database.write("put", put(1), after=after) == 1
    with pytest.raises(LookupError):
        await database.write("broken", broken(2), after=lambda _: seen.append((2, set())))
    assert seen == [(1, {1})]


async def test_an_operation_that_ends_the_transaction_harms_nobody_silently(database: Database) -> None:
    """A function must not commit or roll back by itself; if one does, no neighbour is told of a success it lost."""

    def rogue(connection: Connection) -> None:
        connection.execute("ROLLBACK")
        raise LookupError("rogue")

    results = await queued(database, put(1), rogue, put(2))
    told = {result for result in results if isinstance(result, int)}
    assert told <= stored(database.path)
    assert await database.write("after", put(9)) == 9


def deny_the_end(connection: Connection) -> None:
    """From now on neither COMMIT nor ROLLBACK comes through."""

    def allow(action: int, what: str | None, *_: str | None) -> int:
        refused = action == sqlite3.SQLITE_TRANSACTION and what in ("COMMIT", "ROLLBACK")
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK

    connection.set_authorizer(allow)


def tear_off(connection: Connection) -> None:
    connection.close()


@pytest.mark.parametrize("fault", [deny_the_end, tear_off])
@pytest.mark.parametrize("others", [0, 3])
async def test_a_transaction_that_cannot_be_taken_back_takes_nobody_in(
    database: Database, fault: Callable[[Connection], None], others: int
) -> None:
    """Everybody is answered, nothing is acknowledged, and what is written later does not end up in it."""

    def fail(connection: Connection) -> None:
        fault(connection)
        raise LookupError("a failed write")

    assert await database.write("put", put(1)) == 1
    async with asyncio.timeout(10):
        results = await queued(database, fail, *(put(number) for number in range(2, 2 + others)))
        assert isinstance(results[0], LookupError | SoulmemError)
        late = await asyncio.gather(database.write("late", put(9)), return_exceptions=True)
    assert [getattr(each, "name", None) for each in (*results[1:], *late)] == [ErrorName.STORAGE_READONLY] * (
        others + 1
    )
    assert await database.read(lambda connection: connection.execute("SELECT n FROM t").fetchall()) == [(1,)]
    await database.close()
    assert stored(database.path) == {1}


async def test_a_disk_that_is_gone_is_not_full(database: Database) -> None:
    """Nor does asking it keep anybody from an answer."""

    def fail(connection: Connection) -> None:
        connection.execute("ROLLBACK")
        error = DatabaseError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error

    away = database.path.parent.rename(database.path.parent.with_name("away"))
    try:
        async with asyncio.timeout(10):
            results = await queued(database, fail, put(1))
            with pytest.raises(SoulmemError) as late:
                await database.write("late", put(2))
    finally:
        away.rename(database.path.parent)
    assert isinstance(results[0], SoulmemError)
    assert isinstance(results[1], SoulmemError)
    assert late.value.name is ErrorName.STORAGE_READONLY


async def test_a_cancelled_caller_changes_nothing(database: Database) -> None:
    effects: list[int] = []
    async with Gate(database):
        task = asyncio.ensure_future(database.write("put", put(1), after=effects.append))
        other = asyncio.ensure_future(database.write("put", put(2)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await other == 2
    assert stored(database.path) == {1, 2}, "what was queued is written, whoever left"
    assert effects == [1]


async def test_many_cancelled_callers_and_the_thread_lives(database: Database) -> None:
    for number in range(100):
        task = asyncio.ensure_future(database.write("put", put(number)))
        await asyncio.sleep(0)
        task.cancel()
    assert await database.write("last", put(1000)) == 1000
    assert stored(database.path) == {*range(100), 1000}


async def test_a_slow_write_does_not_stop_the_loop(database: Database) -> None:
    goes_on = threading.Event()
    task = asyncio.ensure_future(database.write("slow", lambda _connection: goes_on.wait(60)))
    for _ in range(10):
        await asyncio.sleep(0.005)
    assert not task.done(), "the loop has gone round while the write was under way"
    goes_on.set()
    assert await task
