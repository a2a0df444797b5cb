"""What answers far worse than others stands below them, and is not as sure as they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.search import score_calibration
from soulmem.core.search.answer_kind import asked_unit
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.working.recall.answer_check import by_worth, calibrated


def hit(key: int, score: float, fit: float, channel: str = "lexical") -> Hit:
    return Hit(ItemKind.NOTE, key, score, {channel: 0.5}, fit=fit)


def test_what_does_not_answer_stands_below_what_does() -> None:
    ranked = by_worth([hit(1, 0.9, 0.0), hit(2, 0.8, 1.4), hit(3, 0.3, 1.4)])
    assert [each.key for each in ranked] == [2, 1, 3]
    assert [each.score for each in ranked] == [0.9, 0.8, 0.3]


def test_the_order_stays_where_all_answer_alike() -> None:
    hits = [hit(1, 0.9, 0.1), hit(2, 0.8, 0.15), hit(3, 0.7, 0.1)]
    assert by_worth(hits) == hits


def test_what_links_brought_keeps_its_place() -> None:
    ranked = by_worth([hit(1, 0.9, 0.0), hit(2, 0.85, 0.0, "association"), hit(3, 0.8, 1.4)])
    assert [each.key for each in ranked] == [3, 2, 1]


def test_a_turn_of_talk_keeps_the_place_that_its_neighbours_gave_it() -> None:
    turn = Hit(ItemKind.MESSAGE, 7, 0.9, {"lexical": 0.5}, fit=0.0)
    ranked = by_worth([turn, hit(1, 0.85, 0.0), hit(2, 0.8, 1.4)])
    assert [each.key for each in ranked] == [7, 2, 1]


def test_what_says_nothing_is_not_nearly_sure() -> None:
    told = score_calibration.capped([0.99, 0.96, 0.94], [1.4, 0.0, 0.0])
    assert told[0] == 0.99
    assert all(0.2 < each < 0.6 for each in told[1:])


def test_beside_a_certain_answer_noise_is_cut_and_beside_a_likely_one_it_is_not() -> None:
    certain = [hit(1, 0.9, 1.4), hit(2, 0.8, 0.0), hit(3, 0.7, 0.0, "association"), hit(4, 0.6, 0.4)]
    assert [each.key for each in calibrated(certain, 0.2, asking=True)] == [1, 3, 4]
    assert [each.key for each in calibrated(certain, 0.0, asking=True)] == [1, 3, 4, 2], "the floor alone cuts it"
    likely = [hit(1, 0.9, 0.6), hit(2, 0.8, 0.0)]
    assert [each.key for each in calibrated(likely, 0.2, asking=True)] == [1, 2]
    turns = [each._replace(kind=ItemKind.MESSAGE) for each in certain]
    assert [each.key for each in calibrated(turns, 0.2, asking=True)] == [1, 2, 3, 4], (
        "a turn answers by those beside it"
    )
    told = [hit(1, 0.9, 1.4), hit(2, 0.8, 0.0)]
    assert calibrated(told, 0.2)[1].score > 0.2, "what is only said reminds of whatever shares a part of it"


def test_what_came_by_a_link_stands_between_its_neighbours() -> None:
    told = score_calibration.capped([0.99, 0.98, 0.95], [1.4, None, 0.0])
    assert told[0] > told[1] > told[2]


@given(st.lists(st.tuples(st.floats(0, 1), st.one_of(st.none(), st.floats(0, 2.5))), max_size=20))
def test_capped_scores_keep_falling_and_never_rise(items: list[tuple[float, float | None]]) -> None:
    before = sorted((score for score, _ in items), reverse=True)
    after = score_calibration.capped(before, [fit for _, fit in items])
    assert after == sorted(after, reverse=True)
    assert all(new <= old + 1e-6 for new, old in zip(after, before, strict=True))


@every_row(
    [
        ("我教了多少年书？", "教了三十八年语文", True),
        ("我教了多少年书？", "周四去教书（2026年4月9日）", False),
        ("他住了几个月？", "住了俩仨月，两个月吧", True),
        ("离这里多少公里？", "十二公里", True),
        ("离这里多少公里？", "十二块钱", False),
    ],
    unpack=True,
)
def test_a_number_is_said_in_the_unit_that_is_asked_for(question: str, text: str, expected: bool) -> None:
    unit = asked_unit(question)
    assert unit is not None
    assert (unit.search(text) is not None) is expected


def test_a_number_without_a_unit_may_be_any() -> None:
    assert asked_unit("多少钱一个月？") is None
    assert asked_unit("他几年级？") is None
