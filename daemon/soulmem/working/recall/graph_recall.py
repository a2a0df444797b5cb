"""Graph recall: from what sounds like the question to what belongs to it, along the links of the mind.

Tiers 1 and 2 of recall (`graph/walk/spreading_activation`) over the working graph of an open mind. Called by `recall`
with what words and vectors found. Invariants: what a client filtered out stays out, however strongly it is linked; one
view of the graph serves a whole recall, so nothing is awaited between its first look and its last; what words and
vectors found is never lost because of the graph, only ranked beside what the graph adds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import islice

import numpy as np

from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.recall_trace import TEXT_MOST, Trail, TrailLink
from soulmem.graph.query.query_context import Leaning, QueryContext
from soulmem.graph.query.seed_selection import Direct
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.kept_places import place_of
from soulmem.graph.walk.name_spread import BY_NAME
from soulmem.graph.walk.path_search import Path
from soulmem.graph.walk.spreading_activation import (
    Activation,
    Found,
    Spread,
    narrow_spread,
    spread_activation,
    ways,
)
from soulmem.graph.walk.spreading_budgets import BUDGETS
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import FloatVector, World
from soulmem.store.graph import graph_sync
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.recall.query_guidance import Guidance

_ACTION = "procedural"
_SITUATIONS = frozenset({"trigger", "episodic", "abstract"})
_DIRECT = "vector"  # the tier of what words and vectors found
_CREDITED = 10  # of these the first have ways to learn by
_CREDITED_FAR = 2  # links of such a way, over notes that came back too
_ASKED_AT_ONCE = 4  # times the associations there is room for: most filters let most notes through
_ROUNDS = 2  # of fetching neighbourhoods that are not in memory


@dataclass(frozen=True, slots=True)
class Step:
    """One link on the way to a memory, as it was walked; `weight`: its part in this recall, 0..1."""

    link: int
    src: int
    dst: int
    is_backward: bool
    weight: float


class Entry(StrEnum):
    """How a tendency to act came to mind: called for by a situation, or known as a fact about oneself."""

    TRIGGER = "trigger"
    SEMANTIC = "semantic"


@dataclass(frozen=True, slots=True)
class Associated:
    """All items in one ranking, and what the graph did for it; None where it was not asked."""

    hits: list[Hit]
    spread: Spread | None = None


Admits = Callable[[Collection[int]], Awaitable[Collection[int]]]


class GraphRecall:
    """The graph half of one mind's recall."""

    def __init__(self, memory: OpenMind, world: World, settings: Callable[[], MindSettings]) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings

    @property
    def works(self) -> bool:
        """Whether this mind has anything to walk along."""
        graph = self._memory.graph
        return self._settings().recall.graph and graph is not None and (graph.link_count > 0 or len(graph.hubs) > 0)

    async def extend(
        self,
        hits: Sequence[Hit],
        *,
        vector: FloatVector | None,
        guidance: Guidance,
        admits: Admits,
        barred: Collection[int] = frozenset(),
        reminds: bool = False,
    ) -> Associated:
        """Rank what was found together with what belongs to it.

        `hits`: what words and vectors found, best first; `vector`: of the question, None where the embedder cannot read
        it; `guidance`: how far to go, what to lean to, in what mood; `admits`: of these notes those that the client's
        filters let through; `barred`: notes that do not exist for this call: neither found nor walked through;
        `reminds`: something is told, nothing asked.
        """
        graph = self._memory.graph
        # Any hit may be a door, whatever channel speaks for it: a likeness of sound alone decides nothing.
        direct = [Direct(hit.key, hit.score) for hit in hits if hit.kind is ItemKind.NOTE]
        activation = self._settings().recall.activation
        if graph is None or not direct:
            return Associated(list(hits))
        depth = guidance.budget
        found = _spread(graph, self._stance(vector, guidance), direct, depth, barred, activation)
        for _ in range(_ROUNDS):
            wanting = found.wanting
            if not wanting:
                break
            version = graph.version
            around = await self._memory.database.read(graph_sync.around, wanting, self._memory.fingerprint)
            if graph.version == version:  # else what was read may be out of date already: it is asked for again
                for note in wanting:
                    graph.set_whole(note)
                around.apply(graph)
            found = _spread(graph, self._stance(vector, guidance), direct, depth, barred, activation)
        known = {hit.key for hit in hits if hit.kind is ItemKind.NOTE}
        admitted = known | await _admitted(found, known, BUDGETS[depth].top_k, admits)
        # Filters come before the ranking: what may not be found must not take a place either.
        return _merged(hits, narrow_spread(found, admitted.__contains__, reminds=reminds))

    def _stance(self, vector: FloatVector | None, guidance: Guidance) -> QueryContext:
        questions = None if vector is None else np.atleast_2d(np.asarray(vector, dtype=np.float32))
        leaning, mood = guidance.leaning, guidance.mood
        return QueryContext(
            self._memory.now(self._world.clock.trusted_now_ms()),
            questions=questions,
            is_deep=guidance.depth == "deep",
            leaning=Leaning(leaning.specific, leaning.abstract, leaning.semantic, leaning.procedural),
            valence=mood.valence,
            arousal=mood.arousal,
            impatience=mood.impatience,
        )


def _spread(
    graph: WorkingGraph,
    stance: QueryContext,
    direct: Sequence[Direct],
    depth: str,
    barred: Collection[int],
    activation: Activation,
) -> Spread:
    return spread_activation(graph, stance, direct, budget=BUDGETS[depth], barred=barred, activation=activation)


