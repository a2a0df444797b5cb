"""The log of a file, cut off while something is written into it: noticed before that is acknowledged, and only then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite import offline_reader
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection

_FRAME_BYTES = 4096 + 24
_CUTS = (0, 1, 40, 5_000, -_FRAME_BYTES - 1, -_FRAME_BYTES, -4_000, -2_500)  # bytes that stay; negative: that go


def _note(connection: Connection, number: int, size: int = 3_000) -> None:
    text = f"{number} " + "x" * size
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (f"k{number}", text))


def _size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


@pytest.mark.parametrize("stays", _CUTS)
def test_a_log_cut_amid_a_write_is_not_acknowledged(tmp_path: Path, stays: int) -> None:
    path = tmp_path / "catalog.db"
    log = Path(f"{path}-wal")

    async def live() -> None:
        database = await Database.open(path, schema="catalog")
        for number in range(6):
            await database.write("note", lambda connection, number=number: _note(connection, number))  # type: ignore[misc]

        def amid(connection: Connection) -> None:
            _note(connection, 100)
            size = _size(log)
            os.truncate(log, stays if stays >= 0 else size + stays)

        with pytest.raises(SoulmemError, match="lost its log") as caught:
            await database.write("harmed", amid)
        assert caught.value.name is ErrorName.STORAGE_DAMAGED
        with pytest.raises(SoulmemError):
            await database.write("later", lambda connection: _note(connection, 101))
        await database.close()

    anyio.run(live)


def test_a_log_that_is_folded_begun_anew_and_left_half_written_is_whole(tmp_path: Path) -> None:
    """Whatever SQLite itself does with its log is no harm: thousands of commits, none refused."""
    path = tmp_path / "catalog.db"

    def broken(connection: Connection) -> None:
        for number in range(200):
            _note(connection, number, 40_000)  # more than its cache holds: written into the log, and given up
        raise ValueError("given up")

    async def live() -> None:
        database = await Database.open(path, schema="catalog")
        for number in range(1_200):
            size = (number * 7919) % 30_000
            await database.write("note", lambda connection, n=number, s=size: _note(connection, n % 50, s))  # type: ignore[misc]
            if number % 40 == 7:
                await database.checkpoint()
            if number % 400 == 9:
                await database.checkpoint(truncate=True)
            if number % 300 == 11:
                with pytest.raises(ValueError, match="given up"):
                    await database.write("given up", broken)
            if number % 250 == 3:
                await database.read(lambda connection: connection.execute("SELECT count(*) FROM meta").fetchone())
        assert database.broken is None
        await database.close()

    anyio.run(live)


_READS = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0.1).execute('SELECT * FROM meta').fetchall()"
_HOLDS = (
    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE'); "
    "print('holds', flush=True); sys.stdin.read()"
)


def _read_by_another(path: Path) -> bytes:
    """What another program that reads the file complains of."""
    return subprocess.run([sys.executable, "-c", _READS, str(path)], capture_output=True, check=False).stderr


def _held_by_another(path: Path) -> subprocess.Popen[bytes]:
    other = subprocess.Popen([sys.executable, "-c", _HOLDS, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    other.stdout.readline()
    return other


def _is_mapped(folder: Path) -> bool:
    """Whether anything of a folder is mapped into this process, or lies there to be mapped."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    return str(folder) in maps or any(each.name.endswith("-shm") for each in folder.iterdir())


def test_nothing_is_mapped_that_somebody_could_cut_off(tmp_path: Path) -> None:
    """The index of the log is no file, and no other program opens the file meanwhile; a look from aside is no harm."""
    path = tmp_path / "catalog.db"
    value = "SELECT value FROM meta WHERE key = 'k1'"

    async def live() -> None:
        database = await Database.open(path, schema="catalog")
        await database.write("note", lambda connection: _note(connection, 1))
        assert not _is_mapped(tmp_path)
        assert b"locked" in _read_by_another(path)
        assert offline_reader.look(path, lambda connection: connection.execute(value).fetchone())[0].startswith("1 x")
        await database.write("note", lambda connection: _note(connection, 2))
        await database.close()
        assert _read_by_another(path) == b""

    anyio.run(live)


def test_a_file_that_another_program_has_open_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"

    async def live() -> None:
        await (await Database.open(path, schema="catalog")).close()
        with _held_by_another(path) as other:
            with pytest.raises(SoulmemError, match="another program has") as caught:
                await Database.open(path, schema="catalog")
            assert caught.value.name is ErrorName.STORAGE_READONLY
            other.communicate()
        await (await Database.open(path, schema="catalog")).close()

    anyio.run(live)
