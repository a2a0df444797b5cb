"""Elements: the forgettable spans of a note, and the check every drafted one passes (algorithms.md §6.3).

Whoever drafts elements (a model's split, the extractive engine, a client) hands them to `checked`, which is the last
word on them: every note has one over its whole text, finer ones lie inside the text at whole visible characters, no
two cover the same span, there are at most twelve, and no gist gives away what it or another stands for. Pure. Offsets
are code points, half-open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from soulmem.core.decay.anchors import new_trace, within_limits
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import Trace
from soulmem.core.details import gists
from soulmem.core.details.gists import Kind
from soulmem.core.details.masking import Mask
from soulmem.core.importance.retention_periods import Keeping
from soulmem.core.schema.note_requests import Anchor, ElementDraft, NoteKind
from soulmem.core.text.graphemes import widened
from soulmem.core.text.quote_matching import find_quote
from soulmem.core.text.tokens import fold, wording_language
from soulmem.fast_dataclasses import dataclass

MOST_ELEMENTS = 12
DETAILED = frozenset({NoteKind.EPISODIC, NoteKind.SEMANTIC})  # notes that lose details before they are lost
_PLAIN = Keeping()
_MOST_LOOKED_AT = 1_000


@dataclass(frozen=True, slots=True)
class Element:
    """A span of a note with its trace. `id` is unique in its note; one not stored yet has a negative id.

    An empty span is a detail that was given up: it shows as a gap for good.
    """

    id: int
    start: int
    end: int
    level: int
    gist: str
    anchor: Anchor
    trace: Trace

    def opacity(self, now_ms: int) -> float:
        return self.trace.strength(now_ms)

    def mask(self, now_ms: int) -> Mask:
        """The element as it masks its note at `now_ms`."""
        is_anchor = self.anchor is not Anchor.NONE
        return Mask(self.id, self.start, self.end, self.opacity(now_ms), self.gist, is_anchor)


def whole_stability_ms(elements: Iterable[Element]) -> int:
    """The stability of a note as a whole; 0 for one without elements."""
    return max((each.trace.stability_ms for each in elements if each.level == 0), default=0)


class Flaw(StrEnum):
    """Why a drafted element is refused."""

    OUTSIDE = "outside_the_text"
    REVERSED = "reversed"
    EMPTY = "empty"
    LEVEL = "unknown_level"
    DUPLICATE = "duplicate"
    TOO_MANY = "too_many"
    NOT_FOUND = "quote_not_found"
    KIND = "not_episodic"


@dataclass(frozen=True, slots=True)
class Checked:
    """The elements a note gets, the whole one first; `flaws` of drafts by their place among those given.

    `leaking`: how many gists were replaced because they gave something away.
    """

    elements: tuple[ElementDraft, ...]
    flaws: tuple[tuple[int, Flaw], ...] = ()
    leaking: int = 0


def located(
    text: str, quote: str, *, occurrence: int = 1, level: int = 2, gist: str = "", anchor: Anchor
) -> ElementDraft | None:
    """The draft of a quoted element, its offsets worked out here; None if the text does not hold the quote."""
    span = find_quote(quote, text, occurrence=occurrence)
    return None if span is None else ElementDraft(*span, level, gist, anchor)


def checked(
    text: str, drafts: Sequence[ElementDraft], *, gist: str = "", kind: NoteKind = NoteKind.EPISODIC,
    language: str = "en",
) -> Checked:  # fmt: skip
    """The elements of a note from what was drafted; what is flawed is left out and named.

    Args:
        gist: a vaguer wording of the whole note.
        kind: of the note; only an episode and a fact have elements beside the whole one, only an episode has anchors.
    """
    kept: dict[tuple[int, int], ElementDraft] = {}
    flaws: list[tuple[int, Flaw]] = []
    for place, draft in enumerate(drafts):
        flaw = _flaw(text, draft, place, detailed=kind in DETAILED)
        if flaw is None:
            start, end = widened(text, draft.start, draft.end)
            if (start, end) == (0, len(text)):
                gist = gist or draft.gist
                if draft.level != 0:
                    flaw = Flaw.DUPLICATE
            elif (start, end) in kept:
                flaw = Flaw.DUPLICATE
            else:
                kept[start, end] = replace(draft, start=start, end=end)
        if flaw is not None:
            flaws.append((place, flaw))
    chosen = _most_telling(list(kept.values()))
    if len(chosen) < len(kept):
        left_out = {id(draft) for draft in kept.values()} - {id(draft) for draft in chosen}
        spans = {(d.start, d.end) for d in kept.values() if id(d) in left_out}
        flaws += [(i, Flaw.TOO_MANY) for i, d in enumerate(drafts) if (d.start, d.end) in spans]
    granted = within_limits(((i, d.anchor) for i, d in enumerate(chosen)), episodic=kind is NoteKind.EPISODIC)
    anchored = [replace(draft, anchor=granted[i]) for i, draft in enumerate(chosen)]
    whole = ElementDraft(0, len(text), 0, gist)
    elements, leaking = _without_leaks(text, [whole, *anchored], language)
    return Checked(elements, tuple(sorted(flaws)), leaking)


def born(
    drafts: Iterable[ElementDraft], now_ms: int, fading: Fading, *, importance: float = 0.5, arousal: float = 0.0,
    keeping: Keeping = _PLAIN,
) -> tuple[Element, ...]:  # fmt: skip
    """Checked drafts as elements that begin to fade now, or when what they speak of is over; with ids -1, -2, …"""
    return tuple(
        Element(
            -number,
            draft.start,
            draft.end,
            draft.level,
            draft.gist,
            draft.anchor,
            new_trace(
                draft.level,
                draft.anchor,
                now_ms,
                fading,
                importance=importance,
                arousal=arousal,
                keeping=keeping,
                is_sense=keeping.is_sense(draft.start, draft.end),
            ),
        )
        for number, draft in enumerate(drafts, 1)
    )


def kept_alike(text: str, drafts: Iterable[ElementDraft], keeping: Keeping) -> Keeping:
    """How a note keeps, so that a name of what matters in it keeps wherever else it stands."""
    return replace(keeping, sense=everywhere(text, drafts, keeping.sense)) if keeping.sense else keeping


def everywhere(
    text: str, drafts: Iterable[ElementDraft], spans: Iterable[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Spans, and all drafts that say what one touching them says: a name fades everywhere or nowhere."""
    spans, drafts = tuple(spans), tuple(each for each in drafts if each.level > 0)
    said = {fold(text[d.start : d.end]) for d in drafts if any(low < d.end and d.start < high for low, high in spans)}
    return (*spans, *((d.start, d.end) for d in drafts if fold(text[d.start : d.end]) in said))


