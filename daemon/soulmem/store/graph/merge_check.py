"""Merge check: whether what became one can come apart again. Called by `soulmem doctor --deep`.

Read-only; tells one line for each row that does not keep an invariant of `store/revision/note_merging`: a note that
went into another is behind its tombstone and says into which, that one went into none, and what both were is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

_SINCE = 16  # the schema in which there is any
_UNDO = {"was", "due", "sources", "links", "elements", "made"}


def flaws(connection: Connection, schema: int) -> Iterator[str]:
    """What is wrong with the merges of a file."""
    if schema < _SINCE:
        return
    for loser, survivor, undo, lifecycle, into, above in connection.execute(
        "SELECT g.loser, g.survivor, g.undo, n.lifecycle, n.merged_into, (SELECT o.survivor FROM merge o "
        "WHERE o.loser = g.survivor) FROM merge g LEFT JOIN note n ON n.id = g.loser ORDER BY g.id"
    ):
        went, stays = public_id("n", loser), public_id("n", survivor)
        if lifecycle != "forgotten" or into != survivor:
            yield f"note {went} went into {stays} and is there still ({lifecycle})"
        if above is not None:
            yield f"note {went} went into {stays}, which went into {public_id('n', above)}"
        if not _is_readable(undo):
            yield f"note {went} went into {stays} and cannot come out of it"
    for note, into in connection.execute(
        "SELECT id, merged_into FROM note WHERE merged_into IS NOT NULL AND lifecycle <> 'forgotten' "
        "AND id NOT IN (SELECT loser FROM merge) ORDER BY id"
    ):
        yield f"note {public_id('n', note)} says that it went into {public_id('n', into)}, and nothing was kept of that"


def _is_readable(undo: str) -> bool:
    try:
        told = json.loads(undo)
    except ValueError:
        return False
    return isinstance(told, dict) and set(told) >= _UNDO
