"""The catalogue is made anew for all who ask at once, keeps what can be read, is tried again where it could not be."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from full_disks import leave, small_disk
from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.journal import catalog
from soulmem.store.journal.catalog_file import CatalogFile

_NAMES = ["luna", "mira"]


class _Heard:
    """What the log would be told of a catalogue."""

    def __init__(self, book: CatalogFile) -> None:
        self.told: list[str] = []
        self.made_anew = 0
        book.follow(
            lambda: _NAMES,
            told=lambda error: self.told.append("" if error is None else error.name.value),
            exposed=self.told.append,
            made_anew=self._count,
        )

    def _count(self) -> None:
        self.made_anew += 1


async def _learn(book: CatalogFile) -> None:
    await book.write("sync", lambda connection: catalog.sync(connection, _NAMES))
    await book.write("fact", lambda connection: catalog.set_fact(connection, "last_seen_ms", "7"))
    spent = catalog.Spending("mira", 1, 100, 0.5)
    await book.write("spending", partial(catalog.put_spending, rows=[spent]))


async def test_all_who_ask_at_once_are_answered(tmp_path: Path) -> None:
    book = await CatalogFile.open(tmp_path / "catalog.db")
    heard = _Heard(book)
    await _learn(book)
    (tmp_path / "catalog.db").unlink()
    asked = [book.write(f"put {each}", partial(catalog.set_fact, key=f"k{each}", value="v")) for each in range(20)]
    read = [book.read(catalog.entries) for _ in range(20)]
    _, entries = await asyncio.gather(asyncio.gather(*asked), asyncio.gather(*read))
    assert [[entry.mind for entry in each] for each in entries] == [_NAMES] * 20
    assert [await book.read(catalog.fact, f"k{each}") for each in range(20)] == ["v"] * 20
    assert await book.read(catalog.fact, "last_seen_ms") == "7", "what can still be read is kept"
    assert [row.tokens for row in await book.read(catalog.spending, 1)] == [100]
    assert (heard.told, heard.made_anew) == (["storage_damaged", ""], 1)
    await book.close()
    again = await CatalogFile.open(tmp_path / "catalog.db")
    assert [entry.mind for entry in await again.read(catalog.entries)] == _NAMES
    await again.close()


async def test_where_no_other_can_be_made_it_is_tried_again(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=4) as disk:
        book = await CatalogFile.open(disk / "catalog.db")
        heard = _Heard(book)
        await _learn(book)
        with suppress(OSError):
            leave(disk, 0)
        (disk / "catalog.db").rename(disk / "elsewhere")
        for _ in range(3):
            with pytest.raises(SoulmemError) as caught:
                await book.write("late", lambda connection: catalog.set_fact(connection, "late", "1"))
            assert caught.value.name in (ErrorName.STORAGE_FULL, ErrorName.STORAGE_DAMAGED)
        (disk / "filling").unlink()
        await book.write("late", lambda connection: catalog.set_fact(connection, "late", "2"))
        assert await book.read(catalog.fact, "late") == "2"
        assert await book.read(catalog.fact, "last_seen_ms") == "7"
        assert (heard.told, heard.made_anew) == (["storage_damaged", ""], 1)
        await book.close()
