"""Contradiction: what is stored when one told fact ends another, and what an engine may not make of them.

Called by the step `reconcile` with an answer of its engine; whatever engine that was, it is not believed: a fact ends
only what is about the same subject and relation as far as code can read both, else what plainly speaks of the same, and
of that a few. Of two facts the one that was told later counts, so an older fact that is told late arrives expired.
Pure: the answer depends on what was told alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from soulmem.core.changes.change_clauses import Statement, statement_of
from soulmem.core.changes.change_detection import changes
from soulmem.core.changes.change_owners import SELF
from soulmem.core.changes.life_changes import ANEW
from soulmem.core.changes.supersession import Effect, Finding, findings
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.facts.fact_reader import clauses_of, readings_of
from soulmem.core.facts.relations import EVENT, Mode, Reading, terms_of
from soulmem.core.facts.topic_terms import is_concept, matter_of
from soulmem.core.facts.validity_intervals import CORRECT, INVALIDATE, SUPERSEDE, Interval, settle
from soulmem.core.regex.lazy_regex import KeptCaseless
from soulmem.core.schema.engine_tasks import FactEvent
from soulmem.fast_dataclasses import dataclass

MOST_UNREAD = 2  # facts that one fact may end although code cannot read that they are about the same
_UNREAD_SHARE = 0.5  # of the words of the shorter that both must have
_LEFT = 0.25  # of the letters of a note: with more that is not over, only a part of it is
_PARTNER = "partner"
_OF_HIM = KeptCaseless(
    r"(?:and |but |who )?(?:he|she|they|who)(?:['’](?:s|re)| is| are| has| works?| lives?)\b"
    r"|[他她]?(?:[是当做]|在\S{1,8}[当做])"
)
_FEW_WORDS, _FEW_CHARACTERS = 4, 4
_FULL_NAME = (3, 4)  # characters of a Chinese name with its surname
# A clause with a predicate of its own: "Kit's three" tells something, "Bo's shop" says which one.
_TELLS = KeptCaseless(
    r"\d|\b(?:is|are|was|were|has|have|had|lives?|works?|likes?|loves?|goes|wants?|one|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve|\w+teen|\w+ty)\b|[岁是在有会要去爱叫]"
)
_LETTER = re.compile(r"[^\W_]")
_LOOKED_AT = 4_000  # characters of a note of which its matter is told


@dataclass(frozen=True)
class Told:
    """A note as it is compared: who says it, when it was told, and since when it is said to hold."""

    note: int
    text: str
    speaker: str
    order: tuple[int, int]  # when it was told, and the number of the message
    valid_from: int | None = None
    entities: frozenset[str] = frozenset()
    is_fact: bool = False  # a single statement, by whoever wrote it
    corrects: frozenset[int] = frozenset()  # notes of the statements just before that its message puts right
    before: str = ""  # what was said just before it, a line each

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        return readings_of(self.text, self.speaker)

    @cached_property
    def statement(self) -> Statement:
        return statement_of(self.text, self.speaker, self.at_ms, self.before)

    @cached_property
    def matter(self) -> frozenset[str]:
        """What it is about."""
        return matter_of(self.text[:_LOOKED_AT], self.at_ms, self.speaker)

    @property
    def at_ms(self) -> int:
        return self.order[0]

    def since(self, reading: Reading) -> int | None:
        """Since when what is read holds, or is over; None where nobody said."""
        dates = find_dates(reading.said, self.at_ms)
        if reading.relation == EVENT:
            return self.at_ms
        if dates and (dates[0].from_ms <= self.at_ms or reading.mode is Mode.AHEAD):
            return dates[0].from_ms
        return None if reading.mode is Mode.HOLDS else self.at_ms


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one note's end is: `ended` holds no more from `valid_to` on (None: it never did), for `by` says so."""

    ended: int
    by: int
    event: str
    valid_to: int | None
    relation: str = ""
    said: str = ""
    whole: bool = True
    begins: int | None = None  # since when `by` holds instead


@dataclass(frozen=True, slots=True)
class Refused:
    """Why an answer is not carried out."""

    reason: str
    detail: str


def ruled(new: Told, known: Told) -> FactEvent | None:
    """What a new fact is to a known one where code can read both; None where that is left to an engine."""
    later, earlier = (new, known) if new.order >= known.order else (known, new)
    found = _findings(later, earlier)
    over = [each for each in found if each.effect is not Effect.REINFORCE]
    if not found:
        return FactEvent.ADD if new.readings and known.readings and not _speak_of_the_same(new, known) else None
    return {
        Effect.SUPERSEDE: FactEvent.SUPERSEDE,
        Effect.INVALIDATE: FactEvent.INVALIDATE,
        Effect.REINFORCE: FactEvent.REINFORCE,
    }[(over or found)[0].effect]


