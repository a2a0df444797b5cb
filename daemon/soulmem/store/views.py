"""Views: rows as the protocol shows them.

Read-only; called by `mind` and the methods. What is shown of time is wall time "if nobody talks till then", computed
from experienced time here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from soulmem.core.elements import Element
from soulmem.core.experienced import ExperiencedTime
from soulmem.core.fading import Fading
from soulmem.core.index import Hit
from soulmem.core.instants import to_iso
from soulmem.core.masking import state_of
from soulmem.core.rows import ItemKind
from soulmem.core.tasks import SegmentState
from soulmem.errors import SoulmemError
from soulmem.store import elements, links, messages, notes, summaries
from soulmem.store.driver import Connection
from soulmem.store.links import Link
from soulmem.store.notes import Note, Source
from soulmem.store.rows import private_id, public_id
from soulmem.store.scope import WHOLE, Scope


@dataclass(frozen=True, slots=True)
class Moment:
    """Experienced now, the clock to show wall times by, and how details fade in this mind."""

    now_exp: int
    time: ExperiencedTime
    fading: Fading


def note_views(connection: Connection, found: Sequence[Note], moment: Moment) -> list[dict[str, Any]]:
    """Notes in full, in the order given."""
    ids = [note.id for note in found]
    if not ids:
        return []
    sources = notes.sources_of(connection, ids)
    spans = elements.of_notes(connection, ids)
    return [_note(note, sources[note.id], spans[note.id], moment) for note in found]


def _note(note: Note, sources: list[Source], spans: list[Element], moment: Moment) -> dict[str, Any]:
    return {
        "id": public_id("n", note.id),
        "kind": note.kind.value,
        "text": note.text,
        "rendered": note.text,
        "state": "clear",
        "elements": [_element(element, moment, exempt=note.lasts) for element in spans],
        "sources": [source_view(source) for source in sources],
        "tags": list(note.tags),
        "importance": note.importance,
        "valence": note.valence,
        "attributes": note.attributes,
        "version": note.version,
        "pinned": note.pinned,
        "lifecycle": note.lifecycle,
        "created_at": to_iso(note.created_at),
        "at": to_iso(note.at),
    }


_STATES = {SegmentState.CLEAR: "clear", SegmentState.BLUR: "blurred", SegmentState.BLANK: "blank"}


def _element(element: Element, moment: Moment, *, exempt: bool) -> dict[str, Any]:
    fades = moment.fading.blurs and not exempt
    opacity = element.opacity(moment.now_exp) if fades else element.trace.a0
    dues = moment.fading.dues(element.trace)
    return {
        "id": f"e{element.id}",
        "start": element.start,
        "end": element.end,
        "level": element.level,
        "gist": element.gist,
        "anchor": element.anchor.value,
        "opacity": round(opacity, 6),
        "state": _STATES[state_of(opacity, moment.fading)] if fades else "clear",
        "blurs_at": _wall(dues.blur_ms, moment) if fades else None,
        "blanks_at": _wall(dues.blank_ms, moment) if fades else None,
    }


def _wall(exp_ms: int, moment: Moment) -> str | None:
    at = moment.time.wall_at(exp_ms)
    return to_iso(at) if at is not None else None


def source_view(source: Source) -> dict[str, Any]:
    view = {"conversation": source.conversation, "seq": source.seq, "id": source.client_id}
    return view | ({"quote": source.quote} if source.quote is not None else {})


def items(connection: Connection, hits: Sequence[Hit]) -> dict[tuple[str, int], dict[str, Any]]:
    """Recalled items by (kind, row), as `recall` returns them but for score and tier."""
    noted = [hit.key for hit in hits if hit.kind is ItemKind.NOTE]
    said = [hit.key for hit in hits if hit.kind is ItemKind.MESSAGE]
    shown: dict[tuple[str, int], dict[str, Any]] = {}
    sources = notes.sources_of(connection, noted) if noted else {}
    for number, note in (notes.get_many(connection, noted) if noted else {}).items():
        shown["note", number] = {
            "id": public_id("n", number),
            "kind": note.kind.value,
            "text": note.text,
            "state": "clear",
            "created_at": to_iso(note.created_at),
            "at": to_iso(note.at),
            "sources": [source_view(source) for source in sources[number]],
        }
    for number, message in (messages.get_many(connection, said) if said else {}).items():
        source = Source(number, message.conversation_name, message.seq, message.client_id, None)
        shown["message", number] = {
            "id": message.client_id,
            "kind": "message",
            "text": message.content,
            "speaker": message.speaker,
            "state": "clear",
            "created_at": to_iso(message.arrived_at),
            "at": to_iso(message.at),
            "sources": [source_view(source)],
        }
    rolled = [hit.key for hit in hits if hit.kind is ItemKind.SUMMARY]
    for each in summaries.current(connection, rolled) if rolled else []:
        shown["summary", each.conversation] = {
            "id": f"s{each.conversation}",
            "kind": "summary",
            "text": each.summary.text,
            "state": "clear",
            "created_at": to_iso(each.at),
            "at": to_iso(each.at),
            "sources": summary_sources(connection, each),
        }
    return shown


def summary_sources(connection: Connection, each: summaries.Current) -> list[dict[str, Any]]:
    """The messages a summary's sentences came from, in their order."""
    quotes = {source.seq: source.quote for point in each.summary.points for source in point.sources}
    found = messages.of_seqs(connection, each.conversation, sorted(quotes))
    return [
        {"conversation": each.conversation_name, "seq": m.seq, "id": m.client_id, "quote": quotes[m.seq]} for m in found
    ]


