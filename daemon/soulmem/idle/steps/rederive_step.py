"""Rederive step: what was said is another now, so the notes that were made of it are made anew.

A step of `digestion`, for epochs that are notes already. Their notes were taken back in the very transaction that
changed the message (`store/revision/note_withdrawal`); until this is done the message itself is searched. The epoch is
read again as a whole, so that what a sentence means is known; of what that gives is kept what rests on a changed
message, or on one that a note which was taken back rested on beside it, and is not told already. A note that was taken
back comes back with the new words, its links and its history; one for which nothing is found stays away. Invariant: all
that of one reading is one transaction, and nothing is stored of what was amended after it was read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from soulmem.core.schema.audience import Sharing
from soulmem.core.schema.note_requests import NoteDraft
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.text.repetition import content
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.link_step import link
from soulmem.idle.steps.retold_drafts import twin_of
from soulmem.idle.steps.split_step import Proposed, new_note, propose, sources_of
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.messages import amendments
from soulmem.store.notes import element_rows, gate_rejections, note_index_rows, note_rows, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.revision import note_withdrawal
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

_SAME = 0.75  # of the words of two notes, from which they say the same
_ALIKE = 0.2  # from which one takes the place of the other


@dataclass(frozen=True, slots=True)
class Rederived:
    """New notes, those that came back with other words, those that are gone for good, and messages left to them."""

    made: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    purged: tuple[int, ...] = ()
    settled: tuple[int, ...] = ()
    found: tuple[Note, ...] = ()
    links: int = 0  # that came back with notes


async def rederive(
    memory: OpenMind, world: World, settings: MindSettings, epoch: EpochRow, job: Job, run: str,
    absorbed: Callable[[], object],
) -> dict[str, int]:  # fmt: skip
    """Run the step for one epoch.

    Args: absorbed: told that there are new texts to embed.
    Raises: SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    made = list((job.result or {}).get("notes", ()))
    created = changed = 0
    while await memory.database.read(amendments.waiting, epoch.conversation, epoch.epoch):
        proposed = await propose(memory, world, epoch, job, run, None)
        done = await _store(memory, world, settings, epoch, job, proposed, tuple(made))
        if done is None:
            continue  # something was amended meanwhile: read it again
        made += done.made
        created, changed = created + len(done.made), changed + len(done.changed)
        absorbed()
    if made:
        await link(memory, world, settings, epoch, made, job, run)
    else:
        finish = partial(digestion_jobs.finish, job=job.id, result={}, now=world.clock.now_ms())
        await memory.database.write("rederive.done", finish)
    return {"created": created, "changed": changed}


async def _store(
    memory: OpenMind, world: World, settings: MindSettings, epoch: EpochRow, job: Job, proposed: Proposed,
    before: tuple[int, ...],
) -> Rederived | None:  # fmt: skip
    """Store what a reading came to; None when it is out of date, and nothing was stored."""
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    delete_below = settings.forgetting.delete_below
    apart = settings.recall.sharing is not Sharing.OPEN
    refused = proposed.reading.refused(proposed.verdicts, world.model.name, now)

    def store(connection: Connection) -> Rederived | None:
        if not proposed.is_current(connection):
            return None
        said = amendments.waiting(connection, epoch.conversation, epoch.epoch)
        home = epoch.conversation if apart else None
        fresh, known = _fresh(connection, epoch, proposed, said, home, now, now_exp)
        changed, tied = _come_back(connection, fresh, said, now, now_exp, delete_below)
        made = [note_writes.insert(connection, new) for new in fresh]
        gate_rejections.insert(connection, [each for each in refused if each.message in said and each.task != "mask"])
        amendments.settle(connection, said)
        purged = note_withdrawal.drop_empty(connection, now)
        digestion_jobs.keep(connection, job.id, {"notes": [*before, *made]})
        if made or changed:
            # What it says now may end what was known: that is a job of its own, so that no kill loses it.
            digestion_jobs.reopen(connection, "reconcile", epoch.conversation, epoch.epoch, now)
        found = note_rows.get_many(connection, [*made, *changed, *known])
        return Rederived(tuple(made), tuple(changed), tuple(purged), tuple(said), tuple(found.values()), tied)

    def after(done: Rederived | None) -> None:
        if done is None:
            return
        hidden = () if settings.recall.digested_messages else done.settled
        memory.follow(partial(_follow, found=done.found, hidden=hidden))
        if done.made:
            world.emit("note_created", mind=memory.name, count=len(done.made), origin="split")
        if done.changed:
            world.emit("note_restored", mind=memory.name, count=len(done.changed))
            world.emit("note_updated", mind=memory.name, count=len(done.changed), change="correct")
        if done.links:
            world.emit("link_restored", mind=memory.name, count=done.links)
        if done.purged:
            world.emit("tombstone_purged", mind=memory.name, count=len(done.purged))

    return await memory.database.write("rederive", store, after=after)


