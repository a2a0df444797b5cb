"""Of what comes to mind, what answers stands first: of the kind that is asked for, by who tells of himself."""

from __future__ import annotations

import pytest

from household import Home

NOTED = {
    "en": [
        "Dev got it! Dev starts as a route planner on the 16th. Office hours!",
        "Thirty-four, primary school teacher, year four, that's me.",
        "Rosie's coeliac, so no wheat, ever.",
        "Rosie ate her first oyster, she was so proud.",
    ],
    "zh": [
        "方磊找到工作了，四月去当调度员，朝九晚五。",
        "我二十九，在武汉当牙医助理。",
        "豆豆麸质过敏，一点面食都不能碰。",
        "豆豆昨天头一回吃生蚝，得意得很。",
    ],
}
ASKED = {
    "en": [("What's my job?", 1), ("What can't Rosie eat?", 2)],
    "zh": [("我是做什么工作的？", 1), ("豆豆不能吃什么？", 2)],
}
SAID = {
    "en": ("I'm on bisoprolol, one each morning.", "One medicine every morning, you take that well.",
           "What medicine do I take every morning?"),
    "zh": ("我每天早上一片比索洛尔。", "每天早上吃一片药，这个药好记。", "我每天早上吃什么药？"),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_told_of_whoever_asks_stands_first(house: Home, language: str) -> None:
    mind = house.mind()
    notes = [house.api.note(mind, text) for text in NOTED[language]]
    house.api.settle(mind)
    for query, place in ASKED[language]:
        items = house.api.call("recall", mind=mind, query=query, record=False)["items"]
        assert items[0]["id"] == notes[place], (query, items[0]["text"])
        scores = [item["score"] for item in items]
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_somebody_said_of_himself_stands_before_the_reply(house: Home, language: str) -> None:
    mind = house.mind(profile="assistant")
    said, reply, query = SAID[language]
    for role, text in (("user", said), ("assistant", reply)):
        house.api.call("message.add", mind=mind, role=role, content=text, speaker="Ann" if role == "user" else "Pell")
    house.api.settle(mind)
    texts = [item["text"] for item in house.api.call("recall", mind=mind, query=query, record=False)["items"]]
    assert texts.index(said) < texts.index(reply), texts


WITH_A_QUESTION = {
    "en": ("We've got a new dog called Rex, do you like dogs?", "What's my dog called?"),
    "zh": ("我们养了条新狗叫豆豆，你喜欢狗吗？", "我的狗叫什么名字？"),
    "mixed": ("我们养了条新狗叫 Rex，do you like dogs？", "我的狗叫什么 name？"),
}


@pytest.mark.parametrize("language", WITH_A_QUESTION)
def test_who_tells_something_and_asks_back_has_told_it(house: Home, language: str) -> None:
    mind = house.mind()
    said, query = WITH_A_QUESTION[language]
    house.api.call("message.add", mind=mind, role="user", content=said, speaker="Ann")
    house.api.settle(mind)
    found = house.api.call("recall", mind=mind, query=query, record=False)
    assert [item["text"] for item in found["items"]] == [said]


OF_COMPANION = {
    "en": ("My favourite colour is the green of pond water.", "My favourite colour is blue.",
           "What's your favourite colour, Pell?"),
    "zh": ("我最喜欢的颜色是池塘的绿色。", "我最喜欢的颜色是蓝色。", "小佩最喜欢什么颜色？"),
    "mixed": ("我最喜欢的 colour 是 green。", "我最喜欢的 colour 是 blue。", "Pell 最喜欢什么 colour？"),
}  # fmt: skip


@pytest.mark.parametrize("language", OF_COMPANION)
def test_what_a_companion_said_of_itself_answers_who_asks_of_it(house: Home, language: str) -> None:
    mind = house.mind(profile="assistant")
    own, said, query = OF_COMPANION[language]
    companion = "小佩" if language == "zh" else "Pell"
    for role, text in (("assistant", own), ("user", said)):
        speaker = "Ann" if role == "user" else companion
        house.api.call("message.add", mind=mind, role=role, content=text, speaker=speaker)
    house.api.settle(mind)
    texts = [item["text"] for item in house.api.call("recall", mind=mind, query=query, record=False)["items"]]
    assert texts[0] == own, texts


@pytest.mark.parametrize(
    ("reply", "said", "query"),
    [
        ("I recommend the restaurant Sabor in Hull, try the squid.", "The restaurant Fern was shut on Monday.",
         "Which restaurant did you recommend?"),
        ("我推荐你读《长夜》，写得真好。", "我在读一本书，讲养蜂的。", "你推荐我读哪本书？"),
    ],
)  # fmt: skip
def test_who_asks_for_what_was_said_to_him_gets_the_reply(house: Home, reply: str, said: str, query: str) -> None:
    mind = house.mind(profile="assistant")
    for role, text in (("assistant", reply), ("user", said)):
        house.api.call("message.add", mind=mind, role=role, content=text, speaker="Ann" if role == "user" else "Pell")
    house.api.settle(mind)
    items = house.api.call("recall", mind=mind, query=query, record=False)["items"]
    assert items[0]["text"] == reply
