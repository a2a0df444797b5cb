"""Note clusters: which of the notes that look alike become one, and which of them stays (algorithms.md §6.4).

Agglomerative with complete linkage: each two of a cluster tell the same, so that A like B and B like C makes no blob of
A and C. Called by `idle/merging/merge_step`. Pure. Invariants: no note is in two clusters; a cluster has two to five
notes; the one that stays tells no less than any other of it; the order in which pairs are given changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from soulmem.core.merging.same_telling import Telling, fuller
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass

MOST = 5  # notes of a cluster
DEFAULT_LEAST = 0.85
# How near two notes have to lie to be compared, by embedder and script; what decides is what they say. Measured on
# `tests/corpora/merges.tsv`: nearly all pairs that tell the same lie above.
_LEAST = {
    "hashing": {"latin": 0.5, "cjk": 0.4, "mixed": 0.4},
    "minilm": {"latin": 0.74, "cjk": 0.75, "mixed": 0.74},
    "e5": {"latin": 0.9, "cjk": 0.9, "mixed": 0.9},
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note that may become one with others. `weight`: importance times how much of it is there still; `holds`: others
    were merged into it already."""

    note: int
    telling: Telling
    weight: float
    pinned: bool = False
    holds: bool = False
    stays: bool = False  # something rests on it, so that it can stay and not go


@dataclass(frozen=True, slots=True)
class Cluster:
    survivor: int
    others: tuple[int, ...]


def least_likeness(embedder: str, text: str) -> float:
    """The cosine from which two notes are compared."""
    for name, by_script in _LEAST.items():
        if embedder.startswith(name):
            return by_script.get(tokens.script_of(text), DEFAULT_LEAST)
    return DEFAULT_LEAST


def clusters(notes: Mapping[int, Candidate], pairs: Iterable[tuple[int, int]]) -> tuple[Cluster, ...]:
    """The clusters among notes of which these pairs lie near one another."""
    groups: dict[int, frozenset[int]] = {}
    same = {pair for pair in ((min(each), max(each)) for each in pairs) if _are_one(notes, *pair)}
    for one, other in sorted(same):
        left, right = groups.get(one, frozenset({one})), groups.get(other, frozenset({other}))
        whole = left | right
        if left == right or len(whole) > MOST:
            continue
        linked = all((min(a, b), max(a, b)) in same for a in left for b in right)
        if linked and _survivor(notes, whole) is not None:
            groups |= dict.fromkeys(whole, whole)
    found = []
    for group in sorted(set(groups.values()), key=min):
        survivor = _survivor(notes, group)
        if survivor is not None:
            found.append(Cluster(survivor, tuple(sorted(group - {survivor}))))
    return tuple(found)


def _are_one(notes: Mapping[int, Candidate], one: int, other: int) -> bool:
    if one not in notes or other not in notes or one == other:
        return False
    return fuller(notes[one].telling, notes[other].telling) is not None


def _survivor(notes: Mapping[int, Candidate], group: frozenset[int]) -> int | None:
    """The note of a cluster that stays: it tells most, and of those that tell as much it weighs most, or is older.

    None where it cannot be: something else has to stay.
    """
    must = [note for note in group if notes[note].pinned or notes[note].holds or notes[note].stays]
    if len(must) > 1:
        return None
    able = [
        note for note in group if all(note == other or _tells_no_less(notes[note], notes[other]) for other in group)
    ]
    if must:
        return must[0] if must[0] in able else None
    return min(able, key=lambda note: (-round(notes[note].weight, 6), note), default=None)


def _tells_no_less(one: Candidate, other: Candidate) -> bool:
    told, said = one.telling, other.telling
    return sorted(told.words) == sorted(said.words) or len(told.words) > len(said.words)
