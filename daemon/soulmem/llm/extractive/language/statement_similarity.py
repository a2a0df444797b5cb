"""How alike two statements are, and choosing many-sided ones: maximal marginal relevance.

After Carbonell & Goldstein (SIGIR 1998). Likeness is the overlap of content terms and, where an embedder
can read the text, the cosine of vectors; cosines are rounded so that batch effects cannot flip an order. Only
the `MOST_EMBEDDED` statements for which it matters are embedded: a vector costs more than all the rest. Called
by the summary and by the splitter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from soulmem.core.numbers.number_words import TENS, UNITS
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.two_part_vectors import cosines, shared_from
from soulmem.errors import SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import Embedder, FloatMatrix
from soulmem.text_memo import text_memo

MOST_EMBEDDED = 12
_EMBEDDED_CHARACTERS = 96
_READABLE = 0.5
_CHINESE_NUMERAL = LazyPattern("[零一二两三四五六七八九十百千万]")
_NUMBER_WORDS = frozenset((*UNITS[2:], *TENS, *"hundred thousand first second third fourth fifth".split()))


@dataclass(frozen=True, slots=True)
class Pick:
    """One choice: which statement, its score less what is already said, and its likeness 0..1 to that."""

    index: int
    score: float
    alike: float


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Share of the smaller term set found in the other, 0..1; sets of one or two terms never count as alike."""
    smaller = min(len(left), len(right))
    if smaller < 3:
        return 1.0 if left and left == right else 0.0
    return 0.0 if left.isdisjoint(right) else len(left & right) / smaller


def differ_by_number(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether each holds a number the other lacks ("on day 1 …", "on day 2 …"): different facts, however alike."""
    return any(map(_is_number, left - right)) and any(map(_is_number, right - left))


@text_memo(4096)
def _is_number(term: str) -> bool:
    return term[:1].isdigit() or term in _NUMBER_WORDS or _CHINESE_NUMERAL.search(term) is not None


def likeness_among(texts: Sequence[str], embedder: Embedder | None, which: Sequence[int]) -> FloatMatrix | None:
    """Cosines (n, n) among the texts at `which` (the first `MOST_EMBEDDED` of them), 0 for all other pairs.

    None without an embedder that can read these texts, or where it does not answer.
    """
    which = which[:MOST_EMBEDDED]
    if embedder is None or len(which) < 3:
        return None
    if embedder.coverage(" ".join(texts[index][:200] for index in which)) < _READABLE:
        return None
    try:
        start = shared_from(embedder.fingerprint)
        vectors = embedder.embed([texts[index][:_EMBEDDED_CHARACTERS] for index in which])
    except SoulmemError:
        return None
    likeness = np.zeros((len(texts), len(texts)), dtype=np.float32)
    likeness[np.ix_(which, which)] = np.round(cosines(vectors, vectors, start), 2)
    return likeness


def diverse_order(
    scores: Sequence[float], terms: Sequence[frozenset[str]], likeness: FloatMatrix | None = None
) -> list[Pick]:
    """Picks, best first, with their marginal score: own score less what is already said.

    A statement loses up to 0.6 as its likeness to one already chosen goes from 0.5 to 1; statements that differ
    by a number are never alike.
    """
    value: list[float] = np.round(np.array(scores, dtype=np.float64), 4).tolist()
    cosines = None if likeness is None else likeness.astype(np.float64).tolist()
    penalty, nearest = [0.0] * len(scores), [0.0] * len(scores)
    left = list(range(len(scores)))
    order: list[Pick] = []
    while left:
        best = max(left, key=lambda index: (value[index] - penalty[index], -index))
        order.append(Pick(best, round(value[best] - penalty[best], 4), round(nearest[best], 4)))
        left.remove(best)
        for index in left:
            alike = overlap(terms[best], terms[index])
            if cosines is not None:
                alike = max(alike, cosines[best][index] - 0.15)
            if alike > 0.5 and not differ_by_number(terms[best], terms[index]):
                penalty[index] = max(penalty[index], round(1.2 * (alike - 0.5), 4))
                nearest[index] = max(nearest[index], alike)
    return order
