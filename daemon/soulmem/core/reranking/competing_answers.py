"""Competing answers: of two statements that answer one question, does the later one stand in the place of the earlier.

Called at recall for what came to mind (`working.validity.told_earlier`). Two statements alone seldom tell whether both
hold; the question names what must be one: "which shift do I work" makes rivals of "nights" and "my alarm went at four".
A logistic curve over a few features says how likely the later one is the answer of now
(`benchmarks/changes/competing.py`; fitted on its questions, on invented lives, and on two weeks in which nothing that
is asked changed). Where the vectors can be read, what `replacement_model` and `answer_model` say are among the
features, and the curve is another. Pure.
Invariants: nothing ends here, an earlier answer is only marked as such; a question about what was has no rivals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from soulmem.core.changes.change_tone import tone_of
from soulmem.core.changes.change_values import Value, values_in
from soulmem.core.facts.fact_reader import in_first_person
from soulmem.core.facts.topic_terms import Terms, terms_in, weight
from soulmem.core.names.name_recogniser import find_names
from soulmem.core.questions.asked.asked_owner import opens_with_wish
from soulmem.core.questions.question_detection import only_asks
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.reranking.asked_somebody import may_answer
from soulmem.core.reranking.rival_questions import asks_now, is_of_event, names_unasked, prices_another
from soulmem.core.reranking.validity_ranking import relations_asked
from soulmem.core.search.answer_type import Calls, Meets, meets, read_calls
from soulmem.core.wordlists.fictional_events import asks_supposing
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

NAMES = (
    "score", "ahead", "form", "formless", "other_kind", "tone", "news", "differs", "differs_as_asked", "same_talk",
    "event", "near_each_other", "apart", "later_near", "earlier_near", "shared", "replaced",
    "behind", "later_behind", "place", "later_place", "answers", "later_answers", "earlier_other_kind",
)  # fmt: skip
_KNOWN_NAMES = (
    "score", "ahead", "same_talk", "event", "near_each_other", "apart", "later_near", "earlier_near", "replaced",
    "behind", "later_behind", "place", "later_place", "answers", "later_answers",
)  # fmt: skip
_KNOWN_PLACES = tuple(map(NAMES.index, _KNOWN_NAMES))  # what is known before a text is read


@dataclass(frozen=True, slots=True)
class Curve:
    """What each feature weighs, in the order of `NAMES`, and the logits of a pair that has none."""

    weights: tuple[float, ...]
    bias: float

    def score(self, found: Sequence[float]) -> float:
        """How likely the later answer is the one of now, in logits."""
        return self.bias + sum(weighs * value for weighs, value in zip(self.weights, found, strict=True))

    def most(self) -> Callable[[Sequence[float]], float]:
        """The score that a pair of which so much is known (`_KNOWN_NAMES`) does not exceed, whatever its texts say."""
        unread = sum(max(0.0, each) for place, each in enumerate(self.weights) if place not in _KNOWN_PLACES)
        base, weights = self.bias + unread + 1e-6, [self.weights[place] for place in _KNOWN_PLACES]
        return lambda known: base + sum(map(mul, weights, known))


ALONE = Curve(
    (
        4.88, 0.17, -0.23, -1.03, -0.43, 1.94, 0.2, 0.3, 0.22, -3.17, -2.02, -0.33, 6.32, -0.38, 0.49, 0.99, 0.0, -1.33,
        -0.46, -0.09, -1.47, 0.0, 0.0, -0.28,
    ), -7.14,
)  # fmt: skip
WITH_MODEL = Curve(
    (
        2.68, 0.08, -0.3, -1.03, -0.34, 1.72, 0.12, 0.24, 0.37, -3.14, -1.95, -0.57, 5.68, -0.54, 1.1, 0.93, 0.42, 0.42,
        2.07, -0.35, -1.58, 0.44, 0.19, -0.37,
    ), -4.55,
)  # fmt: skip
MARKED = -0.6  # logits from which the earlier of two answers is marked
ASKED_NOW = 0.8  # so much less, where it is asked how things stand now: who asks so knows that they may be otherwise
_TALK_MS = 3_600_000  # what is told within an hour seldom takes back what was told in it
_FIRST = 6  # places by nearness that tell how far behind the nearest an answer stands
_FEW, _USUAL = 2, 0.35  # others that are thought of beside the few there are, and how near they are
_READ = 300  # characters of a text in which values are looked for
_NOW = CaselessPattern(
    r"\b(?:now(?:adays)?|these days|instead|no longer|any ?more|(?:is|are|was|were) gone|changed|switched|swapped)\b"
    r"|改[成到在上为]|换[成了]|现在|如今|不再|[涨降升]到|不[^，。！？]{0,6}了"
)
_STILL = CaselessPattern(
    r"\b(?:still|as (?:always|usual|ever))\b(?! (?:no|not|haven|don|didn|can|won))|还是(?!不|没)|依旧|照样|仍然?"
)
# One thing more takes no other's place: an allergy beside an allergy, a medicine beside a medicine.
_AS_WELL = CaselessPattern(
    r"\b(?:also|too|as well|put me on|on top of)\b|也(?!不[去来住干]|没)|[又还](?:给我)?(?:加|添|多)了"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """Something that came to mind: its words without the head of a note, and how it stands to the question.

    `told`: when, with the number of the message; `score`: its share of the best; `near`: its cosine to the question.
    `ends_another`: it is known what it took the place of, and so that it is no rival of anything else. `answers`: what
    the answer model says of it, in logits; 0 where that cannot be read.
    """

    text: str
    speaker: str
    told: tuple[int, int]
    score: float
    near: float
    ends_another: bool = False
    answers: float = 0.0


class Later(NamedTuple):
    """The place of an answer that stands in another's, and by how many logits more than the least that is likely."""

    place: int
    sure: float


