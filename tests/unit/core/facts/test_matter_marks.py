"""The words of a matter are found by a plain pattern first: with the same marks, and as many, as by the whole one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.text.tokens import fold
from soulmem.core.wordlists import topic_synonyms
from soulmem.core.wordlists.topic_synonyms import marked
from spoken_texts import texts

_MATTER_WORDS = st.sampled_from(
    ["rent", "a raise", "my car", "in the car", "the company cars", "size 9", "wi-fi", "blood type", "airbag", "Rental",
     "房租", "涨工资", "这辆车", "车", "38码", "AB型", "A型血", "戒了烟", "手机", "新 iPhone", "电视"]
)  # fmt: skip
_TALK = st.lists(st.one_of(_MATTER_WORDS, texts), max_size=6).map(" ".join)


def by_the_whole_pattern(text: str) -> tuple[str, frozenset[str]]:
    found = [f"={match.lastgroup}" for match in topic_synonyms._MATTER.finditer(text)]
    return topic_synonyms._MATTER.sub(" ", text), frozenset(found)


@given(_TALK)
@settings(max_examples=300)
def test_marks_are_those_of_the_whole_pattern(text: str) -> None:
    assert marked(fold(text)) == by_the_whole_pattern(fold(text))


@every_row(
    [
        ("My rent went up and so did my salary", {"=rent", "=pay"}),
        ("房租涨了，这辆车也卖了", {"=rent", "=car"}),
        ("I left it in the car", set()),
        ("我是AB型", {"=blood"}),
        ("parents current torrent", set()),
    ],
    unpack=True,
)
def test_matters_have_their_marks(text: str, marks: set[str]) -> None:
    assert marked(fold(text))[1] == marks
