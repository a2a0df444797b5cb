"""Exports under way: a mind as lines of one moment, handed out piece by piece.

The lines are written once, to a file without a name, while the mind goes on. Called by the methods of the protocol.
Invariant: what is deleted from the mind is not handed out any more, and its lines lie nowhere: the export is over then,
and so is one that nobody goes on with.
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import anyio.to_thread

from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.minds.registry import MindRegistry
from soulmem.store.session import mind_records
from soulmem.store.sqlite import driver, mind_files
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.storage_errors import storage_error

PIECE_BYTES = 128 * 1024
_MOST = 4  # at once
_REST_S = 60.0  # after which one that nobody goes on with is over


@dataclass(slots=True)
class _Export:
    mind: str
    lines: IO[bytes]
    size: int
    deletions: int
    over: asyncio.TimerHandle


class MindExports:
    """Hands out minds as lines."""

    def __init__(self) -> None:
        self._under_way: dict[str, _Export] = {}

    async def piece(self, minds: MindRegistry, name: str, cursor: str | None) -> dict[str, Any]:
        """A piece of the lines, and where the next begins; without a cursor the first of an export of now.

        Raises SoulmemError: `mind_not_found`; `version_conflict` where the export is over before its end; `overloaded`;
        the storage errors.
        """
        if cursor is None:
            key, place = await self._begin(minds, name), 0
        else:
            key, _, told = cursor.partition(".")
            place = int(told) if told.isascii() and told.isdigit() and len(told) < 16 else -1
        export = self._under_way.get(key)
        if export is None or export.mind != name or not 0 <= place <= export.size:
            raise _over()
        async with minds.use(name) as mind:
            if await mind.memory.database.read(_deletions) != export.deletions:
                self._end(key)
                raise _over()
        self._put_off(key, export)
        data = await anyio.to_thread.run_sync(_read, export.lines, place)
        end = place + len(data)
        if end >= export.size:
            self._end(key)
        return {
            "text": data.decode(), "bytes": export.size, "next_cursor": f"{key}.{end}" if end < export.size else None,
        }  # fmt: skip

    def forget(self, name: str) -> None:
        """Something was deleted from a mind: what of it is on its way out is over."""
        for key in [key for key, export in self._under_way.items() if export.mind == name]:
            self._end(key)

    @property
    def is_idle(self) -> bool:
        return not self._under_way

    async def _begin(self, minds: MindRegistry, name: str) -> str:
        if len(self._under_way) >= _MOST:
            raise SoulmemError(
                ErrorName.OVERLOADED, f"{_MOST} exports are under way", hint="end one of them", retry_after_ms=1000
            )
        async with minds.use(name) as mind:
            await mind.workers.recalls.catch_up()
            path, folder = mind.memory.database.path, minds.directory.parent
            lines, size, deletions = await anyio.to_thread.run_sync(_written, path, folder)
        key = secrets.token_hex(8)
        over = asyncio.get_running_loop().call_later(_REST_S, self._end, key)
        self._under_way[key] = _Export(name, lines, size, deletions, over)
        return key

    def _put_off(self, key: str, export: _Export) -> None:
        export.over.cancel()
        export.over = asyncio.get_running_loop().call_later(_REST_S, self._end, key)

    def _end(self, key: str) -> None:
        export = self._under_way.pop(key, None)
        if export is not None:
            export.over.cancel()
            export.lines.close()


def _written(path: Path, folder: Path) -> tuple[IO[bytes], int, int]:
    """All lines in a file without a name, their bytes, and how much had been deleted by then."""
    mind_files.refuse_irregular(path)
    try:
        lines = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - handed out, and closed when the export is over
        try:
            connection = driver.reader(path)()
            try:
                with driver.snapshot(connection):
                    deletions = _deletions(connection)
                    for line in mind_records.lines(connection):
                        lines.write(line)
            finally:
                connection.close()
            lines.flush()
            return lines, lines.tell(), deletions
        except BaseException:
            lines.close()
            raise
    except driver.DatabaseError as error:
        raise storage_error(error, path) from error
    except OSError as error:
        raise SoulmemError(
            ErrorName.STORAGE_FULL, f"the export cannot be written: {error.strerror}", hint="free some space"
        ) from error


def _deletions(connection: Connection) -> int:
    """How much was deleted for good so far."""
    rows = connection.execute(
        "SELECT coalesce(sum(seq), 0) FROM sqlite_sequence WHERE name IN ('erasure', 'purged')"
    ).fetchone()
    return int(rows[0])


def _read(lines: IO[bytes], place: int) -> bytes:
    """A piece that ends with a character."""
    with suppress(ValueError):  # it was closed meanwhile: the export is over
        lines.seek(place)
        data = lines.read(PIECE_BYTES)
        cut = len(data)
        if len(data) == PIECE_BYTES:
            while cut and data[cut - 1] & 0xC0 == 0x80:
                cut -= 1
            if cut and data[cut - 1] >= 0xC0:
                cut -= 1
        return data[:cut]
    raise _over()


def _over() -> SoulmemError:
    return SoulmemError(
        ErrorName.VERSION_CONFLICT,
        "this export is over: something was deleted since, or nobody went on with it",
        hint="begin again, without a cursor",
    )
