"""Reciprocal rank fusion (Cormack, Clarke & Büttcher 2009): the baseline of the recall benchmarks."""

from __future__ import annotations

from collections.abc import Sequence

RRF_C = 60


def reciprocal_ranks(rankings: Sequence[Sequence[int]], *, c: int = RRF_C) -> list[int]:
    """Fuse rankings of ids by Σ 1/(c + rank), rank from 1; absent = no share. Ties: the smaller id first."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (c + rank)
    return sorted(scores, key=lambda item: (-scores[item], item))
