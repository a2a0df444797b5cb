"""The forecast of a note: how its details and links will fade in the coming days if nobody talks till then.

Called by `note.forecast` inside one read. It writes nothing and rehearses nothing. Invariants: what is masked now
stands nowhere in the answer, neither as a quote nor inside the quote of what holds it; a link that may not surface is
left out; the first point of every curve is what `note.get` and `link.list` show now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.decay.decay_forecast import End, Horizon, days_until_gone, end_of
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.pruning_policy import NoteStanding
from soulmem.core.decay.traces import FAR_FUTURE_MS
from soulmem.core.details.elements import Element, whole_stability_ms
from soulmem.core.details.masking import Rendering, state_of
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.schema.note_requests import Anchor, LinkKind
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link
from soulmem.store.notes import element_rows, note_rows, retention_facts, retention_queue
from soulmem.store.notes.masked_indexing import rendering
from soulmem.store.notes.note_rows import Note
from soulmem.store.revision import note_withdrawal, tombstones
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views.graph_views import verbs
from soulmem.store.views.wire_views import Moment

MOST_LINKS = 40


_STATES = {SegmentState.CLEAR: "clear", SegmentState.BLUR: "blurred", SegmentState.BLANK: "blank"}


@dataclass(frozen=True, slots=True)
class Present:
    """The mind as it is: trusted wall time, how its details fade by which clock, and whether anything is deleted."""

    now_ms: int
    moment: Moment
    deletes: bool


def forecast(connection: Connection, number: int, days: int | None, present: Present, scope: Scope) -> dict[str, Any]:
    """The note as it shows now, and the curve of each of its elements and links.

    Args: days: how far to look; None: until the last ordinary detail is gone.
    Raises: SoulmemError: `not_found`.
    """
    note = note_withdrawal.shown(connection, number, scope)
    spans = element_rows.of_notes(connection, [number])[number]
    ties = link_rows.of_notes(connection, [number], scope)
    fading = present.moment.fading
    fades = fading.blurs and not note.lasts
    horizon = Horizon(present.now_ms, present.moment.time, days or _far_enough(spans if fades else (), ties, present))
    shown = rendering(note.text, spans, horizon.now_exp, fading, lasting=note.lasts)
    strongest = sorted(ties, key=lambda tie: (-tie.trace.strength(horizon.now_exp), tie.id))
    ends = note_rows.get_many(connection, sorted({end for tie in strongest[:MOST_LINKS] for end in (tie.src, tie.dst)}))
    said = verbs(connection, list(ends.values()), strongest[:MOST_LINKS], horizon.now_exp)
    view = {
        "id": public_id("n", number),
        "text": shown.text,
        "state": shown.state.value,
        "now": to_iso(present.now_ms),
        "days": horizon.days,
        "blur_below": fading.blur_below,
        "blank_below": fading.blank_below,
        "elements": [
            _element(note.text, span, shown, horizon, present) if fades else _lasting(note.text, span, shown, horizon)
            for span in spans
        ],
        "links": [_link(tie, said[tie.id], number, horizon, present) for tie in strongest[:MOST_LINKS]],
        "more_links": max(0, len(ties) - MOST_LINKS),
    }
    # When the note goes depends on all of its links: telling it would tell of those that may not surface.
    return view if scope != WHOLE else view | {"dies": _dies(connection, note, spans, horizon, present)}


def _tells_until(note: Note, spans: Sequence[Element], fading: Fading) -> int:
    """Until when its elements keep a note alive: while one is clear, or while a gist is known."""
    dues = [fading.dues(span.trace) for span in spans]
    if fading.stays_by_gist(note.kind, whole_stability_ms(spans)):
        return max((each.blank_ms for each in dues), default=0)
    return max((each.blur_ms for each in dues), default=0)


def _far_enough(spans: Sequence[Element], ties: Sequence[Link], present: Present) -> int:
    blank = {span.id: present.moment.fading.dues(span.trace).blank_ms for span in spans}
    ordinary = [blank[span.id] for span in spans if span.anchor is not Anchor.SPONTANEOUS]
    gone = ordinary or list(blank.values()) or [tie.due_delete for tie in ties if present.deletes]
    return days_until_gone(present.now_ms, present.moment.time, gone)


def _element(text: str, span: Element, shown: Rendering, horizon: Horizon, present: Present) -> dict[str, Any]:
    fading, opacity = present.moment.fading, span.opacity(horizon.now_exp)
    state, dues = state_of(opacity, fading), fading.dues(span.trace)
    view = _told(span, _STATES[state], opacity) | {
        "blurs_at": _wall(dues.blur_ms, present),
        "blanks_at": _wall(dues.blank_ms, present),
        "points": horizon.points(span.trace),
    }
    match state:
        case SegmentState.CLEAR:
            return view | {"quote": glimpse(text, shown, span.start, span.end)}
        case SegmentState.BLUR:
            return view | {"gist": span.gist}
        case _:
            return view


def _lasting(text: str, span: Element, shown: Rendering, horizon: Horizon) -> dict[str, Any]:
    """An element of a note that does not fade: as strong for ever as it is shown."""
    return _told(span, "clear", span.trace.a0) | {
        "blurs_at": None,
        "blanks_at": None,
        "points": horizon.level(span.trace.a0),
        "quote": glimpse(text, shown, span.start, span.end),
    }


def _told(span: Element, state: str, opacity: float) -> dict[str, Any]:
    return {
        "id": public_id("e", span.id),
        "level": span.level,
        "anchor": span.anchor.value,
        "state": state,
        "opacity": round(opacity, 6),
        "stability_days": span.trace.stability_ms / DAY_MS,
    }


def glimpse(text: str, shown: Rendering, start: int, end: int) -> str:
    """What a reader sees of a stretch of the text: its clear parts, and a placeholder for each that is masked."""
    seen = ""
    was_masked = False
    for piece in shown.pieces:
        if not (piece.start < end and start < piece.end):
            continue
        if not piece.is_masked:
            seen += text[max(start, piece.start) : min(end, piece.end)]
        elif not was_masked:
            seen += shown.placeholder
        was_masked = piece.is_masked
    return seen


def _link(tie: Link, verb: str, note: int, horizon: Horizon, present: Present) -> dict[str, Any]:
    dies = tie.due_delete if present.deletes else None
    return {
        "id": public_id("l", tie.id),
        "note": public_id("n", tie.dst if tie.src == note else tie.src),
        "kind": tie.kind.value,
        "verb": verb,
        "strength": round(tie.trace.strength(horizon.now_exp), 9),
        "stability_days": tie.trace.stability_ms / DAY_MS,
        "dies_at": _wall(dies, present) if dies is not None else None,
        "points": horizon.points(tie.trace, dies_exp=dies),
    }


def _dies(
    connection: Connection, note: Note, spans: Sequence[Element], horizon: Horizon, present: Present
) -> dict[str, Any]:
    """When the note itself goes, and what keeps it if it does not."""
    if note.lifecycle == note_rows.FORGOTTEN:
        stone = tombstones.of_notes(connection, [note.id]).get(note.id)
        return {"at": to_iso(stone.purge_at) if stone else None, "kept_by": "tombstone"}
    if not present.deletes:
        return {"at": None, "kept_by": "settings"}
    now_exp = horizon.now_exp
    ties = link_rows.of_notes(connection, [note.id])
    held: NoteStanding = retention_facts.of_note(connection, note.id, now_exp)
    cited = (
        [tie.due_delete for tie in ties if tie.kind is LinkKind.EVIDENCE and tie.dst == note.id]
        if held.is_evidence
        else []
    )
    end: End = end_of(
        held,
        links_die=[tie.due_delete for tie in ties],
        evidence_until=max(cited, default=0),
        clear_until=_tells_until(note, spans, present.moment.fading),
        check=retention_queue.of_note(connection, note.id),
        now_exp=now_exp,
    )
    kept = end.kept_by.value if end.kept_by is not None else None
    return {"at": _wall(end.at_exp, present) if end.at_exp is not None else None, "kept_by": kept}


def _wall(exp_ms: int, present: Present) -> str | None:
    at = present.moment.time.wall_at(exp_ms) if exp_ms < FAR_FUTURE_MS else None
    return to_iso(at) if at is not None else None
