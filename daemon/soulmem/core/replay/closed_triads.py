"""Closed triads: which notes that were gone over together are tied from now on (algorithms.md §6.9).

Two notes that come within two steps of one another in a sequence, of different talks, and that two others lie between
at least: what both belong to binds them. How much is 1 - Π (1 - √(a·b) · d) over those between, a and b being how
strongly each is tied, d less than 1 where that one is tied to everything. Pure. Invariants: no note is tied to itself,
twice to another or more than twice in all; nothing is tied that is; a link is no stronger than `STRONGEST`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from soulmem.core.linking.hebbian_linking import fanned_out
from soulmem.core.replay.region_growth import Region
from soulmem.fast_dataclasses import dataclass

STRONGEST = 0.3
MOST = 10  # of one region
LEAST_BETWEEN = 2
_LEAST = 0.5  # of how much two are bound
_FANOUT = 2
_CROWDED = 6  # ties from which on a note between says less
_STEPS = 2


@dataclass(frozen=True, slots=True, order=True)
class Tie:
    """Two notes that belong together, `one` the lower, and how strongly they are tied."""

    one: int
    other: int
    strength: float


def ties(region: Region, sequences: Iterable[Sequence[int]], may: Callable[[int, int], bool]) -> tuple[Tie, ...]:
    """The new ties, the strongest first; `may`: whether two notes may be tied at all."""
    found = []
    for one, other in sorted(set(_together(sequences))):
        if other in region.rows.get(one, {}) or one in region.rows.get(other, {}) or not may(one, other):
            continue
        bound = _bound(region, one, other)
        if bound >= _LEAST:
            found.append((one, other, bound))
    best = sorted(found, key=lambda each: (-each[2], each[0], each[1]))
    few = fanned_out(((str(one), str(other), bound) for one, other, bound in best), _FANOUT)
    return tuple(Tie(int(one), int(other), STRONGEST * bound) for one, other, bound in few)[:MOST]


def _together(sequences: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    for walk in sequences:
        for start in range(len(walk) - 1):
            for one, other in combinations(walk[start : start + _STEPS + 1], 2):
                if one != other:
                    yield min(one, other), max(one, other)


def _bound(region: Region, one: int, other: int) -> float:
    left, right = region.inside(one), region.inside(other)
    between = [each for each in left if each in right and each not in (one, other)]
    if len(between) < LEAST_BETWEEN:
        return 0.0
    apart = 1.0
    for each in between:
        apart *= 1.0 - min(1.0, math.sqrt(left[each] * right[each])) * _tells(region.rows, each)
    return 1.0 - apart


def _tells(rows: Mapping[int, Mapping[int, float]], note: int) -> float:
    """How much it says that something is tied to a note: little of one that all is tied to."""
    return min(1.0, _CROWDED / max(1, len(rows.get(note, {}))))
