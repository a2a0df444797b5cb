"""The contract of `reconcile`: what each new fact is to the known ones (ALGORITHMS §9.1, §9.5).

Nothing is ever deleted: a fact that no longer holds is superseded. Invariants: one verdict per new fact, in order; a
verdict that names no known fact is `add`, so a label made up by the model can hit no fact but its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, WithJsonSchema

from soulmem.core.tasks import FactEvent, ReconcileRequest, Reconciliation, Task
from soulmem.llm.contracts import wording
from soulmem.llm.contracts.base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.fields import Items, ListAnswer, MaybeText, Text, one_line, word_of
from soulmem.llm.contracts.labels import Shown, shown_list

LONGEST_FACT = 600  # characters
_EVENTS = tuple(event.value for event in FactEvent)
_ALSO = {
    "new": "add", "insert": "add", "refine": "update", "merge": "update", "replace": "supersede",
    "replaces": "supersede", "delete": "supersede", "contradict": "supersede", "contradicts": "supersede",
    "noop": "none", "same": "none", "duplicate": "none", "known": "none",
    "新增": "add", "更新": "update", "取代": "supersede", "替换": "supersede",
    "无": "none", "已知": "none",
}  # fmt: skip


class ReconcileItem(Answer):
    new: Text = ""
    event: Annotated[
        Literal["add", "update", "supersede", "none"] | None,
        BeforeValidator(word_of(_EVENTS, _ALSO)),
        WithJsonSchema({"type": "string", "enum": list(_EVENTS)}),
    ] = None
    known: MaybeText = None
    text: MaybeText = None


class ReconcileAnswer(ListAnswer):
    results: Items[ReconcileItem]


def _texts(request: ReconcileRequest) -> str:
    return wording.sample(fact.text for fact in (*request.new, *request.known))


def _describe(request: ReconcileRequest) -> Mapping[str, str]:
    lang = wording.language_for(request.language, [_texts(request)])
    return {"new": wording.notes_of(request.new, lang), "known": wording.notes_of(request.known, lang)}


def _read(answer: ReconcileAnswer, request: ReconcileRequest) -> tuple[Reconciliation, ...]:
    new, known = Shown(fact.label for fact in request.new), Shown(fact.label for fact in request.known)
    worded = {fact.label: fact.text for fact in request.new}
    told = {fact.label: fact.text for fact in request.known}
    found: dict[str, Reconciliation] = {}
    for item in answer.results:
        label = new.meant(item.new)
        if label is None or item.event is None:
            continue
        about = known.meant(item.known or "")
        event = FactEvent(item.event)
        if event is FactEvent.ADD or about is None:
            found.setdefault(label, Reconciliation(label, FactEvent.ADD))
            continue
        text = _wording(item.text, worded[label], told[about]) if event is FactEvent.UPDATE else ""
        found.setdefault(label, Reconciliation(label, event, about, text))
    if request.new and not found:
        raise RejectedAnswerError(f"no verdict on any of {shown_list(new)}")
    return tuple(found.get(fact.label, Reconciliation(fact.label, FactEvent.ADD)) for fact in request.new)


def _wording(text: str | None, new: str, known: str) -> str:
    """The better wording of a fact: the model's, unless there is none or it tells far more than both together."""
    better = one_line(text or "")
    longest = min(LONGEST_FACT, len(new) + len(known) + 40)
    return better if 0 < len(better) <= longest else new


RECONCILE: Contract[ReconcileRequest, ReconcileAnswer, tuple[Reconciliation, ...]] = Contract(
    task=Task.RECONCILE, answer=ReconcileAnswer, describe=_describe, read=_read, text=_texts
)
