"""Replay writes: what came of a region that was gone over, in one transaction (algorithms.md §6.9).

Called by `replay_step`. Its notes leave the queue in it, and the step's job keeps how far the night has come.
Invariants: only notes that are as they were read are touched; what was ever tied is not tied again, so that what was
forgotten stays so; nothing is deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from soulmem.core.changes.contradiction import Outcome
from soulmem.core.decay.traces import Trace
from soulmem.core.details.rehearsal import REPLAYED
from soulmem.core.linking import hebbian_linking
from soulmem.core.replay.closed_triads import Tie
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.replay import model_operations
from soulmem.idle.replay.model_operations import Thoughts
from soulmem.idle.replay.region_choice import Choice
from soulmem.store.graph import link_rows, region_material
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import note_rows, rehearsal_writes, replay_queue
from soulmem.store.notes.note_rows import Note
from soulmem.store.reflections.reflection_rows import Moment
from soulmem.store.sqlite.driver import Connection

COUNTS = ("regions", "notes", "tied", "concluded", "ended", "tokens")


@dataclass(slots=True)
class Stored:
    """What was written: counts as the job keeps them, links by origin, notes that were made, what holds no more."""

    counts: dict[str, int]
    links: dict[str, int]
    notes: list[Note] = field(default_factory=list)
    ended: list[Outcome] = field(default_factory=list)


def store(
    connection: Connection, choice: Choice, thoughts: Thoughts, job: Job, before: Mapping[str, int], cost: int,
    moment: Moment, *, apart: bool,
) -> Stored:  # fmt: skip
    """Write what came of a region."""
    as_read = frozenset(
        note for note, node in region_material.nodes(connection, sorted(choice.nodes)).items()
        if node.version == choice.nodes[note].version and node.replayed_at == choice.nodes[note].replayed_at
    )  # fmt: skip
    visited = [note for note in choice.visited if note in as_read]
    if len(choice.visited) > 1:  # one that nothing belongs to is not gone over with anything
        rehearsal_writes.rehearse(connection, dict.fromkeys(visited, REPLAYED), moment.now_exp, was_used=False)
    by_chance = _tie(connection, choice.ties, LinkOrigin.HEBB, as_read, moment)
    by_model = _tie(connection, thoughts.ties, LinkOrigin.MODEL, as_read, moment)
    wrote = model_operations.write(connection, thoughts, as_read, moment, apart=apart)
    replay_queue.gone_over(connection, visited, moment.now)
    counts = {
        "regions": 1, "notes": len(visited), "tied": by_chance + by_model, "concluded": len(wrote.reflections),
        "ended": len(wrote.made.ended), "tokens": cost,
    }  # fmt: skip
    digestion_jobs.keep(connection, job.id, {name: before.get(name, 0) + counts[name] for name in COUNTS})
    links = {LinkOrigin.HEBB.value: by_chance, LinkOrigin.MODEL.value: by_model + wrote.links + wrote.made.tied}
    notes = list(note_rows.get_many(connection, wrote.reflections).values())
    return Stored(counts, links, notes, list(wrote.made.ended))


def _tie(
    connection: Connection, ties: Sequence[Tie], origin: LinkOrigin, as_read: frozenset[int], moment: Moment
) -> int:
    """Tie what belongs together; how much of it there was to tie."""
    tied = 0
    for tie in ties:
        if tie.one in as_read and tie.other in as_read and not link_rows.joined(connection, tie.one, tie.other):
            trace = Trace(tie.strength, moment.now_exp, hebbian_linking.stability_of(LinkKind.ASSOCIATION))
            due = trace.crossing_ms(moment.delete_below)
            new = NewLink(tie.one, tie.other, LinkKind.ASSOCIATION, origin, trace, due, moment.now)
            replay_queue.tied(connection, link_rows.insert(connection, new), moment.now)
            tied += 1
    return tied
