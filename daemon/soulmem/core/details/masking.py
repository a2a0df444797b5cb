"""Masking: what of a note still shows, as pieces and as the text a reader gets (algorithms.md §7.5, §7.6).

Elements may nest and overlap. Of those that cover a character the innermost decides, of several such the one that is
best remembered; a character no element covers always shows. What is masked shows as a placeholder, with its gist while
it is only blurred. Called by the views and by recall; the pieces are kept, for they are what reconstruction puts
together again. Pure, linear in what it is given. Offsets are code points.

Invariants: the pieces cover the text without gap or overlap; no character whose deciding element is masked shows, but
for blanks and punctuation beside clear text; the order of the masks changes nothing; a text with nothing masked comes
back as it is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import groupby, pairwise

from soulmem.core.decay.decay_policy import Fading
from soulmem.core.details.mask_wording import Piece, word_pieces
from soulmem.core.schema.detail_tasks import MaskedNote, Segment, SegmentState
from soulmem.fast_dataclasses import dataclass

PLACEHOLDERS = ("xxx", "___", "□□□", "▒▒▒")
_PLAIN = Fading()


class NoteState(StrEnum):
    """A note as a whole: nothing masked; something; no clear letter left."""

    CLEAR = "clear"
    BLURRED = "blurred"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Mask:
    """An element at one moment: `[start, end)` with its opacity; empty where the detail is gone for good.

    `id` is unique in its note and breaks ties, the lower one first.
    """

    id: int
    start: int
    end: int
    opacity: float
    gist: str = ""
    is_anchor: bool = False


@dataclass(frozen=True, slots=True)
class Rendering:
    """A note as it shows now. `visible`: ids of the clear elements of which something is seen."""

    text: str
    state: NoteState
    pieces: tuple[Piece, ...]
    placeholder: str
    visible: frozenset[int]

    @property
    def has_gaps(self) -> bool:
        """Whether there is anything that reconstruction could fill."""
        return any(piece.is_masked and not piece.is_gone for piece in self.pieces)


def state_of(opacity: float, fading: Fading = _PLAIN) -> SegmentState:
    """Clear from `blur_below` up, blank below `blank_below`, blurred between."""
    if not fading.blurs or opacity >= fading.blur_below:
        return SegmentState.CLEAR
    return SegmentState.BLUR if opacity >= fading.blank_below else SegmentState.BLANK


def render(text: str, masks: Iterable[Mask], fading: Fading = _PLAIN) -> Rendering:
    """How a note shows under its masks; parts of a mask beyond the text do not count."""
    masks = tuple(masks)
    if all(0 <= m.start < m.end <= len(text) and state_of(m.opacity, fading) is SegmentState.CLEAR for m in masks):
        return _clear(text, masks)
    clipped = [_clip(m, len(text)) for m in masks]
    held = sorted((m for m in clipped if m.start < m.end), key=_rank)
    gone = [m for m in clipped if m.start == m.end] if fading.blurs else []
    joined = _join_pieces(text, [_piece(*run, fading) for run in _runs(text, held)])
    pieces = _number_pieces(_with_gone(joined, gone))
    placeholder = placeholder_for(text, [m.gist for m in held])
    shown = word_pieces(text, pieces, placeholder)
    seen = frozenset(_visible(text, pieces, held, fading))
    return Rendering(shown, _note_state(text, pieces), pieces, placeholder, seen)


def visible(text: str, masks: Iterable[Mask], fading: Fading = _PLAIN) -> frozenset[int]:
    """`render(...).visible` alone: told by the spans where they are as simple as they mostly are."""
    masks = tuple(masks)
    if any(m.start < 0 or m.end > len(text) for m in masks):
        return render(text, masks, fading).visible
    held = [(m, state_of(m.opacity, fading) is SegmentState.CLEAR) for m in masks if m.start < m.end]
    seen = []
    for mask in (m for m, is_clear in held if is_clear):
        # Only what is masked inside a clear element can hide anything of it.
        hidden = sorted((m.start, m.end) for m, is_clear in held if not is_clear and _inside(m, mask))
        shows, at = False, mask.start
        for start, end in (*hidden, (mask.end, mask.end)):
            shows = shows or (at < start and not is_bare(text[at:start]))
            at = max(at, end)
        if hidden and not shows:
            return render(text, masks, fading).visible  # but for what is clear inside that again
        if shows:
            seen.append(mask.id)
    return frozenset(seen)


def _clip(mask: Mask, length: int) -> Mask:
    """A mask without what sticks out of the text."""
    if mask.start >= 0 and mask.end <= length:
        return mask
    return replace(mask, start=max(0, mask.start), end=min(length, mask.end))


def _clear(text: str, masks: Sequence[Mask]) -> Rendering:
    """A note of which everything shows: what `render` comes to, for this is what it is asked most."""
    whole = (Piece(1, 0, len(text), SegmentState.CLEAR),) if text else ()
    seen = frozenset(m.id for m in masks if not is_bare(text[m.start : m.end]))
    return Rendering(text, NoteState.CLEAR, whole, placeholder_for(text, [m.gist for m in masks]), seen)


def segments_of(text: str, rendering: Rendering) -> tuple[Segment, ...]:
    """The pieces as a model or a client gets them: clear ones with their text, faded ones with gist and length."""
    return tuple(
        Segment(
            piece.number,
            piece.state,
            "" if piece.is_masked else text[piece.start : piece.end],
            piece.gist,
            piece.end - piece.start,
        )
        for piece in rendering.pieces
    )


def masked_note(label: str, text: str, rendering: Rendering) -> MaskedNote:
    """What the reconstruction task is given of a note."""
    return MaskedNote(label, segments_of(text, rendering))


def placeholder_for(text: str, gists: Iterable[str] = ()) -> str:
    """`xxx`, or another sentinel where the note itself says that."""
    taken = "\n".join((text, *gists))
    length = 3
    while True:
        for placeholder in PLACEHOLDERS:
            wanted = placeholder[0] * length
            if wanted not in taken:
                return wanted
        length += 1


def is_bare(text: str) -> bool:
    """Whether there is nothing but blanks and punctuation (an emoji or a currency sign is more)."""
    return all(unicodedata.category(char)[0] in "ZPC" for char in text)


def _rank(mask: Mask) -> tuple[float, bool, int, int, int, str]:
    """The order in which masks win where none lies inside another: opacity, anchor, shorter, lower id."""
    return -mask.opacity, not mask.is_anchor, mask.end - mask.start, mask.id, mask.start, mask.gist


def _runs(text: str, held: Sequence[Mask]) -> Iterator[tuple[int, int, Mask | None]]:
    """The text from boundary to boundary of what decides, with that element; `held` stands in winning order."""
    edges = sorted({0, len(text), *(m.start for m in held), *(m.end for m in held)})
    owned = ((low, high, _owner(held, low, high)) for low, high in pairwise(edges))
    for _, run in groupby(owned, key=lambda each: None if each[2] is None else id(each[2])):
        parts = list(run)
        yield parts[0][0], parts[-1][1], parts[0][2]


def _owner(held: Sequence[Mask], low: int, high: int) -> Mask | None:
    covering = [m for m in held if m.start <= low and high <= m.end]
    return next((m for m in covering if not any(_inside(o, m) for o in covering)), None)


def _inside(inner: Mask, outer: Mask) -> bool:
    """Strict containment."""
    lies_in = outer.start <= inner.start and inner.end <= outer.end
    return lies_in and inner.end - inner.start < outer.end - outer.start


def _piece(start: int, end: int, owner: Mask | None, fading: Fading) -> Piece:
    state = SegmentState.CLEAR if owner is None else state_of(owner.opacity, fading)
    if owner is None or state is SegmentState.CLEAR:
        return Piece(0, start, end, SegmentState.CLEAR)
    return Piece(0, start, end, state, (owner.id,), owner.gist.strip() if state is SegmentState.BLUR else "")


def _join_pieces(text: str, pieces: list[Piece]) -> list[Piece]:
    """Masked blanks and punctuation join masked neighbours or show; then equal neighbours become one piece."""
    settled: list[Piece] = []
    for index, piece in enumerate(pieces):
        beside = [pieces[at] for at in (index - 1, index + 1) if 0 <= at < len(pieces)]
        if not (piece.is_masked and beside and is_bare(text[piece.start : piece.end])):
            settled.append(piece)
        elif all(neighbour.is_masked for neighbour in beside):
            taker = settled[-1] if settled and settled[-1].is_masked else piece if settled else beside[0]
            settled.append(replace(taker, start=piece.start, end=piece.end))
        else:
            settled.append(Piece(0, piece.start, piece.end, SegmentState.CLEAR))
    merged: list[Piece] = []
    for piece in settled:
        if merged and _flow_together(merged[-1], piece):
            owners = tuple(sorted({*merged[-1].owners, *piece.owners}))
            merged[-1] = replace(merged[-1], end=piece.end, owners=owners)
        else:
            merged.append(piece)
    return merged


def _flow_together(left: Piece, right: Piece) -> bool:
    return left.state is right.state and (left.state is not SegmentState.BLUR or left.owners == right.owners)


def _with_gone(pieces: list[Piece], gone: Iterable[Mask]) -> list[Piece]:
    """The pieces with an empty blank one for each detail that was given up and stands in or between clear text."""
    places: dict[int, list[int]] = {}
    for mask in gone:
        places.setdefault(mask.start, []).append(mask.id)
    for at in sorted(places):
        empty = Piece(0, at, at, SegmentState.BLANK, tuple(sorted(places[at])))
        touching = [i for i, piece in enumerate(pieces) if piece.start <= at <= piece.end and not piece.is_gone]
        if any(pieces[i].is_masked for i in touching):
            continue  # the placeholder of what is masked there stands for it too
        if not touching:
            pieces.append(empty)
        elif pieces[touching[0]].start < at < pieces[touching[0]].end:
            whole = pieces[touching[0]]
            pieces[touching[0] : touching[0] + 1] = [replace(whole, end=at), empty, replace(whole, start=at)]
        else:
            pieces.insert(touching[0] + (pieces[touching[0]].end == at), empty)
    return pieces


def _number_pieces(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    shown: set[tuple[int, ...]] = set()
    numbered: list[Piece] = []
    for number, piece in enumerate(pieces, 1):
        first = bool(piece.gist) and piece.owners not in shown
        shown.add(piece.owners)
        numbered.append(replace(piece, number=number, shows_gist=first))
    return tuple(numbered)


def _note_state(text: str, pieces: Sequence[Piece]) -> NoteState:
    if not any(piece.is_masked for piece in pieces):
        return NoteState.CLEAR
    legible = any(not piece.is_masked and not is_bare(text[piece.start : piece.end]) for piece in pieces)
    return NoteState.BLURRED if legible else NoteState.BLANK


def _visible(text: str, pieces: Sequence[Piece], held: Sequence[Mask], fading: Fading) -> Iterator[int]:
    clear = [piece for piece in pieces if not piece.is_masked]
    for mask in held:
        if state_of(mask.opacity, fading) is SegmentState.CLEAR and any(
            not is_bare(text[max(piece.start, mask.start) : min(piece.end, mask.end)])
            for piece in clear
            if piece.start < mask.end and mask.start < piece.end
        ):
            yield mask.id
