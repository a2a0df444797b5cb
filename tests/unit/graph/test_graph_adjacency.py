"""The working graph: what it holds, what it refuses, and that no history of changes shows in its answers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from benchmarks.graph.graph_exact import snapshot
from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import Trace
from soulmem.core.schema.note_requests import LinkKind, NoteKind
from soulmem.graph.query.edge_weights import StaleError, Weights
from soulmem.graph.query.query_context import LEANS_TO, Leaning, QueryContext
from soulmem.graph.state.bulk_load import LinkColumns, NoteColumns, load
from soulmem.graph.state.graph_columns import LINK_CODES, LINK_KINDS, NOTE_CODES, NOTE_KINDS, GraphLink, GraphNote
from soulmem.graph.state.working_graph import WorkingGraph

NOW = 100 * DAY_MS
STANCE = QueryContext(NOW, leaning=Leaning(0.4, 0.3, 0.2, 0.1), valence=-0.5, arousal=0.8)


def note(number: int, kind: str = "episodic", **fields: object) -> GraphNote:
    return GraphNote(number, kind, **fields)  # type: ignore[arg-type]  # a table of fields


def link(number: int, src: int, dst: int, a0: float = 0.5, kind: str = "association", days: float = 30.0) -> GraphLink:
    return GraphLink(number, src, dst, kind, a0, NOW - 5 * DAY_MS, round(days * DAY_MS), 0.8)


def filled(notes: list[GraphNote], links: list[GraphLink], dimension: int = 0) -> WorkingGraph:
    graph = WorkingGraph(dimension)
    for each in notes:
        graph.put_note(each)
    for every in links:
        graph.put_link(every)
    return graph


def picture(graph: WorkingGraph, stance: QueryContext = STANCE) -> tuple[list[int], list[int], list[int], list[float]]:
    """Everything the solvers see of a graph."""
    ids, rows = snapshot(Weights(graph, stance))
    return ids.tolist(), rows.starts.tolist(), ids[rows.ends].tolist(), rows.weights.tolist()


def test_the_kinds_are_those_of_the_house() -> None:
    assert tuple(NoteKind) == NOTE_KINDS
    assert tuple(LinkKind) == LINK_KINDS
    assert set(LEANS_TO) == set(NoteKind)
    assert NOTE_CODES[NoteKind.LORE] == NOTE_KINDS.index("lore")


def test_strengths_are_the_traces_of_the_core() -> None:
    links = [link(i, 1, 2, a0=i / 10, days=i) for i in range(1, 9)]
    graph = filled([note(1), note(2)], links)
    found = graph.strengths([each.id for each in links] + [99], NOW)
    for each, strength in zip(links, found, strict=False):
        assert strength == pytest.approx(Trace(each.a0, each.t0_ms, each.stability_ms).strength(NOW), rel=1e-6)
    assert found[-1] == 0.0
    assert graph.strengths([6], 0)[0] == pytest.approx(0.6), "a clock that steps back raises nothing"


def test_the_vector_of_decay() -> None:
    graph = filled([note(1), note(2)], [GraphLink(1, 1, 2, "semantic", 0.6, 0, 7 * DAY_MS)])
    assert graph.strengths([1], 7 * DAY_MS)[0] == pytest.approx(0.2207, abs=5e-5)


@every_row(
    [
        link(9, 1, 1),
        link(9, 1, 77),
        link(9, 1, 2, a0=math.nan),
        link(9, 1, 2, a0=-0.5),
        link(9, 1, 2, a0=1.5),
        link(9, 1, 2, a0=math.inf),
        replace(link(9, 1, 2), stability_ms=0),
        replace(link(9, 1, 2), confidence=math.nan),
        replace(link(9, 1, 2), confidence=0.0),
    ]
)
def test_what_is_unsound_is_refused(bad: GraphLink) -> None:
    graph = filled([note(1), note(2)], [link(1, 1, 2)])
    before = picture(graph)
    assert not graph.put_link(bad)
    assert picture(graph) == before
    bulk = loaded([note(1), note(2)], [link(1, 1, 2), bad])
    assert picture(bulk) == before


def test_unknown_kinds_are_said_so() -> None:
    graph = filled([note(1), note(2)], [])
    with pytest.raises(ValueError, match="no kind of note"):
        graph.put_note(note(3, "dream"))
    with pytest.raises(ValueError, match="no kind of link"):
        graph.put_link(link(1, 1, 2, kind="hate"))
    assert graph.note_count == 2


def test_a_directed_link_is_felt_less_against_its_direction() -> None:
    for kind, factor in (("association", 1.0), ("semantic", 0.6), ("trigger", 0.2)):
        graph = filled([note(1), note(2)], [link(1, 1, 2, kind=kind)])
        _, _, _, (there, back) = picture(graph, QueryContext(NOW))
        assert back == pytest.approx(factor * there)


def test_parallel_links_become_one_by_noisy_or() -> None:
    one = picture(filled([note(1), note(2)], [link(1, 1, 2, 0.5)]), QueryContext(NOW))[3][0]
    two = picture(filled([note(1), note(2)], [link(2, 2, 1, 0.9)]), QueryContext(NOW))[3][0]
    both = filled([note(1), note(2)], [link(1, 1, 2, 0.5), link(2, 2, 1, 0.9)])
    assert picture(both, QueryContext(NOW))[3] == pytest.approx([1 - (1 - one) * (1 - two)] * 2)
    codes = Weights(both, QueryContext(NOW)).transitions(both.notes.table.row(1))[1]
    assert both.links.ids[codes >> 1].tolist() == [2], "the strongest names the way"


def test_forgetting_is_not_cancelled_by_normalising() -> None:
    """§3.6: a single link of strength .1 forwards a tenth, not everything."""
    graph = filled([note(1), note(2)], [GraphLink(1, 1, 2, "association", 0.1, NOW, DAY_MS)])
    shares = Weights(graph, QueryContext(NOW)).transitions(graph.notes.table.row(1))[2]
    assert shares.tolist() == pytest.approx([0.1])


def test_stale_weights_are_not_used() -> None:
    graph = filled([note(1), note(2)], [link(1, 1, 2)])
    fresh, known = Weights(graph, STANCE), Weights(graph, STANCE)
    known.transitions(graph.notes.table.row(1))
    graph.set_trace(1, 0.2, NOW, DAY_MS)
    for weights in (fresh, known):
        with pytest.raises(StaleError):
            weights.transitions(graph.notes.table.row(1))


def test_memory_vectors_follow_their_links() -> None:
    graph = filled([note(1), note(2)], [link(1, 1, 2), link(2, 1, 2, kind="semantic")], dimension=2)
    vector = np.array([0.6, 0.8], dtype=np.float32)
    assert graph.set_memory(1, vector, NOW, backward=True)
    assert graph.memory(1, NOW).tolist() == [0.0, 0.0], "an association has one a direction"
    assert graph.memory(1, NOW, backward=True) == pytest.approx(vector)
    assert graph.set_memory(2, vector, NOW)
    assert graph.memory(2, NOW + 90 * DAY_MS, backward=True) == pytest.approx(vector / math.e)
    assert not graph.set_memory(2, np.array([np.nan, 0.0], dtype=np.float32), NOW)
    assert not graph.set_memory(2, np.zeros(3, dtype=np.float32), NOW)
    graph.remove_link(1)
    assert len(graph.memories) == 1
    graph.put_link(link(1, 1, 2))
    assert graph.memory(1, NOW, backward=True).tolist() == [0.0, 0.0], "nothing is inherited"


def test_memory_vectors_are_bounded() -> None:
    graph = WorkingGraph(2, max_memories=3)
    for number in (1, 2):
        graph.put_note(note(number))
    for number in range(1, 6):
        graph.put_link(link(number, 1, 2))
        assert graph.set_memory(number, np.array([1.0, number], dtype=np.float32), NOW)
    assert len(graph.memories) == 3
    assert [bool(graph.memory(number, NOW).any()) for number in range(1, 6)] == [False, False, True, True, True]


def test_a_full_graph_gives_up_what_was_read_longest_ago() -> None:
    graph = WorkingGraph(max_links=20)
    for number in range(40):
        graph.put_note(note(number))
    for number in range(39):
        graph.put_link(link(number, number, number + 1))
        Weights(graph, STANCE).prepare([graph.notes.table.row(0)])
    assert graph.link_count <= 20
    assert graph.is_whole(0)
    assert not graph.is_whole(5)
    for number in range(40):
        if graph.is_whole(number):
            row = graph.notes.table.row(number)
            assert int(graph.arcs.lengths[row]) == (1 if number in (0, 39) else 2), "whole means whole"


def loaded(notes: list[GraphNote], links: list[GraphLink]) -> WorkingGraph:
    graph = WorkingGraph()
    load(
        graph,
        NoteColumns(
            np.array([each.id for each in notes], dtype=np.int64),
            np.array([NOTE_CODES[each.kind] for each in notes], dtype=np.uint8),
            np.array([each.valence for each in notes], dtype=np.float64),
            np.array([each.talk for each in notes], dtype=np.int64),
        ),
        LinkColumns(
            np.array([each.id for each in links], dtype=np.int64),
            np.array([each.src for each in links], dtype=np.int64),
            np.array([each.dst for each in links], dtype=np.int64),
            np.array([LINK_CODES[each.kind] for each in links], dtype=np.uint8),
            np.array([each.a0 for each in links], dtype=np.float64),
            np.array([each.t0_ms for each in links], dtype=np.int64),
            np.array([each.stability_ms for each in links], dtype=np.int64),
            np.array([each.confidence for each in links], dtype=np.float64),
        ),
    )
    return graph


ids = st.integers(1, 12)
drawn_links = st.lists(
    st.builds(
        GraphLink,
        st.integers(1, 60),
        ids,
        ids,
        st.sampled_from(LINK_KINDS),
        st.floats(0.01, 1.0),
        st.integers(0, NOW),
        st.integers(DAY_MS, 90 * DAY_MS),
        st.floats(0.1, 1.0),
    ),
    max_size=40,
    unique_by=lambda each: each.id,
)
drawn_notes = st.lists(
    st.builds(GraphNote, ids, st.sampled_from(NOTE_KINDS), st.floats(-1.0, 1.0)), unique_by=lambda each: each.id
)


@given(drawn_notes, drawn_links, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_arrival_does_not_show(notes: list[GraphNote], links: list[GraphLink], chance: object) -> None:
    expected = picture(filled(notes, links))
    shuffled_notes, shuffled_links = list(notes), list(links)
    chance.shuffle(shuffled_notes)  # type: ignore[attr-defined]  # Hypothesis' Random
    chance.shuffle(shuffled_links)  # type: ignore[attr-defined]
    assert picture(filled(shuffled_notes, shuffled_links)) == expected
    assert picture(loaded(shuffled_notes, shuffled_links)) == expected


class Changes(RuleBasedStateMachine):
    """Any history of changes leaves what a fresh build of the final state would give."""

    def __init__(self) -> None:
        super().__init__()
        self.graph = WorkingGraph()
        self.notes: dict[int, GraphNote] = {}
        self.links: dict[int, GraphLink] = {}

    @rule(number=ids, kind=st.sampled_from(NOTE_KINDS), valence=st.floats(-1, 1))
    def put_note(self, number: int, kind: str, valence: float) -> None:
        self.notes[number] = GraphNote(number, kind, valence)
        self.graph.put_note(self.notes[number])

    @rule(number=ids)
    def remove_note(self, number: int) -> None:
        assert self.graph.remove_note(number) == (self.notes.pop(number, None) is not None)
        self.links = {key: each for key, each in self.links.items() if number not in (each.src, each.dst)}

    @rule(links=drawn_links)
    def put_links(self, links: list[GraphLink]) -> None:
        for each in links:
            if self.graph.put_link(each):
                self.links[each.id] = each

    @rule(number=st.integers(1, 60), a0=st.floats(0.01, 1.0))
    def set_trace(self, number: int, a0: float) -> None:
        held = number in self.links
        assert self.graph.set_trace(number, a0, NOW - DAY_MS, DAY_MS) == held
        if held:
            self.links[number] = replace(self.links[number], a0=a0, t0_ms=NOW - DAY_MS, stability_ms=DAY_MS)

    @rule(number=st.integers(1, 60))
    def remove_link(self, number: int) -> None:
        assert self.graph.remove_link(number) == (self.links.pop(number, None) is not None)

    @invariant()
    def is_what_a_fresh_build_would_be(self) -> None:
        assert self.graph.link_count == len(self.links)
        fresh = filled(list(self.notes.values()), list(self.links.values()))
        assert picture(self.graph) == picture(fresh)


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
