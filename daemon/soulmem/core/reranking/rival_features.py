"""Rival features: what speaks for a later answer to a question standing in the place of an earlier one.

Called by `competing_answers`, which weighs them, and by the benchmark that fits the weights. An answer is held against
all the others that came to mind: how near it is to the question and to each of them, which of the earlier ones it would
sooner take the place of, what its words say of a change. Where the vectors can be read, what `replacement_model` and
`answer_model` say is among it. Pure. Invariant: what costs little to know (`KNOWN_NAMES`) is known before the texts are
held against the question.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from soulmem.core.changes.change_tone import tone_of
from soulmem.core.changes.change_values import Value, values_in
from soulmem.core.facts.fact_reader import in_first_person
from soulmem.core.facts.second_thoughts import reconsiders
from soulmem.core.facts.topic_terms import Terms, terms_in, weight
from soulmem.core.names.name_recogniser import find_names
from soulmem.core.questions.asked.asked_form import Form
from soulmem.core.questions.asked.asked_owner import opens_with_wish
from soulmem.core.questions.question_detection import only_asks
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.reranking.asked_somebody import may_answer
from soulmem.core.reranking.rival_questions import is_of_event, names_unasked, prices_another
from soulmem.core.reranking.validity_ranking import relations_asked
from soulmem.core.search.answer_type import Calls, Meets, meets, read_calls
from soulmem.core.wordlists.fictional_events import asks_supposing
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

KNOWN_NAMES = (
    "score", "ahead", "event", "near_each_other", "apart", "later_near", "earlier_near", "replaced", "replaces_sooner",
    "first_after", "behind", "later_behind", "place", "later_place", "answers", "later_answers", "answers_alone",
    "later_answers_alone", "same_talk", "reconsiders",
)  # fmt: skip
NAMES = (
    *KNOWN_NAMES, "form", "formless", "other_kind", "earlier_other_kind", "tone", "news",
    "differs", "differs_as_asked", "shared", "asked_of", "same_names", "other_names", "of_another",
    "earlier_of_another", "of_others", "still", "wish",
)  # fmt: skip
_TALK_MS = 3_600_000  # what is told within an hour seldom takes back what was told in it
_MOST_SOONER = 4.0  # logits
_USUAL_ANSWER = 5.0  # logits of an answer
_FIRST = 6  # places by nearness that tell how far behind the nearest an answer stands
_FEW, _USUAL = 2, 0.35  # others that are thought of beside the few there are, and how near they are
_READ = 300  # characters of a text in which values are looked for
_TONE = 0.5  # what is told in the tone of a change is none of a thing more
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


@dataclass(frozen=True, slots=True)
class _Read:
    terms: Terms
    names: Terms
    values: tuple[Value, ...]
    tone: float


def twins_among(answers: Sequence[Answer]) -> list[list[int]]:
    """Of each answer the places that are the same one: itself, and of a message the note that has its words."""
    return [[place for place, each in enumerate(answers) if _is_one(each, answer)] for answer in answers]


def _is_one(some: Answer, other: Answer) -> bool:
    """Whether two answers are a message and the note that has its words; another note of it says something else."""
    return some.told == other.told and (some.text in other.text or other.text in some.text)


class Held:
    """Answers to a question as they are held against each other.

    Args: as of `competing_answers.rivals`.
    """

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
        self.twins = twins_among(answers)

    def later_than(self, place: int) -> Iterator[tuple[int, tuple[float, ...]]]:
        """The places of later answers, and what speaks for each standing in the place of one before a text is read.

        In the order of `KNOWN_NAMES`.
        """
        earlier = self._answers[place]
        later = [
            other
            for other, rival in enumerate(self._answers if self._telling[place] else ())
            if rival.told > earlier.told
            and rival.speaker == earlier.speaker
            and self._telling[other]
            and rival.told not in self._turned
        ]
        first_after = {other: 1 / (1 + rank) for rank, other in enumerate(self._likeliest(place, later))}
        for other in later:
            yield other, self._known(other, place, first_after.get(other, 0.0))

    def _likeliest(self, place: int, later: Sequence[int]) -> Sequence[int]:
        """Those of later answers that would first take the place of one, by what the models say."""
        if self._replaced is None:
            return ()
        sure = self._replaced[place]
        return sorted(later, key=lambda other: -sure[other] - self._answers[other].answers)

    def may_compete(self, place: int, other: int) -> bool:
        """Whether a later answer may stand in the place of an earlier one at all, to this question."""
        earlier, later = self._answers[place], self._answers[other]
        if names_unasked(self._query, earlier.text) or prices_another(self._query, earlier.text, later.text):
            return False
        if _AS_WELL.search(later.text) is not None and _read(later.text, later.speaker).tone < _TONE:
            return False
        if self._asks_still:  # "do I still play darts": what says nothing of darts stands in no place of what does
            shares = [bool(self._asked & terms_in(each.text, ())) for each in (earlier, later)]
            if shares == [True, False]:
                return False
        return not (self._calls.form is Form.TIME and self._is_of_others(earlier, later))

    def _is_of_others(self, earlier: Answer, later: Answer) -> bool:
        """Whether a later answer names others than the earlier one and the question, and has no word of what is asked:
        of "when does Sam go to Kerry" it tells nothing when Lin moves in with Hal."""
        old, new = (_read(each.text, each.speaker) for each in (earlier, later))
        if not self._asked & old.terms or self._asked & new.terms:
            return False
        others = new.names - terms_in(later.speaker, ())
        return bool(others) and not others & (old.names | self._asked)

    def are_of_one(self, place: int, other: int) -> bool:
        """Whether both answers are of whom the question asks, and the model does not take the earlier one to stand."""
        if self._replaced is not None and self._replaced[place][other] < 0:
            return False
        earlier, later = self._answers[place], self._answers[other]
        if any(_met(self._calls, each.text, each.speaker).subject < 0 for each in (earlier, later)):
            return False
        return may_answer(self._query, earlier.text, later.text)

    def _known(self, later: int, earlier: int, first_after: float) -> tuple[float, ...]:
        new, old, near = self._answers[later], self._answers[earlier], self._cosines[earlier][later]
        both = {*self.twins[later], *self.twins[earlier]}
        others = [each for place, each in enumerate(self._cosines[later]) if place not in both]
        replaced, sooner, again = 0.0, 0.0, reconsiders(new.text)
        if self._replaced is not None:
            replaced = self._replaced[earlier][later]
            rest = (
                self._replaced[place][later]
                for place, each in enumerate(self._answers)
                if place not in both and each.told < new.told
            )
            sooner = min(0.0, max(-_MOST_SOONER, replaced - max(rest, default=-math.inf))) / _MOST_SOONER
        return (
            max(self._answers[place].score for place in self.twins[earlier]),
            float(later < earlier),
            self._event,
            near,
            near - (sum(others) + _FEW * _USUAL) / (len(others) + _FEW),
            new.near,
            old.near,
            replaced,
            sooner,
            first_after,
            self._nearest - old.near,
            self._nearest - new.near,
            self._rank[earlier],
            self._rank[later],
            old.answers - self._surest,
            new.answers - self._surest,
            old.answers / _USUAL_ANSWER,
            new.answers / _USUAL_ANSWER,
            float(new.told[0] - old.told[0] < _TALK_MS and not again),
            float(again),
        )

    def features(self, later: int, earlier: int, known: Sequence[float]) -> tuple[float, ...]:
        """What speaks for a later answer standing in the place of an earlier one, in the order of `NAMES`."""
        told, before = self._answers[later], self._answers[earlier]
        new, old = _read(told.text, told.speaker), _read(before.text, before.speaker)
        met, met_before = (_met(self._calls, each.text, each.speaker) for each in (told, before))
        both = [(value, held) for value in new.values for held in old.values if value.is_of(held)]
        is_other = bool(both) and not any(value.same(held) for value, held in both)
        shares_name = bool(new.names & old.names)
        return (
            *known,
            float(met.form > 0),
            float(met.form < 0),
            float(met.other_kind),
            float(met_before.other_kind),
            new.tone,
            float(_NOW.search(told.text) is not None),
            float(is_other),
            float(is_other and met.form > 0),
            min(weight((new.terms & old.terms) - self._asked - new.names - old.names), 2.0) / 2.0,
            min(2, len(self._asked & old.terms)) / 2.0,
            float(shares_name),
            float(bool(new.names) and bool(old.names) and not shares_name),
            float(met.subject < 0),
            float(met_before.subject < 0),
            float(not may_answer(self._query, before.text, told.text)),
            float(_STILL.search(told.text) is not None),
            float(not self._supposes and opens_with_wish(in_first_person(told.text, told.speaker))),
        )


@text_memo(64)  # one recall asks it of each later answer several times
def _met(calls: Calls, text: str, speaker: str) -> Meets:
    return meets(calls, text, speaker)


@text_memo(2_048)
def _read(text: str, speaker: str) -> _Read:
    plain = in_first_person(text, speaker)
    names = frozenset(term for each in find_names(text[:_READ]) for term in terms_in(each.name, ()))
    return _Read(terms_in(plain, ()), names, values_in(plain[:_READ], 0), tone_of(plain))
