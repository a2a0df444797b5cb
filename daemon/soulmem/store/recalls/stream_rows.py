"""The memory stream on disk: what of a note counts for its place in it, and the way back through the latest ones.

Read-only; called by `working/recall/stream_recall` inside one read. Forgotten notes, reflections that are to be
made anew, and triggers, which are never results, stand in no stream.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.recalls import recall_records
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, listed

_COLUMNS = (
    "id, kind, coalesce(shown_speaker, speaker), coalesce(shown_at, at), importance, valence, "
    "coalesce(shown_tags, tags), coalesce(recalled_exp, created_exp), terms"
)
_STANDS = (
    "lifecycle <> 'forgotten' AND kind <> 'trigger' "
    "AND NOT (kind = 'reflection' AND EXISTS (SELECT 1 FROM reflection r WHERE r.note = n.id AND r.stale > 0))"
)
_NO_TAGS = frozenset[str]()
_AT_ONCE = 1_000  # ids bound in one statement


@dataclass(frozen=True, slots=True)
class Entry:
    """A note in the stream. `touched_exp`: when it was last retrieved, or made if it never was (experienced ms)."""

    id: int
    kind: str
    speaker: str
    at: int
    importance: float
    valence: float
    tags: frozenset[str]
    touched_exp: int
    terms: bytes


def of_ids(connection: Connection, ids: Sequence[int], scope: Scope = WHOLE) -> list[Entry]:
    """Those of these notes that stand in the stream, in the order given."""
    found: dict[int, Entry] = {}
    clause, values = scope.notes("n")
    for first in range(0, len(ids), _AT_ONCE):
        some = listed(ids[first : first + _AT_ONCE])
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM note n WHERE id {AMONG} AND {_STANDS} AND {clause}",
            (some, *values),
        )
        found.update((row[0], _entry(row)) for row in rows)
    return [found[note] for note in ids if note in found]


def newest(connection: Connection, most: int, scope: Scope = WHOLE) -> Iterator[Entry]:
    """The notes made last, newest first, read as far as the caller goes."""
    clause, values = scope.notes("n")
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM note n WHERE {_STANDS} AND {clause} ORDER BY id DESC LIMIT ?", (*values, most)
    )
    return map(_entry, rows)


def last_returned(connection: Connection, returns: int, scope: Scope = WHOLE) -> list[int]:
    """The notes among the last so many returns of recalls that a call may see, the latest first, once each."""
    clause, values = scope.items("note", "h.item")
    rows = connection.execute(
        f"SELECT item FROM recall_hit h WHERE kind = 'note' AND tier <> ? AND {clause} "
        "ORDER BY recall DESC, rank DESC LIMIT ?",
        (recall_records.BESIDE, *values, returns),
    )
    return list(dict.fromkeys(row[0] for row in rows))


def _entry(row: Row) -> Entry:
    note, kind, speaker, at, importance, valence, tags, touched_exp, terms = row
    return Entry(
        note,
        kind,
        speaker,
        at,
        importance,
        valence,
        _NO_TAGS if tags == "[]" else frozenset(json.loads(tags)),
        touched_exp,
        terms,
    )
