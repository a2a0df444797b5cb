"""Spreading: from what a question is like to what that reminds of; tiers 1 and 2 of recall as one pure function.

Called by recall with the hits of tier 0 (`seed_selection.Direct`). From the best of them mass goes along the links
(`approximate_ppr`, one run a seed, so that it is known which seed brought a note up), and the links that this question
was once answered along, or that are strong, are followed (`edge_expansion`). Sources: algorithms.md §3.2-3.8.

How evidence is joined: with d the score of tier 0 as a share of the best one, and a what *other* seeds send a note as
a share of the most any note is sent (and less where all links of the seeds have faded),

    score = best * d * (1 + a * (1 - d))        at least what expansion gives it

so links raise what has evidence of its own, and a note that nobody sends anything keeps its score to the last bit.
What a seed starts with, and gets back, is no association: otherwise the seeds would fill the first places. A note
without evidence of its own would never rise this way, so the fifth of every ten places is kept for the strongest
association not yet placed that says little of it itself; its score is set between those beside it. What the same talk
told as something above it waits: it would hide what the talk reminded of. Where it is plain what was asked about, the
fourth is kept for what belongs to that (`kept_places`).

Invariants:
I1  Scores are within 0..1 and fall along `found`; equals are ordered by id; each note stands there once.
I2  Triggers, `barred` notes and those not `allowed` are never found. But for the barred they are walked.
I3  The result depends on what the graph holds, not on the order in which it or the hits came in.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.query.seed_selection import Direct, Start, best_of_each, starts
from soulmem.graph.state.graph_columns import NOTE_CODES
from soulmem.graph.state.id_table import NOWHERE, FloatArray, IntArray, distinct
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.approximate_ppr import ApproximatePpr, Scores, reached_together, run_together
from soulmem.graph.walk.diffusion import Dynamics, diffuse
from soulmem.graph.walk.edge_expansion import Forest, Seed, expand
from soulmem.graph.walk.kept_places import (
    BESIDE_PLACE,
    KEPT_PLACE,
    REMINDED_PLACE,
    beside,
    by_what_it_sent,
    found_surely,
    leading_of,
    sure_of,
    talks_of,
    tied_to,
    with_kept_places,
)
from soulmem.graph.walk.name_spread import HELD, Named, through_names, way_by_name
from soulmem.graph.walk.path_search import MAX_DEPTH, Path, PathLink, best_path, is_returnable
from soulmem.graph.walk.spreading_budgets import Budget


class Activation(StrEnum):
    PAGERANK = "pagerank"  # mass that is split among links (algorithms.md §3.6)
    DIFFUSION = "diffusion"  # activation that settles (§5.3): notes that many lead to are not favoured


VECTOR, EXPANSION, PPR = "vector", "expansion", "ppr"
FRESH = 0.3  # sum of the weights of a seed's links, from which on they count in full; what has faded sums to less
FELT = 0.06  # sum below which nothing is reminded of anything
ALONE = 0.5  # what only links brought scores at most this share of the least hit, but on a kept place
_TRIGGER = NOTE_CODES["trigger"]


class Found(NamedTuple):  # a plain tuple: many are made in every recall
    """A note that is recalled; `score` is comparable with `Direct.score`.

    `tier`: who found it first. `seed` brought up most of what links brought it, `share` of it; None: no link did.
    """

    note: int
    score: float
    tier: str
    seed: int | None = None
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Brought:
    """What links brought each note that may be returned, most first: `masses` from all seeds but the note itself.

    `seeds` sent the most of it, `shares` of it. Four parallel arrays. `held`: the weights of all links of the seed
    that is held best, summed: of what has faded little is left. `by_name`: what came up as somebody's.
    """

    notes: IntArray
    masses: FloatArray
    seeds: IntArray
    shares: FloatArray
    held: float = 0.0
    by_name: Mapping[int, Named] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spread:
    """What a spreading found, best first, and what it knows of the ways.

    `scores`: pi^ of all seeds together. `wanting`: notes whose neighbourhood must be loaded to look beyond them.
    `hits`, `brought`, `budget` are what `found` was made of (`narrow_spread`); `places`: which of every ten were kept;
    `beside`: what is linked with the one note that stands out and stands in one of these.
    """

    found: tuple[Found, ...]
    forest: Forest
    scores: Scores
    weights: Weights
    wanting: tuple[int, ...]
    hits: tuple[Direct, ...]
    brought: Brought
    budget: Budget
    places: frozenset[int] = frozenset({KEPT_PLACE})
    beside: frozenset[int] = frozenset()

    def of(self, note: int) -> Found | None:
        """One of `found`."""
        return next((each for each in self.found if each.note == note), None)


_Reached = tuple[IntArray, FloatArray, list[int]]  # rows, each once a seed, the mass of each, how many of each seed
_NOTHING = Scores(np.zeros(0, dtype=np.int64), np.zeros(0))
_NOBODY = Brought(_NOTHING.ids, _NOTHING.values, _NOTHING.ids, _NOTHING.values)


def spread_activation(
    graph: WorkingGraph,
    stance: QueryContext,
    direct: Iterable[Direct],
    *,
    budget: Budget,
    barred: Collection[int] = frozenset(),
    allowed: Callable[[int], bool] | None = None,
    activation: Activation = Activation.PAGERANK,
) -> Spread:
    """What these hits remind of, before `narrow_spread` ranks it: nothing is `found` yet.

    `barred` notes are neither found nor begun at; `allowed` says which may be found at all (hard filters), and only
    those and triggers are begun at. Hits that the graph does not hold are kept as they are.
    """
    shut = barred if isinstance(barred, (set, frozenset)) else frozenset(barred)
    hits = [hit for hit in best_of_each(direct).values() if hit.note not in shut]
    weights = Weights(graph, stance, barred=shut)
    doors = [hit for hit in hits if allowed is None or allowed(hit.note) or _is_trigger(graph, hit.note)]
    seeds = starts(graph, stance, doors, each_question=budget.seeds, barred=shut)
    forest = expand(
        weights,
        [Seed(seed.note, seed.score, seed.question) for seed in seeds],
        max_notes=budget.max_notes,
        max_depth=budget.max_depth,
        barred=shut,
    )
    scores, brought, wanting = _NOTHING, _NOBODY, list(forest.wanting)
    if budget.enough is None or len(forest.notes) < budget.enough:
        scores, brought, unknown = _tier_two(weights, seeds, budget, shut, activation)
        wanting += unknown
    rows = graph.notes.table.rows([hit.note for hit in hits])
    usable = _may_be_returned(graph, rows) | (rows == NOWHERE)
    stay = tuple(hit for hit, stays in zip(hits, usable.tolist(), strict=True) if stays)
    return Spread((), forest, scores, weights, tuple(dict.fromkeys(wanting)), stay, brought, budget)


def narrow_spread(spread: Spread, allowed: Callable[[int], bool] | None, *, reminds: bool = False) -> Spread:
    """The same spreading ranked anew, with only what is `allowed`: for filters that are known only afterwards.

    `reminds`: nothing is asked, something is told: what surely is meant by it reminds of what belongs to it.
    """
    hits = {hit.note: hit.score for hit in spread.hits if allowed is None or allowed(hit.note)}
    graph = spread.weights.graph
    branches = {
        each.note: each
        for each in spread.forest.notes
        if each.parents and is_returnable(graph, each.note) and (allowed is None or allowed(each.note))
    }
    lifted = _lift(spread, {*hits, *branches}, allowed)
    brought, places = spread.brought, list(lifted.values())
    masses = dict(zip(lifted, brought.masses[places].tolist(), strict=True))
    sent_by = zip(brought.seeds[places].tolist(), brought.shares[places].tolist(), strict=True)
    sent = dict(zip(lifted, sent_by, strict=True))
    # Where everything is linked to everything, all get the median mass of a hit, and it says nothing of any.
    usual = statistics.median([masses.get(note, 0.0) for note in hits]) if hits else 0.0
    branch_scores = {note: each.score for note, each in branches.items()}
    scored = _score(hits, masses, usual, brought.held, branch_scores)
    found = []
    strongest = [note for note in lifted if masses[note] > usual] if brought.held >= FELT else []
    surely, talks = found_surely(hits), talks_of(graph, [note for note, _ in scored])
    kept = {KEPT_PLACE: [note for note in strongest if note not in surely or note not in talks] or strongest}
    own: list[int] = []
    if reminds and (sure := sure_of(hits)) is not None:
        kept[REMINDED_PLACE] = by_what_it_sent(
            sure, strongest, masses, sent, [n for n, _ in scored if n in hits], talks
        )
    elif not reminds and (leading := leading_of(hits, strongest, sent)):
        kept[BESIDE_PLACE] = beside(leading, strongest, masses, sent)
        if len(leading) == 1 and (own := tied_to(spread.weights, min(leading), strongest)):
            kept = {BESIDE_PLACE: [*own, *kept[BESIDE_PLACE]], KEPT_PLACE: [*own, *kept[KEPT_PLACE]]}
    ranked = with_kept_places(scored, kept, talks, masses, kept.get(BESIDE_PLACE, ()))
    for note, score in ranked:
        tier = VECTOR if note in hits else EXPANSION if note in branches else PPR
        seed, share = sent[note] if note in sent else (branches[note].seed, 1.0) if note in branches else (None, 0.0)
        found.append(Found(note, score, tier, seed, share))
    placed = frozenset(note for note, _ in ranked[:KEPT_PLACE])
    return replace(spread, found=tuple(found), places=frozenset(kept), beside=placed.intersection(own))


def _lift(spread: Spread, known: Collection[int], allowed: Callable[[int], bool] | None) -> dict[int, int]:
    """The places in `brought` of what is known already and of the strongest others there is room for, in order."""
    lifted = {}
    room = spread.budget.top_k
    for place, note in enumerate(spread.brought.notes.tolist()):
        if note in known:
            lifted[note] = place
        elif room and (allowed is None or allowed(note)):
            lifted[note] = place
            room -= 1
    return lifted


def ways(
    spread: Spread, note: int, *, most_links: int = MAX_DEPTH, among: Collection[int] | None = None
) -> Path | None:
    """By which links a note was reached: along the best way in the forest, else by the walk that contributed most.

    In the forest the probability of a step is its E; `forest.ways_to` has every way. None when no link led there, or
    none of at most `most_links` through the notes `among` (None: all that were reached). If the graph was changed
    since, the way is looked for in what it is now, and there may be none any more.
    """
    steps: list[PathLink] = []
    branch = spread.forest.of(note)
    while branch is not None and branch.parents:
        link = branch.parents[0]
        steps.append(PathLink(link.link, link.src, link.dst, link.is_backward, link.score))
        branch = spread.forest.of(link.src)
    if steps:
        product = math.prod(step.probability for step in steps)
        return Path(tuple(reversed(steps)), -math.log(product) if product > 0.0 else math.inf, product)
    found = spread.of(note)
    if found is None or found.seed is None:
        return None
    weights, seed = spread.weights.renewed() if spread.weights.is_stale else spread.weights, found.seed
    within = spread.scores.ids.tolist() if among is None else among

    def path_to(end: int) -> Path | None:
        return best_path(weights, seed, end, within=within, teleport=spread.budget.teleport, max_depth=most_links)

    return way_by_name(spread.brought.by_name if among is None else {}, seed, note, path_to)


def _tier_two(
    weights: Weights, seeds: list[Start], budget: Budget, shut: Collection[int], activation: Activation
) -> tuple[Scores, Brought, list[int]]:
    """pi^ of all seeds, what others sent each note, and which neighbourhoods were missing."""
    if not seeds:
        return _NOTHING, _NOBODY, []
    graph = weights.graph
    (reached, values, lengths), wanting = (_settle if activation is Activation.DIFFUSION else _sweep)(
        weights, seeds, budget
    )
    ids, places = distinct(graph.notes.ids[reached])
    given = np.zeros((len(seeds), len(ids)))
    given[np.repeat(np.arange(len(seeds)), lengths), places] = values
    given *= np.array([seed.share for seed in seeds])[:, None]
    scores = Scores(ids, given.sum(axis=0))
    ids, given, by_name = through_names(graph.hubs, ids, given, shut)
    rows = graph.notes.table.rows(ids)
    numbers = np.array([seed.note for seed in seeds])
    given[(ids == numbers[:, None])] = 0.0
    masses, best = given.sum(axis=0), given.argmax(axis=0)
    usable = (masses > 0.0) & _may_be_returned(graph, rows)
    if shut:
        usable &= ~np.isin(ids, list(shut))
    kept = np.flatnonzero(usable)
    kept = kept[np.argsort(-masses[kept], kind="stable")]  # equals stay by id
    begun = graph.notes.table.rows(numbers).tolist()
    held = max((weights.total(row) for row in begun if graph.notes.whole[row]), default=0.0)
    if by_name:
        held = max(held, HELD)
    shares = given[best[kept], kept] / masses[kept]
    brought = Brought(ids[kept], masses[kept], numbers[best[kept]], shares, held, by_name)
    return scores, brought, wanting


def _sweep(weights: Weights, seeds: list[Start], budget: Budget) -> tuple[_Reached, list[int]]:
    """pi^ of each seed alone, and which neighbourhoods were missing.

    One run a seed, with the delta its share leaves of the budget: together they push no more than one run would.
    """
    graph = weights.graph
    starts_at = graph.notes.table.rows([seed.note for seed in seeds])
    weights.prepare([row for row in starts_at.tolist() if graph.notes.whole[row]])
    sweeps = [ApproximatePpr(weights, {seed.note: 1.0}, teleport=budget.teleport) for seed in seeds]
    run_together(sweeps, [budget.delta / seed.share for seed in seeds])
    return reached_together(sweeps), [note for sweep in sweeps for note in sweep.wanting()]


def _settle(weights: Weights, seeds: list[Start], budget: Budget) -> tuple[_Reached, list[int]]:
    """Activation around each seed alone, scaled as pi^ is; notes beyond what is in memory are not looked at."""
    dynamics = Dynamics(gain=1.0 - budget.teleport)
    found = [diffuse(weights, {seed.note: 1.0}, dynamics) for seed in seeds]
    rows = weights.graph.notes.table.rows(np.concatenate([each.ids for each in found]))
    values = np.concatenate([each.values for each in found])
    return (rows, budget.teleport * values, [len(each.ids) for each in found]), []


def _may_be_returned(graph: WorkingGraph, rows: IntArray) -> NDArray[np.bool_]:
    """`path_search.is_returnable` of many rows at once; what it says of a row that is none means nothing."""
    if not len(graph.notes.kinds):
        return np.zeros(len(rows), dtype=np.bool_)
    usable: NDArray[np.bool_] = graph.notes.kinds[rows] != _TRIGGER
    return usable


def _is_trigger(graph: WorkingGraph, note: int) -> bool:
    row = graph.notes.table.row(note)
    return row != NOWHERE and bool(graph.notes.kinds[row] == _TRIGGER)


def _score(
    hits: dict[int, float], masses: dict[int, float], usual: float, held: float, branches: dict[int, float]
) -> list[tuple[int, float]]:
    """(note, score), best first; what only mass brought comes after the hits, by what it was sent."""
    best, least = max(hits.values(), default=0.0) or 1.0, min(hits.values(), default=0.0)
    most = max(masses.values(), default=0.0) or 1.0
    # Shares alone would cancel fading: if all links of the seeds faded alike, what they bring would stay the same.
    felt = min(1.0, held / FRESH)
    scores = dict(hits)
    for note, mass in masses.items():
        own = hits.get(note)
        if own is None:
            scores[note] = ALONE * least * felt * mass / most
        elif mass > usual:
            scores[note] = own * (1.0 + felt * (mass - usual) / (most - usual) * (1.0 - own / best))
    for note, score in branches.items():
        scores[note] = max(scores.get(note, 0.0), min(1.0, score))
    return sorted(scores.items(), key=lambda each: (-each[1], each[0]))
