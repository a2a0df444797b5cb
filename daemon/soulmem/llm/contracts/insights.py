"""The contract of `insights`: what statements mean taken together, each with those it rests on (ALGORITHMS §8.3).

Invariant: evidence is among the statements shown and never empty; an insight without any is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping

from soulmem.core.tasks import Insight, InsightsRequest, Task
from soulmem.llm.contracts import wording
from soulmem.llm.contracts.base import Contract, RejectedAnswerError
from soulmem.llm.contracts.cast import who_is_who
from soulmem.llm.contracts.evidence import InsightsAnswer, checked
from soulmem.llm.contracts.labels import shown_list

STATEMENT_TOKENS = 120
QUESTION_TOKENS = 200


def _texts(request: InsightsRequest) -> str:
    return wording.sample([request.question, *(statement.text for statement in request.statements)])


def _describe(request: InsightsRequest) -> Mapping[str, str]:
    lang = wording.language_for(request.language, [_texts(request)])
    speakers = [statement.speaker for statement in request.statements]
    return {
        "who": who_is_who(request.cast, lang, speakers=speakers),
        "question": wording.told(request.question, QUESTION_TOKENS),
        "statements": wording.notes_of(request.statements, lang, tokens=STATEMENT_TOKENS),
        "count": str(request.count),
    }


def _read(answer: InsightsAnswer, request: InsightsRequest) -> tuple[Insight, ...]:
    labels = [statement.label for statement in request.statements]
    found = checked(answer.insights, labels)
    if labels and request.count > 0 and not found:
        raise RejectedAnswerError(f"no insight cites a statement that was shown: {shown_list(labels)}")
    return tuple(found[: max(0, request.count)])


INSIGHTS: Contract[InsightsRequest, InsightsAnswer, tuple[Insight, ...]] = Contract(
    task=Task.INSIGHTS, answer=InsightsAnswer, describe=_describe, read=_read, text=_texts
)
