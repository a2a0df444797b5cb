"""Event dating: what happened at an event gets the day that was told of the event.

Called by `split_step` with the drafts that were admitted. "At the gig our amp caught fire" says no day; the note of
"we have a gig on Friday the 13th" does. Looked for in the talk itself and in the notes of the same conversation that
share the words of the event. Read-only. Invariants: a note that was dated so rests on the message that tells the day
too, so that it is made anew when that message is changed or deleted; only the same speaker lends it, and nothing that
is asked or that no note may be made of; what is not sure stays without a day (`core/facts/event_dates.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import anyio.to_thread

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.dates.date_parser import render_day
from soulmem.core.facts.event_dates import EventDay, dated, event_days, meant
from soulmem.core.facts.event_references import Reference, references
from soulmem.core.facts.validity_intervals import Ending
from soulmem.core.questions.question_detection import only_asks
from soulmem.core.regex.lazy_regex import HAN, LazyPattern
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SourceQuote, Turn
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.grounding_step import Reading
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.index import fts
from soulmem.store.messages import amendments, message_log
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

_OWNING = LazyPattern(r"['’]s?\b")
_MOST_NOTES = 16  # that share the words of an event, the best first
_MOST_EVENTS = 40  # that one talk names


@dataclass(frozen=True, slots=True)
class _Named:
    """A draft, and the event that its words `said` name."""

    draft: NoteDraft
    turn: Turn
    said: str
    reference: Reference


@dataclass(frozen=True, slots=True)
class _Known:
    """What earlier talks told of events: quotations with their messages; how often those talks had been amended."""

    told: Mapping[str, Sequence[tuple[Message, str]]]
    amended: Mapping[int, int]
    sealed: frozenset[int] = frozenset()  # messages of the talk itself that no note may be made of


async def dated_by_events(
    memory: OpenMind, reading: Reading, drafts: Sequence[NoteDraft]
) -> tuple[list[NoteDraft], dict[int, Message], Mapping[int, int]]:
    """The drafts, with the days of the events they name.

    Beside them the messages of other epochs that they rest on now, and how often each of these epochs had been amended.
    """
    named = await anyio.to_thread.run_sync(_named, drafts, {turn.seq: turn for turn in reading.turns})
    if not named:
        return list(drafts), {}, {}
    scope = await memory.in_front_of(reading.epoch.conversation_name)
    seek = tuple(dict.fromkeys(each.reference.seek for each in named))
    known = await memory.database.read(_known, reading, seek, scope)
    return await anyio.to_thread.run_sync(_dated, drafts, named, reading, known)


def _named(drafts: Sequence[NoteDraft], turns: Mapping[int, Turn]) -> list[_Named]:
    """The drafts without a day of their own that name an event, with each they name."""
    found: list[_Named] = []
    for draft in drafts:
        if draft.kind is not NoteKind.EPISODIC or len(found) >= _MOST_EVENTS:
            continue  # a lasting fact happened on no day
        for source in draft.sources:
            turn = turns.get(source.seq)
            if turn is not None and draft.at_ms // DAY_MS == turn.at_ms // DAY_MS:
                found += [_Named(draft, turn, source.quote, each) for each in dated(source.quote, turn.at_ms)]
    return found


def _known(connection: Connection, reading: Reading, seek: Sequence[str], scope: Scope) -> _Known:
    """What notes of this conversation's other epochs that share these words rest on, if they still held by now."""
    epoch, now = reading.epoch, max(turn.at_ms for turn in reading.turns)
    told: dict[str, list[tuple[Message, str]]] = {}
    epochs: set[int] = set()
    for words in seek:
        found = [note for note, _ in fts.find(connection, "note", words, _MOST_NOTES, scope)]
        over = note_validity.endings(connection, found, scope)
        notes = sorted(note for note in found if not _is_over(over.get(note, ()), now))
        sources = [source for each in note_rows.sources_of(connection, notes).values() for source in each]
        numbers = sorted({source.message for source in sources})
        messages, sealed = message_log.get_many(connection, numbers), amendments.sealed(connection, numbers)
        for source in sources:
            message = messages.get(source.message)
            if message is None or message.deleted or message.id in sealed or not source.quote:
                continue
            if message.conversation == epoch.conversation and message.epoch != epoch.epoch:
                told.setdefault(words, []).append((message, source.quote))
                epochs.add(message.epoch)
    amended = {each: amendments.count(connection, epoch.conversation, each) for each in sorted(epochs)}
    own = {message.id: seq for seq, message in reading.by_seq.items()}
    return _Known(told, amended, frozenset(own[each] for each in amendments.sealed(connection, sorted(own))))


