"""How like two texts are, whatever embedder made their vectors and whatever languages they are in.

An embedder of two spaces side by side (`paired`) gives every text a vector in the second, and an English one a vector
in the first as well. Two texts are compared over what both have. Called by whoever wants the likeness of two short
texts.
"""

from __future__ import annotations

import numpy as np

from soulmem.ports import BLIND_BELOW, Embedder, FloatVector


def shared_from(embedder: Embedder) -> int:
    """Where the part of its vectors begins that texts of every language have; 0: it has a single space."""
    return int(getattr(embedder, "shared_from", 0))


def like(first: FloatVector, second: FloatVector, shared: int = 0) -> float:
    """The cosine of two vectors over what both have.

    Args:
        first, second: unit vectors of one embedder.
        shared: its `shared_from`.
    """
    if shared and not (first[:shared].any() and second[:shared].any()):
        first, second = first[shared:], second[shared:]
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / size if size else 0.0


def likeness(embedder: Embedder, first: str, second: str) -> float | None:
    """The cosine of two short texts, each in any language; None where the embedder cannot read both.

    Two statements about the same thing come out above 0.5, unrelated ones about 0.2 with a spread of 0.13
    (see the calibration of the models). It computes; call it in a thread.

    Raises:
        SoulmemError: `model_unavailable`, when an endpoint does not answer.
    """
    if min(map(embedder.coverage, (first, second))) < BLIND_BELOW:
        return None
    one, other = embedder.embed([first, second])
    return like(one, other, shared_from(embedder))
