"""A list: what is alone in its hour first, as much as there is evidence for, and how many more there are."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.questions.asked.asked_classes import class_terms
from soulmem.core.reranking.list_ranking import (
    EVIDENCE,
    SAME_HOUR_MS,
    WIDEST,
    AskedThings,
    Told,
    belonging,
    gathered,
    kept,
    spread,
)  # fmt: skip
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit


def ranked(*scores: float) -> list[Hit]:
    return [Hit(ItemKind.MESSAGE, key, score) for key, score in enumerate(scores, 1)]


def test_talk_about_a_thing_gives_way_to_another_thing() -> None:
    day = 24 * SAME_HOUR_MS
    found = spread(ranked(0.9, 0.8, 0.75), [0, 40_000, 5 * day])
    assert [hit.key for hit in found] == [1, 3, 2]
    assert found[0].score == 0.9
    assert all(hit.score <= before for hit, before in zip(found, (0.9, 0.8, 0.8), strict=True))


def test_what_has_no_time_stands_in_nobodys_way() -> None:
    assert spread(ranked(0.9, 0.8, 0.7), [None, 0, None]) == ranked(0.9, 0.8, 0.7)


def test_what_has_far_less_evidence_than_the_best_does_not_belong() -> None:
    assert belonging([1.0, EVIDENCE, EVIDENCE / 2, 0.0]) == 2
    assert belonging([]) == 0
    assert belonging([0.0]) == 0


@every_row(
    [
        (14, 10, True, 14, 0),
        (14, 10, False, 10, 4),
        (14, 20, False, 14, 0),
        (WIDEST + 9, 10, True, WIDEST, 9),
        (WIDEST + 9, 45, True, 45, 4),
        (3, 10, True, 3, 0),
        (0, 10, True, 0, 0),
    ],
    unpack=True,
)
def test_k_is_a_ceiling_for_whoever_gives_it(count: int, k: int, widens: bool, shown: int, more: int) -> None:
    hits = ranked(*(0.9 for _ in range(count)))
    found, left = kept(hits, hits, k, widens=widens)
    assert (len(found), left) == (shown, more)


def test_what_lies_below_the_floor_is_neither_shown_nor_counted() -> None:
    hits = ranked(*(0.9 for _ in range(14)))
    assert kept(hits[:11], hits, 10, widens=False) == (hits[:10], 1)


@every_row(
    [
        (
            "What instruments does Ana play?",
            ["Ana loves instruments.", "I play the cello.", "The cello again.", "A flute!"],
        ),
        ("安娜会哪些乐器？", ["她喜欢乐器。", "我练了大提琴。", "又练了大提琴。", "长笛真好听。"]),
    ],
    unpack=True,
)
def test_another_member_comes_before_the_same_once_more(question: str, texts: list[str]) -> None:
    asked = AskedThings(class_terms(question))
    found = gathered(ranked(0.9, 0.6, 0.6, 0.6), [Told(text, "Ana", n > 0) for n, text in enumerate(texts)], asked)
    places = [hit.key for hit in found]
    assert places.index(4) < places.index(3)
    assert places.index(2) < places.index(3)


def test_what_another_said_stands_below_what_who_is_asked_about_said() -> None:
    told = [Told("Wonderful news.", "Leo", is_own=False), Told("Wonderful news.", "Ana")]
    found = gathered(ranked(0.8, 0.7), told, AskedThings())
    assert [hit.key for hit in found] == [2, 1]
    assert max(hit.score for hit in found) == 0.8
    assert gathered([], [], AskedThings()) == []
