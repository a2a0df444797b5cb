"""Wishes among the items of a request: those that apply are marked, few come, and they stand above a floor."""

from __future__ import annotations

from soulmem.core.reranking.standing_wishes import MOST, SCORE, WISH, kept, lifted
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

WISHES = {"en": "Always keep your answers short.", "zh": "以后回答都写短一点。"}
REQUESTS = {"en": "Explain how photosynthesis works.", "zh": "解释一下光合作用。"}


def hit(key: int, *, wish: bool = False, lexical: float = 0.5) -> Hit:
    channels = {"lexical": lexical} | ({WISH: 1.0} if wish else {})
    return Hit(ItemKind.MESSAGE, key, 1.0 - key / 100, channels)


def test_a_wish_farther_down_takes_the_last_place() -> None:
    for language, wish in WISHES.items():
        ranking = [hit(key) for key in range(12)] + [hit(12, wish=True)]
        found = kept(ranking, 10, {(ItemKind.MESSAGE, 12): wish}, REQUESTS[language])
        assert [each.key for each in found] == [*range(9), 12]
        assert [each.key for each in lifted(found)] == [*range(9), 12]


def test_what_is_no_wish_is_not_marked_and_goes_where_nothing_else_speaks_for_it() -> None:
    ranking = [hit(1, wish=True), hit(2, wish=True, lexical=0.0), hit(3)]
    texts = {(ItemKind.MESSAGE, key): "I never slept so badly." for key in (1, 2)}
    found = kept(ranking, 10, texts, REQUESTS["en"])
    assert [each.key for each in found] == [1, 3]
    assert all(WISH not in each.channels for each in found)


def test_few_wishes_come_and_none_without_a_request() -> None:
    ranking = [hit(key, wish=True, lexical=0.0) for key in range(8)]
    texts = {(ItemKind.MESSAGE, key): WISHES["zh"] for key in range(8)}
    assert [each.key for each in kept(ranking, 10, texts, REQUESTS["zh"])] == list(range(MOST))
    assert kept(ranking, 10, texts, "") == []


def test_a_wish_is_lifted_to_its_score_and_no_further() -> None:
    low, sure = hit(1, wish=True)._replace(score=0.1), hit(2)._replace(score=0.9)
    own = hit(3, wish=True)._replace(score=0.5)
    assert [(each.key, each.score) for each in lifted([sure, own, low])] == [(2, 0.9), (3, 0.5), (1, SCORE)]
    assert lifted([sure]) == [sure]
