"""Sweep step: what fell due is forgotten, and what that makes superfluous goes (algorithms.md §7.8).

A step of `digestion`: details without a gist get one, details that crossed a threshold blur, links and notes that are
due go behind tombstones, old tombstones and records go for good. Each is small transactions of its own; the step's end
is the last.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from soulmem.idle.upkeep import forgetting_sweep
from soulmem.idle.upkeep.gist_backfill import DetailsOf, name_details
from soulmem.idle.upkeep.storage_maintenance import tidy
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.session.mind_session import OpenMind


class Needs(Protocol):
    """The workers that a sweep sets to work."""

    @property
    def wake(self) -> Callable[[str], None]: ...

    @property
    def blur(self) -> Callable[[int], Awaitable[int]]: ...

    @property
    def details_of(self) -> DetailsOf: ...


async def run(memory: OpenMind, world: World, settings: MindSettings, needs: Needs, job: Job) -> dict[str, Any]:
    """Run the step."""
    started = world.clock.monotonic_ms()
    if await name_details(memory, needs.details_of, memory.now(world.clock.trusted_now_ms())):
        needs.wake("embed")
    blurred = await needs.blur(settings.forgetting.sweep_cap)
    swept = await forgetting_sweep.sweep(memory, world, settings)
    purged = await forgetting_sweep.purge(memory, world, settings)
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
