"""Forgetting: links that have faded below the threshold are deleted, and the notes they leave alone with them.

The sweep asks an index for what fell due, so it costs what dies, not what lives. Deleting is a tombstone that can be
undone for a month; nothing is deleted while the clock is suspect. It works in small transactions, so that a recall
never waits for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from soulmem.core import forgetting
from soulmem.core.forgetting import LinkEnds, NoteStanding, SweepPlan
from soulmem.core.index import SearchIndex
from soulmem.core.rows import ItemKind
from soulmem.ops.config import MindSettings
from soulmem.ports import World
from soulmem.store import links, notes, standing, tombstones
from soulmem.store.driver import Connection
from soulmem.store.links import Link
from soulmem.store.open_mind import OpenMind
from soulmem.store.rows import private_id, public_id

DAY_MS = 86_400_000
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
    total = Swept()
    while total.links + total.notes < rules.sweep_cap:
        now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
        purge_at = now + round(rules.tombstone_days * DAY_MS)
        cap = min(_CHUNK, rules.sweep_cap - total.links - total.notes)

        def step(
            connection: Connection, now: int = now, now_exp: int = now_exp, purge_at: int = purge_at, cap: int = cap
        ) -> tuple[SweepPlan, list[int]]:
            return _sweep_some(connection, now=now, now_exp=now_exp, purge_at=purge_at, cap=cap)

        def after(swept: tuple[SweepPlan, list[int]]) -> None:
            plan, gone = swept
            memory.follow(lambda index: _unindex(index, gone))
            if plan.links:
                world.emit("link_forgotten", mind=memory.name, count=len(plan.links), reason="faded")
            if gone:
                world.emit("note_forgotten", mind=memory.name, count=len(gone), reason="isolated")

        plan, gone = await memory.database.write("sweep", step, after=after)
        total = Swept(
            total.links + len(plan.links), total.notes + len(gone), total.spared + len(plan.spared), total.remaining
        )
        if not plan.links and not gone and not plan.spared:
            return total
    return Swept(total.links, total.notes, total.spared, remaining=True)


async def purge(memory: OpenMind, world: World) -> int:
    """Remove for good what was forgotten longer ago than tombstones last; how many."""
    if world.clock.suspect:
        return 0
    now = world.clock.now_ms()
    return await memory.database.write("purge", lambda connection: tombstones.purge_due(connection, now, 200))


def _sweep_some(
    connection: Connection, *, now: int, now_exp: int, purge_at: int, cap: int
) -> tuple[SweepPlan, list[int]]:
    due = links.due(connection, now_exp, cap)
    suspects = standing.due_for_check(connection, now_exp, cap)
    held: dict[str, Link] = {public_id("l", link.id): link for link in due}

    def links_of(note: str) -> Sequence[LinkEnds]:
        found = links.of_notes(connection, [private_id("n", note)])
        held.update({public_id("l", link.id): link for link in found})
        return [_ends(link) for link in found]

    def standing_of(note: str) -> NoteStanding:
        return standing.of_note(connection, private_id("n", note), now_exp)

    plan = forgetting.sweep_plan(
        [_ends(link) for link in due],
        links_of=links_of,
        standing_of=standing_of,
        now_ms=now_exp,
        suspects=[public_id("n", note) for note in suspects],
        cap=cap,
    )
    links.forget(connection, [held[link] for link in plan.links], reason="faded", now=now, purge_at=purge_at)
    gone = [private_id("n", note) for note in plan.notes]
    for note in gone:
        notes.forget(connection, note, reason="isolated", now=now, purge_at=purge_at)
    # Whoever was looked at and stays (spared, or linked still) is looked at again in a week.
    looked_at = {*suspects, *(private_id("n", note) for note, _ in plan.spared)} - set(gone)
    standing.check_again(connection, looked_at, forgetting.recheck_ms(now_exp))
    return plan, gone


def _ends(link: Link) -> LinkEnds:
    return LinkEnds(public_id("l", link.id), public_id("n", link.src), public_id("n", link.dst))


def _unindex(index: SearchIndex, gone: Sequence[int]) -> None:
    for note in gone:
        index.remove(ItemKind.NOTE, note)
