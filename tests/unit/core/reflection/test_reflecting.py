"""When a mind reflects, what becomes of what it concluded, and which of a model's insights are kept."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.reflection.insight_admission import MOST_ADMITTED, Shown, admit
from soulmem.core.reflection.recurrence import Occasion
from soulmem.core.reflection.reflection_plan import (
    LEAST_NOTED,
    MOST_NEW,
    PAUSE_MS,
    RAW,
    Standing,
    Tally,
    after_run,
    is_due,
    plan,
)
from soulmem.core.schema.engine_tasks import Insight

HOUR = 3_600_000


@given(
    st.lists(st.tuples(st.integers(0, 40), st.floats(0.1, 1.0), st.integers(0, 30)), max_size=60), st.floats(20, 400)
)
def test_as_many_runs_are_made_as_the_sum_holds_thresholds(
    told: list[tuple[int, float, int]], threshold: float
) -> None:
    """Rounds of digestion, each with so many notes of a weight and so many hours after the last."""
    tally, now, heard, runs, since = Tally(0.0, 0), 0, 0.0, 0, 0
    last: int | None = None
    for count, weight, hours in told:
        now += hours * HOUR
        heard, since = heard + RAW * count * weight, since + count
        tally = replace(tally, noted=tally.noted + count, weight=tally.weight + count * weight, last=tally.last + count)
        for _ in range(3):  # however often it is asked
            due = is_due(tally, threshold, now)
            assert (
                due
                == (
                    since >= LEAST_NOTED
                    and heard - runs * threshold >= threshold - 1e-4
                    and (last is None or now - last >= PAUSE_MS)
                )
                or abs(heard - (runs + 1) * threshold) < 1e-3
            )
            if due:
                tally, runs, since, last = after_run(tally, threshold, now), runs + 1, 0, now
    assert runs == tally.runs
    assert runs * threshold <= heard + 1e-3
    assert tally.total == pytest.approx(heard - runs * threshold, abs=1e-3)


def test_a_clock_that_went_back_keeps_nobody_from_thinking() -> None:
    tally = Tally(200.0, 5, runs=1, ran_at=100 * HOUR, noted=20, weight=1.0)
    assert not is_due(tally, 150.0, 101 * HOUR)
    assert is_due(tally, 150.0, 90 * HOUR)


SHOWN = {
    "N1": Shown(1, "Ann missed the bus and walked home."), "N2": Shown(2, "Ann gave her seat to an old man."),
    "N3": Shown(3, "Ann lent Bo forty euros."), "N4": Shown(4, "安把伞借给了同事。"), "N5": Shown(5, "Ann is tired.", 4),
    "N6": Shown(6, "Ann helps strangers.", 1),
}  # fmt: skip
REFUSED: list[tuple[str, tuple[str, ...], str]] = [
    ("Ann puts others first.", ("N2", "N99"), "unknown_evidence"),
    ("Ann puts others first.", (), "unknown_evidence"),
    ("Ann puts others first.", ("N2", "N2"), "lone_evidence"),
    ("Ann and Zoe put others first.", ("N2", "N3"), "invented_name"),
    ("Ann spends 900 euros a month on others.", ("N2", "N3"), "invented_name"),
    ("Ann gave her seat to an old man.", ("N2", "N3"), "paraphrase"),
    ("Ann helps strangers gladly, always.", ("N2", "N5"), "too_deep"),
    ("Ann is generous to friends.", ("N2", "N3"), "known"),
    ("安把伞借给了同事。", ("N3", "N4"), "paraphrase"),
]


@every_row(REFUSED, unpack=True)
def test_an_insight_is_refused_for_a_reason(text: str, evidence: tuple[str, ...], why: str) -> None:
    found = admit([Insight(text, evidence)], SHOWN, ["Ann is generous to friends"])
    assert (found.admitted, dict(found.refused)) == ((), {why: 1})


def test_an_insight_is_kept_one_deeper_than_what_it_rests_on() -> None:
    texts = ["Ann gives without being asked.", "安愿意帮别人的忙。"]
    found = admit([Insight(texts[0], ("N2", "N3")), Insight(texts[1], ("N4", "N6"))], SHOWN, [])
    assert [(each.text, each.evidence, each.depth) for each in found.admitted] == [
        (texts[0], (2, 3), 1), (texts[1], (4, 6), 2),
    ]  # fmt: skip


def test_what_rests_on_everything_or_is_said_again_is_kept_once_at_most() -> None:
    many = {f"N{number}": Shown(number, f"Ann did thing number {number} for somebody.") for number in range(1, 11)}
    everything = Insight("Ann is busy for others all day long.", tuple(many))
    assert dict(admit([everything], many, []).refused) == {"all_evidence": 1}
    again = [Insight("Ann cares for people around her.", ("N1", "N2"))] * 4
    found = admit(again, many, [])
    assert (len(found.admitted), dict(found.refused)) == (1, {"known": 3})
    lots = [Insight(f"Ann shows trait {'abcdefghijk'[place] * 4} often.", ("N1", "N2")) for place in range(9)]
    assert len(admit(lots, many, []).admitted) == MOST_ADMITTED


def told(days: int, deed: str = "went climbing", start: int = 0) -> list[Occasion]:
    return [Occasion(start + day + 1, start + day, f"Anna {deed}.", "Anna") for day in range(days)]


def test_what_stands_is_told_once_and_grows_with_what_went_on() -> None:
    first = plan(told(4), [], is_run=True)
    assert [each.topic for each in first.new] == ["deed:anna:climbing"]
    stands = Standing(90, "deed:anna:climbing", frozenset(first.new[0].evidence))
    assert plan(told(4), [stands], is_run=True) == plan([], [], is_run=True)
    grown = plan(told(7), [stands], is_run=True)
    assert (grown.new, list(grown.renewed)) == ((), [90])
    assert len(grown.renewed[90].days) == 7
    assert not plan(told(7), [stands], is_run=False).renewed, "only a run lets it grow"


def test_what_is_stale_is_made_anew_kept_or_gone() -> None:
    stands = Standing(90, "deed:anna:climbing", frozenset({1, 2, 3, 4}), is_stale=True, is_shaken=True)
    assert list(plan(told(3), [stands], is_run=False).renewed) == [90]
    assert plan(told(2), [stands], is_run=False).gone == (90,)
    faded = replace(stands, is_shaken=False)
    assert plan(told(2), [faded], is_run=False).kept == (90,)
    assert plan([], [faded], is_run=False).gone == (90,)


def test_a_run_concludes_a_handful_at_most() -> None:
    deeds = [
        "went climbing",
        "went running",
        "went swimming",
        "played tennis",
        "played chess",
        "baked bread",
        "painted",
    ]
    many = [each for place, deed in enumerate(deeds) for each in told(4, deed, start=10 * place)]
    assert len(plan(many, [], is_run=True).new) == MOST_NEW
    assert plan(many, [], is_run=False).new == ()
    again = plan(many, [], is_run=False, again=[1, 2])
    assert [each.topic for each in again.new] == ["deed:anna:climbing"]
