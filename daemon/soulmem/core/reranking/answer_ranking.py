"""Answer ranking: which of the few items at hand answers a question best, by all that speaks for each of them at once.

Called by recall's choice when the texts have been read. A multinomial logit (McFadden 1974) over the items of one
question: what words and vectors said (`core.search.memory_index`), how much of the question an item covers, and what
its text has of what is asked for (`core.search.answer_type`). Pure. Invariants: only what is known of an item counts;
a text that has more of what is asked for never ranks lower for it.

The weights were fitted to what recall found for questions about invented lives in English and Chinese, messages
(`benchmarks/recall/answer_ranking.py`) and notes (the half `dev` of `benchmarks/content`), and rounded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from soulmem.core.search.answer_type import Meets
from soulmem.core.search.score_calibration import known


class Evidence(NamedTuple):
    """What speaks for and against an item as the answer to one question, each 0..1."""

    share: float  # its rank score as a share of the best one's
    answers: float  # how surely it answers by its vector; 0 where nothing read it
    covers: float  # how much it says of what is asked
    known: float  # how probably the mind knows an answer, if this is it
    formless: float  # it has no name, number, person or time, where one is asked for
    of_asker: float
    of_another: float
    other_kind: float
    of_kind: float
    is_reply: float  # what the companion says of somebody's life it has from him
    asks: float  # it ends in a question
    later: float  # the share of the others that were told before it: what was told last tells how things stand


WEIGHTS = Evidence(
    share=3.8,
    answers=1.8,
    covers=1.6,
    known=1.6,
    formless=-1.4,
    of_asker=0.6,
    of_another=-0.7,
    other_kind=-0.7,
    of_kind=0.8,
    is_reply=-3.2,
    asks=-1.5,
    later=1.25,
)

# Read from the pairs that the lives of the half `dev` bring up, and rounded.
_FAR = 1.1
_SURER = 0.3
_SAYS = 0.7  # of what is asked
_FRONT, _MOST_KEPT = 5, 2  # of the first items, those that links brought and that stay there
_SITTING_MS = 3_600_000
_LONGEST_CHAIN = 3  # of what ended by what ended


def evidence(
    share: float, answers: float, covers: float, fit: float, met: Meets, *, is_reply: bool, asks: bool, later: float
) -> Evidence:
    """The evidence of an item; `fit`: how well it answers (`core.search.score_calibration.read_fit`)."""
    return Evidence(
        share,
        answers,
        covers,
        known(fit),
        float(met.form < 0),
        float(met.subject > 0),
        float(met.subject < 0),
        float(met.other_kind),
        float(met.of_kind),
        float(is_reply),
        float(asks),
        later,
    )


def says_far_more(earlier: Evidence, later: Evidence, sure: float) -> bool:
    """Whether of two answers the earlier one says far more of what is asked: then the later one did not take its place.

    `sure`: how likely it seemed that it did (`core.reranking.competing_answers.Later`).
    """
    if earlier.covers >= _SAYS and later.covers <= 0:
        return True  # nothing of what is asked stands in it, in any words
    if later.covers >= _SAYS and earlier.covers <= 0:
        return False
    own = (log_odds(each._replace(share=0.0, later=0.0)) for each in (earlier, later))
    return next(own) - next(own) > _FAR + _SURER * sure


def told_later(times: Sequence[int]) -> list[float]:
    """Of each item the share of the others that were told before it, given when each was told in ms; 0 of one alone.

    What was told in one sitting was told at once: of the pages that somebody hands over one after the other, the last
    holds no more than the first.
    """
    in_order = sorted(times)
    return [bisect_right(in_order, each - _SITTING_MS) / max(1, len(times) - 1) for each in times]


def log_odds(item: Evidence) -> float:
    """By how much it is likelier to be the answer than an item of which nothing is known, as a logarithm."""
    return sum(weight * value for weight, value in zip(WEIGHTS, item, strict=True))


def of_statements(items: Sequence[Evidence], shares: Sequence[float]) -> list[float]:
    """`log_odds` of each item, given how much of its text one statement is.

    The weights are those of what somebody tells of a life. What stands in a page says as little of it as one statement
    is of the page; for the rest it is taken to be as the others are on the average.
    """
    told = [log_odds(item._replace(share=0.0, is_reply=0.0, asks=0.0, later=0.0)) for item in items]
    mean = sum(told) / max(1, len(told))
    return [
        log_odds(item) + (1.0 - share) * (mean - text) for item, text, share in zip(items, told, shares, strict=True)
    ]


def raised(odds: Mapping[int, float], pairs: Sequence[tuple[int, int]]) -> Mapping[int, float]:
    """How likely each item is; of the `pairs` of places (behind, ahead) the one ahead is at least as likely."""
    likely = dict(odds)
    for _ in range(_LONGEST_CHAIN):
        for behind, ahead in pairs:
            if behind in likely and ahead in likely:
                likely[ahead] = max(likely[ahead], likely[behind])
    return likely


def lowered(odds: Mapping[int, float], pairs: Sequence[tuple[int, int]]) -> Mapping[int, float]:
    """The same where the one ahead only tells that the other is gone: that one is at most as likely."""
    likely = dict(odds)
    for behind, ahead in pairs:
        if behind in likely and ahead in likely:
            likely[behind] = min(likely[behind], likely[ahead])
    return likely


def in_pairs(order: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """An order of places, in which of the `pairs` (behind, ahead) the one ahead stands first."""
    turns = list(order)
    for behind, ahead in pairs:
        if turns.index(ahead) > turns.index(behind):
            turns.remove(ahead)
            turns.insert(turns.index(behind), ahead)
    return turns


def kept_in_front(order: Sequence[int], linked: Collection[int], pairs: Sequence[tuple[int, int]] = ()) -> list[int]:
    """An order of places, in which of the `pairs` (behind, ahead) the one ahead stands first, and those of the first
    that links had brought there stay among the first.

    What belongs to an answer says little of it itself. What comes first stays first; what stands behind another of
    these gives way, but not to what is told later instead of it.
    """
    turns, outdated = in_pairs(order, pairs), {behind for behind, _ in pairs}
    lost = (place for place in turns[_FRONT:] if place < _FRONT and place in linked and place not in outdated)
    front, fallen = turns[:_FRONT], list(islice(lost, _MOST_KEPT))
    for place in reversed(turns[1:_FRONT]):
        if len(front) <= _FRONT - len(fallen):
            break
        is_ahead = any(ahead == place and behind in front for behind, ahead in pairs)
        if not is_ahead and (place >= _FRONT or place not in linked or place in outdated):
            front.remove(place)
    front += fallen[: _FRONT - len(front)]
    return [*front, *(place for place in turns if place not in front)]
