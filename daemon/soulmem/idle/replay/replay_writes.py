"""Replay writes: what came of a region that was gone over, in one transaction (algorithms.md §6.9).

Called by `replay_step`. Its notes leave the queue in it, the step's job keeps how far the night has come, and what was
done is kept so that it can be taken back (`store/revision/replay_undo`). Invariants: only notes that are as they were
read are touched; what was ever tied is not tied again, so that what was forgotten or taken back stays so; nothing is
deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from soulmem.core.changes.contradiction import Outcome
from soulmem.core.decay.traces import Trace
from soulmem.core.details.rehearsal import REPLAYED
from soulmem.core.linking import hebbian_linking
from soulmem.core.replay.closed_triads import Tie
from soulmem.core.schema.engine_tasks import OperationKind
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.replay import thought_writes
from soulmem.idle.replay.model_operations import Thoughts
from soulmem.idle.replay.region_choice import Choice
from soulmem.store.graph import link_rows, region_material
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import note_rows, rehearsal_writes, replay_queue
from soulmem.store.notes.note_rows import Note
from soulmem.store.reflections.reflection_rows import Moment
from soulmem.store.revision import note_merging, replay_undo
from soulmem.store.sqlite.driver import Connection

COUNTS = ("regions", "notes", "tied", "concluded", "ended", "merged", "rephrased", "retagged", "tokens")


@dataclass(slots=True)
class Stored:
    """What was written: counts as the job keeps them, links by origin, notes that were made, those that say or hold
    more than before, those that went into others, and what holds no more."""

    counts: dict[str, int]
    links: dict[str, int]
    notes: list[Note] = field(default_factory=list)
    others: list[Note] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    ended: list[Outcome] = field(default_factory=list)


def store(
    connection: Connection, choice: Choice, thoughts: Thoughts, job: Job, before: Mapping[str, int], cost: int,
    moment: Moment, merging: note_merging.Moment, *, apart: bool,
) -> Stored:  # fmt: skip
    """Write what came of a region."""
    as_read = frozenset(
        note for note, node in region_material.nodes(connection, sorted(choice.nodes)).items()
        if node.version == choice.nodes[note].version and node.replayed_at == choice.nodes[note].replayed_at
    )  # fmt: skip
    visited = [note for note in choice.visited if note in as_read]
    was = replay_undo.standing(connection, sorted(as_read))
    if len(choice.visited) > 1:  # one that nothing belongs to is not gone over with anything
        rehearsal_writes.rehearse(connection, dict.fromkeys(visited, REPLAYED), moment.now_exp, was_used=False)
    by_chance = _tie(connection, choice.ties, LinkOrigin.HEBB, as_read, moment)
    by_model = _tie(connection, thoughts.ties, LinkOrigin.MODEL, as_read, moment)
    wrote = thought_writes.beside(connection, thoughts, as_read, moment, apart=apart)
    links = replay_undo.tied_since(connection, was)
    made = replay_undo.standing(connection, sorted(as_read))
    thought_writes.become_others(connection, thoughts, as_read, wrote, merging)
    done = wrote.done
    replay_undo.keep(connection, job.id, was, made, links, done, moment.now)
    gone = [loser for loser, _ in done.merged]
    replay_queue.gone_over(connection, visited, moment.now)
    counts = {
        "regions": 1, "notes": len(visited), "tied": by_chance + by_model, "concluded": len(done.reflections),
        "ended": len(wrote.made.ended), "merged": len(gone), "rephrased": len(done.reworded),
        "retagged": len(done.retagged), "tokens": cost,
    }  # fmt: skip
    digestion_jobs.keep(connection, job.id, {name: before.get(name, 0) + counts[name] for name in COUNTS})
    told = {LinkOrigin.HEBB.value: by_chance, LinkOrigin.MODEL.value: by_model + wrote.links + wrote.made.tied}
    others = {
        *(survivor for _, survivor in done.merged), *(note.id for note, _ in done.reworded),
        *(note for note, _, _ in done.retagged),
    } - set(gone)  # fmt: skip
    return Stored(
        counts, told, list(note_rows.get_many(connection, done.reflections).values()),
        list(note_rows.get_many(connection, sorted(others)).values()), gone, list(wrote.made.ended),
    )  # fmt: skip


def _tie(
    connection: Connection, ties: Sequence[Tie], origin: LinkOrigin, as_read: frozenset[int], moment: Moment
) -> int:
    """Tie what belongs together; how much of it there was to tie."""
    tied = 0
    taken_back = replay_undo.refused(connection, OperationKind.LINK, {tie.one for tie in ties})
    for tie in ties:
        if (tie.one, tie.other) in taken_back or not {tie.one, tie.other} <= as_read:
            continue
        if not link_rows.joined(connection, tie.one, tie.other):
            trace = Trace(tie.strength, moment.now_exp, hebbian_linking.stability_of(LinkKind.ASSOCIATION))
            due = trace.crossing_ms(moment.delete_below)
            new = NewLink(tie.one, tie.other, LinkKind.ASSOCIATION, origin, trace, due, moment.now)
            replay_queue.tied(connection, link_rows.insert(connection, new), moment.now)
            tied += 1
    return tied
