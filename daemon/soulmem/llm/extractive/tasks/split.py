"""From an epoch to notes: one experience or one fact each, with sources, entities, importance and a vague gist.

Called by the engine. Works from the raw messages where they are given and from the summary's points for
messages that are not. Invariants: every quote stands in its message word for word; every statement that tells
something is in a note, however many that makes; what is told by a fact is not told by an experience once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.dates.adjacent_dates import is_denied
from soulmem.core.dates.date_parser import Granularity, Wording, find_dates, find_dates_after
from soulmem.core.importance.importance_rating import weigh
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SourceQuote, SplitRequest, SummaryPoint, Turn
from soulmem.core.schema.sentence_accounting import Untold
from soulmem.llm.extractive.details.note_details import arousal_of, details
from soulmem.llm.extractive.facts.self_facts import Fact
from soulmem.llm.extractive.language.chinese_lexicon import CHINESE
from soulmem.llm.extractive.language.content_words import entities_of, key_terms, lexicon_for
from soulmem.llm.extractive.language.lexicon import FACT_GISTS
from soulmem.llm.extractive.language.sentence_splitter import language_of
from soulmem.llm.extractive.reading.statement_grouping import MOST_TOLD_AGAIN, Experience, experiences_of, told_once
from soulmem.llm.extractive.reading.statements import MOST_TOLD, Statement, statements_of
from soulmem.llm.extractive.wording.note_gists import note_gist
from soulmem.llm.extractive.wording.standalone_sentences import day_tag, display_name, in_a_row, said


def split(request: SplitRequest) -> tuple[NoteDraft, ...]:
    """The notes of an epoch in the order things were said."""
    turns = heard(request.turns)
    texts = {turn.seq: turn.text for turn in turns}
    beyond = [p for p in request.summary.points if not any(s.seq in texts for s in p.sources)]
    drafts = [_from_point(p, speakers_of(turns)) for p in beyond]
    drafts += drafts_of(statements_of(turns, most=MOST_TOLD), speakers_of(turns))
    drafts.sort(key=lambda d: (d.sources[-1].seq, d.kind is NoteKind.SEMANTIC, d.text))
    checked = [d for d in drafts if all(s.seq not in texts or s.quote in texts[s.seq] for s in d.sources)]
    assert len(checked) == len(drafts), "a quote is not in its message"
    return tuple(replace(draft, label=f"N{index}") for index, draft in enumerate(checked, 1))


def heard(turns: Iterable[Turn]) -> list[Turn]:
    """The turns in which somebody says something."""
    return [turn for turn in turns if turn.role is not Role.SYSTEM and turn.text.strip()]


def speakers_of(turns: Iterable[Turn]) -> frozenset[str]:
    return frozenset(name for turn in turns if (name := display_name(turn.speaker, language_of(turn.text))))


def drafts_of(statements: Sequence[Statement], speakers: frozenset[str], *, literal: bool = False) -> list[NoteDraft]:
    """Notes of all statements that tell something, in no particular order.

    `literal`: in the very words of the message, behind speaker and day.
    """
    if literal:
        return [_literal(each, speakers) for each in told_once(experiences_of(statements))]
    told, alone = _facts(statements)
    drafts = [_semantic(fact, found) for fact, found in told]
    rest = [replace(s, untold=Untold.SAID_BEFORE) if id(s) in alone else s for s in statements]
    for experience in told_once(experiences_of(rest)):
        drafts.append(_episode(experience, speakers))
        for statement in experience.statements:
            if statement.untold is None:
                drafts += [_semantic(fact, [statement]) for fact in statement.facts[1:]]
    return drafts


def _facts(statements: Iterable[Statement]) -> tuple[list[tuple[Fact, list[Statement]]], set[int]]:
    """The facts that are all their statements say, each once with all of these; and which statements those are."""
    found: dict[tuple[str, str, str], tuple[Fact, list[Statement]]] = {}
    alone: set[int] = set()
    for statement in statements:
        if not statement.facts or statement.untold is not None or not _say_all(statement.facts, statement):
            continue
        alone.add(id(statement))
        for fact in statement.facts:
            before = found.get((fact.subject, fact.relation, fact.object.lower()))
            said_at = [*before[1], statement] if before else [statement]
            found[fact.subject, fact.relation, fact.object.lower()] = (fact, said_at[-MOST_TOLD_AGAIN:])
    return list(found.values()), alone


def _say_all(facts: Sequence[Fact], statement: Statement) -> bool:
    """Whether a statement says no more than its facts, and nothing that leans on something else."""
    at_ms = statement.turn.at_ms
    dated = any(not span.from_ms <= at_ms < span.to_ms for span in find_dates(statement.sentence.text, at_ms))
    if dated and not any(fact.relation == "birthday" for fact in facts):
        return False
    told = " ".join(fact.text for fact in facts)
    if statement.language == "zh":
        left = _UNSAID_ZH.sub("", statement.sentence.text)
        return all(char in told or char in CHINESE.stop for char in left if char.isalnum())
    return all(word in told.lower() or word in _UNSAID_EN for word in statement.terms)


# What a fact may leave unsaid: how strongly, and that it is so now.
_UNSAID_ZH = LazyPattern(
    r"现在|目前|一直|已经|其实|平时|特别|非常|真的|超级|今年|刚刚?|自己|一名|一个|一位|从小|严重|比较|害怕?|讨厌|家|一[只条个头匹辆家]|名字|叫做?|名叫|上班|工作|任职"
)
_UNSAID_EN = frozenset(
    """
    absolutely totally currently really btw tbh lol honestly now actually originally terrified scared afraid hate love
    enjoy adore huge detest stand truly dating seeing own adopted run bought recently usually year old phone number
    mobile email address people everyone friend call diagnosed
    """.split()
)


# How long a fact is worth knowing, by relation.
_FACT_WEIGHT = {
    "name": 0.9, "allergic_to": 0.9, "birthday": 0.8, "lives_in": 0.75, "occupation": 0.75, "works_at": 0.7,
    "relative": 0.7, "pet": 0.7, "from": 0.65, "age": 0.6, "status": 0.7, "afraid_of": 0.6, "diet": 0.65,
    "studies": 0.6, "favourite": 0.6, "dislikes": 0.55, "likes": 0.5, "activity": 0.5, "illness": 0.9, "medicine": 0.9,
    "partner": 0.8, "nickname": 0.75, "phone": 0.7, "email": 0.7, "address": 0.75, "languages": 0.6, "habit": 0.5,
    "schedule": 0.55, "moving_to": 0.65, "zodiac": 0.5,
}  # fmt: skip


def _fact_weight(fact: Fact) -> float:
    return _FACT_WEIGHT.get(fact.relation, 0.5) + 0.1 * fact.is_change


def _episode(experience: Experience, speakers: frozenset[str]) -> NoteDraft:
    turn, language = experience.turn, experience.language
    question = next((s.question for s in experience.statements if s.question), None)
    text = said(
        turn.speaker,
        turn.at_ms,
        tuple(s.told for s in experience.statements),
        question=question.text if question else "",
        language=language,
        before=experience.before,
    )
    draft = _told(text, experience, speakers)
    facts = [fact for s in experience.statements for fact in s.facts if s.untold is None]
    if not facts:
        return draft
    fact = facts[0]
    lexicon = lexicon_for(language)
    kind = NoteKind.SEMANTIC if len(experience.statements) == 1 else NoteKind.EPISODIC
    gist = FACT_GISTS[lexicon.language].get(fact.relation, draft.gist)
    return replace(
        draft,
        kind=kind,
        gist=draft.gist if fact.object.lower() in gist.lower() else gist,
        tags=tuple(dict.fromkeys((*fact_tags(fact), *draft.tags))),
        importance=round(min(1.0, max(draft.importance or 0.0, _fact_weight(fact))), 3),
        attributes=triple(fact),
    )


def _literal(experience: Experience, speakers: frozenset[str]) -> NoteDraft:
    """In the very words of the message: nothing is resolved, nothing reworded."""
    turn, language = experience.turn, experience.language
    name, day = display_name(turn.speaker, language), day_tag(turn.at_ms, language).strip()
    head = f"{name}{day}：" if language == "zh" else f"{name} {day}: ".lstrip()
    words = in_a_row([s.sentence.text for s in experience.statements])
    return replace(_told(f"{head}{words}", experience, speakers), at_ms=turn.at_ms)


def _told(text: str, experience: Experience, speakers: frozenset[str]) -> NoteDraft:
    turn, language = experience.turn, experience.language
    sources = dict.fromkeys(source for s in (*experience.statements, *experience.again) for source in s.sources)
    changed = any(fact.is_change for s in experience.statements for fact in s.facts)
    return _draft(
        text,
        experience.words,
        tuple(sources),
        event_time(experience.words, turn.at_ms, experience.before),
        told_ms=turn.at_ms,
        speaker=display_name(turn.speaker, language),
        speakers=speakers,
        extra_tags=("change",) if changed else (),
        by_companion=turn.role is Role.ASSISTANT,
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
    speaker: str,
    speakers: frozenset[str],
    extra_tags: tuple[str, ...] = (),
    by_companion: bool = False,
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
        gist=note_gist(words, entities, language),
        tags=(*(topic.value for topic in topics[:3]), *extra_tags),
        entities=entities,
        elements=details(text, told_ms, speaker=speaker, names=speakers),
        importance=weigh(words, told_ms, by_companion=by_companion).value,
        valence=lexicon.valence(words),
        arousal=arousal_of(words),
    )


def triple(fact: Fact) -> dict[str, str]:
    return {"subject": fact.subject, "relation": fact.relation, "object": fact.object}


def fact_tags(fact: Fact) -> tuple[str, ...]:
    return ("fact", fact.relation, *(("change",) if fact.is_change else ()))


def _semantic(fact: Fact, statements: Sequence[Statement]) -> NoteDraft:
    statement = statements[-1]
    lexicon = lexicon_for(statement.language)
    entities = dict.fromkeys((fact.subject, *entities_of(fact.text, frozenset({fact.subject}))))
    entities |= dict.fromkeys((fact.object,))
    sources = dict.fromkeys(source for before in statements[:-1] for source in before.sources)
    if any(len(each.facts) == 1 for each in statements):  # all it says is this fact
        sources |= dict.fromkeys(statement.sources)
    else:
        sources |= {SourceQuote(statement.turn.seq, fact.quote): None}
    return NoteDraft(
        label="",
        kind=NoteKind.SEMANTIC,
        text=fact.text,
        sources=tuple(sources),
        at_ms=statement.turn.at_ms,
        gist=note_gist("", (fact.object,), statement.language, fact.relation),
        tags=fact_tags(fact),
        entities=tuple(entity for entity in entities if entity)[:8],
        importance=round(min(1.0, _fact_weight(fact)), 3),
        valence=lexicon.valence(statement.sentence.text),
        attributes=triple(fact),
    )


_LED = 40  # characters before a date
_MOVED_TO = CaselessPattern(  # a plan that was moved is for its new day
    r"\b(?:(?:so|and|but) (?:now )?it['’]?s|now,? (?:[^.!?]{0,20}, )?(?:it['’]?s |on |at |for )?"
    r"|(?:moved|pushed|put|changed|shifted|postponed) (?:it )?(?:back |forward )?(?:to|till|until)|wants?|no wait,?)"
    r" ?(?:on |the |[a-z]+day )*$"
    r"|(?:[改挪推延换](?:成|到|在|为|至)了?|(?:推迟|延期|提前)[到至]了?)$"
)
_SOME_DAYS_MS = 14 * DAY_MS  # "11th and 12th of December" begins on a day; "these last months" does not


def event_time(words: str, at_ms: int, before: str = "") -> int:
    """When what is told happened: its most precise certain date other than the present, else when it was told."""
    spans = find_dates_after(before, words, at_ms)
    now = any(span.from_ms <= at_ms < span.to_ms for span in spans)
    told = [
        span
        for span in spans
        if span.certain
        and not is_denied(words, span)
        and (span.granularity is not Granularity.RANGE or (not now and span.to_ms - span.from_ms <= _SOME_DAYS_MS))
        and not span.from_ms <= at_ms < span.to_ms
        and not (span.wording is Wording.COMPLETE and span.granularity is Granularity.YEAR)
    ]
    moved = [span for span in told if _MOVED_TO.search(words, max(0, span.start - _LED), span.start)]
    told = moved[-1:] or told
    if not told:
        return at_ms
    best = min(told, key=lambda span: (span.to_ms - span.from_ms, span.start))
    return (best.from_ms + best.to_ms) // 2 if best.period.approximate else best.from_ms
