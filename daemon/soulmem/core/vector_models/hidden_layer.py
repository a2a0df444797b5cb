"""A network over the vectors of two sentences: a hidden layer that reads both and their product, and a product across.

The product by components tells where both vectors agree; the product across, of low rank, which direction of the one
goes with which of the other. The models of this room are such networks, fitted on invented lives in English and Chinese
by `benchmarks/changes`. They read the vectors of two encoders side by side, MiniLM and one of other languages, each
part at unit length, and no others; of each pair there is a fit of its own. Pure.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

ENGLISH = 384  # components of the first part, MiniLM's
PAIRS = {ENGLISH + 512: "use", ENGLISH + 384: "e5"}  # by all components: the encoder of the second part
FOLDER = "core/vector_models"  # in the package
SCALE = 8.0  # brings components of unit vectors near 1
_ENGLISH_LENGTH = 0.9**0.5  # of the first part in a text that is all English
_PRODUCT_SCALE = 48.0
_LEAST = 1e-6


class Network(NamedTuple):
    """Weights of the hidden layer (h units), by what they read, and of the last one; of the product across (r ranks),
    and what the second vector says alone.
    """

    first: Floats  # (d, h)
    second: Floats  # (d, h)
    product: Floats  # (d, h)
    hidden_bias: Floats  # (h,)
    last: Floats  # (h,)
    across_first: Floats  # (d, r)
    across_second: Floats  # (d, r)
    alone: Floats  # (d,)
    bias: float


def reads(start: int, width: int) -> bool:
    """Whether vectors of this width, whose shared part begins at `start`, are of the encoders it was fitted on."""
    return start == ENGLISH and width in PAIRS


def prepared(vectors: Floats) -> Floats:
    """Vectors (n, d) as a network reads them: each part of unit length, the first shorter where little is English."""
    first, every = vectors[:, :ENGLISH] / _ENGLISH_LENGTH, vectors[:, ENGLISH:]
    length = np.maximum(np.linalg.norm(every, axis=1, keepdims=True), _LEAST)
    return np.asarray(SCALE * np.concatenate([first, every / length], axis=1), dtype=np.float32)


def product(first: Floats, second: Floats) -> Floats:
    """What a network reads of two prepared vectors together, by components."""
    return np.asarray(first * second * np.float32(_PRODUCT_SCALE / SCALE**2), dtype=np.float32)


def judged(using: Network, first: Floats, second: Floats) -> Floats:
    """The logits (n,) of one prepared vector (d,) with each of others (n, d).

    What the first weighs is multiplied into the weights, so that the others are read once.
    """
    reads_second = first[:, None] * np.float32(_PRODUCT_SCALE / SCALE**2) * using.product + using.second
    hidden = second @ reads_second + (first @ using.first + using.hidden_bias)
    across = using.across_second @ (first @ using.across_first) + using.alone
    return np.asarray(np.maximum(hidden, 0) @ using.last + second @ across + using.bias, dtype=np.float32)


def file_name(name: str, width: int) -> str:
    """What the file of a network for vectors of this width is called."""
    return f"{name}_{PAIRS[width]}.npz"


@cache
def stored(name: str, width: int) -> Network:
    """The network fitted on vectors of this width; its file holds large tables as bytes, each column with a scale."""
    with (
        files("soulmem").joinpath(FOLDER, file_name(name, width)).open("rb") as file,
        np.load(file, allow_pickle=False) as held,
    ):
        hidden, across = (held[name].astype(np.float32) * held[f"{name}_scales"] for name in ("hidden", "across"))
        first, second, both = np.split(hidden, 3)
        across_first, across_second = np.split(across, 2)
        return Network(
            first, second, both, held["hidden_bias"], held["last"],
            across_first, across_second, held["alone"], float(held["bias"]),
        )  # fmt: skip
