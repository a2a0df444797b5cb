"""Judging without a model whether notes answer the questions, and which of them were of use (algorithms.md §3.5).

A sub-question is covered when enough of its content words stand in the notes (in one note, or spread over the best
three), when vectors say the same in other words, or when half of each holds. Names weigh double, and one that no note
holds leaves the question open. A question for a number asks for a note with one. Bounds: labels are among those shown;
confidence 0..1, nearest to a coin's toss at the line between covered and not.
"""

# Ways to ask and their answers stand on long lines, as a table.

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.schema.engine_tasks import Judgement, JudgeRequest, Labelled, LabelledLink
from soulmem.core.text.tokens import fold, is_cjk_pair, segment
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.language.statement_similarity import likeness_among
from soulmem.llm.extractive.wording.comparable_wording import (
    LOOKED_AT,
    names_in,
    numbers_in,
    subject_terms,
    without_day,
)
from soulmem.ports import Embedder, FloatMatrix

COVERED = 0.6  # share of the question's weight
SAME_MEANING = 0.75  # cosine from which a note answers without sharing words
_HALF_COVERED, _NEAR = 0.45, 0.55
_SPREAD = 0.8  # what three notes hold together is worth less than what one holds
_USEFUL, _USEFUL_NEAR = 0.4, 0.65
_NEARNESS = 0.3  # what a cosine of 1 counts beside a whole share
_MOST_USEFUL = 3
_MOST_NOTES = 200
_NAME_WEIGHT = 1.5
_APART = 0.3  # what a pair of characters counts where a note holds both, but not side by side
_NAME_ALONE = 0.5  # the most that a note is worth which speaks of the same one, but of nothing that was asked
_UNASKED = 0.3  # confidence where a question names nothing that could be looked for

