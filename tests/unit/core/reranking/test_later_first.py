"""How things stand is told by the last of several statements that say as much of it; what happened keeps its order."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.facts.topic_terms import terms_in
from soulmem.core.reranking.validity_ranking import ToldThen, asks_standing, later_first
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit

NOTE = ItemKind.NOTE


def items(*said: tuple[str, int, float], speaker: str = "Ana") -> tuple[list[Hit], dict[ItemRef, ToldThen]]:
    hits = [Hit(NOTE, key, score, fit=score) for key, (_, _, score) in enumerate(said)]
    return hits, {
        (NOTE, key): ToldThen(speaker, (day, key), terms_in(text, ())) for key, (text, day, _) in enumerate(said)
    }


STANDING = [
    ("How is Leo doing at maths?", ("Leo failed maths again, 54.", "Leo got 87 in maths, sir posted it."), (1, 9)),
    ("子轩数学考得咋样？", ("子轩那数学，回回不及格", "子轩月考数学八十七，老师在群里点名"), (1, 9)),
    ("我能吃香菜不？", ("香菜我闻着就恶心", "曲姨拌的菜全是香菜，我造了两盘"), (1, 9)),
]


@pytest.mark.parametrize(("question", "said", "days"), STANDING)
def test_the_last_word_comes_first(question: str, said: tuple[str, str], days: tuple[int, int]) -> None:
    assert asks_standing(question)
    hits, told = items((said[0], days[0], 0.9), (said[1], days[1], 0.8))
    assert [hit.key for hit in later_first(hits, told, terms_in(question, ()))] == [1, 0]
    other = {ref: each for ref, each in told.items() if ref != (NOTE, 1)} | {
        (NOTE, 1): ToldThen("Ben", told[NOTE, 1].told, told[NOTE, 1].words)
    }
    assert [hit.key for hit in later_first(hits, other, terms_in(question, ()))] == [0, 1], "another says it of himself"


def test_what_says_less_of_the_question_or_fits_worse_stays_behind() -> None:
    asked = terms_in("How is Leo doing at maths?", ())
    hits, told = items(("Leo failed maths again.", 1, 0.9), ("Leo has a new bike.", 9, 0.85))
    assert [hit.key for hit in later_first(hits, told, asked)] == [0, 1]
    hits, told = items(("Leo failed maths again.", 1, 0.9), ("Leo got 87 in maths.", 9, 0.5))
    assert [hit.key for hit in later_first(hits, told, asked)] == [0, 1]


@every_row(
    [
        "Where did I live before?",
        "What did Leo do yesterday?",
        "When is the wedding?",
        "我以前住哪？",
        "昨天我去哪了？",
        "婚礼是哪天？",
    ]
)
def test_what_happened_and_when_is_not_how_things_stand(question: str) -> None:
    assert not asks_standing(question)


@given(
    st.lists(st.tuples(st.sampled_from(["tea", "tea cup", "cup"]), st.integers(0, 9), st.floats(0, 1)), max_size=6),
    st.sampled_from(["tea", "cup", "tea cup", ""]),
)
def test_nothing_is_lost_and_at_most_one_moves(said: list[tuple[str, int, float]], question: str) -> None:
    hits, told = items(*sorted(said, key=lambda each: -each[2]))
    found = later_first(hits, told, terms_in(question, ()))
    assert sorted(hit.key for hit in found) == sorted(hit.key for hit in hits)
    front = [hit.key for hit in found][:1]
    assert [hit.key for hit in found if [hit.key] != front] == [hit.key for hit in hits if [hit.key] != front]
    assert all(one.score >= other.score for one, other in itertools.pairwise(found))
