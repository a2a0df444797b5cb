"""The contract of `condense`: many insights become a few, and none of their evidence is lost (algorithms.md §8.3).

Invariants: at most `limit` insights; together they cite all that was cited. A citation the model lost is given to the
insight most like the one it came from.
"""

from __future__ import annotations

from dataclasses import replace

from soulmem.core.schema.engine_tasks import CondenseRequest, Insight, Task
from soulmem.core.text.tokens import query_terms
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.contract_base import Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.insight_evidence import InsightsAnswer, checked
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import shown_list

QUESTION_TOKENS = 200


def _variables(request: CondenseRequest, lang: str) -> dict[str, str]:
    lines = (
        f"- {prompt_wording.told(each.text, prompt_wording.NOTE_TOKENS)} [{', '.join(each.evidence)}]"
        for each in request.insights
    )
    return {
        "who": who_is_who(request.cast, lang),
        "question": prompt_wording.told(request.question, QUESTION_TOKENS),
        "insights": "\n".join(lines) or prompt_wording.or_nothing("", lang),
        "limit": str(request.limit),
    }


def _read(answer: InsightsAnswer, request: CondenseRequest) -> tuple[Insight, ...]:
    cited = dict.fromkeys(label for insight in request.insights for label in insight.evidence)
    found = checked(answer.insights, cited)[: max(1, request.limit)]
    if cited and not found:
        raise RejectedAnswerError(f"no insight cites any of {shown_list(cited)}")
    return _with_all(found, request.insights)


def _with_all(found: list[Insight], given: tuple[Insight, ...]) -> tuple[Insight, ...]:
    """The insights with every citation of `given`, lost ones at the most similar of them."""
    terms = [frozenset(query_terms(insight.text)) for insight in found]
    kept = {label for insight in found for label in insight.evidence}
    for insight in given:
        lost = tuple(label for label in insight.evidence if label not in kept)
        if lost and found:
            own = frozenset(query_terms(insight.text))
            nearest = max(range(len(found)), key=lambda place: _likeness(own, terms[place]))
            found[nearest] = replace(found[nearest], evidence=tuple(dict.fromkeys((*found[nearest].evidence, *lost))))
            kept |= set(lost)
    return tuple(found)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


CONDENSE = Contract(
    Task.CONDENSE,
    InsightsAnswer,
    _variables,
    _read,
    lambda asked: [asked.question, *(each.text for each in asked.insights)],
)
