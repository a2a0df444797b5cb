"""Coverage: how much of what a question asks for an item says, 0..1, on a scale that is the same for every mind.

Called by `core.search.memory_index` for the few items that a ranking brought up. A unit of the question
(`core.questions.question_concepts`) that stands in the item counts with its rarity, which is scaled so that a word that
stands nowhere weighs 1 in a small mind as in a large one; what stands in a neighbouring turn counts as it does for the
ranking. Invariants: pure; more of a question never covers less; what an item does not hold it covers nothing of.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from soulmem.core.questions.question_concepts import ASKED, TELLING, Units
from soulmem.core.search.index_columns import Rows
from soulmem.core.search.postings import Postings
from soulmem.core.search.relevance_scoring import NEIGHBOUR_WEIGHTS
from soulmem.fast_dataclasses import dataclass

Floats = NDArray[np.float32]

HEARD = 0.5  # how well something in the mind must say a part of a question, for that to stand there at all
TWO = 2  # things are compared, nearly always
EITHER = 0.5  # of what is asked: what of two that are compared tells of one, whatever it tells
RARE_NAME = 0.4  # the rarity from which on an answer must say a name; of one that is heard everywhere it need not


def rarity(row_count: int, found: NDArray[np.int64]) -> Floats:
    """What a term says that stands in so many of the rows: 1 where it stands in none, near 0 where it is everywhere."""
    idf = np.log1p((row_count - found + 0.5) / (found + 0.5))
    return np.asarray(idf / np.log1p((row_count + 0.5) / 0.5), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Covered:
    """What each of some rows covers of a question, 0..1 each.

    `share`: of all of it, by what its parts say in this mind; `content`: the same without the names of whom it is asked
    (all of it, where it is nothing but names); `names`: how well the names are covered, the rarer the more it counts, 1
    where there is none; `either`: the same where one of two is enough, 0 where no name is said. `unheard`: whether a
    part that says something stands nowhere in the mind, in any words.
    """

    share: Floats
    content: Floats
    names: Floats
    unheard: bool
    either: Floats

    def of_either(self) -> Covered:
        """The same of a comparison, where it names whom it compares: what tells of either leads to the answer."""
        if not self.either.any():
            return self
        told = np.maximum(self.content, np.float32(EITHER) * self.either)
        return Covered(self.share, np.asarray(told, dtype=np.float32), self.either, unheard=False, either=self.either)

    def with_part(self, part: Floats, weight: float) -> Covered:
        """The same of a question with one part more, of weight 1 beside `weight` of the others."""
        more = np.float32(1 / (weight + 1))
        share, content = (each + more * (part - each) for each in (self.share, self.content))
        return Covered(share, content, self.names, self.unheard, self.either)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the units of a question stand in an index: rows and their terms, each once, and the worth of each unit."""

    units: Units
    rows: NDArray[np.int32]
    terms: NDArray[np.int64]
    worth: Floats
    row_count: int  # how many rows exist for whoever asks


def standing(units: Units, postings: Postings, kept: NDArray[np.bool_] | None, row_count: int) -> Standing:
    """Look up the units of a question, before it is known which rows are of interest.

    `kept`: by row, which exist for whoever asks, None: all that are listed; `row_count`: how many do.
    """
    listed, sizes = postings.gather(units.terms)
    term = np.repeat(np.arange(len(sizes)), sizes)
    alone = np.ones(len(listed), dtype=np.bool_)  # each row of a term once
    np.not_equal(listed[1:], listed[:-1], out=alone[1:])
    starts = np.cumsum(sizes)[:-1]
    alone[starts[starts < len(listed)]] = True
    if kept is not None:
        alone &= kept[listed]
    listed, term = listed[alone], term[alone]
    worth = units.weights * _rarities(units, np.bincount(term, minlength=len(sizes)), row_count)
    return Standing(units, listed, term, worth, row_count)


