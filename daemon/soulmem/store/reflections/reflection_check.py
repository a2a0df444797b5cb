"""Reflection check: whether what a mind concluded rests on what it says it does. Called by `soulmem doctor --deep`.

Read-only; tells one line for each reflection that does not keep an invariant of `reflection_rows`.
"""

from __future__ import annotations

from collections.abc import Iterator

from soulmem.core.reflection.insight_admission import MOST_DEPTH
from soulmem.store.conversation_state import audience
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

_SINCE = 14  # the schema in which there are any


def flaws(connection: Connection, schema: int) -> Iterator[str]:
    """What is wrong with the reflections of a file."""
    if schema < _SINCE:
        return
    rested: dict[int, list[int]] = {}
    unsound: dict[int, str] = {}
    for reflection, note, version, kind, lifecycle, now, over in connection.execute(
        "SELECT e.reflection, e.note, e.version, n.kind, n.lifecycle, n.version, EXISTS (SELECT 1 FROM ending x "
        "WHERE x.note = e.note AND x.by <> x.note AND x.expired_at > r.made_at) "
        "FROM evidence e JOIN reflection r ON r.note = e.reflection LEFT JOIN note n ON n.id = e.note "
        "ORDER BY e.reflection, e.note"
    ):
        rested.setdefault(reflection, []).append(note)
        if kind is None:
            unsound[reflection] = f"rests on {public_id('n', note)}, which is not there"
        elif lifecycle == "forgotten" or now != version or over:
            unsound.setdefault(reflection, f"is not marked though {public_id('n', note)} is not as it was")
    depths = dict(connection.execute("SELECT note, depth FROM reflection").fetchall())
    heard = audience.homes(connection)
    for note, depth, stale, kind, lifecycle in connection.execute(
        "SELECT r.note, r.depth, r.stale, n.kind, n.lifecycle FROM reflection r LEFT JOIN note n ON n.id = r.note "
        "ORDER BY r.note"
    ):
        on = rested.get(note, [])
        if kind != "reflection":
            yield f"reflection {public_id('n', note)} is no note of its kind"
        if depth > MOST_DEPTH:
            yield f"reflection {public_id('n', note)} lies deeper than {MOST_DEPTH}"
        if stale or lifecycle == "forgotten":
            continue
        if note in unsound:
            yield f"reflection {public_id('n', note)} {unsound[note]}"
        elif not on:
            yield f"reflection {public_id('n', note)} rests on nothing and is not marked"
        elif depth != 1 + max(depths.get(each, 0) for each in on):
            yield f"reflection {public_id('n', note)} does not lie one deeper than what it rests on"
        elif heard.get(note, frozenset()) != frozenset().union(*(heard.get(each, frozenset()) for each in on)):
            yield f"reflection {public_id('n', note)} was not heard where what it rests on was"
