"""The fast form of a table leaves out no entry of any column, and the long one no cell."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spread import every, spread

COLUMNS = st.lists(st.integers(1, 9).map(range), min_size=1, max_size=4)


@given(COLUMNS)
def test_each_entry_of_each_column_is_met(columns: list[range]) -> None:
    fast = spread(*columns, in_full=False)
    assert len(fast) == max(map(len, columns))
    for column, met in zip(columns, zip(*fast, strict=True), strict=True):
        assert set(met) == set(column)


@given(COLUMNS)
def test_in_full_it_is_every_cell(columns: list[range]) -> None:
    assert spread(*columns, in_full=True) == list(itertools.product(*columns))


def test_two_columns_that_go_together_meet_in_other_pairs_as_well() -> None:
    assert spread("abcd", "xy", in_full=False) == [("a", "x"), ("b", "y"), ("c", "x"), ("d", "y")]
    met = spread(range(6), "xy", "pq", in_full=False)
    assert {each[1:] for each in met} == {("x", "p"), ("y", "q"), ("x", "q"), ("y", "p")}


def test_a_column_without_entries_is_refused() -> None:
    with pytest.raises(AssertionError, match="proves nothing"):
        spread("ab", ())


def test_of_many_alike_the_first_is_among_those_tried() -> None:
    assert every(3, range(8), in_full=False) == [0, 3, 6]
    assert every(3, range(8), in_full=True) == list(range(8))
