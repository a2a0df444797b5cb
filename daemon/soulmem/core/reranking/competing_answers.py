"""Competing answers: of two statements that answer one question, does the later one stand in the place of the earlier.

Called at recall for what came to mind (`working.validity.told_earlier`). Two statements alone seldom tell whether both
hold; the question names what must be one: "which shift do I work" makes rivals of "nights" and "my alarm went at four".
A logistic curve over a few features says how likely the later one is the answer of now
(`benchmarks/changes/competing.py`; fitted on its questions, and on two weeks in which nothing that is asked changed).
Pure. Invariants: nothing ends here, an earlier answer is only marked as such; a question about what was has no rivals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from soulmem.core.changes.change_tone import tone_of
from soulmem.core.changes.change_values import Value, values_in
from soulmem.core.facts.fact_reader import in_first_person
from soulmem.core.facts.topic_terms import Terms, terms_in, weight
from soulmem.core.names.name_recogniser import find_names
from soulmem.core.questions.question_detection import is_question, only_asks
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.reranking.validity_ranking import asks_past
from soulmem.core.search.answer_type import Calls, Meets, meets, read_calls
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

NAMES = (
    "score", "ahead", "form", "formless", "other_kind", "tone", "news", "differs", "differs_as_asked", "same_talk",
    "event", "near_each_other", "apart", "later_near", "earlier_near", "shared",
)  # fmt: skip
WEIGHTS = (4.13, 0.02, -0.28, -1.57, -1.35, 0.62, 0.78, -0.24, 0.4, -1.08, -2.32, 0.45, 3.27, 1.73, 2.97, 1.17)
BIAS = -7.59
MARKED = 0.4  # logits from which the earlier of two answers is marked
ASKED_NOW = 1.4  # so much less, where it is asked how things stand now: who asks so knows that they may be otherwise
_KNOWN_NAMES = ("score", "ahead", "same_talk", "event", "near_each_other", "apart", "later_near", "earlier_near")
_KNOWN = tuple(WEIGHTS[NAMES.index(name)] for name in _KNOWN_NAMES)  # what is known before a text is read
_UNREAD = (
    BIAS + sum(max(0.0, weighs) for name, weighs in zip(NAMES, WEIGHTS, strict=True) if name not in _KNOWN_NAMES) + 1e-6
)
_TALK_MS = 3_600_000  # what is told within an hour seldom takes back what was told in it
_FEW, _USUAL = 2, 0.35  # others that are thought of beside the few there are, and how near they are
_READ = 300  # characters of a text in which values are looked for
_NOW = LazyPattern(
    r"\b(?:now(?:adays)?|these days|instead|no longer|any ?more|(?:is|are|was|were) gone|changed|switched|swapped)\b"
    r"|改[成到在上为]|换[成了]|现在|如今|不再|[涨降升]到|不[^，。！？]{0,6}了",
    re.IGNORECASE,
)
_OF_NOW = LazyPattern(
    r"\b(?:now(?:adays)?|these days|still|any ?more|currently|at (?:the moment|present))\b|现在|如今|眼下|目前|这阵子",
    re.IGNORECASE,
)
_STILL = LazyPattern(
    r"\b(?:still|as (?:always|usual|ever))\b(?! (?:no|not|haven|don|didn|can|won))|还是(?!不|没)|依旧|照样|仍然?",
    re.IGNORECASE,
)
_EVENT = LazyPattern(
    r"\b(?:did|was|were|had|why|happened|ever)\b|过|了什么|[那当]时|退休前|以前|为什么|怎么了|第一", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Answer:
    """Something that came to mind: its words without the head of a note, and how it stands to the question.

    `told`: when, with the number of the message; `score`: its share of the best; `near`: its cosine to the question.
    `ends_another`: it is known what it took the place of, and so that it is no rival of anything else.
    """

    text: str
    speaker: str
    told: tuple[int, int]
    score: float
    near: float
    ends_another: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    terms: Terms
    names: Terms
    values: tuple[Value, ...]
    tone: float


def has_rivals(query: str) -> bool:
    """Whether a question asks how things stand, so that of two answers the later one counts."""
    return is_question(query) and not asks_past(query)


def least_of(query: str) -> float:
    """The logits from which the earlier of two answers to a question is marked."""
    return MARKED - (ASKED_NOW if _OF_NOW.search(query) is not None else 0.0)


def is_of_event(query: str) -> float:
    """1.0 where a question asks what happened, or how things came about: that stays as it was told."""
    return float(_EVENT.search(query) is not None)


def rivals(query: str, asker: str, answers: Sequence[Answer], cosines: Sequence[Sequence[float]]) -> Mapping[int, int]:
    """Of each answer that a later one seems to have taken the place of, that one; both by their places.

    Args:
        answers: what came to mind, best first.
        cosines: of each answer to each.
    """
    calls, asked = read_calls(query, asker), terms_in(query, ())
    event, least = is_of_event(query), least_of(query)
    telling = [not only_asks(each.text) for each in answers]
    lasting = [_STILL.search(each.text) is not None for each in answers]
    turned = {each.told for each in answers if each.ends_another}
    found: dict[int, int] = {}
    for place, earlier in enumerate(answers):
        if not telling[place]:
            continue
        likely = [
            (score(features(calls, asked, event, answers, (other, place), cosines)), other)
            for other, later in enumerate(answers)
            if later.told > earlier.told
            and later.speaker == earlier.speaker
            and telling[other]
            and not lasting[other]
            and later.told not in turned
            and _most(_known_of(event, answers, (other, place), cosines)) >= least
        ]
        best = max(likely, default=(-math.inf, -1))
        if best[0] >= least:
            found[place] = best[1]
    for place, later in tuple(found.items()):
        found |= {twin: later for twin, each in enumerate(answers) if _is_one(each, answers[place])}
    return found


def _is_one(some: Answer, other: Answer) -> bool:
    """Whether two answers are a message and the note that has its words; another note of it says something else."""
    return some.told == other.told and (some.text in other.text or other.text in some.text)


def _most(known: Sequence[float]) -> float:
    """The score that a pair of which so much is known (`_known_of`) does not exceed, whatever their texts say."""
    return _UNREAD + sum(weighs * value for weighs, value in zip(_KNOWN, known, strict=True))


def _known_of(
    event: float, answers: Sequence[Answer], pair: tuple[int, int], cosines: Sequence[Sequence[float]]
) -> tuple[float, ...]:
    """What speaks for a later answer before a text is read, in the order of `_KNOWN_NAMES`."""
    later, earlier = answers[pair[0]], answers[pair[1]]
    near = cosines[pair[1]][pair[0]]
    others = [
        cosines[pair[0]][place]
        for place, each in enumerate(answers)
        if place not in pair and not _is_one(each, later) and not _is_one(each, earlier)
    ]
    return (
        max(each.score for each in answers if _is_one(each, earlier)),
        float(pair[0] < pair[1]),
        float(later.told[0] - earlier.told[0] < _TALK_MS),
        event,
        near,
        near - (sum(others) + _FEW * _USUAL) / (len(others) + _FEW),
        later.near,
        earlier.near,
    )


def score(found: Sequence[float]) -> float:
    """How likely the later answer is the one of now, in logits."""
    return BIAS + sum(weighs * value for weighs, value in zip(WEIGHTS, found, strict=True))


def features(
    calls: Calls,
    asked: Terms,
    event: float,
    answers: Sequence[Answer],
    pair: tuple[int, int],
    cosines: Sequence[Sequence[float]],
) -> tuple[float, ...]:
    """What speaks for a later answer (the first of the `pair`) standing in the place of an earlier one."""
    later, earlier = answers[pair[0]], answers[pair[1]]
    new, old = _read(later.text, later.speaker), _read(earlier.text, earlier.speaker)
    met = _met(calls, later.text, later.speaker)
    both = [(value, known) for value in new.values for known in old.values if value.is_of(known)]
    is_other = bool(both) and not any(value.same(known) for value, known in both)
    best, ahead, same_talk, happened, near, apart, later_near, earlier_near = _known_of(event, answers, pair, cosines)
    return (
        best,
        ahead,
        float(met.form > 0),
        float(met.form < 0),
        float(met.other_kind),
        new.tone,
        float(_NOW.search(later.text) is not None),
        float(is_other),
        float(is_other and met.form > 0),
        same_talk,
        happened,
        near,
        apart,
        later_near,
        earlier_near,
        min(weight((new.terms & old.terms) - asked - new.names - old.names), 2.0) / 2.0,
    )


@text_memo(64)  # one recall asks it of each later answer several times
def _met(calls: Calls, text: str, speaker: str) -> Meets:
    return meets(calls, text, speaker)


@text_memo(2_048)
def _read(text: str, speaker: str) -> _Read:
    plain = in_first_person(text, speaker)
    names = frozenset(term for each in find_names(text[:_READ]) for term in terms_in(each.name, ()))
    return _Read(terms_in(plain, ()), names, values_in(plain[:_READ], 0), tone_of(plain))
