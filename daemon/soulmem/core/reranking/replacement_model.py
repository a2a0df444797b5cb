"""Replacement model: how likely a later statement takes the place of an earlier one, told by their vectors.

Called at recall for the answers that `competing_answers` holds against each other. Words seldom tell that "turned in my
badge today" ends "I guard the museum at night"; vectors of sentences do better. A network of one hidden layer reads
both vectors and their product by components (`benchmarks/changes/replacement.py` fits it on invented lives in English
and Chinese). Pure. Invariants: a logit depends on the two vectors alone; vectors of other encoders are not read.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

ENGLISH, EVERY = 384, 512  # components of the two parts that are read: MiniLM's, then the multilingual encoder's
FITTED = "core/reranking/replacement_model.npz"  # in the package
_ENGLISH_LENGTH = 0.9**0.5  # of the first part in a text that is all English
_SCALE, _PRODUCT_SCALE = 8.0, 48.0  # bring components of unit vectors near 1
_LEAST = 1e-6


class Network(NamedTuple):
    """Weights of the hidden layer (h units), by what they read, and of the last one."""

    earlier: Floats  # (d, h)
    later: Floats  # (d, h)
    product: Floats  # (d, h)
    hidden_bias: Floats  # (h,)
    last: Floats  # (h,)
    bias: float


def reads(start: int, width: int) -> bool:
    """Whether vectors of this width, whose shared part begins at `start`, are of the encoders it was fitted on."""
    return (start, width) == (ENGLISH, ENGLISH + EVERY)


def logits(vectors: Floats) -> Floats:
    """How likely each statement is replaced by each other one, were that the later: (n, n) logits, [earlier, later].

    `vectors`: (n, 896), as the two encoders side by side make them.
    """
    return weighed(network(), prepared(vectors))


def prepared(vectors: Floats) -> Floats:
    """Vectors as the network reads them: each part of unit length, the first shorter where little is English."""
    first, every = vectors[:, :ENGLISH] / _ENGLISH_LENGTH, vectors[:, ENGLISH:]
    length = np.maximum(np.linalg.norm(every, axis=1, keepdims=True), _LEAST)
    return np.asarray(_SCALE * np.concatenate([first, every / length], axis=1), dtype=np.float32)


def product(earlier: Floats, later: Floats) -> Floats:
    """What the network reads of two prepared vectors together, by components."""
    return np.asarray(earlier * later * np.float32(_PRODUCT_SCALE / _SCALE**2), dtype=np.float32)


def weighed(using: Network, table: Floats) -> Floats:
    """The logits (n, n) of prepared vectors (n, d): [earlier, later]."""
    before, after = table @ using.earlier, table @ using.later
    found = np.zeros((len(table), len(table)), dtype=np.float32)
    for place, row in enumerate(table):
        hidden = product(row[None, :], table) @ using.product + before[place] + after + using.hidden_bias
        found[place] = np.maximum(hidden, 0) @ using.last + using.bias
    return found


@cache
def network() -> Network:
    """The fitted network; its file holds the hidden layer as bytes, each unit with a scale."""
    with files("soulmem").joinpath(FITTED).open("rb") as file, np.load(file, allow_pickle=False) as held:
        hidden = held["hidden"].astype(np.float32) * held["scales"]
        earlier, later, both = np.split(hidden, 3)
        return Network(earlier, later, both, held["hidden_bias"], held["last"], float(held["bias"]))
