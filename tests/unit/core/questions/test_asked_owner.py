"""Whose kin a question asks for, and what tells of other people's."""

from __future__ import annotations

import pytest

from every_row import every_row
from soulmem.core.questions.asked.asked_owner import (
    asks_partner,
    is_of_others,
    owners_asked,
    says_own_name,
    told_of_marriage,
)
from soulmem.core.search.answer_type import meets, read_calls


@every_row(
    [
        ("二胖的媳妇叫什么？", ("二胖",)),
        ("丁国栋的女儿几岁了？", ("丁国栋",)),
        ("强子的媳妇做什么工作？", ("强子",)),
        ("What is Owen's sister called?", ("owen",)),
        ("我媳妇叫什么？", ()),
        ("他的女儿几岁？", ()),
        ("What is my sister called?", ()),
    ],
    unpack=True,
)
def test_whose_kin_is_asked_for(question: str, owners: tuple[str, ...]) -> None:
    assert owners_asked(question) == owners


@every_row(
    [
        ("我媳妇叫孙梅", True),
        ("媳妇叫孙梅，开了个小店", True),
        ("二胖媳妇叫小芳", False),
        ("他媳妇叫小芳", False),
        ("胖哥家的媳妇叫小芳", False),
        ("今天下雨了", False),
    ],
    unpack=True,
)
def test_anothers_kin_is_not_who_is_asked_for(text: str, expected: bool) -> None:
    assert is_of_others(text, ("二胖",)) is expected


@pytest.mark.parametrize(
    ("question", "known", "unknown"),
    [
        ("老周的闺女嫁给谁了？", "老周的闺女嫁给了一个兽医，姓曹", "礼拜六老周嫁闺女，我当司机"),
        ("婷婷跟谁结婚？", "婷婷跟小顾领证了", "婷婷年底要结婚了"),
        ("Who is Vera married to?", "Vera is married to Tomasz, he bakes", "Vera got married in spring, lovely cake"),
        ("二胖的媳妇叫什么？", "二胖媳妇叫小芳", "二胖媳妇一生气，把牌桌卖了，我在家给朵朵听写"),
        ("刘云多大岁数了？", "刘云今年四十岁", "头一个叫刘云，闺女朵朵跟她妈过，九岁"),
        (
            "How old is Niamh?",
            "Rory, eight, and wee Niamh who is five",
            "Niamh sang. My brother Rory is eight years old",
        ),
    ],
)
def test_what_is_asked_of_somebody_must_be_said_of_him(question: str, known: str, unknown: str) -> None:
    calls = read_calls(question, "阿海")
    assert not meets(calls, known, "阿海", "user").other_kind
    assert meets(calls, unknown, "阿海", "user").other_kind


def test_whom_somebody_married_is_asked_by_these_words() -> None:
    assert all(map(asks_partner, ("她嫁给谁了？", "我爸跟谁登记了？", "Who did Ann marry?", "who is she married to")))
    assert not any(map(asks_partner, ("谁来了？", "我跟谁吃的饭？", "Who came to the wedding?")))


def test_what_goes_on_behind_marrying_belongs_to_it() -> None:
    assert told_of_marriage(("下雨了", "她有对象了", "叫小顾", "我淋湿了")) == "她有对象了，叫小顾"
    assert told_of_marriage(("下雨了",)) == ""


def test_ones_own_name() -> None:
    assert all(map(says_own_name, ("我大名林海", "我叫林海", "my name is Ida", "I'm called Ida")))
    assert not any(map(says_own_name, ("他叫林海", "我闺女叫朵朵", "her name is Ida")))


@every_row(
    [
        (
            "How old am I?",
            "I'm sixty-eight and type with two fingers.",
            "My dog sleeps on my foot, he's nine years old.",
        ),
        ("我多大了？", "你好，我是老谭，五十八了，开货车。", "家里那条狗，九岁了，天天趴我脚上。"),
    ],
    unpack=True,
)
def test_the_age_of_ones_dog_is_not_ones_own(question: str, own: str, anothers: str) -> None:
    calls = read_calls(question, "Walt")
    assert meets(calls, own, "Walt").exact
    assert not meets(calls, anothers, "Walt").exact
