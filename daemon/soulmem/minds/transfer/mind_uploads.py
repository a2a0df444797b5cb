"""Minds on their way in: lines that come piece by piece, and become a mind when all are there.

They lie in a file without a name until then, so a crash leaves nothing of them. Called by the methods of the protocol.
Invariants: a piece that is sent again is the same piece; a mind is there wholly or not at all, and never in place of
another.
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from pathlib import Path
from typing import IO, BinaryIO, cast

import anyio
import anyio.to_thread

from soulmem.core.calendar.clock_leaps import WrongTime
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.minds.registry import MindRegistry
from soulmem.ops.settings.config_loader import Config, mind_settings
from soulmem.store.revision import wrong_clock_repair
from soulmem.store.session import mind_rebuilding
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.session.mind_rebuilding import Source

_MOST = 4  # at once
_REST_S = 600.0  # after which one that nobody goes on with is over
_MOST_BYTES = 64 << 30


@dataclass(slots=True)
class _Upload:
    mind: str
    lines: IO[bytes]
    over: asyncio.TimerHandle


class MindUploads:
    """Takes lines in and makes minds of them."""

    def __init__(self) -> None:
        self._under_way: dict[str, _Upload] = {}

    async def begin(self, minds: MindRegistry, name: str, seal: str | None) -> str | None:
        """A cursor to go on with; None where the mind is there already and was made of lines of this seal.

        Raises SoulmemError: `mind_exists`, `storage_full`.
        """
        if name in minds.names():
            made_of = await anyio.to_thread.run_sync(mind_rebuilding.seal_of, minds.directory / f"{name}.db")
            if seal is None or made_of != seal:
                raise SoulmemError(
                    ErrorName.MIND_EXISTS, f"there is already a mind {name!r}", hint="give it another name"
                )
            return None
        for older in [each for each, upload in self._under_way.items() if upload.mind == name]:
            self._end(older)
        if len(self._under_way) >= _MOST:
            self._end(next(iter(self._under_way)))  # which has rested longest
        key = secrets.token_hex(8)
        try:
            lines = tempfile.TemporaryFile(dir=minds.directory.parent)  # noqa: SIM115 - kept until the upload is over
        except OSError as error:
            raise _full(error) from error
        over = asyncio.get_running_loop().call_later(_REST_S, self._end, key)
        self._under_way[key] = _Upload(name, lines, over)
        return f"{key}.0"

    async def take(self, name: str, cursor: str, text: str) -> str:
        """Take a piece in; where the next begins.

        Raises SoulmemError: `version_conflict` where there is no such upload, or a piece before it is missing.
        """
        upload, key, place = self._of(name, cursor)
        data = text.encode()
        try:
            end = await anyio.to_thread.run_sync(_write, upload.lines, place, data)
        except ValueError as error:
            raise _over() from error
        except OSError as error:
            raise _full(error) from error
        upload.over.cancel()
        upload.over = asyncio.get_running_loop().call_later(_REST_S, self._end, key)
        self._under_way[key] = self._under_way.pop(key, upload)
        return f"{key}.{end}"

    async def finish(self, minds: MindRegistry, config: Config, name: str, cursor: str) -> None:
        """Make the mind of what came in.

        Raises SoulmemError: `invalid_params` where it is no whole mind; `mind_exists`; the storage errors.
        """
        upload, key, place = self._of(name, cursor)
        upload.over.cancel()

        def check(who: Identity) -> None:
            config.for_mind(who.profile, mind_settings({}, who.settings))

        def make(file: Path, wrong: list[WrongTime]) -> None:
            upload.lines.truncate(place)
            upload.lines.seek(0)
            source = Source(cast("BinaryIO", upload.lines), name, check)
            mind_rebuilding.build(source, file, lambda connection: wrong_clock_repair.prepare(connection, wrong))

        try:
            with anyio.CancelScope(shield=True):
                await minds.adopt(name, make)
        finally:
            self._end(key)

    def _of(self, name: str, cursor: str) -> tuple[_Upload, str, int]:
        key, _, told = cursor.partition(".")
        upload = self._under_way.get(key)
        if upload is None or upload.mind != name or not (told.isascii() and told.isdigit() and len(told) < 16):
            raise _over()
        return upload, key, int(told)

    def _end(self, key: str) -> None:
        upload = self._under_way.pop(key, None)
        if upload is not None:
            upload.over.cancel()
            upload.lines.close()


def _write(lines: IO[bytes], place: int, data: bytes) -> int:
    """Put a piece behind those before it, in place of what was put there. Raises ValueError: one is missing."""
    size = lines.seek(0, 2)
    if place > size or place + len(data) > _MOST_BYTES:
        message = "a piece before this one is missing"
        raise ValueError(message)
    lines.truncate(place)
    lines.seek(place)
    lines.write(data)
    lines.flush()
    return place + len(data)


def _full(error: OSError) -> SoulmemError:
    return SoulmemError(
        ErrorName.STORAGE_FULL, f"the mind cannot be written: {error.strerror}", hint="free some space, then repeat"
    )


def _over() -> SoulmemError:
    return SoulmemError(
        ErrorName.VERSION_CONFLICT,
        "there is no such import: a piece is missing, or nobody went on with it",
        hint="begin again, without a cursor",
    )
