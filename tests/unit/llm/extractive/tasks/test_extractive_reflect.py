"""Reflecting without a model: questions, insights and their condensing, over planted statements and any others."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.schema.engine_tasks import CondenseRequest, Insight, InsightsRequest, Labelled, QuestionsRequest
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.insights import condense, insights, questions
from spoken_texts import labelled, texts

DAY = 86_400_000
AT = 1_684_000_000_000  # 13 May 2023


def told(*lines: str) -> tuple[Labelled, ...]:
    return tuple(Labelled(f"S{index}", line, AT + index * 3 * DAY) for index, line in enumerate(lines, 1))


ENGLISH = told(
    "Caroline likes pottery", "Caroline likes hiking", "Caroline went to a support group (8 May 2023).", "Caroline is sad and lonely after the break-up",
    "Caroline cried because of the break-up", "Caroline lives in Boston", "Melanie painted a lake sunrise", "Caroline moved to Denver",
    "Caroline is happy and proud of her new job", "Caroline was excited: she won a medal", "Melanie ran a charity race",
    "Caroline talked about the support group again", "Caroline: I led the support group today",
)  # fmt: skip
CHINESE = told(
    "小红喜欢爬山", "小红喜欢喝茶", "小红住在北京", "小红搬到了上海", "小红昨天去了美术馆", "小明养了一只猫", "小红很难过，因为分手了", "小红又去了美术馆看展览",
    "小红在美术馆当志愿者", "小红升职了，很开心", "小红激动地说拿了奖", "小明打算下个月去云南",
)  # fmt: skip
MIXED = told("Anna喜欢hiking", "Anna 在 Google 工作", "Anna now works at Apple", "Anna说她喜欢 jazz", "Anna住在北京")

ASKED = [
    (ENGLISH, "What is known about Caroline?"), (ENGLISH, "How has Caroline been feeling?"), (ENGLISH, "What is known about Melanie?"),
    (CHINESE, "关于小红，都知道些什么？"), (CHINESE, "小红最近的心情怎么样？"), (CHINESE, "关于小红的住处，都知道些什么？"),
    (MIXED, "关于Anna，都知道些什么？"), (MIXED, "Anna的工作怎么样？"),
]  # fmt: skip
FOUND = [
    (ENGLISH, "Where does Caroline live?", "Caroline’s home changed: Boston (31 May 2023), then Denver (6 June 2023).", ("S6", "S8")),
    (ENGLISH, "What does Caroline like and dislike?", "Caroline likes pottery and hiking.", ("S1", "S2")),
    (ENGLISH, "What is known about Caroline?", "With Caroline, “support group” keeps coming up: 3 times (22 May 2023 to 21 June 2023).", ("S3", "S12", "S13")),
    (ENGLISH, "How has Caroline been feeling?", "Since 9 June 2023, what is told of Caroline sounds happier than before.", ("S4", "S5", "S9", "S10")),
    (ENGLISH, "What is known about Melanie?", "About Melanie: Melanie painted a lake sunrise; Melanie ran a charity race.", ("S7", "S11")),
    (CHINESE, "小红住在哪里？", "小红的住处变了：北京（2023年5月22日），后来上海（2023年5月25日）。", ("S3", "S4")),
    (CHINESE, "小红喜欢什么，不喜欢什么？", "小红喜欢爬山和喝茶。", ("S1", "S2")),
    (CHINESE, "关于小红，都知道些什么？", "小红的事里“美术馆”反复出现：3次（2023年5月28日至2023年6月9日）。", ("S5", "S8", "S9")),
    (MIXED, "Anna的工作怎么样？", "Anna的工作单位变了：Google（2023年5月19日），后来Apple（2023年5月22日）。", ("S2", "S3")),
]  # fmt: skip


def test_questions_are_about_whom_and_what_recurs() -> None:
    english = questions(QuestionsRequest(ENGLISH, 4))
    assert english[0] == "What is known about Caroline?"
    assert "How has Caroline been feeling?" in english
    assert any("Melanie" in question for question in english)
    chinese = questions(QuestionsRequest(CHINESE, 5))
    assert chinese[0] == "关于小红，都知道些什么？"
    assert any("小明" in question for question in chinese)
    assert all("Anna" in question for question in questions(QuestionsRequest(MIXED, 3)))


def test_questions_are_in_the_language_wanted() -> None:
    assert questions(QuestionsRequest(CHINESE, 1, "en")) == ("What is known about 小红?",)
    assert questions(QuestionsRequest(ENGLISH, 1, "zh")) == ("关于Caroline，都知道些什么？",)


@pytest.mark.parametrize(
    ("lines", "question"),
    [
        (("I went to the museum", "the museum was closed"), "What was said about “museum”?"),
        (("我去了博物馆", "博物馆关门了"), "关于“博物馆”，说过些什么？"),
    ],
)
def test_where_nobody_is_named_words_are_asked_about(lines: tuple[str, ...], question: str) -> None:
    assert questions(QuestionsRequest(told(*lines))) == (question,)


def test_nothing_stated_nothing_asked() -> None:
    assert questions(QuestionsRequest(())) == ()
    assert questions(QuestionsRequest(told("", "…"))) == ()
    assert questions(QuestionsRequest(ENGLISH, 0)) == ()


@pytest.mark.parametrize("statements", [ENGLISH, CHINESE, MIXED])
def test_our_own_first_question_finds_insights(statements: tuple[Labelled, ...]) -> None:
    (question,) = questions(QuestionsRequest(statements, 1))
    assert insights(InsightsRequest(question, statements))


@every_row(FOUND, unpack=True)
def test_planted_insights(
    statements: tuple[Labelled, ...], question: str, text: str, evidence: tuple[str, ...]
) -> None:
    assert Insight(text, evidence) in insights(InsightsRequest(question, statements))


@every_row(ASKED, unpack=True)
def test_insights_keep_to_the_count_and_to_the_person(statements: tuple[Labelled, ...], question: str) -> None:
    found = insights(InsightsRequest(question, statements, 2))
    assert 1 <= len(found) <= 2
    text = {note.label: note.text for note in statements}
    named = next(name for name in ("Caroline", "Melanie", "小红", "Anna") if name in question)
    assert all(named in text[label] for insight in found for label in insight.evidence)


@pytest.mark.parametrize(
    "question", ["What is known about Zoe?", "小刚的工作怎么样？", "What is quantum chromodynamics?", ""]
)
def test_what_nothing_is_known_of_gives_no_insight(question: str) -> None:
    assert insights(InsightsRequest(question, ENGLISH)) == ()
    assert insights(InsightsRequest(question, CHINESE)) == ()


def test_one_statement_is_no_generalisation() -> None:
    assert insights(InsightsRequest("What is known about Anna?", told("Anna likes tea"))) == ()


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
@given(statements=labelled(0, 8), count=st.integers(0, 6), language=st.sampled_from([None, "en", "zh", "zh-CN"]))
async def test_any_statements_give_valid_questions(
    statements: tuple[Labelled, ...], count: int, language: str | None
) -> None:
    request = QuestionsRequest(statements, count, language)
    asked = await ExtractiveEngine().questions(request)
    assert len(asked) == len(set(asked)) <= count
    assert all(question.strip().endswith(("?", "？")) for question in asked)
    assert asked == await ExtractiveEngine().questions(request)


@settings(deadline=None)
@given(question=texts, statements=labelled(0, 8), count=st.integers(0, 6))
async def test_any_statements_give_valid_insights(question: str, statements: tuple[Labelled, ...], count: int) -> None:
    request = InsightsRequest(question, statements, count)
    found = await ExtractiveEngine().insights(request)
    assert len(found) <= count
    for insight in found:
        assert insight.text.strip()
        assert len(insight.evidence) == len(set(insight.evidence)) >= 2
        assert set(insight.evidence) <= {note.label for note in statements}
    assert found == await ExtractiveEngine().insights(request)


@settings(deadline=None)
@given(texts=st.lists(texts, max_size=8), limit=st.integers(1, 5), data=st.data())
async def test_condensing_loses_no_citation(texts: list[str], limit: int, data: st.DataObject) -> None:
    labels = st.lists(st.sampled_from([f"S{i}" for i in range(9)]), min_size=1, max_size=4, unique=True)
    many = tuple(Insight(text, tuple(data.draw(labels))) for text in texts)
    kept = await ExtractiveEngine().condense(CondenseRequest("q", many, limit))
    assert len(kept) <= limit
    assert {label for insight in kept for label in insight.evidence} == {
        label for insight in many for label in insight.evidence
    }
    assert {insight.text for insight in kept} <= set(texts)
    assert all(len(insight.evidence) == len(set(insight.evidence)) for insight in kept)
