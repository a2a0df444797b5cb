"""Questions for plans that name no time: for what goes on now, for what is to come, and all others are none."""

from __future__ import annotations

import pytest

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.questions.time_questions import asks_intent, asks_plans, read_time

NOW = 20_000 * DAY_MS + 9 * 3_600_000
DOING = [
    "What are you doing?", "what are you doing right now", "What is Tom up to?", "你现在在做什么？", "在干嘛呢？",
    "你正在忙什么",
]  # fmt: skip
COMING = [
    "What's next?",
    "What are your plans?",
    "Do you have any plans?",
    "你接下来要做什么？",
    "你有什么打算？",
    "小林的计划是什么",
]
OTHERS = [
    "What are you doing it for, when nobody asked?", "Where does Ines live?", "What did you do with the kettle?",
    "现在的房租是多少？", "What is the next stop called that Tom lives at?", "在做什么之前要先洗手？",
    "妈妈做什么工作？",
    "What plans did the architect draw?",
]  # fmt: skip


@pytest.mark.parametrize("text", DOING)
def test_what_goes_on_now_is_asked_of_now(text: str) -> None:
    asked = asks_plans(text, NOW)
    assert asked is not None
    assert asked.periods == ((NOW, NOW + 1),)
    assert asked.is_of_plans


@pytest.mark.parametrize("text", COMING)
def test_what_is_to_come_is_asked_of_the_next_weeks(text: str) -> None:
    asked = asks_plans(text, NOW)
    assert asked is not None
    ((begin, end),) = asked.periods
    assert begin == asked.from_ms == NOW
    assert end - begin > 20 * DAY_MS


@pytest.mark.parametrize("text", OTHERS)
def test_another_question_is_none(text: str) -> None:
    assert asks_plans(text, NOW) is None


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("What did you plan for yesterday?", True),
        ("你昨天本来打算做什么？", True),
        ("What did you do yesterday?", False),
        ("你昨天做了什么？", False),
    ],
)
def test_what_was_intended_is_told_from_what_was_done(text: str, is_so: bool) -> None:
    assert asks_intent(text) is is_so
    asked = read_time(text, NOW)
    assert asked is not None
    assert asked.at_ms == NOW
