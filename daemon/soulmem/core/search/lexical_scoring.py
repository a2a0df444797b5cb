"""Lexical scoring: all that speaks for the rows of an index but a vector, that is words, speakers and times.

Called by `core.search.memory_index`, which weighs it. A question of Chinese has some thirty terms, so what is done for
each of them is what costs: their rows are counted all at once (`tally`). Invariants: what comes out of a term does not
depend on the others; what an audience does not know of changes no score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from soulmem.core.questions.advice_questions import wish_terms
from soulmem.core.search import relevance_scoring
from soulmem.core.search.hard_filters import HardFilters, Part, Query, run_of
from soulmem.core.search.index_columns import KIND_CODES, ItemKind, Rows
from soulmem.core.search.index_data import IndexData
from soulmem.core.search.question_coverage import Standing, in_other_words, standing
from soulmem.core.search.relevance_scoring import Question
from soulmem.core.text.tokens import term_hashes
from soulmem.fast_dataclasses import dataclass

Counts = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tally:
    """The rows of several terms, one term after the other, each row once: `rows[bounds[i]:bounds[i + 1]]` of term i.

    `counts`: how often the term stands there. `listed` are the rows as they came, once per occurrence, term i from
    `listed_from[i]` on.
    """

    rows: NDArray[np.int64]
    counts: Counts
    bounds: list[int]
    listed: NDArray[np.int32]
    listed_from: list[int]

    def found(self) -> list[int]:
        """In how many rows each term stands."""
        return [stop - start for start, stop in zip(self.bounds, self.bounds[1:], strict=False)]

    def of(self, terms: list[int], held: Rows) -> tuple[NDArray[np.int64], Counts, list[int]]:
        """(rows, counts, rows of each) of these terms, by their places; where turns stand beside others, as
        `Rows.occurrences` reads them.
        """
        if held.stand_alone:
            parts = [slice(self.bounds[term], self.bounds[term + 1]) for term in terms]
            pieces = [(self.rows[part], self.counts[part]) for part in parts]
        else:
            pieces = [
                held.occurrences(self.listed[self.listed_from[term] : self.listed_from[term + 1]]) for term in terms
            ]
        if not pieces:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32), []
        rows, counts = (np.concatenate(column) for column in zip(*pieces, strict=True))
        return rows, counts, [len(row) for row, _ in pieces]


def tally(listed: NDArray[np.int32], sizes: NDArray[np.int64], kept: NDArray[np.bool_] | None = None) -> Tally:
    """Count the occurrences of several terms, given their rows as `Postings.gather` lists them.

    `kept`: by row, which of them count; None: all.
    """
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    if kept is not None:
        counts_here = kept[listed]
        before = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum(counts_here, out=before[1:])
        listed, starts = listed[counts_here], before[starts]
    is_first = np.ones(len(listed) + 1, dtype=np.bool_)  # one more, where the last row ends
    np.not_equal(listed[1:], listed[:-1], out=is_first[1:-1])
    is_first[starts] = True  # the same row may end one term and begin the next
    edges = np.flatnonzero(is_first)
    return Tally(
        rows=listed[edges[:-1]].astype(np.int64),
        counts=(edges[1:] - edges[:-1]).astype(np.float32),
        bounds=edges.searchsorted(starts).tolist(),
        listed=listed,
        listed_from=starts.tolist(),
    )


@dataclass(frozen=True, slots=True)
class Worded:
    """A search half done: the rows its filters let through, and all that speaks for them but a vector.

    `lexical` (BM25), `named` and `timely` (as of `Evidence`) stand beside `rows`; `spoken`: places of those that words
    speak for, or that may be a wish that applies; `asked`: where the parts of the question stand, None where none says
    something; `coverage`: the share that the best row has of what one with every term would have. True of the index
    that made it, in this `state`.
    """

    made_by: LexicalScoring
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


class LexicalScoring:
    """What words, speakers and times say over the rows of one index."""

    def __init__(self, data: IndexData, filters: HardFilters) -> None:
        self._data, self._filters = data, filters

    def words_of(self, query: Query) -> Worded:
        """What filters and words say to a query: all of a search that can be done before its vector is there."""
        visible = self._filters.there_for(query)
        rows = self._filters.allowed_rows(query, visible)
        if query.is_of_some:  # how rare a word is among others says nothing of which of these is meant
            visible = visible & self._filters.among(query, slice(self._data.rows.count))
        is_whole = query.audience is None and not query.is_of_some and query.until is None
        total, coverage = np.zeros(self._data.rows.count, dtype=np.float32), 0.0
        if len(rows):
            total, coverage = self._lexical(query.question, None if is_whole else visible)
        asked = self.asked(query, visible)
        if asked is not None:
            total += self._in_other_words(query, asked)
        part = run_of(rows)
        lexical = total[part]
        wished = self._wished(query.question, part)
        speaks = lexical > 0 if wished is None else (lexical > 0) | (wished > 0)
        return Worded(
            made_by=self,
            state=self._data.state,
            rows=rows,
            coverage=coverage,
            lexical=lexical,
            best_lexical=float(lexical.max(initial=0.0)),
            spoken=np.flatnonzero(speaks),  # of booleans: ten times faster than of floats
            named=self._named(query.question, part),
            timely=self.timely(query.question, part),
            asked=asked,
            wished=wished,
            wants_replies=query.question.wants_replies,
        )

    def _in_other_words(self, query: Query, asked: Standing) -> NDArray[np.float32]:
        """What each row says in other words than the question's. Of a turn that vectors read they tell little more:
        it says much, and some of it happens to be such a word.
        """
        count = self._data.rows.count
        unread, beside = 1 - query.legible, relevance_scoring.OTHER_WORDS_BESIDE
        found, unsaid = in_other_words(asked, count)
        if unread < beside:
            in_talk = unread * found + (beside - unread) * unsaid
            notes = self._data.rows.kind[:count] == KIND_CODES[ItemKind.NOTE]
            found = np.where(notes, beside * found, in_talk)
        else:
            found = unread * found
        return np.asarray(relevance_scoring.OTHER_WORDS * found, dtype=np.float32)

    def asked(self, query: Query, visible: NDArray[np.bool_]) -> Standing | None:
        if not query.question.units.tells:
            return None
        is_whole = query.audience is None and query.until is None
        is_all = is_whole and self._data.row_count == self._data.rows.count - 1
        count = self._data.row_count if is_whole else int(np.count_nonzero(visible))
        return standing(query.question.units, self._data.postings, None if is_all else visible, count)

    def _lexical(
        self, question: Question, visible: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float32], float]:
        """BM25 of every row, and the best one's share of what a row with every term would have.

        With `visible`, how rare a word is and how long a text is are measured on those rows alone: a score must not
        tell of what is hidden. They are whole conversations, so what stands beside them is visible too.
        """
        rows = self._data.rows
        count = self._data.row_count if visible is None else int(np.count_nonzero(visible))
        kept = rows.active[: rows.count] if visible is None else visible
        total = np.zeros(rows.count, dtype=np.float32)
        is_all = count == rows.count - 1  # nothing was removed, nothing is hidden
        listed, sizes = self._data.postings.gather(question.terms)
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

    def _named(self, question: Question, part: Part) -> NDArray[np.float32] | None:
        """1 for messages of a named speaker and for notes that mention one; None if nobody is named."""
        numbers = [number for name in question.named if (number := self._data.speaker_number(name)) > 0]
        if not numbers and not len(question.name_terms):
            return None
        speakers = self._data.rows.speaker[: self._data.rows.count]
        named = np.zeros(self._data.rows.count, dtype=np.float32)
        for number in numbers:
            named[speakers == number] = 1
        for term in question.name_terms.tolist():
            mentions = self._data.postings.rows(term)
            named[mentions[self._data.rows.kind[mentions] == KIND_CODES[ItemKind.NOTE]]] = 1
        return named[part]

    def _wished(self, question: Question, part: Part) -> NDArray[np.float32] | None:
        """1 for what may wish for something once and for all, no reply; None where no wish applies."""
        if not question.seeks_advice:
            return None
        wished = np.zeros(self._data.rows.count, dtype=np.float32)
        wished[self._data.postings.gather(term_hashes(wish_terms()))[0]] = 1
        wished[self._data.rows.replies[: self._data.rows.count]] = 0
        return wished[part]

    def timely(self, question: Question, part: Part) -> NDArray[np.float32] | None:
        """1 for what was told in a period the question names; None if it names none."""
        if not question.periods:
            return None
        at_ms = self._data.rows.at_ms[part]
        timely = np.zeros(len(at_ms), dtype=np.float32)
        for from_ms, to_ms in question.periods:
            timely[(at_ms >= from_ms) & (at_ms < to_ms)] = 1
        return timely
