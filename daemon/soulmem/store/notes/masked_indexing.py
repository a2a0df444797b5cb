"""Masked indexing: what search knows of notes that fade.

A note is indexed by its words that show (`note.shown`, its terms, its vector): nobody finds it by what is masked, by
the gist that stands for it, nor by a time, a speaker or a tag that would give it away. That changes only when an
element crosses a threshold: nothing is written between crossings. Called by the sweep, by what searches and by
`note_writes` whenever masks change for another reason. Owns `note.shown`, `shown_at`, `shown_speaker`, `shown_tags` and
`terms`. Invariant: after `refresh` the indexes hold exactly what `core.details.masking` shows at that moment, and
nothing of the note is overdue.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from soulmem.core.decay.decay_policy import Fading
from soulmem.core.details.elements import Element, whole_stability_ms
from soulmem.core.details.field_redaction import Withheld
from soulmem.core.details.masking import NoteState, Rendering, render
from soulmem.core.schema.note_requests import NoteKind, lasts
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.store.index import embedding_backlog, fts, vectors
from soulmem.store.notes import element_rows, retention_queue
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed


def rendering(text: str, spans: Sequence[Element], now_exp: int, fading: Fading, *, lasting: bool) -> Rendering:
    """How a note shows now; all of it if it is `lasting` (pinned, lore)."""
    return render(text, [] if lasting else [element.mask(now_exp) for element in spans], fading)


def indexed(text: str, faded: Rendering) -> str | None:
    """What of a note is indexed: its clear words, for what a gist says is not known; None if nothing is masked."""
    if faded.state is NoteState.CLEAR:
        return None
    clear = (text[piece.start : piece.end] for piece in faded.pieces if not piece.is_masked)
    return " ".join(" ".join(clear).split())


@dataclass(frozen=True, slots=True)
class Found:
    """What search knows of a note beside its words; None where that is as it was told."""

    at: int | None = None
    speaker: str | None = None
    tags: tuple[str, ...] | None = None


def found_by(withheld: Withheld, at: int, speaker: str, tags: Sequence[str]) -> Found:
    """When, whose and under which tags a note is found while something of it is masked."""
    known, kept = withheld.known_from(at), tuple(tag for tag in tags if not withheld.tells(tag))
    return Found(
        known if known != at else None,
        "" if speaker and withheld.tells(speaker) else None,
        kept if len(kept) < len(tags) else None,
    )


def refresh(connection: Connection, ids: Sequence[int], now_exp: int) -> tuple[int, ...]:
    """Bring what search knows of notes up to `now_exp`; those whose indexed text changed."""
    rules = element_rows.fading(connection)
    spans = element_rows.of_notes(connection, ids)
    changed = []
    for note, kind, text, pinned, lifecycle, at, parts, speaker, tags, before, *around in connection.execute(
        "SELECT id, kind, text, pinned, lifecycle, at, at_parts, speaker, tags, shown, shown_at, "
        f"shown_speaker, shown_tags FROM note WHERE id {AMONG} ORDER BY id",
        (listed(ids),),
    ).fetchall():
        if lifecycle == "forgotten":
            element_rows.unknown(connection, note)
            continue
        lasting = lasts(NoteKind(kind), pinned=bool(pinned))
        faded = rendering(text, spans[note], now_exp, rules, lasting=lasting)
        shown = indexed(text, faded)
        found = found_by(Withheld(text, faded, parts), at, speaker, json.loads(tags))
        beside = [found.at, found.speaker, dump_json(found.tags) if found.tags is not None else None]
        if shown != before or beside != around:  # with either the index in memory takes it anew, without its vector
            reindex(connection, note, _or(before, text), _or(shown, text))
            connection.execute(
                "UPDATE note SET shown = ?, shown_at = ?, shown_speaker = ?, shown_tags = ? WHERE id = ?",
                (shown, *beside, note),
            )
            changed.append(note)
            retention_queue.demand(connection, [note])  # it may have been kept by what was clear
        elif shown == "" and rules.stays_by_gist(NoteKind(kind), whole_stability_ms(spans[note])):
            retention_queue.demand(connection, [note])  # or by its gist
        element_rows.known(connection, note, spans[note], now_exp, lasting=lasting)
    return tuple(changed)


def retell(connection: Connection, note: int, formerly: str, now_exp: int) -> None:
    """A note says something else now, or has other elements: bring what search knows of it up to `now_exp`, once.

    `formerly`: what it was indexed by.
    """
    text, lifecycle = connection.execute("SELECT text, lifecycle FROM note WHERE id = ?", (note,)).fetchone()
    if lifecycle == "forgotten":  # nobody finds it; should it come back, it begins with all it says
        connection.execute(
            "UPDATE note SET shown = NULL, shown_at = NULL, shown_speaker = NULL, shown_tags = NULL, terms = ? "
            "WHERE id = ?",
            (tokens.term_hashes(tokens.segment(text)).tobytes(), note),
        )
    else:
        connection.execute("UPDATE note SET shown = ? WHERE id = ?", (formerly if formerly != text else None, note))
    refresh(connection, [note], now_exp)


def reindex(connection: Connection, note: int, before: str, after: str) -> None:
    """Let a note be found by `after` and no more by `before`, the text it was indexed by."""
    words = tokens.segment(after)
    fts.remove(connection, "note", note, before)
    fts.put(connection, "note", note, " ".join(words))
    connection.execute("UPDATE note SET terms = ? WHERE id = ?", (tokens.term_hashes(words).tobytes(), note))
    vectors.remove(connection, "note", note)
    embedding_backlog.enqueue(connection, [("note", note, "self")])


def _or(shown: str | None, text: str) -> str:
    return text if shown is None else shown
