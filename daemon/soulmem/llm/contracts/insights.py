"""The contract of `insights`: what statements mean taken together, each with those it rests on (algorithms.md §8.3).

Invariant: evidence is among the statements shown and never empty; an insight without any is dropped.
"""

from __future__ import annotations

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.schema.engine_tasks import Insight, InsightsRequest, Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.contract_base import Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.insight_evidence import InsightsAnswer, checked
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import shown_list

QUESTION_TOKENS = 200


def _variables(request: InsightsRequest, lang: str) -> dict[str, str]:
    speakers = [statement.speaker for statement in request.statements]
    by_day = sorted(request.statements, key=lambda each: each.at_ms // DAY_MS)  # so that a day is told once
    return {
        "who": who_is_who(request.cast, lang, speakers=speakers),
        "question": prompt_wording.told(request.question, QUESTION_TOKENS),
        "statements": prompt_wording.told_under_days(by_day, lang),
        "count": str(request.count),
    }


def _read(answer: InsightsAnswer, request: InsightsRequest) -> tuple[Insight, ...]:
    labels = [statement.label for statement in request.statements]
    found = checked(answer.insights, labels)
    if labels and request.count > 0 and not found:
        raise RejectedAnswerError(f"no insight cites a statement that was shown: {shown_list(labels)}")
    return tuple(found[: max(0, request.count)])


INSIGHTS = Contract(
    Task.INSIGHTS,
    InsightsAnswer,
    _variables,
    _read,
    lambda asked: [asked.question, *(each.text for each in asked.statements)],
)
