"""Parallel cosine: the cosine of every vector to one, by two threads where that is worth it.

A hundred thousand vectors are 150 MB, and one core reads them half as fast as two. Called by
`core.search.memory_index`. The product is cut into pieces that both threads take as they come, so that a helper that
gets no processor costs nothing: whoever asked works on. BLAS lets go of the interpreter meanwhile. Invariant: the
pieces are as long as whatever BLAS works off at a time is wide, so that a cosine does not depend on where a piece
begins.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

PIECE = 2_048  # rows; 3 MB of 384 components, a quarter of a millisecond
WORTH_IT = 16 * PIECE  # rows; below, handing half of it over takes as long as doing it


def cosines(vectors: Floats, vector: Floats, *, worth_it: int = WORTH_IT) -> Floats:
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
