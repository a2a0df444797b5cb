"""The order of the memory stream: scaling, decay, weights, and what relevance by words means."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.reranking.stream_ranking import (
    HOUR_MS,
    MOST_RECENT,
    WEIGHTS,
    Components,
    Emphasis,
    nearness,
    pool_size,
    rank,
    recency,
    scaled,
    shared_words,
)

shares = st.floats(0.0, 1.0)
components = st.builds(Components, shares, shares, shares)
pools = st.lists(components, min_size=1, max_size=20).map(lambda parts: list(enumerate(parts, start=1)))
weights = st.sampled_from([WEIGHTS[Emphasis.EVEN], WEIGHTS[Emphasis.RELEVANCE]])
EVEN, RELEVANT = WEIGHTS[Emphasis.EVEN], WEIGHTS[Emphasis.RELEVANCE]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_scaling_spans_nought_to_one_and_keeps_the_order(values: list[float]) -> None:
    after = scaled(values)
    if max(values) - min(values) < 1e-9:
        assert after == [0.5] * len(values)
        return
    assert (min(after), max(after)) == (0.0, 1.0)
    for one, two in zip(
        sorted(zip(values, after, strict=True)), sorted(zip(values, after, strict=True))[1:], strict=False
    ):
        assert one[1] <= two[1]


def test_what_hardly_differs_decides_nothing() -> None:
    assert scaled([0.3, 0.3 + 1e-10, 0.3]) == [0.5, 0.5, 0.5]
    assert scaled([7.0]) == [0.5]
    assert scaled([]) == []
    assert scaled([0.3, 0.3 + 1e-8]) == [0.0, 1.0]


@given(st.integers(1, 15), components, weights)
def test_a_pool_of_equals_goes_by_age_of_making(count: int, parts: Components, chosen: Components) -> None:
    ranked = rank([(key, parts) for key in range(1, count + 1)], chosen, count)
    assert [each.score for each in ranked] == pytest.approx([0.5] * count)
    assert [each.key for each in ranked] == list(range(count, 0, -1))


@given(pools, weights, st.integers(0, 25))
def test_the_best_come_first_once_each_and_no_more_than_asked(
    pool: list[tuple[int, Components]], chosen: Components, k: int
) -> None:
    ranked = rank(pool, chosen, k)
    assert len(ranked) == min(k, len(pool))
    assert len({each.key for each in ranked}) == len(ranked)
    scores = [round(each.score, 9) for each in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= each.score <= 1.0 for each in ranked)
    assert ranked == rank(pool[::-1], chosen, k), "the order they come in does not matter"


@given(pools, weights, st.data())
def test_more_of_one_component_never_lowers_a_place(
    pool: list[tuple[int, Components]], chosen: Components, data: st.DataObject
) -> None:
    """Of two candidates, the one with no less of anything stands no lower."""
    key, low = data.draw(st.sampled_from(pool))
    high = Components(
        data.draw(st.floats(low.recency, 1.0)),
        data.draw(st.floats(low.importance, 1.0)),
        data.draw(st.floats(low.relevance, 1.0)),
    )
    ranked = rank([*pool, (len(pool) + 1, high)], chosen, len(pool) + 1)
    score = {each.key: each.score for each in ranked}
    assert score[len(pool) + 1] >= score[key] - 1e-12
    places = [each.key for each in ranked]
    assert places.index(len(pool) + 1) < places.index(key)


@pytest.mark.parametrize("name", ["recency", "importance", "relevance"])
def test_each_component_decides_when_the_others_are_equal(name: str) -> None:
    pool = [
        (key, Components(**{"recency": 0.4, "importance": 0.4, "relevance": 0.4, name: key / 10})) for key in (1, 9, 5)
    ]
    for chosen in (EVEN, RELEVANT):
        assert [each.key for each in rank(pool, chosen, 3)] == [9, 5, 1]


def test_the_weights_are_those_of_their_names() -> None:
    pool = [(1, Components(1.0, 1.0, 0.0)), (2, Components(0.0, 0.0, 1.0))]
    even, relevant = rank(pool, EVEN, 2), rank(pool, RELEVANT, 2)
    assert [(each.key, each.score) for each in even] == [(1, pytest.approx(2 / 3)), (2, pytest.approx(1 / 3))]
    assert [(each.key, each.score) for each in relevant] == [(2, pytest.approx(3 / 5.5)), (1, pytest.approx(2.5 / 5.5))]
    assert relevant[0].raw == Components(0.0, 0.0, 1.0)
    assert relevant[1].scaled == Components(1.0, 1.0, 0.0)


def test_recency_keeps_99_of_100_an_hour() -> None:
    assert recency(0, 0) == 1.0
    assert recency(0, HOUR_MS) == pytest.approx(0.99)
    assert recency(5 * HOUR_MS, 29 * HOUR_MS) == pytest.approx(0.99**24)
    assert recency(0, 10 * HOUR_MS, decay=0.995) == pytest.approx(0.995**10)
    assert recency(HOUR_MS, 0) == 1.0, "what lies ahead is now"
    assert recency(0, 10**9 * HOUR_MS) == 0.0


@given(st.integers(0, 10**13), st.integers(0, 10**13), st.integers(0, 10**13))
def test_recency_falls_with_time(since: int, now: int, later: int) -> None:
    assert 0.0 <= recency(since, now + later) <= recency(since, now) <= 1.0


def test_nearness_and_the_pool() -> None:
    assert [nearness(cosine) for cosine in (-0.4, 0.0, 0.3, 1.0000001)] == [0.0, 0.0, 0.3, 1.0]
    assert [pool_size(k) for k in (1, 15, 16, 500)] == [60, 60, 64, 2000]
    assert MOST_RECENT == 50


@given(st.dictionaries(st.integers(0, 30), st.floats(0.01, 10.0), max_size=8), st.frozensets(st.integers(0, 30)))
def test_shared_words_are_a_share(worth: dict[int, float], held: frozenset[int]) -> None:
    share = shared_words(worth, held)
    assert 0.0 <= share <= 1.0
    assert (share > 0.0) == bool(held & set(worth))
    assert math.isclose(share, 1.0) == (bool(worth) and set(worth) <= held)
    assert shared_words(worth, held | {0}) >= share


def test_words_count_by_their_worth() -> None:
    worth = {1: 3.0, 2: 1.0}
    assert [shared_words(worth, held) for held in ({1}, {2}, {1, 2, 9}, {9})] == [0.75, 0.25, 1.0, 0.0]
    assert shared_words({}, frozenset({1})) == 0.0
