"""Spreading: what tier 0 found, ranked together with what the links of a mind bring up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.graph.learning.edge_learning import enhanced
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.query.seed_selection import Direct, specificity, starts
from soulmem.graph.state.graph_columns import GraphLink, GraphNote
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.kept_places import BESIDE_PLACE, KEPT_PLACE, REMINDED_PLACE
from soulmem.graph.walk.path_search import Path
from soulmem.graph.walk.spreading_activation import Activation, Found, Spread, narrow_spread, spread_activation, ways
from soulmem.graph.walk.spreading_budgets import BUDGETS

NOW = 100 * DAY_MS
FOREVER = 10**6 * DAY_MS
NORMAL = BUDGETS["normal"]
X = np.array([1.0, 0.0, 0.0], dtype=np.float32)

Edge = tuple[int, int, float]


def graph_of(edges: list[Edge], notes: dict[int, str] | None = None) -> WorkingGraph:
    graph = WorkingGraph(3)
    kinds = notes or {}
    for number in sorted({*kinds, *(end for edge in edges for end in edge[:2])}):
        graph.put_note(GraphNote(number, kinds.get(number, "episodic")))
    for number, (src, dst, strength) in enumerate(edges):
        graph.put_link(GraphLink(number, src, dst, "association", strength, NOW, FOREVER))
    return graph


def hits_of(*scores: float, first: int = 1) -> list[Direct]:
    return [Direct(note, score) for note, score in enumerate(scores, start=first)]


def spread(
    graph: WorkingGraph,
    stance: QueryContext,
    direct: list[Direct],
    *,
    allowed: Callable[[int], bool] | None = None,
    **more: Any,
) -> Spread:
    return narrow_spread(spread_activation(graph, stance, direct, allowed=allowed, **more), allowed)


def reminded(graph: WorkingGraph, direct: list[Direct], **more: Any) -> Spread:
    return spread(graph, QueryContext(NOW, X), direct, **({"budget": NORMAL} | more))


def notes_of(found: Spread) -> list[int]:
    return [each.note for each in found.found]


# -- what tier 0 found stays --------------------------------------------------------------------------------


@given(st.dictionaries(st.integers(1, 50), st.floats(0, 1), max_size=20), st.booleans())
@settings(max_examples=60, deadline=None)
def test_without_links_every_hit_keeps_its_score_to_the_last_bit(scores: dict[int, float], held: bool) -> None:
    graph = graph_of([], dict.fromkeys(scores, "episodic") if held else {})
    found = reminded(graph, [Direct(note, score) for note, score in scores.items()])
    expected = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
    assert found.found == tuple(Found(note, score, "vector") for note, score in expected)


def test_a_note_without_a_single_link_beside_linked_ones_keeps_its_score() -> None:
    graph = graph_of([(1, 2, 0.9), (1, 9, 0.5)], {3: "episodic"})
    found = reminded(graph, hits_of(0.8, 0.5, 0.4))
    lonely = found.of(3)
    assert lonely == Found(3, 0.4, "vector")


def test_a_note_found_twice_counts_once_with_its_better_score() -> None:
    found = reminded(graph_of([(1, 2, 0.5)]), [Direct(1, 0.3, 0), Direct(1, 0.7, 1), Direct(2, 0.1)])
    assert (found.found[0].note, found.found[0].score) == (1, 0.7)
    assert notes_of(found).count(1) == 1


# -- what links do ------------------------------------------------------------------------------------------


def test_a_note_with_evidence_of_its_own_rises_when_a_better_hit_leads_to_it() -> None:
    flat = hits_of(0.9, 0.5, 0.45, 0.4)
    found = reminded(graph_of([(1, 4, 0.8)], {2: "episodic", 3: "episodic"}), flat)
    assert notes_of(found) == [1, 4, 2, 3]
    risen = found.of(4)
    assert risen is not None
    assert (risen.tier, risen.seed) == ("vector", 1)
    assert (risen.score, risen.share) == pytest.approx((0.4 * (1 + 5 / 9), 1.0))


def test_what_a_seed_gets_back_from_itself_is_no_association() -> None:
    """1 - 5 - 1: the mass that returns must not lift the seed."""
    found = reminded(graph_of([(1, 5, 0.9)], {2: "episodic"}), hits_of(0.5, 0.6))
    assert [(each.note, each.score) for each in found.found][:2] == [(2, 0.6), (1, 0.5)]


@pytest.mark.parametrize("activation", list(Activation))
def test_the_strongest_pure_association_takes_the_kept_place(activation: Activation) -> None:
    flat = hits_of(*np.linspace(0.9, 0.3, 30))
    graph = graph_of([(1, 99, 0.5), (1, 98, 0.2)], {hit.note: "episodic" for hit in flat})
    found = reminded(graph, flat, activation=activation)
    place = notes_of(found).index(99)
    assert place == KEPT_PLACE - 1
    assert found.found[place].tier == "ppr"
    assert found.found[place].seed == 1
    before, after = found.found[place - 1].score, found.found[place + 1].score
    assert before > found.found[place].score > after
    assert len(set(notes_of(found)[:10]) & set(range(1, 11))) == 9


def test_what_is_told_reminds_sooner_than_what_is_asked() -> None:
    """Note 1 is what is told; 2 is like it and leads to much; 99 and 98 belong to 1, 97 to 2; 7 has its own words."""
    flat = hits_of(1.0, *np.linspace(0.8, 0.3, 29))
    links = [(1, 98, 0.2), (1, 99, 0.4), (1, 7, 0.6), (2, 97, 0.9), (3, 97, 0.9), (4, 97, 0.9)]
    brought = spread_activation(
        graph_of(links, {hit.note: "episodic" for hit in flat}), QueryContext(NOW, X), flat, budget=NORMAL
    )
    asked, told = narrow_spread(brought, None), narrow_spread(brought, None, reminds=True)
    assert notes_of(asked).index(97) == KEPT_PLACE - 1
    assert notes_of(told).index(99) == REMINDED_PLACE - 1
    assert notes_of(told)[0] == 1
    scores = [each.score for each in told.found]
    assert scores == sorted(scores, reverse=True)
    assert notes_of(narrow_spread(brought, {98, *range(1, 31)}.__contains__, reminds=True))[REMINDED_PLACE - 1] == 98


def test_what_belongs_to_the_one_that_is_asked_for_comes_before_what_many_remind_of() -> None:
    """Note 1 stands out; 20, of the same talk and nearly unlike the question, belongs to it; 97 to all the others."""
    flat = hits_of(0.6, *np.linspace(0.4, 0.1, 29))
    links = [(1, 20, 0.2), (2, 97, 0.9), (3, 97, 0.9), (4, 97, 0.9)]
    graph = graph_of(links, {hit.note: "episodic" for hit in flat})
    for note in (1, 20):
        graph.notes.talks[graph.notes.table.row(note)] = 7
    brought = spread_activation(graph, QueryContext(NOW, X), flat, budget=NORMAL)
    found = notes_of(narrow_spread(brought, None))
    assert (found.index(20), found.index(97)) == (BESIDE_PLACE - 1, KEPT_PLACE - 1)
    close = hits_of(0.6, 0.55, *np.linspace(0.4, 0.1, 28))
    brought = spread_activation(graph, QueryContext(NOW, X), close, budget=NORMAL)
    found = notes_of(narrow_spread(brought, None))
    assert found.index(20) > KEPT_PLACE - 1 == found.index(97), "nothing stands out"


def told_one_by_one(graph: WorkingGraph, most: int) -> WorkingGraph:
    """The same graph, the notes from 1 on told in talk, each in one of its own."""
    for note in range(1, most + 1):
        graph.notes.talks[graph.notes.table.row(note)] = note
    return graph


def test_what_stands_out_keeps_two_places_for_what_belongs_to_it_facts_last() -> None:
    """Of what belongs to note 1 the fact 20 is tied most, but what was lived through comes first: 21, then 22."""
    flat = hits_of(0.6, *np.linspace(0.4, 0.1, 29))
    graph = graph_of(
        [(1, 20, 0.4), (1, 21, 0.3), (1, 22, 0.2)], {hit.note: "episodic" for hit in flat} | {20: "semantic"}
    )
    for note in (1, 20, 21, 22):
        graph.notes.talks[graph.notes.table.row(note)] = 7
    spread = narrow_spread(spread_activation(graph, QueryContext(NOW, X), flat, budget=NORMAL), None)
    found = notes_of(spread)
    assert (found.index(21), found.index(22)) == (BESIDE_PLACE - 1, KEPT_PLACE - 1)
    assert spread.beside == {21, 22}
    among = narrow_spread(spread, {1, 2, 3, 4, 5, 6, 20}.__contains__)
    assert notes_of(among).index(20) == BESIDE_PLACE - 1, "a fact where nothing else belongs to it"


def test_what_belongs_to_a_thing_that_was_often_told_of_comes_before_more_of_the_same() -> None:
    """Notes 1 to 8 tell of one thing, each linked with the next; 20, which words find badly, and 99 belong to it."""
    flat = hits_of(*np.linspace(0.6, 0.4, 8), *np.linspace(0.2, 0.1, 20))
    often = [(note, note + 1, 0.5) for note in range(1, 8)]
    kinds = {hit.note: "episodic" for hit in flat}
    links = [(1, 20, 0.4), (2, 20, 0.4), (1, 99, 0.3)]
    found = notes_of(reminded(told_one_by_one(graph_of([*often, *links], kinds), 28), flat))
    assert (found.index(20), found.index(99)) == (BESIDE_PLACE - 1, KEPT_PLACE - 1)
    apart = notes_of(reminded(graph_of(links, kinds), flat))
    assert apart[:4] == [1, 2, 3, 4], "they do not belong together, so nothing is plainly asked about"
    assert apart.index(20) == KEPT_PLACE - 1


def test_what_says_much_itself_needs_no_place_kept() -> None:
    """Note 6 is found about as surely as the first and is sent most; 99 is found by links alone."""
    flat = hits_of(*np.linspace(0.6, 0.5, 8), *np.linspace(0.2, 0.1, 20))
    links = [(1, 6, 0.9), (2, 6, 0.9), (1, 99, 0.3)]
    kinds = {hit.note: "episodic" for hit in flat}
    found = notes_of(reminded(told_one_by_one(graph_of(links, kinds), 28), flat))
    assert found.index(99) == KEPT_PLACE - 1
    alone = notes_of(reminded(graph_of(links[:2], {hit.note: "episodic" for hit in flat}), flat))
    assert alone.index(6) <= KEPT_PLACE - 1, "where nothing else is brought, it may have it"


def test_what_clients_wrote_is_no_more_of_the_same_talk() -> None:
    """Note 12 says much itself and is sent most, and yet six others score more; 99 is found by links alone."""
    flat = hits_of(*np.linspace(0.6, 0.35, 12), *np.linspace(0.2, 0.1, 20))
    graph = graph_of([(1, 12, 0.9), (2, 12, 0.9), (1, 99, 0.3)], {hit.note: "episodic" for hit in flat})
    assert notes_of(reminded(graph, flat)).index(12) == KEPT_PLACE - 1
    assert notes_of(reminded(told_one_by_one(graph, 32), flat)).index(99) == KEPT_PLACE - 1


def test_what_is_told_and_not_surely_known_reminds_no_sooner() -> None:
    flat = hits_of(*np.linspace(0.89, 0.3, 30))
    brought = spread_activation(
        graph_of([(1, 99, 0.5)], {hit.note: "episodic" for hit in flat}), QueryContext(NOW, X), flat, budget=NORMAL
    )
    assert narrow_spread(brought, None, reminds=True) == narrow_spread(brought, None)
    assert narrow_spread(brought, lambda note: note == 99, reminds=True).found[0].note == 99, (
        "nothing was found by words"
    )


def test_activation_that_settles_does_not_favour_a_note_that_many_lead_to() -> None:
    """Two seeds lead to a hub and to a note of their own; from everywhere else links lead to the hub as well."""
    crowd = [(100 + number, 50, 0.8) for number in range(60)]
    graph = graph_of([(1, 50, 0.4), (1, 51, 0.4), *crowd], {2: "episodic"})

    def stands_first(activation: Activation) -> int:
        found = reminded(graph, hits_of(0.9, 0.2), activation=activation)
        return next(note for note in notes_of(found) if note in (50, 51))

    assert stands_first(Activation.PAGERANK) == 50, "equals by id"
    assert stands_first(Activation.DIFFUSION) == 51


def test_what_faded_alike_reminds_of_less() -> None:
    flat = hits_of(*np.linspace(0.9, 0.3, 12))
    kinds = {hit.note: "episodic" for hit in flat}
    fresh = reminded(graph_of([(1, 99, 0.5), (1, 12, 0.4)], kinds), flat)
    faded = reminded(graph_of([(1, 99, 0.03), (1, 12, 0.024)], kinds), flat)
    assert notes_of(fresh).index(99) == KEPT_PLACE - 1
    assert notes_of(faded).index(99) >= len(flat), "nothing near gone takes a kept place"
    scores = {name: {each.note: each.score for each in found.found} for name, found in (("a", faded), ("b", fresh))}
    assert flat[11].score < scores["a"][12] < scores["b"][12]


@pytest.mark.thorough
def test_a_planted_association_is_found_among_thousands() -> None:
    rng = np.random.default_rng(5)
    count, planted = 4_000, 60
    edges = [
        (int(src), int(dst), float(strength))
        for src, dst, strength in zip(
            rng.integers(0, count, 8 * count),
            rng.integers(0, count, 8 * count),
            rng.uniform(0.05, 0.3, 8 * count),
            strict=True,
        )
    ]
    trials = rng.permutation(count)[: 2 * planted].reshape(-1, 2).tolist()
    edges += [(src, dst, float(rng.uniform(0.3, 0.6))) for src, dst in trials]
    graph = graph_of(edges)
    recalled = 0
    for src, dst in trials:
        others = [note for note in rng.permutation(count)[:60].tolist() if note not in (src, dst)]
        scores = np.sort(rng.uniform(0.1, 0.5, len(others)))[::-1].tolist()
        direct = [Direct(src, 0.7), *map(Direct, others, scores)]
        recalled += dst in notes_of(reminded(graph, direct))[:10]
    assert recalled / planted >= 0.9


def test_two_steps_over_a_concept_are_one_way() -> None:
    graph = graph_of([(1, 7, 0.8), (8, 7, 0.8)], {7: "semantic"})
    found = reminded(graph, hits_of(0.9), allowed=lambda note: note != 7)
    assert notes_of(found) == [1, 8]
    way = ways(found, 8)
    assert isinstance(way, Path)
    assert way.notes() == [1, 7, 8]


def test_what_was_once_the_answer_is_followed_and_scored_by_tier_one() -> None:
    graph = graph_of([(1, 2, 0.6), (2, 3, 0.6)])
    for link in (0, 1):
        graph.set_memory(link, enhanced(enhanced(np.zeros(3, dtype=np.float32), X), X), NOW)
    found = reminded(graph, hits_of(0.8))
    by_note = {each.note: each for each in found.found}
    assert [by_note[note].tier for note in (1, 2, 3)] == ["vector", "expansion", "expansion"]
    assert 0.8 > by_note[2].score > by_note[3].score > 0.5
    way = ways(found, 3)
    assert way is not None
    assert [(step.src, step.dst) for step in way.links] == [(1, 2), (2, 3)]
    assert ways(found, 1) is None


def test_skim_leaves_the_second_tier_out_when_the_first_has_enough() -> None:
    graph = graph_of([(1, 9, 0.5)], {2: "episodic", 3: "episodic"})
    skim = BUDGETS["skim"]
    assert 9 not in notes_of(reminded(graph, hits_of(0.9, 0.8, 0.7), budget=skim))
    assert 9 in notes_of(reminded(graph, hits_of(0.9), budget=skim))


# -- seeds --------------------------------------------------------------------------------------------------


def test_seeds_are_specific_and_within_the_budget() -> None:
    graph = graph_of([(100 + n, 1, 0.3) for n in range(16)], {1: "semantic", 2: "episodic", 3: "episodic"})
    assert specificity(graph, graph.notes.table.row(1)) == pytest.approx(0.25)
    assert specificity(graph, graph.notes.table.row(100)) == 1.0
    direct = [Direct(1, 0.8), Direct(2, 0.4), Direct(3, 0.0), Direct(77, 1.0)]
    chosen = starts(graph, QueryContext(NOW), direct, each_question=5)
    assert [seed.note for seed in chosen] == [2, 1]
    assert [seed.share for seed in chosen] == pytest.approx([8 / 9, 1 / 9])
    assert len(starts(graph, QueryContext(NOW), direct, each_question=1)) == 1