def _follow(index: SearchIndex, found: Sequence[Note], hidden: Sequence[int]) -> None:
    note_index_rows.put(index, [note for note in found if (ItemKind.NOTE, note.id) not in index])
    for note in found:
        index.set_homes(note.id, note.homes)
    index.remove_all(ItemKind.MESSAGE, hidden)


def _fresh(
    connection: Connection, epoch: EpochRow, proposed: Proposed, said: Sequence[int], home: int | None, now: int,
    now_exp: int,
) -> tuple[list[NewNote], list[int]]:  # fmt: skip
    """The drafts that rest on these messages and say what no note of them says yet.

    Besides, the notes of other messages that say one of these facts already: they rest on these too from now on.
    """
    by_seq, fading = proposed.reading.by_seq, element_rows.fading(connection)
    sealed = amendments.sealed(connection, [message.id for message in by_seq.values()])
    known = [content(note.text) for note in note_withdrawal.told_already(connection, said)]
    fresh: list[NewNote] = []
    twins: list[int] = []
    for each, told in zip(proposed.wanted, proposed.known, strict=True):
        draft = each.draft
        rests_on = {by_seq[source.seq].id for source in draft.sources}
        if rests_on.isdisjoint(said) or rests_on & sealed or _is_told(draft, known):
            continue
        known.append(content(draft.text))
        sources = sources_of(draft, by_seq)
        twin = twin_of(connection, each, told, home)
        if twin is not None:
            note_writes.add_sources(connection, twin, sources)
            twins.append(twin)
            continue
        new = new_note(draft, each.elements(now_exp, fading), sources, epoch, by_seq, now, now_exp)
        fresh.append(replace(new, lifecycle=note_rows.CONSOLIDATED))
    return fresh, twins


def _is_told(draft: NoteDraft, known: Sequence[frozenset[str]]) -> bool:
    words = content(draft.text)
    return any(_likeness(words, other) >= _SAME for other in known)


def _come_back(
    connection: Connection, fresh: list[NewNote], said: Sequence[int], now: int, now_exp: int, delete_below: float
) -> tuple[list[int], int]:
    """Let notes that were taken back say what is so now; what they say is taken out of `fresh`. And their links."""
    away = {note.id: note for note in note_withdrawal.taken_back(connection, said)}
    pairs = sorted(
        ((-likeness, note.id, place) for note in away.values() for place, new in enumerate(fresh)
         if new.kind is note.kind and (likeness := _kinship(connection, note, new)) >= _ALIKE),
    )  # fmt: skip
    taken: set[int] = set()
    back: list[int] = []
    tied = 0
    for _, number, place in pairs:
        if number in away and place not in taken:
            note = away.pop(number)
            tied += note_withdrawal.come_back(
                connection, note, fresh[place], now=now, now_exp=now_exp,
                due_delete=lambda trace: trace.crossing_ms(delete_below),
            )  # fmt: skip
            taken.add(place)
            back.append(number)
    fresh[:] = [new for place, new in enumerate(fresh) if place not in taken]
    return back, tied


def _kinship(connection: Connection, note: Note, new: NewNote) -> float:
    """How much a draft says what a note said; of an empty one it is only known what it was made of."""
    if note.text:
        return _likeness(content(note.text), content(new.text))
    held = {source.message for source in note_rows.sources_of(connection, [note.id])[note.id]}
    given = {message for message, _ in new.sources}
    return len(held & given) / len(given or held)  # what was told on many days comes back with the first of them


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (len(one | other) or 1)


async def reopen(memory: OpenMind, world: World) -> list[EpochRow]:
    """The epochs with something to make anew, their jobs open."""
    now = world.clock.now_ms()
    return await memory.database.write("rederive.open", lambda connection: amendments.open_jobs(connection, now))
