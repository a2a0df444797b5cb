"""Plans whose time is over and of which nobody said what became of them: they were missed (algorithms.md §8.4).

A step of digestion. One transaction marks all of them with the step's end, so that none is marked twice, whatever dies
in between. What was missed stays, and fades as anything else.
"""

from __future__ import annotations

from typing import Any

from soulmem.ports import World
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.plans import plan_rows, plan_writes
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection


async def is_due(memory: OpenMind, world: World) -> bool:
    """Whether there is any such plan. A clock that jumped ahead is not believed."""
    return await memory.database.read(plan_rows.past_due, world.clock.trusted_now_ms())


async def miss(memory: OpenMind, world: World, job: Job) -> dict[str, Any]:
    """Mark them; how many there were."""
    now = world.clock.trusted_now_ms()

    def write(connection: Connection) -> dict[str, Any]:
        result = {"missed": len(plan_writes.miss(connection, now))}
        digestion_jobs.finish(connection, job.id, result, world.clock.now_ms())
        return result

    return await memory.database.write("plans.done", write)
