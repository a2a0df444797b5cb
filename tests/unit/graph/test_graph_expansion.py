"""Tier 1: memory vectors, the expansion they allow, and what a judgement teaches."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.graph.learning.edge_learning import HEARD, Update, enhanced, judged, penalised, reacted
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import Leaning, QueryContext
from soulmem.graph.state.graph_columns import GraphLink, GraphNote
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.edge_expansion import Forest, Seed, expand, threshold

NOW = 100 * DAY_MS
X = np.array([1.0, 0.0, 0.0], dtype=np.float32)
Y = np.array([0.0, 1.0, 0.0], dtype=np.float32)
NONE = np.zeros(3, dtype=np.float32)
FOREVER = 10**6 * DAY_MS

Edge = tuple[int, int, float]


def graph_of(edges: list[Edge], *, kind: str = "association", kinds: dict[int, str] | None = None) -> WorkingGraph:
    graph = WorkingGraph(3)
    for number in sorted({end for edge in edges for end in edge[:2]}):
        graph.put_note(GraphNote(number, (kinds or {}).get(number, "episodic")))
    for number, (src, dst, strength) in enumerate(edges):
        graph.put_link(GraphLink(number, src, dst, kind, strength, NOW, FOREVER))
    return graph


def grown(
    graph: WorkingGraph, seeds: list[Seed], question: np.ndarray = X, *, notes: int = 32, depth: int = 4, **mood: object
) -> Forest:
    stance = QueryContext(NOW, question, **mood)  # type: ignore[arg-type]  # a table of fields
    return expand(Weights(graph, stance), seeds, max_notes=notes, max_depth=depth)


def reached(forest: Forest) -> list[int]:
    return [each.note for each in forest.notes]


# -- the vectors of the specification ---------------------------------------------------------------------


def test_the_vectors_of_memory() -> None:
    v, norms = NONE, []
    for _ in range(3):
        v = enhanced(v, X)
        norms.append(float(np.linalg.norm(v)))
    assert norms == pytest.approx([0.63662, 0.980587, 0.999997], abs=1e-6)
    twice = enhanced(enhanced(NONE, X), X)
    assert float(np.linalg.norm(penalised(twice, X))) == pytest.approx(0.68641, abs=1e-5)
    assert float(np.linalg.norm(enhanced(NONE, X, HEARD))) == pytest.approx(1.0)


@pytest.mark.parametrize(("bond", "follows"), [(0.20, False), (0.21, True)])
def test_the_vector_of_expansion(bond: float, follows: bool) -> None:
    graph = graph_of([(1, 2, bond)])
    graph.set_memory(0, enhanced(NONE, X), NOW)
    assert (2 in reached(grown(graph, [Seed(1)]))) is follows


@pytest.mark.parametrize(("bond", "follows"), [(0.84, False), (0.86, True)])
def test_the_vector_of_the_cold_start(bond: float, follows: bool) -> None:
    assert (2 in reached(grown(graph_of([(1, 2, bond)]), [Seed(1)]))) is follows


def test_a_paraphrase_needs_a_bond_after_one_time_and_none_after_two() -> None:
    paraphrase = np.array([0.85, math.sqrt(1 - 0.85**2), 0.0], dtype=np.float32)
    for times, bond, follows in ((1, 0.57, False), (1, 0.6, True), (2, 0.01, True)):
        graph = graph_of([(1, 2, bond)])
        v = NONE
        for _ in range(times):
            v = enhanced(v, X)
        graph.set_memory(0, v, NOW)
        assert (2 in reached(grown(graph, [Seed(1)], paraphrase))) is follows


# -- updates ---------------------------------------------------------------------------------------------

components = st.floats(-1.0, 1.0, width=32)
vectors = arrays(np.float32, 8, elements=components)


@given(vectors, st.lists(st.tuples(vectors, st.floats(0.0, 4.0), st.booleans()), max_size=12))
@settings(deadline=None)
def test_no_history_of_updates_breaks_a_vector(v: np.ndarray, history: list[tuple[np.ndarray, float, bool]]) -> None:
    v = enhanced(v, NONE.repeat(3)[:8])
    for question, weight, gains in history:
        before = v.copy()
        v = (enhanced if gains else penalised)(v, question, weight)
        assert np.isfinite(v).all()
        assert np.linalg.norm(v) <= 1.0 + 1e-6
        assert v.dtype == np.float32
        norm = np.linalg.norm(question.astype(np.float64))
        if norm > 1e-6:
            q = question / norm
            if gains and np.linalg.norm(before) < 0.99:
                assert v @ q >= before @ q - 1e-4 or np.linalg.norm(before + weight * q) > 1.0
            if not gains:
                assert -1e-5 <= v @ q <= before @ q + 1e-6 or before @ q <= 0.0
                across = before - (before @ q) * q
                assert v - (v @ q) * q == pytest.approx(across, abs=1e-5), "only along the question"


def test_a_wrong_link_is_unlearned_and_a_right_one_survives_one_doubt() -> None:
    v = enhanced(enhanced(enhanced(NONE, X), X), X)
    assert np.linalg.norm(penalised(v, X)) == pytest.approx(0.7, abs=1e-4), "neither untouched nor wiped"
    for _ in range(12):
        v = penalised(v, X)
    assert np.linalg.norm(v) < 0.1


def test_what_is_broken_teaches_nothing() -> None:
    nan = np.array([np.nan, 1.0, 0.0], dtype=np.float32)
    assert enhanced(X, nan).tolist() == X.tolist()
    assert penalised(X, NONE).tolist() == X.tolist()
    assert enhanced(nan, X) == pytest.approx(enhanced(NONE, X))


# -- the forest ------------------------------------------------------------------------------------------


def test_a_forest_knows_every_way() -> None:
    """1 - 2 - 4 and 1 - 3 - 4: both ways to 4 count, the way to 5 does not."""
    graph = graph_of([(1, 2, 0.95), (1, 3, 0.9), (2, 4, 0.95), (3, 4, 0.9), (3, 5, 0.9)])
    forest = grown(graph, [Seed(1)])
    assert sorted(reached(forest)) == [1, 2, 3, 4, 5]
    assert {link.link for link in forest.ways_to([4])} == {0, 1, 2, 3}
    assert {link.link for link in forest.ways_to([5])} == {1, 4}
    assert forest.ways_to([1, 99]) == []
    updates = {update.link: update.weight for update in judged(forest, {4})}
    assert updates == {0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0, 4: -1.0}
    assert {update.weight for update in judged(forest, set())} == {-0.5}
    assert {update.weight for update in judged(forest, {1})} == {-1.0}, "the seed was useful, the ways from it were not"


def test_reactions() -> None:
    forest = grown(graph_of([(1, 2, 0.95), (1, 3, 0.95)]), [Seed(1)])
    assert [(u.link, u.weight) for u in reacted(forest, {2}, sign=1, strength=0.9)] == [(0, 1.8)]
    assert [u.weight for u in reacted(forest, {2}, sign=1, strength=0.1)] == [1.0]
    assert [u.weight for u in reacted(forest, {2}, sign=-1, strength=0.4)] == [-0.8]
    assert reacted(forest, {2}, sign=0, strength=1.0) == ()
    assert reacted(forest, {2}, sign=-1, strength=math.nan) == ()


def test_learning_opens_a_way_and_closes_it() -> None:
    graph = graph_of([(1, 2, 0.86), (2, 3, 0.5)])
    assert reached(grown(graph, [Seed(1)])) == [1, 2]
    teach = Update(1, is_backward=False, question=0, weight=1.0)
    graph.set_memory(1, teach.applied(graph.memory(1, NOW), X[None]), NOW)
    forest = grown(graph, [Seed(1)])
    assert reached(forest) == [1, 2, 3]
    assert reached(grown(graph, [Seed(1)], Y)) == [1, 2], "another question does not know that way"
    assert reached(grown(graph, [Seed(3)])) == [3], "an association is learned in one direction"
    assert (
        expand(Weights(graph, QueryContext(NOW + 90 * DAY_MS, X)), [Seed(1)], max_notes=9, max_depth=3).notes[-1].note
        == 2
    )
    for update in judged(forest, {2}):
        v = update.applied(graph.memory(update.link, NOW), X[None])
        graph.set_memory(update.link, v, NOW, backward=update.is_backward)
    assert reached(grown(graph, [Seed(1)])) == [1, 2]


def test_questions_keep_to_their_own_ways() -> None:
    graph = graph_of([(1, 2, 0.5), (3, 4, 0.5)])
    graph.set_memory(0, X, NOW)
    graph.set_memory(1, Y, NOW)
    both = np.stack([X, Y])
    assert reached(grown(graph, [Seed(1, 1.0, 0), Seed(3, 0.9, 1)], both)) == [1, 3, 2, 4]
    assert reached(grown(graph, [Seed(1, 1.0, 1), Seed(3, 0.9, 0)], both)) == [1, 3]


def test_impatience_and_depth_move_the_threshold() -> None:
    assert threshold(impatience=0.0, is_deep=False) == 0.55
    assert threshold(impatience=1.0, is_deep=True) == pytest.approx(0.65)
    assert threshold(impatience=math.nan, is_deep=False) == 0.55
    graph = graph_of([(1, 2, 0.3)])
    graph.set_memory(0, enhanced(NONE, X), NOW)
    assert reached(grown(graph, [Seed(1)])) == [1, 2]
    assert reached(grown(graph, [Seed(1)], impatience=1.0)) == [1]
    assert reached(grown(graph, [Seed(1)], leaning=Leaning(0.0, 0.0, 1.0, 0.0))) == [1], "not what one feels like"


def test_mood_agrees_with_mood() -> None:
    graph = graph_of([(1, 2, 0.8), (1, 3, 0.8)])
    graph.put_note(GraphNote(2, "episodic", 1.0))
    graph.put_note(GraphNote(3, "episodic", -1.0))
    assert reached(grown(graph, [Seed(1)], valence=0.9, arousal=1.0)) == [1, 2]
    assert reached(grown(graph, [Seed(1)], valence=-0.9, arousal=1.0)) == [1, 3]


def test_budgets_hold() -> None:
    star = graph_of([(0, n, 0.9 + n / 1000) for n in range(1, 31)])
    assert reached(grown(star, [Seed(0)])) == [0, *range(30, 22, -1)], "the eight best"
    assert len(reached(grown(star, [Seed(0)], notes=4))) == 4
    chain = graph_of([(n, n + 1, 0.9) for n in range(10)])
    assert reached(grown(chain, [Seed(0)], depth=3)) == [0, 1, 2, 3]
    assert grown(chain, [], depth=3).notes == ()
    assert grown(chain, [Seed(77), Seed(1, 0.0)]).notes == ()
    barred = expand(Weights(chain, QueryContext(NOW, X)), [Seed(0)], max_notes=9, max_depth=9, barred={2})
    assert reached(barred) == [0, 1]


def test_conduits_are_walked_through_and_the_rest_is_asked_for() -> None:
    graph = graph_of([(1, 2, 0.95), (2, 3, 0.95)], kinds={2: "trigger", 3: "procedural"})
    assert reached(grown(graph, [Seed(1)])) == [1, 2, 3], "whether a note may be returned is for selection to say"
    graph.put_note(GraphNote(9, "episodic"), whole=False)
    graph.put_link(GraphLink(9, 3, 9, "association", 0.95, NOW, FOREVER))
    forest = grown(graph, [Seed(1)])
    assert reached(forest) == [1, 2, 3, 9]
    assert forest.wanting == (9,)


edges = st.lists(
    st.tuples(st.integers(0, 15), st.integers(0, 15), st.floats(0.3, 1.0)).filter(lambda edge: edge[0] != edge[1]),
    min_size=1,
    max_size=60,
)


@given(edges, st.integers(1, 20), st.integers(0, 5), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_laws_of_a_forest(links: list[Edge], notes: int, depth: int, chance: object) -> None:
    def build(order: list[int]) -> WorkingGraph:
        graph = WorkingGraph(3)
        present = sorted({end for edge in links for end in edge[:2]})
        for note in present if order[0] else present[::-1]:
            graph.put_note(GraphNote(note, "episodic"))
        for number in order:
            src, dst, strength = links[number]
            graph.put_link(GraphLink(number, src, dst, "association", strength, NOW, FOREVER))
            if number % 3 == 0:
                graph.set_memory(number, X if number % 2 else Y, NOW)
        return graph

    order = list(range(len(links)))
    seeds = [Seed(links[0][0], 0.9), Seed(links[0][1], 0.9), Seed(links[-1][0], 0.4)]
    forest = grown(build(order), seeds, notes=notes, depth=depth)
    chance.shuffle(order)  # type: ignore[attr-defined]  # Hypothesis' Random
    assert grown(build(order), list(reversed(seeds)), notes=notes, depth=depth) == forest
    names = reached(forest)
    assert len(names) == len(set(names)) <= notes
    depths = {each.note: each.depth for each in forest.notes}
    for each in forest.notes:
        assert each.depth <= depth
        assert 0.0 < each.score <= 0.9
        assert (each.depth == 0) == (each.seed == each.note)
        assert bool(each.parents) or each.depth == 0
        for link in each.parents:
            assert depths[link.src] < depths[link.dst]
            assert link.score > 0.55 or link.bond >= 0.85
    updates = judged(forest, set(names[::2]))
    assert len(updates) == len(forest.links())
    assert math.isfinite(sum(update.weight for update in updates))
