"""The memory stream: notes ranked by how recent, how important and how relevant they are (algorithms.md §8.1).

The other view of what a mind knows, beside association: `working/recall/stream_recall` gathers candidates and asks here
for their order. Formula: Park et al. 2023, a weighted sum of three components, each scaled to 0..1 over the candidates.
Time is *experienced* milliseconds, the clock by which everything here fades, so that a long silence does not level all
that went before it. Invariants: pure; the order depends on the candidates alone, not on the order they come in; more of
one component never lowers a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from math import fsum

from soulmem.core.calendar.calendar_math import HOUR_MS
from soulmem.core.reranking.filter_expressions import Filter
from soulmem.fast_dataclasses import dataclass

STREAM_TIER = "stream"  # what recall records say of notes that came back this way
DECAY_PER_HOUR = 0.99
NEAREST = 60  # of the pool at least, and four for each item wanted
PER_ITEM = 4
MOST_RECENT = 50  # of the pool, however far from the query
_NO_RANGE = 1e-9  # components closer together than this say nothing
_UNDECIDED = 0.5
_PLACES = 9  # decimals that decide an order; what lies below is the noise of addition


class Emphasis(StrEnum):
    """The named sets of weights."""

    EVEN = "even"
    RELEVANCE = "relevance"


@dataclass(frozen=True, slots=True)
class Components:
    """What speaks for a note, 0..1 each; or, as weights, how much each counts."""

    recency: float
    importance: float
    relevance: float


WEIGHTS = {
    Emphasis.EVEN: Components(1.0, 1.0, 1.0),
    Emphasis.RELEVANCE: Components(recency=0.5, importance=2.0, relevance=3.0),
}


@dataclass(frozen=True, slots=True)
class StreamWish:
    """How a caller wants the stream: what passes at all, and what counts most in it."""

    filter: Filter | None = None
    emphasis: Emphasis = Emphasis.EVEN


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place. `score` 0..1: the weighted mean of `scaled`, which is `raw` within the pool."""

    key: int
    score: float
    raw: Components
    scaled: Components


def pool_size(k: int) -> int:
    """How many of the nearest notes are candidates for `k` places."""
    return max(PER_ITEM * k, NEAREST)


def recency(since_ms: int, now_ms: int, decay: float = DECAY_PER_HOUR) -> float:
    """How recent a note is that was last retrieved (or, never retrieved, made) at `since_ms`; 1 is now."""
    hours = max(0, now_ms - since_ms) / HOUR_MS
    return float(decay**hours)


def nearness(cosine: float) -> float:
    """Relevance by meaning: the cosine, 0 where it is negative."""
    return min(1.0, max(0.0, cosine))


def shared_words(worth: Mapping[int, float], held: AbstractSet[int]) -> float:
    """Relevance by words: the share of a question's terms, each by its worth, that a text holds."""
    most = fsum(worth.values())
    if most <= 0.0:
        return 0.0
    return min(1.0, fsum(value for term, value in worth.items() if term in held) / most)


def scaled(values: Sequence[float]) -> list[float]:
    """Stretch to 0..1 between the least and the most; values that hardly differ are all 0.5."""
    if not values:
        return []
    least, most = min(values), max(values)
    if most - least < _NO_RANGE:
        return [_UNDECIDED] * len(values)
    return [(value - least) / (most - least) for value in values]


def rank(pool: Sequence[tuple[int, Components]], weights: Components, k: int) -> list[Ranked]:
    """The `k` best candidates, best first; of equals the more recent, then the one that was made later."""
    total = weights.recency + weights.importance + weights.relevance
    if not pool or total <= 0.0:
        return []
    columns = zip(
        scaled([raw.recency for _, raw in pool]),
        scaled([raw.importance for _, raw in pool]),
        scaled([raw.relevance for _, raw in pool]),
        strict=True,
    )
    ranked = []
    for (key, raw), column in zip(pool, columns, strict=True):
        within = Components(*column)
        parts = (
            weights.recency * within.recency,
            weights.importance * within.importance,
            weights.relevance * within.relevance,
        )
        ranked.append(Ranked(key, min(1.0, fsum(parts) / total), raw, within))
    ranked.sort(key=lambda each: (-round(each.score, _PLACES), -each.raw.recency, -each.key))
    return ranked[: max(0, k)]
