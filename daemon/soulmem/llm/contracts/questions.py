"""The contract of `questions`: what the latest statements can teach about those concerned (ALGORITHMS §8.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from soulmem.core.tasks import QuestionsRequest, Task
from soulmem.core.tokens import fold
from soulmem.llm.contracts import wording
from soulmem.llm.contracts.base import Contract, RejectedAnswerError
from soulmem.llm.contracts.cast import who_is_who
from soulmem.llm.contracts.fields import ListAnswer, Texts, one_line

LONGEST_QUESTION = 300  # characters
STATEMENT_TOKENS = 80
_NUMBERED = re.compile(r"^\s*(?:\d{1,3}\s*[.)、．）]|[-*•])\s*")


class QuestionsAnswer(ListAnswer):
    questions: Texts


def _texts(request: QuestionsRequest) -> str:
    return wording.sample(statement.text for statement in request.statements)


def _describe(request: QuestionsRequest) -> Mapping[str, str]:
    lang = wording.language_for(request.language, [_texts(request)])
    speakers = [statement.speaker for statement in request.statements]
    return {
        "who": who_is_who(request.cast, lang, speakers=speakers),
        "statements": wording.notes_of(request.statements, lang, tokens=STATEMENT_TOKENS),
        "count": str(request.count),
    }


def _read(answer: QuestionsAnswer, request: QuestionsRequest) -> tuple[str, ...]:
    bare = (one_line(_NUMBERED.sub("", text)).strip('"“”') for text in answer.questions)
    found = {fold(text): text for text in bare if 3 <= len(text) <= LONGEST_QUESTION}
    if request.statements and request.count > 0 and not found:
        raise RejectedAnswerError(f"questions is empty: ask {request.count}")
    return tuple(found.values())[: max(0, request.count)]


QUESTIONS: Contract[QuestionsRequest, QuestionsAnswer, tuple[str, ...]] = Contract(
    task=Task.QUESTIONS, answer=QuestionsAnswer, describe=_describe, read=_read, text=_texts
)
