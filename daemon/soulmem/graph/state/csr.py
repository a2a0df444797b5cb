"""A graph in compressed rows: what diffusion runs on, and what the solvers are measured against.

Invariant: weights are finite and positive, no node leads to itself, and there is one edge at most from u to v.
"""

from __future__ import annotations

import numpy as np

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.id_table import FloatArray, IntArray, summed

SATURATION = 1.0  # W_sat: links weaker in sum than one fresh strong link do not send all there is (algorithms.md §3.6)


@dataclass(frozen=True, slots=True)
class Csr:
    """Edges of node u: `ends[starts[u]:starts[u + 1]]`, ordered by end, with `weights`; `refused` were unsound."""

    starts: IntArray
    ends: IntArray
    weights: FloatArray
    refused: int = 0

    @property
    def node_count(self) -> int:
        return len(self.starts) - 1

    @property
    def edge_count(self) -> int:
        return len(self.ends)

    def owners(self) -> IntArray:
        """The node each edge leaves."""
        return np.repeat(np.arange(self.node_count), np.diff(self.starts))

    def out_weights(self) -> FloatArray:
        """The sum of the weights that leave each node."""
        return summed(self.owners(), self.weights, self.node_count)

    def in_weights(self) -> FloatArray:
        """The sum of the weights that reach each node."""
        return summed(self.ends, self.weights, self.node_count)