_ASKS_NUMBER = CaselessPattern(
    r"\bhow (?:many|much|old|long|often|tall|far|big)\b|多少|几(?![乎何时])|多(?:大|久|高|远|长)"
)
_SAID_OTHERWISE = tuple(
    (CaselessPattern(asked), CaselessPattern(told))
    for asked, told in read_rows("llm/extractive/tasks/said_otherwise.txt", {})
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A sub-question: its content terms, its names, and the term that another wording may stand for."""

    text: str
    terms: frozenset[str]
    names: tuple[str, ...]
    number: bool


@dataclass(frozen=True, slots=True)
class _Verdict:
    covered: bool
    sureness: float
    missing: tuple[str, ...]


class _Notes:
    """The notes, and how each stands to each sub-question."""

    def __init__(self, notes: Sequence[Labelled], questions: Sequence[_Asked], embedder: Embedder | None) -> None:
        self.notes = notes
        self.texts = [note.text[:LOOKED_AT] for note in notes]
        self._folded = [fold(text) for text in self.texts]
        self._held = [frozenset(segment(text)) for text in self.texts]
        self.found = [[self._found(asked, index) for index in range(len(notes))] for asked in questions]
        self._weights = [self._weigh(asked, found) for asked, found in zip(questions, self.found, strict=True)]
        self.shares = [[self.share(number, (i,)) for i in range(len(notes))] for number in range(len(questions))]
        self.near = self._nearness(questions, embedder)

    def _found(self, asked: _Asked, index: int) -> dict[str, float]:
        """What of a question a note holds, 0..1 each; a manner of asking is held where the words of its answer are."""
        held = self._held[index]
        found = {term: _APART for term in asked.terms if is_cjk_pair(term) and held.issuperset(term)}
        found |= dict.fromkeys(asked.terms & held, 1.0)
        for cue, told in _SAID_OTHERWISE:
            match = cue.search(asked.text)
            if match is not None and told.search(self.texts[index]):
                found |= dict.fromkeys(asked.terms & subject_terms(match[0]), 1.0)
        return found | {name: 1.0 for name in asked.names if fold(name) in self._folded[index]}

    def _weigh(self, asked: _Asked, found: Sequence[dict[str, float]]) -> dict[str, float]:
        """What each part of a question is worth: the less, the more of the notes hold it; a name a little more."""
        holders = Counter(part for each in found for part in each)
        whole = len(self.notes)
        plain = {term: math.log1p(whole / max(holders[term], 1)) for term in sorted(asked.terms)}
        return plain | {name: _NAME_WEIGHT * math.log1p(whole / max(holders[name], 1)) for name in asked.names}

    def share(self, number: int, indexes: Sequence[int]) -> float:
        """Share 0..1 of a question's weight that these notes hold together; 0 where it names nothing."""
        weights = self._weights[number]
        best: dict[str, float] = {}
        for index in indexes:
            for part, credit in self.found[number][index].items():
                best[part] = max(credit, best.get(part, 0.0))
        whole = math.fsum(weights.values())
        return round(math.fsum(weights[part] * best[part] for part in sorted(best)) / whole, 4) if whole else 0.0

    def _nearness(self, questions: Sequence[_Asked], embedder: Embedder | None) -> FloatMatrix | None:
        """Cosines among questions and notes (the questions first); only the notes that share most are embedded."""
        best = sorted(range(len(self.notes)), key=lambda i: (-max(row[i] for row in self.shares), i))
        texts = [asked.text for asked in questions] + [without_day(text) for text in self.texts]
        which = [*range(len(questions)), *(len(questions) + index for index in best)]
        return likeness_among(texts, embedder, which)

    def cosine(self, question: int, index: int) -> float:
        return 0.0 if self.near is None else float(self.near[question, len(self.shares) + index])


def judge(request: JudgeRequest, embedder: Embedder | None = None) -> Judgement:
    """Whether the notes are enough, what is missing, and the notes and links that carried the answer."""
    notes = list({note.label: note for note in request.notes if note.text.strip()}.values())[:_MOST_NOTES]
    questions = [_asked(text) for text in dict.fromkeys(request.subquestions) if text.strip()]
    if not notes or not questions:
        return Judgement(bool(notes), _UNASKED if notes else 1.0, tuple(request.subquestions) if not notes else ())
    known = _Notes(notes, questions, embedder)
    verdicts = [_verdict(known, number, asked) for number, asked in enumerate(questions)]
    useful = _useful(known)
    sufficient = len(notes) >= 2 and all(verdict.covered for verdict in verdicts)
    missing = dict.fromkeys(each for verdict in verdicts for each in verdict.missing)
    decisive = [v.sureness for v in verdicts if v.covered is all(v.covered for v in verdicts)]
    confidence = round(min(decisive), 3) if len(notes) >= 2 else 0.9
    return Judgement(
        sufficient,
        confidence,
        tuple(missing) if not sufficient else (),
        useful,
        _between(request.links, useful),
        _between(request.dummies, useful),
    )


def _asked(text: str) -> _Asked:
    text = text[:LOOKED_AT]
    dateless = text
    for span in reversed(find_dates(text, 0)):  # when it was is asked of the store, not of the words
        dateless = f"{dateless[: span.start]} {dateless[span.end :]}"
    names = names_in(text)
    inside = frozenset[str]().union(*(segment(name) for name in names))
    terms = frozenset(term for term in subject_terms(dateless) if not term.isdigit()) - inside
    return _Asked(text, terms or subject_terms(text) - inside, names, _ASKS_NUMBER.search(text) is not None)


def _verdict(known: _Notes, number: int, asked: _Asked) -> _Verdict:
    """Whether one question is covered, how sure that is, and what of it no note holds."""
    if not asked.terms and not asked.names:
        return _Verdict(True, _UNASKED, ())
    shares = known.shares[number]
    best = sorted(range(len(shares)), key=lambda index: (-shares[index], index))[:_MOST_USEFUL]
    share = max(shares[best[0]], _SPREAD * known.share(number, best))
    if asked.terms and not any(term in known.found[number][index] for term in asked.terms for index in best):
        share = min(share, _NAME_ALONE)
    near = max(known.cosine(number, index) for index in range(len(shares)))
    everyone = range(len(shares))
    absent = [name for name in asked.names if not any(name in known.found[number][i] for i in everyone)]
    numberless = asked.number and not any(numbers_in(known.texts[index]) for index in best if shares[index] > 0)
    covered = share >= COVERED or near >= SAME_MEANING or (share >= _HALF_COVERED and near >= _NEAR)
    covered = covered and not numberless and (not absent or near >= SAME_MEANING)
    distance = max(abs(share - COVERED), abs(near - SAME_MEANING) if near >= SAME_MEANING else 0.0)
    sureness = 0.5 + min(0.45, distance)
    if covered:
        return _Verdict(True, sureness, ())
    return _Verdict(False, 0.85 if absent or numberless else sureness, tuple(absent) or (asked.text,))


def _useful(known: _Notes) -> tuple[str, ...]:
    """Labels of at most three notes that hold the most of a question, best first."""
    scored: list[tuple[float, int]] = []
    for index in range(len(known.notes)):
        score = 0.0
        for question, row in enumerate(known.shares):
            near = known.cosine(question, index)
            if row[index] >= _USEFUL or near >= _USEFUL_NEAR:
                score = max(score, row[index] + _NEARNESS * near)
        if score:
            scored.append((-score, index))
    return tuple(known.notes[index].label for _, index in sorted(scored)[:_MOST_USEFUL])


def _between(links: Sequence[LabelledLink], useful: Sequence[str]) -> tuple[str, ...]:
    """The links that join two useful notes."""
    return tuple(dict.fromkeys(link.label for link in links if link.src in useful and link.dst in useful))
