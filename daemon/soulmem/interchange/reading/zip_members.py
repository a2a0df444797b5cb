"""What stands in a zip archive that somebody else made, read where it lies and never unpacked under its names.

Bounds that are checked before and while it is read: how many members there are, how large each becomes, and that none
becomes much larger than what it was packed from.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from soulmem.interchange.reading.byte_sources import ByteSource, UnreadableError

MOST_MEMBERS = 20_000
_MOST_BYTES = 4 << 30  # of a member
_FREELY_BYTES = 64 << 20  # may become of any member
_MOST_RATIO = 200
_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\x05\x06"
_COMMENT_BYTES = 65_535
_DIRECTORY_BYTES = 8 << 20
_ENCRYPTED = 1


def members(path: Path) -> Iterator[ByteSource | str]:
    """The files of an archive by name; a line where one is not to be read.

    Raises UnreadableError: it is no archive that can be read, or one that is made to harm.
    """
    _refuse_crowded(path)
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        message = f"the archive cannot be read: {error}"
        raise UnreadableError(message) from error
    with archive:
        for info in sorted(archive.infolist(), key=lambda each: each.filename):
            if not info.is_dir():
                yield _member(archive, info)


def _refuse_crowded(path: Path) -> None:
    """Look at the end of the archive, before the list of what is in it is read into memory."""
    with path.open("rb") as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(max(0, size - _END.size - _COMMENT_BYTES))
        tail = stream.read()
    place = tail.rfind(_END_MARK)
    if place < 0 or len(tail) - place < _END.size:
        message = "the archive is cut off: its list of files is not there"
        raise UnreadableError(message)
    *_, count, directory, _offset, _comment = _END.unpack_from(tail, place)
    if count > MOST_MEMBERS or directory > _DIRECTORY_BYTES:
        message = f"the archive holds more than {MOST_MEMBERS:,} files"
        raise UnreadableError(message)


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> ByteSource | str:
    name = info.filename
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if ".." in parts or name.startswith(("/", "\\")) or ":" in (parts[0] if parts else ""):
        return "a file in the archive leads out of it"
    if info.flag_bits & _ENCRYPTED:
        return "a file in the archive is encrypted"
    bound = max(_FREELY_BYTES, _MOST_RATIO * info.compress_size)
    if info.file_size > min(_MOST_BYTES, bound):
        return "a file in the archive becomes far larger than it is packed: a zip bomb"

    def opened() -> BinaryIO:
        try:
            return cast("BinaryIO", _Bounded(archive.open(info), bound))
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
            message = f"it cannot be unpacked: {error}"
            raise UnreadableError(message) from error

    return ByteSource(name, opened, info.file_size, is_file=False)


class _Bounded(io.BufferedIOBase):
    """A member as it is unpacked; more than it may become is an error, and so is a wrong checksum."""

    def __init__(self, stream: Any, bound: int) -> None:
        self._stream = stream
        self._left = bound

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._stream.close()
        super().close()

    def read(self, size: int | None = -1) -> bytes:
        return self._counted(self._stream.read, size)

    def read1(self, size: int = -1) -> bytes:
        return self._counted(self._stream.read1, size)

    def readline(self, size: int | None = -1) -> bytes:
        return self._counted(self._stream.readline, size)

    def _counted(self, read: Any, size: int | None) -> bytes:
        wanted = self._left + 1 if size is None or size < 0 else min(size, self._left + 1)
        try:
            data: bytes = read(wanted)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
            message = f"it cannot be unpacked: {error}"
            raise UnreadableError(message) from error
        self._left -= len(data)
        if self._left < 0:
            message = "it becomes far larger than it is packed: a zip bomb"
            raise UnreadableError(message)
        return data
