"""Rehearsal: what being remembered does to the elements of a note (algorithms.md §7.4).

Called whenever a note is returned, used, reconstructed, replayed or praised. Only what was seen is rehearsed: a masked
element gains nothing from being looked for, and neither being touched on a walk through the graph nor coming up in a
recall that was laid before nobody is a rehearsal. It is retrieving a thing that strengthens it, not that it was near
(Roediger & Karpicke 2006); what merely competes with it gains nothing (Anderson, Bjork & Bjork 1994).
Invariants: neither strength nor stability ever falls; within one refractory period the stability grows once; an
element that is masked stays masked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from soulmem.core.decay.anchors import ORDINARY_STRENGTH, growth_gap_ms, settled
from soulmem.core.decay.traces import STABILITY_LIMIT_MS, Trace, grown, placed, rehearse
from soulmem.core.details.elements import Element
from soulmem.core.schema.note_requests import Anchor

# Weights of what may happen to a note.
RETURNED = 0.3  # of the best of a recall; the others by their share of its score
USED = 1.0
RECONSTRUCTED = 1.0
REPLAYED = 0.3
PRAISED = 1.5


def rehearsed(element: Element, now_ms: int, weight: float, *, most_ms: int = STABILITY_LIMIT_MS) -> Element:
    """The element after one rehearsal; the same object where nothing changes."""
    trace = rehearse(element.trace, now_ms, weight, gap_ms=growth_gap_ms(element.anchor), most_ms=most_ms)
    return _with(element, trace)


def rehearsed_note(
    elements: Iterable[Element],
    visible: Iterable[int],
    now_ms: int,
    weight: float,
    *,
    most_ms: int = STABILITY_LIMIT_MS,
) -> tuple[Element, ...]:
    """The elements of a note that a rehearsal changes, as they are afterwards.

    Args:
        visible: ids of the elements that were seen (`Rendering.visible`).
        most_ms: the stability to which they may grow by it.
    """
    seen = frozenset(visible)
    after = [
        (element, rehearsed(element, now_ms, weight, most_ms=most_ms)) for element in elements if element.id in seen
    ]
    return tuple(changed for element, changed in after if changed is not element)


def relearnt(element: Element, now_ms: int) -> Element:
    """A forced anchor whose words are repeated on purpose once more: as vivid as at first, and a step of growth.

    Unlike a rehearsal this needs nothing to be left: the words themselves are there again. A second repetition within
    a day adds no growth. Any other element is merely rehearsed.
    """
    if element.anchor is not Anchor.FORCED:
        return rehearsed(element, now_ms, USED)
    now_ms = max(now_ms, element.trace.t0_ms)
    trace = grown(element.trace, now_ms, USED, gap_ms=growth_gap_ms(element.anchor))
    return _with(element, placed(trace, 1.0, now_ms))


def retold(element: Element, now_ms: int, *, least_stability_ms: int = 1) -> Element:
    """An element whose words were told again: clear, whatever had become of it, and more lasting than before.

    `least_stability_ms`: what it would have if it were told for the first time now.
    """
    if element.anchor is Anchor.FORCED:
        return relearnt(element, now_ms)
    now_ms = max(now_ms, element.trace.t0_ms)
    trace = grown(element.trace, now_ms, USED)
    trace = replace(trace, stability_ms=max(trace.stability_ms, least_stability_ms))
    raised = rehearse(element.trace, now_ms, USED).strength(now_ms)
    return _with(element, placed(trace, max(ORDINARY_STRENGTH, raised), now_ms))


def _with(element: Element, trace: Trace) -> Element:
    if trace is element.trace:
        return element
    anchor = settled(element.anchor, trace)
    return Element(element.id, element.start, element.end, element.level, element.gist, anchor, trace)
