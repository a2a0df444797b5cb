"""Diversity: the best comes first, repetitions give way, what came up just now gives way to what fits as well."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.reranking.mmr import ALIKE, RETURN_PENALTY, SAME_PENALTY, Candidate, diverse, overlaps, rested
from soulmem.core.text.tokens import text_hashes

WORDS = (
    *("kettle", "harbour", "violin", "Lisbon", "winter", "pony", "recipe", "lantern"),
    *("水壶", "港口", "小提琴", "里斯本", "冬天", "矮马", "菜谱", "灯笼"),
)  # fmt: skip
SCORES = st.floats(0.0, 1.0, allow_nan=False, width=32)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
CANDIDATES = st.lists(st.builds(Candidate, SCORES, TEXTS.map(text_hashes), st.integers(0, 4)), max_size=14)


def candidate(score: float, text: str, ago: int = 0) -> Candidate:
    return Candidate(score, text_hashes(text), ago)


@given(CANDIDATES, st.integers(0, 20))
def test_each_is_picked_once_best_first_and_no_score_rises(candidates: list[Candidate], k: int) -> None:
    picks = diverse(candidates, k)
    assert len(picks) == min(k, len(candidates))
    assert len({pick.place for pick in picks}) == len(picks)
    assert all(0.0 <= pick.score <= candidates[pick.place].score for pick in picks)
    scores = [pick.score for pick in picks]
    assert scores == sorted(scores, reverse=True)


@given(CANDIDATES, st.integers(1, 20))
def test_the_best_fitting_comes_first_whatever_came_up_before(candidates: list[Candidate], k: int) -> None:
    picks = diverse(candidates, k)
    if candidates:
        best = max(each.score for each in candidates)
        assert candidates[picks[0].place].score == best
        assert picks[0].score == best
        assert (picks[0].like, picks[0].returned) == (None, False)


@given(CANDIDATES)
def test_what_fits_as_well_as_the_best_is_never_held_back_for_having_come_up(candidates: list[Candidate]) -> None:
    best = max((each.score for each in candidates), default=0.0)
    for each, score in zip(candidates, rested(candidates), strict=True):
        assert each.score * (1.0 - RETURN_PENALTY) <= score <= each.score
        if each.score == best or each.ago == 0:
            assert score == each.score


@given(CANDIDATES, st.integers(0, 20), st.integers(0, 20))
def test_a_shorter_list_is_the_beginning_of_a_longer_one(candidates: list[Candidate], k: int, more: int) -> None:
    assert diverse(candidates, k + more)[:k] == diverse(candidates, k)


@given(st.lists(st.tuples(SCORES, TEXTS), min_size=1, max_size=10))
def test_held_back_means_that_another_says_nearly_the_same(told: list[tuple[float, str]]) -> None:
    candidates = [candidate(*each) for each in told]
    before: set[int] = set()
    for pick in diverse(candidates, len(candidates)):
        each = candidates[pick.place]
        if pick.like is None:
            assert pick.score == each.score
        else:
            assert pick.like in before, "it gives way to what stands above it"
            shared = float(overlaps([each.terms, candidates[pick.like].terms])[0, 1])
            assert shared > ALIKE
            assert pick.score == pytest.approx(each.score * (1.0 - SAME_PENALTY * (shared - ALIKE) / (1.0 - ALIKE)))
        before.add(pick.place)


@given(TEXTS, TEXTS)
def test_the_overlap_of_words(one: str, other: str) -> None:
    first, second = text_hashes(one), text_hashes(other)
    matrix = overlaps([first, second, first])
    shared = float(matrix[0, 1])
    assert 0.0 <= shared <= 1.0
    assert shared == matrix[1, 0]
    mine, theirs = set(first.tolist()), set(second.tolist())
    assert shared == pytest.approx(len(mine & theirs) / max(1, len(mine | theirs)))
    assert matrix[0, 2] == (1.0 if mine else 0.0)


@pytest.mark.parametrize(
    ("best", "again", "other"),
    [
        ("Ann keeps bees on the roof", "Ann keeps bees on the roof!", "Ann sold the honey"),
        ("小林在屋顶养蜂。", "小林在屋顶养蜂！", "小林卖了蜂蜜。"),
        ("Ann 在 roof 养蜂", "Ann 在 roof 养蜂。", "蜂蜜 sold out"),
    ],
    ids=["en", "zh", "mixed"],
)
def test_the_same_again_gives_way_to_what_says_something_else(best: str, again: str, other: str) -> None:
    told = [candidate(0.9, best), candidate(0.88, again), candidate(0.6, other)]
    picks = diverse(told, 3)
    assert [pick.place for pick in picks] == [0, 2, 1]
    assert picks[2].like == 0
    assert picks[2].score == pytest.approx(0.44), "the very same words cost half"


def test_what_came_up_just_now_gives_way_and_recovers() -> None:
    def order(ago: int) -> list[int]:
        told = [
            candidate(1.0, "the lighthouse 灯塔"),
            candidate(0.52, "a boat 小船", ago),
            candidate(0.5, "the gulls 海鸥"),
        ]
        return [pick.place for pick in diverse(told, 3)]

    assert order(0) == [0, 1, 2]
    assert order(1) == [0, 2, 1]
    assert order(5) == [0, 1, 2]


def test_equals_stay_in_the_order_given() -> None:
    told = [candidate(0.5, word) for word in WORDS]
    assert [pick.place for pick in diverse(told, len(told))] == list(range(len(told)))
    assert diverse([], 5) == []
    assert diverse(told, 0) == []


def picked_one_by_one(candidates: list[Candidate]) -> list[tuple[int, float]]:
    """MMR as it is defined: each time the best of those left, less what it repeats of those picked."""
    scores, left, picks = rested(candidates), list(range(len(candidates))), []
    shared = overlaps([each.terms for each in candidates])
    while left:
        worth = {
            place: scores[place]
            * (1.0 - max([0.0, *(SAME_PENALTY * (float(shared[p, place]) - ALIKE) / (1 - ALIKE) for p, _ in picks)]))
            for place in left
        }
        best = max(left, key=lambda place: (worth[place], -place))
        picks.append((best, worth[best]))
        left.remove(best)
    return picks


@given(CANDIDATES)
def test_the_picks_are_those_of_the_definition_alike_or_not(candidates: list[Candidate]) -> None:
    found = [(pick.place, pick.score) for pick in diverse(candidates, len(candidates))]
    assert found == picked_one_by_one(candidates)


@given(st.lists(TEXTS, max_size=8))
def test_overlaps_are_those_of_the_sets_of_words(texts: list[str]) -> None:
    terms = [text_hashes(text) for text in texts]
    found = overlaps(terms)
    for one, first in enumerate(terms):
        for other, second in enumerate(terms):
            both, either = set(first.tolist()) & set(second.tolist()), set(first.tolist()) | set(second.tolist())
            assert found[one, other] == pytest.approx(len(both) / len(either) if either else 0.0)
