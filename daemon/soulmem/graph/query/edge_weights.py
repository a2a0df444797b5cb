"""Edge weights: how strong each link is for this question, this mood and this moment; only for notes that are reached.

One `Weights` serves one recall: `approximate_ppr`, `path_search` and `diffusion` share what it has worked out,
`edge_expansion` asks it for the raw terms. Sources: algorithms.md §3.4.3 (G, E), §3.6 (w, the saturating normaliser),
§4.6 (parallel links).

Invariants: a probability is in [0, 1] and a row's sum at most 1; nothing is computed twice; what is computed for a
row does not depend on which rows were asked for with it, nor on the order in which the graph was filled.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.state.adjacency_rows import SATURATION
from soulmem.graph.state.graph_columns import FELT, strengths_of
from soulmem.graph.state.id_table import NOWHERE, FloatArray, IntArray, RowArray, Vector, enlarged, spans, strongest_of
from soulmem.graph.state.working_graph import WorkingGraph

WEAKEST = 1e-4  # a link never weighs less, however faded: it is still there
_ABOVE_ROUNDING = 1.0 + 1e-9
_POOL = 1 << 12  # arcs there is room for at first: more would be fresh pages for every recall


@dataclass(frozen=True, slots=True)
class Arcs:
    """Arcs of several rows, one entry a link: `owner` numbers the rows asked for.

    `felt` is a_uv(t), direction included; `trust` sqrt(conf); `gain` g_type * g_mood of the end, None where all of it
    is 1; `agreement` max(0, q·v_eff) by question.
    """

    owner: IntArray
    ends: RowArray
    codes: RowArray
    felt: FloatArray
    trust: Vector
    stability_ms: FloatArray
    gain: FloatArray | None
    agreement: FloatArray | None  # (arcs, questions); None when no arc has a memory or nothing was asked

    def topology(self) -> FloatArray:
        """G_uv = clamp(a * g_type * g_mood, 0, 1): what the link is worth whatever was asked (§3.4.3)."""
        return np.minimum(self.felt if self.gain is None else self.felt * self.gain, 1.0)


def _no_arcs() -> Arcs:
    rows, numbers = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)
    return Arcs(numbers, rows, rows, np.zeros(0), np.zeros(0, dtype=np.float32), np.zeros(0), None, None)


class StaleError(RuntimeError):
    """The graph was changed since these weights were begun."""


class Weights:
    """Dynamic weights of one graph for one stance, worked out row by row on demand.

    Raises StaleError when the graph changed meanwhile: results would mix two states.
    """

    def __init__(self, graph: WorkingGraph, stance: QueryContext, *, barred: Collection[int] = ()) -> None:
        """Args: barred: notes that do not exist for this recall; links to them weigh nothing."""
        self.graph = graph
        self._shut = barred
        self._is_barred: NDArray[np.bool_] | None = None  # by row; None: nobody is
        if barred:
            rows = graph.notes.table.rows(np.fromiter(barred, np.int64, len(barred)))
            held = rows[rows != NOWHERE]
            if len(held):
                self._is_barred = np.zeros(len(graph.notes.ids), dtype=np.bool_)
                self._is_barred[held] = True
        self.stance = stance

        self._version = graph.version
        self._questions = stance.unit_questions() if len(graph.memories) else None  # else there is nothing to agree
        self._kind_gains = stance.kind_gains()
        self._mood_rate = stance.mood_rate()
        self._starts: dict[int, int] = {}  # row -> where it begins in the pool below
        self._lengths: dict[int, int] = {}
        self._used = 0
        self._ends: RowArray = np.empty(_POOL, dtype=np.int32)
        self._codes: RowArray = np.empty(_POOL, dtype=np.int32)
        self._shares: FloatArray = np.empty(_POOL)
        self._totals: dict[int, float] = {}
        self._least: dict[int, float] = {}  # row -> what its sum is at the least, saturation included
        self._is_even = not self._mood_rate and bool((self._kind_gains == 1.0).all())  # every end is as welcome
        self._least_gains: FloatArray | None = None
        if not self._is_even:
            least_gains = np.minimum(1.0, self._kind_gains * math.exp(-abs(self._mood_rate)))
            self._least_gains = None if bool((least_gains == 1.0).all()) else least_gains
        self.evaluated_links = 0

    def arcs(self, rows: IntArray, *, incoming: bool = False, least_bond: float = 0.0) -> Arcs:
        """The terms of every arc that leaves these rows, or with `incoming` reaches them from the same ends.

        With a `least_bond` only of arcs that have a memory vector or may have a G of at least that: of a hub's links
        most have neither, and are left out before anything is computed.
        """
        self._check_fresh()
        graph = self.graph
        ends, codes, owner = graph.arcs.gather(rows)
        if incoming:
            codes = codes ^ 1
        self.evaluated_links += len(codes)
        slots = codes.astype(np.int64) >> 1  # what is used as an index many times is 64 bits wide: NumPy's own size
        if least_bond > 0.0:
            highest = float(self._kind_gains.max()) * math.exp(abs(self._mood_rate)) * _ABOVE_ROUNDING
            may_follow = graph.links.a0[slots] * highest >= least_bond
            if len(graph.memories):
                may_follow |= graph.links.memory_places[codes] != NOWHERE
            kept = np.flatnonzero(may_follow)
            if not len(kept):
                return _no_arcs()
            ends, codes, slots, owner = ends[kept], codes[kept], slots[kept], owner[kept]
        traces = graph.links.traces.take(slots)  # several times as fast as by an index
        felt = strengths_of(traces, self.stance.now_ms)
        kinds = traces["kind"]
        if kinds.any():  # of associations all is felt, both ways
            felt *= FELT[kinds.astype(np.int64) * 2 + (codes & 1)]
        if self._is_barred is not None:
            felt[self._is_barred[ends]] = 0.0
        gain = None
        if not self._is_even:
            gain = self._gain_of(rows)[owner] if incoming else self._gain_of(ends)
        return Arcs(owner, ends, codes, felt, traces["trust"], traces["stability_ms"], gain, self._agreements(codes))

    def dynamic(self, arcs: Arcs) -> FloatArray:
        """w_uv = clamp(a * sqrt(conf) * g_type * g_mood * (1 + max(0, q·v_eff)), 1e-4, 1); 0 stays 0 (§3.6)."""
        base = arcs.felt * arcs.trust
        w = base if arcs.gain is None else base * arcs.gain
        if arcs.agreement is not None:
            w = w * (1.0 + arcs.agreement.max(axis=1))
        w = np.maximum(w, WEAKEST)
        np.minimum(w, 1.0, out=w)
        if len(base) and not base.min() > 0.0:
            w[~(base > 0.0)] = 0.0
        return w

    def renewed(self) -> Weights:
        """The same question put to the graph as it is now."""
        return Weights(self.graph, self.stance, barred=self._shut)

    @property
    def is_stale(self) -> bool:
        return self.graph.version != self._version

    def _check_fresh(self) -> None:
        if self.is_stale:
            raise StaleError

    def _gain_of(self, rows: IntArray | RowArray) -> FloatArray:
        notes = self.graph.notes
        gain: FloatArray = self._kind_gains[notes.kinds[rows]]
        if self._mood_rate:
            gain = gain * np.exp(self._mood_rate * notes.valences[rows])
        return gain

    def _agreements(self, codes: RowArray) -> FloatArray | None:
        memories = self.graph.memories
        if self._questions is None or not len(memories) or self._questions.shape[1] != memories.dimension:
            return None
        places = self.graph.links.memory_places[codes]
        touched = np.flatnonzero(places != NOWHERE)
        if not len(touched):
            return None
        found = np.zeros((len(codes), len(self._questions)))
        products = memories.agreements(places[touched], self._questions, self.stance.now_ms)
        found[touched] = np.maximum(products, 0.0)
        return found

    def prepare(self, rows: Sequence[int]) -> int:
        """Work out the transitions of these rows, those not yet known, in one go; how many these were.

        They stand at the end of the pool, in the order given.
        """
        self._check_fresh()
        fresh = [row for row in rows if row not in self._starts]
        if not fresh:
            return 0
        numbers = np.array(fresh, dtype=np.int64)
        self.graph.mark_read(numbers)
        learns = self._is_barred is None and self.graph.crowds.unknown(numbers)
        ends, codes, weights, lengths = self.merged(numbers, learns=learns)
        totals = _sums(weights, lengths)
        owners = np.repeat(np.arange(len(fresh)), lengths)
        start = self._used
        stop = self._make_room(len(ends))
        self._ends[start:stop], self._codes[start:stop] = ends, codes
        least = np.maximum(totals, SATURATION)
        self._shares[start:stop] = weights / least[owners]
        self._starts.update(zip(fresh, (start + np.cumsum(lengths) - lengths).tolist(), strict=True))
        self._lengths.update(zip(fresh, lengths.tolist(), strict=True))
        self._totals.update(zip(fresh, totals.tolist(), strict=True))
        self._least.update(zip(fresh, least.tolist(), strict=True))
        return len(fresh)

    def transitions(self, row: int) -> tuple[RowArray, RowArray, FloatArray]:
        """(ends, strongest link's code, P_uv) of one row, by end: views into what is known."""
        self.prepare((row,))
        part = slice(self._starts[row], self._starts[row] + self._lengths[row])
        return self._ends[part], self._codes[part], self._shares[part]

    def total(self, row: int) -> float:
        """Σ w_ux of a row, before saturation."""
        self.prepare((row,))
        return self._totals[row]

    def least_total(self, row: int) -> float:
        """A lower bound of max(Σ w_ux, W_sat), often known without working the row out."""
        return self.least_totals((row,))[row]

    def least_totals(self, rows: Iterable[int]) -> Mapping[int, float]:
        """`least_total` by row, of these and of what was asked before."""
        fresh = [row for row in rows if row not in self._least]
        if fresh:
            if self._is_barred is None:  # a bound counts links that are not there now
                bounds = self.graph.crowds.least_totals(fresh, self._least_gains, self.stance.now_ms)
                self._least.update(zip(fresh, np.maximum(bounds, SATURATION).tolist(), strict=True))
            else:
                self._least.update(dict.fromkeys(fresh, SATURATION))
        return self._least

    def heads(self, rows: Sequence[int], floors: Sequence[float], *, most: int) -> list[tuple[list[int], list[float]]]:
        """Of each row the arcs with P at least its floor, the most probable first: (ends, P), at most `most`."""
        before = self._used
        are_fresh = self.prepare(rows) == len(rows)
        lengths = np.array([self._lengths[row] for row in rows], dtype=np.int64)
        if are_fresh:  # then nothing need be picked out of the pool
            owner = np.repeat(np.arange(len(rows)), lengths)
            ends, shares = self._ends[before : self._used], self._shares[before : self._used]
        else:
            where, owner = spans(np.array([self._starts[row] for row in rows], dtype=np.int64), lengths)
            ends, shares = self._ends[where], self._shares[where]
        likely = np.flatnonzero(shares >= np.array(floors)[owner])
        owner, shares = owner[likely], shares[likely]
        order = _by_row_and_share(owner, shares, len(rows))
        ends, ordered = ends[likely[order]].tolist(), shares[order].tolist()
        stops = np.cumsum(np.bincount(owner, minlength=len(rows))).tolist()
        heads = []
        start = 0
        for stop in stops:
            last = min(stop, start + most)
            heads.append((ends[start:last], ordered[start:last]))
            start = stop
        return heads

    def _make_room(self, extra: int) -> int:
        needed = self._used + extra
        if needed > len(self._shares):
            capacity = max(needed, 2 * len(self._shares))
            self._ends, self._codes = enlarged(self._ends, capacity), enlarged(self._codes, capacity)
            self._shares = enlarged(self._shares, capacity)
        self._used = needed
        return needed

    def merged(
        self, rows: IntArray, *, incoming: bool = False, learns: bool = False
    ) -> tuple[RowArray, RowArray, FloatArray, IntArray]:
        """w of these rows, one arc a pair: (ends, codes, weights, arcs of each row); arcs that weigh nothing left out.

        Parallel links are joined by noisy-or, 1 - Π(1 - w), and the strongest gives the code (§4.6). With `learns` the
        graph keeps what it needs to bound the sums of these rows without reading them again.
        """
        arcs = self.arcs(rows, incoming=incoming)
        weights = self.dynamic(arcs)
        owner, ends, codes = arcs.owner, arcs.ends, arcs.codes
        strongest: IntArray | slice = slice(None)  # of each pair
        if len(weights) and not weights.min() > 0.0:
            strongest = np.flatnonzero(weights > 0.0)
            owner, ends, codes, weights = owner[strongest], ends[strongest], codes[strongest], weights[strongest]
        first = np.ones(len(ends), dtype=np.bool_)
        first[1:] = (ends[1:] != ends[:-1]) | (owner[1:] != owner[:-1])
        if not first.all():
            groups = np.flatnonzero(first)
            weights, best = _join_parallel(weights, groups)
            owner, ends, codes = owner[groups], ends[groups], codes[best]
            strongest = best if isinstance(strongest, slice) else strongest[best]
        whole = self.graph.arcs.lengths[rows].astype(np.int64)
        lengths = whole if len(ends) == len(arcs.ends) else np.bincount(owner, minlength=len(rows))
        if learns:
            worth = arcs.felt[strongest] * arcs.trust[strongest]
            fading = worth / arcs.stability_ms[strongest]
            self.graph.crowds.learn(rows, worth, fading, ends, lengths, self.stance.now_ms)
        return ends, codes, weights, lengths


def _join_parallel(weights: FloatArray, groups: IntArray) -> tuple[FloatArray, IntArray]:
    """Noisy-or of each group of neighbouring weights, and the place of its strongest; most groups are of one."""
    lengths = np.diff(np.append(groups, len(weights)))
    joined, strongest = weights[groups], groups.copy()
    several = np.flatnonzero(lengths > 1)
    places, owner = spans(groups[several], lengths[several])
    first = np.ones(len(places), dtype=np.bool_)
    first[1:] = owner[1:] != owner[:-1]
    joined[several] = 1.0 - np.multiply.reduceat(1.0 - weights[places], np.flatnonzero(first))
    strongest[several] = places[strongest_of(weights[places], first)]
    return joined, strongest


def _by_row_and_share(owner: IntArray, shares: FloatArray, count: int) -> IntArray:
    """The order by row, then by falling share, equals as they stand."""
    # By share, then by row; short numbers sort much faster, and so does what need not keep equals in their order.
    owner = owner.astype(np.uint16 if count <= 1 << 16 else np.int64)
    falling = -shares
    order = np.argsort(falling)
    order = order[np.argsort(owner[order], kind="stable")]
    rows, values = owner[order], falling[order]
    if ((values[1:] == values[:-1]) & (rows[1:] == rows[:-1])).any():
        order = np.argsort(falling, kind="stable")
        order = order[np.argsort(owner[order], kind="stable")]
    return order


def _sums(weights: FloatArray, lengths: IntArray) -> FloatArray:
    """The sum of each of these neighbouring slices; what stands beside a slice never changes its last bit."""
    totals = np.zeros(len(lengths))
    held = np.flatnonzero(lengths)
    if len(held):
        totals[held] = np.add.reduceat(weights, (np.cumsum(lengths) - lengths)[held])
    return totals
