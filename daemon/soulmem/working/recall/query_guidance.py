"""Query guidance: how a recall goes about its question, told by its words alone (algorithms.md §3.2).

Made by `basic_recall` for every recall, a message's, a context's and one in the background as well as one that a client
asks for; an analysis by a model takes its place where there is one. Invariants: no model is asked; what the caller
chose is not chosen for him; nonsense changes nothing.
"""

from __future__ import annotations

from soulmem.core.questions.query_cues import (
    IMPATIENT,
    both_moods,
    depth_of,
    given_mood,
    leaning_of,
    mood_of,
    without_courtesy,
)
from soulmem.core.schema.engine_tasks import Depth, Leaning, Mood, QueryAnalysis
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

_BUDGETS = {"deep": "hard"}
_LESS = {"deep": "normal", "normal": "skim", "skim": "skim"}


@dataclass(frozen=True, slots=True)
class Guidance:
    """`depth`: how far links are followed, `skim`, `normal` or `deep`; `is_hard`: its words ask to be thought over."""

    depth: str = "normal"
    leaning: Leaning = Leaning()
    mood: Mood = Mood()
    is_hard: bool = False
    budget: str = "normal"  # what links may cost, a key of `spreading_budgets`: what is hard makes nobody wait


@text_memo(256)
def guide(text: str, told_mood: str, depth: str | None, *, is_dated: bool) -> Guidance:
    """How to go about a question or a message.

    What is simple is searched as far as usual, for no one waits for links; what is hard farther; who is impatient, or
    says no more than hello, less far. `depth`: as the caller chose it, None: it is chosen here.
    """
    asked = without_courtesy(text)
    mood = both_moods(mood_of(text), given_mood(told_mood))
    if not asked:
        return Guidance(depth or Depth.SKIM.value, mood=mood, budget=depth or Depth.SKIM.value)
    is_hard = depth_of(asked, 1, Mood()) is Depth.DEEP
    chosen = depth or _depth(Depth.DEEP if is_hard else Depth.NORMAL, mood)
    return Guidance(chosen, leaning_of(asked, is_dated=is_dated), mood, is_hard, depth or _BUDGETS.get(chosen, chosen))


def guided_by(analysis: QueryAnalysis, told_mood: str, depth: str | None) -> Guidance:
    """The same by what an engine takes a question to mean; impatience that it saw has lowered its depth already.

    A mood that the client tells counts, whatever the engine makes of it.
    """
    mood = _stronger(analysis.mood, given_mood(told_mood))
    chosen = {Depth.NONE: "skim", Depth.SKIM: "normal" if mood.impatience < IMPATIENT else "skim"}
    own = chosen.get(analysis.depth, analysis.depth.value)
    budget = depth or _BUDGETS.get(own, own)
    return Guidance(depth or own, analysis.leaning, mood, analysis.depth is Depth.DEEP, budget)


def _stronger(one: Mood, other: Mood) -> Mood:
    """Of each figure the one that is farther from calm."""
    valence = max(one.valence, other.valence, key=abs)
    return Mood(valence, max(one.arousal, other.arousal), max(one.impatience, other.impatience))


def _depth(depth: Depth, mood: Mood) -> str:
    return _LESS[depth.value] if mood.impatience >= IMPATIENT else depth.value
