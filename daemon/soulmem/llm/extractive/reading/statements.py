"""Statements: the sentences of a conversation with their speaker, the question they answer, and their salience.

The common ground of summaries and notes. Salience 0..1 is the logistic of a weighted sum of what a sentence
holds: content words (fewer the more often they recur), dates, names, numbers, something done or undergone, a
self-description, an answer, being told of oneself or of a third; courtesy, bare questions and praise of the
other count against it. It depends on the words alone, never on the embedder, so it is comparable from one roll
of a summary to the next. `informs` is the line below which a summary keeps nothing, however much room there is;
`untold` is why a sentence is in no note, and depends on no room at all.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import Role, SourceQuote, Turn
from soulmem.core.schema.note_topics import Topic
from soulmem.core.schema.sentence_accounting import Untold
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.facts.self_facts import Fact, facts_of
from soulmem.llm.extractive.language.content_words import WORTH, content_terms, entities_of, lexicon_for
from soulmem.llm.extractive.language.courtesies import greets
from soulmem.llm.extractive.language.lexicon import WEIGHT
from soulmem.llm.extractive.language.sentence_splitter import Sentence
from soulmem.llm.extractive.reading.answered_questions import names_whom, question_of, tells_else, wants_to_know
from soulmem.llm.extractive.reading.assertions import is_assertion
from soulmem.llm.extractive.reading.bare_dates import LastTold, continued, told_of
from soulmem.llm.extractive.reading.context_sentences import adds_a_thing, is_fragment, is_topic, leans_back, with_lead
from soulmem.llm.extractive.reading.omission_reasons import is_quiz, telling_part, why_untold
from soulmem.llm.extractive.reading.pronoun_antecedents import (
    MOST_SENTENCES,
    RECENT,
    SITTING_MS,
    Mentions,
    heard_before,
    looked_at,
)
from soulmem.llm.extractive.wording.standalone_sentences import display_name, said

MOST_TOLD = 400
_HEARD = 40  # messages of others that a companion may remark on

_LONGEST_LEAD = 160
_SHORTEST = 2  # letters or digits
_FENCE = LazyPattern("```")

_BIAS = -2.5
_CONTENT = 0.26
_DATE = 1.3
_NAME = 0.5
_NUMBER = 0.4
_FIRST_PERSON = 0.5
_REPORT = 0.5  # a statement about a third is worth as much as one about oneself
_HAPPENING = 0.6
_SELF_DESCRIPTION = 1.0
_FACT = 0.8
_ANSWER = 0.8
_TOPIC = 1.4
_QUESTION = -2.5
_COURTESY = -3.0
_PRAISE = -1.2
_ASIDE = -0.8
_WEATHER = -1.2
_DANGLING = -0.8


@dataclass(frozen=True)
class Statement:
    """One sentence in its place.

    `question` is what it answers and `lead` the sentence before it in its message, each only where this one
    would not be understood without. `informs`: it states something, so a summary keeps it where there is room.
    `untold`: why no note tells it; None where one does.
    """

    turn: Turn
    sentence: Sentence
    salience: float
    informs: bool
    terms: frozenset[str]
    facts: tuple[Fact, ...] = ()
    question: Sentence | None = None
    lead: Sentence | None = None
    untold: Untold | None = None
    resolved: str = ""
    named_by: Sentence | None = None  # of an earlier message, where that names the person of `resolved`
    continues: bool = False  # it says when what `named_by` told is, and nothing else
    heard: str = ""  # what its speaker told last before this message, in the same sitting

    @property
    def told(self) -> str:
        """Its words, with the person named that it begins with a pronoun for, where that is certain."""
        return self.resolved or self.sentence.text

    @property
    def spoken(self) -> tuple[Sentence, ...]:
        return (self.lead, self.sentence) if self.lead else (self.sentence,)

    @cached_property
    def sources(self) -> tuple[SourceQuote, ...]:
        asked = (self.question,) if self.question else ()
        named = (self.named_by,) if self.named_by else ()
        return tuple(SourceQuote(s.seq, s.text) for s in (*asked, *named, *self.spoken))

    @property
    def language(self) -> str:
        return self.sentence.language

    @cached_property
    def text(self) -> str:
        """Self-contained: speaker, absolute date, the question if there is one."""
        return said(
            self.turn.speaker,
            self.turn.at_ms,
            (*(s.text for s in self.spoken[:-1]), self.told),
            question=self.question.text if self.question else "",
            language=self.language,
        )


@dataclass(frozen=True, slots=True)
class _Scene:
    """What the sentences of a request are judged against."""

    frequency: Counter[str]
    messages: int
    names: frozenset[str]
    lowered_names: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Marks:
    """What was found out about a sentence from its place and its form."""

    answers: bool
    courtesy: bool
    states: bool
    lead: Sentence | None
    asked: Sentence | None


def statements_of(
    turns: Iterable[Turn], context: Iterable[Turn] = (), *, most: int = MOST_SENTENCES
) -> tuple[Statement, ...]:
    """The statements of `turns` in order, courtesy included (it scores low); `context` only gives questions.

    `most`: sentences of one message that are looked at.
    """
    spoken = [turn for turn in turns if turn.role is not Role.SYSTEM and turn.text.strip()]
    before = [turn for turn in context if turn.role is not Role.SYSTEM and turn.text.strip()]
    cut = {id(turn): looked_at(turn, most) for turn in (*before[-1:], *spoken)}
    scene = _scene(spoken, cut)
    found: list[Statement] = []
    previous = before[-1] if before else None
    mentions = Mentions(scene.lowered_names | {turn.speaker.casefold() for turn in before})
    told: dict[str, LastTold] = {}
    heard_before(before[-RECENT:], mentions)
    heard: deque[str] = deque((turn.text for turn in before[-RECENT:] if turn.role is Role.USER), maxlen=_HEARD)
    for turn in spoken:
        question = None
        if previous is not None and previous.speaker != turn.speaker:
            question = question_of(previous, cut[id(previous)])
        mentions.next_message()
        made = list(_of_turn(turn, cut[id(turn)], question, scene, mentions, "\n".join(heard), told.get(turn.speaker)))
        found.extend(made)
        if turn.role is Role.USER:
            heard.append(turn.text)
        if telling := [each.sentence for each in made if each.untold is None and not each.continues]:
            told[turn.speaker] = LastTold(telling[-1], turn.at_ms)
        else:
            told.pop(turn.speaker, None)
        previous = turn
    return tuple(found)


def _scene(turns: list[Turn], cut: dict[int, tuple[Sentence, ...]]) -> _Scene:
    names = frozenset(turn.speaker.strip() for turn in turns if turn.speaker.strip())
    frequency: Counter[str] = Counter()
    for turn in turns:
        terms: set[str] = set()
        for sentence in cut[id(turn)]:
            terms |= content_terms(sentence.text)
        frequency.update(terms)
    lowered = frozenset(part for name in names for part in (name.lower(), *name.lower().split()))
    return _Scene(frequency, len(turns), names, lowered)


def _of_turn(
    turn: Turn,
    sentences: tuple[Sentence, ...],
    question: Sentence | None,
    scene: _Scene,
    mentions: Mentions,
    heard: str = "",
    last: LastTold | None = None,
) -> Iterable[Statement]:
    first = True
    before: Sentence | None = None
    name = display_name(turn.speaker, sentences[0].language) if sentences else ""
    code = _code(turn.text)
    for sentence in sentences:
        terms = frozenset(term for term in content_terms(sentence.text) if term not in scene.lowered_names)
        meant = mentions.meant(sentence, turn)
        facts = facts_of(_telling(sentence), name, (meant.person,) if meant is not None and meant.begins else ())
        courtesy = lexicon_for(sentence.language).small_talk.fullmatch(sentence.text) is not None
        courtesy = courtesy or (not facts and greets(sentence.text, scene.lowered_names))
        asks = question is not None and wants_to_know(question, scene.lowered_names)
        empty = courtesy or (not terms and sentence is not sentences[-1])
        answers = (
            asks
            and first
            and not empty
            and not sentence.is_question
            and not (question is not None and tells_else(question, sentence, terms))
        )
        asked = question if answers and _elliptic(sentence, terms, facts) else None
        of = told_of(sentence, turn, last, question) if first and len(sentences) == 1 else None
        if of is not None:
            asked, terms = None, terms | content_terms(of.text)
        resolved = meant.text if meant is not None and asked is None else ""
        leans = leans_back(sentence) or (before is not None and (before.is_question or adds_a_thing(before)))
        if of is not None:
            resolved = continued(of, sentence)
        is_named = bool(resolved) and (of is not None or (meant is not None and meant.begins))
        lead = before if asked is None and not is_named and leans else None
        states = is_assertion(sentence, terms, lexicon_for(sentence.language), courtesy=courtesy)
        marks = _Marks(answers=answers, courtesy=courtesy, states=states, lead=lead, asked=asked)
        untold = why_untold(
            sentence,
            terms,
            lexicon_for(sentence.language),
            courtesy=courtesy,
            answers=answers,
            fact=bool(facts),
            leads=before is not None,
            companion=turn.role is Role.ASSISTANT,
            name=name,
            heard=f"{heard}\n{' '.join(scene.names)}",
        )
        is_code = any(start <= sentence.start < end for start, end in code)
        if is_code or (len(sentences) > 1 and sum(map(str.isalnum, sentence.text)) < _SHORTEST):
            untold = Untold.NO_STATEMENT  # of 穿！ alone nothing can rest on
        if of is not None:
            untold = None
        if answers and turn.role is Role.ASSISTANT and question is not None and is_quiz(question.text):
            untold = Untold.SAID_BEFORE  # it says again what it was told
        yield Statement(
            turn,
            sentence,
            _salience(sentence, turn, terms, facts, scene, marks),
            states or bool(facts),
            terms,
            facts,
            asked,
            lead,
            untold,
            resolved,
            of or (meant.named_by if resolved and meant is not None else None),
            of is not None,
            last.sentence.text if last is not None and 0 <= turn.at_ms - last.at_ms <= SITTING_MS else "",
        )
        first = first and (empty or sentence.is_aside)
        plain = not courtesy and not sentence.is_aside and (untold is not Untold.QUESTION or is_topic(sentence))
        leading = with_lead(turn.text, before, sentence) if lead is not None or is_fragment(sentence) else sentence
        before = leading if plain and len(leading.text) <= _LONGEST_LEAD else None
        if not sentence.is_aside and not courtesy:
            mentions.hear(sentence, turn, is_name=answers and question is not None and names_whom(question, sentence))


def _code(text: str) -> list[tuple[int, int]]:
    """Where a message shows code between fences."""
    fences = [match.start() for match in _FENCE.finditer(text)] if "```" in text else []
    return list(zip(fences[::2], [*fences[1::2], len(text)], strict=False))


def _telling(sentence: Sentence) -> Sentence:
    """A sentence without what it asks in the end."""
    if not sentence.is_question or sentence.is_aside:
        return sentence
    part = telling_part(sentence.text, chinese=sentence.language == "zh")
    return replace(sentence, text=part) if part else sentence


def _elliptic(sentence: Sentence, terms: frozenset[str], facts: tuple[Fact, ...]) -> bool:
    """An answer too short, or too full of pronouns, to be understood without its question."""
    if sentence.is_aside or facts:
        return False
    lexicon = lexicon_for(sentence.language)
    if lexicon.reply.match(sentence.text) or len(sentence.words) <= (10 if sentence.language == "zh" else 7):
        return True
    return len(terms) <= 4 and lexicon.anaphor.search(sentence.text) is not None


def _salience(
    sentence: Sentence,
    turn: Turn,
    terms: frozenset[str],
    facts: tuple[Fact, ...],
    scene: _Scene,
    marks: _Marks,
) -> float:
    lexicon = lexicon_for(sentence.language)
    text = sentence.text
    if marks.asked is not None:
        terms = terms | content_terms(marks.asked.text)
    content = _rare_amount(terms, scene)
    score = _BIAS + _CONTENT * min(content, 12.0)
    dates = find_dates(text, turn.at_ms)
    if dates:
        score += _DATE if any(not d.from_ms <= turn.at_ms < d.to_ms for d in dates) else _DATE / 4
    names = [name for name in entities_of(text) if name.lower() not in scene.lowered_names]
    score += _NAME * min(len(names), 2)
    score += _NUMBER * lexicon.counts(text)
    first = lexicon.first_person.search(text) is not None
    second = lexicon.second_person.search(text) is not None
    score += _FIRST_PERSON if first else _REPORT * (marks.states and not second)
    score += _HAPPENING * (lexicon.happening.search(text) is not None)
    score += _SELF_DESCRIPTION * (lexicon.self_description.search(text) is not None)
    score += _FACT * bool(facts)
    score += _ANSWER * marks.answers
    topics = lexicon.topics_of(text)
    score += _TOPIC * (_topic_weight(topics) - 0.4) + _WEATHER * (topics[:1] == (Topic.WEATHER,))
    score += _QUESTION * sentence.is_question + _ASIDE * sentence.is_aside
    if content < 2 and marks.lead is None and marks.asked is None and lexicon.anaphor.search(text):
        score += _DANGLING
    if marks.courtesy and content < 4:
        score += _COURTESY
    if second and (not first or lexicon.praises(text)):
        score += _PRAISE
    return round(1.0 / (1.0 + math.exp(-score)), 4)


def _rare_amount(terms: frozenset[str], scene: _Scene) -> float:
    """Content words, each the lighter the more messages hold it."""
    total = 0.0
    for term in terms:
        share = scene.frequency[term] / max(scene.messages, 4)
        total += WORTH[term] * (1.0 if share <= 0.1 else max(0.3, 1.1 - share * 2))
    return total


def _topic_weight(topics: tuple[Topic, ...]) -> float:
    return max((WEIGHT[topic] for topic in topics if topic not in {Topic.TASTE, Topic.PLAN}), default=0.3)
