"""Reflecting without a model: nothing is concluded but what is counted; what says the same is condensed."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.schema.engine_tasks import CondenseRequest, Insight, InsightsRequest, Labelled
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.condense import condense
from spoken_texts import texts

TOLD = {
    "en": (Labelled("S1", "Caroline likes pottery"), Labelled("S2", "Caroline went to the support group again")),
    "zh": (Labelled("S1", "小红喜欢爬山"), Labelled("S2", "小红又去了美术馆")),
    "mixed": (Labelled("S1", "Anna喜欢hiking"), Labelled("S2", "Anna 在 Google 工作")),
}


@pytest.mark.parametrize("language", TOLD)
async def test_nothing_is_concluded_without_a_model(language: str) -> None:
    assert await ExtractiveEngine().insights(InsightsRequest("What is known?", TOLD[language])) == ()


CONDENSED = [
    (Insight("Caroline likes pottery and hiking.", ("S1", "S2")), Insight("Caroline likes pottery and hiking a lot.", ("S3",)), Insight("Melanie paints lakes.", ("S5",))),
    (Insight("小红喜欢爬山和喝茶。", ("S1",)), Insight("小红喜欢爬山和喝茶。", ("S2",)), Insight("小明养了一只猫。", ("S3",))),
]  # fmt: skip


@pytest.mark.parametrize("given_insights", CONDENSED)
def test_what_says_the_same_becomes_one(given_insights: tuple[Insight, ...]) -> None:
    kept = condense(CondenseRequest("", given_insights, 5))
    assert len(kept) == 2
    assert set(kept[0].evidence) == {label for insight in given_insights[:2] for label in insight.evidence}
    assert kept[1] == given_insights[2]


def test_numbers_keep_insights_apart() -> None:
    apart = (Insight("Anna ran 5 km in the city park.", ("S1",)), Insight("Anna ran 10 km in the city park.", ("S2",)))
    assert condense(CondenseRequest("", apart, 5)) == apart


def test_citations_of_what_goes_are_taken_over_by_the_most_similar() -> None:
    many = (
        Insight("Caroline works hard at the bakery every day.", ("S1", "S2")),
        Insight("Melanie paints lakes and sunrises in oil.", ("S3", "S4")),
        Insight("Melanie paints.", ("S5",)),
    )
    kept = condense(CondenseRequest("", many, 2))
    assert [insight.evidence for insight in kept] == [("S1", "S2"), ("S3", "S4", "S5")]


@settings(deadline=None)
@given(texts=st.lists(texts, max_size=8), limit=st.integers(1, 5), data=st.data())
def test_condensing_loses_no_citation(texts: list[str], limit: int, data: st.DataObject) -> None:
    labels = st.lists(st.sampled_from([f"S{i}" for i in range(9)]), min_size=1, max_size=4, unique=True)
    many = tuple(Insight(text, tuple(data.draw(labels))) for text in texts)
    kept = condense(CondenseRequest("q", many, limit))
    assert len(kept) <= limit
    assert {label for insight in kept for label in insight.evidence} == {
        label for insight in many for label in insight.evidence
    }
    assert {insight.text for insight in kept} <= set(texts)
    assert all(len(insight.evidence) == len(set(insight.evidence)) for insight in kept)
