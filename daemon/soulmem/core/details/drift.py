"""Drift: a faded detail turns into another one like it, silently, as an experiment (algorithms.md §7.9).

A detail's meaning is moved a little towards its gist, which says less, and a little astray; of some wordings that could
stand in its place and the original, the one nearest to where that leads is what the note says from now on, if it is
still like the original. Called by `idle.upkeep.drift_step`. Pure; the stray direction comes from a seed. Offsets are
code points.

Invariants: the moved meaning is a unit vector; with no strength, or for a detail that is fully remembered, it is the
original's; the original is always among the candidates, and wins a tie; no accepted wording holds another that is
masked; what is not replaced keeps its words, and every element its own.
"""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from soulmem.core.decay.decay_policy import Fading
from soulmem.core.details import gists
from soulmem.core.details.elements import Element
from soulmem.core.details.gap_fills import is_plain
from soulmem.core.details.masking import state_of
from soulmem.core.details.reconstruction import with_safe_gists
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.schema.note_requests import GIST_LENGTH
from soulmem.core.text.graphemes import widened
from soulmem.core.text.tokens import fold

Vector = NDArray[np.floating]

STRENGTH = 0.35  # how far a detail that is all but gone is moved
ASTRAY = math.radians(25)  # the angle between the way it is moved and the way to its gist
LIKE_ENOUGH = 0.55  # cosine to the original under which a wording is not taken for it
NEIGHBOURS = 20
CANDIDATES = 5
_SHORTEST_LIMIT = 24
_LEAST_LENGTH = 1e-9


def move_meaning(
    original: Vector, gist: Vector, opacity: float, stray: Vector, *, strength: float = STRENGTH, astray: float = ASTRAY
) -> NDArray[np.float64]:
    """Where forgetting moves a meaning: e' = normalise(e + strength (1 - R) (cos φ (g - e)/|g - e| + sin φ ξ)).

    `original`: unit vector e of the detail; `gist`: unit vector g of its vaguer wording; `opacity`: R, how much of
    it is known, 0..1; `stray`: ξ, of length 1 and orthogonal to both, from `stray_from`; `astray`: φ, radians. A gist
    that means the same leads nowhere: then only the stray part moves it.
    """
    start = _unit(original)
    if strength == 0.0 or opacity >= 1.0:
        return start
    way = np.asarray(gist, dtype=np.float64) - start
    length = float(np.linalg.norm(way))
    towards = way / length if length > _LEAST_LENGTH else np.zeros_like(start)
    step = math.cos(astray) * towards + math.sin(astray) * np.asarray(stray, dtype=np.float64)
    return _unit(start + strength * (1.0 - max(0.0, opacity)) * step)


def stray_from(original: Vector, gist: Vector, seed: int) -> NDArray[np.float64]:
    """A random direction of length 1, orthogonal to both; the zero vector where there is no room for one."""
    basis: list[NDArray[np.float64]] = []
    for each in (original, gist):
        rest = _apart(np.asarray(each, dtype=np.float64), basis)
        if (length := float(np.linalg.norm(rest))) > 1e-6:
            basis.append(rest / length)
    draw = np.random.default_rng(seed)
    for _ in range(4):
        found = _apart(draw.standard_normal(len(original)), basis)
        if (length := float(np.linalg.norm(found))) > 1e-6:
            return found / length
    return np.zeros(len(original))


