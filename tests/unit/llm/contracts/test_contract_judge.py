"""A judgement reads relations, chooses among them, and is marked where it contradicts itself."""

from __future__ import annotations

from typing import Any

import pytest

from soulmem.core.schema.engine_tasks import Judgement, JudgeRequest, Labelled, LabelledLink, Relation
from soulmem.llm.contracts.judge import JUDGE, JudgeAnswer

BOTH = pytest.mark.parametrize("lang", ["en", "zh"])
VERBS = {"en": "works for", "zh": "师从"}


def request(lang: str) -> JudgeRequest:
    verb = VERBS[lang]
    links = (
        LabelledLink("L1", "N1", verb, "N2", "semantic"),
        LabelledLink("L2", "N2", "", "N1", "association"),
        LabelledLink("L3", "N2", "", "N1", "supersedes"),
        LabelledLink("L4", "N1", "", "N2"),
    )
    relations = (
        Relation("R1", "N1", verb, "semantic", False, 3),
        Relation("R2", "“Anselm”", "", "trigger", True, 1),
    )
    notes = (Labelled("N1", "one"), Labelled("N2", "two"))
    return JudgeRequest(("?",), notes, links, (LabelledLink("D1", "N1", "", "N2"),), language=lang, relations=relations)


def read(answer: dict[str, Any]) -> Judgement:
    return JUDGE.read(JudgeAnswer.model_validate(answer), request("en"))


@BOTH
def test_links_are_shown_with_what_they_say_and_their_direction(lang: str) -> None:
    told = JUDGE.describe(request(lang))
    links, verb = told["links"].splitlines(), VERBS[lang]
    assert links[0] == f"[L1] N1 —{verb}→ N2"
    mutual, replaces, tied = {
        "en": ("reminds of", "replaces", "belongs to"), "zh": ("让人想起", "取代了", "有关"),
    }[lang]  # fmt: skip
    assert links[1:] == [f"[L2] N2 —{mutual}— N1", f"[L3] N2 —{replaces}→ N1", f"[L4] N1 —{tied}→ N2"]
    assert told["dummies"] == "[D1] N1 ⇢ N2"
    beyond, calls = {"en": ("({} not shown yet)", "calls for"), "zh": ("({}条还没看)", "引起")}[lang]
    assert told["relations"].splitlines() == [
        f"[R1] N1 —{verb}→ {beyond.format(3)}",
        f"[R2] {beyond.format(1)} —{calls}→ “Anselm”",
    ]


def test_only_relations_are_followed_and_none_where_it_is_enough() -> None:
    found = read({"sufficient": False, "missing": ["x"], "follow": ["r1", "N1", "L2", "R9", "R1"]})
    assert (found.follow, found.useful_nodes, found.useful_links) == (("R1",), (), ())
    assert read({"sufficient": True, "useful_nodes": ["N1"], "follow": ["R1"]}).follow == ()


@pytest.mark.parametrize(
    ("answer", "contradicts"),
    [
        ({"sufficient": True, "useful_nodes": ["N1"]}, False),
        ({"sufficient": True, "useful_dummies": ["D1"]}, False),
        ({"sufficient": True, "useful_nodes": ["N9"]}, True),
        ({"sufficient": True, "useful_nodes": ["R1"]}, True),
        ({"sufficient": True, "missing": ["her name"], "useful_nodes": ["N1"]}, True),
        ({"sufficient": False, "missing": ["her name"], "useful_nodes": ["N1"]}, False),
        ({"sufficient": False}, False),
    ],
)
def test_enough_without_anything_that_helped_contradicts_itself(answer: dict[str, Any], contradicts: bool) -> None:
    found = read(answer)
    assert found.contradicts is contradicts
    assert not (found.sufficient and found.missing)
