"""Diffusion: activation that spreads from fired notes, settles, and is read off; an alternative to PageRank.

Selectable by configuration instead of tier 2's sweep. x = φ(s + a M^T x - b mean(x)), with M = D_out^-β W D_in^-(1-β)
and φ(z) = max(z - τ, 0); β = 1 without τ and b is PageRank / teleport, β = 1/2 does not favour notes that many lead to.
Source: algorithms.md §5. With gain a < 1 (a + b < 1) the map is a contraction: it converges on any graph, with or
without loops. Invariant: the degrees are those of the whole graph, so the result does not depend on the ball looked at.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.state.adjacency_rows import SATURATION, Csr
from soulmem.graph.state.id_table import FloatArray, IntArray, summed
from soulmem.graph.walk.approximate_ppr import ApproximatePpr, Scores, seed_shares

MAX_STEPS = 60
SETTLED = 1e-6
MAX_BALL = 5_000  # notes; the best of those the push reached first, then their neighbours


@dataclass(frozen=True, slots=True)
class Dynamics:
    """How activation spreads: `gain` a, `balance` β, `silence` τ below which nothing fires, `inhibition` b."""

    gain: float = 0.5
    balance: float = 0.5
    silence: float = 1e-3
    inhibition: float = 0.0

    def __post_init__(self) -> None:
        contracts = min(self.gain, self.inhibition) >= 0.0 and self.gain + self.inhibition < 1.0
        if not (contracts and 0.0 <= self.balance <= 1.0 and self.silence >= 0.0):
            raise ValueError(f"these dynamics need not settle: {self!r}")


@dataclass(frozen=True, slots=True)
class Settled:
    """Activation by node, how many steps it took, and whether it came to rest (moved less than 1e-6)."""

    activation: FloatArray
    steps: int
    is_at_rest: bool


def coupling(graph: Csr, balance: float, out_degrees: FloatArray, in_degrees: FloatArray) -> FloatArray:
    """The weights of M_β, edge by edge, for degrees that are those of the whole graph. Its spectral radius is <= 1."""
    out = np.maximum(out_degrees, np.finfo(np.float64).tiny) ** -balance
    into = np.maximum(in_degrees, np.finfo(np.float64).tiny) ** -(1.0 - balance)
    return graph.weights * out[graph.owners()] * into[graph.ends]


def settle(
    graph: Csr,
    couplings: FloatArray,
    start: FloatArray,
    held: FloatArray,
    dynamics: Dynamics,
    *,
    steps: int = MAX_STEPS,
) -> Settled:
    """Iterate x = φ(held + a M^T x - b mean(x)) from `start`.

    `held` is the input that stays on. With a `start` but nothing held (a pulse) everything fades to 0 (§5.2).
    """
    x = start
    owners = graph.owners()
    for step in range(1, steps + 1):
        arriving = summed(graph.ends, x[owners] * couplings, graph.node_count)
        drive = held + dynamics.gain * arriving
        if dynamics.inhibition and len(x):
            drive = drive - dynamics.inhibition * x.mean()
        after = np.maximum(drive - dynamics.silence, 0.0)
        moved = float(np.abs(after - x).sum())
        x = after
        if moved < SETTLED:
            return Settled(x, step, is_at_rest=True)
    return Settled(x, steps, is_at_rest=False)


def diffuse(weights: Weights, seeds: Mapping[int, float], dynamics: Dynamics | None = None) -> Scores:
    """Activation around the seeds, on the ball that a push at delta = τ reaches, and one hop.

    Seeds are among the result: leave them out or show them apart. Degrees below `SATURATION` count as that, so that
    faded links carry less (§3.6).
    """
    dynamics = dynamics or Dynamics()
    sweep = ApproximatePpr(weights, seeds, teleport=1.0 - min(0.95, max(0.05, dynamics.gain)))
    sweep.run(max(dynamics.silence, 1e-5))
    reached = sweep.scores()
    ball = _ball(weights, reached, sweep.teleport, dynamics)
    if not len(ball):
        return Scores(np.empty(0, dtype=np.int64), np.empty(0))
    graph, outs, ins = _local(weights, ball)
    held = np.zeros(len(ball))
    ids = weights.graph.notes.ids[ball]
    for seed, share in seed_shares(weights, seeds).items():
        if weights.graph.is_whole(seed):
            held[int(np.searchsorted(ids, seed))] = share
    couplings = coupling(graph, dynamics.balance, outs, ins)
    settled = settle(graph, couplings, held, held, dynamics)
    active = np.flatnonzero(settled.activation > 0.0)
    return Scores(ids[active], settled.activation[active])


def _ball(weights: Weights, reached: Scores, teleport: float, dynamics: Dynamics) -> IntArray:
    """Rows of the notes reached and of their neighbours, by id, while there is room.

    Neighbours of a note so faint, or so crowded, that it alone could not make any of them fire are not looked at.
    """
    notes, arcs = weights.graph.notes, weights.graph.arcs
    order = np.lexsort((reached.ids, -reached.values))[:MAX_BALL]
    core = notes.table.rows(reached.ids[order])
    held = dict.fromkeys(core.tolist())
    for row, value in zip(core.tolist(), (reached.values[order] / teleport).tolist(), strict=True):
        most = dynamics.gain * value * weights.least_total(row) ** -dynamics.balance
        room = MAX_BALL - len(held)
        if room and most > dynamics.silence:
            held.update(dict.fromkeys(arcs.row(row)[0][:room].tolist()))
    rows = np.fromiter(held, np.int64, len(held))
    rows = rows[notes.whole[rows]]
    return rows[np.argsort(notes.ids[rows])]


def _local(weights: Weights, ball: IntArray) -> tuple[Csr, FloatArray, FloatArray]:
    """The links within the ball in compressed rows, and the out- and in-degrees that its notes have in the whole."""
    ends, _, out_weights, lengths = weights.merged(ball)
    _, _, in_weights, in_lengths = weights.merged(ball, incoming=True)
    owners = np.repeat(np.arange(len(ball)), lengths)
    outs = summed(owners, out_weights, len(ball))
    ins = summed(np.repeat(np.arange(len(ball)), in_lengths), in_weights, len(ball))
    place = np.full(len(weights.graph.notes.ids), -1, dtype=np.int64)
    place[ball] = np.arange(len(ball))
    inner = place[ends] >= 0
    owners, targets, kept = owners[inner], place[ends[inner]], out_weights[inner]
    starts = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=len(ball)))]).astype(np.int64)
    return Csr(starts, targets, kept), np.maximum(outs, SATURATION), np.maximum(ins, SATURATION)
