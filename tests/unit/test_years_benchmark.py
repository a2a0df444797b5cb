"""The benchmark of years: its life is the same each time, changes as it says, and its judgement is right."""

from __future__ import annotations

from benchmarks.years.changing_life import YEAR_DAYS, ChangingLife, facts
from benchmarks.years.years import is_current_first


def test_a_life_is_the_same_for_the_same_seed_and_silent_in_its_silences() -> None:
    evenings = list(ChangingLife(3, 2).evenings())

    assert evenings == list(ChangingLife(3, 2).evenings())
    assert evenings != list(ChangingLife(4, 2).evenings())
    assert not any(ChangingLife.is_silent(evening.day) for evening in evenings)
    assert 120 < len(evenings) < 260


def test_each_fact_is_told_when_it_begins_and_when_it_changes() -> None:
    life = ChangingLife(5, 4)
    said = [(evening.day, each.text) for evening in life.evenings() for each in evening.said]
    told = life.told_by(4 * YEAR_DAYS)

    assert {fact.language for fact in facts()} == {"en", "zh"}
    for fact in life.facts:
        now, earlier = told[fact.name]
        assert len(fact.values) == len(set(fact.values)) or fact.name in {"choir", "swim"}  # a week has seven days
        first = fact.first.format(new=(*earlier, now)[0])
        assert first in [text for _, text in said]
        for old, new in zip(earlier, (*earlier[1:], now), strict=True):
            assert fact.change.format(old=old, new=new) in [text for _, text in said]
    assert sum(bool(earlier) for _, earlier in told.values()) == len(life.facts)


def test_what_is_so_now_must_stand_before_what_was() -> None:
    assert is_current_first(["It rains.", "I live in Hull now."], "Hull", ["Bristol"])
    assert is_current_first(["We've moved from Bristol, I live in Hull now."], "Hull", ["Bristol"])
    assert not is_current_first(["I live in Bristol.", "I live in Hull now."], "Hull", ["Bristol"])
    assert not is_current_first(["It rains."], "Hull", ["Bristol"])
    assert not is_current_first(["The hullabaloo"], "Hull", [])
    assert is_current_first(["Choir has moved from Mondays to Fridays."], "Friday", ["Monday"])
    assert is_current_first(["游泳改时间了，从周一改到周三。"], "周三", ["周一"])
