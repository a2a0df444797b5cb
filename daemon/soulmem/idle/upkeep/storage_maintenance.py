"""Storage maintenance: what a mind does not need any more makes room, in small transactions, while nobody talks.

The last part of the sweep (`digestion`). Old records go (`store/journal/journal_pruning`), vectors that lie thinly in
the vector index move together, and where much of the file is free it gets smaller. Each looks first and writes only if
there is something to do. Nothing is removed while the clock is suspect.
"""

from __future__ import annotations

from functools import partial

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.index import vectors
from soulmem.store.journal import journal_pruning
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite import vacuum

_ROWS = 200  # of each table in one transaction
_MOST_PARTS = 100  # transactions in one sweep; the next one goes on
_MOST_LOOKS = 1_000  # at recalls in one sweep, most of which find that nothing may go
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
        pages = await memory.database.read(vacuum.spare_pages, _PAGES)
        if not pages:
            break
        await memory.database.shrink(pages)
    return pruned


async def _prune(memory: OpenMind, world: World, settings: MindSettings) -> int:
    age_ms = round(settings.forgetting.journal_days * DAY_MS)
    pruned = looked_at = 0
    for _ in range(_MOST_PARTS):
        if world.clock.suspect:
            break
        now = world.clock.trusted_now_ms()  # not the wall's: that may jump between the question and this look
        rows = await memory.database.read(journal_pruning.old, age_ms, now, memory.now(now), _ROWS)
        if not rows.count:
            break
        pruned += await _remove(memory, rows)
    for _ in range(_MOST_LOOKS):
        if world.clock.suspect:
            break
        now, before = world.clock.trusted_now_ms(), looked_at
        rows, looked_at = await memory.database.read(journal_pruning.old_recalls, age_ms, now, _ROWS, before)
        if looked_at == before:
            break
        if rows.count:
            pruned += await _remove(memory, rows)
    return pruned


async def _remove(memory: OpenMind, rows: journal_pruning.Old) -> int:
    await memory.database.write("prune", lambda connection: journal_pruning.remove(connection, rows))
    return rows.count
