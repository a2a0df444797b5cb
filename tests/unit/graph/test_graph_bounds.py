"""Bounds of what a note sends and of a hub: sound from below, with places of their own, and few."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_graph_adjacency import NOW, STANCE, filled, link, note

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import Leaning, QueryContext
from soulmem.graph.state import out_weight_bounds
from soulmem.graph.state.graph_columns import GraphLink
from soulmem.graph.state.working_graph import WorkingGraph

LONG = bool(os.environ.get("SOULMEM_TORTURE"))


def test_many_ids_are_found_after_sorting_in() -> None:
    graph = WorkingGraph()
    numbers = [(7919 * i) % 10_007 + 1 for i in range(6_000)]
    for number in numbers:
        graph.put_note(note(number))
    for number in numbers[::2]:
        graph.remove_note(number)
    rows = graph.notes.table.rows(numbers)
    assert (rows[::2] == -1).all()
    assert graph.notes.ids[rows[1::2]].tolist() == numbers[1::2]
    assert graph.note_count == 3_000
    graph.put_note(note(numbers[0]))
    assert graph.notes.table.row(numbers[0]) != -1


def test_a_hub_is_bounded_from_below_whatever_changes() -> None:
    graph = filled([note(number) for number in range(200)], [link(n, 0, n, a0=0.3 + n / 400) for n in range(1, 180)])
    hub = graph.notes.table.row(0)
    assert Weights(graph, QueryContext(NOW)).least_total(hub) > 50.0, "a bound worth having"
    stances = [
        STANCE,
        QueryContext(NOW + 40 * DAY_MS, leaning=Leaning(0.0, 0.5, 0.5, 0.0)),
        QueryContext(NOW - 90 * DAY_MS),
    ]

    def check() -> None:
        for stance in stances:
            weights = Weights(graph, stance)
            least = weights.least_total(hub)
            assert least <= max(1.0, weights.total(hub)) + 1e-9

    check()
    for number in range(1, 60):
        graph.set_trace(number, 0.01, NOW, DAY_MS)
        check()
    for number in range(60, 110):
        graph.remove_link(number)
        check()
    for number in range(1, 30):
        graph.put_note(note(number, "abstract"))
        check()


@pytest.mark.thorough
@given(st.integers(0, 1000))
@settings(max_examples=15 if LONG else 5, deadline=None)
def test_what_a_note_sends_is_bounded_from_below_once_its_row_was_read(seed: int) -> None:
    """Rows are read, then anything may happen to the graph: bounds that are still given hold."""
    random = np.random.default_rng(seed)
    graph = filled([note(number) for number in range(20)], [])

    def change(number: int) -> None:
        src, dst = random.integers(20, size=2).tolist()
        stability = int(random.integers(1, 40)) * DAY_MS
        strength = float(random.uniform(0.05, 1.0))
        graph.put_link(GraphLink(number, src, dst, "association", strength, NOW - DAY_MS, stability))

    for number in range(1, 150):  # parallel links among them
        change(number)
    read = Weights(graph, QueryContext(NOW))
    read.prepare(list(range(20)))
    bounded = 0
    for number in range(1, 40):
        what = int(random.integers(5))
        if what == 0:
            change(number)
        elif what == 1:
            change(200 + number)
        elif what == 2:
            graph.set_trace(number, float(random.uniform(0.01, 1.0)), NOW, DAY_MS)
        elif what == 3:
            graph.remove_link(int(random.integers(1, 150)))
        else:
            gone = int(random.integers(20))
            graph.remove_note(gone)
            graph.put_note(note(gone, "abstract" if random.random() < 0.5 else "episodic"))
        if number % 3:
            continue
        for stance in (
            QueryContext(NOW + DAY_MS),
            QueryContext(NOW - DAY_MS),
            QueryContext(NOW, leaning=Leaning(0.0, 0.5, 0.5, 0.0)),
        ):
            weights, rows = Weights(graph, stance), graph.notes.live().tolist()
            least = [weights.least_total(row) for row in rows]
            bounded += max(least) > 1.0
            assert all(low <= max(1.0, weights.total(row)) + 1e-9 for low, row in zip(least, rows, strict=True))
    assert bounded, "no bound worth having was ever given"


@pytest.mark.thorough
@given(st.integers(0, 1000))
@settings(max_examples=15 if LONG else 5, deadline=None)
def test_bounds_have_places_of_their_own_and_stay_few(seed: int) -> None:
    """Rows come, go and are read in any order, more of them than there are places for bounds."""
    random = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(out_weight_bounds, "_MOST", 12)
        graph = filled([note(number) for number in range(30)], [])
        for number in range(1, 300):
            src, dst = random.integers(30, size=2).tolist()
            graph.put_link(
                GraphLink(number, src, dst, "association", 0.5, NOW - DAY_MS, int(random.integers(1, 40)) * DAY_MS)
            )
            if number % 7 == 0:
                graph.remove_note(src)
                graph.put_note(note(100 + number))  # in the row that was left
            if number % 5 == 0:
                rows = graph.notes.live()
                Weights(graph, STANCE).prepare(random.choice(rows, size=8).tolist())  # some of them twice
                held = graph.crowds._slots[graph.crowds._slots >= 0].tolist()
                assert len(held) == len(set(held)) <= 12
                assert len(held) + len(graph.crowds._free) == graph.crowds._used, "no place is lost"
                stance, rows = QueryContext(NOW + DAY_MS), rows.tolist()
                least, weights = Weights(graph, stance).least_totals(rows), Weights(graph, stance)
                assert all(least[row] <= max(1.0, weights.total(row)) + 1e-9 for row in rows)
