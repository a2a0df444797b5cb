"""Both curves, the settings of fading, anchors and rehearsal: the known vectors and the laws."""

from __future__ import annotations

import math
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.forgetting.forget_curves import SAVINGS
from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS, MINUTE_MS
from soulmem.core.decay.anchors import ORDINARY_FROM_MS, new_trace, settled, within_limits
from soulmem.core.decay.decay_policy import Fading, UnfitFadingError, moved_to
from soulmem.core.decay.traces import (
    FAR_FUTURE_MS,
    POWER_EXPONENT,
    STABILITY_LIMIT_MS,
    Curve,
    Trace,
    ages_until,
    left_after,
    placed,
    rehearse,
)
from soulmem.core.details.elements import Element
from soulmem.core.details.rehearsal import PRAISED, RETURNED, USED, rehearsed, rehearsed_note, relearnt
from soulmem.core.schema.note_requests import Anchor

EXAMPLES = 20_000 if os.environ.get("SOULMEM_TORTURE") else 300
T0 = 1_700_000_000_000
ORDINARY = Fading()
POWERED = Fading(curve=Curve.POWER)


def misfit(curve: Curve, a0: float, days: float) -> float:
    """Root mean square distance from the savings."""
    trace = Trace(a0, T0, round(days * DAY_MS), curve=curve)
    squares = [(trace.strength(T0 + minutes * MINUTE_MS) - saved) ** 2 for minutes, saved in SAVINGS]
    return math.sqrt(sum(squares) / len(squares))


def element(trace: Trace, anchor: Anchor = Anchor.NONE, number: int = 1) -> Element:
    return Element(number, 0, 5, 2, "something", anchor, trace)


# -- the curves ------------------------------------------------------------------------------------------------


def test_both_curves_pass_through_one_over_e_at_their_stability() -> None:
    assert POWER_EXPONENT == 0.162
    for curve in Curve:
        assert left_after(curve, 0.0) == 1.0
        assert left_after(curve, 1.0) == pytest.approx(1 / math.e, rel=1e-12)
        assert ages_until(curve, 1.0) == 0.0
        assert ages_until(curve, math.e) == pytest.approx(1.0, rel=1e-12)
    assert ages_until(Curve.POWER, 1e60) == math.inf


def test_the_power_curve_follows_ebbinghaus_where_the_exponential_cannot() -> None:
    assert misfit(Curve.POWER, 0.9, 1.0) <= 0.05, "with an element's own strength: syllables have a stability of a day"
    assert misfit(Curve.POWER, 0.552, 20.0) == pytest.approx(0.032, abs=0.001)
    best = min(misfit(Curve.EXPONENTIAL, a0 / 20, days / 10) for a0 in range(1, 21) for days in range(1, 400))
    assert best > 0.05


def test_a_details_days_are_those_of_the_specification() -> None:
    dues = ORDINARY.dues(new_trace(2, Anchor.NONE, T0, ORDINARY))
    assert (dues.blur_ms - T0) / DAY_MS == pytest.approx(4.11, abs=0.01)
    assert (dues.blank_ms - T0) / DAY_MS == pytest.approx(10.53, abs=0.01)
    assert ORDINARY.dues(new_trace(2, Anchor.NONE, T0, ORDINARY), lasting=True).blur_ms == FAR_FUTURE_MS
    assert Fading(blurs=False).dues(new_trace(2, Anchor.NONE, T0, ORDINARY)).blank_ms == FAR_FUTURE_MS


@pytest.mark.parametrize(
    ("anchor", "a0", "days", "blur", "blank"),
    [(Anchor.SPONTANEOUS, 1.0, 180, 124.8, 289.7), (Anchor.FORCED, 1.0, 0.7, 0.4852, 1.1266)],
)
def test_anchors_decay_in_their_own_way(anchor: Anchor, a0: float, days: float, blur: float, blank: float) -> None:
    trace = new_trace(2, anchor, T0, ORDINARY)
    assert (trace.a0, trace.stability_ms) == (a0, round(days * DAY_MS))
    dues = ORDINARY.dues(trace)
    assert (dues.blur_ms - T0) / DAY_MS == pytest.approx(blur, abs=0.1 if days > 1 else 0.001)
    assert (dues.blank_ms - T0) / DAY_MS == pytest.approx(blank, abs=0.1 if days > 1 else 0.001)


def test_level_importance_arousal_and_character_scale_the_stability() -> None:
    days = [new_trace(level, Anchor.NONE, T0, ORDINARY).stability_ms / DAY_MS for level in (0, 1, 2)]
    assert days == [30, 14, 7]
    vivid = new_trace(2, Anchor.NONE, T0, Fading(scale=2.0), importance=1.0, arousal=1.0)
    assert vivid.stability_ms == 7 * 1.5 * 1.5 * 2 * DAY_MS
    assert new_trace(2, Anchor.NONE, T0, POWERED).curve is Curve.POWER


