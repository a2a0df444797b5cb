"""Replay check: whether what a mind did in its sleep kept within its bounds. Called by `soulmem doctor --deep`.

Read-only; tells one line for each row that does not keep an invariant of `idle/replay`: only notes that there are wait
or were gone over, and what was tied is a weak association of two notes, the only one between them that it made.
"""

from __future__ import annotations

from collections.abc import Iterator

from soulmem.core.replay.closed_triads import STRONGEST
from soulmem.store.notes import replay_queue
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

_SINCE = 18  # the schema in which there is any
_ROUNDING = 1e-9


def flaws(connection: Connection, schema: int) -> Iterator[str]:
    """What is wrong with the replays of a file."""
    if schema < _SINCE:
        return
    for note, kind in connection.execute(
        "SELECT d.note, n.kind FROM replay_due d LEFT JOIN note n ON n.id = d.note ORDER BY d.note"
    ):
        if kind is None:
            yield f"note {public_id('n', note)} is to be gone over and is not there"
        elif kind not in replay_queue.KINDS:
            yield f"note {public_id('n', note)} is to be gone over and is of a kind that is not ({kind})"
    for (note,) in connection.execute(
        "SELECT r.note FROM replayed r LEFT JOIN note n ON n.id = r.note WHERE n.id IS NULL ORDER BY r.note"
    ):
        yield f"note {public_id('n', note)} was gone over and is not there"
    for number, kind, origin, initial in connection.execute(
        "SELECT r.link, l.kind, l.origin, l.initial FROM replay_link r LEFT JOIN link l ON l.id = r.link "
        "ORDER BY r.link"
    ):
        if kind is None:
            yield f"link {public_id('l', number)} was made at night and is not there"
        elif kind != "association" or origin not in {"hebb", "model"} or initial > STRONGEST + _ROUNDING:
            yield f"link {public_id('l', number)} was made at night and is no weak association ({kind}, {initial})"
