"""Vectors of two parts: one that texts of every language have, and before it one that only some have.

An embedder of two spaces side by side (`embed.paired`) makes them, and its fingerprint says where the second part
begins. Two texts are compared over what both have: the weighted mean of their cosines in each part, each weighing as
much as both have of it. Among texts of one kind that is their plain cosine. Pure; called wherever texts of several
languages may meet. Method: the weights cancel what a text lacks, as in a cosine over the dimensions both share.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_MARK = "p"
_LEAST = 1e-6


def marked(fingerprint: str, shared_from: int) -> str:
    """A fingerprint that says where the part begins that every text has."""
    return f"{fingerprint}{_MARK}{shared_from}"


def shared_from(fingerprint: str) -> int:
    """Where the vectors of this fingerprint have the part that every text has; 0: they are of one part."""
    _, mark, start = fingerprint.partition(_MARK)
    return int(start) if mark else 0


def shares(vectors: Floats, start: int) -> Floats:
    """How much of each vector (..., d) lies from `start` on, by length; 1 of one that is nothing."""
    whole = np.linalg.norm(vectors, axis=-1)
    part = np.linalg.norm(vectors[..., start:], axis=-1)
    return np.asarray(np.where(whole > _LEAST, part / np.maximum(whole, _LEAST), 1.0), dtype=np.float32)


def compared(products: Floats, first: Floats, second: Floats) -> Floats:
    """Cosines over what both have, from products of vectors and the `shares` of both."""
    one, other = np.sqrt(np.maximum(0, 1 - first**2)), np.sqrt(np.maximum(0, 1 - second**2))
    return np.asarray(products / np.maximum(first * second + one * other, _LEAST), dtype=np.float32)


def cosines(vectors: Floats, others: Floats, start: int) -> Floats:
    """The cosines (n, m) of unit vectors (n, d) to others (m, d) over what both have."""
    products = np.asarray(vectors @ others.T, dtype=np.float32)
    return compared(products, shares(vectors, start)[:, None], shares(others, start)) if start else products
