"""The order of what answers: each evidence counts in its own direction; what was told last is told from the rest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.reranking.answer_ranking import WEIGHTS, Evidence, evidence, log_odds, told_later
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


@given(st.lists(st.integers(0, 10**13), max_size=12))
def test_what_was_told_later_has_the_larger_share(times: list[int]) -> None:
    shares = told_later(times)
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert sorted(zip(times, shares, strict=True)) == sorted(zip(sorted(times), sorted(shares), strict=True))
    for one, its in zip(times, shares, strict=True):
        assert all(its > share for time, share in zip(times, shares, strict=True) if time < one)
