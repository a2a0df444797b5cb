"""Passage weights: what the length of a text says of how it is to be read beside others.

Called by the in-memory index and the embedding queue. People talk in turns; assistants answer in pages. An answer
rarely repeats the words of its question, so a turn is read with the turns beside it, by its words and by the mean of
their vectors; a page lends them no more than a turn would, and takes as little, or it would be found by all that they
say and they by all that it says. And where an assistant answers in pages, a page has every word of the talk, while what
is asked for was said in a sentence. Pure. Invariants: a text of a turn's length has weight 1 throughout, so that talk
in turns is ranked as if none of this existed; the longer a page, the less, never 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

# In terms of `core.text.tokens`, of which Chinese has two a character. Chosen on conversations with an assistant;
# halving or doubling any moves recall@10 there by two or three points.
TURN = 150  # a text up to here is one turn among others
STATEMENT = 40  # what somebody says of his life in one note has no more, nearly always
STATEMENT_BYTES = 120  # the same in UTF-8, in which a Chinese character, half a word, has three
ASKING_SENTENCE = 20  # a sentence that asks has about so many; what a turn says besides, it tells

REPLY_POWER = 0.8  # of the share that an assistant's page has of a turn: it knows of whom it talks to what it was told


def turn_share(lengths: Floats) -> Floats:
    """How much of each text is one turn, 0..1: 1 up to TURN terms, then TURN / length."""
    return np.asarray(np.minimum(1, TURN / np.maximum(lengths, 1)), dtype=np.float32)


def statement_share(lengths: Floats) -> Floats:
    """How much of each text one statement is, 0..1: 1 up to STATEMENT terms, then STATEMENT / length."""
    return np.asarray(np.minimum(1, STATEMENT / np.maximum(lengths, 1)), dtype=np.float32)


def told_share(text: str) -> float:
    """`statement_share` of a text whose terms nobody counted."""
    return min(1.0, STATEMENT_BYTES / max(1, len(text.encode(errors="replace"))))


def asking_share(lengths: Floats) -> Floats:
    """How much of each text that ends in a question asks, 0..1."""
    return np.asarray(np.minimum(1, ASKING_SENTENCE / np.maximum(lengths, 1)), dtype=np.float32)


def worth(lengths: Floats, replies: Bools, *, wants_replies: bool = False) -> Floats:
    """What the evidence for each text counts: 1, but of a page that an assistant said ever less.

    `replies`: which are an assistant's; `wants_replies`: just those are asked for, so none of them weighs less.
    """
    if wants_replies:
        return np.ones(len(lengths), dtype=np.float32)
    return np.asarray(np.where(replies, turn_share(lengths) ** np.float32(REPLY_POWER), np.float32(1)))


BESIDE = 240  # characters of a turn of usual length
PAGE = 1_000  # characters from which on a text has no surroundings: it says itself what it is about


def lends(length: int) -> float:
    """What the vector of a text of so many characters weighs beside that of its neighbour, 0..1."""
    return min(1.0, BESIDE / max(1, length))


def stands_alone(length: int) -> bool:
    """Whether a text of so many characters is a page."""
    return length > PAGE
