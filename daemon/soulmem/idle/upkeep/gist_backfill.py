"""Naming: details that were made up where nothing was left get a gist, so that they can blur again in their turn.

A part of the sweep (algorithms.md §7.7: a blank that was filled has none until the next idle run). Whatever finds the
details of a new note finds it here too; where it finds nothing, a word for the kind stands. Invariant: a gist never
holds the words of any detail of its note.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from soulmem.core.details import gists
from soulmem.core.details.elements import Element
from soulmem.core.details.gists import Kind
from soulmem.core.schema.note_requests import ElementDraft
from soulmem.core.text.tokens import wording_language
from soulmem.idle.steps.correction_step import DetailsOf
from soulmem.store.notes import element_rows, note_index_rows, note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.revision import note_rewrites
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

_MOST = 50  # notes a sweep looks at


async def name_details(memory: OpenMind, details_of: DetailsOf, now_exp: int) -> int:
    """Give details without a gist one; how many notes were looked at, which may need a new vector each."""

    def after(named: Note | None) -> None:
        memory.follow(lambda index: note_index_rows.put(index, [named] if named is not None else []))

    wanting = await memory.database.read(_wanting)
    for note, spans in wanting:
        found = await details_of(note.text, note.at)
        chosen = chosen_gists(note.text, spans, found.elements)
        rename = partial(note_rewrites.name, note=note.id, version=note.version, gists=chosen, now_exp=now_exp)
        await memory.database.write("name", rename, after=after)
    return len(wanting)


def chosen_gists(text: str, spans: Sequence[Element], found: Sequence[ElementDraft]) -> dict[int, str]:
    """By element what to call it: as the detail that covers most of it is called, else by its kind."""
    quotes = [text[span.start : span.end] for span in spans if span.start < span.end]
    language = wording_language(text)
    chosen: dict[int, str] = {}
    for span in spans:
        if span.gist or span.start >= span.end:
            continue
        near = sorted(found, key=lambda draft: min(draft.end, span.end) - max(draft.start, span.start), reverse=True)
        told = (draft.gist for draft in near if draft.start < span.end and span.start < draft.end)
        kind = (Kind.NOTE, Kind.CLAUSE, Kind.THING)[span.level]
        by_kind = gists.kind_gist(kind, text[span.start : span.end], language, hidden=quotes)
        chosen[span.id] = next((gist for gist in told if not gists.leaks(gist, quotes)), by_kind)
    return chosen


def _wanting(connection: Connection) -> list[tuple[Note, list[Element]]]:
    ids = note_rewrites.unnamed(connection, _MOST)
    if not ids:
        return []
    found, spans = note_rows.get_many(connection, ids), element_rows.of_notes(connection, ids)
    return [(found[note], spans[note]) for note in ids]
