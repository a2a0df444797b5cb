"""Reconcile step: what was told is compared with what was known, and what holds no more is marked so.

A step of `digestion`, after linking. Each new note meets a few known ones (of the same subject and relation, those that
share its words, those that are like it); the engine says what it is to them (add, supersede, invalidate, reinforce),
code decides (`core.changes.contradiction`): an answer that makes a fact end what is about something else is refused and
told to the audit. Corrections in talk come first: the statement is told anew as it should have been, and what was wrong
counts no more. Nothing is overwritten. What is made of one note and its mark of having been compared are one
transaction, so the step may be killed anywhere and repeats no effect.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from functools import partial
from typing import Any

import anyio.to_thread

from soulmem.core.changes.change_cues import Change, change_in, states_a_value
from soulmem.core.changes.change_probability import is_likely
from soulmem.core.changes.contradiction import Outcome, Refused, Told, concern, outcomes, ruled
from soulmem.core.decay.traces import Trace
from soulmem.core.details.rehearsal import USED
from soulmem.core.linking import hebbian_linking
from soulmem.core.schema.engine_tasks import FactEvent, Labelled, ReconcileRequest, Reconciliation
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.correction_step import DetailsOf, Mended, mend
from soulmem.idle.steps.similar_notes import ASKED, gather, keep_claims, neighbours, standing_as
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
MOST_NEW = 4  # new notes that a model is asked about in one call
MOST_ASKED = 3  # known notes that it is asked about for one new note
# How plainly two notes are of one matter (`concern`), from which on a model is asked.
_LEAST = {Change.PLAIN: 1.0, Change.FAINT: 3.0, Change.NONE: 6.0}
_LIKELY_WEIGHS = 5.0  # beside `concern`, where code thinks it likely that one replaces the other
_LEAST_OF_VALUES = 1.0  # where both state one
_FEW_NOTES, _MANY_NOTES = 4, 0.08  # notes, or the share of those that are compared, that a word may stand in
_FEW_PAIRS = 3  # of which a model may end all without being thought careless
_MOST_ENDED = 0.6  # of more pairs than that


@dataclass(slots=True)
class Reconciled:
    """What the step did."""

    compared: int = 0
    ended: int = 0
    reinforced: int = 0
    corrected: int = 0
    refused: int = 0

    def view(self) -> dict[str, Any]:
        return {
            "compared": self.compared, "ended": self.ended, "reinforced": self.reinforced,
            "corrected": self.corrected, "refused": self.refused,
        }  # fmt: skip


@dataclass(slots=True)
class _Answers:
    """What each new note is to known ones, (event, known note), by its number.

    `discerning`: the engine did not end most of what it was shown, so it looked at what it was shown.
    """

    of: dict[int, list[tuple[FactEvent, int]]] = field(default_factory=dict)
    discerning: bool = False


@dataclass(slots=True)
class _Made:
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

    Args:
        apart: conversations do not share what they hear, so what one of them ends is told to no other.

    Raises:
        SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    scope = await memory.in_front_of(epoch.conversation_name)
    mended: Mended = await mend(memory, world, epoch, details_of)
    done = Reconciled(corrected=mended.count)
    material = await memory.database.read(gather, epoch, mended)
    await anyio.to_thread.run_sync(partial(_read_all, material.new), abandon_on_cancel=True)
    await memory.database.write("reconcile.claims", partial(keep_claims, told=material.open))
    at_once = MODEL_AT_ONCE if _is_model(world) else AT_ONCE
    for first in range(0, len(material.new), at_once):
        batch = material.new[first : first + at_once]
        if all(told.note in material.compared for told in batch):
            continue
        near = await memory.database.read(neighbours, memory.fingerprint, batch, material, scope)
        answers = await _answers(memory, world, batch, near.told, near.of, job, run)
        for told in batch:
            if told.note not in material.compared:
                await _settle(memory, world, settings, epoch, told, answers, near.told, done, apart, scope)
    now = world.clock.now_ms()
    await memory.database.write(
        "reconcile.done", lambda connection: digestion_jobs.finish(connection, job.id, done.view(), now)
    )
    return done


def _read_all(told: Sequence[Told]) -> None:
    """Read what the new notes say, away from the event loop; each is read once."""
    for each in told:
        _ = each.readings


def _compare(
    batch: Sequence[Told], known: dict[int, Told], of: dict[int, tuple[int, ...]],
    *, is_model: bool, people: frozenset[str], common: frozenset[str],
) -> tuple[dict[int, list[tuple[FactEvent, int]]], dict[Told, list[tuple[float, int]]]]:  # fmt: skip
    """What code reads of each pair, and the pairs it is unsure of with how plainly they are of one matter.

    A pair costs half a millisecond: away from the event loop, which has to answer meanwhile.
    """
    read: dict[int, list[tuple[FactEvent, int]]] = {}
    unsure: dict[Told, list[tuple[float, int]]] = {}
    for told in batch:
        for place, note in enumerate(of.get(told.note, ())):
            time.sleep(0)  # whoever waits for the interpreter has his turn
            event = ruled(told, known[note])
            if event is not None and not (is_model and event is FactEvent.ADD):  # a model may see what rules do not
                read.setdefault(told.note, []).append((event, note))
            elif (is_model or place < ASKED) and (weight := concern(told, known[note], people, common)) > 0:
                weight += _LIKELY_WEIGHS * (is_model and _seems_to_follow(told, known[note]))
                unsure.setdefault(told, []).append((weight, note))
    return read, unsure


def _seems_to_follow(told: Told, known: Told) -> bool:
    """Whether of two notes of one speaker the later one seems to leave the other outdated, though not for certain."""
    later, earlier = (told, known) if told.order >= known.order else (known, told)
    moments = (later.at_ms, earlier.at_ms)
    return later.speaker == earlier.speaker and is_likely(later.statement, earlier.statement, moments)


async def _answers(
    memory: OpenMind, world: World, batch: Sequence[Told], known: dict[int, Told], of: dict[int, tuple[int, ...]],
    job: Job, run: str,
) -> _Answers:  # fmt: skip
    """What each new note is to its neighbours: what code reads, and what the engine says."""
    found = _Answers()
    is_model = _is_model(world)
    cast = memory.who.cast()
    people = frozenset({cast.character, *cast.people, *(told.speaker for told in (*batch, *known.values()))})
    common = await anyio.to_thread.run_sync(_common, [*batch, *known.values()], abandon_on_cancel=True)
    compare = partial(_compare, batch, known, of, is_model=is_model, people=people, common=common)
    found.of, unsure = await anyio.to_thread.run_sync(compare, abandon_on_cancel=True)
    asked = (
        _worth_asking(unsure, known) if is_model else {told: [n for _, n in pairs] for told, pairs in unsure.items()}
    )
    if not asked:
        return found
    new = {f"F{place}": told for place, told in enumerate(asked, start=1)}
    shown = sorted({note for notes in asked.values() for note in notes})
    old = {f"K{place}": known[note] for place, note in enumerate(shown, start=1)}
    request = ReconcileRequest(
        tuple(_shown(label, told) for label, told in new.items()),
        tuple(_shown(label, told) for label, told in old.items()),
        language=memory.who.language or None,
        cast=cast,
    )
    call = memory.call(f"reconcile:{job.id}", run=run, wanted_at_ms=job.created_at)
    answer: Sequence[Reconciliation] = await world.model.reconcile(request, call)
    over: Counter[Told] = Counter()
    for each in answer:
        if each.known is None or each.known not in old or each.new not in new:
            continue
        told, about = new[each.new], old[each.known].note
        over[told] += each.event is not FactEvent.REINFORCE
        if about in asked[told]:
            found.of.setdefault(told.note, []).append((each.event, about))
    found.discerning = is_model and not _is_careless(asked, over)
    return found


def _common(told: Sequence[Told]) -> frozenset[str]:
    """The words that many of these notes share."""
    held = Counter(term for each in {each.note: each for each in told}.values() for term in each.matter)
    most = max(_FEW_NOTES, _MANY_NOTES * len(told))
    return frozenset(term for term, count in held.items() if count > most)


def _is_careless(asked: dict[Told, list[int]], over: Counter[Told]) -> bool:
    """Whether an answer ends whatever it was shown: all that one new note was held against, or most of everything."""
    if any(over[told] >= MOST_ASKED for told in asked):
        return True
    pairs = sum(map(len, asked.values()))
    return pairs > _FEW_PAIRS and over.total() > _MOST_ENDED * pairs


def _is_model(world: World) -> bool:
    return world.model.name != "extractive"


def _worth_asking(unsure: dict[Told, list[tuple[float, int]]], known: dict[int, Told]) -> dict[Told, list[int]]:
    """The pairs that a model is asked about, in the order of telling: those of which one may have changed the other.

    They are the more plainly of one matter, the less the new note speaks of a change; of these the plainest.
    """
    chosen: dict[Told, list[tuple[float, int]]] = {}
    change: dict[Told, Change] = {}
    for told, pairs in unsure.items():
        change[told] = change_in(told.text)
        values = states_a_value(told.text)
        plain = sorted(
            (
                (weight, note)
                for weight, note in pairs
                if told.order != known[note].order  # of one message nothing ends the other
                and (
                    weight >= _LEAST[change[told]]
                    or (values and weight >= _LEAST_OF_VALUES and states_a_value(known[note].text))
                )
            ),
            key=lambda each: -each[0],
        )
        if plain:
            chosen[told] = plain[:MOST_ASKED]
    plainest = sorted(chosen, key=lambda told: (-change[told], -chosen[told][0][0]))[:MOST_NEW]
    return {told: [note for _, note in pairs] for told, pairs in chosen.items() if told in plainest}


def _shown(label: str, told: Told) -> Labelled:
    return Labelled(label, told.text, told.at_ms, told.speaker)


async def _settle(
    memory: OpenMind, world: World, settings: MindSettings, epoch: EpochRow, told: Told,
    answers: _Answers, known: dict[int, Told], done: Reconciled, apart: bool, scope: Scope,
) -> None:  # fmt: skip
    """Store what one new note makes of the known ones."""
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    below = settings.forgetting.delete_below

    def store(connection: Connection) -> _Made:
        made = _Made()
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
                _end(connection, outcome, made, below, now, now_exp, apart=apart)
        if again := sorted(scope.may_mark(connection, again)):  # what is told again is remembered again
            rehearsal_writes.rehearse(connection, dict.fromkeys(again, USED), now_exp)
            for note in again:
                note_writes.record(connection, now, "note_reinforced", note, {} if apart else {"by": _id(told.note)})
        begun = [since for each in told.readings if (since := told.since(each)) is not None]
        if begun and len({reading.relation for reading in told.readings}) == 1:
            note_validity.begin(connection, told.note, begun[0])
        note_validity.reconciled(connection, told.note, now)
        gate_rejections.insert(connection, refused)
        made.reinforced, made.refused = len(again), len(refused)
        return made

    def after(made: _Made) -> None:
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


def _end(
    connection: Connection, outcome: Outcome, made: _Made, delete_below: float, now: int, now_exp: int, *, apart: bool
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
        trace = Trace(
            hebbian_linking.strength_of(LinkKind.SUPERSEDES, 1.0),
            now_exp,
            hebbian_linking.stability_of(LinkKind.SUPERSEDES),
        )
        link_rows.insert(
            connection,
            NewLink(
                outcome.by, outcome.ended, LinkKind.SUPERSEDES, LinkOrigin.MODEL, trace,
                trace.crossing_ms(delete_below), now, confidence=1.0,
            ),
        )  # fmt: skip
        made.tied += 1


def _refusal(new: Told, known: Told, why: Refused, engine: str, epoch: EpochRow, now: int) -> NewRefusal:
    return NewRefusal(
        at=now, task="reconcile", engine=engine, reason=why.reason, text=new.text, quote=known.text, detail=why.detail,
        conversation=epoch.conversation, epoch=epoch.epoch, message=new.order[1] or None,
    )  # fmt: skip


def _id(note: int) -> str:
    return public_id("n", note)
