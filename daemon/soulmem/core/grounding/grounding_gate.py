"""The write gate: nothing enters the graph unless it is grounded.

Called by the split step with what an engine drafted and the raw turns it was drafted from; whatever engine that was,
it is not believed (algorithms.md §0.3, §6.3, §6.5). A draft is admitted with its quotations as they
stand in the source, or refused with a reason. What orders the memory about is kept as what somebody said. Pure and
deterministic: the answer depends on the draft and its grounds alone. In doubt about a common word, admit; who, where,
how many and when must have been said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from enum import StrEnum

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.grounding import injected_instructions, small_talk
from soulmem.core.grounding.date_repair import dated_rightly
from soulmem.core.grounding.evidence import Evidence, Grounds, Place
from soulmem.core.grounding.name_grounding import missing_names
from soulmem.core.grounding.overlap_checks import is_handed_out, restates_persona, wrong_subject
from soulmem.core.grounding.served_text_index import Origin
from soulmem.core.names.self_introductions import introduced
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SourceQuote
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass

DIRECTIVE_IMPORTANCE = 0.3
_LONGEST_DETAIL = 200
_TELLING = 2  # letters or digits of a quotation that says anything
_CJK_BLANK = LazyPattern(r"(?<=[\u3040-\u9fff])\s+(?=[\u3040-\u9fff])")


class Reason(StrEnum):
    """Why a draft was refused."""

    EMPTY = "empty"  # nothing is said
    UNQUOTED = "unquoted"  # no quotation, or one that its turn does not hold
    INJECTED = "injected"  # its words are such that we handed out ourselves
    SYSTEM_TEXT = "system_text"  # its words are those of a system message
    PERSONA = "persona"  # the card says so already
    TRIVIAL = "trivial"  # small talk
    INVENTED_NAME = "invented_name"  # a person, place, title or quotation that nobody mentioned
    INVENTED_NUMBER = "invented_number"  # a number or date that nobody mentioned
    DUPLICATE = "duplicate"  # another draft of the batch says the same


class Flag(StrEnum):
    """What was done to a draft that was admitted."""

    DIRECTIVE = "directive"  # kept as what somebody said
    QUOTE_MENDED = "quote_mended"  # the source's own spelling took the place of the draft's
    TIME_MENDED = "time_mended"  # it was dated when nobody said
    DATE_MENDED = "date_mended"  # a date that nobody said is told as it was said, or not at all


@dataclass(frozen=True, slots=True)
class Refusal:
    reason: Reason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one draft. `draft` is as admitted, or as refused; `seq` and `quote` say what it named."""

    draft: NoteDraft
    refusal: Refusal | None = None
    flags: frozenset[Flag] = field(default_factory=frozenset)

    @property
    def admitted(self) -> bool:
        return self.refusal is None


def unknown_names(drafts: Iterable[NoteDraft], grounds: Grounds) -> frozenset[str]:
    """The names of these drafts that nobody mentioned: the graph is to be asked whether it knows them."""
    said = Evidence(grounds).said
    return frozenset(name for draft in drafts for name in missing_names(draft.text, said))


def judge(drafts: Sequence[NoteDraft], grounds: Grounds) -> tuple[Verdict, ...]:
    """A verdict for each draft, in their order; of two that say the same the first stays."""
    evidence = Evidence(grounds)
    verdicts: list[Verdict] = []
    kept: dict[frozenset[str], list[NoteDraft]] = {}
    for draft in drafts:
        verdict = _judge(draft, evidence)
        if verdict.admitted:
            alike = kept.setdefault(_terms(verdict.draft.text), [])
            if any(_same_event(verdict.draft, other) for other in alike):
                verdict = _refused(draft, Reason.DUPLICATE, "another note of this batch says the same")
            else:
                alike.append(verdict.draft)
        verdicts.append(verdict)
    return tuple(verdicts)


def _judge(draft: NoteDraft, evidence: Evidence) -> Verdict:
    if not any(map(str.isalnum, draft.text)):
        return _refused(draft, Reason.EMPTY)
    places: list[Place] = []
    telling = tuple(each for each in draft.sources if sum(map(str.isalnum, each.quote)) >= _TELLING)
    if telling and telling != draft.sources:
        draft = replace(draft, sources=telling)  # 穿！ supports nothing, and what was said after it does
    for source in draft.sources:
        place = evidence.find(source.seq, source.quote)
        if place is None:
            return _not_found(draft, source, evidence)
        if place.ground.turn.role is Role.SYSTEM:
            return _refused(draft, Reason.SYSTEM_TEXT, f"message {source.seq} is the system's")
        if place.origin is not None:
            return _refused(draft, _REASON_OF.get(place.origin, Reason.INJECTED), _handed_out(place))
        places.append(place)
    if not places:
        return _refused(draft, Reason.UNQUOTED, "no source is given")
    if any(injected_instructions.is_directive(place.words) for place in places):
        return _as_said(draft, places)
    rightly = dated_rightly(draft, places, evidence)
    refusal = _unsound(rightly, places, evidence)
    if refusal:
        return Verdict(draft, refusal)
    verdict = _admitted(rightly, places, evidence)
    return verdict if rightly is draft else replace(verdict, flags=verdict.flags | {Flag.DATE_MENDED})