@every_row(
    [
        ("blank_below", {"blur_below": 0.2, "blank_below": 0.5}),
        ("blank_below", {"blur_below": 0.3, "blank_below": 0.3}),
        ("blank_below", {"blank_below": 0.0}),
        ("blur_below", {"blur_below": 1.0}),
        ("blur_below", {"blur_below": math.nan}),
        ("scale", {"scale": 0.0}),
        ("scale", {"scale": math.inf}),
        ("level_days", {"level_days": (30.0, 0.0, 7.0)}),
        ("level_days", {"level_days": (30.0, 14.0)}),
    ],
    unpack=True,
)
def test_settings_without_sense_are_refused_by_name(setting: str, values: dict[str, float]) -> None:
    with pytest.raises(UnfitFadingError, match=setting) as caught:
        Fading(**values)  # type: ignore[arg-type]
    assert caught.value.setting == setting


def test_a_mind_may_change_its_curve() -> None:
    now = T0 + 9 * DAY_MS
    trace = rehearse(Trace(0.9, T0, 7 * DAY_MS), T0 + DAY_MS, 1.0)
    there = moved_to(trace, Curve.POWER, now)
    back = moved_to(there, Curve.EXPONENTIAL, now)
    assert there.strength(now) == pytest.approx(trace.strength(now), rel=1e-6)
    assert back.strength(now + DAY_MS) == pytest.approx(trace.strength(now + DAY_MS), rel=1e-6)
    assert moved_to(trace, Curve.EXPONENTIAL, now) is trace


# -- anchors and rehearsal -------------------------------------------------------------------------------------


def test_a_note_has_at_most_two_spontaneous_and_three_forced_anchors() -> None:
    wanted = [Anchor.SPONTANEOUS] * 3 + [Anchor.FORCED] * 5 + [Anchor.NONE]
    granted = within_limits(enumerate(wanted), episodic=True)
    assert list(granted.values()).count(Anchor.SPONTANEOUS) == 2
    assert list(granted.values()).count(Anchor.FORCED) == 3
    assert granted[2] is granted[6] is Anchor.NONE
    assert set(within_limits(enumerate(wanted), episodic=False).values()) == {Anchor.NONE}


def test_what_is_crammed_is_gone_in_a_day_and_stays_when_repeated_on_other_days() -> None:
    crammed = element(new_trace(2, Anchor.FORCED, T0, ORDINARY), Anchor.FORCED)
    for minute in range(1, 21):
        crammed = relearnt(crammed, T0 + minute * MINUTE_MS)
    assert crammed.opacity(T0 + 28 * HOUR_MS) < ORDINARY.blank_below
    spaced = element(new_trace(2, Anchor.FORCED, T0, ORDINARY), Anchor.FORCED)
    days = 0
    while spaced.anchor is Anchor.FORCED:
        days += 1
        spaced = relearnt(spaced, T0 + days * DAY_MS)
    assert 5 <= days <= 30
    assert spaced.trace.stability_ms >= ORDINARY_FROM_MS
    assert spaced.opacity(T0 + (days + 14) * DAY_MS) > ORDINARY.blur_below


def test_a_forced_anchor_grows_at_most_once_a_day_and_then_is_ordinary() -> None:
    held = element(new_trace(2, Anchor.FORCED, T0, ORDINARY), Anchor.FORCED)
    once = rehearsed(held, T0 + 10 * HOUR_MS, USED)
    assert once.trace.stability_ms > held.trace.stability_ms
    assert rehearsed(once, T0 + 30 * HOUR_MS, USED).trace.stability_ms == once.trace.stability_ms
    assert rehearsed(once, T0 + 35 * HOUR_MS, USED).trace.stability_ms > once.trace.stability_ms
    assert settled(Anchor.FORCED, Trace(1.0, T0, 30 * DAY_MS)) is Anchor.NONE
    assert settled(Anchor.SPONTANEOUS, Trace(1.0, T0, 90 * DAY_MS)) is Anchor.SPONTANEOUS


def test_only_what_was_seen_is_rehearsed() -> None:
    now = T0 + 3 * DAY_MS
    held = [element(new_trace(2, Anchor.NONE, T0, ORDINARY), number=number) for number in (1, 2)]
    changed = rehearsed_note(held, {2}, now, RETURNED)
    assert [each.id for each in changed] == [2]
    assert changed[0].opacity(now) > held[1].opacity(now)
    assert rehearsed_note(held, set(), now, PRAISED) == ()
    assert rehearsed(held[0], now, 0.0) is held[0]


