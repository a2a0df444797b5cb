"""The contract of `reconcile`: what each new fact is to the known ones (algorithms.md §9.1, §9.5).

Nothing is ever deleted: a fact that no longer holds is superseded or invalidated. Facts are shown with who said them,
under the day on which they did; a new one may end what an earlier new one says. A new fact that the answer does not
speak of changes nothing: `add`. Invariants: the verdicts stand in
the order of the new facts, at least one for each; a verdict that names no known fact is `add`, so a label made up by
the model can hit no fact; each pair has one verdict.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from soulmem.core.schema.engine_tasks import FactEvent, ReconcileRequest, Reconciliation, Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Choice, Items, Labels, ListAnswer, Text
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown, shown_list

_EVENTS = tuple(event.value for event in FactEvent)
_ALSO = {
    "new": "add", "insert": "add", "none": "reinforce", "noop": "reinforce", "same": "reinforce",
    "duplicate": "reinforce", "known": "reinforce", "repeat": "reinforce", "update": "reinforce",
    "refine": "reinforce", "merge": "reinforce", "replace": "supersede", "replaces": "supersede",
    "supersedes": "supersede", "contradict": "supersede", "contradicts": "supersede", "end": "invalidate",
    "ends": "invalidate", "ended": "invalidate", "delete": "invalidate", "cancel": "invalidate",
    "invalidates": "invalidate", "新增": "add", "取代": "supersede", "替换": "supersede", "更新": "supersede",
    "失效": "invalidate", "结束": "invalidate", "作废": "invalidate", "重复": "reinforce", "无": "reinforce",
    "已知": "reinforce", "强化": "reinforce",
}  # fmt: skip


class ReconcileItem(Answer):
    new: Text = ""
    event: Annotated[str | None, Choice(_EVENTS, _ALSO)] = None
    known: Labels = Field(default_factory=list)


class ReconcileAnswer(ListAnswer):
    results: Items[ReconcileItem]


def _variables(request: ReconcileRequest, lang: str) -> dict[str, str]:
    speakers = [fact.speaker for fact in (*request.new, *request.known)]
    return {
        "who": who_is_who(request.cast, lang, speakers=speakers, persona=False),
        "new": prompt_wording.told_under_days(request.new, lang),
        "known": prompt_wording.told_under_days(request.known, lang),
    }


def _read(answer: ReconcileAnswer, request: ReconcileRequest) -> tuple[Reconciliation, ...]:
    new, known = Shown(fact.label for fact in request.new), Shown(fact.label for fact in request.known)
    found: dict[str, dict[str | None, Reconciliation]] = {}
    for item in answer.results:
        label = new.meant(item.new)
        if label is None or item.event is None:
            continue
        event, about = FactEvent(item.event), [known.meant(each) or new.meant(each) for each in item.known]
        mine = found.setdefault(label, {})
        for each in about if event is not FactEvent.ADD else ():
            if each is not None and each != label:
                mine.setdefault(each, Reconciliation(label, event, each))
    if answer.results and not found:
        raise RejectedAnswerError(f"no verdict on any of {shown_list(new)}")
    return tuple(
        each
        for fact in request.new
        for each in tuple(found.get(fact.label, {}).values()) or (Reconciliation(fact.label, FactEvent.ADD),)
    )


RECONCILE = Contract(
    Task.RECONCILE, ReconcileAnswer, _variables, _read, lambda asked: (each.text for each in (*asked.new, *asked.known))
)
