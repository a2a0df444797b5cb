"""The index of a mind: hard filters, vectors, what is taken out, replaced or put in again."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_index import MESSAGE, NOTE, Item, built, find, keys, put

from every_row import every_row
from held_memory import held_bytes
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import KIND_CODES, ItemKind, RowBatch, mean_vector
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import term_hashes, text_hashes

EXAMPLES = 5_000 if os.environ.get("SOULMEM_TORTURE") else 100


def loaded(*items: Item) -> SearchIndex:
    index = SearchIndex()
    terms = [text_hashes(item.text) for item in items]
    vectors = np.array([item.vector or (9.0, 9.0) for item in items], dtype=np.float32).reshape(len(items), 2)
    index.load(
        RowBatch(
            kinds=np.array([KIND_CODES[item.kind] for item in items], dtype=np.uint8),
            keys=np.array([item.key for item in items], dtype=np.int64),
            conversations=np.array([item.conversation for item in items], dtype=np.int64),
            seqs=np.array([item.seq or item.key for item in items], dtype=np.int64),
            speakers=[item.speaker for item in items],
            at_ms=np.array([item.at_ms for item in items], dtype=np.int64),
            terms=np.concatenate([*terms, term_hashes(())]),
            offsets=np.append(0, np.cumsum([len(part) for part in terms], dtype=np.int64)).astype(np.int64),
            vectors=vectors,
            seen=np.array([item.vector is not None for item in items], dtype=np.bool_),
        )
    )
    return index


def test_scores_fall_are_bounded_and_low_for_a_question_about_nothing_here() -> None:
    index = built(*(Item(n, f"violin {'lesson ' * n} word{n}", conversation=n) for n in range(1, 9)))
    scores = [hit.score for hit in find(index, "violin lesson")]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1
    vague = find(index, "violin submarine periscope torpedo captain")
    assert vague[0].score < scores[0] / 2


def test_ties_are_broken_by_kind_and_key() -> None:
    items = [Item(n, "the violin", kind=kind, conversation=n) for n in (3, 1, 2) for kind in (NOTE, MESSAGE)]
    hits = find(built(*items), "violin")
    assert [(hit.kind, hit.key) for hit in hits if hit.kind is MESSAGE] == [(MESSAGE, n) for n in (1, 2, 3)]
    assert keys(find(built(*items), "violin", k=2)) == keys(hits)[:2]


# -- filters ----------------------------------------------------------------------------------------------

CROWD = [
    Item(n, "the violin", conversation=n % 3, seq=n, speaker=("Ann", "小明")[n % 2], at_ms=1000 * n)
    for n in range(1, 13)
] + [Item(n, "the violin", kind=NOTE, conversation=0, speaker="", at_ms=1000 * n) for n in range(1, 5)]


@every_row(
    [
        ({}, {(i.kind, i.key) for i in CROWD}),
        ({"kinds": frozenset({NOTE})}, {(NOTE, n) for n in range(1, 5)}),
        ({"kinds": frozenset()}, set()),
        ({"speaker": "小明"}, {(MESSAGE, n) for n in range(1, 13, 2)}),
        ({"speaker": "ANN "}, {(MESSAGE, n) for n in range(2, 13, 2)}),
        ({"speaker": "nobody"}, set()),
        ({"conversation": 2}, {(MESSAGE, n) for n in (2, 5, 8, 11)}),
        ({"from_ms": 3000, "to_ms": 5000}, {(MESSAGE, 3), (MESSAGE, 4), (NOTE, 3), (NOTE, 4)}),
        ({"before": (2, 8)}, {(i.kind, i.key) for i in CROWD} - {(MESSAGE, 8), (MESSAGE, 11)}),
        ({"exclude": frozenset({(NOTE, 1), (MESSAGE, 99)})}, {(i.kind, i.key) for i in CROWD} - {(NOTE, 1)}),
    ],
    unpack=True,
)
def test_filters_are_hard(filters: dict[str, object], wanted: set[tuple[ItemKind, int]]) -> None:
    hits = find(built(*CROWD), "violin", k=50, **filters)
    assert {(hit.kind, hit.key) for hit in hits} == wanted


def test_nearest_is_plain_cosine() -> None:
    index = built(
        Item(1, "", vector=(1, 0)),
        Item(2, "", vector=(0.6, 0.8)),
        Item(3, "", kind=NOTE, vector=(0, 1)),
        Item(4, "no vector"),
    )
    hits = index.nearest(np.array([1, 0], dtype=np.float32), 5)
    assert [(hit.key, hit.score) for hit in hits] == [(1, 1.0), (2, 0.6), (3, 0.0)]
    assert keys(index.nearest(np.array([1, 0], dtype=np.float32), 5, frozenset({NOTE}))) == [3]
    assert SearchIndex().nearest(np.array([1, 0], dtype=np.float32), 5) == []


def test_the_mean_of_cosines_is_the_cosine_to_the_mean() -> None:
    rng = np.random.default_rng(7)
    a, b, q = (v / np.linalg.norm(v) for v in rng.standard_normal((3, 16)).astype(np.float32))
    assert float(mean_vector(a, b) @ q) == pytest.approx((float(a @ q) + float(b @ q)) / 2, abs=1e-6)


def test_vectors_of_another_size_are_refused_and_of_unknown_items_ignored() -> None:
    index = built(Item(1, "hello", vector=(1, 0)))
    with pytest.raises(ValueError, match="3 values in an index of 2"):
        index.set_vectors(MESSAGE, 1, np.zeros(3, dtype=np.float32))
    index.set_vectors(MESSAGE, 99, np.zeros(2, dtype=np.float32))
    assert index.row_count == 1


# -- change -----------------------------------------------------------------------------------------------


def test_remove_takes_out_the_item_and_closes_the_gap() -> None:
    index = built(Item(1, "violin", seq=1), Item(2, "hm", seq=2), Item(3, "x", seq=3), Item(4, "y", seq=4))
    assert keys(find(index, "violin")) == [1, 2, 3]
    assert index.remove(MESSAGE, 2)
    assert not index.remove(MESSAGE, 2)
    assert keys(find(index, "violin")) == [1, 3, 4]
    assert index.row_count == 3
    assert (MESSAGE, 2) not in index
    index.remove(MESSAGE, 1)
    assert find(index, "violin") == []


def test_what_an_item_says_is_known_to_the_word() -> None:
    index = SearchIndex()
    index.add(MESSAGE, 1, terms=text_hashes("a violin and a violin 小提琴"))
    assert index.says(MESSAGE, 1, text_hashes("a violin and a violin 小提琴"))
    for other in ("a violin and a cello 小提琴", "a violin 小提琴", "a violin and a violin 大提琴", ""):
        assert not index.says(MESSAGE, 1, text_hashes(other))
    assert not index.says(MESSAGE, 2, text_hashes("a violin and a violin 小提琴"))


def test_replace_terms_keeps_the_rest() -> None:
    index = built(Item(1, "violin", vector=(1, 0), speaker="小明", at_ms=5000), Item(2, "flute", seq=2))
    index.replace_terms(MESSAGE, 1, text_hashes("cello"))
    assert find(index, "violin") == []
    hit = find(index, "cello", speaker="小明", from_ms=5000)[0]
    assert hit.key == 1
    assert keys(index.nearest(np.array([1, 0], dtype=np.float32), 1)) == [1]
    index.replace_terms(MESSAGE, 77, text_hashes("cello"))
    assert index.row_count == 2


def test_adding_again_replaces() -> None:
    index = built(Item(1, "violin"), Item(1, "cello"))
    assert index.row_count == 1
    assert find(index, "violin") == []


def test_growth_and_compaction_keep_answers() -> None:
    items = [Item(n, f"word{n % 50} violin", conversation=n % 7, vector=(1, n / 1000)) for n in range(1, 1001)]
    index = built(*items)
    for item in items[::2]:
        index.remove(item.kind, item.key)
    before = find(index, "word7 violin", k=30)
    size = held_bytes(index)
    index.compact()
    assert find(index, "word7 violin", k=30) == before
    assert index.row_count == 500
    assert held_bytes(index) < size
    put(index, Item(5000, "word7 violin", conversation=99))
    assert 5000 in keys(find(index, "word7 violin", k=30))


WORDS = st.sampled_from(["violin", "cello", "flute", "艺术", "展览", "去Starbucks", "home?", "Ann"])
ITEMS = st.lists(
    st.builds(
        Item,
        key=st.integers(1, 40),
        text=st.lists(WORDS, max_size=4).map(" ".join),
        kind=st.sampled_from([MESSAGE, NOTE]),
        conversation=st.integers(1, 3),
        speaker=st.sampled_from(["Ann", "小明", ""]),
        at_ms=st.integers(0, 5).map(lambda n: n * 1_000_000),
        vector=st.none() | st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)]),
    ),
    max_size=25,
    unique_by=lambda item: (item.kind, item.key),
)
QUESTIONS = st.sampled_from(["violin", "Ann's cello and 艺术", "去哪里看展览 flute", "小明 home"])


def answers(index: SearchIndex, text: str) -> list[tuple[ItemKind, int, float]]:
    question = read_question(text, ["Ann", "小明"])
    vector = np.array([1, 0], dtype=np.float32)
    return [(h.kind, h.key, round(h.score, 4)) for h in index.search(Query(question, vector, k=40))]


@given(items=ITEMS, text=QUESTIONS, data=st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_order_of_arrival_does_not_matter_and_loading_equals_adding(
    items: list[Item], text: str, data: st.DataObject
) -> None:
    expected = answers(built(*items), text)
    assert answers(built(*data.draw(st.permutations(items))), text) == expected
    assert answers(loaded(*items), text) == expected
    cut = data.draw(st.integers(0, len(items)))
    mixed = loaded(*items[:cut])
    for item in items[cut:]:
        put(mixed, item)
    assert answers(mixed, text) == expected
    mixed.compact()
    assert answers(mixed, text) == expected


@given(items=ITEMS, text=QUESTIONS, data=st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_removing_equals_never_having_added(items: list[Item], text: str, data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.sampled_from(items))) if items else set()
    index = built(*items)
    for item in gone:
        index.remove(item.kind, item.key)
    assert answers(index, text) == answers(built(*(item for item in items if item not in gone)), text)
