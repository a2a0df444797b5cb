"""Told earlier: of what came to mind for a question, answers of which a later one is told are behind it, and marked.

The last look of a recall at what holds (`core.reranking.competing_answers`), after `validity_at_recall` has said what
is known to be over: for changes that nobody called by their name. Called by both rankings. Nothing is stored and
nothing is left out. Invariants: only the first few are compared; what is known to be over is no rival; as of a day, and
where no vectors are, nothing is marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from soulmem.core.questions.question_detection import is_question
from soulmem.core.reranking.competing_answers import Answer, rivals
from soulmem.core.reranking.moves_to_come import lies_ahead
from soulmem.core.reranking.rival_questions import asks_whereabouts, has_rivals
from soulmem.core.schema import two_part_vectors
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.core.vector_models import answer_model, replacement_model
from soulmem.core.vector_models.hidden_layer import reads
from soulmem.ports import FloatVector
from soulmem.store.index import vectors
from soulmem.store.notes import note_validity
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import undigested_talk
from soulmem.store.views.undigested_talk import Said
from soulmem.text_memo import text_memo
from soulmem.working.validity.validity_at_recall import Mark, Settled, ValidityCheck

LOOKED_AT = 10  # of the first items that are held against each other
_LONGEST = 300  # characters of a statement that may stand in the place of another
_MOST_BESIDE = 4  # messages of now that did not come to mind, as what a prompt shows anyway


def settled(connection: Connection, check: ValidityCheck, hits: Sequence[Hit]) -> Settled:
    """What still holds first (`ValidityCheck.settled`), and of several answers the one told last."""
    found = check.settled(connection, hits)
    if check.vector is None or check.as_of is not None or not found.hits or not has_rivals(check.query):
        return found
    return _weighed(connection, check, check.vector, found)


def _weighed(connection: Connection, check: ValidityCheck, asked: FloatVector, found: Settled) -> Settled:
    near = [hit for hit in found.hits[:LOOKED_AT] if (hit.kind, hit.key) not in found.marks]
    scores = {(hit.kind, hit.key): hit.score for hit in near}
    notes = [key for kind, key in scores if kind is ItemKind.NOTE]
    spoken = [key for kind, key in scores if kind is ItemKind.MESSAGE]
    said = undigested_talk.notes(connection, notes) | undigested_talk.messages(connection, spoken)
    if not said:
        return found
    window = {
        ref: each
        for each in found.talk
        for ref in ((ItemKind.MESSAGE, each.row),)
        if ref not in scores and ref not in found.marks and _states(each.text)
    }
    drawn = _vectors(connection, check.fingerprint, notes, [*spoken, *(each.row for each in window.values())])
    turned = {(ItemKind.NOTE, note) for note in note_validity.ending_others(connection, notes, check.scope)}
    turned |= {mark.instead for mark in found.marks.values() if mark.instead is not None}
    aside = {(ItemKind.NOTE, note) for note in undigested_talk.of_assistants(connection, notes)}
    said = {
        ref: said[ref]
        for ref in scores
        if ref in said and ref in drawn and ref not in aside and _states(said[ref].text)
    }
    beside = [ref for ref in window if ref in drawn]
    refs = [*said, *beside]
    if len(refs) < 2 or not said:
        return found
    start = two_part_vectors.shared_from(check.fingerprint)
    table = np.stack([drawn[ref] for ref in refs])
    to_question = two_part_vectors.cosines(table, asked[None, :], start)[:, 0]
    kept = _kept(to_question, len(said))
    refs, table = [refs[place] for place in kept], table[kept]
    likeness = two_part_vectors.cosines(table, table, start)
    replaced, sure = None, [0.0] * len(refs)
    if reads(start, table.shape[1]):
        replaced, sure = replacement_model.logits(table).tolist(), answer_model.logits(asked, table).tolist()
    best = max(hit.score for hit in found.hits) or 1.0
    told = [said.get(ref) or window[ref] for ref in refs]
    answers = [
        Answer(each.text, each.speaker, each.told, scores.get(ref, 0.0) / best, float(near_it), ref in turned, its)
        for ref, each, near_it, its in zip(refs, told, to_question[kept], sure, strict=True)
    ]
    is_where = asks_whereabouts(check.query)
    behind = {
        refs[place]: (refs[later.place], later.sure)
        for place, later in rivals(check.query, check.asker, answers, likeness.tolist(), replaced).items()
        if refs[place] in said and not (is_where and _is_to_come(told[later.place], check.now))
    }
    if not behind:
        return found
    marks = {
        ref: Mark((), None, later, check.now, _id(connection, later), sure) for ref, (later, sure) in behind.items()
    }
    turns = {ref: later for ref, (later, _) in behind.items()}
    return replace(found, hits=_in_turn(found.hits, turns), marks={**found.marks, **marks})


def _is_to_come(said: Said, now: int) -> bool:
    """Whether what was said is a move that is still to come: until then somebody is where they are."""
    return lies_ahead(said.text, said.told[0], now)


def _kept(to_question: NDArray[np.float32], found: int) -> list[int]:
    """The places of what came to mind, and of what else was just said those that are as near to the question."""
    least = float(np.median(to_question[:found]))
    beside = sorted(range(found, len(to_question)), key=lambda place: -to_question[place])[:_MOST_BESIDE]
    return [*range(found), *(place for place in beside if to_question[place] >= least)]


@text_memo(1_024)  # the window is looked at recall after recall
def _states(text: str) -> bool:
    """Whether a text says how something stands: a page is about much, a request asks for something."""
    return len(text) <= _LONGEST and not is_question(text)


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
        at = next((at for at, each in enumerate(ordered) if (each.kind, each.key) == later), -1)
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
