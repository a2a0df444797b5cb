"""Runs, phrases and their hashes are what they are by definition, and few texts are kept."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.text import shingles
from soulmem.core.text.shingles import PHRASE, RUN, phrases, runs, runs_of, units_of

_TEXTS = st.text(alphabet="ab c字句词é3'’.,!?。！：\n“”(（*—_", max_size=160)
_BREAKS = re.compile(r"[\n\r.!?;:。！？；：…|*•>\[\]【】()（）\"“”「」『』《》〈〉—]")


@given(_TEXTS, st.sampled_from([RUN, 2 * RUN]))
@settings(max_examples=200, deadline=None)
def test_runs_have_the_hashes_they_have_one_by_one(text: str, least: int) -> None:
    units = units_of(text)
    told = runs_of(units, least)
    assert list(enumerate(told.lasts)) == list(runs(units, least))
    assert list(told.hashes) == [units.hash_of(*run) for run in runs(units, least)]
    assert runs_of(units, least) is told


@given(_TEXTS, st.integers(1, 8))
@settings(max_examples=100, deadline=None)
def test_hashes_of_so_many_units(text: str, count: int) -> None:
    units = units_of(text)
    firsts = range(len(units) - count + 1)
    assert list(units.hashes_of(count)) == [units.hash_of(first, first + count) for first in firsts]


@given(_TEXTS)
@settings(max_examples=300, deadline=None)
def test_a_phrase_ends_where_a_break_stands_between_two_units(text: str) -> None:
    units = units_of(text)
    expected, first = [], 0
    for unit in range(1, len(units) + 1):
        if unit == len(units) or _BREAKS.search(text, units.ends[unit - 1], units.starts[unit]):
            if units.weight(first, unit) >= PHRASE:
                expected.append((first, unit))
            first = unit
    assert list(phrases(text, units)) == expected


def test_what_was_read_lately_is_at_hand_and_little_is_kept() -> None:
    held = units_of("the first of many words that are read again and again")
    for number in range(40):
        units_of(f"{number} " + "word " * 100)
    assert units_of("the first of many words that are read again and again") is held
    for number in range(2_000):
        units_of(f"{number} " + "word " * 100)
    kept = shingles._LATELY
    assert sum(map(len, (*kept.values(), *kept._before.values()))) <= shingles._MOST_KEPT
    assert units_of("the first of many words that are read again and again") is not held
    page = "a page of its own " * 200
    assert units_of(page) is not units_of(page)
