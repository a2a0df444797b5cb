"""A mark in the write-ahead log: the last frame that was committed, by which one sees that nobody cut the log since.

SQLite writes each commit behind the last one, at a place that it keeps in memory. A log that was cut off meanwhile
gets a hole of zeros there, looks as long as before, and is read up to the hole when it is opened next: what came later
is lost, acknowledged or not. A committed frame stays as it is until the log begins anew, with another salt in its
header; so the bytes of the last one, compared after each commit, tell of every cut (sqlite.org/fileformat2.html,
section 4). Called by `intact`; one opening and a few reads, ten microseconds.
"""

from __future__ import annotations

import os
from contextlib import suppress

_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_PAGE_SIZE, _SALT = slice(8, 12), slice(16, 24)  # in the header of the log
_COMMITS, _FRAME_SALT = slice(4, 8), slice(8, 16)  # in the header of a frame: zero in one that ends no commit
_MOST_FRAMES = 512  # looked at after one commit; where it wrote more, the mark follows with the next ones


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

    def holds(self) -> bool:
        """After a commit: is the log whole up to the mark? If so the mark moves on. True where nothing can be told."""
        with suppress(OSError):
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                return self._follow(descriptor)
            finally:
                os.close(descriptor)
        return True

    def _follow(self, descriptor: int) -> bool:
        header = os.pread(descriptor, _HEADER_BYTES, 0)
        size = os.fstat(descriptor).st_size
        if size and header[:4] not in _MAGIC:
            return False
        if header == self._header and self._at:
            if os.pread(descriptor, len(self._frame), self._at) != self._frame:
                return False
        else:
            self._header, self._at = header, 0
        stride = _FRAME_HEADER_BYTES + int.from_bytes(header[_PAGE_SIZE], "big")
        tail = _HEADER_BYTES + (size - _HEADER_BYTES) // stride * stride - stride
        if self._is_commit(os.pread(descriptor, _FRAME_HEADER_BYTES, max(tail, 0))) and tail >= _HEADER_BYTES:
            self._at = tail
        else:
            self._walk(descriptor, stride)
        if self._at:
            self._frame = os.pread(descriptor, stride, self._at)
        return True

    def _walk(self, descriptor: int, stride: int) -> None:
        """Go on to the last commit: what lies beyond is of an earlier log, or of what was never committed."""
        place = self._at + stride if self._at else _HEADER_BYTES
        for _ in range(_MOST_FRAMES):
            frame = os.pread(descriptor, _FRAME_HEADER_BYTES, place)
            if frame[_FRAME_SALT] != self._header[_SALT]:
                return
            if self._is_commit(frame):
                self._at = place
            place += stride

    def _is_commit(self, frame: bytes) -> bool:
        return frame[_FRAME_SALT] == self._header[_SALT] and any(frame[_COMMITS])
