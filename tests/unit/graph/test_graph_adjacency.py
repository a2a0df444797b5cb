"""The working graph: what it holds, what it refuses, and that no history of changes shows in its answers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import Trace
from soulmem.core.schema.note_requests import LinkKind, NoteKind
from soulmem.graph.query.edge_weights import StaleError, Weights
from soulmem.graph.query.query_context import LEANS_TO, Leaning, QueryContext
from soulmem.graph.state import out_weight_bounds
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
    ids, rows = Weights(graph, stance).snapshot()
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


@pytest.mark.parametrize(
    "bad",
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
    ],
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
            np.array([each.hidden for each in notes], dtype=np.bool_),
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


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
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


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
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
                weights, rows = Weights(graph, QueryContext(NOW + DAY_MS)), rows.tolist()
                least = weights.least_totals(rows)
                for row, low in [(row, least[row]) for row in rows]:
                    assert low <= max(1.0, Weights(graph, weights.stance).total(row)) + 1e-9
