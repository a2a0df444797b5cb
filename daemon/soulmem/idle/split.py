"""Splitting: the summary of a frozen epoch becomes notes.

A step of `digest`. The engine proposes; code decides: a note whose quote is not found in its source is refused, a fact
that is known already gains a source instead of a twin. Notes, their sources, elements and the step's `done` are one
transaction, so running the step again repeats no effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from soulmem.core import notes as note_rules
from soulmem.core import tokens
from soulmem.core.drafts import NoteDraft, NoteKind, SplitRequest, Summary
from soulmem.core.index import SearchIndex
from soulmem.core.rows import ItemKind
from soulmem.ports import World
from soulmem.store import jobs, messages, notes, summaries
from soulmem.store.driver import Connection
from soulmem.store.elements import NewElement
from soulmem.store.messages import Message
from soulmem.store.notes import NewNote, Note
from soulmem.store.open_mind import OpenMind
from soulmem.store.windows import EpochRow


@dataclass(frozen=True, slots=True)
class Split:
    """What a split left behind: all notes of the epoch in order, how many are new, how many drafts were refused."""

    notes: tuple[int, ...]
    created: int
    refused: int


async def split(memory: OpenMind, world: World, epoch: EpochRow, job: int) -> Split:
    """Run the step: read the summary and the raw messages, ask the engine, check, store."""

    def read(connection: Connection) -> tuple[Summary | None, list[Message]]:
        latest = summaries.latest(connection, epoch.conversation, epoch.epoch)
        said = messages.of_epoch(connection, epoch.conversation, epoch.epoch)
        return latest.summary if latest else None, [m for m in said if m.content and not m.deleted]

    summary, said = await memory.database.read(read)
    drafts: Sequence[NoteDraft] = ()
    if said:
        request = SplitRequest(
            summary=summary or Summary(""),
            turns=tuple(message.turn() for message in said),
            character=memory.who.title or memory.who.name,
            language=memory.who.language or None,
        )
        drafts = await world.model.split(request)
    by_seq = {message.seq: message for message in said}
    grounded = [draft for draft in drafts if is_grounded(draft, by_seq)]
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())

    def store(connection: Connection) -> tuple[Split, list[Note]]:
        made: list[int] = []
        known: list[int] = []
        for draft in grounded:
            sources = _sources(draft, by_seq)
            twin = notes.same_fact(connection, draft.text) if draft.kind is NoteKind.SEMANTIC else None
            if twin is not None:
                notes.add_sources(connection, twin, sources)
                known.append(twin)
            else:
                made.append(notes.insert(connection, _new_note(draft, sources, epoch, by_seq, now, now_exp)))
        result = Split(tuple(dict.fromkeys((*made, *known))), len(made), len(drafts) - len(grounded))
        jobs.finish(
            connection,
            job,
            {"notes": list(result.notes), "created": result.created, "refused": result.refused},
            now,
        )
        return result, list(notes.get_many(connection, made).values())

    def after(stored: tuple[Split, list[Note]]) -> None:
        memory.follow(lambda index: _index(index, stored[1]))
        if stored[1]:
            world.emit("note_created", mind=memory.name, count=len(stored[1]), origin="split")

    result, _ = await memory.database.write("split", store, after=after)
    return result


def is_grounded(draft: NoteDraft, by_seq: dict[int, Message]) -> bool:
    """Whether every quote stands word for word in the message it names, and there is at least one."""
    return bool(draft.sources) and all(
        source.seq in by_seq and source.quote and source.quote in by_seq[source.seq].content for source in draft.sources
    )


def _sources(draft: NoteDraft, by_seq: dict[int, Message]) -> tuple[tuple[int, str | None], ...]:
    return tuple((by_seq[source.seq].id, source.quote) for source in draft.sources)


def _new_note(
    draft: NoteDraft,
    sources: tuple[tuple[int, str | None], ...],
    epoch: EpochRow,
    by_seq: dict[int, Message],
    now: int,
    now_exp: int,
) -> NewNote:
    language = "zh" if tokens.script_of(draft.text) in {"cjk", "mixed"} else "en"
    element = note_rules.whole_note(
        draft.text, draft.gist, kind=draft.kind, importance=draft.importance, now_exp=now_exp, language=language
    )
    trace = element.trace
    return NewNote(
        kind=draft.kind,
        text=draft.text,
        at=draft.at_ms,
        created_at=now,
        created_exp=now_exp,
        due_check=now_exp + note_rules.GRACE_MS,
        speaker=by_seq[draft.sources[0].seq].speaker,
        importance=draft.importance,
        valence=draft.valence,
        tags=draft.tags,
        entities=draft.entities,
        attributes=draft.attributes,
        lifecycle=notes.WORKING,
        conversation=epoch.conversation,
        epoch=epoch.epoch,
        sources=sources,
        elements=(
            NewElement(
                element.start, element.end, element.level, element.gist, trace.a0, trace.t0_ms, trace.stability_ms,
                element.blur_at, element.blank_at,
            ),
        ),
    )  # fmt: skip


def _index(index: SearchIndex, made: Sequence[Note]) -> None:
    for note in made:
        if note.kind is not NoteKind.TRIGGER:
            hashes = tokens.term_hashes(tokens.segment(note.text))
            index.add(ItemKind.NOTE, note.id, speaker=note.speaker, at_ms=note.at, terms=hashes)
