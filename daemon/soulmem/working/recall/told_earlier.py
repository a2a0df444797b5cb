"""Told earlier: of what came to mind for a question, answers of which a later one is told are behind it, and marked.

The last look of a recall at what holds (`core.reranking.competing_answers`), after `validity_at_recall` has said what
is known to be over: for changes that nobody called by their name. Called by both rankings. Nothing is stored and
nothing is left out. Invariants: only the first few are compared; what is known to be over is no rival; as of a day, and
where no vectors are, nothing is marked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from soulmem.core.reranking.competing_answers import Answer, has_rivals, rivals
from soulmem.core.schema import two_part_vectors
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.ports import FloatVector
from soulmem.store.index import vectors
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import undigested_talk
from soulmem.working.recall.validity_at_recall import Mark, Settled, ValidityCheck

_LOOKED_AT = 10  # of the first items that are held against each other


def settled(connection: Connection, check: ValidityCheck, hits: Sequence[Hit]) -> Settled:
    """What still holds first (`ValidityCheck.settled`), and of several answers the one told last."""
    found = check.settled(connection, hits)
    if check.vector is None or check.as_of is not None or len(found.hits) < 2 or not has_rivals(check.query):
        return found
    return _weighed(connection, check, check.vector, found)


def _weighed(connection: Connection, check: ValidityCheck, asked: FloatVector, found: Settled) -> Settled:
    near = [hit for hit in found.hits[:_LOOKED_AT] if (hit.kind, hit.key) not in found.marks]
    notes = [hit.key for hit in near if hit.kind is ItemKind.NOTE]
    spoken = [hit.key for hit in near if hit.kind is ItemKind.MESSAGE]
    said = undigested_talk.notes(connection, notes) | undigested_talk.messages(connection, spoken)
    drawn = _vectors(connection, check.fingerprint, notes, spoken)
    known = [hit for hit in near if (hit.kind, hit.key) in said and (hit.kind, hit.key) in drawn]
    if len(known) < 2:
        return found
    refs = [(hit.kind, hit.key) for hit in known]
    table = np.stack([drawn[ref] for ref in refs])
    start = two_part_vectors.shared_from(check.fingerprint)
    likeness = two_part_vectors.cosines(table, np.concatenate([table, asked[None, :]]), start)
    best = max(hit.score for hit in found.hits) or 1.0
    answers = [
        Answer(said[ref].text, said[ref].speaker, said[ref].told, hit.score / best, float(row[-1]))
        for hit, ref, row in zip(known, refs, likeness, strict=True)
    ]
    behind = rivals(check.query, check.asker, answers, likeness.tolist())
    if not behind:
        return found
    marks = {
        refs[place]: Mark((), None, refs[later], check.now, _id(connection, refs[later]))
        for place, later in behind.items()
    }
    return Settled(
        _in_turn(found.hits, {refs[place]: refs[later] for place, later in behind.items()}), {**found.marks, **marks}
    )


def _in_turn(hits: Sequence[Hit], behind: dict[ItemRef, ItemRef]) -> list[Hit]:
    """The candidates, each later answer before those it stands in the place of, with their score."""
    ordered = list(hits)
    for hit in hits:
        later, seen = (hit.kind, hit.key), set[ItemRef]()
        while later in behind and later not in seen:
            seen.add(later)
            later = behind[later]
        if not seen:
            continue
        at = next(at for at, each in enumerate(ordered) if (each.kind, each.key) == later)
        here = next(at for at, each in enumerate(ordered) if each[:2] == hit[:2])
        if at > here:
            raised = ordered.pop(at)
            ordered.insert(here, raised._replace(score=ordered[here].score, fit=max(raised.fit, hit.fit)))
    return ordered


def _vectors(
    connection: Connection, fingerprint: str, notes: Sequence[int], spoken: Sequence[int]
) -> dict[ItemRef, FloatVector]:
    held = vectors.of_items(connection, fingerprint, [("note", note) for note in notes])
    found: dict[ItemRef, FloatVector] = {(ItemKind.NOTE, note): of[0] for (_, note), of in held.items() if of}
    own = vectors.own(connection, fingerprint, spoken) if spoken else {}
    return found | {(ItemKind.MESSAGE, message): vector for message, vector in own.items()}


def _id(connection: Connection, ref: ItemRef) -> str:
    """The id of an item, as a client knows it."""
    if ref[0] is ItemKind.NOTE:
        return public_id("n", ref[1])
    row = connection.execute("SELECT client_id FROM message WHERE id = ?", (ref[1],)).fetchone()
    return str(row[0])
