"""Who may be deleted, and how far a deletion reaches."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.pruning_policy import (
    Exemption,
    LinkEnds,
    NoteStanding,
    SweepPlan,
    exemption,
    next_check_ms,
    sweep_plan,
)

NOW = 1_700_000_000_000
OLD = NoteStanding("n", NOW - 30 * DAY_MS)


def test_an_old_bare_note_may_go() -> None:
    assert exemption(OLD, NOW) is None


@every_row(
    [
        ({"pinned": True}, Exemption.PINNED),
        ({"lore": True}, Exemption.LORE),
        ({"born_ms": NOW - 7 * DAY_MS + 1}, Exemption.YOUNG),
        ({"in_open_epoch": True}, Exemption.OPEN_EPOCH),
        ({"is_evidence": True}, Exemption.EVIDENCE),
        ({"recalled_ms": NOW - 7 * DAY_MS + 1}, Exemption.RECALLED),
        ({"has_clear_element": True}, Exemption.CLEAR),
    ],
    unpack=True,
)
def test_each_exemption_alone_saves(fields: dict[str, object], reason: Exemption) -> None:
    assert exemption(dataclasses.replace(OLD, **fields), NOW) is reason  # type: ignore[arg-type]  # a table of fields


def test_grace_ends_to_the_millisecond() -> None:
    on_the_edge = dataclasses.replace(OLD, born_ms=NOW - 7 * DAY_MS, recalled_ms=NOW - 7 * DAY_MS)
    assert exemption(on_the_edge, NOW) is None


def test_a_spared_note_is_looked_at_again_when_what_keeps_it_may_have_ended() -> None:
    spared = dataclasses.replace(OLD, recalled_ms=NOW - DAY_MS)
    for reason in (Exemption.PINNED, Exemption.LORE, Exemption.CLEAR):
        assert next_check_ms(spared, reason, NOW) is None, "an event ends these, and the store hears of it"
    assert next_check_ms(spared, Exemption.YOUNG, NOW) == OLD.born_ms + 7 * DAY_MS
    assert next_check_ms(spared, Exemption.RECALLED, NOW) == NOW + 6 * DAY_MS
    for reason in (Exemption.OPEN_EPOCH, Exemption.EVIDENCE):
        assert next_check_ms(spared, reason, NOW) == NOW + 7 * DAY_MS


def test_whoever_is_looked_at_is_gone_spared_or_linked() -> None:
    graph = Graph([("a", "b"), ("b", "c"), ("c", "d")], exempt={"a"})
    plan = graph.sweep([graph.links[0]], suspects=["d"])
    assert (plan.notes, dict(plan.spared), plan.linked) == ((), {"a": Exemption.PINNED}, ("b", "d"))
    cut = graph.sweep([], doomed=["b", "c"], cap=1)
    assert cut.capped
    assert set(cut.linked).isdisjoint({"a", "c"}), "who lost a link and was not looked at is looked at later"


class Graph:
    def __init__(self, links: list[tuple[str, str]], exempt: set[str] | None = None) -> None:
        self.links = [LinkEnds(f"l{i}", src, dst) for i, (src, dst) in enumerate(links)]
        self.exempt = exempt or set()

    def links_of(self, note: str) -> list[LinkEnds]:
        return [link for link in self.links if note in (link.src, link.dst)]

    def standing_of(self, note: str) -> NoteStanding:
        return NoteStanding(note, NOW - 30 * DAY_MS, pinned=note in self.exempt)

    def sweep(self, due: list[LinkEnds], *, cap: int = 500, **extra: list[str]) -> SweepPlan:
        return sweep_plan(due, links_of=self.links_of, standing_of=self.standing_of, now_ms=NOW, cap=cap, **extra)


def test_a_dead_link_takes_the_notes_it_isolates() -> None:
    graph = Graph([("a", "b"), ("b", "c")])
    plan = graph.sweep([graph.links[0]])
    assert (plan.links, plan.notes, plan.waves) == (("l0",), ("a",), 1)


def test_exempt_notes_are_spared_with_their_reason() -> None:
    graph = Graph([("a", "b")], exempt={"a"})
    plan = graph.sweep([graph.links[0]])
    assert plan.notes == ("b",)
    assert plan.spared == (("a", Exemption.PINNED),)


def test_doomed_notes_cascade_through_what_they_isolate() -> None:
    graph = Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "c")])
    plan = graph.sweep([], doomed=["a", "b"])
    assert plan.notes == ("a", "b")
    assert plan.links == ("l0", "l1")
    chain = Graph([("a", "b"), ("c", "d")])
    plan = chain.sweep([], doomed=["a"])
    assert (plan.notes, plan.waves) == (("a", "b"), 2)


def test_a_doomed_note_may_still_be_exempt() -> None:
    graph = Graph([("a", "b")], exempt={"a"})
    assert graph.sweep([], doomed=["a"]).notes == ()


def test_the_cap_stops_the_run_and_says_so() -> None:
    graph = Graph([(f"n{i:04}", "hub") for i in range(700)])
    plan = graph.sweep(graph.links)
    assert len(plan.notes) == 500
    assert plan.capped
    assert len(plan.links) == 700
    assert not graph.sweep(graph.links, cap=701).capped


def test_a_spared_note_is_looked_at_again() -> None:
    assert Graph([]).sweep([], suspects=["lonely"]).notes == ("lonely",)


names = st.sampled_from("abcdefgh")
link_lists = st.lists(st.tuples(names, names).filter(lambda pair: pair[0] != pair[1]), max_size=20)


@given(link_lists, st.sets(names), st.data())
def test_laws_of_a_sweep(links: list[tuple[str, str]], exempt: set[str], data: st.DataObject) -> None:
    graph = Graph(links, exempt)
    due = data.draw(st.lists(st.sampled_from(graph.links), unique=True)) if graph.links else []
    doomed = data.draw(st.lists(names, unique=True))
    plan = graph.sweep(due, doomed=doomed)
    gone, dead = set(plan.notes), set(plan.links)
    assert not gone & exempt
    assert len(gone) == len(plan.notes)
    assert {link.link for link in due} <= dead
    for link in graph.links:
        assert link.link in dead or not {link.src, link.dst} & gone, "no link hangs in the air"
    for note in {end for pair in links for end in pair} - gone:
        had = graph.links_of(note)
        isolated = had and all(link.link in dead for link in had)
        assert not isolated or note in exempt, "nobody isolated is left behind"
    assert graph.sweep(list(reversed(due)), doomed=list(reversed(doomed))).notes == plan.notes
