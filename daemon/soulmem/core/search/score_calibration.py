"""Calibration: from how an item fits a question to a score that means the same for every ranking, language and mind.

Called by `core.search.memory_index` for the fit of what it found and by recall for the scores it returns. The fit of an
item is the share of the question that it covers (`core.search.question_coverage`) plus how far its cosine rises above
what any text of the mind has to this question, and more where it stands far outside of all of them; a logistic curve
makes of the best fit the probability that the mind knows an answer at all, and each item has its share of that.
Invariants: pure; the order of a ranking stays; scores fall along it and lie within 0..1.

The constants are those of a logistic curve, fitted by `benchmarks/recall/knowing.py` to invented lives in English and
Chinese, told as chat and asked for what was told and for what never was, and rounded; checked on talk of months, asked
its own questions and those of others. What stands nowhere in a mind counts less than that fit has it: people ask in
other words than the tables know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from soulmem.core.search.answer_type import Meets
from soulmem.core.search.question_coverage import Covered

Floats = NDArray[np.float32]

# A text the embedder cannot read, or reads badly, is taken to rise at least by this share of what it covers.
BLIND_RISE = 0.35
UNSEEN_RISE = 0.5  # where the question itself cannot be read: words are all there is

# What speaks for an answer, each 0..1, in parts of a fit (`benchmarks/recall/knowing.py` fits them).
BASE = -0.03
BOTH = 1.15  # what is asked for and of whom, whichever is covered less
LIKE = 1.1  # how far it rises, or how much it covers where that cannot be told
FAR = 0.5  # for each spread of all cosines that its own lies farther above their mean than FAR_FROM
# The same where the answer model read the item (`core.vector_models.answer_model`): people ask in other words than they
# told, so that words and likeness alone say less of what answers, and the model tells some of the rest.
BASE_READ, BOTH_READ, LIKE_READ = 0.05, 0.6, 0.5
ANSWERS = 0.9  # how surely it answers by its vector, as far as it is of whom is asked
UNHEARD = -0.35  # something of the question stands nowhere in the mind
UNHEARD_SEEN = -0.175  # the same, where likeness may yet tell that it does, in words that no table knows
# And what its text says, where it was read (`core.search.answer_type`).
FORMLESS = -0.55  # no number, person or time, where one is asked for
NAMELESS = -0.9  # no name, where one is asked for
OF_ANOTHER = -0.55  # it is about somebody else than whoever asks
OTHER_KIND = -1.1  # it speaks of nothing of the kind that is asked for
OF_ASKER = 0.11
OF_KIND = 0.15  # it speaks of the kind that is asked for, of whom it is asked
EXACT = 0.4  # it says the age of just him who is asked about, or his name
CANNOT = 0.35  # it says of whom it is asked what he cannot, and that is asked
UNREAL_FIT = 0.2  # at most, of what says only what would be, or speaks of something else

FAR_FROM = 3.75  # few texts come so far by chance
FAR_MOST = 3.0

# The curve: even odds at MIDDLE, and how steep.
MIDDLE = 0.55
STEEPNESS = 6.0

LEAST_FIT = 0.0
LEAST_SHARE = 0.7  # of that probability, for what stands last: it belongs to what answers, though it may say less
BESIDE = 0.45  # by so much the score of an item may be above what its own evidence gives
BARE = 0.06  # the fit up to which it has none: the surer an answer was found, the less it is beside one
LOOKED_AT = 10  # of the best items; what stands farther below may cover a question by chance
NEUTRAL_FIT = MIDDLE  # of a question that says nothing that could be covered, like "and hers?"
LOOSER = 0.35  # of the floor of a mind, for what is no question: it reminds of things rather than asks for one


def rises(cosines: Floats, mean: float) -> Floats:
    """How far cosines stand above the mean of all texts, as a share of the way to 1; negative ones count nothing."""
    return np.asarray(np.clip((cosines - np.float32(mean)) / np.float32(max(1e-6, 1.0 - mean)), 0, 1), dtype=np.float32)


def far(cosines: Floats, mean: float, spread: float) -> Floats:
    """How many spreads farther above the mean of all texts cosines lie than FAR_FROM, FAR_MOST at most."""
    if spread <= 0:
        return np.zeros(len(cosines), dtype=np.float32)
    return np.asarray(np.clip((cosines - np.float32(mean)) / np.float32(spread) - FAR_FROM, 0, FAR_MOST), np.float32)


def fits(
    covered: Covered,
    rise: Floats | None,
    beyond: Floats | None = None,
    answers: Floats | None = None,
    *,
    asks: bool = True,
) -> Floats:
    """The fit of each item before its text is read.

    `covered`: how much of the question each covers; `rise`: of each item with a vector, 0 of one without; None: the
    question has no vector; `beyond`: how far each is from all other texts (`far`), 0 of one without a vector;
    `answers`: how surely each answers by its vector, NaN of one without; None: nothing read them; `asks`: whether it is
    a question. What is said to somebody reminds him of whatever shares a part of it.
    """
    own = np.float32(UNSEEN_RISE if rise is None else BLIND_RISE) * covered.content
    both = np.minimum(covered.content, covered.names) if asks else covered.share
    like = own if rise is None else np.maximum(rise, own)
    unheard = np.float32((UNHEARD if rise is None else UNHEARD_SEEN) * (asks and covered.unheard))
    total = unheard + np.float32(BASE) + np.float32(BOTH) * both + np.float32(LIKE) * like
    if answers is not None:
        read = np.float32(BASE_READ) + np.float32(BOTH_READ) * both + np.float32(LIKE_READ) * like
        total = np.where(
            np.isnan(answers), total, unheard + read + np.float32(ANSWERS) * covered.names * np.nan_to_num(answers)
        )
    if beyond is not None:
        total = total + np.float32(FAR) * beyond
    return np.asarray(np.maximum(total, LEAST_FIT), dtype=np.float32)


def read_fit(fit: float, met: Meets) -> float:
    """The fit of an item whose text was read."""
    formless = (NAMELESS if met.nameless else FORMLESS) if met.form < 0 else 0.0
    subject = OF_ASKER if met.subject > 0 else OF_ANOTHER if met.subject < 0 else 0.0
    kind = OTHER_KIND * met.other_kind + OF_KIND * met.of_kind + EXACT * met.exact + CANNOT * met.cannot
    told = max(LEAST_FIT, fit + formless + subject + kind)
    return min(told, UNREAL_FIT) if met.unreal or met.other_kind else told


def known(best_fit: float) -> float:
    """The probability that what fits so well answers."""
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (best_fit - MIDDLE)))


def certainty(fit: Sequence[float]) -> float:
    """The probability that what was found holds an answer, given the fits of a ranking, best first."""
    return known(max(fit[:LOOKED_AT], default=0.0))


def rank_share(score: float, best: float) -> float:
    """What an item had of the best rank score, given the calibrated scores of both; less of what hardly answers a
    question (`core.reranking.noise_floor`), which is not rehearsed.
    """
    return max(0.0, (score / best - LEAST_SHARE) / (1.0 - LEAST_SHARE)) if best > 0 else 1.0


def scores(ranked: Sequence[float], fit: Sequence[float]) -> list[float]:
    """The calibrated score of each item of a ranking, given its rank scores and fits, best first."""
    if not ranked:
        return []
    best, sure = max(ranked), certainty(fit)
    if best <= 0:
        return [round(sure, 6)] * len(ranked)
    return [round(sure * (LEAST_SHARE + (1.0 - LEAST_SHARE) * max(0.0, each) / best), 6) for each in ranked]


def is_bare(own: float | None) -> bool:
    """Whether an item has no evidence of its own; None: that is not asked of it."""
    return own is not None and own <= BARE


def capped(told: Sequence[float], fit: Sequence[float | None], noise: Sequence[bool] = ()) -> list[float]:
    """The calibrated scores, none far above what its own evidence gives; they keep falling.

    Args:
        fit: of each item; None of one that has no evidence of its own, but came with another.
        noise: which of them nothing speaks for; none, if not given.
    """
    unsure = 1.0 - max(told, default=0.0)
    most = [1.0 if own is None else known(own) + BESIDE for own in fit]  # noise drags down nothing that links brought
    found: list[float] = []
    for place, (score, own) in enumerate(zip(told, fit, strict=True)):
        before = found[-1] if found else 1.0
        is_noise = bool(noise) and noise[place]
        kept = min(score, before, most[place] - BESIDE * (1.0 - unsure) * is_noise)
        if own is None and place + 1 < len(told):  # between what stands beside it
            kept = min(kept, (before + min(told[place + 1], most[place + 1])) / 2) if found else kept
        found.append(round(kept, 6))
    return found
