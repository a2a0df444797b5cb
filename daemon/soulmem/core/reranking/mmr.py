"""Diversity: of much that fits, what is shown when not everything should say the same, nor always the same.

Called by recall with scores, the words of each candidate and how lately it came up. Maximal marginal relevance
(Carbonell & Goldstein 1998) over shared words, so that it works in every language and without vectors; and inhibition
of return: what came up a moment ago gives way to what fits about as well. Invariants: the best item always comes first;
what fits as well as the best is never held back for having come up before; no score rises.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soulmem.core.search.postings import Terms

ALIKE = 0.7  # shared words (Jaccard) up to which two texts say different things
SAME_PENALTY = 0.5  # of the score, for the very same words
RETURN_PENALTY = 0.25  # of the score, for what came up just before and hardly fits
FADING = 0.5  # each recall in between halves it


class Candidate(NamedTuple):  # plain tuples, as many of either are made in every recall as are looked at
    """An item that could come back. `score` 0..1; `ago`: how many recalls ago it last came up, 0 never."""

    score: float
    terms: Terms
    ago: int = 0


class Pick(NamedTuple):
    """A candidate's place in the list, its score after all, and what held it back, if anything did."""

    place: int
    score: float
    like: int | None = None  # the place of what says nearly the same
    returned: bool = False


def overlaps(texts: Sequence[Terms]) -> NDArray[np.float64]:
    """Jaccard similarity of the words of each text to those of each other; 0 where either has none."""
    lengths = [len(words) for words in texts]
    if not sum(lengths):
        return np.zeros((len(texts), len(texts)))
    words = np.concatenate(texts)
    order = words.argsort()
    ordered = words[order]
    columns = np.zeros(len(words), dtype=np.int64)
    columns[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    held = np.zeros((len(texts), int(columns[order[-1]]) + 1), dtype=np.float32)
    held[np.repeat(np.arange(len(texts)), lengths), columns] = 1.0
    shared = (held @ held.T).astype(np.float64)
    sizes = shared.diagonal()
    return np.asarray(shared / np.maximum(sizes[:, None] + sizes[None, :] - shared, 1.0))


def _any_alike(shared: NDArray[np.float64]) -> bool:
    """Whether any two different texts share more words than they may."""
    alike = shared > ALIKE
    return int(np.count_nonzero(alike)) > int(np.count_nonzero(alike.diagonal()))


def rested(candidates: Sequence[Candidate]) -> list[float]:
    """Scores after inhibition of return: score * (1 - 0.25 * 2^(1 - ago) * (1 - score / best))."""
    best = max((each.score for each in candidates), default=0.0)
    found = []
    for each in candidates:
        misfit = 1.0 - each.score / best if best > 0.0 else 0.0
        lately = FADING ** (each.ago - 1) if each.ago > 0 else 0.0
        found.append(each.score * (1.0 - RETURN_PENALTY * lately * misfit))
    return found


def diverse(candidates: Sequence[Candidate], k: int) -> list[Pick]:
    """The `k` picks, best first: each time what fits best beside what was picked already. Equals in the order given."""
    scores = rested(candidates)
    shared = overlaps([each.terms for each in candidates])
    penalty = [0.0] * len(candidates)
    like: list[int | None] = [None] * len(candidates)
    left = sorted(range(len(candidates)), key=lambda place: (-scores[place], place))
    if not _any_alike(shared):  # nobody gives way to anybody
        return [Pick(place, scores[place], None, scores[place] < candidates[place].score) for place in left[:k]]
    picks: list[Pick] = []
    while left and len(picks) < k:
        place = max(left, key=lambda each: (scores[each] * (1.0 - penalty[each]), -each))
        left.remove(place)
        value = scores[place] * (1.0 - penalty[place])
        picks.append(Pick(place, value, like[place], scores[place] < candidates[place].score))
        for other in left:
            loss = SAME_PENALTY * (float(shared[place, other]) - ALIKE) / (1.0 - ALIKE)
            if loss > penalty[other]:
                penalty[other], like[other] = loss, place
    return picks
