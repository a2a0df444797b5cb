"""Decay and rehearsal: the known vectors, and the laws of every trace."""

from __future__ import annotations

import math
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS, MINUTE_MS
from soulmem.core.decay.traces import (
    BLANK_BELOW,
    BLUR_BELOW,
    FAR_FUTURE_MS,
    LINK_DELETE_BELOW,
    STABILITY_LIMIT_MS,
    Curve,
    Trace,
    rehearse,
    stability_ms,
)

EXAMPLES = 20_000 if os.environ.get("SOULMEM_TORTURE") else 300
T0 = 1_700_000_000_000


def days(ms: int) -> float:
    return (ms - T0) / DAY_MS


def test_strength_is_the_exponential_at_five_times() -> None:
    trace = Trace(0.6, T0, 7 * DAY_MS)
    assert trace.strength(T0 + 7 * DAY_MS) == pytest.approx(0.2207, abs=5e-5)
    for at in (0.0, 0.5, 3.0, 17.0, 100.0):
        expected = 0.6 * math.exp(-at / 7)
        assert trace.strength(T0 + round(at * DAY_MS)) == pytest.approx(expected, abs=1e-6)


def test_an_unused_link_dies_after_seventeen_days() -> None:
    assert days(Trace(0.6, T0, 7 * DAY_MS).crossing_ms(LINK_DELETE_BELOW)) == pytest.approx(17.39, abs=0.005)


def test_a_detail_blurs_then_goes_blank() -> None:
    trace = Trace(0.9, T0, stability_ms(7, importance=0.5))
    assert days(trace.crossing_ms(BLUR_BELOW)) == pytest.approx(4.11, abs=0.01)
    assert days(trace.crossing_ms(BLANK_BELOW)) == pytest.approx(10.53, abs=0.01)


@pytest.mark.parametrize(("base_days", "blur", "blank"), [(180, 124.8, 289.7), (0.7, 0.485, 1.127)])
def test_anchors_start_whole(base_days: float, blur: float, blank: float) -> None:
    trace = Trace(1.0, T0, stability_ms(base_days))
    assert days(trace.crossing_ms(BLUR_BELOW)) == pytest.approx(blur, rel=0.01)
    assert days(trace.crossing_ms(BLANK_BELOW)) == pytest.approx(blank, rel=0.01)


def test_importance_arousal_and_character_scale_the_stability() -> None:
    assert stability_ms(10, importance=1.0, arousal=1.0, scale=2.0) == 45 * DAY_MS
    assert stability_ms(10, importance=0.0) == 5 * DAY_MS
    assert stability_ms(99_999) == STABILITY_LIMIT_MS


def test_rehearsal_after_a_week_doubles_the_stability_once() -> None:
    at = T0 + 7 * DAY_MS
    once = rehearse(Trace(1.0, T0, 7 * DAY_MS), at, 1.0)
    assert once.a0 == pytest.approx(0.6839, abs=5e-5)
    assert once.stability_ms / DAY_MS == pytest.approx(14.28, abs=0.005)
    again = rehearse(once, at + 5 * MINUTE_MS, 1.0)
    assert again.stability_ms == once.stability_ms
    assert again.a0 > once.a0


def test_growth_is_small_while_fresh_and_none_within_one_chat() -> None:
    after_a_day = rehearse(Trace(1.0, T0, 7 * DAY_MS), T0 + DAY_MS, 1.0)
    assert after_a_day.stability_ms / (7 * DAY_MS) == pytest.approx(1.22, abs=0.005)
    trace = Trace(1.0, T0, 7 * DAY_MS)
    for minute in range(20):
        trace = rehearse(trace, T0 + minute * 20_000, 1.0)
    assert trace.stability_ms / (7 * DAY_MS) == pytest.approx(1.0, abs=0.001)


def test_weight_zero_and_caps() -> None:
    trace = Trace(0.5, T0, DAY_MS)
    assert rehearse(trace, T0 + DAY_MS, 0.0) is trace
    assert rehearse(trace, T0 + DAY_MS, 9.0) == rehearse(trace, T0 + DAY_MS, 1.5)
    old = Trace(1.0, T0, STABILITY_LIMIT_MS)
    assert rehearse(old, T0 + 3_650 * DAY_MS, 1.5).stability_ms == STABILITY_LIMIT_MS


