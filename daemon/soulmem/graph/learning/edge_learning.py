"""Edge learning: how a memory vector changes when its link helped to answer a question, or did not.

Called with what a judge or a listener said of a recall, that is of a `Forest` or of the `Trail` kept of it; returns
new vectors and plans, stores nothing. Sources: ReMindRAG with the corrections of algorithms.md §3.4.2, rules §3.4.3.
Invariants: no vector grows beyond length 1, none ever holds a NaN, and what points away from the question is not
punished for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.recall_trace import Trail, TrailLink
from soulmem.graph.state.edge_memory import faded
from soulmem.graph.state.id_table import FloatArray, Vector
from soulmem.graph.walk.edge_expansion import Forest, ForestLink

LEAST_PENALTY = 0.3  # a saturated wrong link must be forgettable; the published rule never lets go of it
JUDGED = 1.0  # weight of a judgement within the recall
HEARD = 2.0  # weight of what the person said afterwards
DOUBTFUL = 0.5  # nothing was useful: the answer may simply not be in memory
GUESSED = 0.5  # nobody said which notes were used, so that the best returned stand for them

Way = ForestLink | TrailLink  # a link that was followed, and for which sub-question
Followed = Forest | Trail  # what a recall followed, or what is kept of it


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


@dataclass(frozen=True, slots=True)
class Lesson:
    """One update as it is remembered in words, so that it can be learnt again; `weight` is signed as in `Update`."""

    text: str
    weight: float
    at_ms: int


def relearned(lessons: Sequence[Lesson], question_of: Callable[[str], Vector]) -> tuple[Vector, int]:
    """The vector that lessons lead to, the oldest first, and the moment of the last: what a new embedder begins with.

    Raises ValueError without a lesson.
    """
    if not lessons:
        raise ValueError("there is nothing to learn from")
    vector: Vector = np.zeros_like(question_of(lessons[0].text), dtype=np.float32)
    at_ms = lessons[0].at_ms
    for lesson in lessons:
        vector = faded(vector, lesson.at_ms - at_ms)
        change = enhanced if lesson.weight > 0.0 else penalised
        vector = change(vector, question_of(lesson.text), abs(lesson.weight))
        at_ms = lesson.at_ms
    return vector, at_ms


def judged(
    followed: Followed, useful: Collection[int], *, weight: float = JUDGED, named: Iterable[Way] = ()
) -> tuple[Update, ...]:
    """What a judgement teaches: links on a way to a useful note gain, those followed in vain lose.

    All ancestor links of a useful note count, not one way alone, and the links `named` as useful themselves. With
    nothing useful the loss is half as heavy. Links that were only looked at stay as they are.
    """
    ways = {_key(way): way for way in (*followed.ways_to(useful), *named)}.values()
    gaining = {_key(way) for way in ways}
    loss = weight * (1.0 if gaining or any(followed.holds(note) for note in useful) else DOUBTFUL)
    gains = [_update(way, weight) for way in ways]
    losses = [_update(way, -loss) for way in followed.links() if _key(way) not in gaining]
    return (*gains, *losses)


def reacted(
    followed: Followed, useful: Collection[int], *, sign: int, strength: float, most: float = math.inf
) -> tuple[Update, ...]:
    """What a reaction teaches (§3.9): the effective links gain by 2 * strength, at least 1, or lose by 2 * strength.

    `most` bounds the weight, where the useful notes are a guess.
    """
    strength = min(1.0, max(0.0, strength)) if math.isfinite(strength) else 0.0
    if sign == 0 or (sign < 0 and strength == 0.0):
        return ()
    weight = min(most, max(1.0, HEARD * strength)) if sign > 0 else -min(most, HEARD * strength)
    return tuple(_update(way, weight) for way in followed.ways_to(useful))


def _key(way: Way) -> tuple[int, bool, int]:
    return way.link, way.is_backward, way.question


def _update(way: Way, weight: float) -> Update:
    return Update(way.link, way.is_backward, way.question, weight)


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
