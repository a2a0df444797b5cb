"""Splitting: the summary of a frozen epoch becomes notes.

A step of `digest`. The engine proposes; code decides: what is not grounded is refused and told to the audit (`admit`),
a fact that is known already gains a source instead of a twin. Notes, their sources, elements, refusals and the step's
`done` are one transaction, so running the step again repeats no effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import anyio.to_thread

from soulmem.core.drafts import ElementDraft, NoteDraft, NoteKind, SplitRequest, Summary
from soulmem.core.elements import Element, born, fitting
from soulmem.core.fading import Fading
from soulmem.core.grounds import open_summary
from soulmem.core.index import SearchIndex
from soulmem.core.rehearsal import USED
from soulmem.core.rows import ItemKind
from soulmem.core.tasks import ImportanceRequest, Labelled
from soulmem.idle.admit import admit, read_epoch
from soulmem.ports import World
from soulmem.records import dataclass
from soulmem.store import elements, jobs, note_life, notes, refusals, rehearsing, searched, summaries
from soulmem.store.driver import Connection
from soulmem.store.jobs import Job
from soulmem.store.messages import Message
from soulmem.store.note_life import NewNote
from soulmem.store.notes import Note
from soulmem.store.open_mind import OpenMind
from soulmem.store.windows import EpochRow

_RATED_AT_ONCE = 20
_UNRATED = 0.4  # importance that nobody gave


@dataclass(frozen=True, slots=True)
class Split:
    """What a split left behind: all notes of the epoch in order, how many are new, how many drafts were refused."""

    notes: tuple[int, ...]
    created: int
    refused: int


async def split(memory: OpenMind, world: World, epoch: EpochRow, job: Job, run: str, *, apart: bool = False) -> Split:
    """Run the step: read the summary and the raw messages, ask the engine, check, store.

    Args:
        apart: conversations do not share what they hear, so neither do the notes that come of them.

    Raises:
        SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    reading = await read_epoch(memory, epoch)
    latest = await memory.database.read(summaries.latest, epoch.conversation, epoch.epoch)
    drafts: Sequence[NoteDraft] = ()
    if reading.turns:
        request = SplitRequest(
            summary=open_summary(latest.summary, reading.grounds) if latest else Summary(""),
            turns=reading.turns,
            character=memory.who.title or memory.who.name,
            language=memory.who.language or None,
        )
        drafts = await world.model.split(request, memory.call(f"split:{job.id}", run=run, wanted_at_ms=job.created_at))
    verdicts = await admit(memory, reading, drafts)
    admitted = await rated([verdict.draft for verdict in verdicts if verdict.admitted], memory, world, job, run)
    fitted = await anyio.to_thread.run_sync(_fitted, admitted)
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    refused = reading.refused(verdicts, world.model.name, now)
    by_seq = reading.by_seq
    home = epoch.conversation if apart else None

    def store(connection: Connection) -> tuple[Split, dict[int, Note]]:
        made: list[int] = []
        known: list[int] = []
        fading = elements.fading(connection)
        for draft, details in zip(admitted, fitted, strict=True):
            sources = _sources(draft, by_seq)
            twin = notes.same_fact(connection, draft.text, home) if draft.kind is NoteKind.SEMANTIC else None
            if twin is not None:
                note_life.add_sources(connection, twin, sources)
                rehearsing.rehearse(connection, [twin], now_exp, USED)  # what is told again is remembered again
                known.append(twin)
            else:
                spans = _elements(draft, details, now_exp, fading)
                made.append(note_life.insert(connection, _new_note(draft, spans, sources, epoch, by_seq, now, now_exp)))
        refusals.insert(connection, refused)
        result = Split(tuple(dict.fromkeys((*made, *known))), len(made), len(drafts) - len(admitted))
        jobs.finish(
            connection,
            job.id,
            {"notes": list(result.notes), "created": result.created, "refused": result.refused},
            now,
        )
        return result, notes.get_many(connection, result.notes)

    def after(stored: tuple[Split, dict[int, Note]]) -> None:
        memory.follow(lambda index: _index(index, list(stored[1].values())))
        if stored[0].created:
            world.emit("note_created", mind=memory.name, count=stored[0].created, origin="split")

    result, _ = await memory.database.write("split", store, after=after)
    return result


async def rated(drafts: Sequence[NoteDraft], memory: OpenMind, world: World, job: Job, run: str) -> list[NoteDraft]:
    """Let the engine rate the drafts that came without an importance, up to twenty a call (ALGORITHMS §8.2)."""
    waiting = [place for place, draft in enumerate(drafts) if draft.importance is None]
    done = list(drafts)
    for begin in range(0, len(waiting), _RATED_AT_ONCE):
        places = waiting[begin : begin + _RATED_AT_ONCE]
        request = ImportanceRequest(
            items=tuple(Labelled(f"N{at}", drafts[place].text) for at, place in enumerate(places, start=1)),
            character=memory.who.title or memory.who.name,
            language=memory.who.language or None,
        )
        call = memory.call(f"split:{job.id}", run=run, wanted_at_ms=job.created_at)
        for place, rating in zip(places, await world.model.rate_importance(request, call), strict=True):
            done[place] = replace(drafts[place], importance=rating / 10)
    return done


def _sources(draft: NoteDraft, by_seq: dict[int, Message]) -> tuple[tuple[int, str | None], ...]:
    return tuple((by_seq[source.seq].id, source.quote) for source in draft.sources)


def _fitted(drafts: Sequence[NoteDraft]) -> list[tuple[ElementDraft, ...]]:
    """For each draft the elements that hold: the whole note, and what of it may fade by itself."""
    return [fitting(each.text, each.kind, each.elements, gist=each.gist).elements for each in drafts]


def _elements(draft: NoteDraft, details: tuple[ElementDraft, ...], now_exp: int, fading: Fading) -> tuple[Element, ...]:
    return born(details, now_exp, fading, importance=_importance(draft), arousal=draft.arousal)


def _importance(draft: NoteDraft) -> float:
    return _UNRATED if draft.importance is None else draft.importance


def _new_note(
    draft: NoteDraft,
    spans: tuple[Element, ...],
    sources: tuple[tuple[int, str | None], ...],
    epoch: EpochRow,
    by_seq: dict[int, Message],
    now: int,
    now_exp: int,
) -> NewNote:
    return NewNote(
        kind=draft.kind,
        text=draft.text,
        at=draft.at_ms,
        created_at=now,
        created_exp=now_exp,
        speaker=by_seq[draft.sources[0].seq].speaker,
        importance=_importance(draft),
        valence=draft.valence,
        tags=draft.tags,
        entities=draft.entities,
        attributes=draft.attributes,
        lifecycle=notes.WORKING,
        conversation=epoch.conversation,
        epoch=epoch.epoch,
        sources=sources,
        elements=spans,
    )


def _index(index: SearchIndex, found: Sequence[Note]) -> None:
    for note in found:
        if (ItemKind.NOTE, note.id) in index:  # known before: it has gained sources
            index.set_homes(note.id, note.homes)
        else:
            searched.put(index, [note])
