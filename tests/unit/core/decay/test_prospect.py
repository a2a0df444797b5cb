"""What the coming days do to a memory: sampled evenly, by experienced time, to the end the sweep will make."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.calendar.experienced_time import ExperiencedTime, born
from soulmem.core.decay import pruning_policy
from soulmem.core.decay.decay_forecast import FARTHEST_DAYS, MOST_POINTS, End, Horizon, days_until_gone, end_of
from soulmem.core.decay.pruning_policy import Exemption, LinkEnds, NoteStanding
from soulmem.core.decay.traces import FAR_FUTURE_MS, Curve, Trace

NOW = 1_700_000_000_000
DAYS = st.integers(1, FARTHEST_DAYS)


# -- the days ------------------------------------------------------------------------------------------------


@given(DAYS)
def test_days_are_evenly_spaced_from_now_to_the_last(days: int) -> None:
    sampled = Horizon(NOW, born(NOW), days).sampled()
    assert (sampled[0], sampled[-1]) == (0, days)
    assert MOST_POINTS >= len(sampled) > min(days, 59)
    steps = [later - earlier for earlier, later in pairwise(sampled)]
    assert max(steps) - min(steps) <= 2e-6


@every_row([(1, 1 / 24), (7, 1 / 12), (30, 1 / 3), (60, 1), (119, 1)], unpack=True)
def test_steps_are_parts_of_a_day_that_people_count_in(days: int, step: float) -> None:
    assert Horizon(NOW, born(NOW), days).sampled()[1] == pytest.approx(step, abs=1e-6)


@given(
    a0=st.floats(0.01, 1.0), stability=st.integers(DAY_MS // 10, 400 * DAY_MS), days=DAYS,
    curve=st.sampled_from(list(Curve)), silent=st.integers(0, 40 * DAY_MS),
)  # fmt: skip
def test_a_curve_is_the_trace_at_the_experienced_time_of_each_day(
    a0: float, stability: int, days: int, curve: Curve, silent: int
) -> None:
    """`silent`: how long nobody has talked already."""
    trace = Trace(a0, NOW, stability, curve=curve)
    points = Horizon(NOW + silent, born(NOW), days).points(trace)
    for (_, earlier), (_, later) in pairwise(points):
        assert later <= earlier
    for day, strength in points:
        wall = silent + round(day * DAY_MS)
        lived = min(wall, 3 * DAY_MS) + max(0, wall - 3 * DAY_MS) // 10
        assert strength == pytest.approx(trace.strength(NOW + lived), abs=1e-6)


def test_the_curve_bends_where_the_silence_grows_long() -> None:
    trace = Trace(1.0, NOW, 10 * DAY_MS)
    points = dict(Horizon(NOW, born(NOW), 6).points(trace))
    fall = math.log(points[1] / points[2]), math.log(points[4] / points[5])
    assert fall[0] == pytest.approx(0.1, abs=1e-4)
    assert fall[1] == pytest.approx(0.01, abs=1e-4)
    plain = dict(Horizon(NOW, replace(born(NOW), dormancy_after_ms=0, dormancy_rate_ppm=1_000_000), 6).points(trace))
    assert math.log(plain[4] / plain[5]) == pytest.approx(0.1, abs=1e-4)


def test_nothing_is_left_of_what_is_dead() -> None:
    trace = Trace(0.5, NOW, DAY_MS)
    points = Horizon(NOW, replace(born(NOW), dormancy_after_ms=0, dormancy_rate_ppm=1_000_000), 2).points(
        trace, dies_exp=NOW + DAY_MS
    )
    assert all((at == 0.0) is (day >= 1) for day, at in points)
    assert {at for _, at in Horizon(NOW, born(NOW), 9).level(0.9)} == {0.9}


@given(st.lists(st.integers(0, 2_000 * DAY_MS), max_size=6))
def test_one_looks_far_enough_to_see_the_last_thing_go(gone: list[int]) -> None:
    time = born(NOW)
    days = days_until_gone(NOW, time, [NOW + after for after in gone] + [FAR_FUTURE_MS])
    assert 14 <= days <= FARTHEST_DAYS
    last = max((time.wall_at(NOW + after) or 0 for after in gone), default=NOW)
    assert NOW + days * DAY_MS >= last or days == FARTHEST_DAYS
    if gone:
        assert days <= 14 or days * DAY_MS - (last - NOW) <= 52 * DAY_MS


# -- the end -------------------------------------------------------------------------------------------------

OFFSETS = st.integers(0, 60 * DAY_MS)


def swept(
    standing: NoteStanding, links: list[int], evidence: list[int], clear_until: int, check: int | None
) -> int | None:
    """What the sweep itself does, looked at whenever something is due: when the note is gone."""
    dues = {f"l{i}": due for i, due in enumerate([*links, *evidence])}
    cited = {f"l{len(links) + i}" for i in range(len(evidence))}
    dead: set[str] = set()
    has_blurred = clear_until <= NOW  # it was looked at then

    def links_now(alive: list[str], note: str) -> list[LinkEnds]:
        return [LinkEnds(name, "n1", f"other of {name}") for name in alive] if note == "n1" else []

    def standing_now(now: int, alive: list[str], note: str) -> NoteStanding:
        if note != "n1":
            return NoteStanding(note, now, pinned=True)
        return NoteStanding(
            "n1", standing.born_ms, is_evidence=bool(cited & set(alive)), recalled_ms=standing.recalled_ms,
            has_clear_element=clear_until > now,
        )  # fmt: skip

    for _ in range(300):
        coming = [due for name, due in dues.items() if name not in dead] + ([check] if check is not None else [])
        coming += [clear_until] if not has_blurred else []
        if not coming:
            return None
        now = max(NOW, min(coming))
        alive = [name for name in dues if name not in dead]
        blurs_now = not has_blurred and clear_until <= now
        has_blurred = has_blurred or blurs_now
        plan = pruning_policy.sweep_plan(
            links_now([name for name in alive if dues[name] <= now], "n1"),
            links_of=partial(links_now, alive),
            standing_of=partial(standing_now, now, alive),
            now_ms=now,
            suspects=["n1"] if (check is not None and check <= now) or blurs_now else [],
        )  # fmt: skip
        dead |= set(plan.links)
        if "n1" in plan.notes:
            return now
        if "n1" in dict(plan.spared):
            check = pruning_policy.next_check_ms(standing_now(now, alive, "n1"), dict(plan.spared)["n1"], now)
        elif "n1" in plan.linked:
            check = None
    return None


@given(
    born_before=st.integers(0, 20 * DAY_MS), recalled=st.none() | st.integers(0, 20 * DAY_MS),
    links=st.lists(OFFSETS, max_size=3), evidence=st.lists(OFFSETS, max_size=2), clear=OFFSETS,
    check=st.none() | st.integers(-DAY_MS, 8 * DAY_MS),
)  # fmt: skip
def test_a_note_ends_when_the_sweep_would_end_it(
    born_before: int, recalled: int | None, links: list[int], evidence: list[int], clear: int, check: int | None
) -> None:
    recalled_ms = None if recalled is None else NOW - recalled
    standing = NoteStanding("n1", NOW - born_before, recalled_ms=recalled_ms)
    ties, cited = [NOW + after for after in links], [NOW + after for after in evidence]
    first = None if check is None else NOW + check
    found = end_of(
        standing, links_die=[*ties, *cited], evidence_until=max(cited, default=0), clear_until=NOW + clear,
        check=first, now_exp=NOW,
    )  # fmt: skip
    assert found == End(swept(standing, ties, cited, NOW + clear, first))


@every_row(
    [
        (NoteStanding("n1", NOW, pinned=True), [], 0, Exemption.PINNED),
        (NoteStanding("n1", NOW, lore=True), [], 0, Exemption.LORE),
        (NoteStanding("n1", NOW - 30 * DAY_MS, in_open_epoch=True), [], 0, Exemption.OPEN_EPOCH),
        (NoteStanding("n1", NOW, in_open_epoch=True), [], 0, Exemption.OPEN_EPOCH),
        (NoteStanding("n1", NOW), [], FAR_FUTURE_MS, Exemption.CLEAR),
        (NoteStanding("n1", NOW), [FAR_FUTURE_MS], 0, None),
    ],
    unpack=True,
)
def test_what_is_kept_for_good_has_no_end(
    standing: NoteStanding, links: list[int], clear: int, kept: Exemption | None
) -> None:
    found = end_of(standing, links_die=links, evidence_until=0, clear_until=clear, check=NOW, now_exp=NOW)
    assert found == End(None, kept)


def test_dormancy_that_stops_time_shows_a_level_curve() -> None:
    stopped = ExperiencedTime(NOW, NOW, dormancy_after_ms=DAY_MS, dormancy_rate_ppm=0)
    points = Horizon(NOW, stopped, 4).points(Trace(1.0, NOW, DAY_MS))
    assert {at for day, at in points if day >= 1} == {round(math.exp(-1), 6)}
    assert days_until_gone(NOW, stopped, [NOW + 9 * DAY_MS]) == 14
