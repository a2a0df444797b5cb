"""Kept places: where what only links brought up stands among what words and vectors found.

Called by spreading when it ranks. A note without evidence of its own would never rise by its score, so of every ten
places the fifth is kept for the strongest association not yet placed. Where something is told that is surely known, the
third is kept too: what is wanted then is what belongs to it, and where something is asked, what answers comes first
(algorithms.md §3.6). What the same talk told as something above it waits: it would hide what the talk reminded of.
But where one note stands out among all that answers, the fourth and the fifth are for what that note is linked with,
whatever talk it is of: who asks for one of two things that were told in one breath may want the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from soulmem.core.schema.note_requests import NoteKind
from soulmem.graph.state.graph_columns import NO_TALK
from soulmem.graph.state.id_table import NOWHERE
from soulmem.graph.state.working_graph import WorkingGraph

_EVERY = 10
KEPT_PLACE = 5  # of every ten
BESIDE_PLACE = 4
REMINDED_PLACE = 3
_LEADS = 1.4  # times the next score: a note that is surely what was asked about
_SURE = 0.9  # a score of tier 0 from which on a note is what was told


def place_of(position: int) -> int:
    """Which of its ten places, from 1, a position of a ranking is, from 0."""
    return position % _EVERY + 1


def sure_of(hits: Mapping[int, float]) -> int | None:
    """The one note that is surely meant, by the scores of tier 0; None where none is."""
    if not hits:
        return None
    best = min(hits, key=lambda note: (-hits[note], note))
    return best if hits[best] >= _SURE else None


def leading_of(hits: Mapping[int, float]) -> int | None:
    """The one note that stands out among what was found, by the scores of tier 0; None where none does."""
    first, second = ([*sorted(hits.values(), reverse=True), 0.0, 0.0])[:2]
    if first <= 0.0 or first < _LEADS * second:
        return None
    return min(note for note, score in hits.items() if score == first)


def by_what_it_sent(
    seed: int,
    notes: Collection[int],
    masses: Mapping[int, float],
    sent: Mapping[int, tuple[int, float]],
    hits: Sequence[int],
    talks: Mapping[int, int],
) -> list[int]:
    """The same notes, first those to which this seed sent most: what it reminds of before what all remind of.

    What words and vectors found comes up by itself, and so after all others; what was told in one talk with the nearest
    of that comes after the rest. Args: masses: what was sent to each note; sent: who sent most of it, and which share;
    hits: what words and vectors found, best first; talks: in which talk each was told.
    """
    found, told = frozenset(hits), {talks[note] for note in hits[:_EVERY] if note in talks}

    def own(note: int) -> float:
        by, share = sent[note]
        return masses[note] * share if by == seed else 0.0

    return sorted(notes, key=lambda note: (note in found, talks.get(note) in told, -own(note)))


def beside(
    graph: WorkingGraph,
    seed: int,
    notes: Collection[int],
    masses: Mapping[int, float],
    sent: Mapping[int, tuple[int, float]],
) -> list[int]:
    """Of these notes those to which this seed sent most, the most first: what belongs to it.

    A fact comes after what was lived through: it says again what another note tells of.
    """
    own = sorted((note for note in notes if sent[note][0] == seed), key=lambda note: (-masses[note], note))[:_EVERY]
    return sorted(own, key=lambda note: graph.kind_of(note) == NoteKind.SEMANTIC)


def talks_of(graph: WorkingGraph, notes: list[int]) -> dict[int, int]:
    """In which talk each of these was told; those that clients wrote are left out."""
    rows = graph.notes.table.rows(notes)
    held = np.flatnonzero(rows != NOWHERE)
    talks = graph.notes.talks[rows[held]].tolist()
    return {notes[place]: talk for place, talk in zip(held.tolist(), talks, strict=True) if talk != NO_TALK}


def with_kept_places(
    scored: list[tuple[int, float]],
    kept: Mapping[int, Sequence[int]],
    talks: Mapping[int, int],
    beside: Collection[int] = (),
) -> list[tuple[int, float]]:
    """The same notes, each kept place given to the first association that does not stand before it.

    Args:
        kept: which of every ten places, from 1, are kept, and for which notes, the strongest first.
        beside: those that may be of a talk that stands already.
    """
    ranked: list[tuple[int, float]] = []
    placed: set[int] = set()
    told: set[int] = set()  # the talks of what stands already
    others = iter(scored)
    following = next(others, None)
    while following is not None:
        note, score = following
        if note in placed:
            following = next(others, None)
            continue
        strongest = kept.get(place_of(len(ranked)))
        if strongest is not None:
            waiting = [each for each in strongest if each not in placed]
            elsewhere = (each for each in waiting if each in beside or talks.get(each) not in told)
            raised = next(elsewhere, waiting[0] if waiting else note)
            if raised != note:
                # Between its neighbours, so that any later sorting by score leaves it where it is.
                note, score = raised, (ranked[-1][1] + score) / 2.0
        placed.add(note)
        if note in talks:
            told.add(talks[note])
        ranked.append((note, score))
    return ranked
