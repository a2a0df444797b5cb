"""From an epoch to notes: one experience or one fact each, with sources, entities, importance and a vague gist.

Called by the engine. Works from the raw messages where they are given and from the summary's points for
messages that are not. Invariants: every quote stands in its message word for word; courtesy becomes no note;
at most `max(12, messages / 2.5)` experiences and a quarter as many facts on top; an epoch in which anything is
stated has a note, and within the bound no statement is left out but for saying again what another said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from soulmem.core.dates import Granularity, Wording, find_dates
from soulmem.core.drafts import NoteDraft, NoteKind, Role, SourceQuote, SplitRequest, SummaryPoint, Turn
from soulmem.llm.extractive.details import arousal_of, details
from soulmem.llm.extractive.facts import Fact
from soulmem.llm.extractive.lexicon import WEIGHT, Lexicon, Topic
from soulmem.llm.extractive.redundancy import MOST_EMBEDDED, diverse_order, likeness_among
from soulmem.llm.extractive.sentences import language_of
from soulmem.llm.extractive.statements import Statement, statements_of
from soulmem.llm.extractive.terms import content_terms, entities_of, key_terms, lexicon_for
from soulmem.llm.extractive.voice import display_name, said
from soulmem.ports import Embedder
from soulmem.records import dataclass

LEAST_SALIENCE = 0.2
_LEAST_STATED = 0.06  # salience from which a plain statement is worth a note where there is room
_FEW = 3  # with fewer than these, any statement is worth one
_REPEATED = 0.75  # likeness from which a plain statement only repeats
LONGEST_NOTE = {"en": 400, "zh": 150}
_STRONG = 0.6
_MOST_CANDIDATES = 96


@dataclass(frozen=True)
class _Experience:
    """Adjoining statements of one message: an episodic note to be."""

    statements: tuple[Statement, ...]

    @cached_property
    def score(self) -> float:
        ranked = sorted((s.salience for s in self.statements), reverse=True)
        return round(ranked[0] + sum(0.1 * salience for salience in ranked[1:3]), 4)

    @property
    def informs(self) -> bool:
        return any(s.informs for s in self.statements)

    @cached_property
    def words(self) -> str:
        return " ".join(s.sentence.text for s in self.statements)

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset().union(*(s.terms for s in self.statements))

    @property
    def turn(self) -> Turn:
        return self.statements[0].turn

    @cached_property
    def language(self) -> str:
        return language_of(self.words)


def split(request: SplitRequest, embedder: Embedder | None) -> tuple[NoteDraft, ...]:
    """The notes of an epoch in the order things were said."""
    turns = [turn for turn in request.turns if turn.role is not Role.SYSTEM and turn.text.strip()]
    texts = {turn.seq: turn.text for turn in turns}
    beyond = [p for p in request.summary.points if not any(s.seq in texts for s in p.sources)]
    messages = len(turns) + len({s.seq for p in beyond for s in p.sources})
    speakers = frozenset(n for t in turns if (n := display_name(t.speaker, language_of(t.text))))
    statements = statements_of(turns)
    experiences = _experiences(statements)
    limit = max(12, math.ceil(messages / 2.5))
    facts = _facts(statements, max(2, limit // 4))
    spoken = [_episode(e, speakers) for e in _chosen(experiences, facts, limit - len(beyond), embedder)]
    drafts = [_from_point(p, speakers) for p in beyond] + spoken
    drafts += [_semantic(fact, statement) for fact, statement in facts]
    drafts.sort(key=lambda d: (d.sources[-1].seq, d.kind is NoteKind.SEMANTIC, d.text))
    checked = [d for d in drafts if all(s.seq not in texts or s.quote in texts[s.seq] for s in d.sources)]
    assert len(checked) == len(drafts), "a quote is not in its message"
    return tuple(replace(draft, label=f"N{index}") for index, draft in enumerate(checked, 1))


def _experiences(statements: Sequence[Statement]) -> list[_Experience]:
    """Each message's statements worth keeping, as one experience, or several where much is told at once."""
    least = _LEAST_STATED if sum(s.informs and s.salience >= _LEAST_STATED for s in statements) >= _FEW else 0.0
    by_turn: dict[int, list[Statement]] = {}
    for statement in statements:
        told_before = by_turn.get(statement.turn.seq)
        shown = told_before and statement.sentence.is_aside and len(statement.terms) >= 2
        if statement.salience >= (least if statement.informs else LEAST_SALIENCE) or shown:
            by_turn.setdefault(statement.turn.seq, []).append(statement)
    found: list[_Experience] = []
    for told in by_turn.values():
        group: list[Statement] = []
        length = 0
        for statement in told:
            strong = sum(s.salience >= _STRONG for s in group)
            full = length + len(statement.sentence.text) > LONGEST_NOTE[statement.language] or strong >= 3
            if group and full:
                found.append(_Experience(tuple(group)))
                group, length = [], 0
            if statement.lead is not None and not any(s.sentence is statement.lead for s in told):
                group.append(next(s for s in statements if s.sentence is statement.lead))
            group.append(statement)
            length += len(statement.sentence.text)
        found.append(_Experience(tuple(group)))
    return found


