"""Notes as their authors hand them in, and the elements they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from soulmem.core.details.elements import Flaw, fitting, located
from soulmem.core.importance.importance_rating import Importance
from soulmem.core.schema.note_requests import Anchor, ElementDraft, NoteKind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass

_FLAWS = {
    Flaw.NOT_FOUND: "the text does not hold its quote",
    Flaw.LEVEL: "level 0 is the whole text, 1 a clause, 2 a detail",
    Flaw.DUPLICATE: "another element has that span already",
    Flaw.TOO_MANY: "a note has at most 11 elements beside the whole one",
    Flaw.KIND: "only an episodic note has elements beside the whole one",
    Flaw.EMPTY: "it says nothing",
    Flaw.OUTSIDE: "it lies outside the text",
    Flaw.REVERSED: "it ends before it begins",
}


class Details(Protocol):
    """What fades of a text by itself."""

    @property
    def elements(self) -> tuple[ElementDraft, ...]: ...

    @property
    def arousal(self) -> float:
        """How stirred up its words are, 0..1."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """The elements that a text is born with, checked, and how stirred up its words are, 0..1."""

    elements: tuple[ElementDraft, ...]
    arousal: float = 0.0
    weight: Importance | None = None  # how much its words matter; None: not looked at yet


@dataclass(frozen=True, slots=True)
class Quoted:
    """An element as a client gives it: its words, not its place."""

    quote: str
    level: int
    occurrence: int = 1
    gist: str = ""
    anchor: Anchor = Anchor.NONE


@dataclass(frozen=True, slots=True)
class Draft:
    """A note as a client gives it; `sources` are (conversation, message id, quote), `importance` None what words show.

    `elements` are those it is born with, checked (`core.details.elements.fitting`); None: they are still to be found.
    `speaker`: whose it is alone. `until`: when what it speaks of is over, where that is known: it fades from then on.
    """

    kind: NoteKind
    text: str
    at: int
    importance: float | None = None
    valence: float = 0.0
    tags: tuple[str, ...] = ()
    pinned: bool = False
    attributes: dict[str, Any] | None = None
    sources: tuple[tuple[str, str, str | None], ...] = ()
    gist: str = ""
    conversation: str | None = None  # where it was heard; None: common to all
    elements: tuple[ElementDraft, ...] | None = None
    arousal: float = 0.0
    weight: Importance | None = None
    speaker: str = ""
    until: int | None = None


def named_elements(text: str, kind: NoteKind, given: Sequence[Quoted]) -> tuple[ElementDraft, ...]:
    """The whole note and the elements that a client named by their words, each where it stands in the text.

    Raises SoulmemError: `invalid_params`, with what is wrong with the first that cannot be one.
    """
    drafts: list[ElementDraft] = []
    for place, each in enumerate(given):
        found = located(
            text, each.quote, occurrence=each.occurrence, level=each.level, gist=each.gist, anchor=each.anchor
        )
        if found is None:
            raise _flawed(place, Flaw.NOT_FOUND)
        drafts.append(found)
    fit = fitting(text, kind, drafts)
    if fit.flaws:
        raise _flawed(*fit.flaws[0])
    return fit.elements


def _flawed(place: int, flaw: Flaw) -> SoulmemError:
    return SoulmemError(ErrorName.INVALID_PARAMS, f"elements.{place}: {flaw.value}: {_FLAWS[flaw]}")
