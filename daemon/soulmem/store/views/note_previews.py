"""Note previews: what a recall reads of each note it looks at: its words, and how it shows if nothing of it is masked.

Most notes that come to mind show whole, and that is known without reading their elements: search knows what shows
(`masked_indexing`), and while nothing is overdue what it knows is so. Read-only; called by the working half's choice
among candidates and by the views of recalled items. Invariant: a note that a glance calls clear has a face
(`rendered_notes`) of which nothing is masked, with the same text and times.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from soulmem.core.details.field_redaction import finely, said
from soulmem.store.notes import element_rows
from soulmem.store.notes.note_rows import CONSOLIDATED, WORKING
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed


class NotePreview(NamedTuple):
    """One note. `terms`: its words as the search index holds them. `is_clear`: nothing of it was masked when search
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


def of_notes(connection: Connection, ids: Sequence[int]) -> dict[int, NotePreview]:
    """A look at these notes, by number; one that is not there is left out."""
    if not ids:
        return {}
    rows = connection.execute(
        "SELECT id, kind, text, at, at_parts, created_at, terms, shown IS NULL AND lifecycle IN (?, ?), "
        f"rewritten_exp IS NULL, speaker, tags, attributes FROM note WHERE id {AMONG}",
        (WORKING, CONSOLIDATED, listed(ids)),
    )
    return {row[0]: NotePreview(*row) for row in rows}


def are_true(connection: Connection, now_exp: int) -> bool:
    """Whether all that glances call clear is so at an experienced time: nothing faded that search has not heard of."""
    due = element_rows.next_due(connection)
    return due is None or due > now_exp
