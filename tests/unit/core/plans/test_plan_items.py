"""What gives way to what: for any plans made one after another, no two that are still to be kept overlap."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import HOUR_MS, MINUTE_MS
from soulmem.core.plans.plan_items import (
    LEVELS,
    PlanLevel,
    PlanStatus,
    Slot,
    Standing,
    Yielded,
    clash,
    finer,
    from_then_on,
    giving_way,
    is_part,
    status_of,
    with_parts,
)

HOUR, ACTION = PlanLevel.HOUR, PlanLevel.ACTION


def slot(start: int, end: int, level: PlanLevel = HOUR, whose: str = "") -> Slot:
    return Slot(level, start * HOUR_MS, end * HOUR_MS, whose)


slots = st.builds(
    lambda start, lasts, level, whose: slot(start, start + lasts, level, whose),
    st.integers(0, 20), st.integers(1, 6), st.sampled_from(LEVELS), st.sampled_from(["", "ann"]),
)  # fmt: skip


def kept(standing: list[Standing], yielded: Yielded) -> list[Standing]:
    """What is still to be kept, as long as it is."""
    return [
        replace(each, slot=replace(each.slot, end_ms=yielded.cut[each.plan][1])) if each.plan in yielded.cut else each
        for each in standing
        if each.plan not in yielded.over
    ]


@given(st.lists(slots, max_size=14))
def test_made_one_after_another_no_two_overlap(made: list[Slot]) -> None:
    standing: list[Standing] = []
    for number, new in enumerate(made):
        standing = [*kept(standing, giving_way(standing, [new])), Standing(number, new)]
        assert clash([each.slot for each in standing]) is None
        assert standing[-1].slot == new, "the newer wins"
        assert all(each.slot.start_ms < each.slot.end_ms for each in standing)


@given(st.lists(slots, max_size=10), st.integers(0, 24))
def test_planned_anew_from_a_time_on_nothing_of_before_is_kept_after_it(made: list[Slot], hour: int) -> None:
    standing = [Standing(number, each) for number, each in enumerate(made)]
    left = kept(standing, from_then_on(standing, hour * HOUR_MS, None, []))
    assert all(each.slot.end_ms <= hour * HOUR_MS for each in left)
    assert {each.plan for each in left} == {n for n, each in enumerate(made) if each.start_ms < hour * HOUR_MS}


def test_what_began_before_ends_where_the_new_begins_and_what_begins_within_is_given_up() -> None:
    standing = [
        Standing(1, slot(8, 10)),
        Standing(2, slot(10, 11)),
        Standing(3, slot(11, 13)),
        Standing(4, slot(13, 14)),
    ]
    found = giving_way(standing, [slot(9, 12)])
    assert found.cut == {1: (0, 9 * HOUR_MS)}
    assert found.over == {2: 0, 3: 0}


def test_another_level_another_person_and_the_next_hour_are_not_met() -> None:
    standing = [Standing(1, slot(8, 9, ACTION)), Standing(2, slot(8, 9, whose="ann")), Standing(3, slot(9, 10))]
    assert giving_way(standing, [slot(8, 9)]) == Yielded()


@pytest.mark.parametrize(
    ("made", "met"),
    [
        ([slot(8, 9), slot(9, 10)], None),
        ([slot(8, 9), slot(12, 13), slot(8, 10)], (0, 2)),
        ([slot(8, 12), slot(9, 10, ACTION), slot(9, 10, whose="ann")], None),
        ([slot(1, 20), slot(2, 3), slot(4, 5)], (0, 1)),
    ],
)
def test_those_of_one_call_that_cannot_all_be_kept_are_named(made: list[Slot], met: tuple[int, int] | None) -> None:
    assert clash(made) == met


def test_parts_go_with_their_whole_and_those_before_a_cut_stay() -> None:
    parts = [
        Standing(11, slot(8, 9, ACTION), parent=1), Standing(12, slot(9, 10, ACTION), parent=1),
        Standing(21, slot(12, 13, ACTION), parent=2), Standing(211, slot(12, 13, ACTION), parent=21),
        Standing(31, slot(12, 13, ACTION), parent=3),
    ]  # fmt: skip
    found = with_parts(Yielded({2: 0}, {1: (0, 9 * HOUR_MS)}), parts)
    assert found.over == {2: 0, 12: 0, 21: 0, 211: 0}
    assert found.cut == {1: (0, 9 * HOUR_MS)}
    half = with_parts(Yielded({}, {1: (0, 8 * HOUR_MS + 30 * MINUTE_MS)}), parts)
    assert half.cut[11] == (0, 8 * HOUR_MS + 30 * MINUTE_MS)
    assert half.over == {12: 0}


def test_levels_are_finer_one_after_another() -> None:
    assert finer(PlanLevel.DAY) == LEVELS
    assert finer(ACTION) == (ACTION,)
    assert [is_part(level, HOUR) for level in LEVELS] == [False, False, True]


@pytest.mark.parametrize("stored", [PlanStatus.PLANNED, PlanStatus.DONE, PlanStatus.DROPPED, PlanStatus.MISSED])
@pytest.mark.parametrize("is_over", [True, False])
@pytest.mark.parametrize(("now", "runs"), [(7, False), (8, True), (9, False)])
def test_each_status_is_one_of_them(stored: PlanStatus, is_over: bool, now: int, runs: bool) -> None:
    found = status_of(stored, 8, 9, now, is_over=is_over)
    if stored in (PlanStatus.DONE, PlanStatus.DROPPED):
        assert found is stored
    elif is_over:
        assert found is PlanStatus.SUPERSEDED
    else:
        assert found is (PlanStatus.ACTIVE if runs and stored is PlanStatus.PLANNED else stored)
