"""The contract of `split`: an epoch becomes notes, each resting on words that were said (ALGORITHMS §6.2, §6.3).

The model proposes; what it says of places in a text, of time and of sources is worked out or checked here. Invariants:
every note has a source; every quotation stands in its message word for word; offsets are ours; no gist gives away what
it stands for. A note that fails is left out, the rest stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from soulmem.core.drafts import ElementDraft, NoteDraft, NoteKind, SourceQuote, SplitRequest
from soulmem.core.instants import to_iso
from soulmem.core.tasks import Task
from soulmem.core.tokens import estimate_tokens, fold
from soulmem.llm.contracts import wording
from soulmem.llm.contracts.base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.elements import Detailed, ElementItem, detailed
from soulmem.llm.contracts.fields import (
    Items,
    ListAnswer,
    MaybeText,
    Number,
    Part,
    Text,
    Texts,
    one_line,
    within,
    word_of,
)
from soulmem.llm.contracts.grounds import Grounds
from soulmem.llm.contracts.importance import Rating
from soulmem.llm.contracts.labels import shown_list
from soulmem.llm.contracts.times import happened_at, read_time
from soulmem.llm.extractive import details as extractive
from soulmem.records import dataclass

TRANSCRIPT_TOKENS = 3_500
MOST_NOTES = 12
MOST_READ = 60  # notes of an answer that are looked at
LONGEST_NOTE = 1_000  # characters
MOST_SOURCES = 8
LITTLE_TALK = 120  # tokens of talk up to which no note at all is believed
_MOST_WORDS = {"tags": 8, "entities": 10, "context": 8}
_LONGEST_WORD = 60  # characters

_KINDS = {
    "specific": NoteKind.EPISODIC,
    "abstract": NoteKind.ABSTRACT,
    "semantic": NoteKind.SEMANTIC,
    "action": NoteKind.PROCEDURAL,
    "trigger": NoteKind.TRIGGER,
}
_ALSO = {
    "episodic": "specific", "episodic.specific": "specific", "event": "specific", "experience": "specific",
    "episodic.abstract": "abstract", "concept": "semantic", "fact": "semantic", "procedural": "action",
    "procedural.action": "action", "habit": "action", "具体": "specific", "抽象": "abstract", "语义": "semantic",
    "事实": "semantic", "行为": "action", "习惯": "action", "触发": "trigger",
}  # fmt: skip


class SourceItem(Answer):
    """A line by its label and words copied from it; a point of the summary by its label alone."""

    turn: Text = ""
    quote: MaybeText = None


class SpecificItem(Answer):
    """The circumstances of something that happened."""

    start: MaybeText = None
    end: MaybeText = None
    location: MaybeText = None
    participants: Texts = Field(default_factory=list)
    emotions: Texts = Field(default_factory=list)
    sensory: Texts = Field(default_factory=list)
    environment: MaybeText = None
    events: Texts = Field(default_factory=list)


class SemanticItem(Answer):
    """A concept, and the fact it states as subject, relation, object."""

    subject: MaybeText = None
    relation: MaybeText = None
    object: MaybeText = None
    aliases: Texts = Field(default_factory=list)
    concept_type: Annotated[
        Literal["entity", "abstract"] | None, BeforeValidator(word_of(("entity", "abstract"), {}))
    ] = None
    description: MaybeText = None


class NoteItem(Answer):
    type: Annotated[
        Literal["specific", "abstract", "semantic", "action", "trigger"] | None,
        BeforeValidator(word_of(tuple(_KINDS), _ALSO)),
        WithJsonSchema({"type": "string", "enum": list(_KINDS)}),
    ] = None
    sources: Items[SourceItem] = Field(default_factory=list)
    text: Text = ""
    gist: Text = ""
    tags: Texts = Field(default_factory=list)
    entities: Texts = Field(default_factory=list)
    importance: Rating = None
    valence: Number = None
    specific: Part[SpecificItem] = None
    semantic: Part[SemanticItem] = None
    elements: Items[ElementItem] = Field(default_factory=list)


class SplitAnswer(ListAnswer):
    notes: Items[NoteItem]


@dataclass(frozen=True, slots=True)
class _Checked:
    draft: NoteDraft
    details: Detailed


def _texts(request: SplitRequest) -> str:
    turns = [turn.text for turn in wording.spoken(request.turns)]
    return wording.sample(turns or [point.text for point in request.summary.points])


def _describe(request: SplitRequest) -> Mapping[str, str]:
    lang = wording.language_for(request.language, [_texts(request)])
    turns = wording.spoken(request.turns)
    character = wording.told(request.character, 40)
    lines = wording.transcript(turns, lang, tokens=TRANSCRIPT_TOKENS, character=character)
    return {
        "character": character or {"en": "the character", "zh": "这个角色"}[lang],
        "summary": wording.points_of(request.summary, lang),
        "transcript": lines,
        "most": str(MOST_NOTES),
    }


def _read(answer: SplitAnswer, request: SplitRequest) -> tuple[NoteDraft, ...]:
    grounds = Grounds(wording.spoken(request.turns), request.summary.points)
    kept: dict[tuple[NoteKind, str], _Checked] = {}
    reasons: list[str] = []
    for place, item in enumerate(answer.notes[:MOST_READ], 1):
        if len(kept) >= MOST_NOTES:
            break
        checked = _note(item, grounds)
        if isinstance(checked, str):
            reasons.append(f"note {place}: {checked}")
        else:
            kept.setdefault((checked.draft.kind, fold(checked.draft.text)), checked)
    if not kept:
        _reject_unless_little_was_said(reasons, grounds)
    drafts = tuple(replace(each.draft, label=f"N{place}") for place, each in enumerate(kept.values(), 1))
    judged = sum(each.details.judged for each in kept.values())
    leaking = sum(each.details.leaking for each in kept.values())
    if 2 * leaking > judged:
        message = (
            f"{leaking} of {judged} gists are longer than 60 characters or repeat the words they stand for: "
            "a gist must be vaguer, such as someone, some place, an outing"
        )
        raise RejectedAnswerError(message, rest=drafts)
    return drafts


def _reject_unless_little_was_said(reasons: list[str], grounds: Grounds) -> None:
    if reasons:
        raise RejectedAnswerError("; ".join(reasons[:3]))
    texts = [turn.text for turn in grounds.turns.values()] or [point.text for point in grounds.points.values()]
    if sum(map(estimate_tokens, texts)) > LITTLE_TALK:
        raise RejectedAnswerError("notes is empty, but there is more than small talk: write down what was told")


def _note(item: NoteItem, grounds: Grounds) -> _Checked | str:
    """The note, or why it cannot be one."""
    text = one_line(item.text)
    if not text:
        return "it has no text"
    if len(text) > LONGEST_NOTE:
        return f"its text is longer than {LONGEST_NOTE} characters: one note is one experience, concept or habit"
    sources = _sources(item, grounds)
    if isinstance(sources, str):
        return sources
    kind = _KINDS[item.type or ("semantic" if item.semantic is not None else "specific")]
    told_at = _told_at(sources, item, grounds)
    specific = item.specific if kind is NoteKind.EPISODIC else None
    details = detailed(
        text,
        item.gist,
        item.elements,
        episodic=kind is NoteKind.EPISODIC,
        people=specific.participants if specific else (),
        places=[specific.location] if specific and specific.location else (),
        at_ms=told_at,
    )
    draft = NoteDraft(
        label="",
        kind=kind,
        text=text,
        sources=sources,
        at_ms=happened_at(specific.start, told_at) if specific else told_at,
        gist=details.gist,
        tags=_words(item.tags, "tags"),
        entities=_entities(item, text, sources),
        elements=details.elements or _details(text, kind, told_at, specific),
        importance=None if item.importance is None else item.importance / 10,
        valence=round(within(item.valence, -1, 1, 0.0), 3),
        arousal=extractive.arousal_of(text),
        attributes=_attributes(item, kind, told_at),
    )
    return _Checked(draft, details)


def _details(text: str, kind: NoteKind, told_at: int, specific: SpecificItem | None) -> tuple[ElementDraft, ...]:
    """What fades of an event by itself where the answer names nothing that stands in its text."""
    if kind is not NoteKind.EPISODIC:
        return ()
    return extractive.details(text, told_at, names=specific.participants if specific else ())


def _sources(item: NoteItem, grounds: Grounds) -> tuple[SourceQuote, ...] | str:
    """What a note rests on, each once; or why that is nothing."""
    found: list[SourceQuote] = []
    reason = "it names no source"
    for source in item.sources[: 2 * MOST_SOURCES]:
        lines, points = grounds.meant((source.turn,))
        if points:
            found += grounds.inherited(points)
        elif not lines:
            reason = f"its source {source.turn[:20]!r} is none of {shown_list((*grounds.turns, *grounds.points))}"
        elif (quoted := grounds.quoted(lines[0], source.quote or "")) is not None:
            found.append(quoted)
        else:
            reason = f"its quote does not stand in line {lines[0]}: copy it word for word"
    return tuple(dict.fromkeys(found))[:MOST_SOURCES] or reason


def _told_at(sources: tuple[SourceQuote, ...], item: NoteItem, grounds: Grounds) -> int:
    """When what a note rests on was said: the last of its lines, else the last of its points."""
    seqs = {source.seq for source in sources}
    said = [turn.at_ms for turn in grounds.turns.values() if turn.seq in seqs]
    if said:
        return max(said)
    _, points = grounds.meant(source.turn for source in item.sources)
    return max(grounds.points[label].at_ms for label in points)


def _words(given: list[str], what: str) -> tuple[str, ...]:
    """Short words, each once."""
    words = (one_line(word).strip("#[]\"' ") for word in given)
    return tuple(dict.fromkeys(word for word in words if 0 < len(word) <= _LONGEST_WORD))[: _MOST_WORDS[what]]


def _entities(item: NoteItem, text: str, sources: tuple[SourceQuote, ...]) -> tuple[str, ...]:
    """The names that occur in the note or in what it rests on; others were made up."""
    known = fold(" ".join([text, *(source.quote for source in sources)]))
    return tuple(name for name in _words(item.entities, "entities") if fold(name) in known)


def _attributes(item: NoteItem, kind: NoteKind, told_at: int) -> dict[str, Any]:
    """What else is known of a note: a fact's subject, relation and object; the circumstances of an event."""
    found: dict[str, Any] = {}
    if kind is NoteKind.SEMANTIC and item.semantic is not None:
        fact = item.semantic
        relation = "_".join((fact.relation or "").lower().replace("-", " ").split())
        triple = {"subject": fact.subject, "relation": relation, "object": fact.object}
        if all(part and len(part) <= 120 for part in triple.values()):
            found |= {name: one_line(part or "") for name, part in triple.items()}
        found |= {"aliases": list(_words(fact.aliases, "context")), "concept_type": fact.concept_type}
        found["description"] = one_line(fact.description or "")[:300]
    if kind is NoteKind.EPISODIC and item.specific is not None:
        event = item.specific
        for name in ("participants", "emotions", "sensory", "events"):
            found[name] = list(_words(getattr(event, name), "context"))
        found |= {"location": one_line(event.location or "")[:120]}
        found |= {"environment": one_line(event.environment or "")[:120]}
        if (end := read_time(event.end, told_at)) is not None:
            found["end"] = to_iso(end[1])
    return {name: value for name, value in found.items() if value}


SPLIT: Contract[SplitRequest, SplitAnswer, tuple[NoteDraft, ...]] = Contract(
    task=Task.SPLIT, answer=SplitAnswer, describe=_describe, read=_read, text=_texts
)