def _findings(later: Told, earlier: Told) -> tuple[Finding, ...]:
    """What a later note makes of an earlier one: by known relations, by the form of any change."""
    found = findings(later.readings, earlier.readings)
    over = {each.old.said for each in found if each.effect is not Effect.REINFORCE}
    is_same = later.speaker == earlier.speaker
    changed = tuple(
        each
        for each in changes(later.statement, earlier.statement)
        if each.old.said not in over and (is_same or each.old.subject != SELF)  # another's "I" is not one's own
    )
    return tuple(each for each in found if each.old.said in over or not changed) + changed


def concern(
    new: Told, known: Told, people: frozenset[str] = frozenset(), common: frozenset[str] = frozenset()
) -> float:
    """How plainly two notes are of one matter, 0 where an engine need not be asked what one is to the other.

    Somebody or something that takes no part in the talk is named in both, or they are of the same person and share a
    word that says something; a word for the same thing counts where no word is shared. Days and numbers are no matter:
    half of what was told on a day shares them.

    `people`: who takes part in the talk, whom everybody names; `common`: words of so many notes that they say nothing
    of a matter.
    """
    if (named := of_one_person(new, known, people)) is None:
        return 0.0
    shared = (new.matter & known.matter).difference(common, *map(terms_of, people | {new.speaker, known.speaker}))
    words = [term for term in shared if not is_concept(term)]
    return float((len(words) or bool(shared)) + 2 * named)


def of_one_person(new: Told, known: Told, people: frozenset[str] = frozenset()) -> int | None:
    """How many that take no part in the talk both name; None where nothing says that both tell of one person."""
    named = _named_in_both(new, known, people | {new.speaker, known.speaker})
    subjects = {each.subject for each in new.readings} & {each.subject for each in known.readings}
    return named if named or subjects or (new.speaker and new.speaker == known.speaker) else None


def _named_in_both(one: Told, other: Told, people: frozenset[str]) -> int:
    """How many that take no part one names and the other names too, in full or by the given name alone."""
    found = {name for name in one.entities - people if _names(other.text, name)}
    found |= {name for name in other.entities - people if _names(one.text, name)}
    return len(found)


def _names(text: str, name: str) -> bool:
    if not name.isascii():
        return name in text or (len(name) in _FULL_NAME and name[1:] in text)
    return any(re.search(rf"\b{re.escape(part)}\b", text) for part in (name, *name.split()) if len(part) > 2)


def outcomes(
    new: Told,
    known: Told,
    event: FactEvent,
    now: int,
    *,
    unread: int = 0,
    said_over: Sequence[str] = (),
    discerning: bool = False,
) -> tuple[Outcome, ...] | Refused:
    """What an engine's answer comes to; a refusal where code does not see that both are about the same.

    `unread`: how many facts the new one has ended although code could not read why; `said_over`: what of the earlier
    one is over already; `discerning`: the engine told what ends from what stays, so it is believed where both are of
    one person (`of_one_person`); one that ends whatever it is shown, where code sees that they speak of the same.
    """
    later, earlier = (new, known) if new.order >= known.order else (known, new)
    found = [each for each in _findings(later, earlier) if each.effect is not Effect.REINFORCE]
    if found:
        return _read_out(later, earlier, found, now, said_over)
    believed = discerning and of_one_person(later, earlier) is not None
    if new.readings and known.readings and not believed:
        return Refused("unrelated", f"n{later.note} and n{earlier.note} are not about the same, or both hold")
    if not (believed or _speak_of_the_same(later, earlier)):
        return Refused("unrelated", f"n{later.note} does not speak of what n{earlier.note} says")
    if unread >= MOST_UNREAD:
        return Refused(
            "too_many", f"n{new.note} would end more than {MOST_UNREAD} notes of which it is not read what they say"
        )
    kind = SUPERSEDE if event is FactEvent.SUPERSEDE else INVALIDATE
    return (_ended(later, earlier, kind, now),)


