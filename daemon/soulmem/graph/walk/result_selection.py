"""Result selection: which notes of a weighted PageRank are returned.

Called after tier 2. Sources: algorithms.md §3.6 (exclusions, hub damping, slots by kind). Invariant: a trigger, a
hidden note and whatever was excluded is never returned, however high it ranks; equals are ordered by id.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.query_context import LEANS_TO, Leaning
from soulmem.graph.state.graph_columns import NOTE_CODES, NOTE_KINDS
from soulmem.graph.state.id_table import NOWHERE
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.approximate_ppr import Scores

_TRIGGER = NOTE_CODES["trigger"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A note with its score: pi^, damped when asked for."""

    note: int
    score: float


def is_returnable(graph: WorkingGraph, note: int) -> bool:
    """Whether a note may be a result at all: held, not hidden, and no conduit."""
    row = graph.notes.table.row(note)
    return row != NOWHERE and not graph.notes.hidden[row] and graph.notes.kinds[row] != _TRIGGER


def select(
    graph: WorkingGraph,
    scores: Scores,
    k: int,
    *,
    leaning: Leaning | None = None,
    exclude: Collection[int] = (),
    damping: float = 0.0,
    in_strength: Callable[[int], float] | None = None,
) -> list[Ranked]:
    """The k best notes, best first.

    With a `leaning`, floor(share * k) places are kept for each of the four kinds of thought and the rest goes by
    score. With `damping` g > 0 (0.25 is worth trying where hubs dominate) the score is pi^ / (1 + in_strength)^g.
    """
    ranked = []
    for note, value in zip(scores.ids.tolist(), scores.values.tolist(), strict=True):
        if value > 0.0 and note not in exclude and is_returnable(graph, note):
            damped = value / (1.0 + in_strength(note)) ** damping if damping and in_strength else value
            ranked.append(Ranked(note, damped))
    ranked.sort(key=lambda each: (-each.score, each.note))
    if leaning is None or len(ranked) <= k:
        return ranked[: max(0, k)]
    room = {name: math.floor(share * k) for name, share in leaning.shares().items()}
    kept, rest = [], []
    for each in ranked:
        name = LEANS_TO[NOTE_KINDS[graph.notes.kinds[graph.notes.table.row(each.note)]]]
        if room[name] > 0:
            room[name] -= 1
            kept.append(each)
        else:
            rest.append(each)
    chosen = kept + rest[: max(0, k - len(kept))]
    return sorted(chosen, key=lambda each: (-each.score, each.note))
