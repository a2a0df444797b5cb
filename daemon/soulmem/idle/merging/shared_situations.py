"""Shared situations: what near notes are variants of, as far as a model may say it above them (algorithms.md §6.4).

Called by `merge_step`, which asks. Only occasions are of a situation: facts that a model calls variants are kept apart
and no more. Invariant: the words pass what an insight passes (`core/reflection/insight_admission`): they rest on all
the notes, name nobody and no amount that none of them names, and are not one of them told again. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.details.elements import fitting
from soulmem.core.reflection.insight_admission import Shown, admit
from soulmem.core.schema.engine_tasks import Insight, Merged, Sameness
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.text.tokens import wording_language
from soulmem.store.revision.situation_notes import NewSituation
from soulmem.store.views.rendered_notes import RenderedNote

LONGEST = 120  # characters: a kind of situation is said in a few words
_GIST = {"en": "a kind of occasion", "zh": "一类事情"}


def situation_of(merged: Merged, told: Sequence[RenderedNote], people: Sequence[str]) -> NewSituation | None:
    """The situation, or None where there is none to tell of. `people`: who took part, whom it may name."""
    if merged.verdict is not Sameness.VARIANT or any(face.note.kind is not NoteKind.EPISODIC for face in told):
        return None
    text = merged.text.strip()
    shown = {f"N{place}": Shown(face.note.id, face.text) for place, face in enumerate(told, start=1)}
    if len(text) > LONGEST or not admit([Insight(text, tuple(shown))], shown, (), people).admitted:
        return None
    details = fitting(text, NoteKind.ABSTRACT, (), gist=_GIST[wording_language(text)]).elements
    return NewSituation(text, tuple(face.note.id for face in told), details)
