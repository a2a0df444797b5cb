"""Told of one person: what is told of somebody brings up what else was told of him, by whatever name, and no more."""

from __future__ import annotations

import pytest

from checking import Json
from household import DAY, Home

# (what is told of somebody, on another evening something unlike of the same, what asks for the first, a word of that)
SAME = {
    "en": (
        "Rosa has borrowed my bicycle pump.",
        "Rosa is afraid of escalators.",
        "Who has my bicycle pump?",
        "escalator",
    ),
    "zh": ("李静把我的打气筒借走了。", "李静害怕坐自动扶梯。", "谁借了我的打气筒？", "扶梯"),
}
# (who a relative is, what is told of her without her name, what asks for her by name, a word of the second)
ALIAS = {
    "en": ("My sister is called Mei.", "My sister broke the blue vase.", "Any news of Mei?", "vase"),
    "zh": ("我妹妹叫小梅。", "我妹妹把蓝花瓶打碎了。", "小梅有什么消息？", "花瓶"),
}
OTHER = {
    "en": ("The tram was late again.", "I planted leeks by the wall.", "The landlord painted the stairs yellow."),
    "zh": ("电车又晚点了。", "我在墙边种了大葱。", "房东把楼梯刷成了黄色。"),
}
LANGUAGES = pytest.mark.parametrize("language", SAME)


def told(house: Home, language: str, first: str, second: str, **settings: object) -> tuple[str, str]:
    """A mind that was told both, a week apart among other things, each in a conversation of its own."""
    api = house.api
    mind = house.mind(settings={"linking.k_hot": 0, **settings})  # nothing but names ties what is told apart
    heard = api.say(mind, first, speaker="Ann", conversation="first")
    for text in OTHER[language]:
        house.pass_time(600)
        api.say(mind, text, speaker="Ann", conversation="other")
    house.pass_time(7 * DAY)
    api.say(mind, second, speaker="Ann", conversation="second")
    house.pass_time(DAY)
    api.call("idle.run", mind=mind)
    api.settle(mind)
    return mind, heard["id"]


def named_way(items: list[Json], word: str) -> Json | None:
    """The step by a name that led to what has a word."""
    steps = [step for item in items if word in item["text"] for step in item["why"].get("path", ())]
    return next((step for step in steps if step["kind"] == "name"), None)


@LANGUAGES
def test_what_was_told_of_a_person_brings_what_else_was(house: Home, language: str) -> None:
    first, second, query, word = SAME[language]
    mind, _ = told(house, language, first, second)
    count = house.api.call("mind.get", mind=mind)["mind"]["notes"]
    items = house.api.found(mind, query, explain=True, min_score=0)
    other = next((item for item in items if word in item["text"]), None)
    assert other is not None, [(item["text"], item["why"]) for item in items]
    assert other["why"]["channels"]["association"] > 0
    if other["tier"] != "vector":
        (step,) = [each for each in other["why"]["path"] if each["kind"] == "name"]
        assert (step["link"], step["origin"]) == (None, "")
        assert step["verb"] == ("Rosa" if language == "en" else "李静")
    assert count == len(house.api.call("note.list", mind=mind, limit=500)["items"]), "a name is no note"
    house.api.call("mind.update", mind=mind, settings={"recall.graph": False})
    items = house.api.found(mind, query, explain=True, min_score=0)
    assert not any("association" in item["why"]["channels"] for item in items)


@LANGUAGES
def test_a_relative_is_one_person_by_either_name(house: Home, language: str) -> None:
    first, second, query, word = ALIAS[language]
    mind, heard = told(house, language, first, second)
    items = house.api.found(mind, query, explain=True, min_score=0)
    assert any(word in item["text"] for item in items)
    for note in house.api.call("note.list", mind=mind, limit=500)["items"]:
        if word not in note["text"] and note["text"] and ("Mei" in note["text"] or "小梅" in note["text"]):
            house.api.call("note.purge", mind=mind, id=note["id"])
    assert heard
    items = house.api.found(mind, query, explain=True, min_score=0)
    assert named_way(items, word) is None, "what told who she is is gone"


@LANGUAGES
def test_a_name_leads_nowhere_that_may_not_be_shown(house: Home, language: str) -> None:
    first, second, query, word = SAME[language]
    mind, _ = told(house, language, first, second, **{"recall.sharing": "conversation"})
    items = house.api.found(mind, query, explain=True, min_score=0, conversation="first")
    assert items
    assert not any(word in item["text"] for item in items)
    assert named_way(items, "") is None
