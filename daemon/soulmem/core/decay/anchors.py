"""Anchors: what holds a detail back from fading, and how such a detail decays.

A spontaneous anchor struck at once (a line of dialogue that hit home) and stays for months; a forced one was learnt
on purpose: vivid at first, gone within a day or so unless it is repeated on other days (algorithms.md §6.3, §7.2). Only
episodic notes have anchors, at most two spontaneous and three forced ones each. Pure; times in experienced
milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import GROWTH_GAP_MS, Trace, stability_ms
from soulmem.core.importance.retention_periods import Keeping
from soulmem.core.schema.note_requests import Anchor

_PLAIN = Keeping()
ORDINARY_STRENGTH = 0.9
ANCHOR_STRENGTH = 1.0
SPONTANEOUS_DAYS = 180.0
FORCED_DAYS = 0.7
FORCED_GAP_MS = DAY_MS
ORDINARY_FROM_MS = 30 * DAY_MS
MOST = {Anchor.SPONTANEOUS: 2, Anchor.FORCED: 3}

K = TypeVar("K")


def new_trace(
    level: int, anchor: Anchor, now_ms: int, fading: Fading, *, importance: float = 0.5, arousal: float = 0.0,
    keeping: Keeping = _PLAIN, is_sense: bool = False,
) -> Trace:  # fmt: skip
    """The trace of an element that comes into being at `now_ms`; it stands still while what it speaks of lies ahead.

    Stability = days of its level (0 the note, 1 a clause, 2 a detail; of no weight for an anchor) or anchor x
    (0.5 + importance 0..1) x (1 + arousal 0..1 / 2) x the character's scale; the days of a level follow what the note
    is and until when it is awaited (`keeping`). `is_sense`: the element says what matters in the note.
    """
    match anchor:
        case Anchor.SPONTANEOUS:
            strength = ANCHOR_STRENGTH
            days = max(SPONTANEOUS_DAYS, fading.days_of(level, importance, keeping, is_sense=is_sense))
        case Anchor.FORCED:
            # What matters is learnt for good, however it is stressed: cramming is of what matters to nobody.
            own = fading.days_of(level, importance, keeping, is_sense=True) if is_sense else 0.0
            strength, days = ANCHOR_STRENGTH, max(FORCED_DAYS, own)
        case _:
            strength, days = ORDINARY_STRENGTH, fading.days_of(level, importance, keeping, is_sense=is_sense)
    stability = stability_ms(days, importance=importance, arousal=arousal, scale=fading.scale)
    return Trace(strength, now_ms + max(0, keeping.ahead_ms), stability, curve=fading.curve)


def growth_gap_ms(anchor: Anchor) -> int:
    """The least time between two steps of growth: ten minutes, a day for what is learnt on purpose."""
    return FORCED_GAP_MS if anchor is Anchor.FORCED else GROWTH_GAP_MS


def settled(anchor: Anchor, trace: Trace) -> Anchor:
    """What an anchor is once its trace has grown: a forced one becomes ordinary from a stability of 30 days."""
    return Anchor.NONE if anchor is Anchor.FORCED and trace.stability_ms >= ORDINARY_FROM_MS else anchor


def within_limits(anchors: Iterable[tuple[K, Anchor]], *, episodic: bool) -> dict[K, Anchor]:
    """The anchors a note may have, the first ones given; those too many, or of another kind of note, are none."""
    left = dict(MOST) if episodic else {}
    granted: dict[K, Anchor] = {}
    for key, anchor in anchors:
        if left.get(anchor, 0) > 0:
            left[anchor] -= 1
            granted[key] = anchor
        else:
            granted[key] = Anchor.NONE
    return granted
