"""What a search leaves out before it weighs is what could not have come back; many terms are counted like one alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.lexical_scoring import tally
from soulmem.core.search.memory_index import Hit, SearchIndex, _total
from soulmem.core.search.relevance_scoring import Question, read_question
from soulmem.core.text.tokens import term_hashes, text_hashes

NOTE, MESSAGE = ItemKind.NOTE, ItemKind.MESSAGE
WORDS = ["ferry", "渡船", "bakery", "honey", "violin", "lantern", "rain", "map", "灯", "市场"]
DAY_MS = 86_400_000


def unit(seed: int, like: int | None = None) -> Any:
    """A unit vector; `like` makes it near that of another seed."""
    vector = np.random.default_rng(seed).normal(size=6)
    if like is not None:
        vector = 0.3 * vector + np.random.default_rng(like).normal(size=6)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def filled(seed: int, count: int, *, with_messages: bool) -> SearchIndex:
    """Texts of a few words, some asked, some without a vector, some gone; messages stand in two talks."""
    chance = np.random.default_rng(seed)
    index = SearchIndex()
    for key in range(1, count + 1):
        text = " ".join(chance.choice(WORDS, size=chance.integers(1, 7))) + ("?" if chance.random() < 0.2 else "")
        is_said = with_messages and chance.random() < 0.5
        at = {"conversation": 1 + key % 2, "seq": key} if is_said else {"homes": frozenset({1 + key % 2})}
        kind = MESSAGE if is_said else NOTE
        speaker = f"s{chance.integers(0, 3)}"
        index.add(kind, key, speaker=speaker, at_ms=key * DAY_MS, terms=text_hashes(text), **at)
        if chance.random() < 0.9:
            index.set_vectors(kind, key, unit(key, like=key % 5))
        if chance.random() < 0.1:
            index.remove(kind, key)
    return index


def all_weighed(index: SearchIndex, query: Query) -> list[Hit]:
    """The search with every row weighed in full."""
    worded = index.words_of(query)
    if not len(worded.rows):
        return []
    likeness = index._likeness(query.vector, worded.rows)
    evidence = index._evidence(worded, np.arange(len(worded.rows)), likeness)
    total = _total(evidence)
    strength = max(worded.coverage, likeness.best if likeness is not None else 0.0)
    best = index._best(total, worded.rows, query.k)
    fits = index._fits(query, worded.asked, worded.rows[best], likeness, None)
    return index._hits(worded.rows, total, best, strength, evidence, fits)


def asked(text: str, *, names: bool, times: bool) -> Question:
    question = read_question(text, ["s1"] if names else [])
    return replace(question, periods=((20 * DAY_MS, 40 * DAY_MS),) if times else ())


QUERIES = st.builds(
    lambda words, names, times, vector, k, audience, kinds, notes: Query(
        asked(" ".join(words) + (" s1" if names else ""), names=names, times=times),
        unit(vector, like=vector % 5) if vector is not None else None,
        k=k, audience=audience, kinds=kinds, notes=notes,
    ),
    st.lists(st.sampled_from([*WORDS, "unheard"]), min_size=1, max_size=8),
    st.booleans(),
    st.booleans(),
    st.none() | st.integers(0, 50),
    st.integers(1, 12),
    st.sampled_from([None, None, frozenset({1})]),
    st.sampled_from([None, frozenset({NOTE}), frozenset({NOTE, MESSAGE})]),
    st.sampled_from([None, None, np.arange(1, 40, 2)]),
)  # fmt: skip


@given(seed=st.integers(0, 30), count=st.integers(0, 90), with_messages=st.booleans(), query=QUERIES)
@settings(max_examples=300, deadline=None)
def test_weighing_all_finds_the_same(seed: int, count: int, with_messages: bool, query: Query) -> None:
    index = filled(seed, count, with_messages=with_messages)
    assert index.search(query) == all_weighed(index, query)


def test_most_rows_are_left_out() -> None:
    """Else the comparison above would compare a thing with itself."""
    index = filled(3, 400, with_messages=False)
    query = Query(asked("honey lantern", names=False, times=False), unit(7, like=2), k=5)
    worded = index.words_of(query)
    likeness = index._likeness(query.vector, worded.rows)
    assert likeness is not None
    places = index._in_reach(worded, likeness, query.k)
    assert query.k <= len(places) < len(worded.spoken) / 4
    nobody = Query(asked("unheard", names=False, times=False), unit(7, like=2), k=5)
    assert [hit.channels["lexical"] for hit in index.search(nobody)] == [0.0] * 5


@given(
    terms=st.lists(st.sampled_from([*WORDS, "unheard"]), unique=True, max_size=10),
    seed=st.integers(0, 30),
    count=st.integers(0, 60),
    with_messages=st.booleans(),
    share=st.sampled_from([None, 0.0, 0.4, 1.0]),
)
@settings(max_examples=200, deadline=None)
def test_terms_counted_together_count_as_each_alone(
    terms: list[str], seed: int, count: int, with_messages: bool, share: float | None
) -> None:
    index = filled(seed, count, with_messages=with_messages)
    rows, hashes = index._data.rows, term_hashes(terms)
    kept = None if share is None else np.random.default_rng(seed).random(rows.count) < share
    together = tally(*index._data.postings.gather(hashes), kept)
    alone = [held if kept is None else held[kept[held]] for held in map(index._data.postings.rows, hashes.tolist())]
    assert together.found() == [len(np.unique(held)) for held in alone]
    order = list(range(len(terms)))[::-1]
    at, counts, lengths = together.of(order, rows)
    expected = [rows.occurrences(alone[term]) for term in order]
    assert lengths == [len(where) for where, _ in expected]
    assert at.tolist() == [row for where, _ in expected for row in where.tolist()]
    assert counts.tolist() == [often for _, several in expected for often in several.tolist()]


@pytest.mark.parametrize("change", ["add", "remove", "homes", "nothing"])
def test_what_is_known_of_an_audience_is_forgotten_when_its_rows_change(change: str) -> None:
    index, fresh = filled(5, 40, with_messages=True), filled(5, 40, with_messages=True)
    query = Query(asked("honey lantern rain", names=False, times=False), k=12, audience=frozenset({1}))
    again = replace(query, audience=None)
    index.search(query), index.search(again)
    first = index._refs(index.words_of(query).rows[:1])[0]
    for each in (index, fresh):
        if change == "add":
            each.add(NOTE, 100, terms=text_hashes("honey " * 30), homes=frozenset({1}))
        elif change == "remove":
            each.remove(*first)
        elif change == "homes":
            for note in list(each._data.row_of[1]):
                each.set_homes(note, frozenset({1}))
    assert index.search(query) == fresh.search(query)
    assert index.search(again) == fresh.search(again)
