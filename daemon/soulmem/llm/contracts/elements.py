"""The details of a drafted note that may fade by themselves: where they stand, how vague their gists are.

Models cannot count characters, so they quote and we compute the offsets (ALGORITHMS §6.3). Invariants: spans lie inside
the text and no two are equal; no gist holds what it stands for; at most 12 elements, of them 2 spontaneous and 3 forced
anchors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, Literal

from pydantic import BeforeValidator, WithJsonSchema

from soulmem.core.drafts import Anchor, ElementDraft
from soulmem.core.gists import Kind, kind_gist, leaks
from soulmem.core.quotes import find_quote
from soulmem.core.tokens import wording_language
from soulmem.llm.contracts.base import Answer
from soulmem.llm.contracts.fields import Text, Whole, one_line, within, word_of
from soulmem.llm.extractive.detail_finding import kind_of
from soulmem.records import dataclass

MOST_ELEMENTS = 12
_MOST_ANCHORS = {Anchor.NONE: MOST_ELEMENTS, Anchor.SPONTANEOUS: 2, Anchor.FORCED: 3}
_MOST_TRIES = 20
_MOST_READ = 40
_SPOKEN = ('"', "“", "「", "『")
_CLOSING = " .。!！?？…~～"
_INSIDE = re.compile(r"[A-Za-zÀ-ɏЀ-ӿ0-9]{2}")
_ANCHORS = tuple(anchor.value for anchor in Anchor)
_ALSO = {"": "none", "null": "none", "无": "none", "自发": "spontaneous", "强制": "forced"}


class ElementItem(Answer):
    """A detail by its wording in the note; level 1 a clause, 2 a detail (0, the whole note, gives the note's gist)."""

    quote: Text = ""
    occurrence: Whole = None
    level: Whole = None
    gist: Text = ""
    anchor: Annotated[
        Literal["none", "spontaneous", "forced"] | None,
        BeforeValidator(word_of(_ANCHORS, _ALSO)),
        WithJsonSchema({"type": "string", "enum": list(_ANCHORS)}),
    ] = None


@dataclass(frozen=True, slots=True)
class Detailed:
    """The elements of a note and its own gist; `leaking` of `judged` gists gave something away and were replaced."""

    elements: tuple[ElementDraft, ...]
    gist: str
    judged: int = 0
    leaking: int = 0


@dataclass(slots=True)
class _Found:
    start: int
    end: int
    level: int
    gist: str
    anchor: Anchor
    inside: list[str] = field(default_factory=list)


def detailed(
    text: str,
    gist: str,
    items: Sequence[ElementItem],
    *,
    episodic: bool,
    people: Sequence[str] = (),
    places: Sequence[str] = (),
    at_ms: int = 0,
) -> Detailed:
    """Check the elements and the gist of a note; only an episodic one has elements."""
    lang = wording_language(text)
    found, whole = _located(text, items)
    gist = one_line(gist) or whole
    judged = leaking = 0
    if gist:
        judged += 1
        if leaks(gist, [text, *(text[each.start : each.end] for each in found)]):
            leaking, gist = leaking + 1, ""
    if not episodic:
        return Detailed((), gist, judged, leaking)
    left = dict(_MOST_ANCHORS)
    elements: list[ElementDraft] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        judged += bool(each.gist)
        vague = each.gist
        if leaks(vague, each.inside):
            leaking += bool(vague)
            vague = _by_kind(text[each.start : each.end], each.inside, lang, frozenset(people), places, at_ms)
        anchor = each.anchor if left[each.anchor] > 0 else Anchor.NONE
        left[anchor] -= 1
        elements.append(ElementDraft(each.start, each.end, each.level, vague, anchor))
    return Detailed(tuple(elements), gist, judged, leaking)


def _by_kind(
    quote: str, hidden: Sequence[str], lang: str, people: frozenset[str], places: Sequence[str], at_ms: int
) -> str:
    """A gist that knows only of which kind a detail is."""
    kind, period = kind_of(quote, at_ms, people)
    if quote.startswith(_SPOKEN):
        kind = Kind.SPEECH
    elif period is None and any(place in quote for place in places if place):
        kind = Kind.PLACE
    return kind_gist(kind, quote, lang, hidden=hidden, period=period)


def _located(text: str, items: Sequence[ElementItem]) -> tuple[list[_Found], str]:
    """The elements whose wording stands in the text, each with what it encloses; and the gist of the whole."""
    found: dict[tuple[int, int], _Found] = {}
    whole = ""
    for item in items[:_MOST_READ]:
        span = _span(item, text)
        if span is None or span[1] - span[0] >= len(text.rstrip(_CLOSING)):
            whole = whole or (one_line(item.gist) if span or item.level == 0 else "")
        elif span not in found and len(found) < MOST_ELEMENTS:
            level = 1 if within(item.level, 1, 2, 2) < 1.5 else 2
            found[span] = _Found(*span, level, one_line(item.gist), Anchor(item.anchor or "none"))
    for outer in found.values():
        outer.inside = [
            text[inner.start : inner.end]
            for inner in found.values()
            if outer.start <= inner.start and inner.end <= outer.end
        ]
    return list(found.values()), whole


def _span(item: ElementItem, text: str) -> tuple[int, int] | None:
    """Where an element's wording stands as whole words, from the occurrence named on; None if nowhere."""
    if not any(map(str.isalnum, item.quote)):
        return None
    first = int(within(item.occurrence, 1, 1_000, 1))
    before: tuple[int, int] | None = None
    for occurrence in range(first, first + _MOST_TRIES):
        span = find_quote(item.quote, text, occurrence=occurrence)
        if span is None or span == before:
            return None
        if not (_cuts_word(text, span[0]) or _cuts_word(text, span[1])):
            return span
        before = span
    return None


def _cuts_word(text: str, at: int) -> bool:
    """Whether a place lies inside a word of letters that are written with blanks between words."""
    around = text[at - 1 : at + 1] if at > 0 else ""
    return len(around) == 2 and _INSIDE.fullmatch(around) is not None
