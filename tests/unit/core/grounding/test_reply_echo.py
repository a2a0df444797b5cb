"""Whether what an assistant said is wholly in what it had been handed; what is its own is not."""

from __future__ import annotations

import pytest

from soulmem.core.grounding.reply_overlap import says_nothing_new
from soulmem.core.grounding.small_talk import is_courtesy

EN = ("Ann (2 March 2026): Ivo won the chess cup in Ghent.", "Ann: Marta will sell 12 jars of honey.")
ZH = ("Ann的弟弟伊沃在根特赢了象棋杯（2026年3月2日）。", "Ann：玛塔会卖12罐蜂蜜。")


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (EN, "Ivo won the chess cup in Ghent, didn't he?"),
        (EN, "I remember: Ivo won the chess cup!"),
        (EN, "You told me that Marta will sell 12 jars."),
        (ZH, "伊沃在根特赢了象棋杯呀。"),
        (ZH, "我记得伊沃在根特赢了象棋杯，对吧？"),
    ],
)
def test_an_echo_says_nothing_new(items: tuple[str, ...], said: str) -> None:
    assert says_nothing_new(said, items, ("Ann", "Pell"))


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (EN, "I won the chess cup in Ghent."),
        (EN, "Ivo didn't win the chess cup in Ghent."),
        (EN, "Ivo might sell the chess cup."),
        (EN, "Ivo won the chess cup in Bruges."),
        (EN, "Marta will sell 13 jars of honey."),
        (EN, "I will bake Ivo a cake."),
        (EN, "Ivo won it at the old library, wasn't it?"),
        (EN, "Of course."),
        (ZH, "我在根特赢了象棋杯。"),
        (ZH, "伊沃没赢象棋杯。"),
        (ZH, "伊沃在布鲁日赢了象棋杯。"),
        (ZH, "玛塔会卖13罐蜂蜜。"),
        (ZH, "伊沃是在老图书馆赢的象棋杯。"),
        (ZH, "当然。"),
    ],
)
def test_what_is_its_own_is_no_echo(items: tuple[str, ...], said: str) -> None:
    assert not says_nothing_new(said, items, ("Ann", "Pell"))


@pytest.mark.parametrize(
    "said", ["You remembered!", "Well done, good memory.", "你居然记得！", "你记性真好。", "你真贴心！"]
)
def test_mere_praise_is_small_talk_whoever_drafts_a_note_of_it(said: str) -> None:
    assert is_courtesy(said)


@pytest.mark.parametrize(
    "said", ["You remembered my birthday.", "Good memory cards cost 40 euros.", "你居然记得我妈妈的生日！"]
)
def test_praise_that_tells_something_is_none(said: str) -> None:
    assert not is_courtesy(said)