def test_forced_anchors_grow_once_a_day() -> None:
    trace = rehearse(Trace(1.0, T0, DAY_MS), T0 + 2 * HOUR_MS, 1.0, gap_ms=DAY_MS)
    later = rehearse(trace, T0 + 4 * HOUR_MS, 1.0, gap_ms=DAY_MS)
    assert later.stability_ms == trace.stability_ms


def test_the_power_curve_meets_the_exponential_at_its_stability() -> None:
    trace = Trace(0.9, T0, 7 * DAY_MS, curve=Curve.POWER)
    assert trace.strength(T0 + 7 * DAY_MS) == pytest.approx(0.9 / math.e, rel=1e-9)
    plain = Trace(0.9, T0, 7 * DAY_MS)
    assert trace.strength(T0 + HOUR_MS) < plain.strength(T0 + HOUR_MS), "steep at first"
    assert trace.strength(T0 + 90 * DAY_MS) > plain.strength(T0 + 90 * DAY_MS), "and a long tail"


@pytest.mark.parametrize(("a0", "stability"), [(0.0, 1), (1.1, 1), (0.5, 0), (math.nan, 1)])
def test_nonsense_is_no_trace(a0: float, stability: int) -> None:
    with pytest.raises(ValueError, match="not a trace"):
        Trace(a0, T0, stability)


traces = st.builds(
    Trace,
    st.floats(1e-6, 1.0),
    st.integers(-(10**12), 4 * 10**12),
    st.integers(MINUTE_MS, STABILITY_LIMIT_MS),
    curve=st.sampled_from(list(Curve)),
)
ages = st.integers(-(10**11), 10**12)


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, ages, ages)
def test_strength_never_rises(trace: Trace, one: int, other: int) -> None:
    early, late = sorted((trace.t0_ms + one, trace.t0_ms + other))
    assert 0.0 <= trace.strength(late) <= trace.strength(early) <= trace.a0


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces.filter(lambda trace: trace.curve is Curve.EXPONENTIAL), st.floats(0.01, 0.99))
def test_crossing_is_the_first_millisecond_at_or_below(trace: Trace, threshold: float) -> None:
    crossing = trace.crossing_ms(threshold)
    assert trace.strength(crossing) <= threshold
    assert crossing == trace.t0_ms or trace.strength(crossing - 1) > threshold


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, st.floats(0.01, 0.99))
def test_crossing_of_either_curve_lands_on_the_threshold(trace: Trace, threshold: float) -> None:
    crossing = trace.crossing_ms(threshold)
    assert trace.t0_ms <= crossing <= FAR_FUTURE_MS
    if trace.t0_ms < crossing < FAR_FUTURE_MS:
        assert trace.strength(crossing) <= threshold * (1 + 1e-9)
        assert trace.strength(crossing - 1) >= threshold * (1 - 1e-9)


@settings(max_examples=EXAMPLES, deadline=None)
@given(traces, ages, st.floats(0.0, 3.0), ages)
def test_rehearsal_never_weakens(trace: Trace, at: int, weight: float, later: int) -> None:
    now = trace.t0_ms + at
    stronger = rehearse(trace, now, weight)
    moment = max(now, trace.t0_ms) + abs(later)
    assert stronger.strength(moment) >= trace.strength(moment) * (1 - 1e-12)
    if trace.curve is Curve.EXPONENTIAL:
        assert stronger.t0_ms >= trace.t0_ms


def test_rehearsal_raises_both_curves_alike() -> None:
    at = T0 + 7 * DAY_MS
    plain, power = (rehearse(Trace(1.0, T0, 7 * DAY_MS, curve=curve), at, 0.3) for curve in Curve)
    assert power.strength(at) == pytest.approx(plain.strength(at), rel=1e-6)
    assert power.stability_ms == plain.stability_ms
    unrehearsed = Trace(1.0, T0, 7 * DAY_MS, curve=Curve.POWER)
    assert power.strength(at + DAY_MS) > unrehearsed.strength(at + DAY_MS)
