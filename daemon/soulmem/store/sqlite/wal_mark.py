"""A mark in the write-ahead log: the last frame that was committed, by which one sees that nobody cut the log since.

SQLite writes each commit behind the last one, at a place that it keeps in memory. A log that was cut off meanwhile gets
a hole of zeros there, looks as long as before, and is read up to the hole when it is opened next: what came later is
lost, acknowledged or not. A committed frame stays as it is until the log begins anew, with another salt in its header;
so the bytes of the last one, compared after each commit, tell of every cut (sqlite.org/fileformat2.html, section 4).
Called by `file_replacement_check`; one opening and a few reads, ten microseconds. What lies behind the last commit, of
an earlier log or of a write that failed, is no concern of anybody.
"""

from __future__ import annotations

import os
from contextlib import suppress

_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_PAGE_SIZE = slice(8, 12)  # in the header of the log


class LogMark:
    """The last committed frame of one log, as far as it is known."""

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
