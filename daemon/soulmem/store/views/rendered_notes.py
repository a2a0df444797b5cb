"""Rendered notes: what a reader gets of notes, as they have faded by now.

Every text of a note that leaves the daemon, or goes to a language model, passes through here; only the editor's views
(`wire_views.note_views`, and the verbs of links in `link.list`) show more. Read-only; opacities are of the moment that
is asked for, so a face is true between two sweeps as well. Invariant: nothing that a mask hides is in any field of a
face.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from soulmem.core.details.elements import Element
from soulmem.core.details.field_redaction import Withheld, finely, said
from soulmem.core.details.gap_fills import Faded
from soulmem.core.details.masking import NoteState, Rendering
from soulmem.fast_dataclasses import dataclass
from soulmem.store.graph.link_rows import Link
from soulmem.store.notes import element_rows, masked_indexing
from soulmem.store.notes.note_rows import CONSOLIDATED, WORKING, Note
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

REWRITTEN = "rewritten"
_A_DAY = len("2026-05-09")


@dataclass(frozen=True, slots=True)
class RenderedNote:
    """A note as it shows. `at`, `created_at`: ISO 8601, no finer than is still known; None where nothing is."""

    note: Note
    spans: tuple[Element, ...]
    rendering: Rendering
    withheld: Withheld
    at: str | None
    created_at: str | None

    @property
    def text(self) -> str:
        return self.rendering.text

    @property
    def state(self) -> NoteState:
        return self.rendering.state

    @property
    def told_state(self) -> str:
        """Its state as clients get it: `rewritten` where all of it shows and some of it was made up anew."""
        return REWRITTEN if self.state is NoteState.CLEAR and self.is_rewritten else self.state.value

    @property
    def is_rewritten(self) -> bool:
        """Whether it was put together anew since it was told."""
        return self.note.rewritten_exp is not None

    @property
    def at_ms(self) -> int:
        """When it happened, for order and for prompts; 0 where it is not known any more."""
        return 0 if self.at is None else self.withheld.known_from(self.note.at)

    @property
    def day_ms(self) -> int:
        """The same for a place that shows a day; 0 where no more than the month or the year is known."""
        return self.at_ms if self.at is not None and len(self.at) >= _A_DAY else 0

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(tag for tag in self.note.tags if not self.withheld.tells(tag))

    @property
    def speaker(self) -> str:
        """Who told it; "" where nobody did, or his name is masked."""
        return "" if self.withheld.tells(self.note.speaker) else self.note.speaker

    @property
    def entities(self) -> tuple[str, ...]:
        return tuple(name for name in self.note.entities if not self.withheld.tells(name))

    @property
    def attributes(self) -> dict[str, Any]:
        if not self.withheld:
            return self.note.attributes
        found: dict[str, Any] = self.withheld.without(self.note.attributes)
        return found

    @property
    def may_be_quoted(self) -> bool:
        """Whether its sources' words may be told: not once anything is masked or was made up anew, for they say it as
        it was told.
        """
        return self.state is NoteState.CLEAR and not self.is_rewritten

    def gist_of(self, element: Element) -> str:
        """The gist of a detail as a reader gets it: none once even that has faded, for it tells of what is blank."""
        masked = [piece for piece in self.rendering.pieces if piece.is_masked]
        if not any(piece.start < element.end and element.start < piece.end for piece in masked):
            return element.gist
        return element.gist if element.gist in self.text else ""

    def faded(self, label: str) -> Faded:
        """The note as reconstruction needs it, under the name by which fills refer to it."""
        return Faded(label, self.note.version, self.note.text, self.spans, self.rendering)


def shown_verb(link: Link, ends: Mapping[int, RenderedNote]) -> str:
    """The verb of a link as a reader gets it: none where it says what is masked in a note at one of its ends.

    `ends`: the faces of these notes, by number.
    """
    shown = (ends[end] for end in (link.src, link.dst) if end in ends)
    return "" if any(face.withheld.tells(link.verb) for face in shown) else link.verb


def faces(connection: Connection, found: Iterable[Note], now_exp: int) -> dict[int, RenderedNote]:
    """The faces of these notes at an experienced time, by number."""
    notes = list(found)
    if not notes:
        return {}
    rules = element_rows.fading(connection)
    spans = element_rows.of_notes(connection, [note.id for note in notes])
    shown: dict[int, RenderedNote] = {}
    for note in notes:
        rendering = masked_indexing.rendering(note.text, spans[note.id], now_exp, rules, lasting=note.lasts)
        withheld = Withheld(note.text, rendering, note.at_parts)
        at = withheld.known(note.at)
        created_at = withheld.cut(note.created_at, at)
        shown[note.id] = RenderedNote(note, tuple(spans[note.id]), rendering, withheld, at, created_at)
    return shown


class NotePreview(NamedTuple):
    """One note as a recall reads it: its words, and how it shows if nothing of it is masked.

    Most notes that come to mind show whole, and that is known without reading their elements: search knows what shows
    (`masked_indexing`), and while nothing is overdue what it knows is so (`previews_hold`). A note that a preview calls
    clear has a face of which nothing is masked, with the same text and times.

    `terms`: its words as the search index holds them. `is_clear`: nothing of it was masked when search
    last heard of it. `is_as_told`: it was not put together anew since, so that its sources may be quoted. `tags` and
    `attributes` are JSON, looked into only where the note is shown.
    """

    id: int
    kind: str
    text: str
    at_ms: int
    at_parts: int | None
    created_at_ms: int
    terms: bytes
    is_clear: bool
    is_as_told: bool
    speaker: str = ""
    tags: str = "[]"
    attributes: str = "{}"

    def times(self) -> tuple[str | None, str | None]:
        """When it happened and when it was written, no finer than the first is still known; of a note that is clear."""
        at = said(self.at_ms, self.at_parts)
        return at, finely(self.created_at_ms, at)


def previews(connection: Connection, ids: Sequence[int]) -> dict[int, NotePreview]:
    """A look at these notes, by number; one that is not there is left out."""
    if not ids:
        return {}
    rows = connection.execute(
        "SELECT id, kind, text, at, at_parts, created_at, terms, shown IS NULL AND lifecycle IN (?, ?), "
        f"rewritten_exp IS NULL, speaker, tags, attributes FROM note WHERE id {AMONG}",
        (WORKING, CONSOLIDATED, listed(ids)),
    )
    return {row[0]: NotePreview(*row) for row in rows}


def previews_hold(connection: Connection, now_exp: int) -> bool:
    """Whether all that glances call clear is so at an experienced time: nothing faded that search has not heard of."""
    due = element_rows.next_due(connection)
    return due is None or due > now_exp
