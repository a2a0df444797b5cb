"""Frontier: what lies one link beyond some notes, the most promising first.

Tier 3 of recall walks the graph step by step this way and lets a model say where to go on. Source: Plan-on-Graph as
algorithms.md §3.8 maps it; pruning by 0.7 * similarity + 0.3 * weight. Invariant: nothing barred, hidden or a conduit
is offered, and of several links to one note the one walked with the greatest weight counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.state.id_table import NOWHERE
from soulmem.graph.walk.path_search import is_returnable

MOST_OFFERED = 30
SIMILARITY_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class Offer:
    """A note that could be looked at next, and the link to it as it would be walked; `weight` is P of the step."""

    note: int
    link: int
    src: int
    is_backward: bool
    weight: float


def beyond(weights: Weights, notes: Sequence[int], *, barred: Collection[int] = ()) -> list[Offer]:
    """Every note one link away from these, by id."""
    graph = weights.graph
    best: dict[int, Offer] = {}
    for note in notes:
        row = graph.notes.table.row(note)
        if row == NOWHERE:
            continue
        ends, codes, shares = weights.transitions(row)
        found = graph.notes.ids[ends].tolist()
        links = graph.links.ids[codes >> 1].tolist()
        for end, link, code, share in zip(found, links, codes.tolist(), shares.tolist(), strict=True):
            known = best.get(end)
            if end in barred or (known is not None and known.weight >= share) or not is_returnable(graph, end):
                continue
            best[end] = Offer(end, link, note, bool(code & 1), share)
    return [best[note] for note in sorted(best)]


def promising(offers: Sequence[Offer], similarity: Mapping[int, float], most: int = MOST_OFFERED) -> list[Offer]:
    """The best of these by 0.7 * similarity + 0.3 * weight; a note whose similarity is unknown has 0."""

    def worth(offer: Offer) -> float:
        return SIMILARITY_SHARE * max(0.0, similarity.get(offer.note, 0.0)) + (1 - SIMILARITY_SHARE) * offer.weight

    return sorted(offers, key=lambda offer: (-worth(offer), offer.note))[:most]
