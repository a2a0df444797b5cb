"""Term frequencies: which rows hold the terms of a question and how often, for all of its terms at once.

Called by `core.search.memory_index` with what `core.search.postings` lists. A question of Chinese has some thirty
terms, so what is done for each of them is what costs; here it is done once. Invariant: what comes out of a term does
not depend on the others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from soulmem.core.search.index_columns import Rows
from soulmem.fast_dataclasses import dataclass

Counts = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tally:
    """The rows of several terms, one term after the other, each row once: `rows[bounds[i]:bounds[i + 1]]` of term i.

    `counts`: how often the term stands there. `listed` are the rows as they came, once per occurrence, term i from
    `listed_from[i]` on.
    """

    rows: NDArray[np.int64]
    counts: Counts
    bounds: list[int]
    listed: NDArray[np.int32]
    listed_from: list[int]

    def found(self) -> list[int]:
        """In how many rows each term stands."""
        return [stop - start for start, stop in zip(self.bounds, self.bounds[1:], strict=False)]

    def of(self, terms: list[int], held: Rows) -> tuple[NDArray[np.int64], Counts, list[int]]:
        """(rows, counts, rows of each) of these terms, by their places; where turns stand beside others, as
        `Rows.occurrences` reads them.
        """
        if held.stand_alone:
            parts = [slice(self.bounds[term], self.bounds[term + 1]) for term in terms]
            pieces = [(self.rows[part], self.counts[part]) for part in parts]
        else:
            pieces = [
                held.occurrences(self.listed[self.listed_from[term] : self.listed_from[term + 1]]) for term in terms
            ]
        if not pieces:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32), []
        rows, counts = (np.concatenate(column) for column in zip(*pieces, strict=True))
        return rows, counts, [len(row) for row, _ in pieces]


def tally(listed: NDArray[np.int32], sizes: NDArray[np.int64], kept: NDArray[np.bool_] | None = None) -> Tally:
    """Count the occurrences of several terms, given their rows as `Postings.gather` lists them.

    Args:
        kept: by row, which of them count; None: all.
    """
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    if kept is not None:
        counts_here = kept[listed]
        before = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum(counts_here, out=before[1:])
        listed, starts = listed[counts_here], before[starts]
    is_first = np.ones(len(listed) + 1, dtype=np.bool_)  # one more, where the last row ends
    np.not_equal(listed[1:], listed[:-1], out=is_first[1:-1])
    is_first[starts] = True  # the same row may end one term and begin the next
    edges = np.flatnonzero(is_first)
    return Tally(
        rows=listed[edges[:-1]].astype(np.int64),
        counts=(edges[1:] - edges[:-1]).astype(np.float32),
        bounds=edges.searchsorted(starts).tolist(),
        listed=listed,
        listed_from=starts.tolist(),
    )
