"""stand-in until the real one is merged"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from soulmem.graph.adjacency import WorkingGraph
from soulmem.graph.edgesweep import EdgeSweep, Scores
from soulmem.graph.expansion import Forest, Seed, expand
from soulmem.graph.paths import Path, best_path
from soulmem.graph.selection import select
from soulmem.graph.stance import Stance
from soulmem.graph.weighing import Weights


@dataclass(frozen=True, slots=True)
class Budget:
    seeds: int
    max_notes: int
    max_depth: int
    teleport: float
    top_k: int
    delta: float


BUDGETS = {
    "skim": Budget(3, 12, 2, 0.6, 5, 1e-3),
    "normal": Budget(5, 32, 4, 0.5, 10, 1e-4),
    "deep": Budget(8, 64, 5, 0.3, 20, 3e-5),
}


@dataclass(frozen=True, slots=True)
class Direct:
    note: int
    score: float
    question: int = 0
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    note: int
    score: float
    tier: str
    seed: int | None = None
    share: float = 0.0


@dataclass(slots=True)
class Spread:
    found: tuple[Found, ...]
    forest: Forest
    scores: Scores
    weights: Weights
    wanting: tuple[int, ...] = ()


def spread(
    graph: WorkingGraph,
    stance: Stance,
    direct: Sequence[Direct],
    *,
    budget: Budget,
    barred: Collection[int] = (),
    allowed: Callable[[int], bool] | None = None,
    runs_ppr: bool = True,
) -> Spread:
    w = Weights(graph, stance)
    seeds = direct[: budget.seeds]
    forest = expand(
        w,
        [Seed(d.note, d.score, d.question) for d in seeds],
        max_notes=budget.max_notes,
        max_depth=budget.max_depth,
        barred=barred,
    )
    sweep = EdgeSweep(w, {d.note: d.score for d in seeds}, teleport=budget.teleport)
    sweep.run(budget.delta)
    scores = sweep.scores()
    best = max((d.score for d in direct), default=0.0)
    known = {d.note: Found(d.note, d.score, "vector") for d in direct}
    ranked = [r for r in select(graph, scores, budget.top_k + len(seeds), exclude=barred) if r.note not in known]
    top = max((r.score for r in ranked), default=1.0)
    for r in ranked[: budget.top_k]:
        known[r.note] = Found(
            r.note, best * (0.4 + 0.5 * r.score / top), "expansion" if forest.holds(r.note) else "ppr", None, r.score
        )
    return Spread(
        tuple(sorted(known.values(), key=lambda f: (-f.score, f.note))), forest, scores, w, tuple(sweep.wanting())
    )


def ways(spread: Spread, note: int) -> Path | None:
    for s in [n.note for n in spread.forest.notes if n.depth == 0]:
        p = best_path(spread.weights, s, note, within=spread.scores.ids.tolist())
        if p is not None:
            return p
    return None
