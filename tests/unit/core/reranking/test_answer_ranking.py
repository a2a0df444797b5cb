"""The order of what answers: each evidence counts in its own direction; what was told last is told from the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.calendar.calendar_math import HOUR_MS
from soulmem.core.reranking.answer_ranking import (
    WEIGHTS,
    Evidence,
    evidence,
    in_pairs,
    kept_in_front,
    log_odds,
    lowered,
    of_statements,
    raised,
    says_far_more,
    told_later,
)
from soulmem.core.search.answer_type import Meets

SHARES = st.floats(0, 1)
AGAINST = {"formless", "of_another", "other_kind", "is_reply", "asks"}
PLAIN = Meets(0, 0)


@given(st.tuples(*(SHARES for _ in WEIGHTS)), st.sampled_from(Evidence._fields), SHARES)
def test_more_evidence_never_ranks_lower_and_less_never_higher(
    values: tuple[float, ...], name: str, other: float
) -> None:
    item = Evidence(*values)
    low, high = sorted((getattr(item, name), other))
    less, more = (log_odds(item._replace(**{name: value})) for value in (low, high))
    assert less >= more if name in AGAINST else less <= more


def test_each_thing_that_a_text_has_moves_it() -> None:
    def odds(met: Meets = PLAIN, *, is_reply: bool = False, asks: bool = False, later: float = 0.0) -> float:
        return log_odds(evidence(0.5, 0.5, 0.5, 0.5, met, is_reply=is_reply, asks=asks, later=later))

    plain = odds()
    assert odds(Meets(0, 1)) > plain > odds(Meets(0, -1))
    assert odds(Meets(1, 0)) == plain > odds(Meets(-1, 0)), "the form that is asked for"
    assert odds(Meets(0, 0, of_kind=True)) > plain > odds(Meets(0, 0, other_kind=True))
    assert plain > odds(is_reply=True)
    assert plain > odds(asks=True)
    assert odds(later=1.0) > plain


@given(st.lists(st.integers(0, 10**13) | st.integers(0, 3 * HOUR_MS), max_size=12))
def test_what_was_told_an_hour_later_has_the_larger_share(times: list[int]) -> None:
    shares = told_later(times)
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert sorted(zip(times, shares, strict=True)) == sorted(zip(sorted(times), sorted(shares), strict=True))
    for one, its in zip(times, shares, strict=True):
        assert its == sum(time + HOUR_MS <= one for time in times) / max(1, len(times) - 1)


def test_of_what_was_told_in_one_sitting_the_last_says_no_more() -> None:
    assert told_later([0, 1_000, 59 * 60_000]) == [0.0, 0.0, 0.0]
    assert told_later([0, 1_000, 61 * 60_000]) == [0.0, 0.0, 1.0]


@given(st.tuples(*(SHARES for _ in WEIGHTS)), st.tuples(*(SHARES for _ in WEIGHTS)), st.floats(0, 5))
def test_of_two_answers_at_most_one_says_far_more_and_less_so_the_surer_the_later_one_is(
    one: tuple[float, ...], other: tuple[float, ...], sure: float
) -> None:
    earlier, later = Evidence(*one), Evidence(*other)
    assert not says_far_more(earlier, earlier, sure)
    assert not (says_far_more(earlier, later, sure) and says_far_more(later, earlier, sure))
    assert says_far_more(earlier, later, 0.0) or not says_far_more(earlier, later, sure)
    aside = earlier._replace(share=1.0 - earlier.share, later=1.0 - earlier.later)
    assert says_far_more(aside, later, sure) == says_far_more(earlier, later, sure), (
        "its rank and its time do not count"
    )


@given(st.permutations(range(12)), st.sets(st.integers(0, 11)))
def test_what_links_brought_among_the_first_stays_there_and_the_best_stays_first(
    order: list[int], linked: set[int]
) -> None:
    kept = kept_in_front(order, linked)
    assert sorted(kept) == sorted(order)
    assert kept[0] == order[0]
    were = [place for place in order if place < 5 and place in linked]
    assert len(set(were) & set(kept[:5])) >= min(2, len(were))
    rest = [place for place in order if place not in were]
    assert [place for place in kept if place in rest] == rest, "the others keep their turn"
    assert kept_in_front(order, ()) == order


ODDS = st.dictionaries(st.integers(0, 11), st.floats(-9, 9), min_size=1)
PAIRS = st.dictionaries(st.integers(0, 5), st.integers(6, 11), max_size=4)


@given(st.permutations(range(12)), st.sets(st.integers(0, 11)), PAIRS)
def test_what_links_brought_stays_and_what_came_instead_stands_before(
    order: list[int], linked: set[int], instead: dict[int, int]
) -> None:
    pairs = list(instead.items())
    kept, in_turn = kept_in_front(order, linked, pairs), in_pairs(order, pairs)
    assert sorted(kept) == sorted(order)
    assert kept[0] == in_turn[0]
    assert all(kept.index(new) < kept.index(old) for old, new in pairs)


def test_what_holds_no_more_gives_way_to_what_belongs_to_the_answer() -> None:
    """Of the first five, 3 holds no more since 7 was told, 2 since 1; 4 belongs to what is asked about."""
    order = [0, 1, 7, 2, 3, 4, 5, 6, 8]
    assert kept_in_front(order, {4}, [(3, 7), (2, 1)])[:5] == [0, 1, 7, 2, 4]
    assert kept_in_front(order, {0, 1, 2, 3, 4}, [(3, 7), (2, 1)])[:5] == [0, 1, 7, 2, 4]


@given(ODDS, PAIRS)
def test_what_came_instead_is_as_likely_as_what_it_took_the_place_of(
    odds: dict[int, float], instead: dict[int, int]
) -> None:
    likely = raised(odds, list(instead.items()))
    assert likely.keys() == odds.keys()
    assert all(likely[place] >= odds[place] for place in odds)
    assert all(likely[new] >= likely[old] for old, new in instead.items() if {old, new} <= odds.keys())
    assert all(likely[place] == odds[place] for place in odds if place not in instead.values())


@given(ODDS, PAIRS)
def test_what_is_gone_is_no_likelier_than_what_tells_of_it(odds: dict[int, float], instead: dict[int, int]) -> None:
    likely = lowered(odds, list(instead.items()))
    assert likely.keys() == odds.keys()
    assert all(likely[place] <= odds[place] for place in odds)
    assert all(likely[old] <= likely[new] for old, new in instead.items() if {old, new} <= odds.keys())
    assert all(likely[place] == odds[place] for place in odds if place not in instead)


@given(st.permutations(range(12)), PAIRS)
def test_what_came_instead_stands_before_and_all_others_keep_their_turn(
    order: list[int], instead: dict[int, int]
) -> None:
    ordered = in_pairs(order, list(instead.items()))
    assert sorted(ordered) == sorted(order)
    assert all(ordered.index(new) < ordered.index(old) for old, new in instead.items())
    others = [place for place in order if place not in instead.values()]
    assert [place for place in ordered if place in others] == others


def _by_text(item: Evidence) -> Evidence:
    return item._replace(share=0.0, is_reply=0.0, asks=0.0, later=0.0)


ITEMS = st.lists(st.tuples(st.tuples(*(SHARES for _ in WEIGHTS)), SHARES), min_size=1, max_size=10)


@given(ITEMS)
def test_what_stands_in_a_page_counts_as_little_as_one_statement_is_of_it(
    told: list[tuple[tuple[float, ...], float]],
) -> None:
    items, shares = [Evidence(*each) for each, _ in told], [share for _, share in told]
    mean = sum(map(log_odds, map(_by_text, items))) / len(items)
    for item, share, odds in zip(items, shares, of_statements(items, shares), strict=True):
        text = log_odds(_by_text(item))
        assert odds == pytest.approx(log_odds(item) - text + share * text + (1 - share) * mean)
    plain = [log_odds(item) for item in items]
    found = of_statements(items, [1.0] * len(items))
    assert all(abs(own - other) < 1e-9 for own, other in zip(found, plain, strict=True)), "statements as they are"
    pages = of_statements(list(map(_by_text, items)), [0.0] * len(items))
    assert max(pages) - min(pages) < 1e-9, "of pages alone nothing but their rank is known"


def test_a_page_that_a_companion_said_or_that_asks_is_no_better_an_answer_for_its_length() -> None:
    plain = Evidence(*(0.0 for _ in WEIGHTS))
    for fault in ("is_reply", "asks"):
        item = plain._replace(**{fault: 1.0})
        assert of_statements([plain, item], [1.0, 0.1])[1] == log_odds(item)