def seed_of(*parts: object) -> int:
    """The same seed for the same parts, in every process."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:8], "big")


def pick_wording(original: Vector, aim: Vector, candidates: Iterable[Vector]) -> int | None:
    """Which of the candidates takes the original's place; None: it stays.

    Of all of them and the original the one whose meaning is nearest to `aim`, if that is not the original and its
    cosine to the original is at least 0.55.
    """
    wanted, held = _unit(aim), _unit(original)
    best, nearest, likeness = None, float(held @ wanted), 1.0
    for place, each in enumerate(map(_unit, candidates)):
        if (cosine := float(each @ wanted)) > nearest:
            best, nearest, likeness = place, cosine, float(each @ held)
    return best if likeness >= LIKE_ENOUGH else None


def rarity(cosines: Iterable[float]) -> float | None:
    """Mean distance (1 - cosine) to the 20 nearest concepts; None where there are none.

    It stands for entropy the other way round: rare, specific wordings lie far from all concepts and have little of it.
    """
    near = sorted(cosines, reverse=True)[:NEIGHBOURS]
    return sum(1.0 - each for each in near) / len(near) if near else None


def _unit(vector: Vector) -> NDArray[np.float64]:
    plain = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(plain))
    return plain / length if length > _LEAST_LENGTH else plain


def _apart(vector: NDArray[np.float64], basis: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    for _ in range(2):  # once more for what rounding left
        for axis in basis:
            vector = vector - float(vector @ axis) * axis
    return vector


def limit_of(detail: str) -> int:
    """Characters a wording in place of a detail may have: a short one."""
    return min(GIST_LENGTH - 1, max(_SHORTEST_LIMIT, 2 * len(detail.strip())))


def driftable(text: str, elements: Sequence[Element], now_ms: int, fading: Fading) -> tuple[Element, ...]:
    """The details of a note that may drift now: blurred, with a gist, of their own.

    Not the whole note, none that holds or overlaps another element, and none whose words stand elsewhere in the note
    too: it would contradict itself.
    """
    return tuple(
        element
        for element in elements
        if element.level > 0
        and element.gist.strip()
        and text[element.start : element.end].strip()
        and state_of(element.opacity(now_ms), fading) is SegmentState.BLUR
        and all(_stands_apart(element, other) for other in elements if other is not element)
        and not _stands_elsewhere(text, element)
    )


def _stands_apart(element: Element, other: Element) -> bool:
    holds = other.start <= element.start and element.end <= other.end
    return holds or other.end <= element.start or element.end <= other.start


def _stands_elsewhere(text: str, element: Element) -> bool:
    core = fold(text[element.start : element.end].strip())
    return core in fold(text[: element.start]) or core in fold(text[element.end :])


def usable(wordings: Iterable[str], original: str, hidden: Sequence[str]) -> tuple[str, ...]:
    """The wordings that may take a detail's place, each once, at most five.

    Short and plain, without the original in them and without any other wording that is masked (`hidden`).
    """
    kept: dict[str, str] = {}
    for each in wordings:
        wording = " ".join(each.split())
        fits = wording and len(wording) <= limit_of(original) and is_plain(wording) and not _joins(wording)
        if fits and not gists.leaks(wording, (original, *hidden)):
            kept.setdefault(fold(wording), wording)
    return tuple(kept.values())[:CANDIDATES]


def _joins(wording: str) -> bool:
    """Whether it would run into the character before or after it."""
    first, last = unicodedata.category(wording[0]), unicodedata.category(wording[-1])
    return first[0] == "M" or "Cf" in (first, last)


def replace_details(
    text: str, elements: Sequence[Element], wordings: Mapping[int, str], *, language: str = "en"
) -> tuple[str, tuple[Element, ...]]:
    """A note with other words for some of its details (by element id), and its elements where they now stand.

    Blanks at the ends of a detail stay. Traces are kept: what was faded is as faded as before. A gist that holds what
    an element says now gives way to a vaguer one.

    Raises: ValueError: a wording for no element, for two that overlap, or one that would run into its neighbour.
    """
    changed = sorted((e for e in elements if e.id in wordings), key=lambda e: e.start)
    if len(changed) != len(wordings) or any(a.end > b.start for a, b in pairwise(changed)):
        raise ValueError("wordings are for elements of the note that lie apart")
    out: list[str] = []
    edges: list[tuple[int, int]] = []  # (where a detail ended, how much longer the text is from there on)
    at = grown = 0
    for element in changed:
        old = text[element.start : element.end]
        before, after = old[: len(old) - len(old.lstrip())], old[len(old.rstrip()) :]
        new = f"{before}{wordings[element.id].strip()}{after}"
        out += [text[at : element.start], new]
        at, grown = element.end, grown + len(new) - len(old)
        edges.append((element.end, grown))
    result = "".join([*out, text[at:]])

    def shifted(place: int) -> int:
        return place + next((by for edge, by in reversed(edges) if edge <= place), 0)

    standing = tuple(replace(e, start=shifted(e.start), end=shifted(e.end)) for e in elements)
    if any(widened(result, e.start, e.end) != (e.start, e.end) for e in standing if e.id in wordings):
        raise ValueError("a wording runs into its neighbour")
    return result, with_safe_gists(result, standing, language)
