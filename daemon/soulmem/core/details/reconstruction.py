"""Reconstruction: putting a faded note together again from what still shows and what was made up for the rest.

Recall is reconstruction (algorithms.md §7.7): the character fills the gaps, and what it filled in becomes the memory.
It returns the fills only; the text is assembled here, so what was clear stays as it was to the letter. Called by recall
with a model's fills and by `note.reconstruct` with a client's, both under a version check. Pure; times in experienced
milliseconds, offsets in code points.

Invariants: every clear stretch of the old text stands in the new one, in order; a gap that was not answered stays
hidden, with its old text; no gist of the result gives its element away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from soulmem.core.decay.anchors import growth_gap_ms, settled
from soulmem.core.decay.traces import grown, placed
from soulmem.core.details import gists
from soulmem.core.details.elements import Element
from soulmem.core.details.gap_fills import Faded, Refusal, RefusedFillError, refusals, whole_owners
from soulmem.core.details.gists import Kind
from soulmem.core.details.mask_wording import Piece
from soulmem.core.details.masking import is_bare, render
from soulmem.core.details.rehearsal import RECONSTRUCTED, rehearsed
from soulmem.core.schema.detail_tasks import Fill, SegmentState
from soulmem.core.schema.note_requests import Anchor
from soulmem.fast_dataclasses import dataclass

BLUR_FILL_STRENGTH = 0.7
BLANK_FILL_STRENGTH = 0.6  # at 0.5 it would blur again before the next turn, which is the first to show it
BLUR_FIDELITY = 0.85
BLANK_FIDELITY = 0.6


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """A note after its gaps were filled.

    `elements`: all it has now; those that stand for something new have a negative id. `fidelity`: by what the note's
    is to be multiplied.
    """

    text: str
    elements: tuple[Element, ...]
    fidelity: float
    blur_fills: int
    blank_fills: int
    given_up: int


def assemble(note: Faded, fills: Sequence[Fill], now_ms: int, *, language: str = "en") -> Reconstruction:
    """The note with its gaps filled at `now_ms`. Raises: RefusedFillError: the first thing wrong with the fills.

    A fill keeps the blanks that stood at the ends of its gap. A blurred element that is filled gets strength 0.7 and
    keeps its gist, a blank one 0.6 and none; the stability of either grows as by a rehearsal of weight 1 from what
    was left of it. A fill of None gives the detail up: its text is gone, an empty blank element marks the gap. Clear
    elements are rehearsed with weight 1.
    """
    wrong = refusals(note, fills)
    if wrong:
        raise wrong[0]
    given = {fill.segment: fill.text for fill in fills}
    text, places = _put_together(note, given)
    if is_bare(text):
        raise RefusedFillError(Refusal.NOTHING_LEFT)
    elements = _as_they_lay(note, places, given, now_ms)
    if not _shows_as_before(text, places, elements, now_ms):
        elements = _laid_flat(note, places, given, now_ms)
    safe = with_safe_gists(text, elements, language)
    states = [note.rendering.pieces[number - 1].state for number, fill in given.items() if fill is not None]
    blurs, blanks = states.count(SegmentState.BLUR), states.count(SegmentState.BLANK)
    fidelity = BLUR_FIDELITY**blurs * BLANK_FIDELITY**blanks
    return Reconstruction(text, safe, fidelity, blurs, blanks, len(given) - len(states))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a piece stands in the new text: as a whole, and the words of its fill."""

    piece: Piece
    start: int
    end: int
    core_start: int
    core_end: int
    is_kept: bool  # its old text stands there