@pytest.mark.parametrize("curve", list(Curve))
@pytest.mark.parametrize("weight", [RETURNED, USED])
def test_spaced_beats_massed_at_thirty_days(curve: Curve, weight: float) -> None:
    fading = Fading(curve=curve)

    def after(hours: list[float]) -> float:
        held = element(new_trace(2, Anchor.NONE, T0, fading))
        for hour in hours:
            held = rehearsed(held, T0 + round(hour * HOUR_MS), weight)
        return held.opacity(T0 + 30 * DAY_MS)

    spaced = after([1.0, 25.0, 49.0, 73.0, 97.0])
    for hour in (1.0, 49.0, 97.0):
        massed = after([hour + minute / 60 for minute in (0, 2, 4, 6, 8)])
        assert spaced > massed


# -- laws --------------------------------------------------------------------------------------------------------

curves = st.sampled_from(list(Curve))
strengths = st.floats(0.01, 1.0)
stabilities = st.integers(MINUTE_MS, STABILITY_LIMIT_MS)
traces = st.builds(Trace, strengths, st.just(T0), stabilities, curve=curves)
ages = st.integers(0, 10**12)


@settings(max_examples=EXAMPLES, deadline=None)
@given(curves, strengths, st.floats(1e-3, 0.999))
def test_crossing_and_curve_agree_to_a_billionth(curve: Curve, a0: float, share: float) -> None:
    threshold = a0 * share
    left = a0 * left_after(curve, ages_until(curve, a0 / threshold))
    assert left == pytest.approx(threshold, rel=1e-9, abs=1e-12)


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, st.floats(0.05, 0.95))
def test_the_crossing_time_is_the_first_millisecond_at_or_below(trace: Trace, threshold: float) -> None:
    crossing = trace.crossing_ms(threshold)
    if crossing in (trace.t0_ms, FAR_FUTURE_MS):
        return
    assert trace.strength(crossing) <= threshold * (1 + 1e-9)
    assert trace.strength(crossing - 1) >= threshold * (1 - 1e-9)


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, ages, ages, stabilities)
def test_retention_falls_with_time_and_rises_with_stability(trace: Trace, one: int, other: int, stability: int) -> None:
    early, late = sorted((one, other))
    assert trace.strength(T0 + early) >= trace.strength(T0 + late)
    low, high = sorted((trace.stability_ms, stability))
    weak, strong = (Trace(trace.a0, T0, each, curve=trace.curve) for each in (low, high))
    assert strong.strength(T0 + late) >= weak.strength(T0 + late)


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, st.sampled_from(list(Anchor)), ages, st.floats(0.0, 2.0), ages)
def test_rehearsal_lowers_neither_strength_nor_stability(
    trace: Trace, anchor: Anchor, at: int, weight: float, later: int
) -> None:
    held = element(trace, anchor)
    for after in (rehearsed(held, T0 + at, weight), relearnt(held, T0 + at)):
        assert after.trace.stability_ms >= trace.stability_ms
        moment = T0 + at + later
        assert after.opacity(moment) >= held.opacity(moment) * (1 - 1e-9) - 1e-300, "denormal numbers aside"


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, st.floats(0.05, 1.0), ages)
def test_a_trace_can_be_placed_at_any_strength(trace: Trace, strength: float, at: int) -> None:
    there = placed(trace, strength, T0 + at)
    assert there.strength(T0 + at) >= strength * (1 - 1e-9)
    assert there.strength(T0 + at + 1) <= strength * (1 + 1e-9), "exact to the millisecond"
    assert there.stability_ms == trace.stability_ms


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, curves, ages)
def test_a_change_of_curve_keeps_the_strength(trace: Trace, curve: Curve, at: int) -> None:
    now = T0 + at
    there = moved_to(trace, curve, now)
    if trace.strength(now) > 0.05:  # far below, the power curve's past would lie before all time
        assert there.strength(now) >= trace.strength(now) * (1 - 1e-9)
        assert there.strength(now + 1) <= trace.strength(now) * (1 + 1e-9)
    assert there.stability_ms == trace.stability_ms


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, ages, ages)
def test_a_clock_that_steps_back_raises_nothing(trace: Trace, at: int, back: int) -> None:
    assert trace.strength(T0 - back) == trace.strength(T0)
    after = rehearse(trace, T0 - back, 1.0)
    assert after.t0_ms >= T0 or trace.curve is Curve.POWER
    assert after.strength(T0 + at) >= trace.strength(T0 + at) * (1 - 1e-9) - 1e-300
