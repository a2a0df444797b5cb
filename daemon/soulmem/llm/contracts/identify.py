"""The contract of `identify`: whether two names are one person's (algorithms.md §8.5).

Asked of names of which rules can tell neither. Invariants: one verdict a pair that was shown; `same` rests on a
statement under each of the two names, or it is `unsure`; a pair that the answer does not speak of is `unsure`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from soulmem.core.schema.engine_tasks import IdentifyRequest, NamePair, OneOrTwo, SameName, Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Choice, Items, Labels, ListAnswer, Text
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown, shown_list

NAME_TOKENS = 20
_VERDICTS = tuple(verdict.value for verdict in OneOrTwo)
_ALSO = {"one": "same", "yes": "same", "identical": "same", "two": "different", "no": "different",
         "distinct": "different", "unknown": "unsure", "unclear": "unsure", "maybe": "unsure", "相同": "same",
         "同一人": "same", "不同": "different", "不确定": "unsure", "不知道": "unsure"}  # fmt: skip


class PairItem(Answer):
    pair: Text = ""
    verdict: Annotated[str | None, Choice(_VERDICTS, _ALSO)] = None
    evidence: Labels = Field(default_factory=list)


class IdentifyAnswer(ListAnswer):
    pairs: Items[PairItem]


def _variables(request: IdentifyRequest, lang: str) -> dict[str, str]:
    speakers = [each.speaker for pair in request.pairs for each in (*pair.of_one, *pair.of_other)]
    return {
        "who": who_is_who(request.cast, lang, speakers=speakers, persona=False),
        "pairs": "\n".join(line for pair in request.pairs for line in _shown(pair, lang))
        or prompt_wording.or_nothing("", lang),
    }


def _shown(pair: NamePair, lang: str) -> Iterator[str]:
    one, other = (prompt_wording.told(name, NAME_TOKENS) for name in (pair.one, pair.other))
    yield prompt_wording.lines_of([(pair.label, f"{one} | {other}")])
    for name, told in ((one, pair.of_one), (other, pair.of_other)):
        yield f"{name}{'：' if lang == 'zh' else ':'}"
        yield prompt_wording.told_under_days(told, lang)


def _read(answer: IdentifyAnswer, request: IdentifyRequest) -> tuple[SameName, ...]:
    shown = Shown(pair.label for pair in request.pairs)
    found: dict[str, SameName] = {}
    for item in answer.pairs:
        label = shown.meant(item.pair)
        if label is not None and item.verdict is not None:
            pair = next(each for each in request.pairs if each.label == label)
            found.setdefault(label, _verdict(pair, OneOrTwo(item.verdict), item.evidence))
    if answer.pairs and not found:
        raise RejectedAnswerError(f"no verdict on any of {shown_list(shown)}: one of {', '.join(_VERDICTS)}")
    return tuple(found.get(pair.label, SameName(pair.label, OneOrTwo.UNSURE)) for pair in request.pairs)


def _verdict(pair: NamePair, verdict: OneOrTwo, cited: list[str]) -> SameName:
    if verdict is not OneOrTwo.SAME:
        return SameName(pair.label, verdict)
    one, other = (Shown(each.label for each in told).all_meant(cited) for told in (pair.of_one, pair.of_other))
    exact = tuple(dict.fromkeys((*one, *other)))
    return SameName(pair.label, verdict, exact) if one and other else SameName(pair.label, OneOrTwo.UNSURE)


IDENTIFY = Contract(
    Task.IDENTIFY, IdentifyAnswer, _variables, _read,
    lambda asked: (each.text for pair in asked.pairs for each in (*pair.of_one, *pair.of_other)),
)  # fmt: skip
