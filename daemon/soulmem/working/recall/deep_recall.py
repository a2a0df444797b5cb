"""Deep recall: thinking about what came to mind until it answers the question, for recalls that think hard.

Called by `query_analysis` for `depth: deep` where a language model is configured. The model judges what came to mind
tier by tier and stops when it is enough (algorithms.md §3.1, §3.5): first the best of what was found and whatever links
brought that questions like this one were answered along, then the rest of tiers 0 to 2. If all that is not enough it is
led through the graph link by link (tier 3, §3.8): what lies beyond the notes it found useful is offered to it, and
where the links end, what it misses is searched for anew. What it found useful is credited to the links that connect it
with what the recall began at, though words found it too (§3.7). Invariants: at most `MOST_CALLS` calls and `LONGEST_S`
seconds; a model that fails costs the deliberation, never the recall; nothing is shown that the client's filters leave
out, but what they leave out is walked through, as in the tiers before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from soulmem.core.schema.engine_tasks import Judgement, JudgeRequest, Labelled, LabelledLink
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.recall_trace import TEXT_MOST, Trail, TrailLink
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.walk.frontier import Offer, beyond, promising
from soulmem.graph.walk.name_spread import BY_NAME, without_names
from soulmem.graph.walk.spreading_activation import EXPANSION, ways
from soulmem.graph.walk.spreading_budgets import BUDGETS
from soulmem.ports import Lane, World
from soulmem.store.graph import link_rows
from soulmem.store.messages import message_log
from soulmem.store.notes import note_rows
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import faces, shown_verb
from soulmem.working.recall.basic_recall import BasicRecall
from soulmem.working.recall.graph_recall import Step
from soulmem.working.recall.recall_request import Brought, RecallRequest

MOST_SHOWN = 24  # items that are new in one judgement, but for offers along links
MOST_IN_VIEW = 48  # items in one judgement, with those found useful before
FIRST_SHOWN = BUDGETS["deep"].seeds  # of the best ones in the first judgement, beside what expansion brought
MOST_EXPANDED = BUDGETS["deep"].max_notes  # a way once learnt may end below much that sounds more like the question
MOST_BRIDGES = 30  # notes that are not shown, but looked beyond, in one step
MOST_CALLS = 12
MOST_STEPS = 3  # links that tier 3 goes from what was found
MOST_REFLECTIONS = 2
LONGEST_S = 25.0
_TIER = "plan"
_BEYOND = 0.5  # of its score has what the question did not bring up itself


@dataclass(frozen=True, slots=True)
class Judged:
    """What the model said at one step: how many items it was shown, how many of all so far it found useful."""

    shown: int
    useful: int
    sufficient: bool
    missing: tuple[str, ...]


@dataclass(slots=True)
class Deliberation:
    """How a recall was thought over: what the model said in the end, what it was shown, and what of it was useful."""

    judged: Judgement | None = None
    useful: set[ItemRef] = field(default_factory=set)
    shown: set[ItemRef] = field(default_factory=set)
    judgements: list[Judged] = field(default_factory=list)
    calls: int = 0
    steps: int = 0
    reflections: int = 0


@dataclass(slots=True)
class _Found:
    """All items seen so far with the ways to them."""

    hits: dict[ItemRef, Hit]
    ways: dict[int, tuple[Step, ...]]
    opened: set[int] = field(default_factory=set)  # notes whose links were offered
    waiting: dict[int, Offer] = field(default_factory=dict)  # offers for which there was no room yet
    bridges: dict[int, Offer] = field(default_factory=dict)  # notes that filters leave out, walked through

    def way_to(self, note: int) -> tuple[Step, ...]:
        """By which links a note was come to; over a bridge its own link too."""
        bridge = self.bridges.get(note)
        if note in self.ways or bridge is None:
            return self.ways.get(note, ())
        return (*self.ways.get(bridge.src, ()), _step(bridge))


class DeepRecall:
    """Tier 3 of one mind's recall."""

    def __init__(self, memory: OpenMind, world: World, recalling: BasicRecall) -> None:
        self._memory = memory
        self._world = world
        self._recalling = recalling

    @property
    def works(self) -> bool:
        """Whether there is a model to ask; the embedded engine's judgement is no better than the ranking."""
        return self._world.model.name != "extractive"

    async def think(
        self, wanted: RecallRequest, brought: Brought, questions: Sequence[str]
    ) -> tuple[Brought, Deliberation]:
        """What was brought, ordered by what the model found useful, with what it was led to.

        `brought` should reach `MOST_EXPANDED` hits further than is shown or wanted.
        """
        thought = Deliberation()
        shown, later = _doses(brought.hits)
        refs = {*shown, *later, *((hit.kind, hit.key) for hit in brought.hits[: wanted.k])}
        kept = {(hit.kind, hit.key): hit for hit in brought.hits if (hit.kind, hit.key) in refs}
        found = _Found(kept, {note: way for note, way in brought.ways.items() if (ItemKind.NOTE, note) in refs})
        ends_at = self._world.clock.monotonic_ms() + LONGEST_S * 1000
        try:
            while shown and thought.calls < MOST_CALLS and self._world.clock.monotonic_ms() < ends_at:
                judged = await self._judge(wanted, questions, shown, found, thought)
                if judged.is_guess:  # no better than the ranking: nothing is decided by it, and nothing learnt
                    break
                thought.judged = judged
                if judged.sufficient:
                    break
                shown, later = later or await self._further(wanted, found, thought), []
        except SoulmemError as error:
            if error.name not in (ErrorName.MODEL_UNAVAILABLE, ErrorName.BUDGET_EXHAUSTED):
                raise
        hits = _ordered(found, thought.useful)[: wanted.k]
        trail = _further_trail(wanted, brought, found, _credited(brought, found, thought.useful), hits)
        return replace(brought, hits=hits, ways=found.ways, trail=trail), thought

    async def _judge(
        self,
        wanted: RecallRequest,
        questions: Sequence[str],
        shown: Sequence[ItemRef],
        found: _Found,
        thought: Deliberation,
    ) -> Judgement:
        refs = _in_view(thought.useful, shown, found.hits)
        labels = {ref: f"N{place}" for place, ref in enumerate(refs, start=1)}
        steps = {
            step.link: step
            for ref in refs
            if ref[0] is ItemKind.NOTE
            for step in found.ways.get(ref[1], ())
            if step.link != BY_NAME and (ItemKind.NOTE, step.src) in labels and (ItemKind.NOTE, step.dst) in labels
        }
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())
        texts, verbs = await self._memory.database.read(_seen, refs, sorted(steps), now_exp)
        who = self._memory.who
        request = JudgeRequest(
            subquestions=tuple(questions),
            notes=tuple(Labelled(labels[ref], *texts[ref]) for ref in refs if ref in texts),
            links=tuple(
                LabelledLink(f"L{place}", labels[_ends(step)[0]], verbs.get(step.link, ""), labels[_ends(step)[1]])
                for place, step in enumerate(steps.values(), start=1)
            ),
            language=who.language or None,
            cast=who.cast(wanted.asker or ""),
        )
        thought.calls += 1
        thought.shown.update(refs)
        digest = hashlib.sha256(repr((wanted.query, refs)).encode()).hexdigest()[:16]
        call = self._memory.call(f"judge:{digest}", wanted_at_ms=self._world.clock.now_ms(), lane=Lane.INTERACTIVE)
        judged = await self._world.model.judge(request, call)
        by_label = {label: ref for ref, label in labels.items()}
        if judged.is_guess:
            return judged
        thought.useful |= {by_label[label] for label in judged.useful_nodes if label in by_label}
        said = Judged(len(refs), len(thought.useful), judged.sufficient, tuple(judged.missing))
        thought.judgements.append(said)
        return judged

    async def _further(self, wanted: RecallRequest, found: _Found, thought: Deliberation) -> list[ItemRef]:
        """What to look at next: beyond the useful notes, else what is missing, searched for anew."""
        if thought.steps < MOST_STEPS:
            thought.steps += 1
            offered = await self._beyond(wanted, found, thought)
            if offered:
                return offered
        if thought.reflections < MOST_REFLECTIONS and thought.judged is not None:
            thought.reflections += 1
            return await self._anew(wanted, thought.judged.missing, found)
        return []

    async def _beyond(self, wanted: RecallRequest, found: _Found, thought: Deliberation) -> list[ItemRef]:
        graph = self._memory.graph
        seen = [ref[1] for ref in found.hits if ref[0] is ItemKind.NOTE]
        useful = [key for kind, key in thought.useful if kind is ItemKind.NOTE]
        frontier = [note for note in (useful or seen) if note not in found.opened]
        found.opened.update(frontier)
        if graph is None or not self._recalling.follows_links or not (frontier or found.waiting):
            return []
        stance = QueryContext(self._memory.now(self._world.clock.trusted_now_ms()), is_deep=True)
        hidden = await self._recalling.hidden_from(wanted.audience)
        weights, barred = Weights(graph, stance, barred=hidden), {*seen, *hidden}
        fresh = beyond(weights, frontier, barred=barred)
        shown = await self._recalling.similarities(wanted, [offer.note for offer in fresh])
        # The graph may have changed meanwhile.
        fresh += self._over_bridges(
            weights.renewed(), [each for each in fresh if each.note not in shown], barred, found
        )
        for offer in fresh:
            if offer.note not in found.waiting or offer.weight > found.waiting[offer.note].weight:
                found.waiting[offer.note] = offer
        offers = [offer for note, offer in found.waiting.items() if note not in barred]
        near = await self._recalling.similarities(wanted, [offer.note for offer in offers])
        admitted = promising([offer for offer in offers if offer.note in near], near)
        for offer in admitted:
            del found.waiting[offer.note]
            self._take(offer, near[offer.note], found)
        return [(ItemKind.NOTE, offer.note) for offer in admitted]

    def _over_bridges(
        self, weights: Weights, bridges: Sequence[Offer], barred: Collection[int], found: _Found
    ) -> list[Offer]:
        """What lies beyond notes that may not be shown; the weight of such an offer is that of both its steps."""
        strongest = sorted(bridges, key=lambda each: (-each.weight, each.note))[:MOST_BRIDGES]
        found.bridges |= {each.note: each for each in strongest if each.note not in found.bridges}
        across = (
            replace(offer, weight=offer.weight * found.bridges[offer.src].weight)
            for offer in beyond(weights, [each.note for each in strongest], barred={*barred, *found.bridges})
        )
        return list(across)

    def _take(self, offer: Offer, similarity: float, found: _Found) -> None:
        found.ways[offer.note] = (*found.way_to(offer.src), _step(offer))
        score = round(float(np.clip(0.5 * (similarity + offer.weight), 0.0, 1.0)) * _BEYOND, 6)
        found.hits[ItemKind.NOTE, offer.note] = Hit(
            ItemKind.NOTE, offer.note, score, {"association": offer.weight}, _TIER
        )

    async def _anew(self, wanted: RecallRequest, missing: Sequence[str], found: _Found) -> list[ItemRef]:
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
        return fresh[:MOST_SHOWN]


