"""The in-memory index of a mind in use: notes and raw messages, by words and by vectors, for tier-0 recall.

Answers one search (`search`, `nearest`) over what it holds (`core.search.index_data`) in a few milliseconds, without
touching the disk. Invariant: its answers depend on what it holds, not on the order in which that came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema import two_part_vectors
from soulmem.core.schema.audience import Audience
from soulmem.core.search import relevance_scoring, score_calibration
from soulmem.core.search.cosine_calibration import Likeness
from soulmem.core.search.hard_filters import FilteredIndex, Part, Query, run_of
from soulmem.core.search.index_columns import KIND_CODES, ItemKind, Vector
from soulmem.core.search.question_coverage import Standing, coverage, in_other_words, standing
from soulmem.core.search.relevance_scoring import WISHES, Evidence, Question
from soulmem.core.search.term_frequencies import tally
from soulmem.core.text import passage_weights
from soulmem.fast_dataclasses import dataclass

_LAST_DECIMAL = 2e-6  # of a score, and a little more
_ROUNDING = 1e-5  # more than any score or cosine is off, and than a last decimal


class Hit(NamedTuple):  # a plain tuple: many are made in every recall
    """One answer. `score` 0..1: its share of the evidence asked for, times how well the best candidate fits
    at all (so an unanswerable question scores low); `channels`: that evidence (lexical, dense, speaker, time), each
    0..1, for `explain`; `tier`: what brought it up; `fit`: how well it answers (`core.search.score_calibration`).
    """

    kind: ItemKind
    key: int
    score: float
    channels: Mapping[str, float] = MappingProxyType({})
    tier: str = "vector"
    fit: float = 0.0


@dataclass(frozen=True, slots=True)
class Worded:
    """A search half done: the rows its filters let through, and all that speaks for them but a vector.

    `spoken`: the places among them of those that words speak for; `lexical`, `named` and `timely` stand beside all of
    them, the first as BM25 gave it, the others as `Evidence` has them. `asked`: where the parts of the question stand;
    None where it has none that says something. `coverage`: the share that the best row has of
    what one with every term would have. True only of the index that made it, in the `state` it was in: a mind may be
    loaded anew meanwhile, and two indexes count alike.
    """

    made_by: SearchIndex
    state: int
    rows: NDArray[np.int64]
    coverage: float
    lexical: NDArray[np.float32]
    best_lexical: float
    spoken: NDArray[np.int64]
    named: NDArray[np.float32] | None
    timely: NDArray[np.float32] | None
    asked: Standing | None
    wished: NDArray[np.float32] | None = None
    wants_replies: bool = False


class SearchIndex(FilteredIndex):
    """Notes and messages of one mind, searchable by words, vectors, speaker and time. Not thread-safe."""

    def search(self, query: Query, worded: Worded | None = None) -> list[Hit]:
        """The k best items, best first; items without any lexical or dense evidence are not returned.

        Args:
            worded: what `words_of` made of the same query, whatever its vector; made anew if the index has changed.
        """
        if worded is None or worded.made_by is not self or worded.state != self.state:
            worded = self.words_of(query)
        if not len(worded.rows) or query.k <= 0:
            return []
        likeness = self._likeness(query.vector, worded.rows)
        places = worded.spoken if likeness is None else self._in_reach(worded, likeness, query.k)
        evidence = self._evidence(worded, places, likeness)
        rows, total = worded.rows[places], _total(evidence)
        strength = max(worded.coverage, likeness.best if likeness is not None else 0.0)
        best = self._best(total, rows, query.k)
        return self._hits(rows, total, best, strength, evidence, self._fits(query, worded.asked, rows[best], likeness))

    def _fits(
        self, query: Query, asked: Standing | None, rows: NDArray[np.int64], likeness: Likeness | None
    ) -> list[float]:
        """How well each of these rows answers."""
        question, held = query.question, self._rows
        if asked is None or not len(rows):
            return [score_calibration.NEUTRAL_FIT] * len(rows)
        covered = coverage(asked, rows, held)
        timely = self._timely(question, rows)
        if timely is not None:  # when it was is one more part of the question
            covered = covered.with_part(timely, float(question.units.weights.sum()))
        rise = beyond = None
        if likeness is not None:
            cosines, told = likeness.cosines[rows], query.legible * held.seen[rows]
            rise = told * score_calibration.rises(cosines, likeness.mean)
            beyond = told * score_calibration.far(cosines, likeness.mean, likeness.scale.spread)
        found: list[float] = score_calibration.fits(covered, rise, beyond, asks=question.asks).tolist()
        return found

    def words_of(self, query: Query) -> Worded:
        """What filters and words say to a query: all of a search that can be done before its vector is there."""
        visible = self._there_for(query)
        rows = self._allowed_rows(query, visible)
        if query.notes is not None:  # how rare a word is among others says nothing of which of these is meant
            visible = visible & self._among(query.notes, slice(self._rows.count))
        is_whole = query.audience is None and query.notes is None and query.until is None
        total, coverage = np.zeros(self._rows.count, dtype=np.float32), 0.0
        if len(rows):
            total, coverage = self._lexical(query.question, None if is_whole else visible)
        asked = self._asked(query, visible)
        if asked is not None:
            share = max(1 - query.legible, relevance_scoring.OTHER_WORDS_BESIDE)
            total += relevance_scoring.OTHER_WORDS * share * in_other_words(asked, self._rows.count)
        part = run_of(rows)
        lexical = total[part]
        return Worded(
            made_by=self,
            state=self.state,
            rows=rows,
            coverage=coverage,
            lexical=lexical,
            best_lexical=float(lexical.max(initial=0.0)),
            spoken=np.flatnonzero(lexical > 0),  # of booleans: ten times faster than of floats
            named=self._named(query.question, part),
            timely=self._timely(query.question, part),
            asked=asked,
            wished=self._wished(query.question, part),
            wants_replies=query.question.wants_replies,
        )

    def _asked(self, query: Query, visible: NDArray[np.bool_]) -> Standing | None:
        if not query.question.units.tells:
            return None
        is_whole = query.audience is None and query.until is None
        is_all = is_whole and self.row_count == self._rows.count - 1
        count = self.row_count if is_whole else int(np.count_nonzero(visible))
        return standing(query.question.units, self._postings, None if is_all else visible, count)

    def cosines(self, vector: Vector, kind: ItemKind, keys: Iterable[int]) -> dict[int, float]:
        """The cosine of each of these items to a unit vector; 0 for one that has none."""
        held = self._row_of[KIND_CODES[kind]]
        rows = {key: held[key] for key in keys if key in held}
        places = np.fromiter(rows.values(), dtype=np.int64, count=len(rows))
        if not self._vectors.shape[1] or not len(places):
            return dict.fromkeys(rows, 0.0)
        cosines = two_part_vectors.cosines(self._vectors[places], vector[None, :], self._shared_from)[:, 0]
        found = np.where(self._rows.seen[places], cosines, np.float32(0))
        return dict(zip(rows, found.tolist(), strict=True))

    def fits_of(self, query: Query, kind: ItemKind, keys: Iterable[int]) -> dict[int, float]:
        """How well each of these items answers a question; those that are not here are left out."""
        held = self._row_of[KIND_CODES[kind]]
        rows = {key: held[key] for key in keys if key in held}
        places = np.fromiter(rows.values(), dtype=np.int64, count=len(rows))
        visible = self._there_for(query)
        everything = np.flatnonzero(self._of_kinds(frozenset({kind})) & visible)
        likeness = self._likeness(query.vector, everything) if len(everything) else None
        return dict(zip(rows, self._fits(query, self._asked(query, visible), places, likeness), strict=True))

    def nearest(
        self, vector: Vector, k: int, kinds: frozenset[ItemKind] | None = None, audience: Audience | None = None
    ) -> list[Hit]:
        """The k items nearest to a unit vector by cosine; `score` is the cosine."""
        if not self._vectors.shape[1] or k <= 0:
            return []
        count = self._rows.count
        allowed = self._rows.seen[:count] & self._of_kinds(kinds) & self._visible(audience)
        rows = np.flatnonzero(allowed)
        cosines = self._cosines(vector)[run_of(rows)]
        places = self._best(cosines, rows, k, floor=-2.0)
        found = zip(self._refs(rows[places]), cosines[places].tolist(), strict=True)
        return [Hit(kind, key, round(cosine, 6), {"dense": cosine}) for (kind, key), cosine in found]

    # -- inside -------------------------------------------------------------------------------------------

    def _lexical(
        self, question: Question, visible: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float32], float]:
        """BM25 of every row, and the best one's share of what a row with every term would have.

        With `visible`, how rare a word is and how long a text is are measured on those rows alone: a score must not
        tell of what is hidden. They are whole conversations, so what stands beside them is visible too.
        """
        rows = self._rows
        count = self.row_count if visible is None else int(np.count_nonzero(visible))
        kept = rows.active[: rows.count] if visible is None else visible
        total = np.zeros(rows.count, dtype=np.float32)
        is_all = count == rows.count - 1  # nothing was removed, nothing is hidden
        listed, sizes = self._postings.gather(question.terms)
        held = tally(listed, sizes, None if is_all else kept)
        found = held.found()
        worth = [relevance_scoring.idf(count, n) * float(w) for n, w in zip(found, question.weights, strict=True)]
        norm = rows.norm(visible)
        telling = relevance_scoring.telling(found, count)
        at, counts, lengths = held.of(telling, rows)
        each = np.repeat(np.array([worth[place] for place in telling], dtype=np.float32), lengths)
        np.add.at(total, at, each * relevance_scoring.saturated(counts, norm[at]))  # term by term, the rarest first
        if not is_all:
            total[at[~kept[at]]] = 0
        total[0] = 0  # the sentinel
        ideal = (relevance_scoring.BM25_K1 + 1) * sum(worth)
        return total, min(1.0, float(total.max()) / ideal) if ideal > 0 else 0.0

    def _likeness(self, vector: Vector | None, rows: NDArray[np.int64]) -> Likeness | None:
        """How like a question these rows are; None where there is nothing to compare."""
        if vector is None or not self._vectors.shape[1]:
            return None
        seen = self._rows.seen[run_of(rows)]
        compared = rows if seen.all() else rows[seen]
        if not len(compared):
            return None
        cosines = self._cosines(vector)
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
        return np.flatnonzero(near)

    def _evidence(self, worded: Worded, places: NDArray[np.int64], likeness: Likeness | None) -> Evidence:
        """What speaks for the rows at these places."""
        rows = worded.rows[places]
        seen, lengths = self._rows.seen[rows], self._rows.length[rows]
        dense, sure = likeness.evidence(rows, seen) if likeness is not None else (None, None)
        best = np.float32(worded.best_lexical)
        return Evidence(
            lexical=worded.lexical[places] / best if best > 0 else worded.lexical[places],
            dense=dense,
            seen=seen,
            named=worded.named[places] if worded.named is not None else None,
            timely=worded.timely[places] if worded.timely is not None else None,
            asks=self._rows.asks[rows] * passage_weights.asking_share(lengths),
            sure=sure,
            surest=likeness.scale.surest if likeness is not None else 0.0,
            worth=passage_weights.worth(lengths, self._rows.replies[rows], wants_replies=worded.wants_replies),
            wished=worded.wished[places] if worded.wished is not None else None,
        )

    def _named(self, question: Question, part: Part) -> NDArray[np.float32] | None:
        """1 for messages of a named speaker and for notes that mention one; None if nobody is named."""
        numbers = [self._speaker_ids[name] for name in question.named if self._speaker_ids.get(name)]
        if not numbers and not len(question.name_terms):
            return None
        speakers = self._rows.speaker[: self._rows.count]
        named = np.zeros(self._rows.count, dtype=np.float32)
        for number in numbers:
            named[speakers == number] = 1
        for term in question.name_terms.tolist():
            mentions = self._postings.rows(term)
            named[mentions[self._rows.kind[mentions] == KIND_CODES[ItemKind.NOTE]]] = 1
        return named[part]

    def _wished(self, question: Question, part: Part) -> NDArray[np.float32] | None:
        """1 for what may wish for something once and for all, no reply; None where no wish applies."""
        if not question.seeks_advice:
            return None
        wished = np.zeros(self._rows.count, dtype=np.float32)
        wished[self._postings.gather(WISHES)[0]] = 1
        wished[self._rows.replies[: self._rows.count]] = 0
        return wished[part]

    def _timely(self, question: Question, part: Part) -> NDArray[np.float32] | None:
        """1 for what was told in a period the question names; None if it names none."""
        if not question.periods:
            return None
        at_ms = self._rows.at_ms[part]
        timely = np.zeros(len(at_ms), dtype=np.float32)
        for from_ms, to_ms in question.periods:
            timely[(at_ms >= from_ms) & (at_ms < to_ms)] = 1
        return timely

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
        order = np.lexsort((self._rows.key[chosen], self._rows.kind[chosen], -rounded))
        return candidates[order[:k]]

    def _hits(
        self,
        rows: NDArray[np.int64],
        total: NDArray[np.float32],
        places: NDArray[np.int64],
        strength: float,
        evidence: Evidence,
        fits: Sequence[float],
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
        for name, bonus in (("speaker", evidence.named), ("time", evidence.timely)):
            for channel, value in zip(channels, bonus[places].tolist() if bonus is not None else (), strict=False):
                channel[name] = value
        refs, scores = self._refs(rows[places]), total[places].tolist()
        return [
            Hit(kind, key, round(strength * score, 6), channel, fit=fit)
            for (kind, key), score, channel, fit in zip(refs, scores, channels, fits, strict=True)
        ]


def _total(evidence: Evidence) -> NDArray[np.float32]:
    """The score of each candidate; 0 for what neither words nor a vector speak for."""
    speaks = evidence.lexical > 0
    if evidence.dense is not None:
        speaks |= evidence.seen & (evidence.dense > 0)
    return np.where(speaks, relevance_scoring.fuse(evidence), np.float32(0))
