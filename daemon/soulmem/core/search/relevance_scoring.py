"""Relevance scoring: how a question is read, and how the evidence for an answer becomes one calibrated score.

Owns the constants and formulas of tier-0 recall: BM25 over a turn and, fading, its neighbours; scaling of
lexical and dense evidence to 0..1; their weighted sum with the speaker and the time that a question names;
and reciprocal rank fusion, the baseline to compare with. `core.search.memory_index` calls it with plain arrays, recall
with the question's text. Invariant: pure functions of their arguments.

The constants are round on purpose. Each was chosen on long English dialogues with five-fold
leave-one-conversation-out and checked on a year of Chinese phone records; halving or doubling any one of
them moves recall@10 by at most two points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from soulmem.core.calendar.calendar_math import DAY_MS, Period, Tense
from soulmem.core.dates.date_parser import DateSpan, find_dates
from soulmem.core.names import other_script
from soulmem.core.questions.advice_questions import asks_advice, asks_reply
from soulmem.core.questions.comparison_questions import compares
from soulmem.core.questions.list_questions import asks_summary
from soulmem.core.questions.question_concepts import Units, read_units
from soulmem.core.questions.question_detection import is_question
from soulmem.core.questions.time_questions import asks_habit
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.text.tokens import is_cjk_pair, is_grammar, query_terms, script_of, segment, term_hashes
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Hashes = NDArray[np.uint32]

# BM25 with its usual constants (Robertson & Zaragoza 2009).
BM25_K1 = 1.2
BM25_B = 0.75

# A turn is read with its neighbours, because an answer rarely repeats the words of its question: occurrences
# one turn away count a half, two turns away a quarter, summed before saturation as fields are in BM25F.
NEIGHBOUR_WEIGHTS = (0.5, 0.25)

# A pair of CJK characters stands beside both of its characters: without this it would count three times.
PAIR_WEIGHT = 0.5

# What an answer says in other words than the question (`core.questions.concept_table`) counts for so much of what is
# said in the same, each word once: it may mean something else.
OTHER_WORDS = 0.8
OTHER_WORDS_BESIDE = 0.7  # of that, where vectors tell too what means the same

# Question terms in more than this share of all rows cost time and decide nothing; the rarest few always stay,
# and in a small index every word may decide.
COMMON_SHARE = 0.1
RAREST_KEPT = 3
SMALL_INDEX_ROWS = 2_000

# Weights relative to the best lexical match, which has 1.
DENSE_WEIGHT = 0.75
SPEAKER_WEIGHT = 0.5
PERIOD_WEIGHT = 0.75
WISH_WEIGHT = 0.3  # what may be a standing wish, where something is to be done or advised
ANSWER_WEIGHT = 1.0  # what answers by its vector; looked at in so many of the best
READ_FOR_ANSWERS = 128
# A message's vector is a mean with what was said around it, of which the answer model tells less than of a note's own:
# so much of the weight is its, the rest that of all the other evidence.
OF_MESSAGES = 0.46
ASKING_WEIGHT = 0.2  # taken off: a turn that ends in a question seldom holds the answer

# The best lexical match counts in full where it has so much of the question's words, and less where it has little of
# them: that it has "year" of a whole question says hardly anything. Only where vectors tell something too.
COVERED_IN_FULL = 0.2

# A text without a vector (the embedder cannot read it, or has not come to it yet) is judged by its words:
# its missing dense evidence is taken to be this share of its lexical evidence.
BLIND_SHARE = 0.75

# What happened is told on the day or soon after; days are widened because a speaker's day is not UTC's.
TOLD_WITHIN_MS = 3 * 86_400_000

_FIRST_PERSON = CaselessPattern(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself)\b|我(?!们)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the index understands it; made by `read_question`.

    `embed_text` is what to embed: the question without the names of the mind's own speakers, because a name
    pulls a sentence vector towards turns that *address* that person. `terms` (with `weights`) lack those
    names too; `named` are the speakers' keys, `name_terms` their words. `periods` are [from, to) in UTC
    milliseconds. `units` are what it asks for, without names and times: by them an item is told that answers it.
    `asks`: whether it is a question at all; `seeks_advice`, `wants_replies`: `core.questions.advice_questions`;
    `compares`: it asks how two things stand to each other, so that neither is the better answer.
    """

    embed_text: str
    terms: Hashes
    weights: Floats
    named: frozenset[str] = frozenset()
    name_terms: Hashes = field(default_factory=lambda: term_hashes(()))
    periods: tuple[tuple[int, int], ...] = ()
    units: Units = field(default_factory=Units)
    asks: bool = True
    seeks_advice: bool = False
    wants_replies: bool = False
    compares: bool = False


def speaker_key(name: str) -> str:
    """The form under which speakers are compared."""
    return " ".join(name.casefold().split())


