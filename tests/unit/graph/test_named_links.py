"""A judge that names links, and no notes, is believed of these links and the ways to them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from soulmem.graph.learning.edge_learning import DOUBTFUL, JUDGED, judged
from soulmem.graph.learning.recall_trace import Trail, TrailLink

ENDS = st.integers(1, 6)
LINKS = st.builds(TrailLink, st.integers(1, 9), ENDS, ENDS, st.booleans(), st.just(0))


def trail(followed: list[TrailLink], found: list[TrailLink]) -> Trail:
    return Trail(np.ones((1, 4), dtype=np.float32), ("why",), tuple(followed), tuple(found))


def test_the_links_of_a_way_gain_up_to_the_one_that_was_named() -> None:
    way = [TrailLink(1, 1, 2, False, 0), TrailLink(2, 2, 3, True, 0), TrailLink(3, 3, 4, False, 0)]
    aside = TrailLink(9, 1, 7, False, 0)
    kept = trail([*way, aside], [])
    gained = {each.link: each.weight for each in judged(kept, (), named=kept.ways_over({(2, True)}))}
    assert gained == {1: JUDGED, 2: JUDGED, 3: -JUDGED, 9: -JUDGED}
    assert kept.ways_over({(2, False)}) == [], "the other direction has a vector of its own"


@given(st.lists(LINKS, max_size=8), st.lists(LINKS, max_size=4), st.sets(st.tuples(st.integers(1, 12), st.booleans())))
def test_whatever_is_named_nothing_is_invented(
    followed: list[TrailLink], found: list[TrailLink], named: set[tuple[int, bool]]
) -> None:
    kept = trail(followed, found)
    known = {(each.link, each.is_backward) for each in (*followed, *found)}
    ways = kept.ways_over(named)
    assert {(each.link, each.is_backward) for each in ways} <= known
    updates = judged(kept, (), named=ways)
    assert {(each.link, each.is_backward) for each in updates} <= known
    gained = {(each.link, each.is_backward) for each in updates if each.weight > 0}
    assert named & known <= gained
    assert {each.weight for each in updates} <= {JUDGED, -JUDGED, -DOUBTFUL}
