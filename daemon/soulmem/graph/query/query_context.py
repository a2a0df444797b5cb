"""Query context: from where a mind looks at its graph during one recall: the moment, the questions, leaning and mood.

Made from the analysis of a query, read by `edge_weights`. Pure values. Sources: algorithms.md §3.2, §3.3 (g_type),
§3.4.3 (g_mood). Invariant: whatever it is made of, all gains are finite and not negative.
"""

from __future__ import annotations

import math
from dataclasses import field
from functools import lru_cache

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.graph_columns import NOTE_KINDS
from soulmem.graph.state.id_table import FloatArray, Vector

MOOD_GAIN = 0.3


@dataclass(frozen=True, slots=True)
class Leaning:
    """What one feels like thinking of. Shares of 1; made so when they are not."""

    specific: float = 0.25
    abstract: float = 0.25
    semantic: float = 0.25
    procedural: float = 0.25

    def shares(self) -> dict[str, float]:
        """The four shares; uniform when nothing sensible was given."""
        given = {
            "specific": self.specific,
            "abstract": self.abstract,
            "semantic": self.semantic,
            "procedural": self.procedural,
        }
        sound = {name: share if math.isfinite(share) and share > 0.0 else 0.0 for name, share in given.items()}
        total = sum(sound.values())
        return {name: share / total if total > 0.0 else 1.0 / len(sound) for name, share in sound.items()}


# Under which of the four leanings a kind of note falls.
LEANS_TO: dict[str, str] = {
    "episodic": "specific",
    "plan": "specific",
    "abstract": "abstract",
    "reflection": "abstract",
    "semantic": "semantic",
    "lore": "semantic",
    "procedural": "procedural",
    "trigger": "procedural",
}


@dataclass(frozen=True, slots=True)
class QueryContext:
    """One recall's point of view.

    `now_ms`: experienced. `questions`: one row a sub-question, any length (made unit vectors), or None. `valence`
    -1..1, `arousal` and `impatience` 0..1: the mood; `is_deep`: depth `deep`.
    """

    now_ms: int
    questions: Vector | None = None
    leaning: Leaning = field(default_factory=Leaning)
    valence: float = 0.0
    arousal: float = 0.0
    impatience: float = 0.0
    is_deep: bool = False

    def unit_questions(self) -> Vector | None:
        """The questions as unit vectors; one that has no direction becomes zero and agrees with nothing."""
        if self.questions is None or not self.questions.size:
            return None
        rows = np.atleast_2d(np.asarray(self.questions, dtype=np.float64))
        rows = np.where(np.isfinite(rows).all(axis=1, keepdims=True), rows, 0.0)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vector = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0.0).astype(np.float32)
        return unit

    def kind_gains(self) -> FloatArray:
        """g_type by note kind: sqrt(T * leaning), T = 4; all 1 when the leaning is uniform."""
        return np.array(_kind_gains(self.leaning))

    def mood_rate(self) -> float:
        """r with g_mood(v) = exp(r * valence_v): 0.3 * valence * arousal."""
        return MOOD_GAIN * _bounded(self.valence, -1.0) * _bounded(self.arousal, 0.0)


@lru_cache(maxsize=64)
def _kind_gains(leaning: Leaning) -> tuple[float, ...]:
    shares = leaning.shares()
    return tuple(math.sqrt(len(shares) * shares[LEANS_TO[kind]]) for kind in NOTE_KINDS)


def _bounded(value: float, least: float) -> float:
    return min(1.0, max(least, value)) if math.isfinite(value) else 0.0
