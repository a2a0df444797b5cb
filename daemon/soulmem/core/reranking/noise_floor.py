"""Noise floor: what words and vectors found for a question, and answers so much less likely than the best, is left out.

Called by recall for a question of which it is known what would answer it. A prompt with two notes that answer and eight
that do not is a worse prompt, and `k` is a ceiling. How likely an item answers is told by how it fits beside the best
one, by its place, its words and its vector, and by how much of the question it covers; a logistic curve joins these,
fitted to invented lives, weeks of plain talk and half of LoCoMo, and rounded (`benchmarks/content/content_noise.py`).
Pure. Invariants: the best item stays, and the order of what was found; what links alone brought stays, and what belongs
to the one thing that is surely meant: it is not for what it says itself that it is there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

BIAS = -2.8
FITS = 1.2  # its fit as a share of the best fit
PLACE = -1.0  # for the logarithm of its place, from 1
LEXICAL, DENSE = 0.85, 0.8  # its evidence of words and by its vector, as shares of the best
COVERS = 1.25  # how much of the question it covers

_FOUND = "vector"  # the tier of what words and vectors found
_BESIDE = 0.35  # of the first score: what does not answer may have so much
_AS_LIKELY = 0.5  # of the best likelihood: from there on a score stays as it is


def likely(hits: Sequence[Hit]) -> list[float]:
    """How likely each item of a ranking, best first, says what is asked for, 0..1."""
    best = max((hit.fit for hit in hits), default=0.0) or 1.0
    return [_likely(hit, hit.fit / best, place) for place, hit in enumerate(hits, start=1)]


def _likely(hit: Hit, fits: float, place: int) -> float:
    own = LEXICAL * hit.channels.get("lexical", 0.0) + DENSE * max(0.0, hit.channels.get("dense", 0.0))
    odds = BIAS + FITS * fits + PLACE * math.log(place) + own + COVERS * hit.covers
    return 1.0 / (1.0 + math.exp(-odds))


def without_noise(hits: Sequence[Hit], least: float) -> list[Hit]:
    """The items of a ranking, without those that answer less likely than `least` of what the likeliest does, 0..1.

    What is there for its links stands where it stood or, where too few are left before it, behind them. Scores keep
    falling, and none is far above what its likelihood beside the likeliest gives.
    """
    told = likely(hits)
    most = max(told, default=0.0)
    shares = [each / most for each in told]
    kept: list[Hit] = []
    linked: list[tuple[int, Hit]] = []
    for place, (hit, share) in enumerate(zip(hits, shares, strict=True)):
        scored = hit._replace(score=min(hit.score, hits[0].score * _most(share))) if place else hit
        if not place or share >= least:
            kept.append(scored)
        elif hit.tier != _FOUND or hit.is_beside or hit.kind is ItemKind.SUMMARY:
            linked.append((place, scored))
    for place, hit in linked:
        kept.insert(place, hit)
    falling = accumulate((hit.score for hit in kept), min)
    return [hit._replace(score=round(score, 6)) for hit, score in zip(kept, falling, strict=True)]


def _most(share: float) -> float:
    """The score of an item at most, as a share of the first one's, for its share of the best likelihood."""
    return _BESIDE + (1.0 - _BESIDE) * min(1.0, share / _AS_LIKELY)
