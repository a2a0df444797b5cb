"""Gap fills: which notes may be reconstructed, and which words are accepted for the gaps of one (algorithms.md §7.7).

The character, or a client, answers numbered gaps with words or with "I do not remember". What it may say is bounded: as
long as twice what stood there, plain words, nothing that looks like a gap itself, all gaps of one detail or none.
Everything refused has a name. Called by `reconstruction` and by those who show a note with gaps. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum

from soulmem.core.calendar.calendar_math import MINUTE_MS
from soulmem.core.details.elements import Element
from soulmem.core.details.mask_wording import Piece
from soulmem.core.details.masking import PLACEHOLDERS, NoteState, Rendering, is_bare
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.detail_tasks import Fill
from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass

MOST_A_TURN = 3
PAUSE_MS = 10 * MINUTE_MS  # of one note, so that it does not drift within one chat
LONGEST_FACTOR = 2

_MARKUP = LazyPattern(
    r"</?[a-zA-Z!][^<>]*>|<\|?[\w/ ]*\|?>|&(?:[a-z]{2,8}|#\d+);|```|`[^`]*`|\*\*|__|\[\[|\]\]|\]\(|\{\{|\}\}|[{}]"
    r"|^\s{0,3}(?:#{1,6}|>|[-*+]|\d+[.)])\s|https?://|data:\w+/",
    re.MULTILINE,
)
_UNSEEN = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Refusal(StrEnum):
    """Why a fill is not accepted; the value is what a client is told."""

    WRONG_NOTE = "wrong_note"
    WRONG_VERSION = "wrong_version"
    UNKNOWN_SEGMENT = "unknown_segment"
    NOT_MASKED = "not_masked"
    GONE = "gone_for_good"
    FILLED_TWICE = "filled_twice"
    EMPTY = "empty_fill"
    TOO_LONG = "fill_too_long"
    PLACEHOLDER = "placeholder_in_fill"
    MARKUP = "markup_in_fill"
    HALF_FILLED = "half_filled"
    NOTHING_FILLED = "nothing_filled"
    NOTHING_LEFT = "nothing_left"


_MEANING = {
    Refusal.WRONG_NOTE: "it is for another note",
    Refusal.WRONG_VERSION: "the note has changed since its segments were shown",
    Refusal.UNKNOWN_SEGMENT: "the note has no segment of that number",
    Refusal.NOT_MASKED: "that segment is clear: only what faded is filled",
    Refusal.GONE: "that detail was given up; there is nothing left to fill",
    Refusal.FILLED_TWICE: "there are two fills for it",
    Refusal.EMPTY: "a fill says something; null says that it is not remembered",
    Refusal.TOO_LONG: f"a fill is at most {LONGEST_FACTOR} times as long as what stood there",
    Refusal.PLACEHOLDER: "a fill must not hold a placeholder",
    Refusal.MARKUP: "a fill is plain words, without markup or control characters",
    Refusal.HALF_FILLED: "it is one detail with other segments: answer all of them or none",
    Refusal.NOTHING_FILLED: "nothing was filled",
    Refusal.NOTHING_LEFT: "nothing would be left of the note",
}


class RefusedFillError(ValueError):
    """Fills that cannot be used; nothing is changed. `segment` is None where it is about the note."""

    def __init__(self, reason: Refusal, segment: int | None = None) -> None:
        where = "" if segment is None else f"segment {segment}: "
        super().__init__(f"{where}{_MEANING[reason]}")
        self.reason = reason
        self.segment = segment


@dataclass(frozen=True, slots=True)
class Faded:
    """A note as it was shown with gaps: what fills are checked against and assembled into.

    `elements` have the ids of the masks that `rendering` was made from.
    """

    label: str
    version: int
    text: str
    elements: tuple[Element, ...]
    rendering: Rendering


def may_rewrite(
    kind: NoteKind, rendering: Rendering, now_ms: int, *, pinned: bool = False, rewritten_ms: int | None = None
) -> bool:
    """Whether a note in the final context is to be reconstructed at `now_ms`.

    Only an episode with a gap, or a fact of which something is left, not pinned, and not rewritten within the last ten
    minutes (`rewritten_ms`).
    """
    rested = rewritten_ms is None or now_ms - rewritten_ms >= PAUSE_MS
    return can_be_rewritten(kind, rendering) and rendering.has_gaps and not pinned and rested


def can_be_rewritten(kind: NoteKind, rendering: Rendering) -> bool:
    """Whether a note of this kind is put together anew: of a fact that is lost as a whole nothing is made up."""
    return kind is NoteKind.EPISODIC or (kind is NoteKind.SEMANTIC and rendering.state is not NoteState.BLANK)


def refusals(note: Faded, fills: Sequence[Fill], *, version: int | None = None) -> tuple[RefusedFillError, ...]:
    """All that is wrong with fills, in order; empty if they can be used.

    `version`: the version of the note the fills were made for, if known.
    """
    if version is not None and version != note.version:
        return (RefusedFillError(Refusal.WRONG_VERSION),)
    found: list[RefusedFillError] = []
    answered: set[int] = set()
    for fill in fills:
        reason = _refusal(note, fill, answered)
        if reason is not None:
            found.append(RefusedFillError(reason, fill.segment))
        else:
            answered.add(fill.segment)
    found += [RefusedFillError(Refusal.HALF_FILLED, number) for number in _half_filled(note, answered)]
    if not found and not answered:
        found.append(RefusedFillError(Refusal.NOTHING_FILLED))
    return tuple(found)


def usable(note: Faded, fills: Sequence[Fill]) -> tuple[Fill, ...]:
    """The fills of a model that can be used; the others are left out, as if that segment had not been answered."""
    answered: dict[int, Fill] = {}
    for fill in fills:
        if _refusal(note, fill, answered) is None:
            answered[fill.segment] = fill
    while half := _half_filled(note, answered):
        for number in half:
            del answered[number]
    return tuple(answered.values())


def _refusal(note: Faded, fill: Fill, answered: Iterable[int]) -> Refusal | None:
    if fill.note != note.label:
        return Refusal.WRONG_NOTE
    if not 1 <= fill.segment <= len(note.rendering.pieces):
        return Refusal.UNKNOWN_SEGMENT
    piece = note.rendering.pieces[fill.segment - 1]
    if not piece.is_masked:
        return Refusal.NOT_MASKED
    if piece.is_gone:
        return Refusal.GONE
    if fill.segment in answered:
        return Refusal.FILLED_TWICE
    return None if fill.text is None else _unfit(fill.text.strip(), note.text[piece.start : piece.end], note)


def _unfit(text: str, hidden: str, note: Faded) -> Refusal | None:
    if is_bare(text):
        return Refusal.EMPTY
    if len(text) > LONGEST_FACTOR * len(hidden):
        return Refusal.TOO_LONG
    lowered = text.lower()
    if any(placeholder in lowered for placeholder in (*PLACEHOLDERS, note.rendering.placeholder)):
        return Refusal.PLACEHOLDER
    return None if is_plain(text, frozenset(hidden) & {"\n", "\t"}) else Refusal.MARKUP


def is_plain(text: str, allowed: frozenset[str] = frozenset()) -> bool:
    """Whether these are plain words: no placeholder of ours, no markup, no control characters but those allowed."""
    odd = any((unicodedata.category(c) in _UNSEEN or c in _TURNING) and c not in allowed for c in text)
    held = any(placeholder in text.lower() for placeholder in PLACEHOLDERS)
    return not odd and not held and not is_bare(text) and _MARKUP.search(text) is None


def _half_filled(note: Faded, answered: Iterable[int]) -> tuple[int, ...]:
    """Answered segments that show nothing, because each of their owners has another segment that was not answered."""
    given = frozenset(answered)
    whole = whole_owners(note.rendering.pieces, given)
    return tuple(
        piece.number for piece in note.rendering.pieces if piece.number in given and whole.isdisjoint(piece.owners)
    )


def whole_owners(pieces: Iterable[Piece], answered: frozenset[int]) -> frozenset[int]:
    """The elements all of whose segments were answered."""
    owners: set[int] = set()
    lacking: set[int] = set()
    for piece in pieces:
        if piece.is_masked and not piece.is_gone:
            (owners if piece.number in answered else lacking).update(piece.owners)
    return frozenset(owners - lacking)
