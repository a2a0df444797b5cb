"""The contract of `split`: a slice of talk becomes notes, each resting on words that were said (algorithms.md §6.2,
§6.3).

The model says what happened and copies the words that prove it; sources, times, names, facts, feelings, tags and what
of a note may fade are worked out here, by rules. Invariants: every note rests on a line of the slice; every quotation
stands in its message word for word; offsets are ours. A note that fails is left out, the rest stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from soulmem.core.dates.date_parser import Wording, find_dates, resolve_dates
from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import Anchor, ElementDraft, NoteDraft, NoteKind, SourceQuote, SplitRequest, Turn
from soulmem.core.text.tokens import estimate_tokens, fold, wording_language
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Choice, Items, ListAnswer, MaybeText, Rating, Text, one_line
from soulmem.llm.contracts.parts.answer_times import happened_at, read_time
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import character_of, who_is_who
from soulmem.llm.contracts.parts.quoted_sources import Grounds
from soulmem.llm.contracts.parts.short_labels import shown_list
from soulmem.llm.extractive.details import note_details as extractive
from soulmem.llm.extractive.facts.self_facts import Fact, facts_of
from soulmem.llm.extractive.language.content_words import entities_of, lexicon_for
from soulmem.llm.extractive.language.sentence_splitter import Sentence
from soulmem.llm.extractive.tasks.split import event_time
from soulmem.llm.extractive.wording.note_gists import note_gist

TRANSCRIPT_TOKENS = 3_500
CONTEXT_TOKENS = 200
MOST_READ = 80  # notes of an answer that are looked at
LONGEST_NOTE = 1_000  # characters
MOST_LINES = 4  # that one note rests on
LITTLE_TALK = 120  # tokens of talk up to which no note at all is believed
_LONGEST_FACT = 120  # characters of a time in words
_MOST_TAGS, _MOST_ENTITIES = 3, 10

# What makes a habit of what was told once, and what shows that it was told as one.
_ROUTINE = re.compile(
    r"\b(?:usually|often|always|regularly|frequently|constantly) |经常|常常|时常|总是|老是|一直", re.IGNORECASE
)
_REGULAR = re.compile(
    r"\b(?:usual\w*|often|always|regular\w*|frequent\w*|constant\w*|every|each|daily|weekly|most|never|habit|keep|kept|"
    r"tend|used to|all the time|\w+days|mornings|evenings|nights|weekends)\b"
    r"|常|总|老|每|一直|习惯|天天|平时|向来|从来|都",
    re.IGNORECASE,
)

_KINDS = {
    "specific": NoteKind.EPISODIC,
    "abstract": NoteKind.ABSTRACT,
    "semantic": NoteKind.SEMANTIC,
    "action": NoteKind.PROCEDURAL,
    "trigger": NoteKind.TRIGGER,
}
_ALSO = {
    "episodic": "specific", "episodic.specific": "specific", "event": "specific", "experience": "specific",
    "plan": "specific", "promise": "specific", "episodic.abstract": "abstract", "concept": "semantic",
    "fact": "semantic", "procedural": "action", "procedural.action": "action", "habit": "action",
    "具体": "specific", "事件": "specific", "经历": "specific", "抽象": "abstract", "语义": "semantic",
    "事实": "semantic", "行为": "action", "习惯": "action", "触发": "trigger",
}  # fmt: skip


class NoteItem(Answer):
    """One note: the line it was said in, words of that line, and what is to be kept."""

    line: Text = ""
    quote: Text = ""
    type: Annotated[str | None, Choice(_KINDS, _ALSO)] = None
    text: Text = ""
    when: MaybeText = None
    importance: Rating = None


class SplitAnswer(ListAnswer):
    notes: Items[NoteItem]


def _variables(request: SplitRequest, lang: str) -> dict[str, str]:
    turns, before = prompt_wording.spoken(request.turns), prompt_wording.spoken(request.context)
    character = character_of(request.cast, lang, (*before, *turns))
    return {
        "character": character,
        "who": who_is_who(request.cast, lang, (*before, *turns)),
        "context": prompt_wording.transcript(before, lang, tokens=CONTEXT_TOKENS, character=character, label=False),
        "transcript": prompt_wording.transcript(turns, lang, tokens=TRANSCRIPT_TOKENS, character=character),
    }


def _read(answer: SplitAnswer, request: SplitRequest) -> tuple[NoteDraft, ...]:
    grounds = Grounds(prompt_wording.spoken(request.turns))
    kept: dict[tuple[NoteKind, str], NoteDraft] = {}
    reasons: list[str] = []
    for place, item in enumerate(answer.notes[:MOST_READ], 1):
        draft = _note(item, grounds)
        if isinstance(draft, str):
            reasons.append(f"note {place}: {draft}")
        else:
            kept.setdefault((draft.kind, fold(draft.text)), draft)
    if not kept:
        _reject_unless_little_was_said(reasons, grounds)
    return tuple(replace(draft, label=f"N{place}") for place, draft in enumerate(kept.values(), 1))


def _reject_unless_little_was_said(reasons: list[str], grounds: Grounds) -> None:
    if reasons:
        raise RejectedAnswerError("; ".join(reasons[:3]))
    if sum(estimate_tokens(turn.text) for turn in grounds.turns.values()) > LITTLE_TALK:
        raise RejectedAnswerError("notes is empty, but there is more than small talk: write down what was told")


def _note(item: NoteItem, grounds: Grounds) -> NoteDraft | str:
    """The note, or why it cannot be one."""
    text = one_line(item.text)
    if not text:
        return "it has no text"
    if len(text) > LONGEST_NOTE:
        return f"its text is longer than {LONGEST_NOTE} characters: one note is one thing"
    sources = _sources(item, grounds)
    if isinstance(sources, str):
        return sources
    main = next(turn for turn in grounds.turns.values() if turn.seq == sources[0].seq)
    facts = _facts(sources, main, text)
    kind = _KINDS[item.type or "specific"]
    said = " ".join(grounds.turns[f"T{source.seq}"].text for source in sources)
    if _ROUTINE.search(text) and not _REGULAR.search(said):  # once is no habit
        text = one_line(_ROUTINE.sub("", text))
        kind = NoteKind.EPISODIC if kind is NoteKind.PROCEDURAL else kind
    text = _dated(text, main)
    is_event = kind is NoteKind.EPISODIC
    attributes = _attributes(item, kind, facts, main.at_ms)
    relation = str(attributes.get("relation", ""))
    words = " ".join([text, *(source.quote for source in sources)])
    lexicon = lexicon_for(wording_language(text))
    entities = entities_of(text, frozenset({main.speaker} if main.speaker else ()))
    return NoteDraft(
        label="",
        kind=kind,
        text=text,
        sources=sources,
        at_ms=_at(item, text, main) if is_event else main.at_ms,
        gist=note_gist(words, entities, wording_language(text), relation),
        tags=tuple(topic.value for topic in lexicon.topics_of(words)[:_MOST_TAGS]),
        entities=tuple(dict.fromkeys(entities))[:_MOST_ENTITIES],
        elements=_elements(text, main) if is_event or kind is NoteKind.SEMANTIC else (),
        importance=None if item.importance is None else item.importance / 10,
        valence=lexicon.valence(words),
        arousal=extractive.arousal_of(text),
        attributes=attributes,
    )


def _dated(text: str, told: Turn) -> str:
    """The text with the day that "yesterday" or "on the 9th" was, where the model left the words of the line.

    Only where line and note are read alike: a note says "yesterday" for years.
    """
    said = {told.text[span.start : span.end].casefold(): span for span in find_dates(told.text, told.at_ms)}
    left = [span for span in find_dates(text, told.at_ms) if span.wording is not Wording.COMPLETE]
    for span in left:
        own = said.get(text[span.start : span.end].casefold())
        if own is None or not own.certain or own.period != span.period:
            return text
    return resolve_dates(text, told.at_ms, wording_language(text)) if left else text


def _at(item: NoteItem, text: str, told: Turn) -> int:
    """When an event happened: as the model says, else as its own words do."""
    if item.when and item.when.strip():
        return happened_at(item.when, told.at_ms)
    return event_time(text, told.at_ms)


def _sources(item: NoteItem, grounds: Grounds) -> tuple[SourceQuote, ...] | str:
    """What a note rests on, the line that holds the quotation first; or why that is nothing."""
    lines, _ = grounds.meant(item.line.replace("，", ",").replace("、", ",").split(","))
    if not lines:
        return f"its line {item.line[:20]!r} is none of {shown_list(grounds.turns)}"
    found = [quoted for line in lines[:MOST_LINES] if (quoted := grounds.quoted(line, item.quote)) is not None]
    if not found:
        return f"its quote does not stand in line {lines[0]}: copy it word for word"
    return tuple(dict.fromkeys(found))


def _elements(text: str, told: Turn) -> tuple[ElementDraft, ...]:
    """What of an event fades by itself, by rules: models quote what is not there, and one detail inside another.

    One detail of it at most is anchored because it struck.
    """
    names = frozenset({told.speaker}) if told.speaker else frozenset[str]()
    found = extractive.details(text, told.at_ms, speaker=told.speaker, names=names)
    struck = [each for each in found if each.anchor is Anchor.SPONTANEOUS]
    return tuple(replace(each, anchor=Anchor.NONE) if each in struck[1:] else each for each in found)


def _facts(sources: Sequence[SourceQuote], told: Turn, text: str) -> tuple[Fact, ...]:
    """What can be read in the quoted words, else in the note: in the same form whichever engine wrote it down."""
    for words in (*(source.quote for source in sources), text):
        found = facts_of(Sentence(told.seq, 0, words), told.speaker)
        if found:
            return found
    return ()


def _attributes(item: NoteItem, kind: NoteKind, facts: Sequence[Fact], told_at: int) -> dict[str, Any]:
    """What else is known of a note: a fact's subject, relation and object; when an event ends."""
    found: dict[str, Any] = {}
    if kind is NoteKind.SEMANTIC and len(facts) == 1:
        found |= {"subject": facts[0].subject, "relation": facts[0].relation, "object": facts[0].object}
    if kind is NoteKind.EPISODIC and read_time(item.when, told_at) is None and item.when and item.when.strip():
        found["when"] = one_line(item.when)[:_LONGEST_FACT]  # in words: no day is made of them
    return found


SPLIT = Contract(
    Task.SPLIT, SplitAnswer, _variables, _read, lambda asked: (turn.text for turn in prompt_wording.spoken(asked.turns))
)