@dataclass(frozen=True, slots=True)
class _Read:
    terms: Terms
    names: Terms
    values: tuple[Value, ...]
    tone: float


def least_of(query: str) -> float:
    """The logits from which the earlier of two answers to a question is marked."""
    return MARKED - (ASKED_NOW if asks_now(query) else 0.0)


def rivals(
    query: str,
    asker: str,
    answers: Sequence[Answer],
    cosines: Sequence[Sequence[float]],
    replaced: Sequence[Sequence[float]] | None = None,
    *,
    curve: Curve | None = None,
) -> Mapping[int, Later]:
    """Of each answer, by its place, that a later one seems to have taken the place of, that one.

    Args:
        answers: what came to mind, best first.
        cosines: of each answer to each.
        replaced: logits of the replacement model, [earlier, later]; None where it cannot read the vectors.
        curve: None for the one in use.
    """
    curve = curve or (ALONE if replaced is None else WITH_MODEL)
    held = _Held(query, asker, answers, cosines, replaced)
    least, most = least_of(query), curve.most()
    twins = held.twins
    found: dict[int, Later] = {}
    for place in range(len(answers)):
        likely = []
        for other, known in held.later_than(place):
            if most(known) < least or not held.may_replace(other):
                continue
            if (logit := curve.score(held.features(other, place, known))) >= least:
                likely.append((logit, other))
        for logit, other in sorted(likely, reverse=True):
            if held.are_of_one(place, other):
                found[place] = Later(other, logit - least)
                break
    for place, later in tuple(found.items()):
        found |= dict.fromkeys(twins[place], later)
    return found


def pairs(
    query: str,
    asker: str,
    answers: Sequence[Answer],
    cosines: Sequence[Sequence[float]],
    replaced: Sequence[Sequence[float]] | None = None,
) -> dict[tuple[int, int], tuple[float, ...]]:
    """All that `rivals` weighs: by the places of an earlier and a later answer, their features."""
    held = _Held(query, asker, answers, cosines, replaced)
    return {
        (place, other): held.features(other, place, known)
        for place in range(len(answers))
        for other, known in held.later_than(place)
        if held.may_replace(other) and held.are_of_one(place, other)
    }


def twins_among(answers: Sequence[Answer]) -> list[list[int]]:
    """Of each answer the places that are the same one: itself, and of a message the note that has its words."""
    return [[place for place, each in enumerate(answers) if _is_one(each, answer)] for answer in answers]


def _is_one(some: Answer, other: Answer) -> bool:
    """Whether two answers are a message and the note that has its words; another note of it says something else."""
    return some.told == other.told and (some.text in other.text or other.text in some.text)


