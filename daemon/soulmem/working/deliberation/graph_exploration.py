"""Graph exploration: what lies beyond what a recall has seen, and how it is taken up (algorithms.md §3.8).

Called by `deep_recall` before and after each judgement: the links of what is in view are offered as relations, a model
chooses among them, also among those of notes that were seen earlier; where it chooses none, what lies beyond the notes
it found useful is taken, and where the links end, what it misses is searched for anew. Invariant: nothing is taken that
the client's filters leave out, but what they leave out is walked through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field, replace

import numpy as np

from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.walk.frontier import MOST_OFFERED, Offer, beyond, promising
from soulmem.ports import World
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.recall.basic_recall import BasicRecall
from soulmem.working.recall.graph_recall import Step
from soulmem.working.recall.recall_request import RecallRequest

MOST_BRIDGES = 30  # notes that are not shown, but looked beyond, in one step
_TIER = "plan"
_BEYOND = 0.5  # of its score has what the question did not bring up itself


@dataclass(slots=True)
class Found:
    """All items seen so far with the ways to them, and what could be seen next."""

    hits: dict[ItemRef, Hit]
    ways: dict[int, tuple[Step, ...]]
    opened: set[int] = field(default_factory=set)  # notes whose links were offered
    waiting: dict[int, Offer] = field(default_factory=dict)  # offers that were not taken yet
    near: dict[int, float] = field(default_factory=dict)  # of these those that may be shown, how like the question
    bridges: dict[int, Offer] = field(default_factory=dict)  # notes that filters leave out, walked through

    def way_to(self, note: int) -> tuple[Step, ...]:
        """By which links a note was come to; over a bridge its own link too."""
        bridge = self.bridges.get(note)
        if note in self.ways or bridge is None:
            return self.ways.get(note, ())
        return (*self.ways.get(bridge.src, ()), _step(bridge))

    def first_of(self, offer: Offer) -> Offer:
        """The link by which an offer leads on from what was seen: over a bridge the one to the bridge."""
        return self.bridges.get(offer.src, offer)

    def offers(self, beyond_notes: Collection[int] = (), *, most: int = MOST_OFFERED) -> list[Offer]:
        """What may be taken, the most promising first; only beyond these notes, if there are any."""
        may = [offer for note, offer in self.waiting.items() if note in self.near]
        fitting = [offer for offer in may if not beyond_notes or self.first_of(offer).src in beyond_notes]
        return promising(fitting, self.near, most)


class GraphExploration:
    """Leads one mind's deep recalls along its links."""

    def __init__(self, memory: OpenMind, world: World, recalling: BasicRecall) -> None:
        self._memory = memory
        self._world = world
        self._recalling = recalling

    async def open(self, wanted: RecallRequest, found: Found, notes: Iterable[int]) -> None:
        """Put what lies one link beyond these notes among what may be taken."""
        graph = self._memory.graph
        frontier = [note for note in notes if note not in found.opened]
        found.opened.update(frontier)
        if graph is None or not self._recalling.follows_links or not (frontier or found.waiting):
            return
        seen = [ref[1] for ref in found.hits if ref[0] is ItemKind.NOTE]
        stance = QueryContext(self._memory.now(self._world.clock.trusted_now_ms()), is_deep=True)
        hidden = await self._recalling.hidden_from(wanted.audience)
        weights, barred = Weights(graph, stance, barred=hidden), {*seen, *hidden}
        fresh = beyond(weights, frontier, barred=barred)
        shown = await self._recalling.similarities(wanted, [offer.note for offer in fresh])
        # The graph may have changed meanwhile.
        fresh += _over_bridges(weights.renewed(), [each for each in fresh if each.note not in shown], barred, found)
        for offer in fresh:
            if offer.note not in found.waiting or offer.weight > found.waiting[offer.note].weight:
                found.waiting[offer.note] = offer
        for note in barred:
            found.waiting.pop(note, None)
        found.near = await self._recalling.similarities(wanted, list(found.waiting))

    def beyond_useful(self, found: Found, useful: Collection[ItemRef]) -> list[ItemRef]:
        """Take what lies beyond the useful notes; beyond all that was seen where none is."""
        return self.take(found, found.offers({key for kind, key in useful if kind is ItemKind.NOTE}))

    def take(self, found: Found, offers: Sequence[Offer]) -> list[ItemRef]:
        """These are seen from now on."""
        taken: list[ItemRef] = []
        for offer in offers:
            if found.waiting.pop(offer.note, None) is None:
                continue
            found.ways[offer.note] = (*found.way_to(offer.src), _step(offer))
            score = round(float(np.clip(0.5 * (found.near[offer.note] + offer.weight), 0.0, 1.0)) * _BEYOND, 6)
            hit = Hit(ItemKind.NOTE, offer.note, score, {"association": offer.weight}, _TIER)
            found.hits[ItemKind.NOTE, offer.note] = hit
            taken.append((ItemKind.NOTE, offer.note))
        return taken

    async def search_anew(self, wanted: RecallRequest, missing: Sequence[str], found: Found) -> list[ItemRef]:
        """What a model still misses, searched for in its words."""
        fresh: list[ItemRef] = []
        for text in missing:
            again = await self._recalling.search(replace(wanted, query=text, after=None))
            for hit in again.hits:
                ref = (hit.kind, hit.key)
                if ref not in found.hits:
                    # How well it answers what is missing is no measure of how well it answers the question.
                    found.hits[ref] = hit._replace(score=round(_BEYOND * hit.score, 6), tier=_TIER)
                    found.ways.update({key: way for key, way in again.ways.items() if key == hit.key})
                    fresh.append(ref)
        return fresh


def _over_bridges(weights: Weights, bridges: Sequence[Offer], barred: Collection[int], found: Found) -> list[Offer]:
    """What lies beyond notes that may not be shown; the weight of such an offer is that of both its steps."""
    strongest = sorted(bridges, key=lambda each: (-each.weight, each.note))[:MOST_BRIDGES]
    found.bridges |= {each.note: each for each in strongest if each.note not in found.bridges}
    across = (
        replace(offer, weight=offer.weight * found.bridges[offer.src].weight)
        for offer in beyond(weights, [each.note for each in strongest], barred={*barred, *found.bridges})
    )
    return list(across)


def _step(offer: Offer) -> Step:
    return Step(offer.link, offer.src, offer.note, offer.is_backward, offer.weight)