def _chosen(
    experiences: list[_Experience],
    facts: list[tuple[Fact, Statement]],
    limit: int,
    embedder: Embedder | None,
) -> list[_Experience]:
    """The best experiences, unlike one another and not merely a fact said at no greater length."""
    told = {id(statement) for fact, statement in facts if _says_no_more(fact, statement)}
    left = [e for e in experiences if not all(id(s) in told for s in e.statements)]
    left = sorted(left, key=lambda e: -e.score)[:_MOST_CANDIDATES]
    left.sort(key=lambda e: (e.turn.seq, e.statements[0].sentence.start))
    limit = max(limit, 0)
    scores, terms = [e.score for e in left], [e.terms for e in left]
    order = diverse_order(scores, terms)
    if len(left) > limit:  # vectors only help to choose: those at the edge are weighed once more
        edge = order[max(0, limit - MOST_EMBEDDED // 2) :]
        likeness = likeness_among([e.words for e in left], embedder, [pick.index for pick in edge])
        order = diverse_order(scores, terms, likeness) if likeness is not None else order
    return [
        left[pick.index]
        for pick in order
        if pick.score >= LEAST_SALIENCE or (left[pick.index].informs and pick.alike < _REPEATED)
    ][:limit]


def _says_no_more(fact: Fact, statement: Statement) -> bool:
    if find_dates(statement.sentence.text, statement.turn.at_ms) and fact.relation != "birthday":
        return False
    return len(statement.terms - content_terms(fact.text)) <= (2 if statement.language == "zh" else 1)


def _facts(statements: Iterable[Statement], limit: int) -> list[tuple[Fact, Statement]]:
    """The facts stated, each once (the last wording wins), the most salient first, back in spoken order."""
    found: dict[tuple[str, str, str], tuple[Fact, Statement]] = {}
    for statement in statements:
        for fact in statement.facts:
            found[fact.subject, fact.relation, fact.object.lower()] = (fact, statement)
    best = sorted(found.values(), key=lambda pair: (-_fact_weight(pair[0]), -pair[1].salience, pair[1].turn.seq))
    return sorted(best[:limit], key=lambda pair: (pair[1].turn.seq, pair[1].sentence.start))


# How long a fact is worth knowing, by relation.
_FACT_WEIGHT = {
    "name": 0.9, "allergic_to": 0.9, "birthday": 0.8, "lives_in": 0.75, "occupation": 0.75, "works_at": 0.7,
    "relative": 0.7, "pet": 0.7, "from": 0.65, "age": 0.6, "status": 0.7, "afraid_of": 0.6, "diet": 0.65,
    "studies": 0.6, "favourite": 0.6, "dislikes": 0.55, "likes": 0.5, "activity": 0.5,
}  # fmt: skip


def _fact_weight(fact: Fact) -> float:
    return _FACT_WEIGHT.get(fact.relation, 0.5) + 0.1 * fact.is_change


def _episode(experience: _Experience, speakers: frozenset[str]) -> NoteDraft:
    turn, language = experience.turn, experience.language
    question = next((s.question for s in experience.statements if s.question), None)
    text = said(
        turn.speaker,
        turn.at_ms,
        tuple(s.sentence.text for s in experience.statements),
        question=question.text if question else "",
        language=language,
    )
    sources = tuple(dict.fromkeys(source for s in experience.statements for source in s.sources))
    words = experience.words
    changed = any(fact.is_change for s in experience.statements for fact in s.facts)
    return _draft(
        text,
        words,
        sources,
        event_time(words, turn.at_ms),
        told_ms=turn.at_ms,
        salience=min(experience.score, 1.0),
        speaker=display_name(turn.speaker, language),
        speakers=speakers,
        extra_tags=("change",) if changed else (),
    )


def _from_point(point: SummaryPoint, speakers: frozenset[str]) -> NoteDraft:
    words = " ".join(source.quote for source in point.sources)
    at_ms = event_time(words, point.at_ms)
    speaker = next((name for name in sorted(speakers) if point.text.startswith(name)), "")
    return _draft(
        point.text,
        words,
        point.sources,
        at_ms,
        told_ms=point.at_ms,
        salience=point.salience,
        speaker=speaker,
        speakers=speakers,
    )


def _draft(
    text: str,
    words: str,
    sources: tuple[SourceQuote, ...],
    at_ms: int,
    *,
    told_ms: int,
    salience: float,
    speaker: str,
    speakers: frozenset[str],
    extra_tags: tuple[str, ...] = (),
) -> NoteDraft:
    language = language_of(words)
    lexicon = lexicon_for(language)
    topics = lexicon.topics_of(words)
    entities = entities_of(words, speakers)
    entities = tuple(dict.fromkeys((*(name for name in (speaker,) if name), *entities)))
    if language == "zh":
        entities = tuple(dict.fromkeys((*entities, *key_terms(words))))[:10]
    return NoteDraft(
        label="",
        kind=NoteKind.EPISODIC,
        text=text,
        sources=sources,
        at_ms=at_ms,
        gist=_gist(lexicon, topics, entities),
        tags=(*(topic.value for topic in topics[:3]), *extra_tags),
        entities=entities,
        elements=details(text, told_ms, speaker=speaker, names=speakers),
        importance=_importance(topics, salience),
        valence=lexicon.valence(words),
        arousal=arousal_of(words),
    )


def _gist(lexicon: Lexicon, topics: tuple[Topic, ...], entities: tuple[str, ...]) -> str:
    gist = lexicon.gists[topics[0]] if topics else lexicon.default_gist
    leaks = any(entity and entity.lower() in gist.lower() for entity in entities)
    return lexicon.default_gist if leaks else gist


def _importance(topics: tuple[Topic, ...], salience: float) -> float:
    """0..1: mostly what it is about, partly how much is said; talk of the weather stays low."""
    if topics == (Topic.WEATHER,):
        return round(0.1 + 0.1 * salience, 3)
    topic = WEIGHT[topics[0]] if topics else 0.25
    return round(min(1.0, 0.05 + 0.7 * topic + 0.25 * salience), 3)


def _semantic(fact: Fact, statement: Statement) -> NoteDraft:
    lexicon = lexicon_for(statement.language)
    kind_gist = lexicon.fact_gists.get(fact.relation, lexicon.default_gist)
    entities = dict.fromkeys((fact.subject, *entities_of(fact.text, frozenset({fact.subject}))))
    entities |= dict.fromkeys((fact.object,))
    return NoteDraft(
        label="",
        kind=NoteKind.SEMANTIC,
        text=fact.text,
        sources=(SourceQuote(statement.turn.seq, fact.quote),),
        at_ms=statement.turn.at_ms,
        gist=lexicon.default_gist if fact.object.lower() in kind_gist.lower() else kind_gist,
        tags=("fact", fact.relation, *(("change",) if fact.is_change else ())),
        entities=tuple(entity for entity in entities if entity)[:8],
        importance=round(min(1.0, _fact_weight(fact)), 3),
        valence=lexicon.valence(statement.sentence.text),
        attributes={"subject": fact.subject, "relation": fact.relation, "object": fact.object},
    )


def event_time(words: str, at_ms: int) -> int:
    """When what is told happened: its most precise date other than the present, else when it was told."""
    told = [
        span
        for span in find_dates(words, at_ms)
        if span.granularity is not Granularity.RANGE
        and not span.from_ms <= at_ms < span.to_ms
        and not (span.wording is Wording.COMPLETE and span.granularity is Granularity.YEAR)
    ]
    if not told:
        return at_ms
    best = min(told, key=lambda span: (span.to_ms - span.from_ms, span.start))
    return (best.from_ms + best.to_ms) // 2 if best.period.approximate else best.from_ms
