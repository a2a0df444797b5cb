"""Vectors of two parts: one that texts of every language have, and before it one that only some have.

An embedder of two spaces side by side (`embed.adapters.paired_embedder`) makes them, and its fingerprint says where the
second part begins. Two texts that both lie mostly in the first part are compared there, as if there were no other. All
others are compared over what both have: by the weighted mean of their cosines in each part, each weighing as much as
both have of it. Pure; called wherever texts of several languages may meet.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MOSTLY_FIRST = 0.5  # of its length, in the shared part: a text with less of it lies mostly in the first

_MARK = "p"
_LEAST = 1e-6
_ALL = 1 - 1e-6
_MANY = 0.25  # of all vectors: to pick out more takes longer than to read them all


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


def cosines(vectors: Floats, others: Floats, start: int) -> Floats:
    """The cosines (n, m) of unit vectors (n, d) to others (m, d)."""
    products = np.asarray(vectors @ others.T, dtype=np.float32)
    if not start:
        return products
    one, other = shares(vectors, start)[:, None], shares(others, start)[None, :]
    first = np.asarray(vectors[:, :start] @ others[:, :start].T, dtype=np.float32)
    both_first = (one < MOSTLY_FIRST) & (other < MOSTLY_FIRST)
    return np.where(both_first, _in_first(first, one, other), _over_both(products, one, other))


def cosines_to(
    vectors: Floats, held: Floats, asked: Floats, start: int, product: Callable[[Floats, Floats], Floats]
) -> Floats:
    """The cosines (n,) of many vectors to one unit vector, without reading parts that say nothing.

    Args:
        held: their `shares`.
        product: of a matrix (n, d) with a vector.
    """
    own = shares(asked, start)
    if own >= _ALL:
        return _over_both(product(vectors[:, start:], asked[start:]), held, own)
    if own >= MOSTLY_FIRST:
        return _over_both(product(vectors, asked), held, own)
    found = _in_first(product(vectors[:, :start], asked[:start]), held, own)
    apart = np.flatnonzero(held >= MOSTLY_FIRST)
    if len(apart):
        products = product(vectors, asked)[apart] if len(apart) > _MANY * len(held) else vectors[apart] @ asked
        found[apart] = _over_both(products, held[apart], own)
    return found


def _in_first(products: Floats, first: Floats, second: Floats) -> Floats:
    """Cosines in the first part, from products there and the `shares` of both."""
    sizes = np.sqrt(np.maximum(0, 1 - first**2)) * np.sqrt(np.maximum(0, 1 - second**2))
    return np.asarray(products / np.maximum(sizes, _LEAST), dtype=np.float32)


def _over_both(products: Floats, first: Floats, second: Floats) -> Floats:
    """Cosines over what both have, from products of whole vectors and the `shares` of both."""
    one, other = np.sqrt(np.maximum(0, 1 - first**2)), np.sqrt(np.maximum(0, 1 - second**2))
    return np.asarray(products / np.maximum(first * second + one * other, _LEAST), dtype=np.float32)