def _not_found(draft: NoteDraft, source: SourceQuote, evidence: Evidence) -> Verdict:
    """A quotation that is not in its turn; words of a system message or of the card are named as such."""
    grounds = evidence.grounds
    if source.quote.strip() and len(source.quote) >= 4:
        if any(tokens.fold(source.quote) in tokens.fold(text) for text in grounds.system):
            return _refused(draft, Reason.SYSTEM_TEXT, f"it quotes a system message: {source.quote}")
        if tokens.fold(source.quote) in tokens.fold(grounds.persona):
            return _refused(draft, Reason.PERSONA, f"it quotes the card: {source.quote}")
    if source.seq not in evidence.by_seq:
        return _refused(draft, Reason.UNQUOTED, f"there is no message {source.seq} to quote")
    return _refused(draft, Reason.UNQUOTED, f"message {source.seq} does not say: {source.quote}")


_REASON_OF = {Origin.SYSTEM: Reason.SYSTEM_TEXT, Origin.PERSONA: Reason.PERSONA}


def _handed_out(place: Place) -> str:
    return f"message {place.ground.turn.seq} repeats what was handed out ({place.origin}): {place.words}"


def _unsound(draft: NoteDraft, places: list[Place], evidence: Evidence) -> Refusal | None:
    """What is wrong with a draft whose quotations are right."""
    text, grounds = draft.text, evidence.grounds
    if injected_instructions.is_directive(text):
        return Refusal(Reason.UNQUOTED, "an order that its quotation does not give")
    if _is_trivial(draft, places, evidence):
        return Refusal(Reason.TRIVIAL, _clipped("small talk: " + " / ".join(place.words for place in places)))
    if restates_persona(draft, places, evidence):
        return Refusal(Reason.PERSONA, "the card says so")
    origin = is_handed_out(
        text,
        [evidence.open[place.ground.turn.seq] for place in places],
        tuple(sorted(evidence.speakers)),
        grounds.served,
    )
    if origin is not None:
        return Refusal(_REASON_OF.get(origin, Reason.INJECTED), f"it repeats what was handed out ({origin})")
    name = evidence.missing_name(text) or wrong_subject(text, places, evidence)
    if name is not None:
        return Refusal(Reason.INVENTED_NAME, _clipped(name))
    figure = evidence.missing_figure(draft, places)
    return Refusal(Reason.INVENTED_NUMBER, _clipped(figure)) if figure is not None else None


def _is_trivial(draft: NoteDraft, places: list[Place], evidence: Evidence) -> bool:
    if any(introduced(place.words) for place in places):
        return False  # who one is, is no courtesy
    people = (*evidence.speakers, *evidence.grounds.names)
    words = [_without(place.words, people) for place in places]
    if all(map(small_talk.is_courtesy, words)):
        return True
    if not all(map(small_talk.is_assent, words)):
        return False
    asked = [evidence.open[g.turn.seq] for place in places for g in evidence.before(place.ground.turn.seq, 2)]
    agreed_to = {term for text in asked for term in tokens.query_terms(text)}
    names = {term for name in people for term in tokens.segment(name)}
    return not (set(tokens.query_terms(draft.text)) - names) & agreed_to


def _without(words: str, names: Iterable[str]) -> str:
    """Words without the names they address."""
    for name in names:
        words = words.replace(name, " ")
    return words


def _as_said(draft: NoteDraft, places: list[Place]) -> Verdict:
    """What orders the memory about, as an event: who said which words."""
    turn = next(place.ground.turn for place in places if injected_instructions.is_directive(place.words))
    spoken = [place.words for place in places if place.ground.turn.speaker == turn.speaker]
    chinese = tokens.script_of(" ".join(spoken)) in {"cjk", "mixed"}
    told = replace(
        draft,
        kind=NoteKind.EPISODIC,
        text=injected_instructions.reported(turn.speaker, " ".join(spoken), chinese=chinese),
        sources=_verbatim(places),
        at_ms=turn.at_ms,
        gist="",
        tags=(),
        entities=(turn.speaker,) if turn.speaker else (),
        elements=(),
        importance=min(draft.importance or DIRECTIVE_IMPORTANCE, DIRECTIVE_IMPORTANCE),
        valence=0.0,
        attributes={"directive": True},
    )
    return Verdict(told, flags=frozenset({Flag.DIRECTIVE}))


def _admitted(draft: NoteDraft, places: list[Place], evidence: Evidence) -> Verdict:
    flags = set()
    sources = _verbatim(places)
    if sources != draft.sources:
        flags.add(Flag.QUOTE_MENDED)
    at_ms = draft.at_ms
    if not any(at_ms == place.ground.turn.at_ms for place in places) and not evidence.told_by(places)[0].when(at_ms):
        at_ms = places[0].ground.turn.at_ms
        flags.add(Flag.TIME_MENDED)
    entities = tuple(name for name in draft.entities if evidence.said.holds_name(name))
    admitted = replace(draft, sources=sources, at_ms=at_ms, entities=entities)
    return Verdict(admitted, flags=frozenset(flags))


def _verbatim(places: Iterable[Place]) -> tuple[SourceQuote, ...]:
    return tuple(dict.fromkeys(SourceQuote(place.ground.turn.seq, place.words) for place in places))


def _terms(text: str) -> frozenset[str]:
    """What a note says, whatever its order, spelling and spacing."""
    return frozenset(tokens.query_terms(_CJK_BLANK.sub("", text)))


def _same_event(one: NoteDraft, other: NoteDraft) -> bool:
    """Of two drafts in the same words: whether they also rest on the same message or the same day."""
    seqs = {source.seq for source in one.sources} & {source.seq for source in other.sources}
    return bool(seqs) or one.at_ms // DAY_MS == other.at_ms // DAY_MS


def _refused(draft: NoteDraft, reason: Reason, detail: str = "") -> Verdict:
    return Verdict(draft, Refusal(reason, _clipped(detail)))


def _clipped(detail: str) -> str:
    return detail if len(detail) <= _LONGEST_DETAIL else detail[: _LONGEST_DETAIL - 1] + "…"
