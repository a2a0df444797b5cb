"""Reflection withdrawal: with notes that are taken back or deleted goes what was concluded from them.

Called around what takes notes back, in its transaction: `cited` before, `take_along` after it. What has to go is purged
like any note that is deleted, and is among what was taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from soulmem.store.notes import note_rows
from soulmem.store.reflections import reflection_removal
from soulmem.store.reflections.reflection_removal import cited
from soulmem.store.reflections.reflection_rows import Reflection
from soulmem.store.revision import note_withdrawal, purge_log
from soulmem.store.revision.note_withdrawal import TakenBack
from soulmem.store.sqlite.driver import Connection

__all__ = ["cited", "take_along"]


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
    doomed = reflection_removal.doomed(connection, rested, taken.gone, gone, still)
    for note in note_rows.get_many(connection, doomed).values():
        taken.texts += note_withdrawal.wordings_of(connection, note)
        taken.count(connection, note)
        note_withdrawal.purge(connection, note, purge_log.Why.SOURCE, now)
    taken.purged += doomed
