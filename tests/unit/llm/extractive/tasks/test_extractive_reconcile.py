"""Reconciling facts without a model: planted changes, repetitions and additions, and that nothing else is ever replaced."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import pytest
from hypothesis import given, settings

from every_row import every_row
from soulmem.core.schema.engine_tasks import FactEvent, Labelled, ReconcileRequest, Reconciliation
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.reconcile import reconcile
from spoken_texts import labelled

DAY = 86_400_000
AT = 1_700_000_000_000

SUPERSEDED = [
    ("Anna lives in Rome", "Anna lives in Paris"), ("Anna moved to Rome last week", "Anna lives in Paris"),
    ("Anna lives in New York", "Anna lives in York"), ("Anna no longer lives in Paris", "Anna lives in Paris"),
    ("Anna used to live in Paris", "Anna lives in Paris"), ("Anna doesn't live in Paris anymore", "Anna lives in Paris"),
    ("Anna hates cats", "Anna likes cats"), ("Anna is a teacher", "Anna is a nurse"), ("I am 35 years old", "I am 34 years old"),
    ("Anna's favourite colour is red", "Anna's favourite colour is blue"), ("Anna quit smoking", "Anna smokes"),
    ("Anna gave up coffee", "Anna drinks coffee every morning"), ("Anna is married", "Anna is single"),
    ("Anna's husband is Bob", "Anna's husband is Tom"), ("Anna now works at Apple", "Anna works at Google"),
    ("小红搬到了上海", "小红住在北京"), ("小红不再住在北京了", "小红住在北京"), ("小红以前住在北京", "小红住在北京"), ("小红不喜欢猫", "小红喜欢猫"),
    ("我叫小林", "我叫小王"), ("小红戒了咖啡", "小红每天喝咖啡"), ("小明不吃香菜了", "小明吃香菜"), ("小明的手机号是13800000000", "小明的手机号是13900000000"),
    ("小红离婚了", "小红结婚了"), ("小红现在是老师", "小红是护士"), ("Anna现在住在上海", "Anna住在北京"), ("Anna 在 Apple 工作", "Anna 在 Google 工作"),
]  # fmt: skip
KNOWN = [
    ("Anna lives in Paris", "Anna lives in Paris"), ("Anna lives in Paris (8 May 2023)", "anna lives in Paris."),
    ("Anna lives in Denver", "Anna lives in Denver, Colorado"), ("Anna adopted a cat", "Anna adopted a grey cat named Miso"),
    ("Anna is an engineer", "Anna is a software engineer"), ("Anna no longer lives in Paris", "Anna used to live in Paris"),
    ("小红住在北京", "小红住在北京。"), ("小红住在北京（2023年5月8日）", "小红住在北京"), ("小红喜欢猫", "小红喜欢猫"), ("小红住在北京", "小红住在北京朝阳区"),
    ("小红领养了一只猫", "小红领养了一只橘猫，叫豆包"), ("Anna住在北京", "Anna 住在 北京"),
]  # fmt: skip
RICHER = [
    ("Anna lives in Denver, Colorado", "Anna lives in Denver"), ("Anna is a pediatric nurse", "Anna is a nurse"),
    ("Anna adopted a grey cat named Miso", "Anna adopted a cat"), ("My birthday is 4 May 1990", "My birthday is 4 May"),
    ("小红住在北京朝阳区", "小红住在北京"), ("小红领养了一只橘猫，叫豆包", "小红领养了一只猫"), ("小红是儿科医生", "小红是医生"),
]  # fmt: skip
ADDED = [
    ("Anna likes jazz", "Anna likes pottery"), ("Bob lives in Rome", "Anna lives in Paris"), ("Anna used to live in Rome", "Anna lives in Paris"),
    ("Anna lives in 北京", "Anna lives in Beijing"), ("Anna has three cats", "Anna has two cats"), ("Anna lived in Paris in 2019", "Anna lives in Rome"),
    ("Anna's favourite food is sushi", "Anna's favourite colour is blue"), ("Anna works at Google in summer 2019", "Anna works at Apple"),
    ("Anna's husband is a nurse", "Anna's husband is Tom"), ("Anna ran 5 km", "Anna ran 10 km"), ("Anna lived in Paris", "Anna lives in Paris"),
    ("She lives in Rome", "She lives in Paris"), ("Does Anna live in Rome?", "Anna lives in Paris"), ("", "Anna likes cats"),
    ("小红喜欢狗", "小红喜欢猫"), ("小红以前住在广州", "小红住在北京"), ("小明住在上海", "小红住在北京"), ("小红养了一只狗", "小红养了一只猫"), ("小红对花生过敏", "小红对芒果过敏"),
    ("小红去了上海", "小红住在北京"), ("Anna说她住在 Rome", "Anna住在Paris"),
]  # fmt: skip


OVER = {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}


def decide(new: str, known: str, *, later_ms: int = 60_000) -> Reconciliation:
    (answer,) = reconcile(ReconcileRequest((Labelled("F1", new, AT + later_ms),), (Labelled("K1", known, AT),)))
    assert answer.new == "F1"
    assert (answer.known is None) is (answer.event is FactEvent.ADD)
    return answer


@every_row(SUPERSEDED, unpack=True)
def test_what_cannot_hold_together_is_superseded(new: str, known: str) -> None:
    assert decide(new, known).event in OVER


@every_row(KNOWN + RICHER, unpack=True)
def test_what_is_known_is_strengthened(new: str, known: str) -> None:
    assert decide(new, known).event is FactEvent.REINFORCE


@every_row(ADDED, unpack=True)
def test_all_else_is_added(new: str, known: str) -> None:
    assert decide(new, known) == Reconciliation("F1", FactEvent.ADD)


@pytest.mark.parametrize(("known", "new"), SUPERSEDED)
def test_what_was_told_earlier_is_seen_to_be_over_when_it_arrives(new: str, known: str) -> None:
    """Which of two facts ends the other is told by when they were told, not by which of them is new."""
    assert decide(new, known, later_ms=-30 * DAY).event in OVER


def test_each_fact_meets_the_one_it_is_about() -> None:
    known = (
        Labelled("K1", "Anna likes tea", AT),
        Labelled("K2", "Anna lives in Paris", AT),
        Labelled("K3", "小红住在北京", AT),
    )
    new = (
        Labelled("F1", "小红搬到了上海", AT + DAY),
        Labelled("F2", "Anna likes tea", AT + DAY),
        Labelled("F3", "Anna moved to Rome", AT + DAY),
    )
    assert reconcile(ReconcileRequest(new, known)) == (
        Reconciliation("F1", FactEvent.SUPERSEDE, "K3"),
        Reconciliation("F2", FactEvent.REINFORCE, "K1"),
        Reconciliation("F3", FactEvent.SUPERSEDE, "K2"),
    )


def test_two_visits_are_two_facts() -> None:
    assert decide("Anna went to the museum", "Anna went to the museum", later_ms=9 * DAY).event is FactEvent.ADD
    assert decide("小红昨天去了美术馆", "小红昨天去了美术馆", later_ms=9 * DAY).event is FactEvent.ADD


@settings(deadline=None)
@given(new=labelled(), known=labelled())
async def test_any_facts_give_a_valid_answer_and_always_the_same(
    new: tuple[Labelled, ...], known: tuple[Labelled, ...]
) -> None:
    request = ReconcileRequest(*(tuple(Labelled(n.label, n.text, n.at_ms) for n in facts) for facts in (new, known)))
    answers = await ExtractiveEngine().reconcile(request)
    assert list(dict.fromkeys(answer.new for answer in answers)) == [note.label for note in new]
    for answer in answers:
        assert (answer.known is None) is (answer.event is FactEvent.ADD)
        assert answer.known is None or answer.known in {note.label for note in known}
    assert len({(answer.new, answer.known) for answer in answers}) == len(answers)
    assert answers == await ExtractiveEngine().reconcile(request)


def test_a_wall_of_text_is_compared() -> None:
    assert decide("Anna likes " * 20_000, "Anna likes tea").event is FactEvent.ADD
    assert decide("Anna likes " * 20_000, "Boris likes tea").event is FactEvent.ADD
    assert decide("小红喜欢" * 50_000, "小红喜欢茶").event is FactEvent.ADD
