"""Whether the files under an open mind are still those that were opened: what nobody may change behind our back.

SQLite keeps on with what it has open: a file that was unlinked or replaced takes writes that nobody will ever read, and
one that was cut off loses them, as does its log. So with rights (`file_rights`). Asked by `database` in its threads
before anything is touched and before anything is acknowledged; a few calls of the system, some microseconds.
Invariant: what cannot be told for certain is no harm. (The index of the log, which SQLite would map and die of when it
is cut off, is no file: `driver`.)
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite.writing.file_rights import FileRights, lost

_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_PAGE_SIZE = slice(8, 12)  # in the header of the log


class LogMark:
    """The last committed frame of one log, as far as it is known: by it one sees that nobody cut the log since.

    SQLite writes each commit behind the last one, at a place that it keeps in memory. A log that was cut off meanwhile
    gets a hole of zeros there, looks as long as before, and is read up to the hole when it is opened next. A committed
    frame stays as it is until the log begins anew, with another salt in its header (sqlite.org/fileformat2.html,
    section 4). One opening and a few reads, ten microseconds.
    """

    __slots__ = ("_at", "_frame", "_header", "_path")

    def __init__(self, path: str) -> None:
        self._path = path
        self._header = b""
        self._at = 0  # where the frame begins; 0: none is known
        self._frame = b""

    def forget(self) -> None:
        """The log may begin anew: its owner has emptied it."""
        self._header, self._at, self._frame = b"", 0, b""

    def holds(self, frames: int) -> bool:
        """After a commit: is the log whole up to the mark? If so the mark moves on. True where nothing can be told.

        `frames`: how many frames of the log are committed, as SQLite knows it.
        """
        with suppress(OSError):
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                return self._follow(descriptor, frames)
            finally:
                os.close(descriptor)
        return True

    def _follow(self, descriptor: int, frames: int) -> bool:
        header = os.pread(descriptor, _HEADER_BYTES, 0)
        if frames <= 0:
            self.forget()
            return True
        if header[:4] not in _MAGIC:
            return False
        is_same = header == self._header and self._at > 0
        if is_same and os.pread(descriptor, len(self._frame), self._at) != self._frame:
            return False
        stride = _FRAME_HEADER_BYTES + int.from_bytes(header[_PAGE_SIZE], "big")
        self._header, self._at = header, _HEADER_BYTES + (frames - 1) * stride
        self._frame = os.pread(descriptor, stride, self._at)
        return len(self._frame) == stride


class Intact:
    """The files of one database, as they were when it was opened, or last asked about."""

    def __init__(self, path: Path) -> None:
        self._path = os.fspath(path)
        self._name = path.name
        self._file: tuple[int, int] | None = None
        self._bytes = 0
        self._least: int | None = None  # bytes; its owner gave all others back, and a checkpoint may cut them off
        self._log_bytes = -1  # of the log when it was last asked about; -1: there was none, or it could not be told
        self._mark = LogMark(f"{self._path}-wal")
        self.rights = FileRights(self._path)

    def remember(self) -> None:
        """These are the files: they were just opened, or their owner has made them smaller."""
        try:
            found = os.stat(self._path)
            self._file, self._bytes, self._least = (found.st_dev, found.st_ino), found.st_size, None
        except OSError:
            self._file = None
        self._log_bytes = self._log_size(-1)
        self._mark.forget()
        self.rights.remember()

    def remember_size(self) -> None:
        """The file may be smaller now: its owner has let go of what it does not need."""
        with suppress(OSError):
            self._bytes = os.stat(self._path).st_size
        self._log_bytes = self._log_size(-1)
        if self._log_bytes <= 0:
            self._mark.forget()
            self._least = None

    def may_shrink_to(self, size: int) -> None:
        """Its owner gives back all but so many bytes; any commit behind that may be the one that cuts the file off."""
        self._least = size if self._least is None else min(size, self._least)

    def check_log(self, frames: int | None) -> None:
        """Something was just committed into the log of the file, which never becomes shorter by itself.

        Args: frames: how many frames of the log are committed; None where SQLite does not tell.
        Raises: SoulmemError: `storage_damaged`, when it was cut off while that was written.
        """
        before, self._log_bytes = self._log_bytes, self._log_size(self._log_bytes)
        if self._file is not None and (
            self._log_bytes < before or (frames is not None and not self._mark.holds(frames))
        ):
            raise self._harmed("lost its log while it was written")

    def check(self) -> None:
        """Before a commit.

        Raises SoulmemError: `storage_damaged`, when the file is gone, another, or cut off; `storage_readonly`, while it
        may not be written.
        """
        if self._file is None:
            return
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            if self._is_disk_gone():
                return
            raise self._harmed("was removed while it was open") from None
        except PermissionError:
            raise lost(self._path) from None
        except OSError:
            return  # not to be told: what is written to it says more
        if (found.st_dev, found.st_ino) != self._file:
            raise self._harmed("was replaced while it was open")
        if found.st_size < (self._bytes if self._least is None else min(self._bytes, self._least)):
            raise self._harmed("was cut off while it was open")
        self._bytes = found.st_size
        size, log = self._log(self._log_bytes)
        if size < self._log_bytes:
            raise self._harmed("lost its log while it was open")
        self.rights.check(found, log)

    def _log_size(self, untold: int) -> int:
        return self._log(untold)[0]

    def _log(self, untold: int) -> tuple[int, os.stat_result | None]:
        """Bytes of the log, and what was found of it; -1 where there is none, `untold` where that cannot be told."""
        try:
            found = os.stat(f"{self._path}-wal")
            return found.st_size, found
        except FileNotFoundError:
            return untold if self._is_disk_gone() else -1, None
        except OSError:
            return untold, None

    def _is_disk_gone(self) -> bool:
        """With all that lies on it, which is another matter than one file."""
        return not os.path.exists(os.path.dirname(self._path))

    def _harmed(self, how: str) -> SoulmemError:
        return SoulmemError(
            ErrorName.STORAGE_DAMAGED,
            f"{self._name} {how}",
            hint="put the file back or a backup in its place, then restart the daemon; nothing is written till then",
        )
