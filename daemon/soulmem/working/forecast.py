"""The forecast of a note: how its details and links will fade in the coming days if nobody talks till then.

Called by `note.forecast` inside one read. It writes nothing and rehearses nothing. Invariants: what is masked now
stands nowhere in the answer, neither as a quote nor inside the quote of what holds it; a link that may not surface is
left out; the first point of every curve is what `note.get` and `link.list` show now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from soulmem.core import masking
from soulmem.core import notes as note_rules
from soulmem.core.fading import Fading
from soulmem.core.forgetting import NoteStanding
from soulmem.core.instants import to_iso
from soulmem.core.masking import Mask, Rendering
from soulmem.core.prospect import End, Horizon, days_until_gone, end_of
from soulmem.core.traces import FAR_FUTURE_MS, Trace
from soulmem.store import elements, links, notes, standing, tombstones
from soulmem.store.driver import Connection
from soulmem.store.elements import ElementRow
from soulmem.store.links import Link
from soulmem.store.notes import Note
from soulmem.store.rows import public_id
from soulmem.store.scope import WHOLE, Scope
from soulmem.store.views import Moment

MOST_LINKS = 40
DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Present:
    """The mind as it is: when, by which clock, how its details fade and whether anything is deleted."""

    now_ms: int
    moment: Moment
    fading: Fading
    deletes: bool


def forecast(connection: Connection, number: int, days: int | None, present: Present, scope: Scope) -> dict[str, Any]:
    """The note as it shows now, and the curve of each of its elements and links.

    Args:
        days: how far to look; None: until the last ordinary detail is gone.

    Raises:
        SoulmemError: `not_found`.
    """
    note = notes.get(connection, number, scope)
    spans = [_Span(row, _fades(row, note, present)) for row in elements.of_notes(connection, [number])[number]]
    ties = links.of_notes(connection, [number], scope)
    horizon = Horizon(present.now_ms, present.moment.time, days or _far_enough(spans, ties, present))
    masks = [span.mask(horizon.now_exp) for span in spans]
    shown = masking.render(note.text, masks, present.fading)
    strongest = sorted(ties, key=lambda tie: (-tie.trace.strength(horizon.now_exp), tie.id))
    view = {
        "id": public_id("n", number),
        "text": shown.text,
        "state": shown.state.value,
        "now": to_iso(present.now_ms),
        "days": horizon.days,
        "blur_below": present.fading.blur_below,
        "blank_below": present.fading.blank_below,
        "elements": [_element(note.text, span, shown, horizon, present) for span in spans],
        "links": [_link(tie, number, horizon, present) for tie in strongest[:MOST_LINKS]],
        "more_links": max(0, len(ties) - MOST_LINKS),
    }
    # When the note goes depends on all of its links: telling it would tell of those that may not surface.
    return view if scope != WHOLE else view | {"dies": _dies(connection, note, spans, horizon, present)}


@dataclass(frozen=True, slots=True)
class _Span:
    """An element and whether it fades at all here."""

    row: ElementRow
    fades: bool

    @property
    def trace(self) -> Trace:
        return Trace(self.row.a0, self.row.t0, self.row.stability)

    def opacity(self, now_exp: int) -> float:
        return self.trace.strength(now_exp) if self.fades else self.row.a0

    def mask(self, now_exp: int) -> Mask:
        row = self.row
        return Mask(row.id, row.start, row.end, self.opacity(now_exp), row.gist, row.anchor != "none")


def _fades(row: ElementRow, note: Note, present: Present) -> bool:
    return present.moment.fades and not note.pinned and row.due_blur < FAR_FUTURE_MS


def _far_enough(spans: Sequence[_Span], ties: Sequence[Link], present: Present) -> int:
    fading = [span.row for span in spans if span.fades]
    ordinary = [row.due_blank for row in fading if row.anchor != "spontaneous"]
    gone = ordinary or [row.due_blank for row in fading] or [tie.due_delete for tie in ties if present.deletes]
    return days_until_gone(present.now_ms, present.moment.time, gone)


def _element(text: str, span: _Span, shown: Rendering, horizon: Horizon, present: Present) -> dict[str, Any]:
    row, opacity = span.row, span.opacity(horizon.now_exp)
    state = note_rules.element_state(opacity)
    view: dict[str, Any] = {
        "id": f"e{row.id}",
        "level": row.level,
        "anchor": row.anchor,
        "state": state,
        "opacity": round(opacity, 6),
        "stability_days": row.stability / DAY_MS,
        "blurs_at": _wall(row.due_blur, present) if span.fades else None,
        "blanks_at": _wall(row.due_blank, present) if span.fades else None,
        "points": horizon.points(span.trace) if span.fades else horizon.level(opacity),
    }
    if state == "clear":
        return view | {"quote": glimpse(text, shown, row.start, row.end)}
    return view | ({"gist": row.gist} if state == "blurred" else {})


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


def _link(tie: Link, note: int, horizon: Horizon, present: Present) -> dict[str, Any]:
    dies = tie.due_delete if present.deletes else None
    return {
        "id": public_id("l", tie.id),
        "note": public_id("n", tie.dst if tie.src == note else tie.src),
        "kind": tie.kind.value,
        "verb": tie.verb,
        "strength": round(tie.trace.strength(horizon.now_exp), 9),
        "stability_days": tie.trace.stability_ms / DAY_MS,
        "dies_at": _wall(dies, present) if dies is not None else None,
        "points": horizon.points(tie.trace, dies_exp=dies),
    }


def _dies(
    connection: Connection, note: Note, spans: Sequence[_Span], horizon: Horizon, present: Present
) -> dict[str, Any]:
    """When the note itself goes, and what keeps it if it does not."""
    if note.lifecycle == notes.FORGOTTEN:
        stone = tombstones.of_notes(connection, [note.id]).get(note.id)
        return {"at": to_iso(stone.purge_at) if stone else None, "kept_by": "tombstone"}
    if not present.deletes:
        return {"at": None, "kept_by": "settings"}
    now_exp = horizon.now_exp
    ties = links.of_notes(connection, [note.id])
    held: NoteStanding = standing.of_note(connection, note.id, now_exp)
    cited = (
        [tie.due_delete for tie in ties if tie.kind == "evidence" and tie.dst == note.id] if held.is_evidence else []
    )
    end: End = end_of(
        held,
        links_die=[tie.due_delete for tie in ties],
        evidence_until=max(cited, default=0),
        clear_until=max((span.row.due_blur for span in spans), default=0),
        check=standing.check_of(connection, note.id),
        now_exp=now_exp,
    )
    kept = end.kept_by.value if end.kept_by is not None else None
    return {"at": _wall(end.at_exp, present) if end.at_exp is not None else None, "kept_by": kept}


def _wall(exp_ms: int, present: Present) -> str | None:
    at = present.moment.time.wall_at(exp_ms) if exp_ms < FAR_FUTURE_MS else None
    return to_iso(at) if at is not None else None
