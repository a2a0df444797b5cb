"""The contract of `misremember`: what a faded detail could be taken for (algorithms.md §7.9).

The answer is raw material: whether any of it takes the detail's place is decided by its meaning (`core.details.drift`),
not by the model. Invariants: a wording belongs to a detail that was shown; it is one line, not the detail itself,
without a gap, and no longer than `limit_of`; at most `count` for each detail, each once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field, model_validator

from soulmem.core.details.drift import limit_of
from soulmem.core.schema.detail_tasks import FadedDetail, Misremembered, MisrememberRequest
from soulmem.core.schema.engine_tasks import Task
from soulmem.core.text.tokens import fold
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Items, ListAnswer, Text, Texts, one_line
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown, shown_list

GAP = "____"
DETAIL_TOKENS = 80
AROUND_TOKENS = 60
KNOWN_TOKENS = 80
_LABEL = re.compile(r"\W*D\d+\W*", re.IGNORECASE)
_EDGES = '"“”「」_'
_LINES = {
    "en": ("where it stands: {}", "what is left of it: {}", "names known: {}"),
    "zh": ("所在的句子：{}", "还记得的大概：{}", "知道的名字：{}"),
}


class WordingItem(Answer):
    detail: Text = ""
    texts: Texts = Field(default_factory=list)


class MisrememberAnswer(ListAnswer):
    wordings: Items[WordingItem]

    @model_validator(mode="before")
    @classmethod
    def _by_label(cls, value: object) -> object:
        """Wordings by label (`{"D1": ["…", "…"]}`) are wordings too."""
        given: Any = value.get("wordings", value) if isinstance(value, Mapping) else value
        if isinstance(given, Mapping) and given and all(_LABEL.fullmatch(str(name)) for name in given):
            return {"wordings": [{"detail": str(label), "texts": texts} for label, texts in given.items()]}
        return value


def _lines(detail: FadedDetail, lang: str) -> Iterator[str]:
    where, left, known = _LINES[lang]
    yield f"[{detail.label}] {prompt_wording.folded(prompt_wording.shortened(detail.text, DETAIL_TOKENS))}"
    around = (prompt_wording.shortened(part, AROUND_TOKENS) for part in (detail.before, detail.after))
    yield f"  {where.format(prompt_wording.folded(GAP.join(around)))}"
    if detail.gist:
        yield f"  {left.format(prompt_wording.folded(detail.gist))}"
    if detail.known:
        yield f"  {known.format(prompt_wording.told(', '.join(detail.known), KNOWN_TOKENS))}"


def _variables(request: MisrememberRequest, lang: str) -> dict[str, str]:
    lines = [line for detail in request.details for line in _lines(detail, lang)]
    return {
        "who": who_is_who(request.cast, lang, persona=False),
        "details": "\n".join(lines) or prompt_wording.or_nothing("", lang),
        "count": str(request.count),
    }


def _read(answer: MisrememberAnswer, request: MisrememberRequest) -> tuple[Misremembered, ...]:
    shown = Shown(detail.label for detail in request.details)
    by_label = {detail.label: detail for detail in request.details}
    found: dict[str, dict[str, str]] = {}
    for item in answer.wordings:
        label = shown.meant(item.detail)
        if label is None:
            continue
        kept = found.setdefault(label, {})
        for each in item.texts:
            text = one_line(each).strip(_EDGES)
            if _fits(text, by_label[label]) and len(kept) < request.count:
                kept.setdefault(fold(text), text)
    result = tuple(Misremembered(label, tuple(texts.values())) for label, texts in found.items() if texts)
    if by_label and not result:
        raise RejectedAnswerError(f"no wording fits a detail ({shown_list(by_label)}): short ones, not the same words")
    return result


def _fits(text: str, detail: FadedDetail) -> bool:
    return bool(text) and GAP not in text and len(text) <= limit_of(detail.text) and fold(text) != fold(detail.text)


MISREMEMBER = Contract(
    Task.MISREMEMBER,
    MisrememberAnswer,
    _variables,
    _read,
    lambda asked: (" ".join((each.before, each.text, each.after)) for each in asked.details),
)
