"""Clauses as changes are sought in them: of whom each is, the words of its topic, its values, its words of change.

Read once for each text by `change_detection`, for the step that reconciles and at recall. Pure; the same for the same
text. Invariant: at most `MOST` clauses of the first 2,000 characters are read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, cached_property

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_owners import NOBODY, SELF, Owner, Owners
from soulmem.core.changes.change_tone import tone_of
from soulmem.core.changes.change_values import Value, values_in
from soulmem.core.facts.fact_reader import sentences_of
from soulmem.core.facts.topic_terms import Terms, terms_in, weight
from soulmem.core.questions.advice_questions import asks_advice
from soulmem.core.questions.question_detection import is_question
from soulmem.core.regex.lazy_regex import KeptPattern
from soulmem.core.text.tokens import fold, stemmed
from soulmem.core.wordlists.life_matters import MATTERS, Matter
from soulmem.core.wordlists.topic_synonyms import marked, said_as
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

MOST = 24  # clauses of a text that are read
_LOOKED_AT = 1_000  # characters of a long text's beginning and end
_LONGEST_TOLD = 300  # characters of a text that tells how things stand although it asks for something too
_LED = 16  # characters before a clause that may say that it is still to come
_OPENED = 60  # characters of a sentence that may say where it was heard
_BACK = 2  # clauses before one that may say what it is about
_LATIN = KeptPattern(r"[a-z]+")
_DOINGS = frozenset(stemmed(word) for word in ("start", "begin", "finish", "leave", "go", "come", "work", "wake"))
_MOST_TOPICS = 6
_MOST_MATTERS = 3
_TONE = 0.4  # from which a clause may tell of a change that no word of the tables tells
_HAD = re.compile(r"had (?:my|our|the|an?|to|his|her|their)\b", re.IGNORECASE)  # who speaks is left out
NOTHING: Terms = frozenset()
_CORRECTING = re.compile(r"(?:(?<=wrong)|(?<=stake)|(?<=ction)|(?<=sorry)|(?<=pdate))[:：] |(?<=[错正歉])[:：]")
_PROPER = KeptPattern(
    r"(?<=[a-z,] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:January|February|March|April|May|June|July|August"
    r"|September|October|November|December)\b)[A-ZÀ-Þ][\w'’-]+"
)
_CHANGING = (
    words.VALUE, words.REVERSED, words.PARTED, words.GOES_TO, words.MOVED_OUT, words.PAID, words.NOT_DOING,
    words.REPLACED, words.AGAIN, words.ATTAINED, words.STEPS_DOWN, words.SOLD_UP,
    words.NOT_WORD, words.SHIFTED,
    *words.ENDED,
    *(pattern for _, one, other in words.OPPOSITES for pattern in (one, other)),
)  # fmt: skip


@dataclass(frozen=True)
class Clause:
    """One clause as it is compared. `near`: the words of what stands around it, its own among them."""

    said: str
    owner: Owner
    people: Owner  # whoever is named in it
    terms: Terms
    every: Terms  # with the names in it
    before: Terms  # of the clauses just before, which it may be about
    near: Terms
    values: tuple[Value, ...]
    asks: bool
    unreal: bool
    beside: tuple[str, ...] = ()  # the clauses just before and behind

    @property
    def whose(self) -> Owner:
        """Of whom it is, known already: where nobody is named, of who speaks."""
        return self.owner or (NOBODY if self.people else frozenset({SELF}))

    def goes_on_of(self, owner: Owner) -> bool:
        """Whether it names nobody, and a clause beside it these: "my sister Maeve is expecting, due in August"."""
        around = " ".join(self.beside).casefold()
        return not self.owner and not self.people and any(name != SELF and name in around for name in owner)

    @cached_property
    def proper(self) -> frozenset[str]:
        """The names in it, of places as well, in Latin letters."""
        return frozenset(match[0] for match in _PROPER.finditer(self.said)) - {"I"}

    @cached_property
    def verbs(self) -> Terms:
        """The words of doing in it that say no topic: "I start at eight"."""
        return frozenset(stemmed(word) for word in _LATIN.findall(self.said.lower())) & _DOINGS

    @cached_property
    def past(self) -> bool:
        """Whether it happened once, and is not so for longer."""
        is_done = words.PAST.search(self.said) is not None and words.PRESENT.search(self.said) is None
        return is_done and words.BOOKED.search(self.said) is None

    @cached_property
    def is_change(self) -> bool:
        """Whether there is any word of change in it."""
        return self.may_say_anew or bool(self.turned) or any(pattern.search(self.said) for pattern in _CHANGING)

    @cached_property
    def sounds_new(self) -> bool:
        """Whether it sounds like news that something is another than it was."""
        return tone_of(self.said) >= _TONE

    @property
    def stops(self) -> bool:
        """Whether it says that what it names is over."""
        return bool(self.over) or words.NO_MORE.search(self.said) is not None

    @property
    def of_today(self) -> bool:
        """Whether it tells of today alone; what was called off, where today is spoken of beside it."""
        called_off = words.CALLED_OFF.search(self.said) is not None
        return any(words.TODAY.search(each) for each in ((self.said, *self.beside) if called_off else (self.said,)))

    @property
    def opens_topic(self) -> bool:
        """Whether it leaves what was spoken of before ("by the way")."""
        return words.NEW_TOPIC.search(self.said) is not None

    @cached_property
    def marks(self) -> Terms:
        """The matters of somebody's life it is about (`topic_synonyms`)."""
        return marked(fold(self.said))[1]

    @cached_property
    def marks_around(self) -> Terms:
        """Those, and of the clauses beside it."""
        return self.marks.union(*(marked(fold(each))[1] for each in self.beside))

    @cached_property
    def turned(self) -> tuple[Matter, ...]:
        """The matters of a life of which it tells that they turned."""
        return tuple(each for each in MATTERS if each.turns.search(self.said))

    @cached_property
    def sides(self) -> tuple[tuple[str, KeptPattern, KeptPattern, bool], ...]:
        """The opposites of which it tells one side alone, each with whether it is the first of the two."""
        found = ((*each, each[1].search(self.said), each[2].search(self.said)) for each in words.OPPOSITES)
        return tuple(
            (kind, one, other, is_one is not None)
            for kind, one, other, is_one, is_other in found
            if (is_one is None) is not (is_other is None)
        )

    @cached_property
    def may_say_anew(self) -> bool:
        """Whether it may change something without a word of change: a value, or a matter of which there is one."""
        return bool(self.values or self.marks)

    @cached_property
    def over(self) -> tuple[Terms, ...]:
        """What it says to be over, each by its words."""
        if words.HARDLY.search(self.said):
            return ()
        return tuple(
            terms_in(found["o"], ())
            for pattern in words.ENDED
            for found in pattern.finditer(self.said)
            if words.NOT_ENDED.search(self.said[: found.start()]) is None
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """The clauses of a text."""

    clauses: tuple[Clause, ...]


def is_of_another(new: Clause, old: Clause) -> bool:
    """Whether a clause says itself what it is about, and the other is plainly about something else."""
    return weight(old.terms) >= 1 and bool(new.terms - _any_event()) and new.terms.isdisjoint(old.every | old.before)


@cache
def _any_event() -> Terms:
    said = "appointment meeting class lesson session call visit event booking 预约 会议 开会 上课 课程 时间"
    return terms_in(said, ())


def statement_of(text: str, speaker: str = "", at_ms: int = 0, before: str = "") -> Statement:
    """A text as it is compared.

    `text`: a message, or a note with or without its speaker's name before it; `at_ms`: when it was told, from which its
    days are reckoned; `before`: what was said just before it, a line each, for whom "he" is and what "it" is.
    A long text that asks for something has no clauses: it lays out a task, and its details are no news of a life.
    """
    if len(text) > _LONGEST_TOLD:
        seen = text if len(text) <= 2 * _LOOKED_AT else text[:_LOOKED_AT] + text[-_LOOKED_AT:]
        if is_question(seen) or asks_advice(seen):
            return Statement(())
    return _read(_ASIDE.sub(" ", text[: 2 * _LOOKED_AT]), speaker, at_ms, before[-_LOOKED_AT:])


_ASIDE = re.compile(r"\[[^\[\]\n]{0,400}\]")  # what a picture shows, a stage direction: nobody says it


@text_memo(1_024)
def _read(text: str, speaker: str, at_ms: int, before: str) -> Statement:
    owners = Owners(before)
    found: list[Clause] = []
    bags: list[Terms] = [terms_in(line, ()) for line in before.split("\n")[-1:] if line]
    around: Terms = frozenset().union(*bags)
    for sentence, clauses in sentences_of(text, speaker):
        if len(found) >= MOST:
            break
        owners.begin_sentence()
        may_ask = is_question(sentence)
        marked_so = may_ask and sentence.rstrip(' \n"”').endswith(("?", "？"))
        for said in (part for clause in clauses for part in _CORRECTING.split(clause) if part):
            values = values_in(said, at_ms)
            owner, people, named = owners.of(said)
            places = [(each.start, each.end + each.behind) for each in values]
            terms = terms_in(said, [*places, *named])
            found.append(
                Clause(
                    said, owner, people, terms, terms_in(said, places), frozenset().union(*bags[-_BACK:]), NOTHING,
                    values, marked_so or (may_ask and _is_asked(said)),
                    words.UNREAL.search(said) is not None
                    or words.HEARSAY.search(sentence, 0, _OPENED) is not None
                    or _is_to_come(sentence, said),
                )
            )  # fmt: skip
            bags.append(terms)
    found = found[:MOST]
    around = around.union(*(each.terms for each in found))
    said = [each.said for each in found]
    return Statement(
        tuple(
            replace(each, near=around, beside=tuple(said[max(0, at - 1) : at] + said[at + 1 : at + 2]))
            for at, each in enumerate(found)
        )
    )


def _is_to_come(sentence: str, said: str) -> bool:
    """Whether a clause tells of a time that has not come: "once more before I'm seventy-five"."""
    at = sentence.find(said)
    return at > 0 and words.STILL_TO_COME.search(sentence[max(0, at - _LED) : at]) is not None


def _is_asked(said: str) -> bool:
    """Whether a clause asks, where no mark says so: 到期没续，谁看啊 tells something first."""
    return is_question(said) and _HAD.match(said) is None


def is_changing(statement: Statement) -> bool:
    """Whether anything in it may change something: a word of change, or the tone of one."""
    return any((each.is_change or each.sounds_new) and not each.asks and not each.unreal for each in statement.clauses)


def topics_of(statement: Statement) -> tuple[str, ...]:
    """What to seek known statements by that a statement may change: its topics and its people, a few of each."""
    matters = [each.seek for clause in statement.clauses if not clause.asks for each in clause.turned]
    found: list[str] = list(dict.fromkeys(matters))[:_MOST_MATTERS]
    for clause in statement.clauses:
        if (clause.is_change or clause.sounds_new) and not clause.asks:
            found += [" ".join(map(said_as, sorted(clause.every | clause.before))), " ".join(sorted(clause.people))]
    return tuple(dict.fromkeys(text for text in found if text))[:_MOST_TOPICS]
