"""Deep recall: thinking about what came to mind until it answers the question, for recalls that think hard.

Called by `query_analysis` for `depth: deep` where a language model is configured. The model judges what came to mind
tier by tier and stops when it is enough (algorithms.md §3.1, §3.5): first the best of what was found and whatever links
brought that questions like this one were answered along, then the rest of tiers 0 to 2. If that is not enough it is led
through the graph link by link (tier 3, §3.8, `graph_exploration`): it chooses the relations to go along; where it
chooses none, what lies beyond the notes it found useful is offered to it, and where the links end, what it misses is
searched for anew. What it found useful is credited to the links that connect it with what the recall began at, though
words found it too, and so are the links that it named (§3.7). Invariants: no more calls and seconds than `Limits`; a
model that fails costs the deliberation, never the recall; nothing is shown that the client's filters leave out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from soulmem.core.schema.engine_tasks import Judgement
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.edge_learning import GUESSED
from soulmem.graph.learning.recall_trace import TEXT_MOST, Trail, TrailLink
from soulmem.graph.walk.name_spread import BY_NAME, without_names
from soulmem.graph.walk.spreading_activation import EXPANSION, ways
from soulmem.graph.walk.spreading_budgets import BUDGETS
from soulmem.ports import Lane, World
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.deliberation.graph_exploration import Found, GraphExploration
from soulmem.working.deliberation.judge_view import MOST_OFFERS, JudgeView, Seen, view
from soulmem.working.feedback.feedback_outcome import JudgeLesson
from soulmem.working.recall.basic_recall import BasicRecall
from soulmem.working.recall.graph_recall import Step
from soulmem.working.recall.recall_request import Brought, RecallRequest

MOST_SHOWN = 24  # items that are new in one judgement, but for offers along links
MOST_IN_VIEW = 48  # items in one judgement, with those found useful before
FIRST_SHOWN = BUDGETS["deep"].seeds  # of the best ones in the first judgement, beside what expansion brought
MOST_EXPANDED = BUDGETS["deep"].max_notes  # a way once learnt may end below much that sounds more like the question
PRAISED_TOO_MUCH = 6  # of so many items or more not all are what an answer rests on
GUESSED_NOTES = 3  # stand for all where all were praised


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a recall is thought over. `steps`: links that tier 3 goes; `reflections`: searches anew."""

    calls: int
    steps: int
    reflections: int
    longest_s: float
    lane: Lane


