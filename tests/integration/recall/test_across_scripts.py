"""Told in one language, asked in the other: names and numbers meet, through the socket, with the installed models."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daemon_fixture import daemon_process
from household import START, Home
from real_model import installed_minilm, installed_multilingual

TOLD = {
    "en": (
        "My sister Wang Li works in Beijing.", "Xiaoming is allergic to shrimp.", "My colleague Jack lives in London.",
        "The rent is 1800 euros.", "Our neighbour Chen Jing has three cats.", "My aunt went to Lisbon in May.",
    ),
    "zh": (
        "我姐姐王丽在北京上班。", "小明对虾过敏。", "我同事杰克住在伦敦。",
        "房租是一千八百元。", "我们的邻居陈静养了三只猫。", "我姑姑五月去了里斯本。",
    ),
}  # fmt: skip
BESIDE = {
    "en": (
        "Zhang Wei plays the cello.", "Lucy has two dogs.", "My brother lives in Leeds.", "We planted tomatoes.",
        "The bakery closes at noon.", "It rained the whole day.", "I bought new curtains.", "The bus was late again.",
    ),
    "zh": (
        "张伟拉大提琴。", "露西养了两条狗。", "我哥住在苏州。", "我们种了番茄。",
        "面包店中午关门。", "下了一整天雨。", "我买了新窗帘。", "公交车又晚点了。",
    ),
}  # fmt: skip
# By the language they are asked in, and which of what was told answers each.
ASKED = {
    "zh": (
        ("王丽在哪里工作？", 0), ("王丽是谁？", 0), ("谁在北京？", 0), ("小明对什么过敏？", 1), ("杰克住在哪里？", 2),
        ("谁住在伦敦？", 2), ("一千八百是什么？", 3), ("陈静养了几只猫？", 4), ("谁去了里斯本？", 5),
    ),
    "en": (
        ("Where does Wang Li work?", 0), ("Who is Wang Li?", 0), ("Who is in Beijing?", 0),
        ("What is Xiaoming allergic to?", 1), ("Where does Jack live?", 2), ("Who lives in London?", 2),
        ("What is 1800?", 3), ("How many cats does Chen Jing have?", 4), ("Who went to Lisbon?", 5),
    ),
}  # fmt: skip
OTHER = {"en": "zh", "zh": "en"}
NOBODY = {"zh": ("陈浩在哪里工作？", "谁住在巴黎？"), "en": ("Where does Chen Hao work?", "Who lives in Paris?")}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    installed_minilm()
    installed_multilingual()
    with daemon_process(tmp_path_factory.mktemp("scripts"), "--simulated-clock", START, env={
        "SOULMEM_EMBEDDER_NAME": "auto"
    }) as daemon:  # fmt: skip
        yield Home(daemon)


@pytest.mark.parametrize("beside", ["en", "zh"])
@pytest.mark.parametrize("asked_in", ["en", "zh"])
def test_what_was_told_in_the_other_language_is_found(house: Home, asked_in: str, beside: str) -> None:
    mind = house.mind(profile="assistant")
    told = [house.api.note(mind, text) for text in TOLD[OTHER[asked_in]]]
    for text in BESIDE[beside]:
        house.api.note(mind, text)
    house.api.settle(mind)

    def found(question: str) -> list[str]:
        items = house.api.call("recall", mind=mind, query=question, record=False)["items"]
        return [item["id"] for item in items]

    missed = [question for question, which in ASKED[asked_in] if told[which] not in found(question)[:2]]
    assert missed == []
    assert [question for question in NOBODY[asked_in] if found(question)] == []