def in_other_words(asked: Standing, slots: int) -> tuple[Floats, Floats]:
    """By row, what it says of the question in other words than the question's, on the scale of BM25: of all that is
    asked, and only of what nothing says in the question's own words.

    `slots`: how many rows there are places for.
    """
    units = asked.units
    own = np.zeros(len(units.terms), dtype=np.bool_)
    own[np.searchsorted(units.unit, np.arange(len(units)))] = True
    counted = units.weights >= ASKED
    wanted = (~own & counted[units.unit])[asked.terms]
    rows, terms = asked.rows[wanted], asked.terms[wanted]
    said = np.zeros(len(units) * slots, dtype=np.float32)
    places = units.unit[terms] * slots + rows
    np.maximum.at(said, places, units.strengths[terms])  # of many words for one thing the best counts
    worth = asked.worth * np.float32(np.log1p((asked.row_count + 0.5) / 0.5))
    unsaid = worth.copy()
    unsaid[units.unit[np.unique(asked.terms[own[asked.terms]])]] = 0
    by_unit = said.reshape(len(units), slots)
    return np.asarray(worth @ by_unit, dtype=np.float32), np.asarray(unsaid @ by_unit, dtype=np.float32)


def coverage(asked: Standing, rows: NDArray[np.int64], held: Rows) -> Covered:
    """How much of the units each of these rows covers."""
    units, worth = asked.units, asked.worth
    reached = _reached(units, rows, held, asked.rows, asked.terms)
    telling, names = units.weights >= TELLING, units.names
    heard = np.zeros(len(units), dtype=np.float32)
    np.maximum.at(heard, units.unit[asked.terms], units.strengths[asked.terms])
    share = _share(worth, reached)
    named = _named(worth[names] / units.weights[names], reached[names])
    says_one = (reached[names] >= HEARD).any(axis=0)
    return Covered(
        share=share,
        content=_content(units.weights, names, worth, reached, share),
        names=named,
        either=np.asarray(np.where(says_one, np.minimum(1, TWO * named), 0), dtype=np.float32),
        unheard=bool((heard[telling] < HEARD).any()),
    )


def _content(weights: Floats, names: NDArray[np.bool_], worth: Floats, reached: Floats, share: Floats) -> Floats:
    """How much of what is asked for is covered. Of what kind it is, an answer need not say, but it helps."""
    asked = ~names & (weights >= ASKED)
    if not asked.any():
        return share
    content = _share(worth[~names], reached[~names])
    return (
        content
        if bool((asked & (weights >= TELLING)).any())
        else np.asarray((share + 2 * content) / 3, dtype=np.float32)
    )


def _named(rarity: Floats, reached: Floats) -> Floats:
    """How well these names are covered. Who stands everywhere, like whose mind it is, is meant without being named."""
    lacking = np.minimum(1, rarity / np.float32(RARE_NAME))[:, None] * (1 - reached)
    return np.asarray(1 - _share(rarity, lacking), dtype=np.float32)


def _share(worth: Floats, reached: Floats) -> Floats:
    return np.asarray(worth @ reached / np.float32(max(1e-6, float(worth.sum()))), dtype=np.float32)


def _rarities(units: Units, found: NDArray[np.int64], row_count: int) -> Floats:
    """By unit: of its own word, or where that stands nowhere, of the most frequent that answers for it."""
    most = np.zeros(len(units), dtype=np.int64)
    np.maximum.at(most, units.unit, found)
    own = found[np.searchsorted(units.unit, np.arange(len(units)))]
    return rarity(row_count, np.where(own > 0, own, most))


def _reached(
    units: Units, rows: NDArray[np.int64], held: Rows, listed: NDArray[np.int32], term: NDArray[np.int64]
) -> Floats:
    """(units, rows): how well each row says each unit, itself or by the turns beside it."""
    around: list[tuple[NDArray[np.int64], Floats]] = [(rows, np.ones(len(rows), dtype=np.float32))]
    looked = rows
    if not held.stand_alone:
        before = after = rows
        share = held.share()
        for weight in NEIGHBOUR_WEIGHTS:
            before, after = held.prev[before].astype(np.int64), held.next[after].astype(np.int64)
            lent = np.float32(weight) * share[rows]
            around += [(before, lent * share[before]), (after, lent * share[after])]
        looked = np.unique(np.concatenate([beside for beside, _ in around]))
    place = np.zeros(held.count, dtype=np.int64)  # among the rows that are looked at, 0 for the others
    place[looked] = np.arange(1, len(looked) + 1)
    place[0] = 0  # the sentinel says nothing
    near = place[listed] > 0
    said = np.zeros((len(units), len(looked) + 1), dtype=np.float32)
    np.maximum.at(said, (units.unit[term[near]], place[listed[near]]), units.strengths[term[near]])
    reached = np.zeros((len(units), len(rows)), dtype=np.float32)
    for beside, lent in around:
        np.maximum(reached, lent * said[:, place[beside]], out=reached)
    return reached