def _put_together(note: Faded, given: Mapping[int, str | None]) -> tuple[str, list[_Place]]:
    out: list[str] = []
    places: list[_Place] = []
    at = 0
    for piece in note.rendering.pieces:
        old = note.text[piece.start : piece.end]
        fill = given.get(piece.number)
        if piece.number not in given or fill is None:
            new = old if piece.number not in given else ""
            places.append(_Place(piece, at, at + len(new), at, at + len(new), piece.number not in given))
        else:
            before, after = old[: len(old) - len(old.lstrip())], old[len(old.rstrip()) :] if old.strip() else ""
            new = f"{before}{fill.strip()}{after}"
            places.append(_Place(piece, at, at + len(new), at + len(before), at + len(new) - len(after), is_kept=False))
        out.append(new)
        at += len(new)
    return "".join(out), places


def _as_they_lay(note: Faded, places: Sequence[_Place], given: Mapping[int, str | None], now_ms: int) -> list[Element]:
    """The elements in the new text, each with the span that became of its own; what was overwritten is left out."""
    refreshed = whole_owners(note.rendering.pieces, frozenset(given))
    standing: list[Element] = []
    for element in note.elements:
        start, end = _new_span(element, places)
        if element.start == element.end:
            standing += [replace(element, start=start, end=end)] if start == end else []
        elif element.id in refreshed and start >= end:
            standing.append(replace(element, start=start, end=start, gist=""))
        elif start < end:
            after = _after(element, note, given, now_ms, is_refreshed=element.id in refreshed)
            standing.append(replace(after, start=start, end=end))
    standing += _gaps(note, places, given, standing)
    return _distinct(standing, now_ms)


def _laid_flat(note: Faded, places: Sequence[_Place], given: Mapping[int, str | None], now_ms: int) -> list[Element]:
    """Elements that overlap in nothing: one for each gap, beside the whole one and the clear ones around them.

    For overlaps whose parts were given up or made fresh, so that an element would win where it did not before.
    """
    refreshed = whole_owners(note.rendering.pieces, frozenset(given))
    by_id = {element.id: element for element in note.elements}
    # Where nothing is left but what is hidden, whatever spans the whole would show it: the gap's own element stays.
    hidden = {(place.start, place.end) for place in places if place.is_kept and place.piece.is_masked}
    standing: list[Element] = []
    for element in note.elements:
        is_whole = (element.start, element.end) == (0, len(note.text))
        start, end = _new_span(element, places, spares_hidden=not is_whole)
        if (is_whole or element.id in note.rendering.visible) and start < end and (start, end) not in hidden:
            after = _after(element, note, given, now_ms, is_refreshed=element.id in refreshed)
            standing.append(replace(after, start=start, end=end))
    used = {element.id for element in standing}
    for place in places:
        piece = place.piece
        if not piece.is_masked or place.start == place.end:
            continue
        owner = by_id[piece.owners[0]]
        number = owner.id if owner.id not in used else min((0, *used, *by_id)) - 1
        used.add(number)
        after = owner if place.is_kept else _refill(owner, piece.state, now_ms)
        standing.append(replace(after, id=number, start=place.start, end=place.end, level=max(1, owner.level)))
    standing += _gaps(note, places, given, standing)
    return _distinct(standing, now_ms)


def _shows_as_before(text: str, places: Sequence[_Place], elements: Sequence[Element], now_ms: int) -> bool:
    """Whether what was clear still shows, and nothing shows of what was hidden and not answered."""
    rendering = render(text, [element.mask(now_ms) for element in elements])
    clear = {at for piece in rendering.pieces if not piece.is_masked for at in range(piece.start, piece.end)}
    return all(
        (at in clear) != place.piece.is_masked
        for place in places
        if place.is_kept
        for at in range(place.start, place.end)
        if not is_bare(text[at])
    )