def _is_over(endings: Iterable[Ending], now: int) -> bool:
    """Whether a note as a whole holds no more."""
    return any(each.whole and (each.valid_to is None or each.valid_to <= now) for each in endings)


def _dated(
    drafts: Sequence[NoteDraft], named: Sequence[_Named], reading: Reading, known: _Known
) -> tuple[list[NoteDraft], dict[int, Message], Mapping[int, int]]:
    found: dict[int, NoteDraft] = {}
    beyond: dict[int, Message] = {}
    for each in named:
        if id(each.draft) in found:
            continue
        earlier = {message.seq: message for message, _ in known.told.get(each.reference.seek, ())}
        day = meant(each.reference, each.said, each.turn.at_ms, _event_days(each, reading.turns, known))
        if day is None:
            continue
        seq = day[1].told
        said = reading.by_seq.get(seq) or earlier[seq]
        dated_draft = _with_day(each, *day) if day[1].quote in said.content else None
        if dated_draft is not None:
            found[id(each.draft)] = dated_draft
            beyond |= {seq: earlier[seq]} if seq in earlier else {}
    amended = {message.epoch: known.amended[message.epoch] for message in beyond.values()}
    return [found.get(id(draft), draft) for draft in drafts], beyond, amended


def _event_days(each: _Named, turns: Iterable[Turn], known: _Known) -> Iterable[EventDay]:
    """What the same speaker told of the event before, in earlier talks and in this one."""
    speaker = each.turn.speaker
    for message, quote in known.told.get(each.reference.seek, ()):
        if message.seq < each.turn.seq and message.speaker == speaker and not only_asks(quote):
            yield from event_days(quote, message.at, each.reference, message.seq)
    for turn in turns:
        tells = turn.role is Role.USER and turn.speaker == speaker and turn.seq not in known.sealed
        if tells and turn.seq <= each.turn.seq and not only_asks(turn.text):
            yield from event_days(turn.text, turn.at_ms, each.reference, turn.seq)


def _with_day(each: _Named, day: int, event: EventDay) -> NoteDraft | None:
    """A draft with the day of its event: in its time, behind the words that name the event, and in what it rests on.

    None where the draft does not name the event: then nobody would see which day it took from what was said before.
    """
    draft, at_ms = each.draft, day * DAY_MS
    wanted = (each.reference.event, each.reference.deed, each.reference.days)
    place = next((r for r in references(draft.text) if (r.event, r.deed, r.days) == wanted), None)
    if place is None:
        return None
    if all(source.seq != event.told for source in draft.sources):
        draft = replace(draft, sources=(*draft.sources, SourceQuote(event.told, event.quote)))
    is_chinese = HAN.search(draft.text, place.start, place.end) is not None
    words = f"（{render_day(at_ms, 'zh')}）" if is_chinese else f" ({render_day(at_ms, 'en')})"
    owning = _OWNING.match(draft.text, place.end)  # "at the dentist's"
    end, longer = owning.end() if owning is not None else place.end, len(words)
    elements = tuple(
        replace(
            element,
            start=element.start + (longer if element.start >= end else 0),
            end=element.end + (longer if element.end > end else 0),
        )
        for element in draft.elements
    )
    return replace(draft, text=draft.text[:end] + words + draft.text[end:], at_ms=at_ms, elements=elements)
