"""The contract of `merge`: are notes that look alike one memory, variants of one kind, or different (algorithms.md
§6.4).

Invariant: `same` and `variant` come with a text that is no longer than the notes together; `different` with none.
"""

from __future__ import annotations

from typing import Annotated

from soulmem.core.schema.engine_tasks import Merged, MergeRequest, Sameness, Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Choice, MaybeText, one_line
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who

_VERDICTS = tuple(verdict.value for verdict in Sameness)
_ALSO = {"identical": "same", "duplicate": "same", "variants": "variant", "similar": "variant", "distinct": "different",
         "相同": "same", "同一": "same", "变体": "variant", "同类": "variant", "不同": "different"}  # fmt: skip


class MergeAnswer(Answer):
    verdict: Annotated[str | None, Choice(_VERDICTS, _ALSO)]
    text: MaybeText = None


def _variables(request: MergeRequest, lang: str) -> dict[str, str]:
    return {
        "who": who_is_who(request.cast, lang, speakers=[note.speaker for note in request.notes], persona=False),
        "notes": prompt_wording.notes_of(request.notes, lang, tokens=2 * prompt_wording.NOTE_TOKENS),
    }


def _read(answer: MergeAnswer, request: MergeRequest) -> Merged:
    if answer.verdict is None:
        raise RejectedAnswerError(f"verdict must be one of {', '.join(_VERDICTS)}")
    verdict = Sameness(answer.verdict)
    if verdict is Sameness.DIFFERENT:
        return Merged(verdict)
    text = one_line(answer.text or "")
    if not text:
        raise RejectedAnswerError(f"{verdict.value} needs a text")
    longest = sum(len(note.text) for note in request.notes) + 40
    if len(text) > longest:
        raise RejectedAnswerError(f"the text tells more than the notes together: at most {longest} characters")
    return Merged(verdict, text)


MERGE = Contract(Task.MERGE, MergeAnswer, _variables, _read, lambda asked: (each.text for each in asked.notes))
