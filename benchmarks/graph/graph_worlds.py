"""Made-up minds for the graph benchmark: communities, power-law degrees, a hub, links of every age.

Everything comes from one seed, so two runs see the same graphs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.schema.note_requests import LinkKind, NoteKind
from soulmem.graph.query.query_context import Leaning, QueryContext
from soulmem.graph.state.bulk_load import LinkColumns, NoteColumns, load
from soulmem.graph.state.graph_columns import LINK_CODES, NOTE_CODES
from soulmem.graph.state.working_graph import WorkingGraph

DIMENSION = 384
NOW_MS = 1_000 * DAY_MS
LINKS_PER_NOTE = 5
HUB_SHARE = 0.1  # of all links hang on one note
MEMORIES = 5_000
_COMMUNITY = 60


@dataclass(frozen=True, slots=True)
class World:
    """A graph and what is asked of it. `questions`: (seeds, stance) pairs."""

    graph: WorkingGraph
    hub: int
    questions: tuple[tuple[dict[int, float], QueryContext], ...]


def columns(link_count: int, rng: np.random.Generator) -> tuple[NoteColumns, LinkColumns]:
    """Notes and links: each note in a community, 4 of 5 links within it; the first note is the hub."""
    count = max(100, link_count // LINKS_PER_NOTE)
    kinds = rng.choice([NOTE_CODES[kind] for kind in NoteKind], count, p=[0.5, 0.1, 0.25, 0.03, 0.02, 0.05, 0.02, 0.03])
    notes = NoteColumns(
        np.arange(1, count + 1),
        kinds.astype(np.uint8),
        rng.uniform(-1, 1, count),
        np.zeros(count, dtype=np.bool_),
        np.zeros(count, dtype=np.int64),
    )
    on_hub = int(HUB_SHARE * link_count)
    rest = link_count - on_hub
    popularity = rng.pareto(1.5, count) + 1.0
    rank = np.cumsum(popularity) / popularity.sum()
    src = np.searchsorted(rank, rng.random(rest))
    near = src // _COMMUNITY * _COMMUNITY + (rng.random(rest) ** 2 * _COMMUNITY).astype(np.int64)
    far = np.searchsorted(rank, rng.random(rest))
    dst = np.minimum(np.where(rng.random(rest) < 0.8, near, far), count - 1)
    srcs = np.concatenate([np.zeros(on_hub, dtype=np.int64), src]) + 1
    dsts = np.concatenate([rng.integers(1, count, on_hub), dst]) + 1
    link_kinds = rng.choice([LINK_CODES[kind] for kind in LinkKind], link_count, p=[0.6, 0.2, 0.1, 0.03, 0.05, 0.02])
    links = LinkColumns(
        ids=rng.permutation(link_count) + 1,
        srcs=srcs,
        dsts=dsts,
        kinds=link_kinds.astype(np.uint8),
        a0=rng.uniform(0.1, 1.0, link_count),
        t0_ms=NOW_MS - (rng.exponential(20.0, link_count) * DAY_MS).astype(np.int64),
        stability_ms=(rng.lognormal(3.0, 1.0, link_count) * DAY_MS).astype(np.int64) + 1,
        confidences=rng.uniform(0.3, 1.0, link_count),
    )
    return notes, links


def unit(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    rows = rng.standard_normal((count, DIMENSION)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def world(link_count: int, *, seed: int = 7, asked: int = 20) -> World:
    """A mind of `link_count` links, 5,000 of them with a memory vector, and `asked` questions of five seeds each."""
    rng = np.random.default_rng(seed)
    notes, links = columns(link_count, rng)
    graph = WorkingGraph(DIMENSION)
    load(graph, notes, links)
    directions = unit(rng, asked)
    for i, link in enumerate(rng.choice(links.ids, min(MEMORIES, link_count // 10), replace=False).tolist()):
        noisy = 0.8 * directions[i % asked] + 0.6 * unit(rng, 1)[0]
        graph.set_memory(link, noisy.astype(np.float32), NOW_MS - 5 * DAY_MS)
    questions = []
    for i in range(asked):
        place = int(rng.integers(1, graph.note_count - _COMMUNITY))
        chosen = [place + int(step) + 1 for step in rng.choice(_COMMUNITY, 4, replace=False)]
        chosen.append(1 if i % 4 == 0 else int(rng.integers(1, graph.note_count)) + 1)  # every fourth asks the hub
        shares = rng.uniform(0.3, 1.0, len(chosen))
        stance = QueryContext(
            NOW_MS, directions[i], leaning=Leaning(0.4, 0.2, 0.3, 0.1), valence=float(rng.uniform(-1, 1)), arousal=0.6
        )
        questions.append((dict(zip(chosen, shares.tolist(), strict=True)), stance))
    return World(graph, 1, tuple(questions))