def _doses(hits: Sequence[Hit]) -> tuple[list[ItemRef], list[ItemRef]]:
    """What is judged first, and what only if that is not enough; each in the order it came to mind.

    First the best, and what came over links that the question was once answered along, wherever it stands: tier 1.
    """
    best, others = hits[:FIRST_SHOWN], hits[FIRST_SHOWN:]
    expanded = [hit for hit in others if hit.tier == EXPANSION][: MOST_SHOWN - FIRST_SHOWN]
    first = [(hit.kind, hit.key) for hit in (*best, *expanded)]
    rest = [(hit.kind, hit.key) for hit in others if hit not in expanded]
    return first, rest[: MOST_SHOWN - len(first)]


def _ends(step: Step) -> tuple[ItemRef, ItemRef]:
    """The notes of a link in the direction of its verb, whichever way it was walked."""
    src, dst = (step.dst, step.src) if step.is_backward else (step.src, step.dst)
    return (ItemKind.NOTE, src), (ItemKind.NOTE, dst)


def _step(offer: Offer) -> Step:
    return Step(offer.link, offer.src, offer.note, offer.is_backward, offer.weight)


def _credited(brought: Brought, found: _Found, useful: Collection[ItemRef]) -> list[Step]:
    """The links between what the recall began at and useful notes that words found; a note it began at has none."""
    spread = brought.spread
    if spread is None:
        return []
    noted = (ref for ref in sorted(useful) if ref[0] is ItemKind.NOTE and ref[1] not in found.ways)
    ways_there = (ways(spread, note) for _, note in noted if not spread.forest.holds(note))
    return [
        Step(link.link, link.src, link.dst, link.is_backward, link.probability)
        for way in ways_there
        if way is not None
        for link in without_names(way.links)
    ]


