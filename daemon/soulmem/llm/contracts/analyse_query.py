"""The contract of `analyse_query`: what is being asked, how hard to think, in what state (algorithms.md §3.2).

The character himself speaks here, so the request carries persona and mood. Invariants: 1 to 3 sub-questions unless the
depth is `none`; the leanings add up to 1; impatience of 0.7 or more lowers the depth by one step.
"""

from __future__ import annotations

from typing import Annotated

from soulmem.core.dates.date_parser import time_range
from soulmem.core.schema.engine_tasks import Depth, Leaning, Mood, QueryAnalysis, QueryRequest, Subquestion, Task
from soulmem.core.text.tokens import fold
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Choice, Items, MaybeText, Number, Part, Text, one_line, within
from soulmem.llm.contracts.parts.answer_times import read_time
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.extractive.language.asker_concern import cares
from soulmem.llm.extractive.language.content_words import entities_of

MOST_SUBQUESTIONS = 3
MOST_ENTITIES = 8
LONGEST_QUESTION = 300  # characters
IMPATIENT = 0.7
TALK_TOKENS = 600
QUERY_TOKENS = 1_000
_DEPTHS = tuple(depth.value for depth in Depth)
_LOWER = {Depth.DEEP: Depth.NORMAL, Depth.NORMAL: Depth.SKIM}


class SubquestionItem(Answer):
    text: Text = ""
    time_from: MaybeText = None
    time_to: MaybeText = None


class LeaningItem(Answer):
    specific: Number = None
    abstract: Number = None
    semantic: Number = None
    procedural: Number = None


class MoodItem(Answer):
    valence: Number = None
    arousal: Number = None
    impatience: Number = None


class QueryAnswer(Answer):
    subquestions: Items[SubquestionItem]
    depth: Annotated[str | None, Choice(_DEPTHS, {"无": "none", "浅": "skim", "一般": "normal", "深": "deep"})] = None
    leaning: Part[LeaningItem] = None
    mood: Part[MoodItem] = None


def _variables(request: QueryRequest, lang: str) -> dict[str, str]:
    talk = prompt_wording.transcript(prompt_wording.spoken(request.turns), lang, tokens=TALK_TOKENS, label=False)
    return {
        "who": who_is_who(request.cast, lang, request.turns, persona=False),
        "persona": prompt_wording.or_nothing(request.persona, lang),
        "mood": prompt_wording.or_nothing(request.mood, lang, 60),
        "now": f"{prompt_wording.dated(request.now_ms, lang)} {prompt_wording.moment(request.now_ms)[11:]}",
        "talk": talk,
        "query": prompt_wording.told(request.query, QUERY_TOKENS),
    }


def _read(answer: QueryAnswer, request: QueryRequest) -> QueryAnalysis:
    subquestions: dict[str, Subquestion] = {}
    for item in answer.subquestions:
        text = one_line(item.text)[:LONGEST_QUESTION]
        if text and len(subquestions) < MOST_SUBQUESTIONS:
            subquestions.setdefault(fold(text), _subquestion(item, text, request.now_ms))
    if not subquestions and answer.depth is None:
        raise RejectedAnswerError("there is neither a sub-question nor a depth")
    depth = Depth(answer.depth or "normal")
    mood = _mood(answer.mood)
    if mood.impatience >= IMPATIENT:
        depth = _LOWER.get(depth, depth)
    found = tuple(subquestions.values())
    if not found and depth is not Depth.NONE:
        span = time_range(request.query, request.now_ms)
        found = (Subquestion(request.query, *(span or (None, None))),)
    names = any(each.entities for each in found)
    return QueryAnalysis(
        found, depth, _leaning(answer.leaning), mood, cares=cares(request.query, mood, of_others=names)
    )


def _subquestion(item: SubquestionItem, text: str, now_ms: int) -> Subquestion:
    """A sub-question with its bounds; the end is meant inclusive: the whole day, month or year it names."""
    first, last = read_time(item.time_from, now_ms), read_time(item.time_to, now_ms)
    from_ms, to_ms = first[0] if first else None, last[1] if last else None
    if from_ms is not None and to_ms is not None and from_ms >= to_ms:
        from_ms = to_ms = None
    return Subquestion(text, from_ms, to_ms, entities_of(text, frozenset())[:MOST_ENTITIES])  # names are for rules


def _leaning(item: LeaningItem | None) -> Leaning:
    """The four shares, adding up to 1; all alike where nothing is said."""
    if item is None:
        return Leaning()
    given = (item.specific, item.abstract, item.semantic, item.procedural)
    shares = [within(share, 0, 1e6, 0.0) for share in given]
    total = sum(shares)
    return Leaning(*(share / total for share in shares)) if total > 0 else Leaning()


def _mood(item: MoodItem | None) -> Mood:
    if item is None:
        return Mood()
    return Mood(within(item.valence, -1, 1, 0.0), within(item.arousal, 0, 1, 0.0), within(item.impatience, 0, 1, 0.0))


ANALYSE_QUERY = Contract(Task.ANALYSE_QUERY, QueryAnswer, _variables, _read, lambda asked: [asked.query])
