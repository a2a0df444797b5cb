"""Replay step: a sleeping mind goes over what is new together with what belongs to it (algorithms.md §6.9).

A step of `digestion`, after all that is cheaper, once a night. Region by region: what of the notes shows lasts a little
longer, and what belongs together over several talks is tied weakly. A model, where there is one, is asked about one
region a night, once enough was gone over since it was asked last, and about one of which only vague words are left to
a note, within its tokens. Nothing is deleted, and all of it can be taken back. A region is read, thought over,
and written in one transaction that takes its notes out of the queue, so a death or a call-off repeats nothing and loses
nothing, and the same night again finds nothing left. Nothing happens while the clock is suspect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Protocol

import anyio.lowlevel

from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS
from soulmem.core.replay.replay_priority import COOLDOWN_MS
from soulmem.core.schema.audience import Sharing
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.replay import model_operations, region_choice, replay_writes
from soulmem.idle.replay.model_operations import Thoughts, Told
from soulmem.idle.replay.replay_writes import COUNTS, Stored
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import note_index_rows, replay_queue
from soulmem.store.reflections.reflection_rows import Moment
from soulmem.store.revision import note_merging
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

STEP = "replay"
MOST_REGIONS = 32  # in one night
ASKED_EACH = 100  # notes that are gone over until a model is asked about a region again
_TOLD = tuple(name for name in COUNTS if name != "tokens")


class Begin(Protocol):
    """Runs the step as its job; its result, or None where it failed."""

    async def __call__(self, *, work: Callable[[Job], Awaitable[dict[str, Any]]]) -> dict[str, Any] | None: ...


def is_on(settings: MindSettings) -> bool:
    return settings.idle.replay and settings.idle.seconds_per_run > 0.0


def due_at(connection: Connection, settings: MindSettings, last_activity: int | None) -> int | None:
    """When a mind goes over what waits, wall time, if nobody talks till then; None where nothing waits."""
    if not is_on(settings) or not replay_queue.waits(connection):
        return None
    last = replay_queue.last_at(connection)
    silent = (last_activity or 0) + round(settings.idle.replay_after_h * HOUR_MS)
    return max(silent, last + COOLDOWN_MS if last is not None else 0)


async def replay_all(
    memory: OpenMind, world: World, settings: MindSettings, absorbed: Callable[[], Awaitable[None]], begin: Begin,
    run: str, *, is_asked: bool,
) -> bool:  # fmt: skip
    """Run the step if it is time; whether anything was written that is to be embedded.

    `is_asked`: somebody wants it now, however short the silence.
    """
    if world.clock.suspect or not is_on(settings):
        return False
    now, active = world.clock.now_ms(), None if is_asked else memory.clock.last_activity_at
    due = await memory.database.read(due_at, settings, active)
    if (due is None or due > now) and not await memory.database.read(digestion_jobs.is_open, STEP):
        return False
    await absorbed()
    done = await begin(work=partial(replay, memory, world, settings, run=run, is_asked=is_asked))
    return bool(done and (done["concluded"] or done["rephrased"] or done["merged"]))


async def replay(
    memory: OpenMind, world: World, settings: MindSettings, job: Job, *, run: str, is_asked: bool
) -> dict[str, Any]:
    """Run the step: one region after another, as long as a night may take.

    Raises SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    until = world.clock.monotonic_ms() + settings.idle.seconds_per_run * 1000
    done = Counter({name: int((job.result or {}).get(name, 0)) for name in COUNTS})
    apart = settings.recall.sharing is not Sharing.OPEN
    spent = await memory.database.read(digestion_jobs.told_since, STEP, "tokens", world.clock.now_ms() - DAY_MS)
    tokens = min(settings.idle.tokens_per_run - done["tokens"], settings.idle.tokens_per_day - spent - done["tokens"])
    asks = _Asking(await memory.database.read(_unasked), is_asked=is_asked)
    while True:
        now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
        moment = region_choice.Moment(now, now_exp, memory.fingerprint, apart)
        is_over = done["regions"] >= MOST_REGIONS or (done["regions"] and world.clock.monotonic_ms() >= until)
        choice, unable = (None, []) if is_over else await memory.database.read(region_choice.choose, moment)
        if choice is None:
            finish = partial(_finish, job=job, unable=unable, done=done, now=now)
            await memory.database.write("replay.done", finish)
            if done["regions"]:
                world.emit("replay_finished", mind=memory.name, **{name: done[name] for name in _TOLD})
            return dict(done)
        thoughts, cost = Thoughts(), 0
        if world.model.name != "extractive" and (likely := model_operations.cost(choice)) <= tokens:
            told = await memory.database.read(model_operations.read, choice, now_exp)
            if asks.about(told, done["notes"] + len(choice.visited)):
                thoughts = await model_operations.think(memory, world, settings, choice, told, job, run, apart=apart)
                cost = likely
        tokens -= cost
        written = Moment(now, now_exp, settings.forgetting.delete_below)
        merging = note_merging.moment(
            settings.forgetting.tombstone_days, settings.forgetting.delete_below, now, now_exp
        )
        store = partial(
            replay_writes.store, choice=choice, thoughts=thoughts, job=job, before=done, cost=cost, moment=written,
            merging=merging, apart=apart,
        )  # fmt: skip

        def after(each: Stored) -> None:
            _tell(memory, world, each)

        stored = await memory.database.write("replay", store, after=after)
        done.update(stored.counts)
        await anyio.lowlevel.checkpoint()


