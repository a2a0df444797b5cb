"""The in-memory index of a mind in use: notes and raw messages, by words and by vectors, for tier-0 recall.

Answers one search (`search`, `nearest`) over what it holds (`core.search.index_data`) in a few milliseconds, without
touching the disk. Invariant: its answers depend on what it holds, not on the order in which that came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema.audience import Audience
from soulmem.core.search import relevance_scoring, score_calibration
from soulmem.core.search.cosine_calibration import Likeness
from soulmem.core.search.hard_filters import HardFilters, Query, run_of
from soulmem.core.search.index_columns import KIND_CODES, KINDS, ItemKind, ItemRef, Vector
from soulmem.core.search.index_data import IndexData
from soulmem.core.search.lexical_scoring import LexicalScoring, Worded
from soulmem.core.search.question_coverage import Standing, coverage
from soulmem.core.search.relevance_scoring import Evidence
from soulmem.core.text import passage_weights
from soulmem.core.vector_models import answer_model
from soulmem.core.vector_models.hidden_layer import Network, reads

_LAST_DECIMAL = 2e-6  # of a score, and a little more
_WISHES = 12  # what may be a wish that applies is looked at, however low it ranks
_ROUNDING = 1e-5  # more than any score or cosine is off, and than a last decimal


class Hit(NamedTuple):  # a plain tuple: many are made in every recall
    """One answer. `score` 0..1: its share of the evidence asked for, times how well the best candidate fits
    at all (so an unanswerable question scores low); `channels`: that evidence (lexical, dense, speaker, time), each
    0..1, for `explain`; `tier`: what brought it up; `fit`: how well it answers (`core.search.score_calibration`);
    `covers`: how much it says of what is asked, 0..1 (`core.search.question_coverage`); `is_beside`: it has its
    place for what it is linked with.
    """

    kind: ItemKind
    key: int
    score: float
    channels: Mapping[str, float] = MappingProxyType({})
    tier: str = "vector"
    fit: float = 0.0
    covers: float = 0.0
    is_beside: bool = False


class SearchIndex:
    """Notes and messages of one mind, searchable by words, vectors, speaker and time. Not thread-safe.

    What changes it and what tells of it without a search is `core.search.index_data`'s, under the same names.
    """

    def __init__(self, dimension: int = 0, *, shared_from: int = 0, answering: Network | None = None) -> None:
        """An empty index.

        Args:
            shared_from: where the part of a vector begins that every text has (`core.schema.two_part_vectors`); 0:
                there is none.
            answering: the answer model; None for the one that is stored.
        """
        self._answering = answering
        data = self._data = IndexData(dimension, shared_from=shared_from)
        self._filters = HardFilters(data)
        self._words = LexicalScoring(data, self._filters)
        self.add, self.load, self.remove, self.compact = data.add, data.load, data.remove, data.compact
        self.set_vectors, self.set_homes, self.place = data.set_vectors, data.set_homes, data.place
        self.says, self.replace_terms, self.homes_of = data.says, data.replace_terms, data.homes_of
        self.speakers_within, self.newest_within = data.speakers_within, data.newest_within
        self.times_of, self.remove_all = data.times_of, data.remove_all
        self.admits, self.words_of = self._filters.admits, self._words.words_of

    @property
    def state(self) -> int:
        """Rises with every change."""
        return self._data.state

    @property
    def row_count(self) -> int:
        return self._data.row_count

    @property
    def gap_count(self) -> int:
        """Slots of what was removed or replaced since `compact`."""
        return self._data.gap_count

    def __contains__(self, item: ItemRef) -> bool:
        return item in self._data

    def search(self, query: Query, worded: Worded | None = None) -> list[Hit]:
        """The k best items, best first, and behind them a few that may wish what applies to a request.

        Items without any lexical or dense evidence are not returned otherwise.

        `worded`: what `words_of` made of the same query, whatever its vector; made anew if the index has changed.
        """
        if worded is None or worded.made_by is not self._words or worded.state != self.state:
            worded = self.words_of(query)
        if not len(worded.rows) or query.k <= 0:
            return []
        likeness = self._likeness(query.vector, worded.rows)
        reads_answers = likeness is not None and self._reads_answers(query)
        most = max(query.k, relevance_scoring.READ_FOR_ANSWERS) if reads_answers else query.k
        places = worded.spoken if likeness is None else self._in_reach(worded, likeness, most)
        evidence = self._evidence(worded, places, likeness)
        rows, total = worded.rows[places], _total(evidence)
        strength = max(worded.coverage, likeness.best if likeness is not None else 0.0)
        answers: NDArray[np.float32] | None = None
        if reads_answers:
            answers = self._answers(query, rows, self._best(total, rows, relevance_scoring.READ_FOR_ANSWERS))
            notes = self._data.rows.kind[rows] == KIND_CODES[ItemKind.NOTE]
            told = passage_weights.statement_share(self._data.rows.length[rows])
            total = relevance_scoring.answering(total, answers, notes, told)
        best = self._best(total, rows, query.k)
        if evidence.wished is not None:
            best = self._with_wishes(best, total, rows, evidence.wished)
        fits = self._fits(query, worded.asked, rows[best], likeness, answers[best] if answers is not None else None)
        return self._hits(rows, total, best, strength, replace(evidence, answers=answers), fits)

    def _reads_answers(self, query: Query) -> bool:
        """Whether a question is asked that one item answers, in vectors of the encoders of the answer model."""
        held = self._data.vectors
        is_answered = query.question.asks and not query.question.compares
        return is_answered and query.vector is not None and reads(held.shared_from, held.dimension)

    def _answers(self, query: Query, rows: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.float32]:
        """How surely each row answers by its vector, 0..1: 0 of those not at these places, NaN of one without."""
        found = np.where(self._data.rows.seen[rows], np.float32(0), np.float32(np.nan))
        places = places[self._data.rows.seen[rows[places]]]
        if query.vector is not None and len(places):
            asked = query.vector.astype(np.float32, copy=False)
            found[places] = answer_model.shares(
                answer_model.logits(asked, self._data.vectors.of(rows[places]), self._answering)
            )
        return found

    def _fits(
        self,
        query: Query,
        asked: Standing | None,
        rows: NDArray[np.int64],
        likeness: Likeness | None,
        answers: NDArray[np.float32] | None,
    ) -> list[tuple[float, float]]:
        """How well each of these rows answers, and how much it says of what is asked; `answers`: as of `_answers`."""
        question, held = query.question, self._data.rows
        if asked is None or not len(rows):
            return [(score_calibration.NEUTRAL_FIT, 0.0)] * len(rows)
        covered = coverage(asked, rows, held)
        covered = covered.of_either() if question.compares else covered
        timely = self._words.timely(question, rows)
        if timely is not None:  # when it was is one more part of the question
            covered = covered.with_part(timely, float(question.units.weights.sum()))
        rise = beyond = None
        if likeness is not None:
            cosines, told = likeness.cosines[rows], query.legible * held.seen[rows]
            rise = told * score_calibration.rises(cosines, likeness.mean)
            beyond = told * score_calibration.far(cosines, likeness.mean, likeness.scale.spread)
        fits: list[float] = score_calibration.fits(covered, rise, beyond, answers, asks=question.asks).tolist()
        return list(zip(fits, covered.content.tolist(), strict=True))

    def cosines(self, vector: Vector, kind: ItemKind, keys: Iterable[int]) -> dict[int, float]:
        """The cosine of each of these items to a unit vector; 0 for one that has none."""
        held = self._data.row_of[KIND_CODES[kind]]
        rows = {key: held[key] for key in keys if key in held}
        places = np.fromiter(rows.values(), dtype=np.int64, count=len(rows))
        if not self._data.vectors.dimension or not len(places):
            return dict.fromkeys(rows, 0.0)
        cosines = self._data.vectors.cosines_of(places, vector)
        found = np.where(self._data.rows.seen[places], cosines, np.float32(0))
        return dict(zip(rows, found.tolist(), strict=True))

    def around(self, query: Query, kind: ItemKind, stretches: Iterable[tuple[int, int]], most: int) -> list[ItemRef]:
        """Items of a kind that filters let through, with their time in one of these stretches, latest first."""
        rows = self._filters.allowed_rows(query, self._filters.there_for(query))
        at_ms = self._data.rows.at_ms[rows]
        inside = np.zeros(len(rows), dtype=np.bool_)
        for start, end in stretches:
            inside |= (at_ms >= start) & (at_ms < end)
        found = rows[inside]
        found = found[self._data.rows.kind[found] == KIND_CODES[kind]]
        latest = np.argsort(-self._data.rows.at_ms[found], kind="stable")[:most]
        return self._refs(found[latest])

    def fits_of(self, query: Query, kind: ItemKind, keys: Iterable[int]) -> dict[int, float]:
        """How well each of these items answers a question; those that are not here are left out."""
        held = self._data.row_of[KIND_CODES[kind]]
        rows = {key: held[key] for key in keys if key in held}
        places = np.fromiter(rows.values(), dtype=np.int64, count=len(rows))
        visible = self._filters.there_for(query)
        everything = np.flatnonzero(self._filters.of_kinds(frozenset({kind})) & visible)
        likeness = self._likeness(query.vector, everything) if len(everything) else None
        read = likeness is not None and self._reads_answers(query)
        answers = self._answers(query, places, np.arange(len(places))) if read else None
        found = self._fits(query, self._words.asked(query, visible), places, likeness, answers)
        return {key: fit for key, (fit, _) in zip(rows, found, strict=True)}

    def nearest(
        self, vector: Vector, k: int, kinds: frozenset[ItemKind] | None = None, audience: Audience | None = None
    ) -> list[Hit]:
        """The k items nearest to a unit vector by cosine; `score` is the cosine."""
        if not self._data.vectors.dimension or k <= 0:
            return []
        count = self._data.rows.count
        allowed = self._data.rows.seen[:count] & self._filters.of_kinds(kinds) & self._data.visible(audience)
        rows = np.flatnonzero(allowed)
        cosines = self._data.cosines(vector)[run_of(rows)]
        places = self._best(cosines, rows, k, floor=-2.0)
        found = zip(self._refs(rows[places]), cosines[places].tolist(), strict=True)
        return [Hit(kind, key, round(cosine, 6), {"dense": cosine}) for (kind, key), cosine in found]

    # -- inside -------------------------------------------------------------------------------------------

    def _likeness(self, vector: Vector | None, rows: NDArray[np.int64]) -> Likeness | None:
        """How like a question these rows are; None where there is nothing to compare."""
        if vector is None or not self._data.vectors.dimension:
            return None
        seen = self._data.rows.seen[run_of(rows)]
        compared = rows if seen.all() else rows[seen]
        if not len(compared):
            return None
        cosines = self._data.cosines(vector)
        return Likeness.of(cosines, cosines[run_of(compared)])

    def _in_reach(self, worded: Worded, likeness: Likeness, k: int) -> NDArray[np.int64]:
        """The places of all that may be among the k best, and of few others.

        What words speak for is weighed in full. What they do not needs a cosine that lifts it to the k-th best of that.
        """
        spoken, rows = worded.spoken, worded.rows
        evidence = self._evidence(worded, spoken, likeness)
        total, kth = _total(evidence), 0.0
        if len(spoken) > k:
            kth = float(np.partition(total, -k)[-k])
            spoken = spoken[total >= kth - _ROUNDING]
        least = likeness.scale.reaches(max(0.0, relevance_scoring.least_dense(kth - _ROUNDING, evidence))) - _ROUNDING
        cosines = likeness.cosines[run_of(rows)]
        near = cosines >= least
        if (sure := likeness.scale.sure(cosines)) is not None:
            near |= sure > 0
        near[spoken] = True
        if worded.wished is not None:
            near |= worded.wished > 0
        return np.flatnonzero(near)

    def _evidence(self, worded: Worded, places: NDArray[np.int64], likeness: Likeness | None) -> Evidence:
        """What speaks for the rows at these places."""
        rows = worded.rows[places]
        held = self._data.rows
        seen, lengths = held.seen[rows], held.length[rows]
        dense, sure = likeness.evidence(rows, seen) if likeness is not None else (None, None)
        best = np.float32(worded.best_lexical)
        if dense is not None:
            best /= np.float32(min(1.0, worded.coverage / relevance_scoring.COVERED_IN_FULL) or 1.0)
        return Evidence(
            lexical=worded.lexical[places] / best if best > 0 else worded.lexical[places],
            dense=dense,
            seen=seen,
            named=worded.named[places] if worded.named is not None else None,
            timely=worded.timely[places] if worded.timely is not None else None,
            asks=held.asks[rows] * passage_weights.asking_share(lengths),
            sure=sure,
            surest=likeness.scale.surest if likeness is not None else 0.0,
            worth=passage_weights.worth(lengths, held.replies[rows], wants_replies=worded.wants_replies),
            wished=worded.wished[places] if worded.wished is not None else None,
        )

    def _best(
        self, scores: NDArray[np.float32], rows: NDArray[np.int64], k: int, *, floor: float = 0.0
    ) -> NDArray[np.int64]:
        """Places of the k highest scores above `floor`, to six decimals; ties by kind and key."""
        candidates = np.arange(len(scores))
        if len(scores) > k:
            # Rounding keeps the order, so what rounds to the k-th highest lies within a last decimal of it.
            cut = np.partition(scores, -k)[-k] - np.float32(_LAST_DECIMAL)
            candidates = np.flatnonzero(scores >= cut)
        rounded = np.round(scores[candidates], 6)
        above = rounded > floor
        candidates, rounded = candidates[above], rounded[above]
        chosen = rows[candidates]
        order = np.lexsort((self._data.rows.key[chosen], self._data.rows.kind[chosen], -rounded))
        return candidates[order[:k]]

    def _with_wishes(
        self, best: NDArray[np.int64], total: NDArray[np.float32], rows: NDArray[np.int64], wished: NDArray[np.float32]
    ) -> NDArray[np.int64]:
        """The places of the best, and of the best of what may be a wish that applies behind them."""
        places = np.flatnonzero(wished > 0)
        places = places[self._best(total[places], rows[places], _WISHES)]
        return np.concatenate((best, places[~np.isin(places, best)]))

    def _hits(
        self,
        rows: NDArray[np.int64],
        total: NDArray[np.float32],
        places: NDArray[np.int64],
        strength: float,
        evidence: Evidence,
        fits: Sequence[tuple[float, float]],
    ) -> list[Hit]:
        """The candidates at these places, each with its score times `strength` and what speaks for it."""
        lexical = evidence.lexical[places].tolist()
        if evidence.dense is None:
            channels = [{"lexical": words} for words in lexical]
        else:
            dense = evidence.dense[places].tolist()
            channels = [{"lexical": words, "dense": near} for words, near in zip(lexical, dense, strict=True)]
            for place in np.flatnonzero(~evidence.seen[places]).tolist():
                del channels[place]["dense"]
        if evidence.answers is not None:
            for channel, share in zip(channels, evidence.answers[places].tolist(), strict=True):
                if share > 0:  # it was read
                    channel["answers"] = share
        for name, bonus in (("speaker", evidence.named), ("time", evidence.timely)):
            for channel, value in zip(channels, bonus[places].tolist() if bonus is not None else (), strict=False):
                channel[name] = value
        if evidence.wished is not None:
            for channel, value in zip(channels, evidence.wished[places].tolist(), strict=True):
                if value > 0:
                    channel["wish"] = value
        refs, scores = self._refs(rows[places]), total[places].tolist()
        return [
            Hit(kind, key, round(strength * score, 6), channel, fit=fit, covers=covers)
            for (kind, key), score, channel, (fit, covers) in zip(refs, scores, channels, fits, strict=True)
        ]

    def _refs(self, rows: NDArray[np.int64]) -> list[ItemRef]:
        kinds, keys = self._data.rows.kind[rows].tolist(), self._data.rows.key[rows].tolist()
        return [(KINDS[kind], key) for kind, key in zip(kinds, keys, strict=True)]


def _total(evidence: Evidence) -> NDArray[np.float32]:
    """The score of each candidate; 0 for what neither words nor a vector speak for, nor may be a wish that applies."""
    speaks = evidence.lexical > 0
    if evidence.wished is not None:
        speaks |= evidence.wished > 0
    if evidence.dense is not None:
        speaks |= evidence.seen & (evidence.dense > 0)
    return np.where(speaks, relevance_scoring.fuse(evidence), np.float32(0))
