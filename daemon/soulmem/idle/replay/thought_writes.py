"""Thought writes: what a model made of a region that was gone over is written (algorithms.md §6.9).

Called by `replay_writes` in the transaction of the region: first what leaves the notes as they are, then what makes
another note of one. Invariants: only notes that are as they were read are touched; what was told later ends what was
told earlier and never the reverse; nothing is deleted.
"""

from __future__ import annotations

from dataclasses import field

from soulmem.core.changes.contradiction import Refused, outcomes
from soulmem.core.details.reconstruction import BLUR_FIDELITY
from soulmem.core.schema.engine_tasks import FactEvent
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.replay.model_operations import Thoughts
from soulmem.idle.steps import reconcile_step
from soulmem.idle.steps.reconcile_step import Made
from soulmem.idle.steps.similar_notes import told_of
from soulmem.store.graph import link_rows
from soulmem.store.notes import element_rows, masked_indexing, merge_queue, note_rows, note_validity, note_writes
from soulmem.store.reflections import reflection_rows
from soulmem.store.reflections.reflection_rows import Moment
from soulmem.store.revision import note_merging, note_rewrites, replay_undo
from soulmem.store.revision.replay_undo import Done
from soulmem.store.sqlite.driver import Connection

REASON = "rephrased"
_FEW_OVER = 2  # contradictions of a region up to which a model is believed where code reads no matter


@dataclass(slots=True)
class Written:
    """What of it was written: what holds no more, links of reflections, and all that can be taken back."""

    made: Made = field(default_factory=Made)
    links: int = 0
    done: Done = field(default_factory=Done)


def beside(
    connection: Connection, thoughts: Thoughts, as_read: frozenset[int], moment: Moment, *, apart: bool
) -> Written:
    """Write what leaves the words of the notes as they are: what holds no more, what is concluded, their topics."""
    written = Written()
    discerning = len(thoughts.over) <= _FEW_OVER
    for old, new in thoughts.over:
        if old in as_read and new in as_read:
            _end(connection, old, new, written.made, moment, apart=apart, discerning=discerning)
    written.done.endings = [(each.ended, each.by) for each in written.made.ended]
    before = link_rows.count(connection)
    for each in thoughts.reflections:
        if (made := reflection_rows.make(connection, each, moment)) is not None:
            written.done.reflections.append(made)
    written.links = link_rows.count(connection) - before
    for note, was, topics in thoughts.retagged:
        if note in as_read and replay_undo.list_under(connection, note, was, topics, moment.now, moment.now_exp):
            written.done.retagged.append((note, list(was), list(topics)))
    return written


def become_others(
    connection: Connection, thoughts: Thoughts, as_read: frozenset[int], written: Written, moment: note_merging.Moment
) -> None:
    """Let notes go into others, and notes say other words, as far as nothing came between."""
    meant = {*(note for pair in thoughts.merged for note in pair), *(each.face.note.id for each in thoughts.rephrased)}
    facts = merge_queue.facts(connection, sorted(meant & as_read))
    for survivor, loser in thoughts.merged:
        if survivor in facts and loser in facts and facts[loser].may_go:
            note_merging.merge(connection, note_rows.get(connection, survivor), facts[loser].note, moment)
            merge_queue.looked_at(connection, [loser])
            written.done.merged.append((loser, survivor))
    for each in thoughts.rephrased:
        number = each.face.note.id
        if number not in facts or not facts[number].may_go:
            continue
        before = note_rows.get(connection, number)
        spans = tuple(element_rows.of_notes(connection, [number])[number])
        note_rewrites.say(
            connection, before, each.face, each.text, REASON, fidelity=BLUR_FIDELITY, now=moment.now,
            now_exp=moment.now_exp,
        )  # fmt: skip
        element_rows.replace_all(connection, number, each.born, lasting=False)
        masked_indexing.retell(connection, number, before.indexed, moment.now_exp)
        note_writes.record(connection, moment.now, "note_rephrased", number, {"version": before.version + 1})
        written.done.reworded.append((before, spans))


def _end(
    connection: Connection, old: int, new: int, made: Made, moment: Moment, *, apart: bool, discerning: bool
) -> None:
    """Let one note hold no more for what another says, if that was told later and is of the same matter."""
    told = {each.note: each for each in told_of(connection, [old, new])}
    if set(told) != {old, new} or told[new].order < told[old].order:
        return
    said_over = [each.said for each in note_validity.endings(connection, [old]).get(old, ())]
    decided = outcomes(
        told[new], told[old], FactEvent.SUPERSEDE, moment.now, said_over=said_over, discerning=discerning
    )
    for outcome in () if isinstance(decided, Refused) else decided:
        if outcome.ended == old:
            reconcile_step.end(connection, outcome, made, moment.delete_below, moment.now, moment.now_exp, apart=apart)
