"""Tables of small numbers that stay on the disk and are gathered row by row: of six bits, or of four with a scale.

Written when a model is installed, read by `multilingual_embedder` and `e5_embedder`. A vocabulary of 128,000 rows of
512 numbers takes 49 MB instead of 262, one of 250,000 rows of 384 takes 54 MB instead of 384; what is read of it is let
go again, so that it does not become resident. Invariant: unpacking gives back the numbers that were packed.

A block (Q4_0 as llama.cpp has it) is 32 weights: a scale as float16, then 16 bytes, of which byte j holds weight j in
its low half and weight j + 16 in its high one, each 8 more than it is in steps of the scale.
"""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MOST = 63  # the largest number that six bits hold
_LET_GO = 512  # rows that are read before their pages are let go: the kernel maps 16 pages and more around each
BLOCK, BLOCK_BYTES = 32, 18
_MIDDLE = 8  # what a half byte holds for 0
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


def halves(blocks: Bytes) -> tuple[NDArray[np.float32], Bytes]:
    """The scale of each block (..., 18), (...), and its half bytes in the order of the weights, (..., 32)."""
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2")[..., 0].astype(np.float32)
    pairs = blocks[..., 2:]
    return scales, np.concatenate([pairs & 15, pairs >> 4], axis=-1)


def weights_of(blocks: Bytes) -> NDArray[np.float32]:
    """The weights of rows of blocks (n, b, 18), (n, 32 b)."""
    scales, numbers = halves(blocks)
    weights = (numbers.astype(np.float32) - _MIDDLE) * scales[..., None]
    return np.asarray(weights.reshape(len(blocks), -1), dtype=np.float32)


class MappedRows:
    """Rows of bytes of a file by number; safe for threads."""

    def __init__(self, file: Path, row_bytes: int) -> None:
        """Raises OSError, ValueError: the file is missing, empty or of another size."""
        with file.open("rb") as stream:
            self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        if len(self._map) % row_bytes:
            raise ValueError(f"{file.name} holds no whole rows of {row_bytes} bytes")
        self._rows = np.frombuffer(self._map, dtype=np.uint8).reshape(-1, row_bytes)
        self._read = 0

    def __len__(self) -> int:
        return len(self._rows)

    def gathered(self, numbers: NDArray[np.int64]) -> Bytes:
        """A copy of the rows of these numbers, (n, row_bytes)."""
        found: Bytes = self._rows[numbers]
        self._read += len(numbers)
        if self._read > _LET_GO:
            self._read = 0
            self._map.madvise(mmap.MADV_DONTNEED)
        return found


class PackedTable(MappedRows):
    """Rows of numbers of six bits."""

    def __init__(self, file: Path, width: int) -> None:
        """Args: width: the numbers of a row. Raises as `MappedRows` does."""
        super().__init__(file, width // 4 * 3)

    def rows(self, numbers: NDArray[np.int64]) -> Bytes:
        """The rows of these numbers, (n, width)."""
        return unpacked(self.gathered(numbers))


class BlockTable(MappedRows):
    """Rows of blocks."""

    def __init__(self, file: Path, width: int) -> None:
        """Args: width: the weights of a row. Raises as `MappedRows` does."""
        super().__init__(file, width // BLOCK * BLOCK_BYTES)

    def rows(self, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        """The rows of these numbers, (n, width)."""
        return weights_of(self.gathered(numbers).reshape(len(numbers), -1, BLOCK_BYTES))
