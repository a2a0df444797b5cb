"""Edge memory: what each link remembers of the questions it once helped to answer.

Owns the vectors of a working graph; `working_graph` keeps them in step with the links, `edge_weights` reads them.
Invariant: at most `limit` vectors are held (the one untouched for longest gives way), so memory is bounded
whatever is learned. Source: ReMindRAG; algorithms.md §3.4. A vector fades: v_eff = v * exp(-(now - t) / 90 d).
"""

from __future__ import annotations

import math

import numpy as np

from soulmem.graph.state.id_table import NOWHERE, FloatArray, IntArray, RowArray, Vector, enlarged

MEMORY_STABILITY_MS = 90 * 86_400_000


def faded(vector: Vector, age_ms: int) -> Vector:
    """What is left of a vector after some experienced time; one from the future is as it is."""
    left: Vector = vector * np.float32(math.exp(-max(0, age_ms) / MEMORY_STABILITY_MS))
    return left


class MemoryVectors:
    """A bounded pool of float32 vectors with the moment each was last changed. Places are reused."""

    def __init__(self, dimension: int, limit: int) -> None:
        self.dimension = dimension
        self._limit = limit
        self._vectors: Vector = np.zeros((0, dimension), dtype=np.float32)
        self._at_ms: IntArray = np.zeros(0, dtype=np.int64)
        self._places: dict[int, int] = {}  # key of the owner -> place, the one changed longest ago first
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._places)

    def put(self, owner: int, vector: Vector, at_ms: int) -> tuple[int, int]:
        """Hold a vector for `owner`; returns its place, and the owner that had to give way or -1."""
        place = self._places.pop(owner, NOWHERE)
        displaced = NOWHERE
        if place == NOWHERE:
            if len(self._places) >= self._limit:
                displaced = next(iter(self._places))
                self.drop(displaced)
            place = self._free.pop() if self._free else self._next_place()
        self._places[owner] = place
        self._vectors[place] = vector
        self._at_ms[place] = at_ms
        return place, displaced

    def drop(self, owner: int) -> None:
        place = self._places.pop(owner, NOWHERE)
        if place != NOWHERE:
            self._free.append(place)

    def read(self, place: int, now_ms: int) -> Vector:
        """A copy of the vector as it is now: faded."""
        return faded(self._vectors[place], now_ms - int(self._at_ms[place]))

    def agreements(self, places: IntArray | RowArray, questions: Vector, now_ms: int) -> FloatArray:
        """q·v_eff for every place and every question, shape (places, questions)."""
        ages = np.maximum(0, now_ms - self._at_ms[places])
        fading = np.exp(-ages / MEMORY_STABILITY_MS)
        products: FloatArray = (self._vectors[places] @ questions.T).astype(np.float64) * fading[:, None]
        return products

    def _next_place(self) -> int:
        place = len(self._places)
        if place >= len(self._at_ms):
            capacity = min(self._limit, max(16, 2 * place))
            self._vectors = enlarged(self._vectors, capacity)
            self._at_ms = enlarged(self._at_ms, capacity)
        return place
