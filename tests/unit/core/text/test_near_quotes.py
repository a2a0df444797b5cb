"""Quotations that skip or add a little word: found where what they say was said, never where it was denied."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.text.quote_matching import find_near

FOUND = [
    ("allergic to reptiles and animals with fur", "I'm allergic to most reptiles and animals with fur.",
     "allergic to most reptiles and animals with fur"),
    ("We sold the boat to my cousin", "We finally sold the old boat to my cousin Piet", "We finally sold the old boat to my cousin"),
    ("told my sister about the tannery job", "I told my sister about that tannery job.", "told my sister about that tannery job"),
    ("回头把新灯的尺寸发给你", "好的，回头我把新灯的尺寸发你", "回头我把新灯的尺寸发你"),
    ("奶奶在养老院过生日", "奶奶今年在养老院过的生日", "奶奶今年在养老院过的生日"),
]  # fmt: skip
NOT_FOUND = [
    ("I moved to Boston in spring", "I moved to Denver in spring"),
    ("I am allergic to penicillin and latex", "I am not allergic to penicillin and latex"),
    ("She eats meat and fish daily", "She never eats meat and fish daily"),
    ("we paid 300 for the kiln", "we paid 340 for the kiln"),
    ("the kiln", "the old kiln"),
    ("我们家养了三只羊两条狗", "我们家养了三只猫两条狗"),
    ("他喜欢吃辣的东西", "他不喜欢吃辣的东西，他没有喜欢吃辣的东西"),
    ("", "anything"),
]


@every_row(FOUND, unpack=True)
def test_what_was_said_with_a_little_more_is_found(quote: str, text: str, stretch: str) -> None:
    span = find_near(quote, text)
    assert span is not None
    assert text[slice(*span)] == stretch


@every_row(NOT_FOUND, unpack=True)
def test_what_was_not_said_or_was_denied_is_not(quote: str, text: str) -> None:
    span = find_near(quote, text)
    assert span is None or not any(word in text[slice(*span)] for word in ("not", "never", "不", "没"))
    if "不" not in text:
        assert span is None


@given(
    st.lists(
        st.sampled_from(["kiln", "canoe", "tower", "灯", "羊", "塔", "吃", "to", "the", "的"]), min_size=3, max_size=12
    ),
    st.data(),
)
def test_a_stretch_holds_every_word_that_says_something(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    left_out = data.draw(st.integers(0, len(words) - 1))
    quote = " ".join(word for place, word in enumerate(words) if place != left_out)
    span = find_near(quote, text)
    if span is not None:
        stretch = text[slice(*span)].split()
        assert all(word in stretch for word in quote.split() if word not in {"to", "the", "的"})
