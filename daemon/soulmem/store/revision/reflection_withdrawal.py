"""Reflection withdrawal: with notes that are taken back or deleted goes what was concluded from them.

Called around what takes notes back, in its transaction: `cited` before, `take_along` after it. What has to go is purged
like any note that is deleted, and is among what was taken back; what rested on it beside others is thought over.
Invariant: after it no reflection says a word that only what is gone had.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from soulmem.core.text.repetition import content
from soulmem.store.notes import note_rows
from soulmem.store.reflections import reflection_rows, reflection_tally
from soulmem.store.reflections.reflection_rows import Reflection
from soulmem.store.revision import note_withdrawal, purge_log
from soulmem.store.revision.note_withdrawal import TakenBack
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed


def take_along(
    connection: Connection, rested: Mapping[int, Reflection], taken: TakenBack, gone: Sequence[str], *, now: int,
    still: Sequence[str] = (),
) -> None:  # fmt: skip
    """Purge the reflections that cannot stay without the notes that were taken back.

    Args:
        rested: those that rested on any of them before.
        gone: what the notes said; `still`: what of that is said still.
    """
    if not rested:
        return
    going = doomed(connection, rested, taken.gone, gone, still)
    for note in note_rows.get_many(connection, going).values():
        taken.texts += note_withdrawal.wordings_of(connection, note)
        taken.count(connection, note)
        note_withdrawal.purge(connection, note, purge_log.Why.SOURCE, now)
    taken.purged += going


def cited(connection: Connection, notes: Collection[int]) -> dict[int, Reflection]:
    """The reflections that rest on any of these notes, near or far: asked before anything becomes of them."""
    return reflection_rows.of_notes(connection, reflection_rows.citing(connection, notes))


def doomed(
    connection: Connection, cited: Mapping[int, Reflection], notes: Collection[int], gone: Sequence[str],
    still: Sequence[str] = (),
) -> list[int]:  # fmt: skip
    """The reflections that have to go because notes did; those that may stay are marked, and forget what they said.

    Args:
        cited: those that rested on them.
        notes: the notes that are gone, or do not say any more what they said.
        gone: all that these said; `still`: what of it is said still.
    """
    lost, words = set(notes), content(" ".join(gone)) - content(" ".join(still))
    found: list[int] = []
    shown = note_rows.get_many(connection, list(cited))
    for each in sorted(cited.values(), key=lambda each: (each.depth, each.note)):
        if lost.isdisjoint(each.evidence) or each.note not in shown:
            continue
        note = shown[each.note]
        others = [other for other in each.evidence if other not in lost]
        told = note_rows.get_many(connection, others).values()
        own = content(" ".join((note.text, *note.entities))) & words
        if others and own <= content(" ".join(other.text for other in told)):
            connection.execute("DELETE FROM note_version WHERE note = ?", (each.note,))
            connection.execute("UPDATE reflection SET stale = 2, question = '' WHERE note = ?", (each.note,))
            continue
        reflection_tally.rethink(connection, [other.id for other in told if other.lifecycle != note_rows.FORGOTTEN])
        found.append(each.note)
        lost.add(each.note)
        words |= content(" ".join((note.text, *note.entities)))
    reflection_tally.thought_over(connection, found)
    return found


def not_again(connection: Connection, reflection: int) -> None:
    """Somebody deletes a reflection: from what it rests on nothing is concluded again."""
    rows = connection.execute(f"SELECT note FROM evidence WHERE reflection {AMONG}", (listed([reflection]),)).fetchall()
    reflection_tally.leave_alone(connection, [row[0] for row in rows])
