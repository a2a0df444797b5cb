"""Reconcile step: what was told is compared with what was known, and what holds no more is marked so.

A step of `digestion`, after linking. Each new note meets a few known ones (of the same subject and relation, those that
share its words, those that are like it); the engine says what it is to them (add, supersede, invalidate, reinforce),
code decides (`core.changes.contradiction`): an answer that makes a fact end what is about something else is refused and
told to the audit. Corrections in talk come first: the statement is told anew as it should have been, and what was wrong
counts no more. Nothing is overwritten. What is made of one note and its mark of having been compared are one
transaction, so the step may be killed anywhere and repeats no effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, field
from functools import partial
from typing import Any

import anyio.to_thread

from soulmem.core.changes.contradiction import Outcome, Refused, Told, outcomes
from soulmem.core.conversation.retelling import Saying
from soulmem.core.decay.traces import Trace
from soulmem.core.details.rehearsal import USED
from soulmem.core.linking import hebbian_linking
from soulmem.core.schema.engine_tasks import FactEvent, Labelled, ReconcileRequest, Reconciliation
from soulmem.core.schema.note_requests import Cast, LinkKind, LinkOrigin
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.asked_pairs import compared, is_careless, worth_asking
from soulmem.idle.steps.correction_step import DetailsOf, Mended, mend
from soulmem.idle.steps.similar_notes import Near, gather, keep_claims, neighbours, standing_as
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import gate_rejections, note_validity, note_writes, rehearsal_writes
from soulmem.store.notes.gate_rejections import NewRefusal
from soulmem.store.notes.note_validity import NewEnding
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

AT_ONCE = 6  # new notes that the embedded engine is shown in one call
MODEL_AT_ONCE = 60  # … that a model's call is chosen from: prompt and answer cost more than what is compared


@dataclass(slots=True)
class Reconciled:
    """What the step did."""

    compared: int = 0
    ended: int = 0
    reinforced: int = 0
    corrected: int = 0
    refused: int = 0

    def view(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class _Answers:
    """What each new note is to known ones, (event, known note), by its number.

    `discerning`: the engine did not end most of what it was shown, so it looked at what it was shown.
    """

    of: dict[int, list[tuple[FactEvent, int]]] = field(default_factory=dict)
    discerning: bool = False


@dataclass(slots=True)
class Made:
    """What one transaction did."""

    ended: list[Outcome] = field(default_factory=list)
    tied: int = 0
    reinforced: int = 0
    refused: int = 0


async def reconcile(
    memory: OpenMind, world: World, settings: MindSettings, epoch: EpochRow, job: Job, run: str,
    details_of: DetailsOf, *, apart: bool,
) -> Reconciled:  # fmt: skip
    """Run the step: put right what was said by mistake, compare what is new, store what that changes.

    Args: apart: conversations do not share what they hear, so what one of them ends is told to no other.
    Raises: SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    scope = await memory.in_front_of(epoch.conversation_name)
    mended: Mended = await mend(memory, world, epoch, details_of)
    done = Reconciled(corrected=mended.count)
    material = await memory.database.read(gather, epoch, mended, scope)
    # What the new notes say is read away from the event loop; each is read once.
    await anyio.to_thread.run_sync(lambda: [each.readings for each in material.new], abandon_on_cancel=True)
    await memory.database.write("reconcile.claims", partial(keep_claims, told=material.open))
    at_once = MODEL_AT_ONCE if _is_model(world) else AT_ONCE
    for first in range(0, len(material.new), at_once):
        batch = material.new[first : first + at_once]
        if all(told.note in material.compared for told in batch):
            continue
        near = await memory.database.read(neighbours, memory.fingerprint, batch, material, scope)
        cast = memory.who.cast(spoke_as=material.spoke_as)
        answers = await _answers(memory, world, batch, near, cast, job, run)
        for told in batch:
            if told.note not in material.compared:
                await _settle(memory, world, settings, epoch, told, answers, near.told, done, apart, scope)
    finish = partial(digestion_jobs.finish, job=job.id, result=done.view(), now=world.clock.now_ms())
    await memory.database.write("reconcile.done", finish)
    return done


async def _answers(
    memory: OpenMind, world: World, batch: Sequence[Told], near: Near, cast: Cast, job: Job, run: str
) -> _Answers:
    """What each new note is to its neighbours: what code reads, and what the engine says."""
    found, known = _Answers(), near.told
    is_model = _is_model(world)
    people = frozenset({cast.character, *cast.people, *(told.speaker for told in (*batch, *known.values()))})
    compare = partial(compared, batch, near, is_model=is_model, people=people)
    read = await anyio.to_thread.run_sync(compare, abandon_on_cancel=True)
    found.of, unsure = read.read, read.unsure
    asked = worth_asking(unsure, known) if is_model else {told: [n for _, n in pairs] for told, pairs in unsure.items()}
    if not asked:
        return found
    new = {f"F{place}": told for place, told in enumerate(asked, start=1)}
    shown = {note for notes in asked.values() for note in notes}
    if is_model:  # which reads what is new among the new ones, once
        shown -= {told.note for told in asked}
    old = {f"K{place}": known[note] for place, note in enumerate(sorted(shown), start=1)}
    request = ReconcileRequest(
        tuple(_shown(label, told) for label, told in new.items()),
        tuple(_shown(label, told) for label, told in old.items()),
        language=memory.who.language or None,
        cast=cast,
    )
    call = memory.call(f"reconcile:{job.id}", run=run, wanted_at_ms=job.created_at)
    answer: Sequence[Reconciliation] = await world.model.reconcile(request, call)
    over: Counter[Told] = Counter()
    labelled = old | new
    for each in answer:
        if each.known not in labelled or each.new not in new:
            continue
        told, about = new[each.new], labelled[each.known]
        over[told] += each.event is not FactEvent.REINFORCE
        if told.order > about.order or about.note in asked[told]:
            known.setdefault(about.note, about)
            found.of.setdefault(told.note, []).append((each.event, about.note))
    found.discerning = is_model and not is_careless(asked, over)
    return found


