"""Competing answers: of two statements that answer one question, does the later one stand in the place of the earlier.

Called at recall for what came to mind (`working.validity.told_earlier`). Two statements alone seldom tell whether both
hold; the question names what must be one: "which shift do I work" makes rivals of "nights" and "my alarm went at four".
A logistic curve over a few features (`rival_features`) says how likely the later one is the answer of now; it is fitted
by `benchmarks/changes/competing.py` on its questions, on invented lives, and on two weeks in which nothing that is
asked changed. Where the vectors can be read, the curve is another. Pure.
Invariants: nothing ends here, an earlier answer is only marked as such; a question about what was has no rivals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from soulmem.core.reranking.rival_features import KNOWN_NAMES, NAMES, Answer, Held
from soulmem.core.reranking.rival_questions import asks_now
from soulmem.fast_dataclasses import dataclass

__all__ = ["NAMES", "Answer", "Curve", "Later", "least_of", "pairs", "rivals"]


@dataclass(frozen=True, slots=True)
class Curve:
    """What each feature weighs, in the order of `NAMES`, and the logits of a pair that has none."""

    weights: tuple[float, ...]
    bias: float

    def score(self, found: Sequence[float]) -> float:
        """How likely the later answer is the one of now, in logits."""
        return self.bias + sum(weighs * value for weighs, value in zip(self.weights, found, strict=True))

    def most(self) -> Callable[[Sequence[float]], float]:
        """The score that a pair of which so much is known (`KNOWN_NAMES`) does not exceed, whatever its texts say."""
        known, unread = self.weights[: len(KNOWN_NAMES)], self.weights[len(KNOWN_NAMES) :]
        base = self.bias + sum(max(0.0, each) for each in unread) + 1e-6
        return lambda found: base + sum(map(mul, known, found))


ALONE = Curve(
    (
        5.48, 0.56, -2.26, -0.94, 8.61, -0.41, 0.24, 0.0, 0.0, 0.0, -0.46, 0.2, -0.67, -1.66, 0.0, 0.0, 0.0, 0.0,
        -3.8, 0.22, -0.11, -1.14, -0.68, -0.13, 2.45, 0.54, 0.42, 0.54, 1.32, 0.66, 0.54, -0.35, -0.36, -0.12,
        -0.61, -1.32, -2.96,
    ), -8.91,
)  # fmt: skip
WITH_MODEL = Curve(
    (
        2.67, 0.25, -1.74, -2.25, 4.59, -3.24, -1.1, 0.45, 2.26, 0.54, -0.39, 1.75, -0.45, -1.28, 0.27, 0.26, 0.96,
        0.95, -3.87, 0.16, -0.19, -0.9, -0.57, -0.19, 2.24, 0.22, 0.21, 0.59, 1.18, 0.66, 0.71, -0.33, -0.18, -0.28,
        -0.42, -0.95, -1.74,
    ), -4.2,
)  # fmt: skip
MARKED = -0.3  # logits from which the earlier of two answers is marked
TOLD_OTHERWISE = 0.3  # so much less, where the later one says itself that what was just told is otherwise
ASKED_NOW = 0.8  # so much less, where it is asked how things stand now: who asks so knows that they may be otherwise

_RECONSIDERS = KNOWN_NAMES.index("reconsiders")


class Later(NamedTuple):
    """The place of an answer that stands in another's, and by how many logits more than the least that is likely."""

    place: int
    sure: float


def least_of(query: str) -> float:
    """The logits from which the earlier of two answers to a question is marked."""
    return MARKED - (ASKED_NOW if asks_now(query) else 0.0)


def rivals(
    query: str,
    asker: str,
    answers: Sequence[Answer],
    cosines: Sequence[Sequence[float]],
    replaced: Sequence[Sequence[float]] | None = None,
    *,
    curve: Curve | None = None,
) -> Mapping[int, Later]:
    """Of each answer, by its place, that a later one seems to have taken the place of, that one.

    Args:
        answers: what came to mind, best first.
        cosines: of each answer to each.
        replaced: logits of the replacement model, [earlier, later]; None where it cannot read the vectors.
        curve: None for the one in use.
    """
    curve = curve or (ALONE if replaced is None else WITH_MODEL)
    held = Held(query, asker, answers, cosines, replaced)
    least, most = least_of(query), curve.most()
    found: dict[int, Later] = {}
    for place in range(len(answers)):
        likely = []
        for other, known in held.later_than(place):
            # What is read of both texts costs most, so it is read last.
            enough = least - TOLD_OTHERWISE * known[_RECONSIDERS]
            if most(known) < enough or not held.are_of_one(place, other):
                continue
            if (logit := curve.score(held.features(other, place, known))) >= enough:
                likely.append((logit - enough, other))
        for sure, other in sorted(likely, reverse=True):
            if held.may_compete(place, other):
                found[place] = Later(other, sure)
                break
    for place, later in tuple(found.items()):
        found |= dict.fromkeys(held.twins[place], later)
    return found


def pairs(
    query: str,
    asker: str,
    answers: Sequence[Answer],
    cosines: Sequence[Sequence[float]],
    replaced: Sequence[Sequence[float]] | None = None,
) -> dict[tuple[int, int], tuple[float, ...]]:
    """What the curve learns from: by the places of an earlier and a later answer, their features.

    Also of those that `rivals` leaves standing whatever the curve says, for they tell of others as well.
    """
    held = Held(query, asker, answers, cosines, replaced)
    return {
        (place, other): held.features(other, place, known)
        for place in range(len(answers))
        for other, known in held.later_than(place)
        if held.may_compete(place, other)
    }
