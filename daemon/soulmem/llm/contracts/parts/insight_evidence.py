"""Insights with the statements they rest on, as objects or as lines of text (algorithms.md §8.3).

Used by `insights`. A line holds one insight and its evidence: `1. Ann puts others first [2, 5]`, or
"(because of 2, 5)"; a line that does not is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field, model_validator

from soulmem.core.schema.engine_tasks import Insight
from soulmem.core.text.tokens import fold
from soulmem.llm.contracts.parts.answer_fields import Items, Labels, ListAnswer, Text, one_line
from soulmem.llm.contracts.parts.contract_base import Answer
from soulmem.llm.contracts.parts.short_labels import Shown

LONGEST_INSIGHT = 500  # characters
MOST_LINES = 200
_CITED = r"[A-Za-z]{0,3}\d{1,6}(?:\s*[,，、;]\s*[A-Za-z]{0,3}\d{1,6})*"
_LINE = re.compile(
    rf"^\s*+(?:\d{{1,3}}[.)、．）]|[-*•])?\s*+(?P<text>.+?)(?<!\s)\s*+(?:[\[［【](?P<cited>{_CITED})[\]］】]"
    rf"|[(（](?:because of|based on|evidence:?|依据[:：]?|因为|根据)?\s*(?P<because>{_CITED})[)）])\s*[.。]?\s*$",
    re.IGNORECASE | re.ASCII,
)


class InsightItem(Answer):
    text: Text = ""
    evidence: Labels = Field(default_factory=list)


class InsightsAnswer(ListAnswer):
    insights: Items[InsightItem]

    @model_validator(mode="before")
    @classmethod
    def _lines(cls, value: object) -> object:
        """Lines of text, alone or in a list, are insights too."""
        given: Any = value.get("insights") if isinstance(value, Mapping) else value
        if isinstance(given, str) and given is not value:
            given = given.splitlines()
        if not isinstance(given, list) or not any(isinstance(each, str) for each in given):
            return value
        return {"insights": [parsed for each in given[:MOST_LINES] if (parsed := _parsed(each)) is not None]}


def _parsed(given: object) -> object:
    if not isinstance(given, str):
        return given
    line = parse_line(given)
    return None if line is None else {"text": line[0], "evidence": list(line[1])}


def parse_line(line: str) -> tuple[str, tuple[str, ...]] | None:
    """An insight and the labels it cites; None for a line that is none."""
    if len(line) > 2 * LONGEST_INSIGHT:
        return None
    found = _LINE.match(line)
    if found is None:
        return None
    return found["text"].strip(), tuple(re.split(r"\s*[,，、;]\s*", found["cited"] or found["because"]))


def checked(items: Iterable[InsightItem], labels: Iterable[str]) -> list[Insight]:
    """The insights that cite a statement that was shown, each once, in order."""
    shown = Shown(labels)
    found: dict[str, Insight] = {}
    for item in items:
        line = parse_line(item.text) if not item.evidence else None
        text, cited = line if line is not None else (item.text, tuple(item.evidence))
        text, evidence = one_line(text), shown.all_meant(cited)
        if text and len(text) <= LONGEST_INSIGHT and evidence:
            found.setdefault(fold(text), Insight(text, evidence))
    return list(found.values())
