"""Laws of spreading activation: invariants, order, barred notes, hubs, graphs that go on meanwhile."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_graph_spreading import FOREVER, NORMAL, NOW, Edge, X, graph_of, hits_of, notes_of, reminded

from soulmem.graph.query.query_context import Leaning, QueryContext
from soulmem.graph.query.seed_selection import Direct, specificity, starts
from soulmem.graph.state.graph_columns import NO_TALK, GraphLink, GraphNote
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.kept_places import KEPT_PLACE, REMINDED_PLACE
from soulmem.graph.walk.spreading_activation import narrow_spread, spread_activation, ways
from soulmem.graph.walk.spreading_budgets import BUDGETS


def test_a_leaning_moves_the_seeds() -> None:
    graph = graph_of([], {1: "episodic", 2: "procedural"})
    abstract = QueryContext(NOW, leaning=Leaning(0.1, 0.1, 0.1, 0.7))
    assert [seed.note for seed in starts(graph, abstract, hits_of(0.6, 0.5), each_question=5)] == [2, 1]


# -- what is never found ------------------------------------------------------------------------------------


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Edge], list[Direct], set[int], set[int]]:
    notes = st.integers(1, 20)
    edges = draw(st.lists(st.tuples(notes, notes, st.floats(0.01, 1.0)), max_size=60))
    hits = [Direct(note, draw(st.floats(0, 1))) for note in draw(st.sets(notes, max_size=10))]
    return (
        edges,
        hits,
        draw(st.sets(notes, max_size=3)),
        draw(st.sets(notes, max_size=3)),
    )


@given(worlds(), st.sampled_from(["skim", "normal", "deep"]))
@settings(max_examples=150, deadline=None)
def test_the_invariants_of_a_spreading(world: tuple[list[Edge], list[Direct], set[int], set[int]], depth: str) -> None:
    edges, direct, barred, triggers = world
    kinds = {note: "trigger" if note in triggers else "episodic" for note in range(1, 21)}
    graph = graph_of(edges, kinds)
    found = reminded(graph, direct, budget=BUDGETS[depth], barred=barred, allowed=lambda note: note != 20)
    notes = notes_of(found)
    assert not set(notes) & (barred | triggers | {20})
    assert len(notes) == len(set(notes))
    assert {hit.note for hit in direct} - barred - triggers - {20} <= set(notes)
    scores = [each.score for each in found.found]
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= each.share <= 1.0 + 1e-9 for each in found.found)
    for each in found.found:
        way = ways(found, each.note)
        if way is not None:
            assert way.notes()[-1] == each.note
            assert not set(way.notes()) & barred or each.tier != "expansion"


@given(worlds(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_neither_the_order_of_links_nor_of_hits_matters(
    world: tuple[list[Edge], list[Direct], set[int], set[int]], random: object
) -> None:
    edges, direct, *_ = world
    numbered = [(number, *edge) for number, edge in enumerate(edges)]
    results = []
    for _ in range(2):
        graph = WorkingGraph(3)
        order = list(range(1, 21))
        random.shuffle(order)  # type: ignore[attr-defined]  # a random.Random
        for note in order:
            graph.put_note(GraphNote(note, "episodic"))
        random.shuffle(numbered)  # type: ignore[attr-defined]  # as above
        for number, src, dst, strength in numbered:
            graph.put_link(GraphLink(number, src, dst, "association", strength, NOW, FOREVER))
        hits = list(direct)
        random.shuffle(hits)  # type: ignore[attr-defined]  # as above
        results.append(reminded(graph, hits).found)
    assert results[0] == results[1]


def test_a_trigger_is_walked_but_not_returned() -> None:
    graph = graph_of([(1, 2, 0.6), (2, 3, 0.6)], {2: "trigger"})
    assert notes_of(reminded(graph, hits_of(0.9))) == [1, 3]
    # as a hit it is where one begins, and still no result
    assert notes_of(reminded(graph, [Direct(2, 0.9)])) == [1, 3]


def test_filters_known_afterwards_rank_like_those_known_before() -> None:
    graph = graph_of([(1, other, 0.1 + 0.02 * other) for other in range(2, 30)], {40: "episodic"})
    direct = [Direct(1, 0.9), Direct(40, 0.5)]

    def even(note: int) -> bool:
        return note % 2 == 0 or note == 1

    before = reminded(graph, direct, allowed=even)
    after = narrow_spread(reminded(graph, direct), even)
    assert before.found == after.found
    assert sum(each.tier == "ppr" for each in after.found) == NORMAL.top_k


def test_a_kept_place_goes_to_what_another_talk_told_first() -> None:
    """Notes 2 to 6 sound like the question; 7 is what else their talk told, 8 less near and of another, 9 of none, 10
    of none and farther off: what was sent far less may not stand in its place."""
    links = [(1, 7, 0.6), (1, 8, 0.5), (1, 9, 0.4), (1, 10, 0.2)]
    graph = graph_of(links, dict.fromkeys(range(3, 7), "episodic"))
    direct = [Direct(note, 1.0 - note / 10) for note in range(1, 7)]
    kitchen, garden = 1, 2

    def kept(talks: dict[int, int]) -> int:
        for note in range(1, 11):
            graph.put_note(GraphNote(note, "episodic", talk=talks.get(note, NO_TALK)))
        return reminded(graph, direct).found[KEPT_PLACE - 1].note

    assert kept({}) == 7
    assert kept({2: kitchen, 7: kitchen}) == 8
    assert kept({2: kitchen, 7: kitchen, 8: garden}) == 8
    assert kept({2: kitchen, 3: garden, 7: kitchen, 8: garden}) == 9, "one that a client wrote"
    assert kept({2: kitchen, 7: kitchen, 8: kitchen, 9: kitchen}) == 7, "no other is left"
    assert kept({6: kitchen, 7: kitchen}) == 7, "what stands below does not count"


def test_what_is_told_reminds_first_of_what_another_talk_told() -> None:
    """Note 1 is what is told, 2 what a talk said of it, 7 what the same talk said of 8, of which 1 reminds."""
    graph = graph_of([(1, 7, 0.6), (1, 8, 0.4)], dict.fromkeys(range(2, 6), "episodic"))
    direct = [Direct(1, 1.0), *(Direct(note, 0.8 - note / 10) for note in range(2, 6))]

    def third(talks: dict[int, int]) -> int:
        for note in (*range(1, 6), 7, 8):
            graph.put_note(GraphNote(note, "episodic", talk=talks.get(note, NO_TALK)))
        spread = spread_activation(graph, QueryContext(NOW, X), direct, budget=NORMAL)
        return narrow_spread(spread, None, reminds=True).found[REMINDED_PLACE - 1].note

    assert third({}) == 7
    assert third({2: 1, 7: 1}) == 8
    assert third({2: 1, 7: 1, 8: 1}) == 7, "no other is left"


# -- what must do no harm -----------------------------------------------------------------------------------


def test_numbers_that_are_none_and_links_that_are_none_do_no_harm() -> None:
    graph = graph_of([(1, 2, 0.5), (1, 2, 0.5), (1, 1, 0.9), (2, 3, math.nan), (1, 3, 0.2)])
    direct = [
        Direct(1, 0.8),
        Direct(2, math.nan),
        Direct(3, math.inf),
        Direct(4, -1.0),
        Direct(5, 7.0),
    ]
    found = reminded(graph, direct)
    assert all(0.0 <= each.score <= 1.0 for each in found.found)
    assert set(notes_of(found)) == {1, 2, 3, 4, 5}


def test_no_hit_above_nothing_starts_nothing() -> None:
    graph = graph_of([(1, 2, 0.9)])
    assert notes_of(reminded(graph, [Direct(1, 0.0)])) == [1]
    assert reminded(graph, []).found == ()


@pytest.mark.parametrize("strength", [0.001, 0.5])
def test_a_hub_of_ten_thousand_links_answers_at_once_and_stays_what_it_was(strength: float) -> None:
    graph = graph_of([(1, 2 + other, strength) for other in range(10_000)], {20_000: "episodic"})
    direct = [Direct(1, 0.9), Direct(20_000, 0.6)]
    taken = []
    for _ in range(3):
        started = time.thread_time()
        found = reminded(graph, direct)
        taken.append(time.thread_time() - started)
    assert min(taken) < 0.05
    assert [(each.note, each.score) for each in found.found][:2] == [(1, 0.9), (20_000, 0.6)]


def test_what_does_not_exist_for_a_call_makes_no_concept_less_specific() -> None:
    """Two concepts fit alike; the one to which hidden situations are linked starts with as much as the other."""
    hidden = range(10, 26)
    links = [(1, 3, 0.5), (2, 4, 0.5), *((1, other, 0.5) for other in hidden)]
    graph = graph_of(links, {1: "semantic", 2: "semantic"})
    row, shut = graph.notes.table.row(1), graph.notes.table.rows(list(hidden))
    assert specificity(graph, row) == pytest.approx(17**-0.5)
    assert specificity(graph, row, shut) == 1.0
    direct = [Direct(1, 0.8), Direct(2, 0.8)]
    begun = starts(graph, QueryContext(NOW), direct, each_question=5, barred=set(hidden))
    assert [start.share for start in begun] == [0.5, 0.5]
    bare = graph_of(links[:2], {1: "semantic", 2: "semantic"})
    for depth in BUDGETS:
        told = reminded(graph, direct, budget=BUDGETS[depth], barred=set(hidden))
        assert told.found == reminded(bare, direct, budget=BUDGETS[depth]).found, depth


def test_a_graph_that_went_on_meanwhile_tells_the_way_that_there_is_now() -> None:
    graph = graph_of([(1, 2, 0.5), (2, 3, 0.5)])
    found = reminded(graph, hits_of(0.9))
    way = ways(found, 3)
    assert way is not None
    graph.put_note(GraphNote(9, "episodic"))
    assert ways(found, 3) == way
    assert ways(found, 12345) is None
    graph.remove_link(way.links[1].link)
    assert ways(found, 3) is None


def test_a_way_told_late_leads_through_nothing_that_is_barred() -> None:
    graph = graph_of([(1, 2, 0.5), (2, 3, 0.5), (1, 4, 0.2), (4, 3, 0.2)])
    found = reminded(graph, hits_of(0.9), barred={2})
    graph.put_note(GraphNote(9, "episodic"))
    way = ways(found, 3)
    assert way is not None
    assert way.notes() == [1, 4, 3]


def test_what_is_not_in_memory_is_asked_for() -> None:
    graph = graph_of([(1, 2, 0.5)])
    graph.put_note(GraphNote(5, "episodic"), whole=False)
    graph.put_link(GraphLink(7, 1, 5, "association", 0.5, NOW, FOREVER))
    assert 5 in reminded(graph, hits_of(0.9)).wanting
