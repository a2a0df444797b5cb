"""Region growth: the few notes around one that belong to it most, found without looking at the rest of the graph.

PageRank of one note by pushing, the largest residue first (Andersen, Chung, Lang 2006), with the saturating normaliser:
what is tied weakly passes little on (algorithms.md §3.6). Called by `idle/replay`. Pure. Invariants: at most `reads`
neighbourhoods are read, whatever the graph; a region has at most `most` notes and holds the one it began with; cycles
end; the order in which links come changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from soulmem.fast_dataclasses import dataclass

MOST_NOTES = 30
MOST_READS = 48
TELEPORT = 0.2
_LEAST = 1e-3  # residue that is not worth a look

Row = Mapping[int, float]
"""What a note is tied to, and how strongly by now, each in (0, 1]."""


@dataclass(frozen=True, slots=True)
class Region:
    """`notes`: the first is that which it was grown from, the others by how much they belong to it."""

    notes: tuple[int, ...]
    rows: Mapping[int, Row]  # of those that were looked at, with ends outside of it too

    def inside(self, note: int) -> dict[int, float]:
        """What a note of it is tied to within it."""
        members = set(self.notes)
        return {end: felt for end, felt in sorted(self.rows.get(note, {}).items()) if end in members and end != note}


def grow(
    seed: int, row_of: Callable[[int], Row], *, most: int = MOST_NOTES, reads: int = MOST_READS, least: float = _LEAST
) -> Region:
    """The region around a note; `row_of` says what a note is tied to."""
    rank: dict[int, float] = {}
    residue = {seed: 1.0}
    rows: dict[int, Row] = {}
    while residue:
        note = min(residue, key=lambda each: (-residue[each], each))
        mass = residue.pop(note)
        if mass < least or (note not in rows and len(rows) >= reads):
            residue[note] = mass
            break
        if note not in rows:
            rows[note] = row_of(note)
        rank[note] = rank.get(note, 0.0) + TELEPORT * mass
        for end, share in shares(rows[note]).items():
            if end != note:
                residue[end] = residue.get(end, 0.0) + (1.0 - TELEPORT) * mass * share
    for note, mass in residue.items():
        rank[note] = rank.get(note, 0.0) + TELEPORT * mass
    near = sorted((note for note in rank if note != seed), key=lambda note: (-rank[note], note))
    return Region((seed, *near[: max(0, most - 1)]), rows)


def shares(row: Row) -> dict[int, float]:
    """How likely a walk goes on to each: a note that is tied weakly to all it is tied to keeps most of it."""
    total = max(1.0, sum(row[end] for end in sorted(row)))
    return {end: row[end] / total for end in sorted(row)}