def fitting(text: str, kind: NoteKind, drafts: Sequence[ElementDraft] = (), *, gist: str = "") -> Checked:
    """`checked` for a new note of this kind; takes a millisecond or two, so it is not for a transaction."""
    language = wording_language(text)
    return checked(text, drafts, gist=gist, kind=kind, language=language)


def fact_spans(
    text: str, drafts: Sequence[ElementDraft | Element], attributes: Mapping[str, Any]
) -> tuple[tuple[int, int], ...]:
    """What a fact says, of whom and what; where that is not known, all but what is told in a clause beside it."""
    named = [fold(str(attributes.get(part) or "")) for part in ("subject", "object")]
    plain = fold(text)
    if all(named) and len(plain) == len(text) and named[1] in plain:
        return tuple(
            match.span() for part in named if part for match in re.finditer(re.escape(part), plain)
        )  # fmt: skip
    clauses = [(draft.start, draft.end) for draft in drafts if draft.level == 1]
    return tuple(
        (d.start, d.end) for d in drafts if d.level == 2 and not any(s <= d.start and d.end <= e for s, e in clauses)
    )


def _flaw(text: str, draft: ElementDraft, place: int, *, detailed: bool) -> Flaw | None:
    if place >= _MOST_LOOKED_AT:
        return Flaw.TOO_MANY
    if draft.level not in (0, 1, 2) or (draft.level == 0 and (draft.start, draft.end) != (0, len(text))):
        return Flaw.LEVEL
    if draft.start > draft.end:
        return Flaw.REVERSED
    if draft.start < 0 or draft.end > len(text):
        return Flaw.OUTSIDE
    if not text[draft.start : draft.end].strip():
        return Flaw.EMPTY
    return Flaw.KIND if draft.level > 0 and not detailed else None


def _most_telling(drafts: list[ElementDraft]) -> list[ElementDraft]:
    """At most eleven, beside the whole one: anchors before others, then as they were given; back in text order."""
    ranked = sorted(drafts, key=lambda draft: draft.anchor is Anchor.NONE)
    return sorted(ranked[: MOST_ELEMENTS - 1], key=lambda draft: (draft.start, -draft.end))


def _without_leaks(text: str, drafts: list[ElementDraft], language: str) -> tuple[tuple[ElementDraft, ...], int]:
    """The drafts with gists that hold no element's wording; a leaking one gives way to a word for its kind."""
    quotes = [text[draft.start : draft.end] for draft in drafts]
    leaking = 0
    safe: list[ElementDraft] = []
    for draft, quote in zip(drafts, quotes, strict=True):
        gist = " ".join(draft.gist.split())
        if gists.leaks(gist, quotes):
            leaking += bool(gist)
            kind = (Kind.NOTE, Kind.CLAUSE, Kind.THING)[draft.level]
            gist = gists.kind_gist(kind, quote, language, hidden=quotes)
        safe.append(replace(draft, gist=gist))
    return tuple(safe), leaking