def _read_out(
    later: Told, earlier: Told, found: Sequence[Finding], now: int, said_over: Sequence[str]
) -> tuple[Outcome, ...]:
    over = {each.old for each in found}
    whole = _is_over_whole(earlier, [*(each.said for each in over), *said_over])
    relations = {each.relation for each in over}
    if _PARTNER in relations <= {_PARTNER, ANEW} and _tells_of_him(earlier, [each.said for each in over]):
        whole = False
    made: dict[str, Outcome] = {}
    for each in found:
        kind = CORRECT if earlier.note in later.corrects else each.effect.value
        span = settle(
            Interval(earlier.since(each.old) if earlier.valid_from is None else earlier.valid_from),
            Interval(later.since(each.new)),
            now,
            told_old=earlier.at_ms,
            told_new=later.at_ms,
        )
        ended, begins = later, None  # the later one is told of a time before: it arrives expired
        if span.old.expired_at is not None:
            ended, begins = earlier, span.new.valid_from
        by = earlier if ended is later else later
        valid_to = span.old.valid_to if ended is earlier else span.new.valid_to
        if ended is later:
            whole = _is_over_whole(later, [each.new.said])
        said = each.old.said if ended is earlier else each.new.said
        made.setdefault(
            each.old.relation,
            Outcome(
                ended.note, by.note, kind, None if kind == CORRECT else valid_to, each.old.relation, said, whole,
                begins if each.effect is Effect.SUPERSEDE else None,
            ),
        )  # fmt: skip
    return tuple(made.values())


def _ended(later: Told, earlier: Told, kind: str, now: int) -> Outcome:
    if earlier.note in later.corrects:
        return Outcome(earlier.note, later.note, CORRECT, None)
    span = settle(
        Interval(earlier.valid_from), Interval(later.valid_from), now, told_old=earlier.at_ms, told_new=later.at_ms
    )
    return Outcome(earlier.note, later.note, kind, span.old.valid_to or later.at_ms, begins=span.new.valid_from)


def _is_over_whole(told: Told, over: Sequence[str]) -> bool:
    """Whether nothing that a note tells still holds; a fact may tell two things, an allergy beside a place of work."""
    tells_more = any(
        each.holds and not any(each.said in said or said in each.said for said in over) for each in told.readings
    )
    return (told.is_fact and not tells_more) or _says_no_more(told, over)


def _tells_of_him(told: Told, over: Sequence[str]) -> bool:
    """Whether what is left tells of whom one is with no more: that he is a paramedic stays so."""
    clauses = (clause for sentence in clauses_of(told.text, told.speaker) for clause in sentence)
    return any(_OF_HIM.match(clause) for clause in clauses if not any(clause in each for each in over))


def _says_no_more(told: Told, over: Sequence[str]) -> bool:
    """Whether nearly all of a note is over, and not a part of what it tells.

    A few words that say nothing of their own belong to what stands beside them: "I live in Utrecht, near the canal".
    Those that tell of somebody else do not: "Rosie's seven, Kit's three".
    """
    ended, read = set(over), {each.said for each in told.readings}
    owners = {each.said: each.owner for each in told.statement.clauses}
    every = left = 0
    for sentence in clauses_of(told.text, told.speaker):
        over_here = [clause for clause in sentence if any(clause in each for each in ended)]
        of_these = frozenset[str]().union(*(owners.get(clause, ()) for clause in over_here))
        for clause in sentence:
            letters = len(_LETTER.findall(clause))
            every += letters
            own = owners.get(clause, frozenset[str]())
            is_others = bool(own) and own.isdisjoint(of_these) and _TELLS.search(clause) is not None
            beside = bool(over_here) and clause not in read and _is_few_words(clause) and not is_others
            left += 0 if clause in over_here or beside else letters
    return left <= _LEFT * every


def _is_few_words(clause: str) -> bool:
    return len(clause.split()) <= _FEW_WORDS if clause.isascii() else len(clause) <= _FEW_CHARACTERS


def _speak_of_the_same(one: Told, other: Told) -> bool:
    """Whether two notes that cannot be read are of the same person and about the same."""
    named = one.entities & other.entities
    same = bool(named) or (bool(one.speaker) and one.speaker == other.speaker)
    left, right = terms_of(one.text) - _terms(named), terms_of(other.text) - _terms(named)
    left, right = left - terms_of(one.speaker), right - terms_of(other.speaker)
    return same and len(left & right) >= max(1.0, _UNREAD_SHARE * min(len(left), len(right)))


def _terms(names: frozenset[str]) -> frozenset[str]:
    return frozenset(term for name in names for term in terms_of(name))
