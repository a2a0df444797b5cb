"""How often a note was recalled: the measure by which Hebbian linking chooses what is hot.

Digestion tallies the recall records of an epoch and ranks them here. A count is of distinct user turns, so
three sub-questions of one turn are one recall. Invariant: a note recalled once never outranks one recalled in
at least two turns of the same epoch, and the order is total, so equal inputs rank equally everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from soulmem.fast_dataclasses import dataclass

K_HOT = 8
EXPOSURE_FLOOR_MS = 60_000


@dataclass(frozen=True, slots=True)
class Hit:
    """A note in the final result of one recall. `turn`: the user turn (or recall) that asked."""

    note: str
    turn: int
    at_ms: int
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """The hits of one note in one epoch: distinct turns, first and last hit, sum of scores."""

    note: str
    count: int
    first_ms: int
    last_ms: int
    score: float = 0.0

    @property
    def span_ms(self) -> int:
        return self.last_ms - self.first_ms


@dataclass(frozen=True, slots=True)
class HotNote:
    """A note among the most recalled, with its frequency per second."""

    note: str
    count: int
    frequency: float


def frequency(count: int, span_ms: int, exposure_ms: int) -> float:
    """Smoothed frequency n / (T + L) per second.

    L, the span of all hits of the epoch, is the smallest constant for which one hit never outranks two:
    1/L <= 2/(T + L) for every T <= L.
    """
    return count / ((span_ms + exposure_ms) / 1_000)


def exposure_ms(tallies: Collection[Tally]) -> int:
    """L: from the first hit of any note to the last, at least a minute."""
    if not tallies:
        return EXPOSURE_FLOOR_MS
    span = max(each.last_ms for each in tallies) - min(each.first_ms for each in tallies)
    return max(span, EXPOSURE_FLOOR_MS)


def tally(hits: Iterable[Hit]) -> tuple[Tally, ...]:
    """Gather the hits of an epoch by note, ordered by note."""
    by_note: dict[str, list[Hit]] = {}
    for hit in hits:
        by_note.setdefault(hit.note, []).append(hit)
    return tuple(
        Tally(
            note,
            count=len({hit.turn for hit in found}),
            first_ms=min(hit.at_ms for hit in found),
            last_ms=max(hit.at_ms for hit in found),
            score=sum(hit.score for hit in found),
        )
        for note, found in sorted(by_note.items())
    )


def rank_hot(tallies: Collection[Tally], *, k: int = K_HOT) -> tuple[HotNote, ...]:
    """The k most frequently recalled notes; ties by count, score, recency, then id."""
    exposure = exposure_ms(tallies)

    def order(each: Tally) -> tuple[float, int, float, int, str]:
        rate = frequency(each.count, each.span_ms, exposure)
        return (-rate, -each.count, -each.score, -each.last_ms, each.note)

    ranked = sorted(tallies, key=order)[:k]
    return tuple(HotNote(each.note, each.count, frequency(each.count, each.span_ms, exposure)) for each in ranked)
