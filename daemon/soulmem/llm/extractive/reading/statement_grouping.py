"""Gathering statements into notes to be: what belongs together stays together, what was said twice is told once.

Used by `split`. Statements of one message share a note where one leans on the other (a pronoun, a fragment, a
connective, a thing both name); what has nothing to do with the rest gets a note of its own. The same words by the same
speaker on the same day are one note with every source. Work is linear in what was said.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.note_requests import Turn
from soulmem.core.schema.note_topics import Topic
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.language.content_words import content_terms, lexicon_for
from soulmem.llm.extractive.language.sentence_splitter import Sentence, language_of
from soulmem.llm.extractive.reading.assertions import CHINESE_PREDICATE, ENGLISH_PREDICATE
from soulmem.llm.extractive.reading.statements import Statement

LONGEST_NOTE = {"en": 400, "zh": 150}
MOST_TOLD_AGAIN = 6  # sources of one note beyond its own

_COLOURS = frozenset({Topic.TASTE, Topic.PLAN, Topic.FEELING, Topic.CHANGE})  # how it is told, not what about
_CONNECTED = CaselessPattern(
    r"^\W*(?:and|but|so|then|because|also|plus|which|after that|afterwards|though|still|that['’]?s why|"
    r"therefore|yet|besides|而且|但是?|不过|所以|因为|然后|后来|于是|可是|结果|接着|其中|还有|另外|同时|因此|只是)(?![a-z])"
)
_BEGINS_ANEW_ZH = LazyPattern(
    r"\W{0,4}(?:[我咱他她]|[\u4e00-\u9fff]{0,3}[爸妈姐哥弟妹]|大?前天|昨[天晚]|今[天早晚]|[上下]个?[周月]|明天)"
)
_OTHERWISE = CaselessPattern(
    r"\W{0,4}(?:and |but |though )?(?:(?:I|we|he|she|they) (?:really |certainly |still )?(?:do|does|did|am|is|are|was|were|have|has|had|can|could|will|would|should)(?:n['’]?t| not)(?: yet| any ?more| at all)?"
    r"|(?:I|we)['’]?(?:m|re) not|not (?:me|us)|so (?:do|am|did|have|would) (?:I|we)|neither (?:do|am|did|have|would) (?:I|we)|me neither|me too)\W{0,4}"
    r"|\W{0,4}(?:但是?|可是?|不过|而)?我们?(?:可|倒|就|也)?(?:不(?:想|要|同意|愿意|赞成|乐意|行|肯|敢|这么[想看])?|没有?|没同意|没答应|反对)\W{0,4}"
)
_QUOTED = LazyPattern(r"\s*(?:\"[^\"]+\"|“[^“”]+”|「[^「」]+」)[.!?。！？]?\s*")


@dataclass(frozen=True)
class Experience:
    """Statements of one message that belong together: an episodic note to be. `again`: others in the same words."""

    statements: tuple[Statement, ...]
    again: tuple[Statement, ...] = ()

    @cached_property
    def words(self) -> str:
        return " ".join(s.told if s.continues else s.sentence.text for s in self.statements)

    @cached_property
    def before(self) -> str:
        """What its speaker said just before: in this message, and last in this sitting."""
        first = self.statements[0]
        return f"{first.heard}\n{first.turn.text[: first.sentence.start]}".strip()

    @property
    def turn(self) -> Turn:
        return self.statements[0].turn

    @cached_property
    def language(self) -> str:
        return language_of(self.words)


def experiences_of(statements: Sequence[Statement]) -> list[Experience]:
    """The experiences among statements, in order. Each statement that tells something is in one of them."""
    by_turn: dict[int, list[Statement]] = {}
    for statement in statements:
        by_turn.setdefault(statement.turn.seq, []).append(statement)
    found: list[Experience] = []
    for said in by_turn.values():
        found.extend(Experience(tuple(group)) for group in _groups(said))
    return found


def _groups(said: Sequence[Statement]) -> Iterable[list[Statement]]:
    """What one message tells, cut where it turns to something else."""
    group: list[Statement] = []
    for at, statement in enumerate(said):
        if statement.untold is not None:
            # A scrap right behind what is told goes with it: "I got the job! At Siemens!"
            scrap = bool(group) and (
                _is_scrap(statement, said[at - 1], group) or _dissents(statement, said[at - 1], group)
            )
            if scrap and _fits(group, statement):
                group.append(statement)
            continue
        if group and not (_belongs(statement, group, said, at) and _fits(group, statement)):
            yield group
            group = []
        if statement.lead is not None:
            known = {id(each) for each in group}
            group[:0] = [each for each in _within(statement.lead, said[:at]) if id(each) not in known]
        group.append(statement)
    if group:
        yield group


def _within(lead: Sentence, said: Sequence[Statement]) -> list[Statement]:
    """The statements of which a lead is made, one or a few in a row."""
    end = lead.start + len(lead.text)
    return [statement for statement in said if lead.start <= statement.sentence.start < end]


def _fits(group: Sequence[Statement], statement: Statement) -> bool:
    length = sum(len(s.sentence.text) for s in group) + len(statement.sentence.text)
    return length <= LONGEST_NOTE[statement.language]


def _is_scrap(statement: Statement, before: Statement, group: Sequence[Statement]) -> bool:
    open_ended = before.sentence.text.rstrip().endswith(("...", "…", ":", "："))  # "so the result... B!"
    return group[-1] is before and statement.untold == "no_statement" and (bool(statement.terms) or open_ended)


def _dissents(statement: Statement, before: Statement, group: Sequence[Statement]) -> bool:
    """Whether somebody only says that it is otherwise with him, as in "Ada wants to stay. I do not"."""
    return group[-1] is before and _OTHERWISE.fullmatch(statement.sentence.text) is not None


def _belongs(statement: Statement, group: Sequence[Statement], said: Sequence[Statement], at: int) -> bool:
    """Whether a statement goes on with what the group tells."""
    last = group[-1]
    if at == 0 or said[at - 1] is not last or statement.sentence.is_point:
        return False
    if statement.lead is not None or statement.sentence.is_aside or last.sentence.is_aside:
        return True
    if last.question is not None and _has_predicate(statement.sentence) and not _goes_on(statement, last):
        return False  # "Which course?" is answered by "The soup.", and what follows is other news
    if _QUOTED.fullmatch(statement.sentence.text):
        return True  # somebody said so, and the sentence before tells who and when
    if _CONNECTED.match(statement.sentence.text) or not statement.terms.isdisjoint(last.terms):
        return True
    if not _has_predicate(statement.sentence) or not _has_predicate(last.sentence):
        return not statement.facts  # a fragment goes on, unless it is a fact of its own
    if statement.facts or any(s.facts for s in group):
        return False
    # Two matters are told apart where both can be named; a remark stays with what it is made on.
    about, before = _topics(statement), frozenset[Topic]().union(*map(_topics, group))
    return not about or not before or not about.isdisjoint(before)


def _goes_on(statement: Statement, answer: Statement) -> bool:
    """Whether a sentence goes on with an answer, or names what was asked about."""
    if _CONNECTED.match(statement.sentence.text) or not statement.terms.isdisjoint(answer.terms):
        return True
    if (
        statement.language == "zh"
        and _has_predicate(answer.sentence)
        and not _BEGINS_ANEW_ZH.match(statement.sentence.text)
    ):
        return True  # 刚搬完家！松北，一楼: what has no subject is of what was just said
    assert answer.question is not None
    asked = content_terms(answer.question.text)
    anaphor = lexicon_for(statement.language).anaphor
    return not statement.terms.isdisjoint(asked) or anaphor.search(statement.sentence.text) is not None


def _topics(statement: Statement) -> frozenset[Topic]:
    return frozenset(lexicon_for(statement.language).topics_of(statement.sentence.text)) - _COLOURS


def _has_predicate(sentence: Sentence) -> bool:
    return (CHINESE_PREDICATE if sentence.language == "zh" else ENGLISH_PREDICATE).search(sentence.text) is not None


def told_once(experiences: Iterable[Experience]) -> list[Experience]:
    """Without those that only repeat another of that day; it gains their statements."""
    kept: list[Experience] = []
    places: dict[tuple[str, int, str], int] = {}
    again: dict[int, list[Statement]] = {}
    for experience in experiences:
        if any(statement.question for statement in experience.statements):
            kept.append(experience)
            continue
        turn = experience.turn
        words = " ".join(word for s in experience.statements for word in s.sentence.words)
        # What is said of oneself or to the other is another thing in another mouth; what is said of a third is not.
        own = any(_personal(s) for s in experience.statements)
        place = places.setdefault((turn.speaker if own else "", turn.at_ms // DAY_MS, words), len(kept))
        if place == len(kept):
            kept.append(experience)
        else:
            again.setdefault(place, []).extend(experience.statements)
    return [
        replace(each, again=tuple(again[place][:MOST_TOLD_AGAIN])) if place in again else each
        for place, each in enumerate(kept)
    ]


def _personal(statement: Statement) -> bool:
    lexicon, text = lexicon_for(statement.language), statement.sentence.text
    return lexicon.first_person.search(text) is not None or lexicon.second_person.search(text) is not None