def _named_in(text: str, terms: Sequence[str], speakers: Iterable[str], asker: str | None) -> frozenset[str]:
    """The keys of the speakers a text names, each by all words of its name; whoever says "I" or 我 names itself."""
    present = set(terms)
    named = {speaker_key(name) for name in speakers if _stands_in(name, text, present)}
    if asker and _FIRST_PERSON.search(text):
        named.add(speaker_key(asker))
    return frozenset(named)


def _stands_in(name: str, text: str, present: set[str]) -> bool:
    words = segment(name)
    if not words or not present.issuperset(words):
        return bool(other_script.said_in(text, present, name))
    if not all(map(is_grammar, words)):
        return True
    # "Will", "So": a name only when written like one where no capital is due.
    return re.search(rf"\w[,;]? {re.escape(name.title())}\b", text) is not None


def _probably_told(spans: Sequence[DateSpan], at_ms: int) -> tuple[tuple[int, int], ...]:
    """The times a question names that is asked at `at_ms`, as [from, to) in which they were probably told.

    A memory is asked for looking back: what could mean the coming January or the last one ("in January", 1月中旬) means
    the last one; what may be either of two days that lie ahead ("next Saturday") names both.
    """
    meant = (
        period
        for span in spans
        for period in span.readings
        if (period.from_ms <= at_ms) == (span.readings[0].from_ms <= at_ms)
    )
    return tuple(dict.fromkeys(map(_told, meant)))


def _timeless(text: str, spans: Sequence[DateSpan]) -> str:
    """The text with its expressions of time blanked: an answer of that time need not say it."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _told(period: Period) -> tuple[int, int]:
    return period.from_ms - period.from_ms % DAY_MS, period.to_ms + TOLD_WITHIN_MS


def read_question(
    text: str, speakers: Iterable[str] = (), *, asker: str | None = None, at_ms: int | None = None
) -> Question:
    """Read a question: its terms, whom of `speakers` and which times it names, and the text to embed.

    `text`: the question, or any text that should remind of something; `speakers`: the names or keys of everyone who
    speaks in the mind; `asker`: the speaker of the text itself, if known; `at_ms`: the present of the question, None to
    ignore times. The mind's newest `at` serves well: it is now while people talk, and the last thing known after a
    silence.
    """
    words = segment(text)
    named, names = _names_in(text, frozenset(speakers), asker)
    name_terms = {term for name in names for term in segment(name)}
    terms = query_terms(text, words)
    about = [term for term in terms if term not in name_terms] or terms
    spans = () if at_ms is None or asks_habit(text) else find_dates(text, at_ms, Tense.BEHIND)
    bare = _timeless(text, spans)
    weights = [PAIR_WEIGHT if is_cjk_pair(term) else 1.0 for term in about]
    return Question(
        embed_text=_without(text, names),
        terms=term_hashes(about),
        weights=np.array(weights, dtype=np.float32),
        named=named,
        name_terms=term_hashes(sorted(name_terms)),
        periods=_probably_told(spans, at_ms) if at_ms is not None else (),
        units=read_units(bare, query_terms(bare) if spans else terms, name_terms),
        asks=is_question(text),
        seeks_advice=asks_advice(text),
        wants_replies=asks_reply(text) or asks_summary(text),
        compares=compares(text),
    )


def embedded_text(text: str, speakers: Iterable[str], *, asker: str | None = None) -> str:
    """What of a question is embedded (`Question.embed_text`), known long before the rest of it is read."""
    return _without(text, _names_in(text, frozenset(speakers), asker)[1])


@text_memo(16)  # it is asked for right before the question is read
def _names_in(text: str, speakers: frozenset[str], asker: str | None) -> tuple[frozenset[str], list[str]]:
    """The keys of the speakers that a text names, and their names as they may stand in it."""
    words, known = segment(text), sorted(speakers)
    named = _named_in(text, words, known, asker)
    names = [name for name in known if speaker_key(name) in named]
    return named, names + [written for name in names if (written := other_script.said_in(text, words, name))]


def _without(text: str, names: Sequence[str]) -> str:
    """The text without these names and their possessives; the text itself if nothing else is left."""
    if not names:
        return text
    longest_first = "|".join(map(_bounded, sorted(names, key=len, reverse=True)))
    pattern = rf"(?:{longest_first})(?:['’]s\b)?"
    bare = " ".join(re.sub(pattern, " ", text, flags=re.IGNORECASE).split())
    return bare if segment(bare) else text


def _bounded(name: str) -> str:
    """A pattern for a name, whole words only where its script has words."""
    spaced = script_of(name) == "latin"
    return rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" if spaced else re.escape(name)


def idf(row_count: int, found: int) -> float:
    """ln(1 + (N - n + ½)/(n + ½)): what a term that stands in n of N rows says about a row."""
    return float(np.log1p((row_count - found + 0.5) / (found + 0.5)))


def length_norm(lengths: Floats, means: Floats) -> Floats:
    """BM25's denominator beside tf: k1·(1 - b + b·length/mean)."""
    ratio = lengths / np.maximum(means, np.float32(1e-6))
    return np.asarray(BM25_K1 * (1 - BM25_B + BM25_B * ratio), dtype=np.float32)


