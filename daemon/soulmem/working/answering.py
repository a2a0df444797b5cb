"""Answering: whether the texts that came to mind have what the question asks for (`core.answer_form`).

Called by both rankings of recall when it is known which items are at hand: their texts are read as they show, and how
well each answers (`Hit.fit`) is told anew. Read-only. Invariants: what a mask hides answers nothing; a question whose
wording tells nothing of its answer leaves every fit as it is; no more texts are read than decide how sure a recall is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from soulmem.core.answer_form import Calls, Meets, meets, read_calls
from soulmem.core.calibration import LOOKED_AT, NEUTRAL_FIT, read_fit
from soulmem.core.index import Hit
from soulmem.core.ranking import Question
from soulmem.core.rows import ItemKind, ItemRef
from soulmem.records import dataclass
from soulmem.store import said
from soulmem.store.driver import Connection
from soulmem.store.rows import AMONG, listed


@dataclass(frozen=True, slots=True)
class Asking:
    """A question by its wording; `asker`: who puts it, "" for whoever spoke last in the `conversation`."""

    text: str
    asker: str = ""
    conversation: str | None = None


def asking_of(question: Question, text: str, asker: str, conversation: str | None) -> Asking | None:
    """How answers to a question are told by their texts; None where it says too little for that."""
    return Asking(text, asker, conversation) if question.units.tells else None


def answered(connection: Connection, hits: Sequence[Hit], asking: Asking) -> list[Hit]:
    """The items, the first of them with their fit as their texts have it.

    The order stays, unless the question says of which thing of the asker's it is, or what somebody cannot: then what
    says that comes first; what would only be comes last.
    """
    calls = read_calls(asking.text, asking.asker or said.speaker(connection, asking.conversation))
    if not calls.asks_anything:
        return list(hits)
    looked = [hit for hit in hits[:LOOKED_AT] if hit.fit > 0]
    met = _met(connection, looked, calls)
    told = [
        hit._replace(fit=read_fit(hit.fit, found)) if (found := met.get((hit.kind, hit.key))) is not None else hit
        for hit in hits
    ]
    return _in_turn(told, met, calls)


def _in_turn(hits: Sequence[Hit], met: Mapping[ItemRef, Meets], calls: Calls) -> list[Hit]:
    """The items in the order of how they answer, where that is known better than by likeness; scores keep falling."""
    turns: list[int] = []
    for hit in hits:
        found = met.get((hit.kind, hit.key))
        unlike = bool(calls.owned) and hit.fit < NEUTRAL_FIT
        turns.append(1 + unlike if found is None else 3 if found.unreal else 0 if found.cannot else 1 + unlike)
    if turns == sorted(turns):
        return list(hits)
    ordered = [hit for _, hit in sorted(zip(turns, hits, strict=True), key=lambda each: each[0])]
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [hit._replace(score=score) for hit, score in zip(ordered, scores, strict=True)]


def _met(connection: Connection, hits: Sequence[Hit], calls: Calls) -> Mapping[ItemRef, Meets]:
    known = {(hit.kind, hit.key) for hit in hits}
    found: dict[ItemRef, Meets] = {}
    notes = [key for kind, key in known if kind is ItemKind.NOTE]
    spoken = [key for kind, key in known if kind is ItemKind.MESSAGE]
    if notes:
        for note, text, speaker in connection.execute(
            f"SELECT id, coalesce(shown, text), coalesce(shown_speaker, speaker, '') FROM note WHERE id {AMONG}",
            (listed(notes),),
        ):
            found[ItemKind.NOTE, note] = meets(calls, text, speaker)
    if spoken:
        for message, text, speaker, role in connection.execute(
            f"SELECT id, content, coalesce(speaker, ''), role FROM message WHERE id {AMONG}", (listed(spoken),)
        ):
            found[ItemKind.MESSAGE, message] = meets(calls, text, speaker, role)
    return found