class _Held:
    """Answers to a question as they are held against each other."""

    def __init__(
        self,
        query: str,
        asker: str,
        answers: Sequence[Answer],
        cosines: Sequence[Sequence[float]],
        replaced: Sequence[Sequence[float]] | None,
    ) -> None:
        self._query, self._answers, self._cosines, self._replaced = query, answers, cosines, replaced
        self._calls, self._asked, self._event = read_calls(query, asker), terms_in(query, ()), is_of_event(query)
        self._asks_still = _STILL.search(query) is not None and not relations_asked(query)
        self._nearest = max((each.near for each in answers), default=0.0)
        self._surest = max((each.answers for each in answers), default=0.0)
        nearest = sorted(range(len(answers)), key=lambda place: -answers[place].near)
        self._rank = {place: min(rank, _FIRST) / _FIRST for rank, place in enumerate(nearest)}
        self._turned = {each.told for each in answers if each.ends_another}
        self._telling = [not only_asks(each.text) for each in answers]
        self._supposes = asks_supposing(query)
        self._may_replace: dict[int, bool] = {}
        self.twins = twins_among(answers)

    def later_than(self, place: int) -> Iterator[tuple[int, tuple[float, ...]]]:
        """The places of later answers, and what speaks for each standing in the place of one before a text is read.

        In the order of `_KNOWN_NAMES`.
        """
        earlier = self._answers[place]
        for other, rival in enumerate(self._answers if self._telling[place] else ()):
            if not (rival.told > earlier.told and rival.speaker == earlier.speaker and self._telling[other]):
                continue
            # What the model takes to stand is left standing, whatever else speaks for the later one.
            if rival.told in self._turned or (self._replaced is not None and self._replaced[place][other] < 0):
                continue
            yield other, self._known(other, place)

    def may_replace(self, place: int) -> bool:
        """Whether an answer may stand in another's place at all: a wish may not, nor what says "still" or "too"."""
        found = self._may_replace.get(place)
        if found is None:
            text = self._answers[place].text
            found = _STILL.search(text) is None and _AS_WELL.search(text) is None
            if found and not self._supposes:
                found = not opens_with_wish(in_first_person(text, self._answers[place].speaker))
            self._may_replace[place] = found
        return found

    def are_of_one(self, place: int, other: int) -> bool:
        """Whether two answers may be of whom the question asks."""
        earlier, later = self._answers[place], self._answers[other]
        if _met(self._calls, earlier.text, earlier.speaker).subject < 0:
            return False
        if _met(self._calls, later.text, later.speaker).subject < 0:
            return False
        if names_unasked(self._query, earlier.text) or prices_another(self._query, earlier.text, later.text):
            return False
        if self._asks_still:  # "do I still play darts": what says nothing of darts stands in no place of what does
            shares = [bool(self._asked & terms_in(each.text, ())) for each in (earlier, later)]
            if shares == [True, False]:
                return False
        return may_answer(self._query, earlier.text, later.text)

    def _known(self, later: int, earlier: int) -> tuple[float, ...]:
        new, old, near = self._answers[later], self._answers[earlier], self._cosines[earlier][later]
        both = {*self.twins[later], *self.twins[earlier]}
        others = [each for place, each in enumerate(self._cosines[later]) if place not in both]
        return (
            max(self._answers[place].score for place in self.twins[earlier]),
            float(later < earlier),
            float(new.told[0] - old.told[0] < _TALK_MS),
            self._event,
            near,
            near - (sum(others) + _FEW * _USUAL) / (len(others) + _FEW),
            new.near,
            old.near,
            self._replaced[earlier][later] if self._replaced is not None else 0.0,
            self._nearest - old.near,
            self._nearest - new.near,
            self._rank[earlier],
            self._rank[later],
            old.answers - self._surest,
            new.answers - self._surest,
        )

    def features(self, later: int, earlier: int, known: Sequence[float]) -> tuple[float, ...]:
        """What speaks for a later answer standing in the place of an earlier one, in the order of `NAMES`."""
        told, before = self._answers[later], self._answers[earlier]
        new, old = _read(told.text, told.speaker), _read(before.text, before.speaker)
        met = _met(self._calls, told.text, told.speaker)
        both = [(value, held) for value in new.values for held in old.values if value.is_of(held)]
        is_other = bool(both) and not any(value.same(held) for value, held in both)
        best, ahead, same_talk, happened, near, apart, later_near, earlier_near, replaces, *places = known
        return (
            best,
            ahead,
            float(met.form > 0),
            float(met.form < 0),
            float(met.other_kind),
            new.tone,
            float(_NOW.search(told.text) is not None),
            float(is_other),
            float(is_other and met.form > 0),
            same_talk,
            happened,
            near,
            apart,
            later_near,
            earlier_near,
            min(weight((new.terms & old.terms) - self._asked - new.names - old.names), 2.0) / 2.0,
            replaces,
            *places,
            float(_met(self._calls, before.text, before.speaker).other_kind),
        )


@text_memo(64)  # one recall asks it of each later answer several times
def _met(calls: Calls, text: str, speaker: str) -> Meets:
    return meets(calls, text, speaker)


@text_memo(2_048)
def _read(text: str, speaker: str) -> _Read:
    plain = in_first_person(text, speaker)
    names = frozenset(term for each in find_names(text[:_READ]) for term in terms_in(each.name, ()))
    return _Read(terms_in(plain, ()), names, values_in(plain[:_READ], 0), tone_of(plain))
