"""Note index rows: notes as search looks at them, by what still shows of them.

Owns no table. Called by `mind_session` when it loads an index and by the recalls of the working half. Invariant: what
is found here of a note that has faded says no more than the note shows (`store/notes/masked_indexing`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.search.index_columns import ItemKind, Source
from soulmem.core.search.memory_index import SearchIndex
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state import audience as scopes
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes.note_rows import FIRST_SOURCE, Note, first_source
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed


@dataclass(frozen=True, slots=True)
class IndexRow:
    id: int
    at: int
    speaker: str
    terms: bytes
    homes: frozenset[int]
    source: Source | None


def index_rows(connection: Connection, ids: Sequence[int] | None = None, scope: Scope = scopes.WHOLE) -> list[IndexRow]:
    """What the search index holds of notes that can be recalled; triggers are conduits, never results."""
    clause, values = scope.notes("n")
    if ids is not None:
        clause, values = f"{clause} AND id {AMONG}", (*values, listed(ids))
    rows = connection.execute(
        f"SELECT id, coalesce(shown_at, at), coalesce(shown_speaker, speaker), terms, {FIRST_SOURCE} FROM note n "
        f"WHERE lifecycle <> 'forgotten' AND kind <> 'trigger' AND {clause} ORDER BY id",
        values,
    ).fetchall()
    homes = scopes.homes(connection, ids if scope.audience is None else [row[0] for row in rows])
    return [
        IndexRow(note, at, who, terms, homes.get(note, frozenset()), first_source(source))
        for note, at, who, terms, source in rows
    ]


def around(connection: Connection, ids: Sequence[int], *, reach: int) -> list[int]:
    """These notes and those made of what was said within `reach` messages of what they were made of first."""
    rows = connection.execute(
        "SELECT DISTINCT o.note FROM note_source s JOIN message m ON m.id = s.message "
        "JOIN message b ON b.conversation = m.conversation AND b.seq BETWEEN m.seq - ? AND m.seq + ? "
        f"JOIN note_source o ON o.message = b.id AND o.position = 0 WHERE s.position = 0 AND s.note {AMONG}",
        (reach, reach, listed(ids)),
    ).fetchall()
    return sorted({*ids, *(row[0] for row in rows)})


def fitting(connection: Connection, kinds: Collection[str], tags: Collection[str]) -> list[int]:
    """The living notes of these kinds (of all, if none are given) that bear all of these tags, in no order."""
    clauses, values = list[str](), list[str]()
    for tag in sorted(tags):
        # That the text of a list holds the tag is seen in the index, and rare; only then is the note looked at.
        clauses += ["tags <> '[]' AND instr(tags, ?)"]
        clauses += ["EXISTS (SELECT 1 FROM json_each(coalesce(shown_tags, tags)) WHERE value = ?)"]
        values += [dump_json(tag), tag]
    by_hand = "+" if tags else ""  # where tags are asked for, theirs is the index to use
    if kinds:
        clauses.append(f"{by_hand}kind {AMONG}")
        values.append(json.dumps(sorted(kinds)))
    clauses.append(f"{by_hand}lifecycle IN ('working', 'consolidated')")
    return [row[0] for row in connection.execute(f"SELECT id FROM note WHERE {' AND '.join(clauses)}", values)]


def count(connection: Connection, scope: Scope = scopes.WHOLE) -> int:
    """How many living notes a call may see."""
    clause, values = scope.notes("n")
    row = connection.execute(f"SELECT count(*) FROM note n WHERE lifecycle <> 'forgotten' AND {clause}", values)
    return int(row.fetchone()[0])


def put(index: SearchIndex, found: Iterable[Note]) -> None:
    """Let notes be found by what shows of them; the vectors of what showed before are gone."""
    for note in found:
        if note.kind is not NoteKind.TRIGGER:
            index.add(
                ItemKind.NOTE, note.id, speaker=note.found_speaker, at_ms=note.found_at, terms=terms_of(note),
                homes=note.homes, source=note.source,
            )  # fmt: skip


def terms_of(note: Note) -> NDArray[np.uint32]:
    """The hashes of the terms by which a note is found, as the file holds them: nothing is read on the loop again."""
    return np.frombuffer(note.terms, dtype=np.uint32)
