"""Whoever reads a file sees one moment of it, however many statements he needs and whoever commits between them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from soulmem.store.sqlite import driver
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    found = await Database.open(tmp_path / "mira.db", schema="mind")
    try:
        await found.write("table", lambda connection: connection.execute("CREATE TABLE told (n INTEGER, word TEXT)"))
        yield found
    finally:
        await found.close()


@pytest.fixture
def other(database: Database) -> Iterator[Connection]:
    """A connection beside the two of the database."""
    with closing(driver.writer(database.path)()) as connection:
        yield connection


def tell(connection: Connection, number: int) -> None:
    connection.execute("INSERT INTO told VALUES (?, '榛子 hazelnut')", (number,))


def numbers(connection: Connection) -> list[int]:
    return [row[0] for row in connection.execute("SELECT n FROM told ORDER BY n")]


async def test_two_statements_see_the_same(database: Database, other: Connection) -> None:
    tell(other, 1)

    def look(connection: Connection) -> tuple[list[int], int, list[int]]:
        before = numbers(connection)
        tell(other, 2)
        count = connection.execute("SELECT count(*) FROM told").fetchone()[0]
        with driver.snapshot(connection):  # one within another is of the same moment
            return before, count, numbers(connection)

    assert await database.read(look) == ([1], 1, [1])
    assert await database.read(numbers) == [1, 2], "and the next reader sees what came meanwhile"


@pytest.mark.parametrize("wrong", ["SELECT word FROM nowhere", ""])
async def test_a_reader_that_fails_holds_no_moment(database: Database, other: Connection, wrong: str) -> None:
    def fail(connection: Connection) -> None:
        numbers(connection)
        tell(other, 3)
        if wrong:
            connection.execute(wrong)
        raise KeyError("郁金香")

    with pytest.raises(Exception, match="nowhere" if wrong else "郁金香"):
        await database.read(fail)
    assert await database.read(numbers) == [3]
    assert not await database.read(lambda connection: driver.of_one_moment(connection, lambda _: None))


async def test_a_moment_that_was_read_keeps_no_log(database: Database) -> None:
    log = database.path.with_name(f"{database.path.name}-wal")
    for number in range(20):
        await database.write("tell", lambda connection, number=number: tell(connection, number))
        assert len(await database.read(numbers)) == number + 1
    assert log.stat().st_size
    await database.checkpoint(truncate=True)
    assert log.stat().st_size == 0


async def test_whoever_reads_for_long_stops_no_write_and_no_checkpoint(database: Database, other: Connection) -> None:
    def look(connection: Connection) -> tuple[int, int]:
        before = len(numbers(connection))
        for number in range(20):
            tell(other, number)
        busy, *_ = other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        assert not busy
        return before, len(numbers(connection))

    assert await database.read(look) == (0, 0)
    assert await database.read(numbers) == list(range(20))
