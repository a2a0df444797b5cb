"""A file that gives space back is not taken for one that was cut off, whichever commit makes it smaller."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite import vacuum
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection

_ROW, _ROWS = 4_000, 600  # bytes; rows in one transaction
_PAGES = 64


def filled(connection: Connection) -> None:
    connection.executemany("INSERT INTO t VALUES (?)", [(os.urandom(_ROW),)] * _ROWS)


@pytest.fixture
async def emptied(tmp_path: Path) -> AsyncIterator[Database]:
    """A file of which nearly all is free and was given back in the log, while the file is as long as before."""
    found = await Database.open(tmp_path / "mira.db", schema="mind")
    try:
        await _fill_and_empty(found)
        yield found
    finally:
        await found.close()


async def _fill_and_empty(found: Database) -> None:
    await found.write("table", lambda connection: connection.execute("CREATE TABLE t (blob BLOB)"))
    for _ in range(4):
        await found.write("fill", filled)
    await found.write("empty", lambda connection: connection.execute("DELETE FROM t"))
    await found.checkpoint(truncate=True)
    before = found.path.stat().st_size
    while pages := await found.read(vacuum.spare_pages, _PAGES):
        await found.shrink(pages)
    assert found.path.stat().st_size == before


async def test_a_commit_may_bring_the_checkpoint_that_cuts_the_file(emptied: Database) -> None:
    before = shortest = emptied.path.stat().st_size
    for _ in range(16):  # SQLite moves its log into the file by itself after eight thousand pages
        await emptied.write("fill", filled)
        await emptied.write("empty", lambda connection: connection.execute("DELETE FROM t"))
        shortest = min(shortest, emptied.path.stat().st_size)
    assert shortest < before, "it was cut off by a commit"


async def test_what_is_shorter_than_what_was_kept_is_still_damaged(emptied: Database) -> None:
    os.truncate(emptied.path, 4_096)
    with pytest.raises(SoulmemError) as refused:
        await emptied.write("fill", filled)
    assert refused.value.name is ErrorName.STORAGE_DAMAGED