async def _admitted(found: Spread, known: Collection[int], room: int, admits: Admits) -> frozenset[int]:
    """Of what links brought that which filters let through: all branches, and as much else as there is room for."""
    branches = [each.note for each in found.forest.notes if each.parents and each.note not in known]
    admitted = frozenset(await admits(branches) if branches else ())
    branched, step = admitted, _ASKED_AT_ONCE * room
    others = (note for note in found.brought.notes.tolist() if note not in known and note not in branched)
    while room > 0 and (some := list(islice(others, step))):
        more = frozenset(await admits(some))
        admitted |= more
        room -= len(more)
    return admitted


def _merged(hits: Sequence[Hit], found: Spread) -> Associated:
    """One ranking of what was found directly and over links; a message keeps the score its words gave it.

    The places that spreading keeps for what only links brought are kept among messages too.
    """
    known = {hit.key: hit for hit in hits if hit.kind is ItemKind.NOTE}
    merged = [hit for hit in hits if hit.kind is not ItemKind.NOTE]
    kept: list[tuple[int, Hit]] = []
    for place, each in enumerate(found.found):
        if each.note in known:
            hit = _raised(known[each.note], each)
            merged.append(hit._replace(is_beside=True) if each.note in found.beside else hit)
            continue
        channels, is_beside = {"association": each.share}, each.note in found.beside
        hit = Hit(ItemKind.NOTE, each.note, round(each.score, 6), channels, each.tier, is_beside=is_beside)
        if place_of(place) in found.places:
            kept.append((place, hit))
        else:
            merged.append(hit)
    merged.sort(key=lambda hit: (-hit.score, hit.kind, hit.key))
    for place, hit in kept:
        around = [each.score for each in merged[max(0, place - 1) : place + 1]]
        merged.insert(place, hit._replace(score=round(sum(around) / len(around), 6) if around else hit.score))
    return Associated(merged, found)


def _raised(hit: Hit, found: Found) -> Hit:
    """A note that words found; if the graph speaks for it too, it says so."""
    score = round(found.score, 6)
    if found.share > 0:
        return hit._replace(score=score, channels={**hit.channels, "association": found.share})
    return hit if score == hit.score else hit._replace(score=score)


def ways_of(found: Spread | None, hits: Iterable[Hit], *, only_actions: bool = False) -> dict[int, tuple[Step, ...]]:
    """By which links each of these notes was reached: those that words did not find, and tendencies to act."""
    known: dict[int, tuple[Step, ...]] = {}
    for hit in hits:
        if found is None or hit.kind is not ItemKind.NOTE:
            continue
        if (only_actions or hit.tier == _DIRECT) and found.weights.graph.kind_of(hit.key) != _ACTION:
            continue
        way = ways(found, hit.key)
        if way is not None and way.links:
            known[hit.key] = _steps(way)
    return known


def _steps(way: Path) -> tuple[Step, ...]:
    return tuple(Step(link.link, link.src, link.dst, link.is_backward, link.probability) for link in way.links)


def _ways_beside(
    found: Spread, hits: Sequence[Hit], known: Mapping[int, Iterable[Step]]
) -> dict[int, tuple[Step, ...]]:
    """By which links the first notes that words and vectors found are reached from others that they found."""
    shown = [hit.key for hit in hits if hit.kind is ItemKind.NOTE]
    first = [hit.key for hit in hits if hit.kind is ItemKind.NOTE and hit.tier == _DIRECT][:_CREDITED]
    beside: dict[int, tuple[Step, ...]] = {}
    for note in first:
        if note not in known and (way := ways(found, note, most_links=_CREDITED_FAR, among=shown)):
            beside[note] = _steps(way)
    return beside


def entries_of(found: Spread | None, ways: Mapping[int, tuple[Step, ...]], hits: Iterable[Hit]) -> dict[int, Entry]:
    """How each tendency to act was reached: a situation calls for it, anything else only knows of it (§6.1)."""
    if found is None:
        return {}
    graph = found.weights.graph
    acts = [hit.key for hit in hits if hit.kind is ItemKind.NOTE and graph.kind_of(hit.key) == _ACTION]
    entered: dict[int, Entry] = {}
    for note in acts:
        befores = [step.src for step in ways.get(note, ()) if graph.kind_of(step.src) != _ACTION]
        calls = bool(befores) and graph.kind_of(befores[-1]) in _SITUATIONS
        entered[note] = Entry.TRIGGER if calls else Entry.SEMANTIC
    return entered


def _is_branch(found: Spread, note: int) -> bool:
    """Whether an expansion led to a note, so that its ways are among the links that were followed."""
    branch = found.forest.of(note)
    return branch is not None and bool(branch.parents)


def trail_of(
    found: Spread | None,
    vector: FloatVector | None,
    query: str,
    hits: Iterable[Hit],
    ways: Mapping[int, Iterable[Step]],
) -> Trail | None:
    """What is kept of a recall for whoever says how good it was; None when no link leads anywhere, or none can learn.

    Of what words and vectors found, the first few have ways too: those by which the others would have led there.
    """
    if found is None or vector is None:
        return None
    forest, hits = found.forest, list(hits)
    ways = {**_ways_beside(found, hits, ways), **ways}
    ways = {note: [step for step in way if step.link != BY_NAME] for note, way in ways.items()}  # names learn nothing
    steps = {step for note, way in ways.items() if not _is_branch(found, note) for step in way}
    followed = tuple(TrailLink(each.link, each.src, each.dst, each.is_backward, 0) for each in forest.links())
    reached = tuple(
        TrailLink(step.link, step.src, step.dst, step.is_backward, 0)
        for step in sorted(steps, key=lambda step: (step.link, step.is_backward))
    )
    if not followed and not reached:
        return None
    returned = tuple(hit.key for hit in hits if hit.kind is ItemKind.NOTE)
    questions = np.atleast_2d(np.asarray(vector, dtype=np.float32))
    return Trail(questions, (query[:TEXT_MOST],), followed, reached, returned)
