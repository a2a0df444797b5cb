"""What a sleeping mind goes over, by its laws: small regions, walks that end, few and weak ties."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.replay import closed_triads
from soulmem.core.replay.closed_triads import ties
from soulmem.core.replay.region_growth import MOST_NOTES, MOST_READS, Region, grow, shares
from soulmem.core.replay.replay_priority import COOLDOWN_MS, Standing, best_region, is_cooling, priority, ranked
from soulmem.core.replay.sampled_walks import LENGTH, WALKS, sample

Graph = dict[int, dict[int, float]]
NOTES = st.integers(0, 40)
LINKS = st.lists(st.tuples(NOTES, NOTES, st.floats(0.001, 1.0)), max_size=80)


def graph_of(links: list[tuple[int, int, float]]) -> Graph:
    """Ties that are felt both ways; cycles, and notes that are tied to themselves, as they come."""
    graph: Graph = {}
    for one, other, felt in links:
        graph.setdefault(one, {})[other] = felt
        graph.setdefault(other, {})[one] = felt
    return graph


def whole(graph: Mapping[int, Mapping[int, float]], seed: int) -> Region:
    grown = grow(seed, lambda note: graph.get(note, {}))
    return Region(grown.notes, {note: graph.get(note, {}) for note in grown.notes})


@given(LINKS, NOTES)
def test_a_region_is_small_whatever_the_graph(links: list[tuple[int, int, float]], seed: int) -> None:
    graph, read = graph_of(links), list[int]()

    def row(note: int) -> dict[int, float]:
        read.append(note)
        return graph.get(note, {})

    region = grow(seed, row)
    assert region.notes[0] == seed
    assert len(region.notes) == len(set(region.notes)) <= MOST_NOTES
    assert len(read) == len(set(read)) <= MOST_READS
    shuffled = {note: dict(reversed(row.items())) for note, row in reversed(graph.items())}
    assert grow(seed, lambda note: shuffled.get(note, {})).notes == region.notes


def test_a_region_holds_what_belongs_to_its_first_note_most() -> None:
    graph = graph_of([(0, 1, 0.9), (1, 2, 0.8), (0, 3, 0.01), (3, 4, 0.9), *((4, each, 0.9) for each in range(5, 60))])
    near = grow(0, lambda note: graph.get(note, {}), most=3)
    assert near.notes == (0, 1, 2)


def test_what_is_tied_weakly_passes_little_on() -> None:
    assert shares({1: 0.1}) == {1: 0.1}
    assert math.isclose(sum(shares({1: 0.9, 2: 0.9}).values()), 1.0)


@given(LINKS, NOTES, st.text(max_size=8))
def test_walks_stay_in_their_region_and_end(links: list[tuple[int, int, float]], seed: int, key: str) -> None:
    region = whole(graph_of(links), seed)
    walks = sample(region, {}, key)
    assert walks == sample(region, {}, key)
    assert 1 <= len(walks) <= WALKS
    for walk in walks:
        assert walk[0] == seed
        assert len(walk) <= LENGTH
        assert set(walk) <= set(region.notes)
        assert all(after == seed or after in region.rows.get(before, {}) for before, after in itertools.pairwise(walk))


def test_a_note_without_ties_is_gone_over_alone() -> None:
    assert sample(whole({}, 7), {}, "x") == ((7,),)


def test_walks_go_to_what_is_recent_more_often() -> None:
    graph = graph_of([(0, each, 0.2) for each in range(1, 11)])
    ages = {note: (0 if note <= 5 else 100 * 86_400_000) for note in range(11)}
    visits = [note for key in range(300) for walk in sample(whole(graph, 0), ages, str(key)) for note in walk if note]
    recent = sum(note <= 5 for note in visits) / len(visits)
    assert 0.6 < recent < 0.75, "twice as likely"


@given(LINKS, NOTES, st.text(max_size=4))
def test_ties_are_few_weak_and_new(links: list[tuple[int, int, float]], seed: int, key: str) -> None:
    graph = graph_of(links)
    region = whole(graph, seed)
    found = ties(region, sample(region, {}, key), lambda one, other: (one + other) % 7 != 0)
    assert len(found) <= closed_triads.MOST
    pairs = [(tie.one, tie.other) for tie in found]
    assert len(pairs) == len(set(pairs))
    for tie in found:
        assert tie.one < tie.other
        assert {tie.one, tie.other} <= set(region.notes)
        assert 0.0 < tie.strength <= closed_triads.STRONGEST
        assert tie.other not in graph.get(tie.one, {})
        assert (tie.one + tie.other) % 7 != 0
    degree = [note for pair in pairs for note in pair]
    assert all(degree.count(note) <= 2 for note in degree)


def test_two_between_bind_and_one_does_not() -> None:
    square = graph_of([(0, 1, 0.6), (0, 2, 0.6), (1, 3, 0.6), (2, 3, 0.6)])
    (tie,) = ties(whole(square, 0), [(0, 1, 3)], lambda *_: True)
    assert (tie.one, tie.other) == (0, 3)
    assert math.isclose(tie.strength, 0.3 * (1 - 0.4 * 0.4))
    chain = graph_of([(0, 1, 1.0), (1, 3, 1.0)])
    assert ties(whole(chain, 0), [(0, 1, 3)], lambda *_: True) == ()
    crowd = graph_of([*square_links(), *((end, each, 0.3) for end in (1, 2) for each in range(10, 50))])
    assert ties(whole(crowd, 0), [(0, 1, 3)], lambda *_: True) == (), "what all is tied to binds nothing"


def square_links() -> list[tuple[int, int, float]]:
    return [(0, 1, 0.6), (0, 2, 0.6), (1, 3, 0.6), (2, 3, 0.6)]


STANDINGS = st.lists(
    st.builds(
        Standing, st.integers(1, 30), st.booleans(), st.floats(allow_nan=True), st.integers(0, 99),
        st.none() | st.integers(-(10**12), 10**12), st.lists(st.floats(-1, 1) | st.just(math.nan), max_size=4),
    ), max_size=12, unique_by=lambda each: each.note,
)  # fmt: skip


@given(STANDINGS, st.randoms(use_true_random=False))
def test_the_order_is_of_the_notes_alone(standings: list[Standing], random: Random) -> None:
    shuffled = list(standings)
    random.shuffle(shuffled)
    assert ranked(shuffled) == ranked(standings)
    assert all(math.isfinite(priority(each, 10)) for each in standings)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (Standing(1, True, 0.4), Standing(1, False, 1.0)),
        (Standing(1, True, 0.9), Standing(1, True, 0.3)),
        (Standing(1, True, 0.4, 10), Standing(1, True, 0.4, 1)),
        (Standing(1, True, 0.4, 0, None), Standing(1, True, 0.4, 0, COOLDOWN_MS)),
        (Standing(1, True, 0.4, cosines=(0.1,)), Standing(1, True, 0.4, cosines=(0.9,))),
        (Standing(1, True, 0.4, cosines=(0.95,)), Standing(1, True, 0.4, cosines=(0.9,))),
    ],
)
def test_what_comes_first(more: Standing, less: Standing) -> None:
    assert priority(more, 10) > priority(less, 10)


def test_a_region_is_taken_for_what_it_brings_by_what_it_costs() -> None:
    assert best_region({1: 4.0, 2: 3.0}, {1: 400.0, 2: 100.0}) == 2
    assert best_region({}, {}) is None


@pytest.mark.parametrize(
    ("ago", "rests"), [(None, False), (0, True), (COOLDOWN_MS - 1, True), (COOLDOWN_MS, False), (-1, False)]
)
def test_a_note_rests_for_a_day(ago: int | None, *, rests: bool) -> None:
    assert is_cooling(ago) is rests
