"""Answer ranking: which of the few items at hand answers a question best, by all that speaks for each of them at once.

Called by recall's choice when the texts have been read. A multinomial logit (McFadden 1974) over the items of one
question: what words and vectors said (`core.search.memory_index`), how much of the question an item covers, and what
its text has of what is asked for (`core.search.answer_type`). Pure. Invariants: only what is known of an item counts;
a text that has more of what is asked for never ranks lower for it.

The weights are fitted by `benchmarks/recall/answer_ranking.py` to invented lives in English and Chinese, and rounded.
"""

from __future__ import annotations

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


WEIGHTS = Evidence(
    share=2.2,
    answers=2.2,
    covers=2.7,
    known=1.5,
    formless=-1.9,
    of_asker=0.5,
    of_another=-1.2,
    other_kind=-1.4,
    of_kind=1.4,
    is_reply=-2.6,
    asks=-1.9,
)


def evidence(
    share: float, answers: float, covers: float, fit: float, met: Meets, *, is_reply: bool, asks: bool
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
    )


def log_odds(item: Evidence) -> float:
    """By how much it is likelier to be the answer than an item of which nothing is known, as a logarithm."""
    return sum(weight * value for weight, value in zip(WEIGHTS, item, strict=True))
