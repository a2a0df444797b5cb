"""The contract of `feedback`: how the user took the character's reply (algorithms.md §3.9)."""

from __future__ import annotations

from typing import Annotated

from soulmem.core.schema.engine_tasks import Feedback, FeedbackRequest, Reaction, Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Choice, Number, within
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who

PART_TOKENS = 400
_VERDICTS = tuple(reaction.value for reaction in Reaction)
_ALSO = {
    "+": "good", "positive": "good", "1": "good", "_": "bad", "−": "bad", "negative": "bad", "_1": "bad",
    "0": "neutral", "none": "neutral", "好": "good", "满意": "good", "坏": "bad", "不满": "bad", "差": "bad",
    "中性": "neutral", "中立": "neutral",
}  # fmt: skip


class FeedbackAnswer(Answer):
    verdict: Annotated[str | None, Choice(_VERDICTS, _ALSO)]
    strength: Number = None


def _variables(request: FeedbackRequest, lang: str) -> dict[str, str]:
    return {
        "who": who_is_who(request.cast, lang, persona=False),
        "query": prompt_wording.told(request.query, PART_TOKENS),
        "reply": prompt_wording.told(request.reply, PART_TOKENS),
        "reaction": prompt_wording.told(request.reaction, PART_TOKENS),
    }


def _read(answer: FeedbackAnswer, request: FeedbackRequest) -> Feedback:
    if answer.verdict is None:
        raise RejectedAnswerError(f"verdict must be one of {', '.join(_VERDICTS)}")
    return Feedback(Reaction(answer.verdict), within(answer.strength, 0, 1, 0.5))


FEEDBACK = Contract(
    Task.FEEDBACK, FeedbackAnswer, _variables, _read, lambda asked: [asked.reaction, asked.query, asked.reply]
)