def _further_trail(
    wanted: RecallRequest, brought: Brought, found: _Found, credited: Sequence[Step], hits: Sequence[Hit]
) -> Trail | None:
    """The trail with the links that were walked while thinking, and those that were credited afterwards."""
    trail = brought.trail
    if trail is None and brought.vector is not None:  # words alone had brought what came to mind
        questions = np.atleast_2d(np.asarray(brought.vector, dtype=np.float32))
        trail = Trail(questions, (wanted.query[:TEXT_MOST],))
    if trail is None:
        return None
    known = {(link.link, link.is_backward) for link in (*trail.followed, *trail.found)}
    walked = _trail_links((step for way in found.ways.values() for step in way), known)
    reached = _trail_links(credited, known)
    if not (known or walked or reached):
        return None
    returned = tuple(hit.key for hit in hits if hit.kind is ItemKind.NOTE)
    return replace(trail, followed=(*trail.followed, *walked), found=(*trail.found, *reached), returned=returned)


def _trail_links(steps: Iterable[Step], known: set[tuple[int, bool]]) -> list[TrailLink]:
    """The steps that are not `known` yet, each once; then they are."""
    steps = (step for step in steps if step.link != BY_NAME)
    fresh = {(step.link, step.is_backward): step for step in steps if (step.link, step.is_backward) not in known}
    known.update(fresh)
    return [TrailLink(step.link, step.src, step.dst, step.is_backward, 0) for step in fresh.values()]


