"""The contract of `replay`: what of a few memories that are gone over at night belongs together (algorithms.md §6.9).

A model may name six operations and no other. Invariants: at most `MOST_OPERATIONS` come out; each is of notes that were
shown, as many as it takes, all different; a text is one line, and only where the operation has one; topics are of the
list that it was shown. An answer without any is proper: most nights nothing is found.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.schema.engine_tasks import Operation, OperationKind, ReplayRequest, Task
from soulmem.core.schema.note_topics import TOPICS
from soulmem.core.text.tokens import fold
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import (
    Choice,
    Items,
    Labels,
    ListAnswer,
    MaybeText,
    Number,
    one_line,
    within,
)
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown, shown_list

MOST_OPERATIONS = 10
LONGEST_TEXT = 500  # characters
MOST_TOPICS = 3
_TOPICS = {topic.value: topic for topic in TOPICS}
_KINDS = tuple(kind.value for kind in OperationKind)
_ALSO = {
    "associate": "link", "connect": "link", "tie": "link", "abstraction": "abstract", "generalise": "abstract",
    "generalize": "abstract", "insight": "abstract", "contradict": "contradiction", "contradicts": "contradiction",
    "supersede": "contradiction", "关联": "link", "连接": "link", "概括": "abstract", "抽象": "abstract",
    "矛盾": "contradiction", "取代": "contradiction", "same": "merge", "duplicate": "merge", "rewrite": "rephrase",
    "reword": "rephrase", "tag": "retag", "topics": "retag", "合并": "merge", "改写": "rephrase", "改标签": "retag",
}  # fmt: skip


class OperationItem(Answer):
    op: Annotated[str | None, Choice(_KINDS, _ALSO)] = None
    notes: Labels = Field(default_factory=list)
    text: MaybeText = None
    strength: Number = None
    topics: Labels = Field(default_factory=list)


class ReplayAnswer(ListAnswer):
    operations: Items[OperationItem]


def _variables(request: ReplayRequest, lang: str) -> dict[str, str]:
    speakers = [note.speaker for note in request.notes]
    by_day = sorted(request.notes, key=lambda each: each.at_ms // DAY_MS)  # so that a day is told once
    return {
        "who": who_is_who(request.cast, lang, speakers=speakers),
        "notes": prompt_wording.told_under_days(by_day, lang),
        "sequences": "\n".join(" > ".join(walk) for walk in request.sequences) or prompt_wording.or_nothing("", lang),
        "listed": "\n".join(f"{label}: {', '.join(topics)}" for label, topics in request.topics)
        or prompt_wording.or_nothing("", lang),
        "topics": ", ".join(TOPICS),
        "count": str(MOST_OPERATIONS),
    }


def _read(answer: ReplayAnswer, request: ReplayRequest) -> tuple[Operation, ...]:
    shown = Shown(note.label for note in request.notes)
    found: dict[tuple[OperationKind, tuple[str, ...]], Operation] = {}
    for item in answer.operations:
        operation = _operation(item, shown)
        if operation is not None:
            # Which of two is named first matters to a contradiction alone; of the same two there is one of each kind.
            found.setdefault((operation.kind, tuple(sorted(operation.notes))), operation)
    if answer.operations and not found:
        raise RejectedAnswerError(f"no operation is one of {', '.join(_KINDS)} on notes that were shown: "
                                  f"{shown_list(shown)}")  # fmt: skip
    return tuple(found.values())[:MOST_OPERATIONS]


def _operation(item: OperationItem, shown: Shown) -> Operation | None:
    if item.op is None:
        return None
    kind, notes = OperationKind(item.op), shown.all_meant(item.notes)
    text = one_line(item.text or "")
    is_text = 0 < len(text) <= LONGEST_TEXT
    match kind:
        case OperationKind.ABSTRACT:
            return Operation(kind, notes, text) if len(notes) >= 2 and is_text else None
        case OperationKind.REPHRASE:
            return Operation(kind, notes, text) if len(notes) == 1 and is_text else None
        case OperationKind.RETAG:
            topics = tuple(dict.fromkeys(_TOPICS[word] for each in item.topics if (word := fold(each)) in _TOPICS))
            return Operation(kind, notes, topics=topics[:MOST_TOPICS]) if len(notes) == 1 and topics else None
        case OperationKind.LINK | OperationKind.CONTRADICTION | OperationKind.MERGE:
            return Operation(kind, notes, strength=within(item.strength, 0.0, 1.0, 0.5)) if len(notes) == 2 else None


REPLAY = Contract(Task.REPLAY, ReplayAnswer, _variables, _read, lambda asked: (each.text for each in asked.notes))
