"""Replay step: a sleeping mind goes over what is new together with what belongs to it (algorithms.md §6.9).

A step of `digestion`, after all that is cheaper, once a night. Region by region: what of the notes shows lasts a little
longer, and what belongs together over several talks is tied weakly. Nothing is deleted and nothing is said otherwise.
A region is read, thought over, and written in one transaction that takes its notes out of the queue, so a death or a
call-off repeats nothing and loses nothing, and the same night again finds nothing left. Nothing happens while the clock
is suspect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Protocol

import anyio.lowlevel

from soulmem.core.calendar.calendar_math import HOUR_MS
from soulmem.core.decay.traces import Trace
from soulmem.core.details.rehearsal import REPLAYED
from soulmem.core.linking import hebbian_linking
from soulmem.core.replay.replay_priority import COOLDOWN_MS
from soulmem.core.schema.audience import Sharing
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin
from soulmem.idle.replay import region_choice
from soulmem.idle.replay.region_choice import Choice
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.graph import link_rows, region_material
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import rehearsal_writes, replay_queue
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

STEP = "replay"
MOST_REGIONS = 32  # in one night
_COUNTS = ("regions", "notes", "tied")


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
    *, is_asked: bool,
) -> None:  # fmt: skip
    """Run the step if it is time. `is_asked`: somebody wants it now, however short the silence."""
    if world.clock.suspect or not is_on(settings):
        return
    now, active = world.clock.now_ms(), None if is_asked else memory.clock.last_activity_at
    due = await memory.database.read(due_at, settings, active)
    if (due is not None and due <= now) or await memory.database.read(digestion_jobs.is_open, STEP):
        await absorbed()
        await begin(work=partial(replay, memory, world, settings))


async def replay(memory: OpenMind, world: World, settings: MindSettings, job: Job) -> dict[str, Any]:
    """Run the step: one region after another, as long as a night may take."""
    until = world.clock.monotonic_ms() + settings.idle.seconds_per_run * 1000
    done = Counter({name: int((job.result or {}).get(name, 0)) for name in _COUNTS})
    apart = settings.recall.sharing is not Sharing.OPEN
    while True:
        now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
        moment = region_choice.Moment(now, now_exp, memory.fingerprint, apart)
        is_over = done["regions"] >= MOST_REGIONS or (done["regions"] and world.clock.monotonic_ms() >= until)
        choice, unable = (None, []) if is_over else await memory.database.read(region_choice.choose, moment)
        if choice is None:
            finish = partial(_finish, job=job, unable=unable, done=done, now=now)
            await memory.database.write("replay.done", finish)
            if done["regions"]:
                world.emit("replay_finished", mind=memory.name, **done)
            return dict(done)
        store = partial(
            _store, choice=choice, job=job, done=done, now=now, now_exp=now_exp,
            delete_below=settings.forgetting.delete_below,
        )  # fmt: skip

        def after(counted: Mapping[str, int]) -> None:
            if counted["tied"]:
                world.emit("link_created", mind=memory.name, count=counted["tied"], origin=LinkOrigin.HEBB.value)

        done.update(await memory.database.write("replay", store, after=after))
        await anyio.lowlevel.checkpoint()


def _finish(connection: Connection, job: Job, unable: list[int], done: Mapping[str, int], now: int) -> None:
    replay_queue.leave_out(connection, unable)
    digestion_jobs.finish(connection, job.id, dict(done), now)


def _store(
    connection: Connection, choice: Choice, job: Job, done: Counter[str], now: int, now_exp: int, delete_below: float
) -> dict[str, int]:
    """Write what came of a region, as far as its notes are as they were read; what was done."""
    as_read = {
        note for note, node in region_material.nodes(connection, sorted(choice.nodes)).items()
        if node.version == choice.nodes[note].version and node.replayed_at == choice.nodes[note].replayed_at
    }  # fmt: skip
    visited = [note for note in choice.visited if note in as_read]
    if len(choice.visited) > 1:  # one that nothing belongs to is not gone over with anything
        rehearsal_writes.rehearse(connection, dict.fromkeys(visited, REPLAYED), now_exp, was_used=False)
    tied = 0
    for tie in choice.ties:
        if tie.one not in as_read or tie.other not in as_read:
            continue
        if link_rows.joined(connection, tie.one, tie.other):
            continue  # what was tied and forgotten stays so
        trace = Trace(tie.strength, now_exp, hebbian_linking.stability_of(LinkKind.ASSOCIATION))
        new = NewLink(tie.one, tie.other, LinkKind.ASSOCIATION, LinkOrigin.HEBB, trace,
                      trace.crossing_ms(delete_below), now)  # fmt: skip
        replay_queue.tied(connection, link_rows.insert(connection, new), now)
        tied += 1
    replay_queue.gone_over(connection, visited, now)
    counted = {"regions": 1, "notes": len(visited), "tied": tied}
    digestion_jobs.keep(connection, job.id, {name: done[name] + counted[name] for name in _COUNTS})
    return counted
