"""A table of rows in 6-bit numbers that stays on the disk: four numbers in three bytes, gathered row by row.

Written when a model is installed, read by `multilingual_embedder`. The vocabulary of 128,000 rows of 512 numbers takes
49 MB instead of 262; what is read of it is let go again, so that it does not become resident. Invariant: unpacking
gives back the numbers that were packed.
"""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MOST = 63  # the largest number that six bits hold
_LET_GO = 512  # rows that are read before their pages are let go: the kernel maps 16 pages and more around each
Bytes = NDArray[np.uint8]


def packed(rows: Bytes) -> Bytes:
    """Rows (n, 4 q) of numbers up to 63 as (n, 3 q) bytes.

    The first three quarters of a row lie in the low six bits; the last quarter is spread over the high two of each.
    """
    first, second, third, last = np.split(rows, 4, axis=1)
    parts = [first | (last & 3) << 6, second | (last >> 2 & 3) << 6, third | (last >> 4) << 6]
    return np.concatenate(parts, axis=1)


def unpacked(rows: Bytes) -> Bytes:
    """What `packed` was given."""
    first, second, third = np.split(rows, 3, axis=1)
    last = first >> 6 | (second >> 6) << 2 | (third >> 6) << 4
    return np.concatenate([rows & MOST, last], axis=1)


class PackedTable:
    """Rows of a file by number; safe for threads."""

    def __init__(self, file: Path, width: int) -> None:
        """Args: width: the numbers of a row.

        Raises OSError, ValueError: the file is missing, empty or of another size.
        """
        row_bytes = width // 4 * 3
        with file.open("rb") as stream:
            self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        if len(self._map) % row_bytes:
            raise ValueError(f"{file.name} holds no whole rows of {width} numbers")
        self._rows = np.frombuffer(self._map, dtype=np.uint8).reshape(-1, row_bytes)
        self._read = 0

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, numbers: NDArray[np.int64]) -> Bytes:
        """The rows of these numbers, (n, width)."""
        found = unpacked(self._rows[numbers])
        self._read += len(numbers)
        if self._read > _LET_GO:
            self._read = 0
            self._map.madvise(mmap.MADV_DONTNEED)
        return found
