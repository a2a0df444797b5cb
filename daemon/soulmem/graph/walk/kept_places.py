"""Kept places: where what only links brought up stands among what words and vectors found.

Called by spreading when it ranks. A note without evidence of its own would never rise by its score, so of every ten
places the fifth is kept for the strongest association not yet placed, but for what says itself much of what is meant:
of a thing that was often talked about, that would only be more of the same. Where something is told that is surely
known, the third is kept too: what is wanted then is what belongs to it, and where something is asked, what answers
comes first (algorithms.md §3.6). What the same talk told as something above it waits for what is about as strong: it
would hide what the talk reminded of. But where one note stands out among all that answers, or those that answer tell of
one thing, the fourth of the first ten is for what is linked with it, whatever talk it is of, and where it is one note,
so is the fifth: who asks for one of two things that were told in one breath may want the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.state.graph_columns import LINK_CODES, NO_TALK
from soulmem.graph.state.id_table import NOWHERE
from soulmem.graph.state.working_graph import WorkingGraph

_EVERY = 10
KEPT_PLACE = 5  # of every ten
BESIDE_PLACE = 4
REMINDED_PLACE = 3
_LEADS = 1.4  # times the next score: a note that is surely what was asked about
_SURE = 0.9  # a score of tier 0 from which on a note is what was told
_SAYS_MUCH = 0.4  # of the best score: what is found so surely by itself
_AS_STRONG = 0.5  # of what was sent to the strongest: what may stand in its place
_TIED = 0.5  # of what is found surely: so much of it belongs together where it tells of one thing


def place_of(position: int) -> int:
    """Which of its ten places, from 1, a position of a ranking is, from 0."""
    return position % _EVERY + 1


def sure_of(hits: Mapping[int, float]) -> int | None:
    """The one note that is surely meant, by the scores of tier 0; None where none is."""
    if not hits:
        return None
    best = min(hits, key=lambda note: (-hits[note], note))
    return best if hits[best] >= _SURE else None


def found_surely(hits: Mapping[int, float]) -> frozenset[int]:
    """The notes that say much of what is meant themselves, by the scores of tier 0."""
    best = max(hits.values(), default=0.0)
    return frozenset(note for note, score in hits.items() if score > 0.0 and score >= _SAYS_MUCH * best)


def leading_of(
    hits: Mapping[int, float], strongest: Collection[int], sent: Mapping[int, tuple[int, float]]
) -> frozenset[int]:
    """What is asked about: the one note that stands out by the scores of tier 0, else those that are found surely and
    mostly belong together; nothing where they do not. Args: strongest: what was sent more than is usual.
    """
    first, second = ([*sorted(hits.values(), reverse=True), 0.0, 0.0])[:2]
    if first <= 0.0:
        return frozenset()
    if first >= _LEADS * second:
        return frozenset({min(note for note, score in hits.items() if score == first)})
    sure = found_surely(hits)
    tied = sum(note in sure and sent[note][0] in sure for note in strongest)
    return sure if tied >= _TIED * len(sure) else frozenset()


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
    leading: Collection[int],
    notes: Collection[int],
    masses: Mapping[int, float],
    sent: Mapping[int, tuple[int, float]],
) -> list[int]:
    """Of these notes those to which one of the leading ones sent most, the most first: what belongs to them."""
    own = (note for note in notes if note not in leading and sent[note][0] in leading)
    return sorted(own, key=lambda note: (-masses[note], note))


def tied_to(weights: Weights, leading: int, notes: Collection[int]) -> list[int]:
    """Of these notes the two that belong most to the leading one, the most first; none if the graph changed since.

    That is what each sends the other: what is tied to all belongs to nothing (the fan effect, Anderson 1974). What
    something took the place of does not belong to it. A fact comes after what was lived through, which it says again.
    """
    graph = weights.graph
    start = graph.notes.table.row(leading)
    if weights.is_stale or start == NOWHERE:
        return []
    ends, codes, shares = weights.transitions(start)
    offered = frozenset(notes) - {leading}
    found = zip(graph.notes.ids[ends].tolist(), ends.tolist(), codes.tolist(), shares.tolist(), strict=True)
    ties = sorted(
        (-share, note, row) for note, row, code, share in found if note in offered and not _replaces(graph, code)
    )[:_EVERY]
    weights.prepare([row for _, _, row in ties])
    mutual = {note: -share * _sends(weights, row, start) for share, note, row in ties}
    order = sorted(mutual, key=lambda note: (graph.kind_of(note) == "semantic", -mutual[note], note))
    return order[: KEPT_PLACE - REMINDED_PLACE]


def _sends(weights: Weights, row: int, end: int) -> float:
    ends, _, shares = weights.transitions(row)
    return float(shares[ends == end].sum())


def _replaces(graph: WorkingGraph, code: int) -> bool:
    return int(graph.links.traces["kind"][code >> 1]) == LINK_CODES["supersedes"]


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
    masses: Mapping[int, float],
    beside: Collection[int] = (),
) -> list[tuple[int, float]]:
    """The same notes, each kept place given to the first association that does not stand before it.

    Args:
        kept: which of every ten places, from 1, are kept, and for which notes, the strongest first.
        masses: what was sent to each note.
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
        here = place_of(len(ranked)) == BESIDE_PLACE
        strongest = kept.get(place_of(len(ranked))) if not here or len(ranked) < _EVERY else None
        if strongest is not None:
            waiting = [each for each in strongest if each not in placed]
            least = _AS_STRONG * masses.get(waiting[0], 0.0) if waiting else 0.0
            fit = (
                each
                for each in waiting
                if each in beside or (talks.get(each) not in told and masses.get(each, 0.0) >= least)
            )
            raised = next(fit, waiting[0] if waiting else note)
            if raised != note:
                # Between its neighbours, so that any later sorting by score leaves it where it is.
                note, score = raised, (ranked[-1][1] + score) / 2.0
        placed.add(note)
        if note in talks:
            told.add(talks[note])
        ranked.append((note, score))
    return ranked
