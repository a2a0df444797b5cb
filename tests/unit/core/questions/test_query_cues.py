"""What a mood says and what a question asks for: bounded whatever is given, in both languages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.questions.query_cues import both_moods, given_mood
from soulmem.core.schema.engine_tasks import Mood
from soulmem.working.recall.query_guidance import guide

VALUES = st.one_of(st.text(max_size=40), st.floats(allow_nan=True), st.integers(), st.booleans(), st.none())


@given(st.one_of(st.text(max_size=60), st.dictionaries(st.text(max_size=12), VALUES, max_size=5).map(json.dumps)))
def test_any_mood_is_bounded(told: str) -> None:
    mood = given_mood(told)
    assert -1.0 <= mood.valence <= 1.0
    assert 0.0 <= mood.arousal <= 1.0
    assert 0.0 <= mood.impatience <= 1.0
    assert both_moods(mood, Mood()) == mood


@pytest.mark.parametrize("told", ["", "{}", "[]", "7", "null", '{"x": "qwrt"}', '{"x": 3}', '{"y": true}', "{bad"])
def test_what_says_nothing_is_no_mood(told: str) -> None:
    assert given_mood(told) == Mood()


@pytest.mark.parametrize(
    ("told", "sign", "impatient"),
    [
        ({"mood": "sad"}, -1, False), ({"mood": "happy"}, 1, False), ({"sad": 0.8}, -1, False), ({"sad": 0}, 0, False),
        ({"心情": "难过"}, -1, False), ({"开心": 1}, 1, False), ({"valence": -0.4}, -1, False), ({"效价": 2}, 1, False),
        ({"mood": "impatient"}, 0, True), ({"mood": "no patience left"}, 0, True), ({"状态": "不耐烦"}, -1, True),
        ({"impatience": 0.75}, 0, True), ({"不耐烦": 0.9}, 0, True),
    ],
)  # fmt: skip
def test_moods_in_words_and_figures(told: dict[str, object], sign: int, impatient: bool) -> None:
    mood = given_mood(json.dumps(told, ensure_ascii=False))
    assert (mood.valence > 0) - (mood.valence < 0) == sign
    assert (mood.impatience >= 0.7) is impatient


@pytest.mark.parametrize(
    ("text", "depth", "is_hard"),
    [
        ("Why does Tom hate lifts?", "deep", True), ("汤姆为什么讨厌电梯？", "deep", True),
        ("Quick, why does Tom hate lifts?", "normal", True), ("快点说，汤姆为什么讨厌电梯？", "normal", True),
        ("Where does Tom live?", "normal", False), ("汤姆住哪儿？", "normal", False),
        ("Hurry up! Where does Tom live?", "skim", False), ("快点说，汤姆住哪儿？", "skim", False),
        ("Tom moved to Rome.", "normal", False), ("汤姆搬到罗马了。", "normal", False),
        ("Hello there!", "skim", False), ("你好！", "skim", False), ("", "skim", False),
    ],
)  # fmt: skip
def test_depth_is_chosen_by_the_question(text: str, depth: str, is_hard: bool) -> None:
    made = guide(text, "", None, is_dated=False)
    assert (made.depth, made.is_hard) == (depth, is_hard)
    assert guide(text, "", "deep", is_dated=False).depth == "deep", "unless the caller chose"
