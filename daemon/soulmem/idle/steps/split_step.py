"""Split step: the summary of a frozen epoch becomes notes.

A step of `digestion`. The engine proposes; code decides: what is not grounded is refused and told to the audit
(`admit`), what the notes admitted leave untold becomes notes of its own or is told to the audit with its reason, a fact
that is known already gains a source instead of a twin. Notes, their sources, elements, refusals and the step's `done`
are one transaction, so running the step again repeats no effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import anyio.to_thread

from soulmem.core.details.elements import Element
from soulmem.core.grounding.evidence import open_summary
from soulmem.core.grounding.grounding_gate import Reason, Verdict
from soulmem.core.schema.engine_tasks import ImportanceRequest, Labelled
from soulmem.core.schema.note_requests import NoteDraft, SplitRequest, Summary
from soulmem.core.schema.sentence_accounting import Account, AccountRequest, LeftOut
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.event_dating import dated_by_events
from soulmem.idle.steps.grounding_step import Reading, admit, read_epoch
from soulmem.idle.steps.importance_step import Weighed, weighed
from soulmem.idle.steps.kin_facts import kin_facts
from soulmem.idle.steps.reply_echoes import without_echoes
from soulmem.idle.steps.retold_drafts import Known, retell, speaker_of, told_already, twin_of
from soulmem.ports import World
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.messages import aged_messages, amendments, rolling_summaries
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import element_rows, gate_rejections, note_index_rows, note_rows, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

_RATED_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Split:
    """What a split left behind: all notes of the epoch in order, how many are new, how many drafts were refused.

    `left_out`: how many sentences are in no note because they say nothing.
    """

    notes: tuple[int, ...]
    created: int
    refused: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Proposed:
    """What an epoch would become: its reading, what was refused, and the admitted drafts with what they weigh.

    `amended`: how often the epoch, and each other one that a draft rests on, had been amended before it was read;
    `known`: for each draft the notes that tell it already.
    """

    reading: Reading
    verdicts: tuple[Verdict, ...]
    left_out: tuple[LeftOut, ...]
    wanted: list[Weighed]
    amended: Mapping[int, int]
    known: tuple[tuple[Known, ...], ...] = ()

    def is_current(self, connection: Connection) -> bool:
        """Whether all it was made of is said as it was."""
        conversation = self.reading.epoch.conversation
        return all(amendments.count(connection, conversation, each) == count for each, count in self.amended.items())


async def propose(
    memory: OpenMind, world: World, epoch: EpochRow, job: Job, run: str, summary: Summary | None
) -> Proposed:
    """Read an epoch, ask the engine for its notes, check them; nothing is stored.

    Raises SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    amended = await memory.database.read(amendments.count, epoch.conversation, epoch.epoch)  # before it is read
    reading = await read_epoch(memory, epoch)
    drafts: Sequence[NoteDraft] = ()
    if reading.turns:
        request = SplitRequest(
            summary=open_summary(summary, reading.grounds) if summary else Summary(""),
            turns=reading.turns,
            cast=memory.who.cast(),
            language=memory.who.language or None,
        )
        call = memory.call(f"{job.step}:{job.id}", run=run, wanted_at_ms=job.created_at)
        drafts = await world.model.split(request, call)
    verdicts, left_out = await _accounted(memory, world, reading, drafts)
    verdicts, echoes = await without_echoes(memory, epoch.conversation_name, reading.by_seq, verdicts)
    left_out = (*left_out, *echoes)
    told = [verdict.draft for verdict in verdicts if verdict.admitted]
    told, beyond, others = await dated_by_events(memory, reading, told)
    reading = replace(reading, by_seq=reading.by_seq | beyond)
    admitted = await rated(told, memory, world, job, run)
    wanted = await anyio.to_thread.run_sync(weighed, admitted, reading.by_seq, world.clock.now_ms())
    known = await told_already(memory, wanted, reading.by_seq)
    return Proposed(reading, verdicts, left_out, wanted, {epoch.epoch: amended, **others}, known)