def _in_view(useful: set[ItemRef], shown: Sequence[ItemRef], hits: Mapping[ItemRef, Hit]) -> list[ItemRef]:
    """What one judgement looks at: all that is new, and of what was useful before the best, as far as there is room."""
    kept = sorted(useful.difference(shown), key=lambda ref: (-hits[ref].score, *ref))
    return [*kept[: max(0, MOST_IN_VIEW - len(shown))], *shown]


def _ordered(found: _Found, useful: set[ItemRef]) -> list[Hit]:
    """Useful items first: their scores fill the upper half, those of the others the lower."""
    if not useful:
        return sorted(found.hits.values(), key=lambda hit: (-hit.score, hit.kind.value, hit.key))
    scored = [
        hit._replace(score=round(0.5 * hit.score + (0.5 if ref in useful else 0.0), 6))
        for ref, hit in found.hits.items()
    ]
    return sorted(scored, key=lambda hit: (-hit.score, hit.kind.value, hit.key))


def _seen(
    connection: Connection, refs: Sequence[ItemRef], ties: Sequence[int], now_exp: int
) -> tuple[dict[ItemRef, tuple[str, int, str]], dict[int, str]]:
    """(text, when it happened, who told it) of each item and the verb of each link, as they show."""
    held = note_rows.get_many(connection, [key for kind, key in refs if kind is ItemKind.NOTE])
    noted = faces(connection, held.values(), now_exp)
    said = message_log.get_many(connection, [key for kind, key in refs if kind is ItemKind.MESSAGE])
    texts = {(ItemKind.NOTE, key): (face.text, face.day_ms, face.speaker) for key, face in noted.items()}
    for key, message in said.items():
        texts[ItemKind.MESSAGE, key] = (message.content, message.at, message.speaker)
    return texts, {link.id: shown_verb(link, noted) for link in link_rows.get_many(connection, ties)}
