"""Graph columns: what the working graph knows of each note and each link, as columns.

Owns the columns and the ids; `working_graph` keeps them in step with the arcs, `edge_weights` reads them many at a
time. Invariant: a row or slot in use has an id; one that is free has none and is used again.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.id_table import NOWHERE, FloatArray, IdTable, IntArray, RowArray, Vector, enlarged

# The kinds by their names on the wire; a code is a place in these.
NOTE_KINDS = ("episodic", "abstract", "semantic", "procedural", "trigger", "reflection", "plan", "lore")
LINK_KINDS = ("association", "semantic", "abstract_of", "trigger", "evidence", "supersedes")
NOTE_CODES = {kind: code for code, kind in enumerate(NOTE_KINDS)}
LINK_CODES = {kind: code for code, kind in enumerate(LINK_KINDS)}
ASSOCIATION = LINK_CODES["association"]

# How much of a link's strength is felt against its direction (algorithms.md §2.4).
BACKWARD = {kind: {"association": 1.0, "trigger": 0.2}.get(kind, 0.6) for kind in LINK_KINDS}
FELT = np.array([[1.0, BACKWARD[kind]] for kind in LINK_KINDS]).ravel()  # by code of the kind * 2 + direction
NO_TALK = 0  # written by a client
SLOT_LIMIT = 1 << 30  # a code is a slot and a direction in 31 bits


@dataclass(frozen=True, slots=True)
class GraphNote:
    """A note as the graph knows it. `valence` -1..1.

    `talk`: in which conversation and epoch it was told, as one number; `names`: of whom and what it speaks.
    """

    id: int
    kind: str
    valence: float = 0.0
    talk: int = NO_TALK
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphLink:
    """A valid link of the store; times in experienced milliseconds."""

    id: int
    src: int
    dst: int
    kind: str
    a0: float
    t0_ms: int
    stability_ms: int
    confidence: float = 1.0


class _Records:
    """Numbered places with an id each."""

    def __init__(self) -> None:
        self.table = IdTable()
        self.ids: IntArray = np.zeros(0, dtype=np.int64)
        self.used = 0  # places ever used; those beyond are fresh
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self.table)

    def take(self, key: int, limit: int) -> int:
        """A place for a new id."""
        if self._free:
            place = self._free.pop()
        else:
            place = self.used
            if place >= len(self.ids):
                self.reserve(min(limit, max(64, place + place // 2)))
            self.used += 1
        self.ids[place] = key
        self.table.add(key, place)
        return place

    def give_up(self, place: int) -> None:
        self.table.remove(int(self.ids[place]))
        self.ids[place] = NOWHERE
        self._free.append(place)

    def reserve(self, capacity: int) -> None:
        self.ids = enlarged(self.ids, capacity, NOWHERE)


class NoteRecords(_Records):
    """Notes by row."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self.valences: Vector = np.zeros(0, dtype=np.float32)
        self.whole: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)  # all links of the note are held
        self.read_at: IntArray = np.zeros(0, dtype=np.int64)  # number of the reading that used it last
        self.talks: IntArray = np.zeros(0, dtype=np.int64)

    def write(self, row: int, note: GraphNote) -> None:
        self.kinds[row] = NOTE_CODES[note.kind]
        self.valences[row] = min(1.0, max(-1.0, note.valence)) if math.isfinite(note.valence) else 0.0
        self.talks[row] = note.talk

    def live(self) -> IntArray:
        """The rows of all notes, by id."""
        rows = np.flatnonzero(self.ids[: self.used] != NOWHERE)
        return rows[np.argsort(self.ids[rows], kind="stable")]

    def reserve(self, capacity: int) -> None:
        super().reserve(capacity)
        self.kinds, self.valences = enlarged(self.kinds, capacity), enlarged(self.valences, capacity)
        self.whole, self.read_at = enlarged(self.whole, capacity), enlarged(self.read_at, capacity)
        self.talks = enlarged(self.talks, capacity, NO_TALK)


# What is read of a link to weigh it stands together: links are reached in no order, and each column would be another
# line of memory to wait for.
_TRACES = np.dtype(
    [("t0_ms", np.int64), ("stability_ms", np.float64), ("a0", np.float32), ("trust", np.float32), ("kind", np.uint8)],
    align=True,
)
Traces = NDArray[np.void]


class LinkRecords(_Records):
    """Links by slot. Memory places go by code: slot * 2, and slot * 2 + 1 against the direction.

    `a0`, `t0_ms`, `stability_ms`, `trust` and `kinds` are views of `traces`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sources: RowArray = np.zeros(0, dtype=np.int32)
        self.targets: RowArray = np.zeros(0, dtype=np.int32)
        self._view(np.zeros(0, dtype=_TRACES))
        self.memory_places: RowArray = np.zeros(0, dtype=np.int32)  # -1: none

    def write(self, slot: int, link: GraphLink) -> None:
        self.kinds[slot] = LINK_CODES[link.kind]
        self.trust[slot] = math.sqrt(link.confidence)
        self.write_trace(slot, link.a0, link.t0_ms, link.stability_ms)

    def write_trace(self, slot: int, a0: float, t0_ms: int, stability_ms: int) -> None:
        self.a0[slot], self.t0_ms[slot], self.stability_ms[slot] = a0, t0_ms, stability_ms

    def strengths(self, slots: IntArray | RowArray, now_ms: int) -> FloatArray:
        """a0 * exp(-(now - t0) / S) of some links."""
        return strengths_of(self.traces.take(slots), now_ms)

    def reserve(self, capacity: int) -> None:
        super().reserve(capacity)
        self.sources, self.targets = enlarged(self.sources, capacity), enlarged(self.targets, capacity)
        self._view(enlarged(self.traces, capacity))
        self.memory_places = enlarged(self.memory_places, 2 * capacity, NOWHERE)

    def _view(self, traces: Traces) -> None:
        self.traces = traces
        self.kinds: NDArray[np.uint8] = traces["kind"]
        self.a0: Vector = traces["a0"]
        self.trust: Vector = traces["trust"]  # square root of the confidence
        self.t0_ms: IntArray = traces["t0_ms"]
        self.stability_ms: FloatArray = traces["stability_ms"]


def strengths_of(traces: Traces, now_ms: int) -> FloatArray:
    """a0 * exp(-(now - t0) / S) of some of `LinkRecords.traces`; an age is never negative (algorithms.md §0.2)."""
    ages = np.maximum(0, now_ms - traces["t0_ms"]) / traces["stability_ms"]
    faded: FloatArray = np.exp(-ages) * traces["a0"]
    return faded


def is_trace(a0: float, stability_ms: float) -> bool:
    """Whether these can be the strength and the stability of a link; NaN is neither."""
    return 0.0 < a0 <= 1.0 and 1 <= stability_ms < math.inf
