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
    everything = without_noise([*answers, *noise], 0.0)
    assert [each.key for each in everything] == list(range(1, 11))
    assert everything[1].score == 0.5
    assert everything[2].score < 0.2, "what hardly answers does not score as what does"


def test_where_all_answer_about_as_well_all_come_back() -> None:
    alike = [hit(key, 0.7, 0.7, fit=0.8, covers=0.8) for key in range(10)]
    assert [each.key for each in without_noise(alike, 0.05)] == list(range(10))


def test_what_links_brought_and_what_belongs_to_the_first_stands_behind_what_answers() -> None:
    first, second = (hit(key, 1.0, 1.0, fit=1.4, covers=1.0)._replace(score=0.9) for key in (1, 6))
    linked = Hit(ItemKind.NOTE, 2, 0.88, {"association": 0.9}, "ppr")
    beside = hit(3, is_beside=True)
    rolled = Hit(ItemKind.SUMMARY, 4, 0.1)
    found = without_noise([first, linked, beside, rolled, second, hit(5)], 0.2)
    assert [each.key for each in found] == [1, 2, 3, 4, 6], "where it stood"
    found = without_noise([first, hit(7), hit(8), linked, hit(9), second], 0.2)
    assert [each.key for each in found] == [1, 6, 2], "or behind what answers"
    assert 0.6 < found[1].score <= found[0].score == 0.9
    assert found[2].score < 0.4


@given(HITS, SHARES, SHARES)
def test_the_first_stays_and_a_higher_bar_leaves_out_more(hits: list[Hit], one: float, other: float) -> None:
    hits = [each._replace(key=place) for place, each in enumerate(hits)]
    low, high = (without_noise(hits, bar) for bar in sorted((one, other)))
    assert low[:1] == high[:1] == hits[:1]
    assert {each.key for each in high} <= {each.key for each in low}
    for each in (low, high):
        scores = [hit.score for hit in each]
        assert scores == sorted(scores, reverse=True)
        keys = [
            hit.key for hit in each if hit.tier == "vector" and not hit.is_beside and hit.kind is not ItemKind.SUMMARY
        ]
        assert keys == sorted(keys), "in the order in which they came"


@given(HITS)
def test_a_likelihood_is_one(hits: list[Hit]) -> None:
    told = likely(hits)
    assert len(told) == len(hits)
    assert all(0.0 < each < 1.0 for each in told)
