"""Names of which the rules can tell neither that they are one's nor that they are two's; English, Chinese and mixed."""

from __future__ import annotations

import random

import pytest

from soulmem.core.profiles.doubtful_names import doubtful_names
from soulmem.core.profiles.telling import Telling


def told(*lines: tuple[str, str]) -> list[Telling]:
    return [Telling(number, text, speaker, 0, 0) for number, (speaker, text) in enumerate(lines, start=1)]


IN_DOUBT = {
    "short form": (("Ann", "Hey Mel, how are you?"), ("Melanie", "I painted a lake."), {"Mel", "Melanie"}),
    "named by another": (("Ann", "I met Ben at work."), ("Ann", "Benjamin bought a boat."), {"Ben", "Benjamin"}),
    "小名": (("阿禾", "小红说她喜欢北京。"), ("阿禾", "王小红昨天去了北京。"), {"小红", "王小红"}),
    "other script": (("Ann", "我和王丽去爬山。"), ("Ann", "Wang Li called me yesterday."), {"王丽", "Wang Li"}),
    "nearly the same letters": (
        ("Ann", "Kristen went to the lake with Tom and Bob."), ("Ann", "Kirsten sang with Tom and Bob."),
        {"Kristen", "Kirsten"},
    ),
}  # fmt: skip
CLEAR = {
    "named in a breath": (("Ann", "I saw Mel and Melanie at the gig."), ("Ann", "Mel left early.")),
    "one speaks of the other": (("Mel", "I told Melanie about it."), ("Ann", "Hello there.")),
    "both speak": (("Mel", "I am tired."), ("Melanie", "I am awake.")),
    "said to be one": (("Melanie", "My name is Melanie, I go by Mel."), ("Ann", "Mel paints.")),
    "nearly, but beside nobody": (("Ann", "Kristen went to the lake."), ("Ann", "Kirsten sang.")),
    "others": (("Ann", "I met Tom."), ("Ann", "Lena called.")),
    "两个人": (("阿禾", "我和小红、王小红一起吃饭。"), ("阿禾", "小红走得早。")),
    "同姓": (("阿禾", "王丽来了。"), ("阿禾", "王小红走了。")),
}


@pytest.mark.parametrize("case", IN_DOUBT)
def test_what_is_in_doubt(case: str) -> None:
    one, other, names = IN_DOUBT[case]
    (doubt,) = doubtful_names(told(one, other))
    assert {doubt.one, doubt.other} == names
    assert sorted(doubt.of_one + doubt.of_other) == [1, 2]


@pytest.mark.parametrize("case", CLEAR)
def test_what_is_clear(case: str) -> None:
    assert doubtful_names(told(*CLEAR[case])) == []


def test_the_order_of_telling_changes_nothing_and_who_is_told_of_most_comes_first() -> None:
    lines = told(
        ("Ann", "I met Ben at work."), ("Ann", "Benjamin bought a boat."), ("Ann", "Mel sang."), ("Ann", "Mel left."),
        ("Ann", "Melanie paints."), ("Ann", "Melanie slept."),
    )  # fmt: skip
    found = doubtful_names(lines)
    assert [{each.one, each.other} for each in found] == [{"Mel", "Melanie"}, {"Ben", "Benjamin"}]
    shuffled = lines[:]
    random.Random(3).shuffle(shuffled)
    assert doubtful_names(shuffled) == found