def _new_span(element: Element, places: Sequence[_Place], *, spares_hidden: bool = False) -> tuple[int, int]:
    """Where the bounds of an element go: one within a fill to the edge of the words if they are its own, else aside.

    `spares_hidden`: a bound within what is still hidden goes aside too.
    """
    bounds: list[int] = []
    for at, is_end in ((element.start, False), (element.end, True)):
        place = next((p for p in places if p.piece.start < at < p.piece.end), None)
        if place is None:
            edges = (p.end if is_end else p.start for p in places if at == (p.piece.end if is_end else p.piece.start))
            bounds.append(next(edges, places[-1].end if at and places else 0))
        elif place.is_kept and not (spares_hidden and place.piece.is_masked):
            bounds.append(place.start + at - place.piece.start)
        elif element.id in place.piece.owners and not place.is_kept:
            bounds.append(place.core_end if is_end else place.core_start)
        else:
            bounds.append(place.start if is_end else place.end)
    return bounds[0], bounds[1]


def _after(
    element: Element, note: Faded, given: Mapping[int, str | None], now_ms: int, *, is_refreshed: bool
) -> Element:
    """An element after the recall: fresh if its gaps were filled, rehearsed if it was seen, else as it was."""
    own = (piece for piece in note.rendering.pieces if element.id in piece.owners)
    filled = next((piece for piece in own if given.get(piece.number) is not None), None)
    if is_refreshed and filled is not None:
        return _refill(element, filled.state, now_ms)
    return rehearsed(element, now_ms, RECONSTRUCTED) if element.id in note.rendering.visible else element


def _refill(element: Element, state: SegmentState, now_ms: int) -> Element:
    """An element whose gaps were filled: strength by how much of it was still known, one step of growth."""
    is_blur = state is SegmentState.BLUR
    trace = grown(element.trace, now_ms, RECONSTRUCTED, gap_ms=growth_gap_ms(element.anchor))
    trace = placed(trace, BLUR_FILL_STRENGTH if is_blur else BLANK_FILL_STRENGTH, now_ms)
    return replace(element, trace=trace, gist=element.gist if is_blur else "", anchor=settled(element.anchor, trace))


def _gaps(
    note: Faded, places: Sequence[_Place], given: Mapping[int, str | None], moved: Sequence[Element]
) -> list[Element]:
    """An empty element at each given-up gap that no element marks by having vanished there."""
    by_id = {element.id: element for element in note.elements}
    marked = {element.start for element in moved if element.start == element.end}
    lowest = min((0, *by_id, *(element.id for element in moved)))
    marks: list[Element] = []
    for place in places:
        piece = place.piece
        if piece.number in given and given[piece.number] is None and place.start not in marked:
            marked.add(place.start)
            owner = by_id[piece.owners[0]]
            marks.append(Element(lowest - 1 - len(marks), place.start, place.start, 2, "", Anchor.NONE, owner.trace))
    return marks


def _distinct(elements: Iterable[Element], now_ms: int) -> list[Element]:
    """One element a span: where two came to the same, the one of wider level stays, with the stronger trace."""
    kept: dict[tuple[int, int], Element] = {}
    for element in sorted(elements, key=lambda e: (e.level, e.anchor is Anchor.NONE, e.id)):
        held = kept.setdefault((element.start, element.end), element)
        strength = element.trace.strength(now_ms)
        if strength > held.trace.strength(now_ms):
            stability = max(held.trace.stability_ms, element.trace.stability_ms)
            trace = placed(replace(element.trace, stability_ms=stability), strength, now_ms)
            kept[held.start, held.end] = replace(held, trace=trace, anchor=element.anchor)
    return sorted(kept.values(), key=lambda e: (e.start, -e.end, e.level, e.id))


def with_safe_gists(text: str, elements: Sequence[Element], language: str) -> tuple[Element, ...]:
    """The elements with gists that still give nothing away, now that the text is another."""
    quotes = [text[e.start : e.end] for e in elements if e.start < e.end]
    safe: list[Element] = []
    for element in elements:
        if element.gist and gists.leaks(element.gist, quotes):
            kind = (Kind.NOTE, Kind.CLAUSE, Kind.THING)[element.level]
            gist = gists.kind_gist(kind, text[element.start : element.end], language, hidden=quotes)
            element = replace(element, gist=gist)  # noqa: PLW2901 (the same element with another gist)
        safe.append(element)
    return tuple(safe)
