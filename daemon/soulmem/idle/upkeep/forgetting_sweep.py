"""Forgetting sweep: what fell due is forgotten, and what that makes superfluous goes (algorithms.md §7.8).

A step of `digestion`: details without a gist get one, details that crossed a threshold blur, links and the notes they
leave alone go behind tombstones, old tombstones and records go for good. The sweep asks an index for what fell due, so
it costs what dies, not what lives. Deleting is a tombstone that can be undone for a month; nothing is deleted while the
clock is suspect. It works in small transactions, so that a recall never waits for it; the end of the step is the last.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay import pruning_policy
from soulmem.core.decay.pruning_policy import LinkEnds, NoteStanding, SweepPlan
from soulmem.core.search.index_columns import ItemKind
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.correction_step import DetailsOf
from soulmem.idle.upkeep.gist_backfill import name_details
from soulmem.idle.upkeep.storage_maintenance import tidy
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ops.settings.setting_sections import DecayClock
from soulmem.ports import World
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import note_writes, retention_facts, retention_queue
from soulmem.store.revision import tombstones
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id

_CHUNK = 40  # deletions in one transaction


@dataclass(frozen=True, slots=True)
class Swept:
    links: int = 0
    notes: int = 0
    spared: int = 0
    remaining: bool = False


async def sweep(memory: OpenMind, world: World, settings: MindSettings) -> Swept:
    """Delete what fell due; nothing in a profile that keeps everything, nothing while the clock is suspect."""
    rules = settings.forgetting
    if not rules.deletes or world.clock.suspect:
        return Swept()
    total = await _above_ceiling(memory, world, settings)
    while total.links + total.notes < rules.sweep_cap:
        now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
        purge_at = now + round(rules.tombstone_days * DAY_MS)
        cap = min(_CHUNK, rules.sweep_cap - total.links - total.notes)

        step = partial(_sweep_some, now=now, now_exp=now_exp, purge_at=purge_at, cap=cap)
        plan, gone = await memory.database.write("sweep", step, after=_told(memory, world, "isolated"))
        total = Swept(
            total.links + len(plan.links), total.notes + len(gone), total.spared + len(plan.spared), total.remaining
        )
        if not (plan.links or gone or plan.spared or plan.linked):
            return total
    return Swept(total.links, total.notes, total.spared, remaining=True)


async def _above_ceiling(memory: OpenMind, world: World, settings: MindSettings) -> Swept:
    """Where a mind has more notes than it may, those of least weight go first, with their links."""
    rules = settings.forgetting
    total = Swept()
    excess = min(await memory.database.read(retention_facts.excess, rules.max_notes), rules.sweep_cap)
    if excess <= 0:
        return total
    # Some of them may not be forgotten yet: twice as many are looked at.
    now_exp = memory.now(world.clock.trusted_now_ms())
    light = await memory.database.read(retention_facts.lightest, 2 * excess, now_exp)
    for first in range(0, len(light), _CHUNK):
        now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
        purge_at = now + round(rules.tombstone_days * DAY_MS)
        doomed = light[first : first + _CHUNK]
        cap = min(_CHUNK, excess - total.notes)
        if cap <= 0:
            break

        step = partial(_sweep_some, now=now, now_exp=now_exp, purge_at=purge_at, cap=cap, doomed=doomed)
        after = _told(memory, world, "ceiling", "note_forgotten")
        plan, gone = await memory.database.write("ceiling", step, after=after)
        total = Swept(total.links + len(plan.links), total.notes + len(gone), total.spared + len(plan.spared))
    return total


def _told(
    memory: OpenMind, world: World, reason: str, links_reason: str = "faded"
) -> Callable[[tuple[SweepPlan, list[int]]], None]:
    """What follows a commit of the sweep."""

    def after(swept: tuple[SweepPlan, list[int]]) -> None:
        plan, gone = swept
        memory.follow(lambda index: index.remove_all(ItemKind.NOTE, gone))
        if plan.links:
            world.emit("link_forgotten", mind=memory.name, count=len(plan.links), reason=links_reason)
        if gone:
            world.emit("note_forgotten", mind=memory.name, count=len(gone), reason=reason)

    return after


async def purge(memory: OpenMind, world: World, settings: MindSettings) -> int:
    """Remove for good what was forgotten longer ago than tombstones last; how many.

    The time to bring something back runs while somebody is there, unless the mind forgets by the wall clock.
    """
    if world.clock.suspect:
        return 0
    now, rules = world.clock.now_ms(), settings.forgetting
    grace = None
    if rules.clock is DecayClock.EXPERIENCED:
        lasts, absent_after = round(rules.tombstone_days * DAY_MS), round(rules.dormancy_after_days * DAY_MS)
        grace = tombstones.Grace(lasts, max(DAY_MS, absent_after))
    return await memory.database.write("purge", lambda connection: tombstones.purge_due(connection, now, 200, grace))


def _sweep_some(
    connection: Connection, *, now: int, now_exp: int, purge_at: int, cap: int, doomed: Sequence[int] = ()
) -> tuple[SweepPlan, list[int]]:
    """One transaction of the sweep: what fell due, or what is `doomed` because there are too many notes."""
    due = [] if doomed else link_rows.due(connection, now_exp, cap)
    suspects = [] if doomed else retention_queue.due(connection, now_exp, cap)
    held: dict[str, Link] = {public_id("l", link.id): link for link in due}

    def links_of(note: str) -> Sequence[LinkEnds]:
        found = link_rows.of_notes(connection, [private_id("n", note)])
        held.update({public_id("l", link.id): link for link in found})
        return [_ends(link) for link in found]

    def standing_of(note: str) -> NoteStanding:
        return retention_facts.of_note(connection, private_id("n", note), now_exp)

    plan = pruning_policy.sweep_plan(
        [_ends(link) for link in due],
        links_of=links_of,
        standing_of=standing_of,
        now_ms=now_exp,
        suspects=[public_id("n", note) for note in suspects],
        doomed=[public_id("n", note) for note in doomed],
        cap=cap,
    )
    dead = [held[link] for link in plan.links]
    link_rows.forget(connection, dead, reason="note_forgotten" if doomed else "faded", now=now, purge_at=purge_at)
    gone = [private_id("n", note) for note in plan.notes]
    for note in gone:
        note_writes.forget(connection, note, reason="ceiling" if doomed else "isolated", now=now, purge_at=purge_at)
    # A link that dies brings those here that are linked.
    again: list[tuple[int, int | None]] = [(private_id("n", note), None) for note in plan.linked]
    again += [
        (private_id("n", note), pruning_policy.next_check_ms(standing_of(note), reason, now_exp))
        for note, reason in plan.spared
    ]
    retention_queue.plan(connection, again)
    return plan, gone


def _ends(link: Link) -> LinkEnds:
    return LinkEnds(public_id("l", link.id), public_id("n", link.src), public_id("n", link.dst))


async def run(
    memory: OpenMind, world: World, settings: MindSettings, job: Job, *,
    wake: Callable[[str], None], blur: Callable[[int], Awaitable[int]], details_of: DetailsOf,
) -> dict[str, Any]:  # fmt: skip
    """Run the step."""
    started = world.clock.monotonic_ms()
    if await name_details(memory, details_of, memory.now(world.clock.trusted_now_ms())):
        wake("embed")
    blurred = await blur(settings.forgetting.sweep_cap)
    swept = await sweep(memory, world, settings)
    purged = await purge(memory, world, settings)
    pruned = await tidy(memory, world, settings)
    result = {"blurred": blurred, "links": swept.links, "notes": swept.notes, "purged": purged, "pruned": pruned}
    now = world.clock.now_ms()
    await memory.database.write("sweep.done", lambda connection: digestion_jobs.finish(connection, job.id, result, now))
    if purged:
        world.emit("tombstone_purged", mind=memory.name, count=purged)
    took = round(world.clock.monotonic_ms() - started, 1)
    world.emit(
        "sweep_finished", mind=memory.name, notes=swept.notes, links=swept.links, blurred=blurred,
        remaining=swept.remaining, ms=took,
    )  # fmt: skip
    return result