def saturated(counts: Floats, norm: Floats) -> Floats:
    """tf·(k1 + 1)/(tf + norm): 0 without an occurrence, never above k1 + 1."""
    return np.asarray(counts * np.float32(BM25_K1 + 1) / (counts + norm), dtype=np.float32)


def telling(found: Sequence[int], row_count: int) -> list[int]:
    """Positions of the question terms worth following, given in how many rows each was found.

    Terms found nowhere are left out; in a large index so are common ones, but for the rarest few.
    """
    places = sorted((place for place, count in enumerate(found) if count), key=lambda place: found[place])
    if row_count < SMALL_INDEX_ROWS:
        return places
    limit = COMMON_SHARE * row_count
    return [place for rank, place in enumerate(places) if rank < RAREST_KEPT or found[place] <= limit]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for each candidate, as parallel arrays; all but `seen` and `sure` within 0..1."""

    lexical: Floats
    dense: Floats | None  # None: the question has no vector, words decide
    seen: Bools  # has a vector
    named: Floats | None  # its speaker is named; None: nobody is
    timely: Floats | None  # told in a named period; None: none is named
    asks: Floats  # how much of it asks, where it ends in a question
    sure: Floats | None = None  # how far its likeness is beyond chance, 0..MOST_SURE; None: no text's is
    surest: float = 0.0  # the most of that among all there are, candidates or not
    wished: Floats | None = None  # may be a wish that applies; None: none does
    worth: Floats | None = None  # what all of this counts, by how long it is (`core.search.passage_weights`); None: 1
    answers: Floats | None = None  # how surely it answers by its vector, NaN of one without; None: no question


def fuse(evidence: Evidence) -> Floats:
    """Score of each candidate in 0..1: what it has of all that this question could ask for."""
    total = evidence.lexical - np.float32(ASKING_WEIGHT) * evidence.asks
    most = 1.0
    if evidence.dense is not None:
        guess = np.float32(BLIND_SHARE) * evidence.lexical
        total = total + np.float32(DENSE_WEIGHT) * np.where(evidence.seen, evidence.dense, guess)
        most += DENSE_WEIGHT
        if evidence.sure is not None:
            unread = guess * np.float32(evidence.surest)  # what has no vector yet may be as sure as any
            total = total + np.float32(DENSE_WEIGHT) * np.where(evidence.seen, evidence.sure, unread)
            most += DENSE_WEIGHT * evidence.surest
    for weight, bonus in _bonuses(evidence):
        if bonus is not None:
            total = total + np.float32(weight) * bonus
            most += weight
    if evidence.worth is not None:
        total = total * evidence.worth
    return np.asarray(np.clip(total / np.float32(most), 0, 1), dtype=np.float32)


def answering(total: Floats, answers: Floats, notes: Bools, told: Floats) -> Floats:
    """The scores with how surely each candidate answers; one without a vector (NaN) as those do on the average.

    `notes`: which of them are notes; `told`: how much of each one statement is: the vector of a page is a mean of all
    that it says, so it counts as little as that.
    """
    read = answers[answers > 0]
    guess = np.minimum(total, read.mean() if len(read) else np.float32(0))
    share = np.where(np.isnan(answers), guess, answers)
    own = np.where(notes, told, np.float32(OF_MESSAGES))
    share = np.where(share <= 0, share, own * share + (1 - own) * total)  # what was not read overtakes nothing
    both = (total + np.float32(ANSWER_WEIGHT) * share) / np.float32(1 + ANSWER_WEIGHT)
    return np.asarray(np.where(total > 0, both, total), dtype=np.float32)


def _bonuses(evidence: Evidence) -> tuple[tuple[float, Floats | None], ...]:
    return (
        (SPEAKER_WEIGHT, evidence.named),
        (PERIOD_WEIGHT, evidence.timely),
        (WISH_WEIGHT, evidence.wished),
    )


def least_dense(score: float, evidence: Evidence) -> float:
    """The dense evidence below which nothing that shares no word and is not sure can have this score.

    0 or less: it may have none.

    `evidence`: of any candidates for the same question, for what else it asks for.
    """
    bonuses = [weight for weight, bonus in _bonuses(evidence) if bonus is not None]
    most = 1.0 + DENSE_WEIGHT * (1.0 + evidence.surest) + sum(bonuses)
    return (score * most - sum(bonuses)) / DENSE_WEIGHT