@dataclass(slots=True)
class _Asking:
    """What a model is still asked of a night. `unasked`: notes gone over since it was asked last, before this night."""

    unasked: int
    is_asked: bool
    of_time: bool = False
    of_words: bool = False

    def about(self, told: Told, notes: int) -> bool:
        """Whether it is asked about a region, with which so many notes were gone over in this night."""
        if not self.of_time and (self.is_asked or self.unasked + notes >= ASKED_EACH):
            self.of_time = True
        elif not self.of_words and told.is_any_vague:
            self.of_words = True
        else:
            return False
        return len(told.notes) > 1


def _unasked(connection: Connection) -> int:
    """How many notes were gone over since a model was asked about any; as many as it takes where it never was."""
    asked = digestion_jobs.last_told(connection, STEP, "tokens")
    return ASKED_EACH if asked is None else digestion_jobs.told_since(connection, STEP, "notes", asked + 1)


def _tell(memory: OpenMind, world: World, each: Stored) -> None:
    """What follows the commit of a region."""
    if each.notes or each.others or each.gone:
        memory.follow(lambda index: _follow(index, each))
    if each.notes:
        world.emit("note_created", mind=memory.name, count=len(each.notes), origin=STEP)
    if each.gone:
        world.emit("note_merged", mind=memory.name, count=len(each.gone))
    if changed := each.counts["rephrased"] + each.counts["retagged"]:
        world.emit("note_updated", mind=memory.name, count=changed, change=STEP)
    for origin, count in each.links.items():
        if count:
            world.emit("link_created", mind=memory.name, count=count, origin=origin)
    for change in sorted({one.event for one in each.ended}):
        count = sum(one.event == change for one in each.ended)
        world.emit("note_superseded", mind=memory.name, count=count, change=change)


def _follow(index: SearchIndex, each: Stored) -> None:
    for number in each.gone:
        index.remove(ItemKind.NOTE, number)
    note_index_rows.put(index, [*each.notes, *each.others])
    for note in each.others:
        index.set_homes(note.id, note.homes)


def _finish(connection: Connection, job: Job, unable: list[int], done: Mapping[str, int], now: int) -> None:
    replay_queue.leave_out(connection, unable)
    digestion_jobs.finish(connection, job.id, dict(done), now)
