"""Of somebody whom a question names, what he said comes before what was said to him."""

from __future__ import annotations

from soulmem.core.reranking.own_words import own_first
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

HIS, OTHERS = {"speaker": 0.1}, {"speaker": 0.0}


def test_what_others_said_gives_way_a_little() -> None:
    hits = [Hit(ItemKind.MESSAGE, 1, 0.80, OTHERS), Hit(ItemKind.MESSAGE, 2, 0.75, HIS),
            Hit(ItemKind.MESSAGE, 3, 0.30, HIS)]  # fmt: skip
    ranked = own_first(hits, {"lena"})
    assert [hit.key for hit in ranked] == [2, 1, 3]
    assert {hit.key for hit in ranked} == {hit.key for hit in hits}
    scores = {hit.key: hit.score for hit in hits}
    assert all(hit.score <= scores[hit.key] for hit in ranked)


def test_who_is_not_named_or_says_nothing_changes_nothing() -> None:
    hits = [Hit(ItemKind.MESSAGE, 1, 0.8, OTHERS), Hit(ItemKind.MESSAGE, 2, 0.75, HIS)]
    assert own_first(hits, frozenset()) == hits
    assert own_first(hits[:1], {"林晓"}) == hits[:1]


def test_notes_keep_their_place() -> None:
    hits = [Hit(ItemKind.NOTE, 1, 0.8, OTHERS), Hit(ItemKind.MESSAGE, 2, 0.75, HIS)]
    assert own_first(hits, {"林晓"}) == hits
