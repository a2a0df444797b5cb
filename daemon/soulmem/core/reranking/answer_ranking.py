"""Answer ranking: which of the few items at hand answers a question best, by all that speaks for each of them at once.

Called by recall's choice when the texts have been read. A multinomial logit (McFadden 1974) over the items of one
question: what words and vectors said (`core.search.memory_index`), how much of the question an item covers, and what
its text has of what is asked for (`core.search.answer_type`). Pure. Invariants: only what is known of an item counts;
a text that has more of what is asked for never ranks lower for it.

The weights were fitted to what recall found for questions about invented lives in English and Chinese, messages
(`benchmarks/recall/answer_ranking.py`) and notes (the half `dev` of `benchmarks/content`), and rounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
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


def told_later(times: Sequence[int]) -> list[float]:
    """Of each item the share of the others that were told before it, given when each was told; 0 of one alone."""
    in_order = sorted(times)
    return [bisect_left(in_order, each) / max(1, len(times) - 1) for each in times]


def log_odds(item: Evidence) -> float:
    """By how much it is likelier to be the answer than an item of which nothing is known, as a logarithm."""
    return sum(weight * value for weight, value in zip(WEIGHTS, item, strict=True))
