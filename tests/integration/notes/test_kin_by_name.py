"""Whoever asks for "my husband" is answered with what was told of Callum, before the sleep and after it."""

from __future__ import annotations

import pytest

from household import Home

TALK = {
    "en": (
        "Priya",
        [
            "I moved to Leeds with my husband Callum.",
            "The kettle is new.",
            "It rained all day.",
            "I had toast.",
            "The bus was late.",
            "Callum builds footbridges for Halden.",
        ],
        ("What does my husband do?", "What does my hubby do?"),
        "What does my brother do?",
        "footbridges",
    ),
    "zh": (
        "沈岚",
        [
            "我跟老公周航搬到了苏州。",
            "水壶是新买的。",
            "今天下了一天雨。",
            "早上吃了面包。",
            "公交车晚点了。",
            "周航在恒达做桥梁设计。",
        ],
        ("我老公做什么工作？", "我老伴做什么工作？"),
        "我弟弟做什么工作？",
        "桥梁",
    ),
}


@pytest.mark.parametrize("language", TALK)
def test_kin_are_known_by_their_names(house: Home, language: str) -> None:
    speaker, talk, asked, of_nobody, answer = TALK[language]
    mind = house.mind(profile="companion")
    for text in talk:
        house.api.say(mind, text, speaker=speaker)
        house.pass_time(60)
    for _ in ("before the sleep", "after it"):
        for question in asked:
            found = house.api.found(mind, question, k=2)
            assert any(answer in item["text"] for item in found), found
        house.pass_time(3600)
        house.api.settle(mind)
    assert not any(item["score"] > 0.9 for item in house.api.found(mind, of_nobody, k=2))


def test_where_two_have_a_husband_and_nobody_knows_who_asks_no_name_stands_for_him(house: Home) -> None:
    mind = house.mind(profile="companion")
    house.api.say(mind, "My husband Callum is from Hull.", speaker="Priya")
    house.api.say(mind, "Callum repairs violins.", speaker="Priya")
    asked = "What instruments does my husband repair?"
    (before,) = (item["score"] for item in house.api.found(mind, asked) if "violins" in item["text"])
    house.api.say(mind, "My husband Tom is from Leeds.", speaker="Ann")
    after = [item["score"] for item in house.api.found(mind, asked) if "violins" in item["text"]]
    assert before > max(after, default=0.0)


CALLED = {
    "en": (
        "Nell",
        ["My partner's Joss, she's a paramedic.", "Joss works nights this month so I barely see her.", "It rained."],
        "What does Joss do?",
        "paramedic",
    ),
    "zh": (
        "苏禾",
        ["我老公叫陆川，他是地铁司机。", "陆川这个月上夜班，我们碰不上面。", "今天下雨。"],
        "陆川是做什么的？",
        "地铁司机",
    ),
}


@pytest.mark.parametrize("language", CALLED)
def test_who_is_asked_for_by_name_is_known_as_kin(house: Home, language: str) -> None:
    speaker, talk, asked, answer = CALLED[language]
    mind = house.mind(profile="companion")
    for text in talk:
        house.api.say(mind, text, speaker=speaker)
        house.pass_time(60)
    house.pass_time(3600)
    house.api.settle(mind)
    assert answer in house.api.found(mind, asked, k=3)[0]["text"]
