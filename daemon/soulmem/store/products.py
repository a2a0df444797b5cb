"""Products: the vectors of a large mind times that of a question, on two cores at once.

Reading the vectors of 100,000 notes takes one core longer than everything else of a recall together. `open_mind` gives
`product` to the index it fills. The event loop does its part of the work and waits for nothing but the piece that a
helper is at, so that a busy machine costs no more than one core would. Invariant: the numbers are to the last bit those
of `matrix @ vector`.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LARGE = 1 << 23  # numbers: below, waking a helper costs more than it saves
_PIECE = 4_096  # rows; a multiple of the rows that a kernel of BLAS takes at once, or the last ones would differ


def product(matrix: Floats, vector: Floats) -> Floats:
    """`matrix @ vector` for (n, d) and (d,)."""
    if matrix.size < LARGE:
        return np.asarray(matrix @ vector)
    found = np.empty(len(matrix), dtype=np.float32)
    pieces = deque(range(0, len(matrix), _PIECE))

    def work_off() -> None:
        while pieces:
            try:
                first = pieces.popleft()
            except IndexError:  # the other one was faster
                return
            part = slice(first, first + _PIECE)
            np.matmul(matrix[part], vector, out=found[part])

    helping = _helper().submit(work_off)
    work_off()
    if not helping.cancel():
        helping.result()
    return found


@cache
def _helper() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "soulmem-product")