async def split(memory: OpenMind, world: World, epoch: EpochRow, job: Job, run: str, *, apart: bool = False) -> Split:
    """Run the step: read the summary and the raw messages, ask the engine, check, store.

    What was read is read again if somebody corrects or deletes something of it meanwhile.

    `apart`: conversations do not share what they hear, so neither do the notes that come of them.
    Raises: SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    while True:
        stored = await _split_once(memory, world, epoch, job, run, apart=apart)
        if stored is not None:
            return stored


async def _split_once(
    memory: OpenMind, world: World, epoch: EpochRow, job: Job, run: str, *, apart: bool
) -> Split | None:
    """None when what was said is another by now, and nothing was stored."""
    latest = await memory.database.read(rolling_summaries.latest, epoch.conversation, epoch.epoch)
    proposed = await propose(memory, world, epoch, job, run, latest.summary if latest else None)
    reading = proposed.reading
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    refused = reading.refused(proposed.verdicts, world.model.name, now) + reading.left_out(proposed.left_out, now)
    by_seq = reading.by_seq
    ages = await memory.database.read(aged_messages.ages, by_seq, memory.clock.time, now)
    home = epoch.conversation if apart else None

    def store(connection: Connection) -> tuple[Split, dict[int, Note]] | None:
        if not proposed.is_current(connection):
            return None
        made: list[int] = []
        known: list[int] = []
        fading = element_rows.fading(connection)
        for each, told in zip(proposed.wanted, proposed.known, strict=True):
            draft = each.draft
            told_exp = now_exp - min((ages.get(source.seq, 0) for source in draft.sources), default=0)
            spans = each.elements(told_exp, fading)
            sources = sources_of(draft, by_seq)
            twin = twin_of(connection, each, told, home)
            if twin is not None:
                retell(connection, twin, each, sources, by_seq, told_exp)
                known.append(twin)
            else:
                new = new_note(draft, spans, sources, epoch, by_seq, now, told_exp)
                made.append(note_writes.insert(connection, new))
        gate_rejections.insert(connection, refused)
        untold = sum(row.count for row in proposed.left_out)
        count = len(proposed.verdicts) - len(proposed.wanted)
        result = Split(tuple(dict.fromkeys((*made, *known))), len(made), count, untold)
        digestion_jobs.finish(connection, job.id, {**asdict(result), "notes": list(result.notes)}, now)
        return result, note_rows.get_many(connection, result.notes)

    def after(stored: tuple[Split, dict[int, Note]] | None) -> None:
        if stored is None:
            return
        memory.follow(lambda index: _index(index, list(stored[1].values())))
        if stored[0].created:
            world.emit("note_created", mind=memory.name, count=stored[0].created, origin="split")

    stored = await memory.database.write("split", store, after=after)
    return stored[0] if stored is not None else None


# What was refused for one of these was said, and is told in other words; for any other reason it stays untold.
_MISWORDED = frozenset({Reason.UNQUOTED, Reason.INVENTED_NAME, Reason.INVENTED_NUMBER, Reason.EMPTY})


async def _accounted(
    memory: OpenMind, world: World, reading: Reading, drafts: Sequence[NoteDraft]
) -> tuple[tuple[Verdict, ...], tuple[LeftOut, ...]]:
    """The verdicts on the engine's drafts and on those of what it left untold, and what is left out.

    What is missing is told in our wording first, and where that is refused in the very words of the message. Whose
    names somebody's family bears is a fact beside that.
    """
    verdicts = await admit(memory, reading, drafts)
    if not reading.turns:
        return verdicts, ()
    account = Account()
    for literal in (False, True):
        request = AccountRequest(
            turns=reading.turns,
            notes=tuple(verdict.draft for verdict in verdicts if verdict.admitted),
            settled=tuple(
                source
                for verdict in verdicts
                if verdict.refusal and verdict.refusal.reason not in _MISWORDED
                for source in verdict.draft.sources
            ),
            literal=literal,
        )
        account = await world.model.account(request)
        if not account.missing:
            break
        refused = {verdict.draft.text for verdict in verdicts if not verdict.admitted}
        verdicts += tuple(
            verdict
            for verdict in await admit(memory, reading, account.missing)
            if verdict.admitted or verdict.draft.text not in refused  # once is enough for the audit
        )
    told = [verdict.draft for verdict in verdicts if verdict.admitted]
    kin = await anyio.to_thread.run_sync(kin_facts, reading.turns, told)
    return (*verdicts, *await admit(memory, reading, kin)), account.left_out


async def rated(drafts: Sequence[NoteDraft], memory: OpenMind, world: World, job: Job, run: str) -> list[NoteDraft]:
    """Let the engine rate the drafts that came without an importance, up to twenty a call (algorithms.md §8.2)."""
    waiting = [place for place, draft in enumerate(drafts) if draft.importance is None]
    done = list(drafts)
    for begin in range(0, len(waiting), _RATED_AT_ONCE):
        places = waiting[begin : begin + _RATED_AT_ONCE]
        request = ImportanceRequest(
            items=tuple(Labelled(f"N{at}", drafts[place].text) for at, place in enumerate(places, start=1)),
            cast=memory.who.cast(),
            language=memory.who.language or None,
        )
        call = memory.call(f"{job.step}:{job.id}", run=run, wanted_at_ms=job.created_at)
        for place, rating in zip(places, await world.model.rate_importance(request, call), strict=True):
            done[place] = replace(drafts[place], importance=rating / 10)
    return done


def sources_of(draft: NoteDraft, by_seq: dict[int, Message]) -> tuple[tuple[int, str | None], ...]:
    return tuple((by_seq[source.seq].id, source.quote) for source in draft.sources)


def new_note(
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
        speaker=speaker_of(draft.text, [by_seq[source.seq].speaker for source in draft.sources]),
        importance=draft.importance or 0.0,
        valence=draft.valence,
        tags=draft.tags,
        entities=draft.entities,
        attributes=draft.attributes,
        lifecycle=note_rows.WORKING,
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
            note_index_rows.put(index, [note])
