"""The contract of `questions`: what the latest statements can teach about those concerned (algorithms.md §8.3)."""

from __future__ import annotations

import re

from soulmem.core.schema.engine_tasks import QuestionsRequest, Task
from soulmem.core.text.tokens import fold
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import ListAnswer, Texts, one_line
from soulmem.llm.contracts.parts.contract_base import Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who

LONGEST_QUESTION = 300  # characters
STATEMENT_TOKENS = 80
_NUMBERED = re.compile(r"^\s*(?:\d{1,3}\s*[.)、．）]|[-*•])\s*")


class QuestionsAnswer(ListAnswer):
    questions: Texts


def _variables(request: QuestionsRequest, lang: str) -> dict[str, str]:
    speakers = [statement.speaker for statement in request.statements]
    return {
        "who": who_is_who(request.cast, lang, speakers=speakers),
        "statements": prompt_wording.notes_of(request.statements, lang, tokens=STATEMENT_TOKENS),
        "count": str(request.count),
    }


def _read(answer: QuestionsAnswer, request: QuestionsRequest) -> tuple[str, ...]:
    bare = (one_line(_NUMBERED.sub("", text)).strip('"“”') for text in answer.questions)
    found = {fold(text): text for text in bare if 3 <= len(text) <= LONGEST_QUESTION}
    if request.statements and request.count > 0 and not found:
        raise RejectedAnswerError(f"questions is empty: ask {request.count}")
    return tuple(found.values())[: max(0, request.count)]


QUESTIONS = Contract(
    Task.QUESTIONS, QuestionsAnswer, _variables, _read, lambda asked: (each.text for each in asked.statements)
)
