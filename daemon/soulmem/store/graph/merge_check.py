"""Merge check: whether what became one can come apart again. Called by `soulmem doctor --deep`.

Read-only; tells one line for each row that does not keep an invariant of `store/revision/note_merging`: a note that
went into another is behind its tombstone and says into which, that one went into none, and what both were is kept. And
of `situation_notes`: what stands above variants is abstract, rests on what was said, and leads down to occasions alone.
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


def situation_flaws(connection: Connection, schema: int) -> Iterator[str]:
    """What is wrong with the notes that stand above variants."""
    if schema < _SINCE:
        return
    for note, kind, sources in connection.execute(
        "SELECT n.id, n.kind, (SELECT count(*) FROM note_source s WHERE s.note = n.id) FROM note n "
        "WHERE n.attributes ->> '$.made_of' = 'variants' AND n.lifecycle <> 'forgotten' ORDER BY n.id"
    ):
        if kind != "abstract":
            yield f"note {public_id('n', note)} stands above variants and is no situation ({kind})"
        if not sources:
            yield f"note {public_id('n', note)} stands above variants and rests on nothing that was said"
    for above, below, kind in connection.execute(
        "SELECT l.src, l.dst, b.kind FROM link l JOIN note n ON n.id = l.src LEFT JOIN note b ON b.id = l.dst "
        "WHERE l.kind = 'abstract_of' AND l.forgotten = 0 AND n.attributes ->> '$.made_of' = 'variants' "
        "AND l.origin = 'model' AND b.kind IS NOT 'episodic' ORDER BY l.id"
    ):
        yield f"note {public_id('n', above)} stands above {public_id('n', below)}, which is no occasion ({kind})"


def _is_readable(undo: str) -> bool:
    try:
        told = json.loads(undo)
    except ValueError:
        return False
    return isinstance(told, dict) and set(told) >= _UNDO
