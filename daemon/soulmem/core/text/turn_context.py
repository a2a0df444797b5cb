"""Turn context: how much a text lends to the surroundings of those beside it.

Called by the embedding queue. An answer rarely repeats the words of its question, so a turn is also known by its
surroundings: the mean of its vector and those of its neighbours. Of a page beside a sentence nothing but the page would
be left, so a page lends as little as one turn of it. Pure. Invariant: a turn of usual length lends all it has.
"""

from __future__ import annotations

BESIDE = 240  # characters of a turn of usual length
PAGE = 1_000  # characters from which on a text has no surroundings: it says itself what it is about


def lends(length: int) -> float:
    """What the vector of a text of so many characters weighs beside that of its neighbour, 0..1."""
    return min(1.0, BESIDE / max(1, length))


def stands_alone(length: int) -> bool:
    """Whether a text of so many characters is a page."""
    return length > PAGE
