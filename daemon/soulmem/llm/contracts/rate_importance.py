"""The contract of `rate_importance`: a whole number from 1 to 10 for each item, in their order (algorithms.md §8.2).

Ratings come under labels, or in order without any; 4 stands where none was given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import model_validator

from soulmem.core.schema.engine_tasks import ImportanceRequest, Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import FAIL_SAFE, Items, ListAnswer, Rating, Text, parse_importance
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown, shown_list

__all__ = ["FAIL_SAFE", "RATE_IMPORTANCE", "parse_importance"]

CHARACTER_TOKENS = 300
_LABELLED = re.compile(r"\W*([A-Za-z]{1,3}\d+)\b", re.ASCII)


class RatingItem(Answer):
    label: Text = ""
    importance: Rating = None


class ImportanceAnswer(ListAnswer):
    ratings: Items[RatingItem]

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: object) -> object:
        """Bare numbers in order, and numbers by label, are ratings too."""
        given: Any = value.get("ratings") if isinstance(value, Mapping) else value
        if isinstance(given, Mapping) and not {"label", "importance"} & given.keys():
            return {"ratings": [{"label": str(label), "importance": rating} for label, rating in given.items()]}
        if isinstance(given, Sequence) and not isinstance(given, str):
            return {"ratings": [_item(each) for each in given]}
        return value


def _item(given: object) -> object:
    """A rating that is no object: a number, or a line such as `N2: 8`."""
    if isinstance(given, Mapping | Answer):
        return given
    named = _LABELLED.match(given) if isinstance(given, str) else None
    return {"label": named[1] if named else "", "importance": given}


def _variables(request: ImportanceRequest, lang: str) -> dict[str, str]:
    return {
        "who": who_is_who(request.cast, lang, speakers=[item.speaker for item in request.items], persona=False),
        "character": prompt_wording.or_nothing(request.cast.persona, lang, CHARACTER_TOKENS),
        "items": prompt_wording.notes_of(request.items, lang),
    }


def _read(answer: ImportanceAnswer, request: ImportanceRequest) -> tuple[int, ...]:
    shown = Shown(item.label for item in request.items)
    rated: dict[str, int] = {}
    unlabelled = [item.importance for item in answer.ratings if not item.label]
    if len(unlabelled) == len(answer.ratings):
        in_order = zip(request.items, unlabelled, strict=False)
        rated = {item.label: rating for item, rating in in_order if rating is not None}
    for each in answer.ratings:
        label = shown.meant(each.label) if each.label else None
        if label is not None and each.importance is not None:
            rated.setdefault(label, each.importance)
    if request.items and not rated:
        raise RejectedAnswerError(f"no whole number from 1 to 10 for any of {shown_list(shown)}")
    return tuple(rated.get(item.label, FAIL_SAFE) for item in request.items)


RATE_IMPORTANCE = Contract(
    Task.RATE_IMPORTANCE, ImportanceAnswer, _variables, _read, lambda asked: (each.text for each in asked.items)
)
