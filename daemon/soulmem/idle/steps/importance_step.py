"""Importance step: how much each new note matters and how long it keeps, whoever drafted it.

Called by `split_step` for what was admitted. What an engine rated is corrected by the words of the note and of what it
rests on (`core.importance.importance_rating`), so that an allergy is vital with a small model, with a large one and
with none. Runs in a worker thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from soulmem.core.decay.decay_policy import Fading
from soulmem.core.details.elements import Element, born, fact_spans, fitting, kept_alike
from soulmem.core.facts.fact_reader import asked_before
from soulmem.core.importance import importance_rating
from soulmem.core.importance.importance_rating import Importance
from soulmem.core.importance.retention_periods import PLAIN_FROM, VITAL_FROM, Keeping, Level
from soulmem.core.linking.contiguity import BREATH_MS
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import ElementDraft, NoteDraft, NoteKind, Role
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.store.messages.message_log import Message

_LOOKED_BACK = 240  # characters before a quote
_JOINED = LazyPattern(r"(?P<lead>[^.!?。！？\n;；]{2,200})[;；]\s*$")
_PUT_RIGHT = VITAL_FROM + 0.01


@dataclass(frozen=True, slots=True)
class Weighed:
    """A draft with its importance settled, the elements that hold, and what decides how long it keeps."""

    draft: NoteDraft
    details: tuple[ElementDraft, ...]
    keeping: Keeping

    @property
    def importance(self) -> float:
        return self.draft.importance or 0.0

    def elements(self, now_exp: int, fading: Fading) -> tuple[Element, ...]:
        """The elements of the note, beginning now."""
        return born(
            self.details, now_exp, fading, importance=self.importance, arousal=self.draft.arousal, keeping=self.keeping
        )


def weighed(drafts: Sequence[NoteDraft], by_seq: Mapping[int, Message], now: int) -> list[Weighed]:
    """The drafts of an epoch, in their order. `now`: wall time, UTC milliseconds.

    A trifle is remembered with what it was told with: in one breath with what is none, it counts as a plain statement.
    """
    told = [[by_seq[source.seq] for source in draft.sources] for draft in drafts]
    found = [_found(draft, messages) for draft, messages in zip(drafts, told, strict=True)]
    rated = [
        replace(draft, importance=importance_rating.corrected(draft.importance, weight))
        for draft, weight in zip(drafts, found, strict=True)
    ]
    weighty = {
        messages[-1].seq: messages[-1]
        for draft, messages in zip(rated, told, strict=True)
        if (draft.importance or 0.0) >= PLAIN_FROM and draft.kind is not NoteKind.SEMANTIC
    }
    return [
        _kept(_lifted(draft, messages[-1], weighty), weight, now)
        for draft, messages, weight in zip(rated, told, found, strict=True)
    ]


def _lifted(draft: NoteDraft, told: Message, weighty: Mapping[int, Message]) -> NoteDraft:
    """A draft, as a plain statement if it is a trifle told in one breath with one of these messages, by number."""
    if (draft.importance or 0.0) >= PLAIN_FROM or told.role is Role.ASSISTANT:
        return draft
    around = (weighty.get(seq) for seq in (told.seq, told.seq - 1, told.seq + 1))
    if any(other is not None and _in_one_breath(told, other) for other in around):
        return replace(draft, importance=PLAIN_FROM)
    return draft


def _in_one_breath(one: Message, other: Message) -> bool:
    """Whether two messages side by side are one, or one is what the same person went on to say."""
    return one.seq == other.seq or (one.speaker == other.speaker and abs(one.at - other.at) <= BREATH_MS)


def _kept(rated: NoteDraft, found: Importance, now: int) -> Weighed:
    details = fitting(rated.text, rated.kind, rated.elements, gist=rated.gist).elements
    keeping = importance_rating.keeping(found, rated.importance or 0.0, rated.kind, rated.text, now)
    if rated.kind is NoteKind.SEMANTIC:
        keeping = replace(keeping, sense=(*keeping.sense, *fact_spans(rated.text, details, rated.attributes)))
    return Weighed(rated, details, kept_alike(rated.text, details, keeping))


def _led_by(draft: NoteDraft, told: Sequence[Message]) -> str:
    """What a semicolon joins the quotes of a draft to, in the message they were told in."""
    ahead = []
    for source, message in zip(draft.sources, told, strict=True):
        at = message.content.find(source.quote) if source.quote else -1
        match = _JOINED.search(message.content[max(0, at - _LOOKED_BACK) : at]) if at > 0 else None
        ahead += [match["lead"]] if match else []
    return "\n".join(ahead)


def _found(draft: NoteDraft, told: Sequence[Message]) -> Importance:
    """What the words show that were said; those of the note where they alone show why it is vital.

    A note names people where they said "I", which lends it no weight.
    """
    found = _weighed_words(draft, told)
    if any(message.version > 1 for message in told):  # what somebody took the trouble to put right matters to them
        return replace(found, value=max(found.value, _PUT_RIGHT), sense=(), after=None)
    return found


def _told_quotes(draft: NoteDraft) -> list[str]:
    """What a note rests on and tells; a quote that only says who "she" is lends it no weight."""
    quotes = [source.quote for source in draft.sources if source.quote]
    if len(quotes) < 2:
        return quotes
    told = set(tokens.segment(draft.text))
    kept = [quote for quote in quotes if 2 * len(told & (said := set(tokens.segment(quote)))) >= len(said)]
    return kept or quotes


def _weighed_words(draft: NoteDraft, told: Sequence[Message]) -> Importance:
    at = max(message.at for message in told)
    answers = max(told, key=lambda message: message.seq).role is Role.ASSISTANT and asked_before(draft.text)
    by_companion = bool(answers) or all(message.role is Role.ASSISTANT for message in told)
    said = "\n".join(message.content for message in told)
    noted = importance_rating.weigh(draft.text, at, said=said, by_companion=by_companion)
    quoted = "\n".join(_told_quotes(draft))
    spoken = importance_rating.weigh(quoted, at, said=said, by_companion=by_companion) if quoted else noted
    if spoken.level is not Level.VITAL and (lead := _led_by(draft, told)):
        # "I have asthma; cold air sets it off": the rest of what is vital is no small thing.
        leading = importance_rating.weigh(lead, at, said=said, by_companion=by_companion)
        spoken = leading if leading.level is Level.VITAL else spoken
    until = max((each.until_ms for each in (noted, spoken) if each.until_ms is not None), default=None)
    if noted.level is Level.VITAL:
        return replace(noted, value=max(noted.value, spoken.value), until_ms=until)
    if spoken.level is Level.VITAL:  # the note words it otherwise: all of it is what matters
        return replace(spoken, sense=(), until_ms=until)
    return replace(spoken, until_ms=until)
