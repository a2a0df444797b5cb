"""What is hot: the estimator's vectors, its promise about single hits, and a total order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.linking.recall_frequency import (
    Hit,
    Tally,
    exposure_ms,
    frequency,
    rank_hot,
    tally,
)


@pytest.mark.parametrize(
    ("count", "span_s", "expected"), [(1, 0, 1 / 600), (2, 600, 1 / 600), (2, 1, 2 / 601), (5, 600, 1 / 240)]
)
def test_known_frequencies(count: int, span_s: int, expected: float) -> None:
    assert frequency(count, span_s * 1_000, 600_000) == pytest.approx(expected, rel=1e-12)


def test_ties_are_broken_by_count() -> None:
    once = Tally("a", 1, 0, 0)
    twice = Tally("b", 2, 0, 600_000)
    assert [each.note for each in rank_hot([once, twice])] == ["b", "a"]


def test_sub_questions_of_one_turn_count_once() -> None:
    hits = [Hit("n1", 1, 1_000, 0.5), Hit("n1", 1, 1_010, 0.4), Hit("n1", 1, 1_020, 0.3), Hit("n2", 2, 9_000, 1.0)]
    counted = tally(hits)
    assert counted == (Tally("n1", 1, 1_000, 1_020, pytest.approx(1.2)), Tally("n2", 1, 9_000, 9_000, 1.0))


def test_exposure_is_the_span_of_all_hits_and_a_minute_at_least() -> None:
    assert exposure_ms([]) == 60_000
    assert exposure_ms([Tally("a", 1, 5_000, 5_000)]) == 60_000
    assert exposure_ms([Tally("a", 1, 0, 0), Tally("b", 1, 90_000, 90_000)]) == 90_000


def test_eight_at_most_and_fewer_if_there_are_fewer() -> None:
    tallies = [Tally(f"n{i:02}", 1, i, i) for i in range(12)]
    assert len(rank_hot(tallies)) == 8
    assert [each.note for each in rank_hot(tallies, k=2)] == ["n11", "n10"], "the latest first among equals"
    assert rank_hot([]) == ()


hit_lists = st.lists(
    st.builds(
        Hit,
        st.sampled_from("abcdef"),
        st.integers(1, 12),
        st.integers(0, 3_600_000),
        st.sampled_from([0.0, 0.25, 0.5]),
    ),
    max_size=40,
)


@given(hit_lists, st.randoms(use_true_random=False))
def test_one_hit_never_outranks_two_and_order_of_input_is_nothing(hits: list[Hit], shuffler: object) -> None:
    ranked = rank_hot(tally(hits), k=99)
    counts = [each.count for each in ranked]
    if 1 in counts:
        assert all(count == 1 for count in counts[counts.index(1) :])
    shuffled = list(hits)
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands over a random.Random
    assert [each.note for each in rank_hot(tally(shuffled), k=99)] == [each.note for each in ranked]