def lines(connection: Connection, hits: Sequence[Hit]) -> dict[tuple[str, int], str]:
    """Recalled items as lines of a prompt: when, who, what."""
    shown = {}
    for key, item in items(connection, hits).items():
        day = item["at"][:10]
        who = f"{item['speaker']}: " if "speaker" in item else ""
        shown[key] = f"[{day}] {who}{item['text']}"
    return shown


def excluded(
    connection: Connection, ids: Sequence[str], conversation: str | None, scope: Scope = WHOLE
) -> tuple[frozenset[tuple[ItemKind, int]], list[str]]:
    """The items a client does not want back, and a warning for each id that is not known here."""
    left_out, unknown = named(connection, ids, conversation, scope)
    return frozenset(left_out), [f"exclude: there is no {text[:80]!r} in this mind" for text in unknown]


def named(
    connection: Connection, ids: Sequence[str], conversation: str | None, scope: Scope = WHOLE
) -> tuple[dict[tuple[ItemKind, int], str], list[str]]:
    """The notes and messages that clients call so, each with its id, and the ids that nothing bears."""
    found: dict[tuple[ItemKind, int], str] = {}
    unknown = []
    for text in ids:
        try:
            number = private_id("n", text)
            if notes.get_many(connection, [number], scope):
                found[ItemKind.NOTE, number] = text
                continue
        except SoulmemError:
            pass  # not the id of a note: perhaps of a message
        rows = messages.rows_named(connection, text, conversation)
        found |= {(ItemKind.MESSAGE, row): text for row in rows}
        if not rows:
            unknown.append(text)
    return found, unknown


def with_times(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a history with their milliseconds shown as times."""
    return [
        {name: to_iso(value) if name in {"at", "replaced_at"} else value for name, value in row.items()} for row in rows
    ]


def neighbourhood(
    connection: Connection, start: int | None, depth: int, limit: int, scope: Scope = WHOLE
) -> tuple[list[Note], list[Link], bool]:
    """The notes within `depth` links of one, at most `limit` (or the newest notes), with the links among them.

    Never reads more of the graph than it returns and its rim.
    """
    if start is None:
        chosen = notes.newest(connection, limit + 1, scope)
        truncated = len(chosen) > limit
        ids = chosen[:limit]
    else:
        ids, truncated = [start], False
        rim = [start]
        for _ in range(depth):
            near = {end for link in links.of_notes(connection, rim, scope) for end in (link.src, link.dst)}
            rim = sorted(near.difference(ids))
            room = limit - len(ids)
            truncated = truncated or len(rim) > room
            rim = rim[:room]
            ids += rim
            if not rim:
                break
    inside = set(ids)
    edges = (
        [link for link in links.of_notes(connection, ids, scope) if link.src in inside and link.dst in inside]
        if ids
        else []
    )
    found = notes.get_many(connection, ids, scope)
    return [found[note] for note in ids if note in found], edges, truncated
