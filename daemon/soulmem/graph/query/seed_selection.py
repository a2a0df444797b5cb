"""Seed selection: from which of the notes that tier 0 found a mind goes on to others, and how much each of them counts.

Called by `spreading_activation`. Source: algorithms.md §3.3. Two things differ from it, because they proved better on
multi-hop questions over linked passages. The share of a seed grows with the cube of its score: the best hit is more
often the right door than its score alone says (powers 2 to 4 are within three points of each other, 1 is four points
worse). And no mass is given to the nearest fifty notes: what tier 0 found keeps its own score (`spreading_activation`),
which serves the same end. Invariant: shares are positive and sum to 1; the choice does not depend on the order of what
is given.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.query_context import LEANS_TO, QueryContext
from soulmem.graph.state.graph_columns import NOTE_KINDS
from soulmem.graph.state.id_table import NOWHERE, IntArray
from soulmem.graph.state.working_graph import WorkingGraph

MOST_SEEDS = 10  # of all sub-questions together (§3.7)
SHARPNESS = 3.0  # the share of a seed grows with this power of its score
_SPECIFIC = np.array([LEANS_TO[kind] == "specific" for kind in NOTE_KINDS])
_NO_ROWS: IntArray = np.zeros(0, dtype=np.int64)
_IS_CONCEPT = tuple(LEANS_TO[kind] == "semantic" for kind in NOTE_KINDS)


class Direct(NamedTuple):  # a plain tuple: many are made in every recall
    """A note that tier 0 found: `score` 0..1, and the sub-question it answers."""

    note: int
    score: float
    question: int = 0


@dataclass(frozen=True, slots=True)
class Start:
    """A chosen seed: `share` of all mass, `score` as tier 0 gave it."""

    note: int
    score: float
    question: int
    share: float


def best_of_each(direct: Iterable[Direct]) -> dict[int, Direct]:
    """Each note once, with its best score, best first; a score that is no number counts as 0, and none is above 1."""
    found: dict[int, Direct] = {}
    sound = (hit if 0.0 <= hit.score <= 1.0 else hit._replace(score=_bounded(hit.score)) for hit in direct)
    for hit in sorted(sound, key=lambda hit: (-hit.score, hit.note, hit.question)):
        found.setdefault(hit.note, hit)
    return found


def starts(
    graph: WorkingGraph,
    stance: QueryContext,
    direct: Iterable[Direct],
    *,
    each_question: int,
    barred: Collection[int] = frozenset(),
) -> list[Start]:
    """The best notes of every sub-question, weighed by kind and specificity, best first.

    To `barred` notes nothing is linked.
    """
    weighed = []
    if not graph.note_count:
        return []
    shut = graph.notes.table.rows(np.fromiter(barred, np.int64, len(barred)))
    gains, hits = stance.kind_gains().tolist(), list(direct)
    rows = graph.notes.table.rows([hit.note for hit in hits])
    kinds = graph.notes.kinds[rows].tolist()
    for hit, row, kind in zip(hits, rows.tolist(), kinds, strict=True):
        if row == NOWHERE or hit.score <= 0.0:
            continue
        weight = hit.score * gains[kind] * (specificity(graph, row, shut) if _IS_CONCEPT[kind] else 1.0)
        if weight > 0.0:
            weighed.append((weight, hit))
    weighed.sort(key=lambda each: (-each[0], each[1].note))
    chosen = list[tuple[float, Direct]]()
    taken = dict.fromkeys((hit.question for _, hit in weighed), 0)
    for weight, hit in weighed:
        if taken[hit.question] < each_question and len(chosen) < MOST_SEEDS:
            taken[hit.question] += 1
            chosen.append((weight, hit))
    best = chosen[0][0] if chosen else 1.0
    parts = [((weight / best) ** SHARPNESS, hit) for weight, hit in chosen]
    total = math.fsum(part for part, _ in parts)
    return [Start(hit.note, hit.score, hit.question, part / total) for part, hit in parts if part > 0.0]


def specificity(graph: WorkingGraph, row: int, shut: IntArray = _NO_ROWS) -> float:
    """1/sqrt(number of specific situations linked to a concept), 1 for every other kind: a hub tells little.

    `shut`: rows of notes that do not exist for this question; what is linked to them must not tell of them.
    """
    if not _IS_CONCEPT[graph.notes.kinds[row]]:
        return 1.0
    ends = graph.arcs.row(row)[0]
    if len(shut):
        ends = ends[~np.isin(ends, shut)]
    situations = int(np.count_nonzero(_SPECIFIC[graph.notes.kinds[ends]]))
    return 1.0 / math.sqrt(max(1, situations))


def _bounded(score: float) -> float:
    return min(1.0, max(0.0, score)) if math.isfinite(score) else 0.0
