"""How alike two statements are, and choosing many-sided ones: maximal marginal relevance.

After Carbonell & Goldstein (SIGIR 1998). Likeness is the overlap of content terms and, where an embedder
can read the text, the cosine of vectors; cosines are rounded so that batch effects cannot flip an order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from soulmem.errors import SoulmemError
from soulmem.ports import Embedder, FloatMatrix

MOST_EMBEDDED = 32
_EMBEDDED_CHARACTERS = 120
_READABLE = 0.5


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Share of the smaller term set found in the other, 0..1; sets of one or two terms never count as alike."""
    if min(len(left), len(right)) < 3:
        return 1.0 if left and left == right else 0.0
    return len(left & right) / min(len(left), len(right))


def vectors_of(texts: Sequence[str], embedder: Embedder | None) -> FloatMatrix | None:
    """Unit vectors, or None without an embedder that can read these texts (or one that does not answer)."""
    if embedder is None or not 2 < len(texts) <= MOST_EMBEDDED:
        return None
    sample = " ".join(text[:200] for text in texts[:12])
    if embedder.coverage(sample) < _READABLE:
        return None
    try:
        return embedder.embed([text[:_EMBEDDED_CHARACTERS] for text in texts])
    except SoulmemError:
        return None


def diverse_order(
    scores: Sequence[float], terms: Sequence[frozenset[str]], vectors: FloatMatrix | None
) -> list[tuple[int, float]]:
    """Indices, best first, with their marginal score: own score less what is already said.

    A statement loses up to 0.6 as its likeness to one already chosen goes from 0.5 to 1; with vectors the
    central ones gain up to 0.05.
    """
    count = len(scores)
    if not count:
        return []
    value = np.array(scores, dtype=np.float64)
    likeness: FloatMatrix | None = None
    if vectors is not None:
        likeness = np.round(vectors @ vectors.T, 2)
        value = value + 0.05 * np.round((likeness.sum(axis=1) - 1) / max(count - 1, 1), 2)
    value = np.round(value, 4)
    penalty = np.zeros(count)
    left = list(range(count))
    order: list[tuple[int, float]] = []
    while left:
        best = max(left, key=lambda index: (value[index] - penalty[index], -index))
        order.append((best, round(float(value[best] - penalty[best]), 4)))
        left.remove(best)
        for index in left:
            alike = overlap(terms[best], terms[index])
            if likeness is not None:
                alike = max(alike, float(likeness[best, index]) - 0.15)
            penalty[index] = max(penalty[index], round(1.2 * max(0.0, alike - 0.5), 4))
    return order
