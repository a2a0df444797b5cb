"""Change probability: how likely a later statement leaves an earlier one outdated, where no rule tells.

Called by the step that reconciles, where `change_detection` finds nothing. The features of `change_features` are
weighed by a table that `benchmarks/changes/changes.py` fits on pairs of talk. From `LIKELY` on a model is asked about
the two; alone a score ends nothing, for of what it takes for a change in a life of months half is none. Pure.
Invariants: what is told of one person changes nothing of another; what is asked, supposed, quoted, told beside or of
today alone changes nothing; at most `_MOST_WINDOWS` parts of a text are weighed.
"""

# Word lists stand on long lines, as tables.

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause, Statement
from soulmem.core.changes.change_features import NAMES, OF_ANOTHER, QUOTED, features
from soulmem.core.changes.change_owners import OTHER, SELF, is_one, may_be_one
from soulmem.core.changes.change_tone import BIAS, LIKELY, WEIGHTS
from soulmem.core.changes.life_changes import is_of_others
from soulmem.core.facts.topic_terms import weight
from soulmem.core.regex.lazy_regex import KeptPattern
from soulmem.fast_dataclasses import dataclass

_WINDOW, _STEP, _MOST_WINDOWS = 4, 2, 6  # clauses that are weighed together, and how many times


@dataclass(frozen=True, slots=True)
class Pair:
    """A part of a later statement and one of an earlier one that may be of one matter."""

    new: tuple[Clause, ...]
    old: tuple[Clause, ...]
    features: tuple[float, ...]


def pairs(later: Statement, earlier: Statement, at_ms: tuple[int, int] = (0, 0)) -> Iterator[Pair]:
    """The parts of two statements of which one may replace the other, with their features."""
    for new in _windows([each for each in later.clauses if not (each.asks or each.unreal)]):
        if any(_is_beside(each) for each in new):
            continue
        of_another = any(OF_ANOTHER.search(each.said) for each in new)
        for old in _windows([each for each in earlier.clauses if not each.asks]):
            if of_another and not any(OF_ANOTHER.search(each.said) for each in old):
                continue
            stays = all(is_of_others(each, other) for each in new[:1] for other in old)
            stays = stays or all(map(_has_happened, old)) or _is_told_again(new, old) or _stays_liked(new, old)
            if not stays and _may_be_of_one(new, old) and not _merely_differs(new, old):
                yield Pair(new, old, features(new, old, at_ms))


def score(found: Pair) -> float:
    """How likely the one replaces the other, in logits: 0 is as likely as not."""
    return BIAS + sum(weighs * value for weighs, value in zip(_WEIGHTS, found.features, strict=True))


def likelihood(later: Statement, earlier: Statement, at_ms: tuple[int, int] = (0, 0)) -> float:
    """The highest score of any part of two statements; minus infinity where none may be of one matter."""
    return max((score(each) for each in pairs(later, earlier, at_ms)), default=-math.inf)


def is_likely(later: Statement, earlier: Statement, at_ms: tuple[int, int] = (0, 0)) -> bool:
    """Whether the later one may leave the earlier one outdated, so that a model had better be asked."""
    return likelihood(later, earlier, at_ms) >= LIKELY


_WEIGHTS = tuple(WEIGHTS[name] for name in NAMES)
_DONE = KeptPattern(r"把[^，。！？]{1,12}了")  # what was done to something once


def _windows(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, ...]]:
    """Parts of a statement that are read as one: all of a short one, else every few clauses of it."""
    last = max(1, len(clauses) - _WINDOW + _STEP) if clauses else 0
    for count, start in enumerate(range(0, last, _STEP)):
        if count < _MOST_WINDOWS:
            yield tuple(clauses[start : start + _WINDOW])


def _is_beside(clause: Clause) -> bool:
    """Whether a clause is quoted, told beside what there is, of today alone, or of long ago."""
    told = (QUOTED, words.BESIDE, words.LONG_AGO)
    return any(each.search(clause.said) for each in told) or _is_of_today(clause)


def _is_of_today(clause: Clause) -> bool:
    return words.TODAY.search(clause.said) is not None and words.STRONG.search(clause.said) is None


def _has_happened(clause: Clause) -> bool:
    return clause.past or _DONE.search(clause.said) is not None


def _is_told_again(new: Sequence[Clause], old: Sequence[Clause]) -> bool:
    return not {each.said.casefold().strip(" .") for each in new}.isdisjoint(
        each.said.casefold().strip(" .") for each in old
    )


def _stays_liked(new: Sequence[Clause], old: Sequence[Clause]) -> bool:
    """Whether the earlier one tells what somebody likes, and the later one nothing of liking."""
    tastes = any(words.TASTE.search(each.said) for each in old)
    return tastes and not any(words.TASTE.search(each.said) or words.TASTE_OVER.search(each.said) for each in new)


def _merely_differs(new: Sequence[Clause], old: Sequence[Clause]) -> bool:
    """Whether one only says something else than the other, in other names or values: Rome in May, Madrid in June."""
    names = frozenset[str]().union(*(each.proper for each in new))
    known = frozenset[str]().union(*(each.proper for each in old))
    if names and known and names.isdisjoint(known) and not any(words.MOVED.search(each.said) for each in new):
        return any(each.values for each in new) and any(each.values for each in old)
    says_so = any(
        words.VALUE.search(each.said) or words.NEWS.search(each.said) or each.over or words.WRONG.search(each.said)
        for each in new
    )
    return not says_so and any(each.values for each in new) and any(each.values for each in old)


def _may_be_of_one(new: Sequence[Clause], old: Sequence[Clause]) -> bool:
    """Whether nothing says that two parts are of two people."""
    plainest = max(new, key=lambda each: max(weight(each.terms & other.terms) for other in old))
    owner = plainest.owner
    whose = frozenset[str]().union(*(each.whose | each.people for each in old))
    others = frozenset[str]().union(*(each.people for each in old)) - {SELF}
    if not owner or not whose:
        return True
    if OTHER in owner:
        return bool(others) or SELF not in whose
    if owner == {SELF}:
        return SELF in whose or any(each.people & others for each in new)
    return may_be_one(owner, whose) or is_one(owner, others)
