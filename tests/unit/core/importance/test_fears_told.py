"""Fears, and what a body cannot bear, are vital in whatever words they are told, in both languages."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.importance.importance_rating import weigh
from soulmem.core.importance.retention_periods import Level
from soulmem.core.wordlists.important_events import Reason

AT = calendar_math.day_number(2026, 1, 7) * calendar_math.DAY_MS


@every_row(
    (
        "i have an irrational thing about moths",
        "I've got this weird thing about lifts, I always take the stairs",
        "Clowns make my skin crawl",
        "I can't do spiders, sorry",
        "I am not afraid of much. Lifts.",
        "it's balloons that get me",
        "I am hopelessly nervous on ladders",
        "我最怵开车上高速",
        "我一看见蛇就腿软",
        "从那以后铃一响，手心就出汗",
        "我坐电梯心里发毛",
        "看到密密麻麻的洞我就起鸡皮疙瘩",
    )
)
def test_a_fear_is_vital_in_whatever_words_it_is_told(text: str) -> None:
    found = weigh(text, AT)
    assert found.level is Level.VITAL
    assert Reason.FEAR in found.reasons


@every_row(("I have a thing for old maps", "I can't do Tuesday, sorry", "我在高速上腿都坐麻了", "一看就很贵"))
def test_what_only_sounds_like_a_fear_is_none(text: str) -> None:
    assert Reason.FEAR not in weigh(text, AT).reasons


@every_row(
    (
        "Hives up to the elbow.",
        "我这人桃子碰不得，一沾桃毛浑身起疙瘩",
        "I came up in a rash",
        "我妈在衡阳开早餐店 每天三点起",
        "我爸跑长途的",
    )
)
def test_a_body_that_cannot_and_what_ones_kin_live_on_are_vital(text: str) -> None:
    assert weigh(text, AT).level is Level.VITAL
