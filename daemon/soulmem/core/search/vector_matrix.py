"""Vector matrix: the vectors of an index, one float32 row a slot, and the cosine of each of them to one vector.

A hundred thousand vectors are 150 MB, and one core reads them half as fast as two. So the product is cut into pieces
that two threads take as they come: a helper that gets no processor costs nothing, whoever asked works on. BLAS lets go
of the interpreter meanwhile. Invariant: the pieces are as long as whatever BLAS works off at a time is wide, so that a
cosine does not depend on where a piece begins. Rows are those of `core.search.index_columns`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema import two_part_vectors

Floats = NDArray[np.float32]

PIECE = 2_048  # rows; 3 MB of 384 components, a quarter of a millisecond
WIDE = 64  # rows; more than BLAS works off at a time
WORTH_IT = 16 * PIECE  # rows; below, handing half of it over takes as long as doing it


class VectorMatrix:
    """The vectors of one index; rows without one are zero."""

    def __init__(self, dimension: int, capacity: int, shared_from: int) -> None:
        """Args: shared_from: where the part of a vector begins that every text has (`core.schema.two_part_vectors`); 0:
        there is one part."""
        self.shared_from = shared_from
        self._vectors = np.zeros((capacity if dimension else 0, dimension), dtype=np.float32)
        self._shares = np.ones(len(self._vectors), dtype=np.float32)  # of each vector, that part

    @property
    def dimension(self) -> int:
        """Components of a vector; 0 while there is none."""
        return int(self._vectors.shape[1])

    def grow(self, capacity: int, dimension: int) -> None:
        """Make room for so many rows. Raises: ValueError where vectors of another dimension are held."""
        if self._vectors.shape == (capacity, dimension):
            return
        if self.dimension not in {0, dimension}:
            raise ValueError(f"a vector of {dimension} values in an index of {self.dimension}")
        grown = np.zeros((capacity, dimension), dtype=np.float32)
        if self.dimension:
            grown[: len(self._vectors)] = self._vectors
        wider = np.ones(capacity, dtype=np.float32)
        wider[: len(self._shares)] = self._shares
        self._vectors, self._shares = grown, wider

    def put(self, rows: slice, vectors: Floats, seen: NDArray[np.bool_] | None = None) -> None:
        """Write the vectors of these rows, for which there is room; zeros for those that are not `seen`."""
        self._vectors[rows] = vectors
        if seen is not None and not seen.all():
            self._vectors[rows][~seen] = 0
        if self.shared_from:
            self._shares[rows] = two_part_vectors.shares(self._vectors[rows], self.shared_from)

    def copy(self, row: int, to: int) -> None:
        """Give one row the vector of another."""
        self._vectors[to], self._shares[to] = self._vectors[row], self._shares[row]

    def keep(self, rows: NDArray[np.int64], capacity: int) -> None:
        """Keep only these rows, numbered from 1."""
        if self.dimension:
            kept = self._vectors[rows]
            self._vectors = np.zeros((capacity, self.dimension), dtype=np.float32)
            self._shares = np.ones(capacity, dtype=np.float32)
            self.put(slice(1, len(rows) + 1), kept)

    def cosines(self, vector: Floats, count: int) -> Floats:
        """The cosine of the first `count` rows to a unit vector, as (count,)."""
        whole = -(-count // WIDE) * WIDE  # or the last rows would be summed up in another order than the others
        held, asked = self._vectors[:whole], vector.astype(np.float32, copy=False)
        if not self.shared_from:
            return parallel_cosines(held, asked)[:count]
        shares = self._shares[:whole]
        return two_part_vectors.cosines_to(held, shares, asked, self.shared_from, parallel_cosines)[:count]

    def of(self, rows: NDArray[np.int64]) -> Floats:
        """The vectors of these rows, (n, d)."""
        return np.asarray(self._vectors[rows], dtype=np.float32)

    def cosines_of(self, rows: NDArray[np.int64], vector: Floats) -> Floats:
        """The cosine of each of these rows to a unit vector."""
        return two_part_vectors.cosines(self._vectors[rows], vector[None, :], self.shared_from)[:, 0]


def parallel_cosines(vectors: Floats, vector: Floats, *, worth_it: int = WORTH_IT) -> Floats:
    """The product of an (n, d) matrix of unit vectors with one, as (n,)."""
    if len(vectors) < worth_it or (os.cpu_count() or 1) < 2:
        return vectors @ vector
    found = np.empty(len(vectors), dtype=np.float32)
    pieces = iter(range(0, len(vectors), PIECE))  # shared: taking the next one is a single step of the interpreter
    helped = _helper().submit(_work_off, pieces, vectors, vector, found)
    _work_off(pieces, vectors, vector, found)
    if not helped.cancel():
        helped.result()
    return found


def _work_off(pieces: Iterator[int], vectors: Floats, vector: Floats, found: Floats) -> None:
    for start in pieces:
        part = slice(start, start + PIECE)
        np.matmul(vectors[part], vector, out=found[part])


@cache
def _helper() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "soulmem-scan")
