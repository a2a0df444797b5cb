"""Wire views: rows as the protocol shows them.

Read-only; called by `mind` and the methods. What is shown of time is wall time "if nobody talks till then", computed
from experienced time here and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from soulmem.core.calendar.experienced_time import ExperiencedTime
from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import Trace
from soulmem.core.details.elements import Element
from soulmem.core.details.field_redaction import said
from soulmem.core.details.masking import NoteState, state_of
from soulmem.core.facts.validity_intervals import first_end, interval_of
from soulmem.core.schema.blind_ids import as_given
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.schema.message_refs import message_ref, read_ref
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.core.text import prompt_lines
from soulmem.errors import SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.messages import message_log, rolling_summaries
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.notes.note_rows import Note, Source
from soulmem.store.sqlite.driver import Connection, snapshot
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views import faded_summary, rendered_notes
from soulmem.store.views.rendered_notes import REWRITTEN, NotePreview, RenderedNote, faces

# What a note shows of when it holds, as long as nothing is known of that.
_ALWAYS_VALID: dict[str, str | None] = {"valid_from": None, "valid_to": None, "superseded_by": None}


@dataclass(frozen=True, slots=True)
class Moment:
    """Experienced now, the clock to show wall times by, and how details fade in this mind."""

    now_exp: int
    time: ExperiencedTime
    fading: Fading


def note_views(
    connection: Connection, found: Sequence[Note], moment: Moment, scope: Scope = WHOLE
) -> list[dict[str, Any]]:
    """Notes in full, masked or not, in the order given: for whoever edits them."""
    shown = faces(connection, found, moment.now_exp)
    sources = note_rows.sources_of(connection, list(shown))
    held = _validity(connection, list(shown), scope)
    return [
        _note(shown[note.id])
        | held[note.id]
        | {
            "text": note.text,
            "elements": [element for _, element in _elements(shown[note.id], moment)],
            "sources": [source_view(source) for source in sources[note.id]],
            "tags": list(note.tags),
            "attributes": note.attributes,
            "created_at": to_iso(note.created_at),
            "at": said(note.at, note.at_parts),
            "fidelity": round(note.fidelity, 6),
        }
        for note in found
    ]


def note_readings(
    connection: Connection, found: Sequence[Note], moment: Moment, scope: Scope = WHOLE
) -> list[dict[str, Any]]:
    """Notes as they show to readers, in the order given."""
    shown = faces(connection, found, moment.now_exp)
    sources = note_rows.sources_of(connection, list(shown))
    held = _validity(connection, list(shown), scope)
    return [
        _note(shown[note.id])
        | held[note.id]
        | {
            "elements": _readable(shown[note.id], moment),
            "sources": [source_view(each, quotes=shown[note.id].may_be_quoted) for each in sources[note.id]],
        }
        for note in found
    ]


def _note(face: RenderedNote) -> dict[str, Any]:
    """What is the same for all who may see it; `elements` have their place, and are for the caller to say."""
    note = face.note
    return {
        "id": public_id("n", note.id),
        "kind": note.kind.value,
        "text": face.text,
        "rendered": face.text,
        "speaker": face.speaker or None,
        "state": face.told_state,
        "elements": [],
        "tags": list(face.tags),
        "importance": note.importance,
        "valence": note.valence,
        "attributes": face.attributes,
        "version": note.version,
        "pinned": note.pinned,
        "lifecycle": note.lifecycle,
        "created_at": face.created_at,
        "at": face.at,
    }


def _readable(face: RenderedNote, moment: Moment) -> list[dict[str, Any]]:
    """The elements of a note for a reader: where nothing is left of a detail, not what kind of thing it was either."""
    return [shown | {"gist": face.gist_of(element)} for element, shown in _elements(face, moment)]


def _validity(connection: Connection, ids: Sequence[int], scope: Scope) -> dict[int, dict[str, Any]]:
    """When each note held, and what says that it holds no more, for whoever may see that."""
    ended, begun = note_validity.endings(connection, ids, scope), note_validity.beginnings(connection, ids)
    found: dict[int, dict[str, Any]] = {}
    for note in ids:
        span, first = interval_of(begun.get(note), ended.get(note, ())), first_end(ended.get(note, ()))
        found[note] = {
            "valid_from": to_iso(span.valid_from) if span.valid_from is not None else None,
            "valid_to": to_iso(span.valid_to) if span.valid_to is not None else None,
            "superseded_by": public_id("n", first.by) if first is not None and first.by else None,
        }
    return found


_STATES = {SegmentState.CLEAR: "clear", SegmentState.BLUR: "blurred", SegmentState.BLANK: "blank"}


def _elements(face: RenderedNote, moment: Moment) -> Iterator[tuple[Element, dict[str, Any]]]:
    """The elements of a note, each with how it is shown."""
    fades = moment.fading.blurs and not face.note.lasts
    due: dict[Trace, tuple[str | None, str | None]] = {}  # details are often of one age
    for element in face.spans:
        opacity = element.opacity(moment.now_exp) if fades else element.trace.a0
        if fades and element.trace not in due:
            dues = moment.fading.dues(element.trace)
            due[element.trace] = _wall(dues.blur_ms, moment), _wall(dues.blank_ms, moment)
        blurs_at, blanks_at = due[element.trace] if fades else (None, None)
        yield (
            element,
            {
                "id": public_id("e", element.id),
                "start": element.start,
                "end": element.end,
                "level": element.level,
                "gist": element.gist,
                "anchor": element.anchor.value,
                "opacity": round(opacity, 6),
                "state": _STATES[state_of(opacity, moment.fading)] if fades else "clear",
                "blurs_at": blurs_at,
                "blanks_at": blanks_at,
            },
        )


def _wall(exp_ms: int, moment: Moment) -> str | None:
    at = moment.time.wall_at(exp_ms)
    return to_iso(at) if at is not None else None


def source_view(source: Source, *, quotes: bool = True) -> dict[str, Any]:
    """A source; its words only where the note still has them (`RenderedNote.may_be_quoted`)."""
    view = {"conversation": source.conversation, "seq": source.seq, "id": source.client_id}
    return view | ({"quote": source.quote} if quotes and source.quote is not None else {})


def items(
    connection: Connection, hits: Sequence[Hit], now_exp: int, looked: Mapping[int, NotePreview] | None = None
) -> dict[tuple[str, int], dict[str, Any]]:
    """Recalled items by (kind, row), as `recall` returns them but for score and tier; notes as they show now.

    `looked`: glances at their notes, where that was done in the same look at the file.
    """
    noted = [hit.key for hit in hits if hit.kind is ItemKind.NOTE]
    said = [hit.key for hit in hits if hit.kind is ItemKind.MESSAGE]
    shown: dict[tuple[str, int], dict[str, Any]] = _note_items(connection, noted, now_exp, looked) if noted else {}
    for number, message in (message_log.get_many(connection, said) if said else {}).items():
        if message.deleted:  # since it was recalled
            continue
        source = Source(number, message.conversation_name, message.seq, message.client_id, None)
        shown["message", number] = {
            "id": message.client_id,
            "ref": message_ref(message.conversation_name, message.client_id),
            "kind": "message",
            "text": message.content,
            "speaker": message.speaker,
            "state": "clear",
            "created_at": to_iso(message.arrived_at),
            "at": to_iso(message.at),
            "sources": [source_view(source)],
            **({"attributes": json.loads(message.attributes)} if message.attributes else {}),
        }
    rolled = [hit.key for hit in hits if hit.kind is ItemKind.SUMMARY]
    for each in rolling_summaries.current(connection, rolled) if rolled else []:
        shown["summary", each.conversation] = {
            "id": public_id("s", each.conversation),
            "kind": "summary",
            "text": each.summary.text,
            "state": "clear",
            "created_at": to_iso(each.at),
            "at": to_iso(each.at),
            "sources": summary_sources(connection, each),
        }
    return shown


def _note_items(
    connection: Connection, noted: Sequence[int], now_exp: int, looked: Mapping[int, NotePreview] | None
) -> dict[tuple[str, int], dict[str, Any]]:
    with snapshot(connection):
        looked = rendered_notes.previews(connection, noted) if looked is None else looked
        sources = note_rows.sources_of(connection, noted)
        clear = [note for note in noted if note in looked and looked[note].is_clear]
        if not rendered_notes.previews_hold(connection, now_exp):
            clear = []
        rest = list(set(noted).difference(clear))
        faded = faces(connection, active_notes(connection, rest), now_exp) if rest else {}
    shown: dict[tuple[str, int], dict[str, Any]] = {}
    for note in clear:
        look = looked[note]
        at, created_at = look.times()
        shown["note", note] = {
            "id": public_id("n", note),
            "kind": look.kind,
            "text": look.text,
            "state": NoteState.CLEAR.value if look.is_as_told else REWRITTEN,
            "created_at": created_at,
            "at": at,
            "sources": [source_view(source, quotes=look.is_as_told) for source in sources[note]],
            "speaker": look.speaker or None,
            "tags": json.loads(look.tags),
            "attributes": json.loads(look.attributes),
            **_ALWAYS_VALID,
        }
    for note, face in faded.items():
        shown["note", note] = {
            "id": public_id("n", note),
            "kind": face.note.kind.value,
            "text": face.text,
            "state": face.told_state,
            "created_at": face.created_at,
            "at": face.at,
            "sources": [source_view(source, quotes=face.may_be_quoted) for source in sources[note]],
            "speaker": face.speaker or None,
            "tags": list(face.tags),
            "attributes": face.attributes,
            **_ALWAYS_VALID,
        }
        gone = faded_summary.of_face(face)
        if gone is not None and gone.kinds:
            shown["note", note]["faded"] = list(gone.kinds)
    return shown


def active_notes(connection: Connection, ids: Sequence[int]) -> list[Note]:
    """Those of these notes that were not taken back since they were recalled, or asked for."""
    found = note_rows.get_many(connection, ids)
    away = note_rows.withdrawn(
        connection, [note.id for note in found.values() if note.lifecycle == note_rows.FORGOTTEN]
    )
    return [note for note in found.values() if note.id not in away]


def summary_sources(connection: Connection, each: rolling_summaries.Current) -> list[dict[str, Any]]:
    """The messages a summary's sentences came from, in their order."""
    quotes = {source.seq: source.quote for point in each.summary.points for source in point.sources}
    found = message_log.of_seqs(connection, each.conversation, sorted(quotes))
    return [
        {"conversation": each.conversation_name, "seq": m.seq, "id": m.client_id, "quote": quotes[m.seq]} for m in found
    ]


