"""Replay priority: which notes a sleeping mind goes over first (algorithms.md §6.9).

prio = 1.0 dirty + 0.6 recalls + 0.5 surprise + 0.4 importance + 0.4 double - 0.5 recently replayed. A note is dirty
that came or says something else since it was gone over. Pure. Invariants: the same notes in any order give the same
order; what is not finite counts nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.fast_dataclasses import dataclass

COOLDOWN_MS = DAY_MS  # a note is not gone over again for so long
DOUBLE = 0.92  # cosine from which two notes may be of one thing
_RECENT_MS = 3 * DAY_MS


@dataclass(frozen=True, slots=True)
class Standing:
    """How a note stands; `replayed_ago_ms`: None where it never was gone over; `cosines`: to those it is tied to."""

    note: int
    is_dirty: bool
    importance: float
    recalls: int = 0
    replayed_ago_ms: int | None = None
    cosines: Sequence[float] = ()


def priority(standing: Standing, most_recalls: int) -> float:
    """How much a note wants to be gone over; `most_recalls`: of any note it is compared with."""
    cosines = [min(1.0, max(-1.0, each)) for each in standing.cosines if math.isfinite(each)]
    surprise = sum(1.0 - each for each in cosines) / len(cosines) if cosines else 0.0
    recently = 0.0
    if standing.replayed_ago_ms is not None:
        recently = math.exp(-max(0, standing.replayed_ago_ms) / _RECENT_MS)
    importance = min(1.0, max(0.0, standing.importance)) if math.isfinite(standing.importance) else 0.0
    return (
        1.0 * standing.is_dirty
        + 0.6 * (standing.recalls / most_recalls if most_recalls > 0 else 0.0)
        + 0.5 * min(1.0, surprise)
        + 0.4 * importance
        + 0.4 * any(each >= DOUBLE for each in cosines)
        - 0.5 * recently
    )


def ranked(standings: Iterable[Standing]) -> list[int]:
    """The notes, the one that wants it most first; of equals the older."""
    found = list(standings)
    most = max((each.recalls for each in found), default=0)
    return [each.note for each in sorted(found, key=lambda each: (-priority(each, most), each.note))]


def best_region(values: Mapping[int, float], costs: Mapping[int, float]) -> int | None:
    """Of regions by their first note, the one that brings most for what it costs; None where there is none."""
    return min(values, key=lambda first: (-values[first] / max(1.0, costs.get(first, 1.0)), first), default=None)


def is_cooling(replayed_ago_ms: int | None) -> bool:
    """Whether a note was gone over so lately that it rests. A clock that was set back holds nothing up."""
    return replayed_ago_ms is not None and 0 <= replayed_ago_ms < COOLDOWN_MS
