"""EdgeSweep: weighted PageRank from a few seeds, at a cost set by a budget and not by the size of the graph.

Tier 2 of recall. pi = a Σ (1-a)^k (P^T)^k s is approached from below by sending mass along single edges, never less
than `delta` at once, the best edges of a note first; so at most (1-a) / (a * delta) pushes happen whatever the graph.
Sources: EdgePush (Wang et al., PVLDB 15(7), 2022) without its heaps, algorithms.md §4.5-4.7; dynamic weights §3.6.

Invariants, with q the income of a note, Q what was sent along an edge and R = (1-a) q P - Q what was not yet:
I1  pi^ = a q <= pi, and Σ|pi - pi^| <= ΣR.
I2  When a run ends of itself, R < 2 delta on every edge, those beyond `max_out` of a note excepted: they leak.
I3  The same graph and seeds give the same bits, in whatever order links and seeds came in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.state.id_table import NOWHERE, FloatArray, IntArray

TELEPORT = 0.5
DELTA = 1e-4
MAX_PUSHES = 20_000
MAX_OUT = 256
# A note's edges are sorted down to what it could send with four times its present income; beyond, they are sorted
# again. Most notes never get there, and sorting whole rows would cost more than sending.
_FORESIGHT = 4.0


Heads = list[tuple[list[int], list[float]]]


@dataclass(frozen=True, slots=True)
class Scores:
    """pi^ of every note that got any mass: `ids` ascending, `values` beside them. Not normalised (§4.6)."""

    ids: IntArray
    values: FloatArray

    def of(self, note: int) -> float:
        """pi^ of one note; 0 when nothing reached it."""
        place = int(np.searchsorted(self.ids, note))
        return float(self.values[place]) if place < len(self.ids) and int(self.ids[place]) == note else 0.0


class ApproximatePpr:
    """One diffusion of mass from seeds (note id -> share, made to sum to 1; unknown notes are left out).

    `run` may be called again with a smaller delta: it goes on from where it stands (§4.7). `pushes` counts all of
    them; `is_cut` says that `max_pushes` ended the last run before it was done.
    """

    def __init__(
        self,
        weights: Weights,
        seeds: Mapping[int, float],
        *,
        teleport: float = TELEPORT,
        max_out: int = MAX_OUT,
        max_pushes: int = MAX_PUSHES,
    ) -> None:
        if not 0.0 < teleport < 1.0:
            raise ValueError(f"the teleport probability lies between 0 and 1, not at {teleport}")
        self.teleport = teleport
        self.pushes = 0
        self.delta = math.inf
        self.is_cut = False
        self._weights = weights
        self._max_out = max_out
        self._max_pushes = max_pushes
        table = weights.graph.notes.table
        self._income = {table.row(note): share for note, share in seed_shares(weights, seeds).items()}  # q, by row
        self._bars: dict[int, float] = {}  # income from which a visit is worth its while
        self._heads: dict[int, tuple[list[int], list[float], float]] = {}  # ends, P, and down to which P
        self._sent: dict[int, list[float]] = {}  # Q along the heads
        self._wanting: set[int] = set()

    def run(self, delta: float = DELTA) -> None:
        """Send until nothing of `delta` (above 0) is left to send anywhere."""
        wave = self._begin(delta)
        while wave and not self.is_cut:
            ready, short, floors = self._sift(wave, self._weights.least_totals(wave))
            self._take(short, floors, self._weights.heads(short, floors, most=self._max_out) if short else [])
            wave = self._visit(ready)

    def _begin(self, delta: float) -> list[int]:
        """Start a run; its first wave."""
        if not delta > 0.0:
            raise ValueError(f"delta must be positive, not {delta}")
        self.delta = delta
        self.is_cut = False
        wave = list(self._income)
        self._bars = dict.fromkeys(wave, math.inf)
        return wave

    def _sift(self, wave: list[int], least_totals: Mapping[int, float]) -> tuple[list[int], list[int], list[float]]:
        """(those of a wave that have something to send, those whose heads are to be sorted deeper, down to which P).

        `least_totals`: what these send in all at the least.
        """
        income, heads = self._income, self._heads
        stay = 1.0 - self.teleport
        least = self.delta / stay  # income below which not even a sure edge gets delta
        whole = self._weights.graph.notes.whole
        ready, short = [], []
        for row in wave:
            if income[row] < least:
                del self._bars[row]  # from the start of a run: not worth a visit yet
                continue
            if not whole[row]:
                self._wanting.add(row)
                continue
            if row not in heads:
                # No weight is above 1: not even the best edge of a crowd gets delta of too little.
                bar = least * least_totals[row]
                if income[row] < bar:
                    self._bars[row] = bar
                    continue
            ready.append(row)
            if row not in heads or heads[row][2] > self.delta / (stay * income[row]):
                short.append(row)
        return ready, short, [self.delta / (_FORESIGHT * stay * income[row]) for row in short]

    def _take(self, short: list[int], floors: list[float], found: Heads) -> None:
        """Hold deeper heads of some rows."""
        for row, floor, (ends, shares) in zip(short, floors, found, strict=True):
            self._heads[row] = (ends, shares, floor)
            sent = self._sent.setdefault(row, [])
            sent += [0.0] * (len(ends) - len(sent))

    def _visit(self, wave: list[int]) -> list[int]:
        """Send from each of these what is at least delta; returns those that got enough to send in turn."""
        income, bars, heads, sums = self._income, self._bars, self._heads, self._sent
        stay, delta = 1.0 - self.teleport, self.delta
        unknown_bar, room = delta / stay, self._max_pushes - self.pushes
        income_of, bar_of = income.get, bars.get
        following: list[int] = []
        for row in wave:
            mass = stay * income[row]
            ends, shares, floor = heads[row]
            sent = sums[row]
            for place, share in enumerate(shares):
                due = mass * share
                if due < delta:
                    break
                step = due - sent[place]
                if step >= delta:
                    if not room:
                        self.is_cut = True
                        self.pushes = self._max_pushes
                        return []
                    room -= 1
                    sent[place] = due
                    end = ends[place]
                    now = income_of(end, 0.0) + step
                    income[end] = now
                    if now >= bar_of(end, unknown_bar):
                        following.append(end)
                        bars[end] = math.inf  # queued
            # Further income is worth a visit once it lets the best edge send delta; an edge beyond the head is
            # worth less than its floor. So a visit in vain sends nothing. A note queued again within this wave keeps
            # its place in the queue.
            best, before = (shares[0], sent[0]) if shares else (min(floor, 1.0), 0.0)
            bars[row] = (before + delta) / (stay * best)
        self.pushes = self._max_pushes - room
        return following

    def reached(self) -> tuple[IntArray, FloatArray]:
        """The ids of the notes that got any mass, in no order, and pi^ = a q of each."""
        rows = np.fromiter(self._income.keys(), np.int64, len(self._income))
        values = self.teleport * np.fromiter(self._income.values(), np.float64, len(rows))
        return self._weights.graph.notes.ids[rows], values

    def scores(self) -> Scores:
        """pi^ by note."""
        ids, values = self.reached()
        order = np.argsort(ids)
        return Scores(ids[order], values[order])

    def wanting(self) -> list[int]:
        """Notes that got mass but whose neighbourhood is not in memory: load it and begin anew. Best first."""
        ids = self._weights.graph.notes.ids
        ordered = sorted(self._wanting, key=lambda row: (-self._income[row], int(ids[row])))
        return [int(ids[row]) for row in ordered]


def run_together(sweeps: Sequence[ApproximatePpr], deltas: Sequence[float]) -> None:
    """Run several sweeps over the same weights, wave by wave side by side: each ends where it would have alone.

    What a wave must know of the weights is worked out for all of them at once, which is most of the work.
    """
    waves = [sweep._begin(delta) for sweep, delta in zip(sweeps, deltas, strict=True)]
    while any(waves):
        least_totals = sweeps[0]._weights.least_totals(dict.fromkeys(chain.from_iterable(waves)))
        sifted = [sweep._sift(wave, least_totals) for sweep, wave in zip(sweeps, waves, strict=True)]
        rows = [row for _, short, _ in sifted for row in short]
        floors = [floor for _, _, least in sifted for floor in least]
        found = sweeps[0]._weights.heads(rows, floors, most=sweeps[0]._max_out) if rows else []
        start = 0
        for place, (sweep, (ready, short, least)) in enumerate(zip(sweeps, sifted, strict=True)):
            sweep._take(short, least, found[start : start + len(short)])
            start += len(short)
            waves[place] = [] if sweep.is_cut else sweep._visit(ready)


def reached_together(sweeps: Sequence[ApproximatePpr]) -> tuple[IntArray, FloatArray, list[int]]:
    """What several sweeps over the same weights reached, one after the other: (rows, pi^, how many of each sweep)."""
    lengths = [len(sweep._income) for sweep in sweeps]
    rows = np.fromiter(chain.from_iterable(sweep._income for sweep in sweeps), np.int64, sum(lengths))
    masses = np.fromiter(chain.from_iterable(sweep._income.values() for sweep in sweeps), np.float64, len(rows))
    teleports = np.repeat([sweep.teleport for sweep in sweeps], lengths)
    return rows, teleports * masses, lengths


def seed_shares(weights: Weights, seeds: Mapping[int, float]) -> dict[int, float]:
    """s by note, by id: known notes with a sound share, made to sum to 1."""
    table = weights.graph.notes.table
    sound = {
        note: share
        for note, share in sorted(seeds.items())
        if math.isfinite(share) and share > 0.0 and table.row(note) != NOWHERE
    }
    total = math.fsum(sound.values())
    return {note: share / total for note, share in sound.items()}
