"""Who speaks of the same: names bring up notes to which no link leads, tell nothing of the barred, and are no notes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.query.seed_selection import Direct
from soulmem.graph.state.graph_columns import GraphLink, GraphNote
from soulmem.graph.state.name_hubs import KIN, NameHubs
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.name_spread import BY_NAME, MOST_NOTES, through_names
from soulmem.graph.walk.spreading_activation import Spread, narrow_spread, spread_activation, ways
from soulmem.graph.walk.spreading_budgets import BUDGETS
from soulmem.store.graph.graph_sync import spoken_of

NOW = 100 * DAY_MS
SISTER = f"ann{KIN}sister"
names = st.lists(st.sampled_from(["mei", "沈月华", SISTER, "the choir"]), max_size=3)


def graph_of(named: dict[int, tuple[str, ...]], links: tuple[tuple[int, int], ...] = ()) -> WorkingGraph:
    graph = WorkingGraph(3)
    for note, spoken in named.items():
        graph.put_note(GraphNote(note, "episodic", names=spoken))
    for number, (src, dst) in enumerate(links, start=1):
        graph.put_link(GraphLink(number, src, dst, "association", 0.4, NOW, 30 * DAY_MS))
    return graph


def reminded(graph: WorkingGraph, *hits: int, barred: frozenset[int] = frozenset()) -> Spread:
    direct = [Direct(note, 0.9) for note in hits]
    return narrow_spread(
        spread_activation(graph, QueryContext(NOW), direct, budget=BUDGETS["normal"], barred=barred), None
    )


@given(st.dictionaries(st.integers(1, 8), names, max_size=8), st.lists(st.integers(1, 8), max_size=4), st.randoms())
@settings(max_examples=60, deadline=None)
def test_hubs_are_those_of_the_notes_that_are_held(
    held: dict[int, list[str]],
    gone: list[int],
    chance: st.randoms,  # type: ignore[valid-type]
) -> None:
    order = list(held)
    chance.shuffle(order)  # type: ignore[attr-defined]
    hubs = NameHubs()
    for note in order:
        hubs.put(note, ["of old"])
        hubs.put(note, held[note])
    for note in gone:
        hubs.drop(note)
    left = {note: spoken for note, spoken in held.items() if note not in gone}
    for name in {name for spoken in held.values() for name in spoken}:
        assert hubs.others(name, 0, (), 99) == sorted(note for note, spoken in left.items() if name in spoken)
    assert len(hubs) == len({name for spoken in left.values() for name in spoken})


def test_a_note_of_the_same_person_comes_up_and_the_way_says_so() -> None:
    graph = graph_of({1: (), 2: ("rosa",), 3: ("rosa",), 4: ()}, ((1, 2),))
    found = reminded(graph, 1)
    assert [each.note for each in found.found] == [1, 2, 3]
    way = ways(found, 3)
    assert way is not None
    assert [(link.link, link.src, link.dst) for link in way.links] == [(1, 1, 2), (BY_NAME, 2, 3)]


def test_what_tells_a_relative_by_name_joins_both_names() -> None:
    graph = graph_of({1: (SISTER,), 2: ("mei", SISTER), 3: ("mei",)})
    found = reminded(graph, 3)
    assert {each.note for each in found.found} == {1, 2, 3}
    way = ways(found, 1)
    assert way is not None
    assert [link.dst for link in way.links] == [2, 1]
    graph.remove_note(2)
    assert [each.note for each in reminded(graph, 3).found] == [3], "nothing joins them any more"


def test_of_whom_everybody_speaks_says_nothing() -> None:
    graph = graph_of(dict.fromkeys(range(1, MOST_NOTES + 3), ("tom",)))
    assert [each.note for each in reminded(graph, 1).found] == [1]


@given(
    st.dictionaries(st.integers(1, 12), names, min_size=1), st.sets(st.integers(1, 12), max_size=6), st.integers(1, 12)
)
@settings(max_examples=100, deadline=None)
def test_barred_notes_change_nothing_of_what_is_sent(held: dict[int, list[str]], barred: set[int], seed: int) -> None:
    ids = np.array([note for note in sorted(held) if note not in barred], dtype=np.int64)
    given_ = np.where(ids == seed, 0.8, 0.1)[None, :]
    hubs, without = NameHubs(), NameHubs()
    for note, spoken in held.items():
        hubs.put(note, spoken)
        if note not in barred:
            without.put(note, spoken)
    one, other = through_names(hubs, ids, given_, barred), through_names(without, ids, given_, ())
    assert one.ids.tolist() == other.ids.tolist()
    assert one.given.tolist() == other.given.tolist()
    assert one.by_name == other.by_name


@pytest.mark.parametrize(
    ("text", "shown", "speaker", "entities", "expected"),
    [
        ("Ann: My sister broke the vase.", None, "Ann", '["Ann"]', {SISTER}),
        ("Ann's sister is called Mei", None, "Ann", '["Ann","Mei"]', {SISTER, "mei"}),
        ("Ann's sister is called Mei", "Ann's sister is called somebody", "Ann", '["Ann","Mei"]', {SISTER}),
        ("阿宁：我妈昨天摔了一跤。", None, "阿宁", '["阿宁"]', {f"阿宁{KIN}mum"}),
        ("阿宁的妈妈叫沈月华", None, "阿宁", '["阿宁","沈月华"]', {f"阿宁{KIN}mum", "沈月华"}),
        ("Rosa is afraid of escalators", None, "Ann", '["Rosa"]', {"rosa"}),
        ("罗萨害怕坐自动扶梯", None, "", '["罗萨"]', {"罗萨"}),
        ("Her sister came.", None, "Ann", "[]", set()),
    ],
)
def test_of_whom_a_note_speaks(text: str, shown: str | None, speaker: str, entities: str, expected: set[str]) -> None:
    assert set(spoken_of(text, shown, speaker, entities)) == expected
