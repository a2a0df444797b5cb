"""Learning: how a memory vector changes when its link helped to answer a question, or did not.

Called with what a judge or a listener said of a recall; returns new vectors and plans, stores nothing. Sources:
ReMindRAG with the corrections of ALGORITHMS §3.4.2, rules §3.4.3. Invariants: no vector grows beyond length 1, none
ever holds a NaN, and what points away from the question is not punished for it.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from soulmem.graph.columns import FloatArray, Vector
from soulmem.graph.expansion import Forest, ForestLink

LEAST_PENALTY = 0.3  # a saturated wrong link must be forgettable; the published rule never lets go of it
JUDGED = 1.0  # weight of a judgement within the recall
HEARD = 2.0  # weight of what the person said afterwards
DOUBTFUL = 0.5  # nothing was useful: the answer may simply not be in memory


def delta(x: float) -> float:
    """(2/π) cos(π x / 2), not below 0: the step of an update, 2/π at the start and 0 at length 1."""
    return max(0.0, 2.0 / math.pi * math.cos(math.pi / 2.0 * x))


def enhanced(vector: Vector, question: Vector, weight: float = JUDGED) -> Vector:
    """v + m delta(|v|) q, no longer than 1. The question is made a unit vector; one without direction does nothing."""
    v, q = _sound(vector), _unit(question)
    moved = v + weight * delta(float(np.linalg.norm(v))) * q
    return _clamped(moved)


def penalised(vector: Vector, question: Vector, weight: float = JUDGED) -> Vector:
    """v - min(1, m max(delta(c), 0.3)) c q with c = v·q, when c > 0."""
    v, q = _sound(vector), _unit(question)
    c = float(v @ q)
    if c > 0.0:
        v = v - min(1.0, weight * max(delta(c), LEAST_PENALTY)) * c * q
    return _clamped(v)


@dataclass(frozen=True, slots=True)
class Update:
    """One memory vector to change: read it faded, apply `applied`, write it with the present moment.

    `question` numbers the sub-question; `weight` above 0 enhances, below 0 penalises.
    """

    link: int
    is_backward: bool
    question: int
    weight: float

    def applied(self, vector: Vector, questions: Vector) -> Vector:
        """The vector after this update."""
        change = enhanced if self.weight > 0.0 else penalised
        return change(vector, questions[self.question], abs(self.weight))


def judged(forest: Forest, useful: Collection[int], *, weight: float = JUDGED) -> tuple[Update, ...]:
    """What a judgement teaches: links on a way to a useful note gain, those followed in vain lose.

    All ancestor links of a useful note count, not one way alone. With nothing useful the loss is half as heavy.
    Links that were only looked at stay as they are.
    """
    gaining = set(forest.ways_to(useful))
    loss = weight * (1.0 if any(forest.holds(note) for note in useful) else DOUBTFUL)
    return tuple(_update(link, weight if link in gaining else -loss) for link in forest.links())


def reacted(forest: Forest, useful: Collection[int], *, sign: int, strength: float) -> tuple[Update, ...]:
    """What a reaction teaches (§3.9): the effective links gain by 2 * strength, at least 1, or lose by 2 * strength."""
    strength = min(1.0, max(0.0, strength)) if math.isfinite(strength) else 0.0
    if sign == 0 or (sign < 0 and strength == 0.0):
        return ()
    weight = max(1.0, HEARD * strength) if sign > 0 else -HEARD * strength
    return tuple(_update(link, weight) for link in forest.ways_to(useful))


def _update(link: ForestLink, weight: float) -> Update:
    return Update(link.link, link.is_backward, link.question, weight)


def _sound(vector: Vector) -> FloatArray:
    """In double precision; a vector that is not finite counts as none."""
    v = np.asarray(vector, dtype=np.float64)
    return v if np.isfinite(v).all() else np.zeros_like(v)


def _unit(question: Vector) -> FloatArray:
    q = _sound(question)
    norm = float(np.linalg.norm(q))
    return q / norm if norm > 0.0 else q


def _clamped(v: FloatArray) -> Vector:
    norm = float(np.linalg.norm(v))
    clamped: Vector = (v / norm if norm > 1.0 else v).astype(np.float32)
    return clamped
