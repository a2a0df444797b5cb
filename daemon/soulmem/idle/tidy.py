"""Tidying: what a mind does not need any more makes room, in small transactions, while nobody talks.

The last part of the sweep (`digest`). Old records go (`store/pruning`), vectors that lie thinly in the vector index
move together, and where much of the file is free it gets smaller. Each looks first and writes only if there is
something to do. Nothing is removed while the clock is suspect.
"""

from __future__ import annotations

from functools import partial

from soulmem.core.civil import DAY_MS
from soulmem.ops.config import MindSettings
from soulmem.ports import World
from soulmem.store import pruning, space, vectors
from soulmem.store.driver import Connection
from soulmem.store.open_mind import OpenMind

_ROWS = 200  # of each table in one transaction
_MOST_PARTS = 100  # transactions in one sweep; the next one goes on
_MOVED = 32  # vectors in one transaction
_PAGES = 64  # given back in one transaction


async def tidy(memory: OpenMind, world: World, settings: MindSettings) -> int:
    """Make room; how many old records went."""
    pruned = await _prune(memory, world, settings)
    fingerprint = memory.fingerprint
    for _ in range(_MOST_PARTS):
        thin = await memory.database.read(vectors.thin, fingerprint, _MOVED)
        if not thin:
            break
        await memory.database.write("vectors.gather", partial(vectors.gather, fingerprint=fingerprint, rows=thin))
    for _ in range(_MOST_PARTS):
        pages = await memory.database.read(space.spare_pages, _PAGES)
        if not pages:
            break
        await memory.database.write("space", partial(space.give_back, pages=pages))
    return pruned


async def _prune(memory: OpenMind, world: World, settings: MindSettings) -> int:
    age_ms = round(settings.forgetting.journal_days * DAY_MS)
    pruned = 0
    for _ in range(_MOST_PARTS):
        if world.clock.suspect:
            break
        before = world.clock.now_ms() - age_ms
        before_exp = memory.now(world.clock.trusted_now_ms()) - age_ms
        rows = await memory.database.read(pruning.old, before, before_exp, _ROWS)
        if not rows.count:
            break

        def remove(connection: Connection, rows: pruning.Old = rows) -> None:
            pruning.remove(connection, rows)

        await memory.database.write("prune", remove)
        pruned += rows.count
    return pruned