DEEP = Limits(calls=12, steps=3, reflections=2, longest_s=25.0, lane=Lane.INTERACTIVE)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the model said at one step: how many items it was shown, how many of all so far it found useful, how many
    relations it chose to follow, whether it contradicted itself.
    """

    shown: int
    useful: int
    sufficient: bool
    missing: tuple[str, ...]
    followed: int
    contradicts: bool


@dataclass(slots=True)
class Deliberation:
    """How a recall was thought over: what the model said in the end, what it was shown, and what of it was useful."""

    judged: Judgement | None = None
    useful: set[ItemRef] = field(default_factory=set)
    steps_named: dict[tuple[int, bool], Step] = field(default_factory=dict)
    shown: set[ItemRef] = field(default_factory=set)
    judgements: list[Judged] = field(default_factory=list)
    calls: int = 0
    steps: int = 0
    reflections: int = 0

    @property
    def doubt(self) -> str | None:
        """Why little or nothing is learnt of it: it contradicts itself, or praises all that was shown."""
        if any(each.contradicts for each in self.judgements):
            return "contradiction"
        return "all_useful" if len(self.shown) >= PRAISED_TOO_MUCH and self.useful >= self.shown else None

    def lesson(self, order: Sequence[Hit]) -> JudgeLesson | None:
        """None where nothing can be learnt; `order`: the items as they came, the best first."""
        if self.judged is None or self.doubt == "contradiction":
            return None
        useful = [hit.key for hit in order if hit.kind is ItemKind.NOTE and (hit.kind, hit.key) in self.useful]
        if self.doubt is not None:
            return JudgeLesson(tuple(useful[:GUESSED_NOTES]), weight=GUESSED)
        noted = (key for kind, key in self.useful if kind is ItemKind.NOTE)
        return JudgeLesson(tuple(dict.fromkeys([*useful, *sorted(noted)])), frozenset(self.steps_named))


class DeepRecall:
    """Thinks over the recalls of one mind."""

    def __init__(self, memory: OpenMind, world: World, recalling: BasicRecall) -> None:
        self._memory = memory
        self._world = world
        self._recalling = recalling
        self._exploring = GraphExploration(memory, world, recalling)

    @property
    def works(self) -> bool:
        """Whether there is a model to ask; the embedded engine's judgement is no better than the ranking."""
        return self._world.model.name != "extractive"

    async def think(
        self, wanted: RecallRequest, brought: Brought, questions: Sequence[str], limits: Limits = DEEP
    ) -> tuple[Brought, Deliberation]:
        """What was brought, ordered by what the model found useful, with what it was led to.

        `brought` should reach `MOST_EXPANDED` hits further than is shown or wanted.
        """
        thought = Deliberation()
        shown, later = _doses(brought.hits)
        refs = {*shown, *later, *((hit.kind, hit.key) for hit in brought.hits[: wanted.k])}
        kept = {(hit.kind, hit.key): hit for hit in brought.hits if (hit.kind, hit.key) in refs}
        found = Found(kept, {note: way for note, way in brought.ways.items() if (ItemKind.NOTE, note) in refs})
        ends_at = self._world.clock.monotonic_ms() + limits.longest_s * 1000
        try:
            while shown and thought.calls < limits.calls and self._world.clock.monotonic_ms() < ends_at:
                judged, seen = await self._judge(wanted, questions, shown, found, thought, limits)
                if judged.is_guess:  # no better than the ranking: nothing is decided by it, and nothing learnt
                    break
                thought.judged = judged
                if judged.sufficient:
                    break
                chosen = self._exploring.take(found, seen.followed(judged))
                if chosen:
                    thought.steps += 1
                    shown = chosen
                else:
                    shown, later = later or await self._further(wanted, found, thought, limits), []
        except SoulmemError as error:
            if error.name not in (ErrorName.MODEL_UNAVAILABLE, ErrorName.BUDGET_EXHAUSTED):
                raise
        hits = _ordered(found, thought.useful)[: wanted.k]
        credited = [*_credited(brought, found, thought.useful), *thought.steps_named.values()]
        trail = _further_trail(wanted, brought, found, credited, hits)
        return replace(brought, hits=hits, ways=found.ways, trail=trail), thought

    async def _judge(
        self,
        wanted: RecallRequest,
        questions: Sequence[str],
        shown: Sequence[ItemRef],
        found: Found,
        thought: Deliberation,
        limits: Limits,
    ) -> tuple[Judgement, JudgeView]:
        refs = _in_view(thought.useful, shown, found.hits)
        explores = thought.steps < limits.steps
        if explores:
            await self._exploring.open(wanted, found, [key for kind, key in refs if kind is ItemKind.NOTE])
        offers = [(offer, found.first_of(offer)) for offer in found.offers(most=MOST_OFFERS)] if explores else []
        now_exp, who = self._memory.now(self._world.clock.trusted_now_ms()), self._memory.who
        looked = Seen(refs, found.ways, offers, ties=self._recalling.follows_links)
        language, cast = who.language or None, who.cast(wanted.asker or "")
        seen = await self._memory.database.read(
            lambda connection: view(connection, looked, questions, now_exp, language=language, cast=cast)
        )
        thought.calls += 1
        thought.shown.update(refs)
        digest = hashlib.sha256(repr((wanted.query, refs)).encode()).hexdigest()[:16]
        call = self._memory.call(f"judge:{digest}", wanted_at_ms=self._world.clock.now_ms(), lane=limits.lane)
        judged = await self._world.model.judge(seen.request, call)
        if judged.is_guess:
            return judged, seen
        thought.useful |= seen.useful(judged)
        thought.steps_named |= {(step.link, step.is_backward): step for step in seen.useful_steps(judged)}
        followed = len([label for label in judged.follow if label in seen.relations])
        thought.judgements.append(
            Judged(
                len(refs), len(thought.useful), judged.sufficient, tuple(judged.missing), followed, judged.contradicts
            )
        )
        return judged, seen

    async def _further(
        self, wanted: RecallRequest, found: Found, thought: Deliberation, limits: Limits
    ) -> list[ItemRef]:
        """What to look at next: beyond the useful notes, else what is missing, searched for anew."""
        if thought.steps < limits.steps:
            thought.steps += 1
            offered = self._exploring.beyond_useful(found, thought.useful)
            if offered:
                return offered
        if thought.reflections < limits.reflections and thought.judged is not None:
            thought.reflections += 1
            return (await self._exploring.search_anew(wanted, thought.judged.missing, found))[:MOST_SHOWN]
        return []


def _doses(hits: Sequence[Hit]) -> tuple[list[ItemRef], list[ItemRef]]:
    """What is judged first, and what only if that is not enough; each in the order it came to mind.

    First the best, and what came over links that the question was once answered along, wherever it stands: tier 1.
    """
    best, others = hits[:FIRST_SHOWN], hits[FIRST_SHOWN:]
    expanded = [hit for hit in others if hit.tier == EXPANSION][: MOST_SHOWN - FIRST_SHOWN]
    first = [(hit.kind, hit.key) for hit in (*best, *expanded)]
    rest = [(hit.kind, hit.key) for hit in others if hit not in expanded]
    return first, rest[: MOST_SHOWN - len(first)]


def _credited(brought: Brought, found: Found, useful: Collection[ItemRef]) -> list[Step]:
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
    wanted: RecallRequest, brought: Brought, found: Found, credited: Sequence[Step], hits: Sequence[Hit]
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


def _ordered(found: Found, useful: set[ItemRef]) -> list[Hit]:
    """Useful items first: their scores fill the upper half, those of the others the lower."""
    if not useful:
        return sorted(found.hits.values(), key=lambda hit: (-hit.score, hit.kind.value, hit.key))
    scored = [
        hit._replace(score=round(0.5 * hit.score + (0.5 if ref in useful else 0.0), 6))
        for ref, hit in found.hits.items()
    ]
    return sorted(scored, key=lambda hit: (-hit.score, hit.kind.value, hit.key))
