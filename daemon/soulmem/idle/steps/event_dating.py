"""Event dating: what happened at an event gets the day that was told of the event.

Called by `split_step` with the drafts that were admitted. "At the gig our amp caught fire" says no day; the note of
"we have a gig on Friday the 13th" does. Looked for in the talk itself and in the notes of the same conversation that
share the words of the event. Read-only. Invariants: a note that was dated so rests on the message that tells the day
too, so that it is made anew when that message is changed or deleted; what is not sure stays without a day
(`core/facts/event_dates.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import anyio.to_thread

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.dates.date_parser import render_day
from soulmem.core.facts.event_dates import EventDay, dated, event_days, meant
from soulmem.core.facts.event_references import Reference, references
from soulmem.core.schema.note_requests import NoteDraft, Role, SourceQuote, Turn
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.grounding_step import Reading
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.index import fts
from soulmem.store.messages import amendments, message_log
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

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
    seek = tuple(dict.fromkeys(each.reference.seek for each in named))[:_MOST_EVENTS]
    known = await memory.database.read(_known, reading.epoch, seek, scope, max(turn.at_ms for turn in reading.turns))
    return await anyio.to_thread.run_sync(_dated, drafts, named, reading.turns, known)


def _named(drafts: Sequence[NoteDraft], turns: Mapping[int, Turn]) -> list[_Named]:
    """The drafts without a day of their own that name an event, with each they name."""
    found: list[_Named] = []
    for draft in drafts:
        for source in draft.sources:
            turn = turns.get(source.seq)
            if turn is not None and draft.at_ms // DAY_MS == turn.at_ms // DAY_MS:
                found += [_Named(draft, turn, source.quote, each) for each in dated(source.quote, turn.at_ms)]
    return found


def _known(connection: Connection, epoch: EpochRow, seek: Sequence[str], scope: Scope, at_ms: int) -> _Known:
    """What notes of this conversation's other epochs that share these words rest on, if they still held at a time."""
    told: dict[str, list[tuple[Message, str]]] = {}
    epochs: set[int] = set()
    for words in seek:
        found = [note for note, _ in fts.find(connection, "note", words, _MOST_NOTES, scope)]
        notes = sorted({*found} - note_validity.over(connection, found, at_ms))
        sources = [source for each in note_rows.sources_of(connection, notes).values() for source in each]
        messages = message_log.get_many(connection, sorted({source.message for source in sources}))
        for source in sources:
            message = messages.get(source.message)
            if message is None or message.deleted or not source.quote:
                continue
            if message.conversation == epoch.conversation and message.epoch != epoch.epoch:
                told.setdefault(words, []).append((message, source.quote))
                epochs.add(message.epoch)
    return _Known(told, {each: amendments.count(connection, epoch.conversation, each) for each in sorted(epochs)})


def _dated(
    drafts: Sequence[NoteDraft], named: Sequence[_Named], turns: Sequence[Turn], known: _Known
) -> tuple[list[NoteDraft], dict[int, Message], Mapping[int, int]]:
    found: dict[int, NoteDraft] = {}
    beyond: dict[int, Message] = {}
    by_seq = {turn.seq: turn for turn in turns}
    for each in named:
        if id(each.draft) in found:
            continue
        earlier = {message.seq: message for message, _ in known.told.get(each.reference.seek, ())}
        day = meant(each.reference, each.said, each.turn.at_ms, _event_days(each, turns, known))
        if day is None:
            continue
        seq = day[1].told
        text = by_seq[seq].text if seq in by_seq else earlier[seq].content
        if day[1].quote in text:
            found[id(each.draft)] = _with_day(each, *day)
            beyond |= {seq: earlier[seq]} if seq in earlier else {}
    amended = {message.epoch: known.amended[message.epoch] for message in beyond.values()}
    return [found.get(id(draft), draft) for draft in drafts], beyond, amended


def _event_days(each: _Named, turns: Iterable[Turn], known: _Known) -> Iterable[EventDay]:
    for message, quote in known.told.get(each.reference.seek, ()):
        if message.seq < each.turn.seq:
            yield from event_days(quote, message.at, each.reference, message.seq)
    for turn in turns:
        if turn.seq <= each.turn.seq and turn.role is not Role.SYSTEM:
            yield from event_days(turn.text, turn.at_ms, each.reference, turn.seq)


def _with_day(each: _Named, day: int, event: EventDay) -> NoteDraft:
    """A draft with the day of its event: in its time, behind the words that name the event, and in what it rests on."""
    draft, at_ms = each.draft, day * DAY_MS
    if all(source.seq != event.told for source in draft.sources):
        draft = replace(draft, sources=(*draft.sources, SourceQuote(event.told, event.quote)))
    wanted = (each.reference.event, each.reference.deed, each.reference.days)
    place = next((r for r in references(draft.text) if (r.event, r.deed, r.days) == wanted), None)
    if place is None:
        return replace(draft, at_ms=at_ms)
    is_chinese = not draft.text[place.start : place.end].isascii()
    words = f"（{render_day(at_ms, 'zh')}）" if is_chinese else f" ({render_day(at_ms, 'en')})"
    end, longer = place.end, len(words)
    elements = tuple(
        replace(
            element,
            start=element.start + (longer if element.start >= end else 0),
            end=element.end + (longer if element.end > end else 0),
        )
        for element in draft.elements
    )
    return replace(draft, text=draft.text[:end] + words + draft.text[end:], at_ms=at_ms, elements=elements)