def _is_model(world: World) -> bool:
    return world.model.name != "extractive"


def _shown(label: str, told: Told) -> Labelled:
    return Labelled(label, told.text, told.at_ms, told.speaker)


async def _settle(
    memory: OpenMind, world: World, settings: MindSettings, epoch: EpochRow, told: Told,
    answers: _Answers, known: dict[int, Told], done: Reconciled, apart: bool, scope: Scope,
) -> None:  # fmt: skip
    """Store what one new note makes of the known ones."""
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    below = settings.forgetting.delete_below

    def store(connection: Connection) -> Made:
        made = Made()
        if not note_validity.unreconciled(connection, [told.note]):
            return made
        refused: list[NewRefusal] = []
        unread, again = 0, []
        standing = standing_as(connection, [told, *(known[note] for _, note in answers.of.get(told.note, ()))])
        for event, note in answers.of.get(told.note, ()) if told.note in standing else ():
            other = known[note]
            if event is FactEvent.ADD or note not in standing:
                continue
            if event is FactEvent.REINFORCE:
                again.append(note)
                continue
            over = [each.said for each in note_validity.endings(connection, [note]).get(note, ())]
            decided = outcomes(told, other, event, now, unread=unread, said_over=over, discerning=answers.discerning)
            if isinstance(decided, Refused):
                refused.append(_refusal(told, other, decided, world.model.name, epoch, now))
                continue
            unread += not (told.readings and other.readings and not answers.discerning)
            for outcome in decided:
                end(connection, outcome, made, below, now, now_exp, apart=apart)
        if again := sorted(scope.may_mark(connection, again)):  # what is told again is remembered again
            said = Saying(told.text, told.speaker, told.at_ms, told.at_ms)
            rehearsal_writes.remind(connection, dict.fromkeys(again, USED), said, now_exp)
            for note in again:
                note_writes.record(connection, now, "note_reinforced", note, {} if apart else {"by": _id(told.note)})
        begun = [since for each in told.readings if (since := told.since(each)) is not None]
        if begun and len({reading.relation for reading in told.readings}) == 1:
            note_validity.begin(connection, told.note, begun[0])
        note_validity.reconciled(connection, told.note, now)
        gate_rejections.insert(connection, refused)
        made.reinforced, made.refused = len(again), len(refused)
        return made

    def after(made: Made) -> None:
        for event in sorted({each.event for each in made.ended}):
            count = sum(each.event == event for each in made.ended)
            world.emit("note_superseded", mind=memory.name, count=count, change=event)
        if made.tied:
            world.emit("link_created", mind=memory.name, count=made.tied, origin=LinkOrigin.MODEL.value)

    made = await memory.database.write("reconcile", store, after=after)
    done.compared += 1
    done.ended += len(made.ended)
    done.reinforced += made.reinforced
    done.refused += made.refused


def end(
    connection: Connection, outcome: Outcome, made: Made, delete_below: float, now: int, now_exp: int, *, apart: bool
) -> None:
    """Mark a note, or a part of it, as over, and tie what ended it to it, unless that is known already."""
    new = NewEnding(
        outcome.ended, outcome.by, outcome.event, outcome.valid_to, outcome.relation, outcome.said, outcome.whole
    )
    if not note_validity.end(connection, new, now):
        return
    made.ended.append(outcome)
    if outcome.begins is not None:
        note_validity.begin(connection, outcome.by, outcome.begins)
    rehearsal_writes.matters(connection, outcome.by, outcome.ended, now_exp)
    detail: dict[str, Any] = {"relation": outcome.relation, "valid_to": outcome.valid_to, "whole": outcome.whole}
    past = {"supersede": "note_superseded", "invalidate": "note_invalidated", "correct": "note_corrected"}
    # Who may read what became of a note must not learn of a talk that was hidden from them.
    by = {} if apart else {"by": _id(outcome.by)}
    note_writes.record(connection, now, past[outcome.event], outcome.ended, detail | by)
    note_writes.record(connection, now, "note_ended_another", outcome.by, {} if apart else {"note": _id(outcome.ended)})
    if link_rows.find(connection, outcome.by, outcome.ended, LinkKind.SUPERSEDES, "") is None:
        kind = LinkKind.SUPERSEDES
        trace = Trace(hebbian_linking.strength_of(kind, 1.0), now_exp, hebbian_linking.stability_of(kind))
        due = trace.crossing_ms(delete_below)
        new_link = NewLink(outcome.by, outcome.ended, kind, LinkOrigin.MODEL, trace, due, now, confidence=1.0)
        link_rows.insert(connection, new_link)
        made.tied += 1


def _refusal(new: Told, known: Told, why: Refused, engine: str, epoch: EpochRow, now: int) -> NewRefusal:
    return NewRefusal(
        at=now, task="reconcile", engine=engine, reason=why.reason, text=new.text, quote=known.text, detail=why.detail,
        conversation=epoch.conversation, epoch=epoch.epoch, message=new.order[1] or None,
    )  # fmt: skip


def _id(note: int) -> str:
    return public_id("n", note)
