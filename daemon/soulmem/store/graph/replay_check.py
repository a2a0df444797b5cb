"""Replay check: whether what a mind did in its sleep kept within its bounds. Called by `soulmem doctor --deep`.

Read-only; tells one line for each row that does not keep an invariant of `idle/replay`: only notes that there are wait
or were gone over, what was tied is a weak association of two notes, the only one between them that it made, and what is
kept to take a night back is of a night, says what it needs, and leads to what a note said before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from soulmem.core.replay.closed_triads import STRONGEST
from soulmem.store.notes import replay_queue
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

_SINCE = 18  # the schema in which there is any
_UNDO_SINCE = 19  # … in which it can be taken back
_UNDO = {"notes", "elements", "links", "reflections", "endings", "merged", "retagged"}
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
    if schema >= _UNDO_SINCE:
        yield from _undo_flaws(connection)


def _undo_flaws(connection: Connection) -> Iterator[str]:
    for region, step, undo in connection.execute(
        "SELECT r.id, j.step, r.undo FROM replay_region r LEFT JOIN job j ON j.id = r.job ORDER BY r.id"
    ):
        if step != "replay":
            yield f"region {region} that was gone over is of no night ({step})"
        if not is_readable(undo):
            yield f"region {region} that was gone over cannot be taken back"
    for note, version, now in connection.execute(
        "SELECT w.note, w.version, n.version FROM replay_rewrite w LEFT JOIN note n ON n.id = w.note "
        "WHERE n.id IS NULL OR w.version >= n.version OR NOT EXISTS "
        "(SELECT 1 FROM note_version v WHERE v.note = w.note AND v.version = w.version) ORDER BY w.note, w.version"
    ):
        yield f"note {public_id('n', note)} was given other words and never said others (version {version} of {now})"
    for kind, one, other in connection.execute(
        "SELECT r.kind, r.one, r.other FROM replay_refused r LEFT JOIN note n ON n.id = r.one "
        "WHERE n.id IS NULL OR (r.kind IN ('link', 'contradiction')) <> (r.other > 0) ORDER BY r.one, r.other"
    ):
        yield f"{kind} of note {public_id('n', one)} (and {other}) was taken back and cannot have been"


def is_readable(undo: str) -> bool:
    """Whether what is kept of a region says all that is needed to take it back."""
    try:
        told = json.loads(undo)
    except ValueError:
        return False
    return isinstance(told, dict) and set(told) == _UNDO and all(isinstance(each, list) for each in told.values())
