"""A search in two halves, words before the vector is there, answers like one in a piece, whatever happens between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import text_hashes

NOTE, MESSAGE = ItemKind.NOTE, ItemKind.MESSAGE
WORDS = ["ferry", "渡船", "bakery", "honey", "violin", "lantern", "rain", "map"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
ITEMS = st.lists(st.tuples(st.sampled_from([NOTE, MESSAGE]), TEXTS, st.integers(0, 3)), min_size=1, max_size=25)


def unit(seed: int) -> Any:
    vector = np.random.default_rng(seed).normal(size=8)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def filled(items: list[tuple[ItemKind, str, int]]) -> SearchIndex:
    """Messages stand in one talk, every fourth item has no vector."""
    index = SearchIndex()
    for key, (kind, text, speaker) in enumerate(items, start=1):
        at = {"conversation": 1, "seq": key} if kind is MESSAGE else {"homes": frozenset({speaker} - {0})}
        index.add(kind, key, speaker=f"s{speaker}", at_ms=key * 1000, terms=text_hashes(text), **at)
        if key % 4:
            index.set_vectors(kind, key, unit(key))
    return index


QUERIES = st.builds(
    lambda text, k, kinds, speaker, before, audience, excluded: Query(
        read_question(text, ["s1"]), unit(99), k=k, kinds=kinds, speaker=speaker, before=before, audience=audience,
        exclude=frozenset({(NOTE, key) for key in excluded}),
    ),
    st.tuples(TEXTS, st.sampled_from(["", " s1"])).map("".join),
    st.integers(0, 8),
    st.sampled_from([None, frozenset({NOTE}), frozenset({NOTE, MESSAGE})]),
    st.sampled_from([None, None, "s1"]),
    st.sampled_from([None, None, (1, 5)]),
    st.sampled_from([None, None, frozenset({1, 2})]),
    st.lists(st.integers(1, 25), max_size=2),
)  # fmt: skip
CHANGES = st.sampled_from(["nothing", "add", "remove", "vector", "words", "place", "homes", "compact"])


def change(index: SearchIndex, what: str) -> None:
    match what:
        case "add":
            index.add(NOTE, 100, terms=text_hashes("ferry honey honey"), at_ms=9, homes=frozenset({1}))
        case "remove":
            index.remove(NOTE, 1)
            index.remove(MESSAGE, 1)
        case "vector":
            index.set_vectors(NOTE, 4, unit(99))
            index.set_vectors(MESSAGE, 4, unit(99))
        case "words":
            index.replace_terms(NOTE, 2, text_hashes("rain rain"))
            index.replace_terms(MESSAGE, 2, text_hashes("rain rain"))
        case "place":
            index.place(NOTE, 3, speaker="s1", at_ms=1)
        case "homes":
            index.set_homes(3, frozenset({7}))
        case "compact":
            index.remove(NOTE, 2)
            index.compact()


@given(items=ITEMS, query=QUERIES, what=CHANGES)
@settings(max_examples=200, deadline=None)
def test_words_read_beforehand_change_nothing(items: list[tuple[ItemKind, str, int]], query: Query, what: str) -> None:
    index, other = filled(items), filled(items)
    worded = index.words_of(query)
    for each in (index, other):
        change(each, what)
    assert index.search(query, worded) == other.search(query)
    assert index.newest_within(query.audience) == other.newest_within(query.audience)


def test_words_read_in_another_index_are_read_anew() -> None:
    """A mind that is loaded anew while a question is embedded may be in a state of the same number."""
    before = filled([(NOTE, "ferry", 0), (NOTE, "honey", 0), (NOTE, "map rain", 0)])
    after = filled([(NOTE, "rain", 0), (NOTE, "map", 0), (NOTE, "ferry honey", 0)])
    assert before.state == after.state
    query = Query(read_question("ferry honey"), k=3)
    assert after.search(query, before.words_of(query)) == after.search(query)


@given(items=ITEMS, query=QUERIES)
@settings(max_examples=100, deadline=None)
def test_what_no_filter_keeps_out_is_admitted_without_looking(
    items: list[tuple[ItemKind, str, int]], query: Query
) -> None:
    index = filled(items)
    allowed = index._filters.allowed(query)
    for kind in (NOTE, MESSAGE):
        rows = index._data.row_of[0 if kind is MESSAGE else 1]
        assert index.admits(query, kind, [*rows, 999]) == [key for key, row in rows.items() if allowed[row]]


@given(
    scores=st.lists(st.integers(0, 40).map(lambda value: value / 4e6), min_size=1, max_size=60), k=st.integers(1, 20)
)
@settings(max_examples=200, deadline=None)
def test_the_best_are_chosen_by_rounded_scores_then_by_key(scores: list[float], k: int) -> None:
    index = filled([(NOTE, "ferry", 0)] * len(scores))
    values = np.array(scores, dtype=np.float32)
    rounded = np.round(values, 6)
    expected = [place for place in np.lexsort((np.arange(len(scores)), -rounded)) if rounded[place] > 0][:k]
    assert index._best(values, np.arange(1, len(scores) + 1), k).tolist() == expected


@pytest.mark.parametrize("removed", [False, True])
def test_lengths_are_weighed_anew_once_something_came_or_went(removed: bool) -> None:
    index = filled([(NOTE, "ferry honey", 0), (NOTE, "ferry honey rain", 0)])
    query = Query(read_question("ferry honey"), k=5)
    index.search(query)
    if removed:
        index.remove(NOTE, 2)
    else:
        index.add(NOTE, 3, terms=text_hashes("ferry map map map map map map map map"))
    fresh = filled([(NOTE, "ferry honey", 0), *([] if removed else [(NOTE, "ferry honey rain", 0)])])
    if not removed:
        fresh.add(NOTE, 3, terms=text_hashes("ferry map map map map map map map map"))
    assert index.search(query) == fresh.search(query)
