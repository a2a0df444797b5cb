"""The noise floor: what it leaves out of a ranking, and what it never does."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.reranking.noise_floor import likely, without_noise
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

SHARES = st.floats(0.0, 1.0)


def hit(key: int, lexical: float = 0.0, dense: float = 0.0, **told: Any) -> Hit:
    return Hit(ItemKind.NOTE, key, 0.5, {"lexical": lexical, "dense": dense}, **told)


HITS = st.lists(
    st.builds(
        lambda lexical, dense, fit, covers, beside, tier, kind: Hit(
            kind, 0, 0.5, {"lexical": lexical, "dense": dense}, tier, fit, covers, beside
        ),
        SHARES, st.floats(-1.0, 1.0), st.floats(0.0, 3.0), SHARES, st.booleans(),
        st.sampled_from(["vector", "expansion", "ppr", "current"]), st.sampled_from(list(ItemKind)),
    ),
    max_size=12,
)  # fmt: skip


def test_two_that_answer_come_back_without_the_eight_that_do_not() -> None:
    answers = [hit(1, 1.0, 1.0, fit=1.4, covers=1.0), hit(2, 0.8, 0.9, fit=1.2, covers=0.9)]
    noise = [hit(key, 0.1, 0.0, fit=0.1, covers=0.1) for key in range(3, 11)]
    assert [each.key for each in without_noise([*answers, *noise], 0.1)] == [1, 2]
    assert without_noise([*answers, *noise], 0.0) == [*answers, *noise]


def test_where_all_answer_about_as_well_all_come_back() -> None:
    alike = [hit(key, 0.7, 0.7, fit=0.8, covers=0.8) for key in range(10)]
    assert without_noise(alike, 0.05) == alike


def test_what_links_brought_and_what_belongs_to_the_first_is_no_noise() -> None:
    first = hit(1, 1.0, 1.0, fit=1.4, covers=1.0)
    linked = Hit(ItemKind.NOTE, 2, 0.4, {"association": 0.9}, "ppr")
    beside = hit(3, is_beside=True)
    rolled = Hit(ItemKind.SUMMARY, 4, 0.1)
    assert without_noise([first, linked, beside, rolled, hit(5)], 0.2) == [first, linked, beside, rolled]


@given(HITS, SHARES, SHARES)
def test_the_first_stays_and_a_higher_bar_leaves_out_more(hits: list[Hit], one: float, other: float) -> None:
    hits = [each._replace(key=place) for place, each in enumerate(hits)]
    low, high = (without_noise(hits, bar) for bar in sorted((one, other)))
    assert low[:1] == high[:1] == hits[:1]
    assert [each for each in low if each in high] == high, "in the order in which they came"
    assert [each for each in hits if each in low] == low


@given(HITS)
def test_a_likelihood_is_one(hits: list[Hit]) -> None:
    told = likely(hits)
    assert len(told) == len(hits)
    assert all(0.0 < each < 1.0 for each in told)
