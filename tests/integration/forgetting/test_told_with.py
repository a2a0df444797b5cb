"""A trifle is remembered with what it was told with: in one breath with what is none it keeps as a plain statement."""

from __future__ import annotations

import pytest

from household import Home
from soulmem.core.importance.retention_periods import PLAIN_FROM, TRIVIAL_BELOW

TOLD = [
    ("I've had hiccups for two hours.", "hiccups", "My cousin Ivo won the chess cup in Split.", "Mm, go on."),
    ("我打嗝打了两个钟头。", "打嗝", "表弟阿杰在泉州拿了围棋冠军。", "嗯，你说。"),
]


def importance(house: Home, mind: str, word: str) -> float:
    house.api.call("idle.run", mind=mind)
    (found,) = [note for note in house.api.notes(mind) if word in note["text"]]
    return float(found["importance"])


@pytest.mark.parametrize(("trifle", "word", "beside", "reply"), TOLD)
def test_in_one_message_or_the_next_one(house: Home, trifle: str, word: str, beside: str, reply: str) -> None:
    for first, second in ((trifle, beside), (beside, trifle)):
        mind = house.mind()
        house.api.say(mind, first, speaker="Ann")
        house.pass_time(15)
        house.api.say(mind, second, speaker="Ann")
        assert importance(house, mind, word) == PLAIN_FROM
    mind = house.mind()
    house.api.say(mind, f"{trifle} {beside}", speaker="Ann")
    assert importance(house, mind, word) >= PLAIN_FROM


@pytest.mark.parametrize(("trifle", "word", "beside", "reply"), TOLD)
def test_alone_it_stays_one(house: Home, trifle: str, word: str, beside: str, reply: str) -> None:
    alone, answered, later, another = (house.mind() for _ in range(4))
    house.api.say(alone, trifle, speaker="Ann")
    for mind, speaker, seconds in ((answered, "Ann", 15), (later, "Ann", 180), (another, "Bo", 15)):
        house.api.say(mind, beside, speaker=speaker)
        if mind is answered:
            house.api.say(mind, reply, role="assistant", speaker="Pell")
        house.pass_time(seconds)
        house.api.say(mind, trifle, speaker="Ann")
    for mind in (alone, answered, later, another):
        assert importance(house, mind, word) < TRIVIAL_BELOW


@pytest.mark.parametrize(("trifle", "word", "beside", "reply"), TOLD)
def test_a_month_later_it_is_still_told(house: Home, trifle: str, word: str, beside: str, reply: str) -> None:
    told, alone = (house.mind(settings={"forgetting.clock": "wall"}) for _ in range(2))
    house.api.say(told, trifle, speaker="Ann")
    house.api.say(told, beside, speaker="Ann")
    house.api.say(alone, trifle, speaker="Ann")
    for mind in (told, alone):
        house.api.call("idle.run", mind=mind)
    house.pass_time(30 * 86_400)
    assert any(word in note["text"] for note in house.api.notes(told))
    assert not any(word in note["text"] for note in house.api.notes(alone))
