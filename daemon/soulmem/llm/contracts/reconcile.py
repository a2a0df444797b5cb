"""The contract of `reconcile`: what each new fact is to the known ones (algorithms.md §9.1, §9.5).

Nothing is ever deleted: a fact that no longer holds is superseded or invalidated. Facts are shown with who said them,
under the day on which they did; a new one may end what an earlier new one says. A new fact that the answer does not
speak of changes nothing: `add`. Invariants: the verdicts stand in
the order of the new facts, at least one for each; a verdict that names no known fact is `add`, so a label made up by
the model can hit no fact; each pair has one verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from soulmem.core.schema.engine_tasks import FactEvent, Labelled, ReconcileRequest, Reconciliation, Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Choice, Items, Labels, ListAnswer, Text
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown, shown_list
from soulmem.llm.extractive.wording.standalone_sentences import display_name

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
FACT_TOKENS = {"en": 36, "zh": 48}  # of a fact that is compared: what changed often stands last


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
        "new": _facts(request.new, lang),
        "known": _facts(request.known, lang),
    }


def _facts(facts: Iterable[Labelled], lang: str) -> str:
    """`[F1] Ann: text`, a line each, under the day on which it was told."""
    lines = ((fact.at_ms, _line(fact, lang)) for fact in facts)
    return "\n".join(prompt_wording.under_days(lines, lang)) or prompt_wording.or_nothing("", lang)


def _line(fact: Labelled, lang: str) -> str:
    """A fact behind its label and, where it does not name him, whoever told it: so that "I" in it is understood."""
    words = prompt_wording.without_telling_day(fact.text, fact.speaker, fact.at_ms)
    words = prompt_wording.shortened(words, FACT_TOKENS[lang])
    if speaker := prompt_wording.told_by(display_name(fact.speaker, lang), words):
        words = f"{prompt_wording.folded(speaker)[:60]}{'：' if lang == 'zh' else ': '}{words}"
    return prompt_wording.lines_of([(fact.label, words)])


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
