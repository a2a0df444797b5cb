"""Change probability: how likely a later statement leaves an earlier one outdated, where no rule tells.

Called where `change_detection` finds nothing: by the step that reconciles, and at recall for what is still in the
window. The features of `change_features` are weighed by a table that `benchmarks/changes.py` fits on pairs of talk.
From `SURE` on the earlier statement counts as ended; from `LIKELY` on a model is asked about the two. Pure. Invariants:
what is told of one person changes nothing of another; what is asked, supposed, quoted, told beside or of today alone
changes nothing; at most `_MOST_WINDOWS` parts of a text are weighed.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause, Statement
from soulmem.core.changes.change_features import NAMES, OF_ANOTHER, QUOTED, features
from soulmem.core.changes.change_owners import OTHER, SELF, is_one, may_be_one
from soulmem.core.changes.change_weights import BIAS, LIKELY, SURE, WEIGHTS
from soulmem.core.changes.life_changes import is_of_others
from soulmem.core.changes.supersession import Effect, Finding
from soulmem.core.facts.relations import Mode, Reading
from soulmem.core.facts.topic_terms import weight
from soulmem.core.regex.lazy_regex import KeptPattern
from soulmem.fast_dataclasses import dataclass

JUDGED = "judged"  # the relation of a finding of this module
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


def is_sure(found: Pair) -> bool:
    """Whether a pair scores enough, and is plainly of one matter and sounds like a change where nothing else says so.

    What of long talk shares a word or two with what was told long ago is no news of it. Of what was told shortly and
    plainly as how things stand ("we run a people carrier") less is enough: hardly any talk of months is told so.
    """
    if score(found) >= PLAIN and _is_standing(found.old):
        return True
    says_so = any(found.features[place] for place in _SAYS_SO)
    is_plain = found.features[_SHARED_MUCH] >= _LEAST_SHARED and found.features[_TONE] >= _LEAST_TONE
    is_long = found.features[_LONG] >= _MOST_LONG
    return score(found) >= SURE and (says_so or is_plain) and (not is_long or says_so)


def likelihood(later: Statement, earlier: Statement, at_ms: tuple[int, int] = (0, 0)) -> float:
    """The highest score of any part of two statements; minus infinity where none may be of one matter."""
    return max((score(each) for each in pairs(later, earlier, at_ms)), default=-math.inf)


def judged(later: Statement, earlier: Statement, at_ms: tuple[int, int] = (0, 0)) -> tuple[Finding, ...]:
    """What of an earlier statement surely holds no more, because of a later one: a finding for each clause."""
    best = max(pairs(later, earlier, at_ms), key=score, default=None)
    if best is None or not is_sure(best):
        return ()
    effect = Effect.INVALIDATE if best.features[_ENDED_SHARED] else Effect.SUPERSEDE
    mode = Mode.ENDED if effect is Effect.INVALIDATE else Mode.CHANGED
    said = " ".join(each.said for each in best.new)
    return tuple(
        Finding(
            effect,
            Reading(_subject(old), JUDGED, "", mode, said),
            Reading(_subject(old), JUDGED, "", Mode.HOLDS, old.said),
        )
        for old in _meant(best)
    )


def is_likely(later: Statement, earlier: Statement, at_ms: tuple[int, int] = (0, 0)) -> bool:
    """Whether the later one may leave the earlier one outdated, so that a model had better be asked."""
    return likelihood(later, earlier, at_ms) >= LIKELY


_WEIGHTS = tuple(WEIGHTS[name] for name in NAMES)
_ENDED_SHARED = NAMES.index("ended_shared")
_SAYS_SO = [NAMES.index(name) for name in ("value_differs", "ended_shared", "opposed")]
_TONE, _SHARED_MUCH, _LONG = (NAMES.index(name) for name in ("tone", "shared_much", "long"))
_LEAST_SHARED = 0.3  # of the words of the shorter one
_MOST_LONG = 0.5  # four words and more that the earlier one does not have
_LEAST_TONE = 0.4
PLAIN = 2.9  # the score from which a statement of how things stand counts as ended
_MOST_STANDING, _HAN_WORD = 13, 1.7  # words of such a statement, and characters of a Chinese one
_STANDS = KeptPattern(
    r"^(?:(?:and|so|but|well|currently|now) )?(?:(?:my|our|the|his|her) [\w'’ -]{2,30}?(?:['’]s| is| are| has| goes| costs?| takes?| lives?| plays?)\b"
    r"|(?:i|we)(?:['’](?:m|ve|re))? (?:(?:always|usually|still|never|only|just) )?(?:am|an?|in|on|at|have|live|work|drive|use|take|play|go|run|eat|drink|wear|rent|own|keep|get|do|don['’]t|want to be|share|weigh|earn|pay|owe|sing|teach|see|study|learn)\b"
    r"|(?-i:[A-Z])\w+(?: and i)?(?:['’]s)? (?:is|has|lives|works|goes|plays|takes|costs)\b|\w+ (?:is|are|costs?) )"
    r"|^(?:[我俺咱]|[\u4e00-\u9fff]{1,6}[是在叫住有要用])",
    re.IGNORECASE,
)
_FEELING = KeptPattern(
    r"\b(?:great|amazing|awesome|love|glad|feels?|feeling|hope|happy|excited|proud|wow|thanks?|nice|good|fun|important|helps?|inspir\w*|difference)\b"
    r"|觉得|感觉|希望|谢|开心|高兴|真好|太好|挺好|不错|加油|明白",
    re.IGNORECASE,
)
_DONE = KeptPattern(r"把[^，。！？]{1,12}了")  # what was done to something once


def _windows(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, ...]]:
    """Parts of a statement that are read as one: all of a short one, else every few clauses of it."""
    last = max(1, len(clauses) - _WINDOW + _STEP) if clauses else 0
    for count, start in enumerate(range(0, last, _STEP)):
        if count < _MOST_WINDOWS:
            yield tuple(clauses[start : start + _WINDOW])


def _is_standing(clauses: Sequence[Clause]) -> bool:
    """Whether something is told shortly and plainly as how things stand, and not how somebody feels about them."""
    said = ", ".join(each.said for each in clauses)
    length = len(said.split()) if said.isascii() else len(said) / _HAN_WORD
    short = len(clauses) <= 2 and length <= _MOST_STANDING
    return short and _STANDS.match(said) is not None and _FEELING.search(said) is None


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


def _meant(found: Pair) -> list[Clause]:
    """The clauses of the earlier part that the later one is about; all of it where its words do not tell."""
    terms = frozenset[str]().union(*(each.every for each in found.new))
    values = [value for each in found.new for value in each.values]
    kept = [
        (
            weight(each.every & terms)
            + any(value.is_of(known) and not value.same(known) for value in values for known in each.values),
            each,
        )
        for each in found.old
    ]
    most = max(share for share, _ in kept)
    return [each for share, each in kept if share >= 0.7 * most]


def _subject(clause: Clause) -> str:
    return min(clause.owner or frozenset({SELF}))
