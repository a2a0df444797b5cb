"""Sampled walks: the sequences in which the notes of a region are gone over.

A few walks from its first note along links, the strong ones and what is recent more often; where there is no way on,
and now and then, a walk begins again. Called by `idle/replay`. Pure: the same key walks the same way in every process,
so a night that died goes the way it would have gone. Invariants: a walk begins with the first note, leaves the region
never, and has at most `length` notes, in whatever cycles they are tied.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.replay.region_growth import TELEPORT, Region, shares

WALKS = 3
LENGTH = 8
_FRESH_MS = 14 * DAY_MS

Sequence = tuple[int, ...]


def sample(
    region: Region, ages_ms: Mapping[int, int], key: str, *, walks: int = WALKS, length: int = LENGTH
) -> tuple[Sequence, ...]:
    """The sequences; `ages_ms`: how old each note is, `key`: what makes these walks others than those."""
    draws = _draws(key)
    first = region.notes[0]
    steps = {
        note: shares({end: felt * _freshness(ages_ms.get(end, 0)) for end, felt in region.inside(note).items()})
        for note in region.notes
    }
    return tuple(_walk(first, steps, draws, length) for _ in range(walks if steps[first] else 1))


def _walk(first: int, steps: Mapping[int, Mapping[int, float]], draws: Iterator[float], length: int) -> Sequence:
    if not steps[first]:
        return (first,)
    walk = [first]
    while len(walk) < length:
        at = walk[-1]
        following = first if next(draws) < TELEPORT else _drawn(steps[at], next(draws), first)
        if following == at == first:  # it begins again where it is: the strongest way, for it stands still otherwise
            following = min(steps[first], key=lambda end: (-steps[first][end], end))
        walk.append(following)
    return tuple(walk)


def _drawn(ways: Mapping[int, float], draw: float, otherwise: int) -> int:
    for end, share in ways.items():
        draw -= share
        if draw < 0.0:
            return end
    return otherwise


def _freshness(age_ms: int) -> float:
    """What a way to a note of that age counts: half of that to a new one in the end."""
    return 0.5 + 0.5 * math.exp2(-max(0, age_ms) / _FRESH_MS)


def _draws(key: str) -> Iterator[float]:
    """Numbers in [0, 1), the same for the same key."""
    block = 0
    while True:
        digest = hashlib.sha256(f"{key}:{block}".encode()).digest()
        yield from (int.from_bytes(digest[i : i + 8], "big") / 2**64 for i in range(0, 32, 8))
        block += 1