def lines(
    connection: Connection, hits: Sequence[Hit], now_exp: int, looked: Mapping[int, NotePreview] | None = None
) -> dict[tuple[str, int], str]:
    """Recalled items as lines of a prompt: when, as far as that is known, who, what. `looked`: as for `items`."""
    shown = {}
    for key, item in items(connection, hits, now_exp, looked).items():
        when = f"[{item['at'][:10]}] " if item["at"] is not None else ""
        # A note says itself whose it is.
        who = f"{prompt_lines.named(item['speaker'])}: " if item["kind"] == ItemKind.MESSAGE else ""
        shown[key] = f"{when}{who}{prompt_lines.contained(item['text'])}"
    return shown


def excluded(
    connection: Connection, ids: Sequence[str], conversation: str | None, scope: Scope = WHOLE
) -> tuple[frozenset[tuple[ItemKind, int]], list[str]]:
    """The items a client does not want back, and a warning for each id that is not known here."""
    left_out, unknown = named(connection, ids, conversation, scope)
    return frozenset(left_out), [f"exclude: there is no {as_given(text)[:80]!r} in this mind" for text in unknown]


def named(
    connection: Connection, ids: Sequence[str], conversation: str | None, scope: Scope = WHOLE
) -> tuple[dict[tuple[ItemKind, int], str], list[str]]:
    """The notes and messages that clients call so, each with its id, and the ids that nothing bears."""
    found: dict[tuple[ItemKind, int], str] = {}
    unknown = []
    for text in ids:
        try:
            number = private_id("n", text)
            if note_rows.get_many(connection, [number], scope):
                found[ItemKind.NOTE, number] = text
                continue
        except SoulmemError:
            pass  # not the id of a note: perhaps of a message
        rows = _said(connection, as_given(text), conversation, scope)
        found |= {(ItemKind.MESSAGE, row): text for row in rows}
        if not rows:
            unknown.append(text)
    return found, unknown


def _said(connection: Connection, name: str, conversation: str | None, scope: Scope) -> list[int]:
    """The messages of this id in the conversation, or in all; else the one of this ref, if it may surface."""
    rows = message_log.rows_named(connection, name, conversation)
    if rows or (ref := read_ref(name)) is None:
        return rows
    return list(scope.within(connection, ItemKind.MESSAGE, message_log.rows_named(connection, ref[1], ref[0])))


def with_times(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a history with their milliseconds shown as times."""
    return [
        {name: to_iso(value) if name in {"at", "replaced_at"} else value for name, value in row.items()} for row in rows
    ]
