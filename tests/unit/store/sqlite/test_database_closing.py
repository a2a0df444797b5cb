"""The way out of a mind's file: what was queued is finished, the log is folded in, and it opens again."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from database_bench import put, queued, stored
from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import DatabaseError


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


def log_bytes(database: Database) -> int:
    log = Path(f"{database.path}-wal")
    return log.stat().st_size if log.exists() else 0


async def test_closing_finishes_what_was_queued_and_folds_the_log_in(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "a.db", schema="mind")
    await database.write("table", lambda connection: connection.execute("CREATE TABLE t (n INTEGER, word TEXT)"))
    tasks = [asyncio.ensure_future(database.write("put", put(number))) for number in range(30)]
    await asyncio.sleep(0)
    await database.close()
    await database.close()
    assert sorted(await asyncio.gather(*tasks)) == list(range(30))
    assert log_bytes(database) == 0
    assert stored(database.path) == set(range(30))
    for call in (database.write("late", put(99)), database.read(lambda connection: None)):
        with pytest.raises(SoulmemError) as caught:
            await call
        assert caught.value.name is ErrorName.STOPPING
    assert not [thread for thread in threading.enumerate() if "aiosqlite" in thread.name.lower()]


async def test_a_checkpoint_loses_nothing(database: Database) -> None:
    await queued(database, *(put(number) for number in range(100)))
    await database.checkpoint()
    await database.checkpoint(truncate=True)
    assert log_bytes(database) == 0
    assert await database.read(lambda connection: connection.execute("SELECT count(*) FROM t").fetchone()[0]) == 100


async def test_a_checkpoint_that_is_refused_is_made_later_and_harms_nobody(database: Database) -> None:
    def refuse(action: int, name: str | None, *_: str | None) -> int:
        refused = action == sqlite3.SQLITE_PRAGMA and name == "wal_checkpoint"
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK

    await queued(database, *(put(number) for number in range(10)))
    await database.write("refuse", lambda connection: connection.set_authorizer(refuse))
    assert await database.checkpoint() == 0
    with pytest.raises(DatabaseError):
        await database.checkpoint(truncate=True)
    await queued(database, put(10))
    await database.write("allow", lambda connection: connection.set_authorizer(None))
    assert await database.checkpoint() > 0
    assert await database.read(lambda connection: connection.execute("SELECT count(*) FROM t").fetchone()[0]) == 11


async def test_a_checkpoint_that_meets_a_closed_file_is_told_so(tmp_path: Path) -> None:
    """A tick may come while a damaged mind is being shut: it must not take the daemon along."""
    found = await Database.open(tmp_path / "mira.db", schema="mind")
    await found.close()
    with pytest.raises(SoulmemError) as refused:
        await found.checkpoint()
    assert refused.value.name is ErrorName.STOPPING


async def test_it_opens_again_with_what_it_held(tmp_path: Path) -> None:
    for life in range(3):
        database = await Database.open(tmp_path / "记忆 a.db", schema="mind")
        await database.write(
            "table", lambda connection: connection.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER, word TEXT)")
        )
        await database.write("put", put(life))
        await database.close()
    assert stored(tmp_path / "记忆 a.db") == {0, 1, 2}
