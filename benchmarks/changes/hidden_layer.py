"""Fits a network over two vectors (`core/vector_models/hidden_layer`) by Adam with dropout, and stores it.

Adam with decoupled decay (Loshchilov, Hutter 2019), and a rate that falls to nothing. What the loss is says who fits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema.two_part_vectors import shared_from
from soulmem.core.vector_models import hidden_layer
from soulmem.core.vector_models.hidden_layer import Network, prepared, product
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ports import Embedder

PACKAGE = Path(__file__).resolve().parents[2] / "daemon" / "soulmem"
UNITS, RANKS, RATE, DECAY = 96, 64, 1e-3, 0.3
DROPPED_INPUT, DROPPED_HIDDEN = 0.3, 0.5  # of the ranks as many as of the units
_BEGINS = 0.05  # the spread of the weights across before anything is learnt
_ACROSS = 8.0  # what a product of unit vectors across counts
Floats = NDArray[np.float32]


class Fit:
    """A network while it is fitted; it reads rows of (first, second, product), (n, 3 d)."""

    def __init__(self, width: int, chance: np.random.Generator, bias: float = 0.0) -> None:
        self._chance, self._step = chance, 0
        self._weights = {
            "hidden": chance.normal(0, width**-0.5, (width, UNITS)).astype(np.float32),
            "hidden_bias": np.zeros(UNITS, np.float32),
            "last": chance.normal(0, UNITS**-0.5, UNITS).astype(np.float32),
            "across_first": chance.normal(0, _BEGINS, (width // 3, RANKS)).astype(np.float32),
            "across_second": chance.normal(0, _BEGINS, (width // 3, RANKS)).astype(np.float32),
            "alone": np.zeros(width // 3, np.float32),
            "bias": np.full(1, bias, np.float32),
        }
        self._first = {name: np.zeros_like(value) for name, value in self._weights.items()}
        self._second = {name: np.zeros_like(value) for name, value in self._weights.items()}

    def learn(self, read: Floats, slope: Callable[[Floats], Floats], rate: float) -> None:
        """One step. `slope`: of the loss by each logit, given the logits (n,) of the rows; `rate`: share of `RATE`."""
        weights = self._weights
        read = read * self._kept(read.shape, DROPPED_INPUT)
        hidden = read @ weights["hidden"] + weights["hidden_bias"]
        kept = self._kept(hidden.shape, DROPPED_HIDDEN)
        lit = np.maximum(hidden, 0) * kept
        first, second = (part / np.float32(hidden_layer.SCALE) for part in np.split(read, 3, axis=1)[:2])
        kept_ranks = self._kept((len(read), RANKS), DROPPED_HIDDEN) * np.float32(_ACROSS)
        across_first, across_second = first @ weights["across_first"], second @ weights["across_second"]
        across = (across_first * across_second * kept_ranks).sum(axis=1) + second @ weights["alone"]
        off = slope(lit @ weights["last"] + across + weights["bias"][0])
        back = np.outer(off, weights["last"]) * kept * (hidden > 0)
        back_ranks = off[:, None] * kept_ranks
        slopes = {
            "hidden": read.T @ back,
            "hidden_bias": back.sum(0),
            "last": lit.T @ off,
            "across_first": first.T @ (back_ranks * across_second),
            "across_second": second.T @ (back_ranks * across_first),
            "alone": second.T @ off,
            "bias": off.sum(keepdims=True),
        }
        self._step += 1
        for name, value in slopes.items():
            first = self._first[name] = 0.9 * self._first[name] + 0.1 * value
            second = self._second[name] = 0.999 * self._second[name] + 0.001 * value * value
            move = first / (1 - 0.9**self._step) / (np.sqrt(second / (1 - 0.999**self._step)) + 1e-8)
            decay = DECAY * self._weights[name] if "bias" not in name else 0.0
            self._weights[name] = self._weights[name] - np.float32(RATE * rate) * (move + decay)

    def _kept(self, shape: tuple[int, ...], dropped: float) -> Floats:
        """A factor for each value: 0 of those that are dropped, so much more of the others."""
        kept = self._chance.random(shape, dtype=np.float32) > dropped
        return np.asarray(kept / np.float32(1 - dropped), dtype=np.float32)

    def network(self) -> Network:
        weights, scale = self._weights, np.float32(hidden_layer.SCALE)
        first, second, both = np.split(weights["hidden"], 3)
        share = np.float32(_ACROSS**0.5) / scale
        return Network(
            first, second, both, weights["hidden_bias"], weights["last"],
            weights["across_first"] * share, weights["across_second"] * share, weights["alone"] / scale,
            float(weights["bias"][0]),
        )  # fmt: skip


class Vectors:
    """The prepared vectors of texts, embedded once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._held: dict[str, Floats] = {}

    @property
    def width(self) -> int:
        """Components of a vector."""
        return self._embedder.dimension

    def add(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._held]
        for start in range(0, len(new), 256):
            batch = new[start : start + 256]
            self._held |= dict(zip(batch, prepared(self._embedder.embed(batch)), strict=True))

    def of(self, texts: Sequence[str]) -> Floats:
        return np.stack([self._held[text] for text in texts])


def read_by(first: Floats, second: Floats) -> Floats:
    """What the network reads of pairs of prepared vectors, (n, 3 d)."""
    return np.concatenate([first, second, product(first, second)], axis=1)


def both_encoders(name: str) -> Embedder:
    """The two encoders that a name stands for, where both are installed."""
    embedder, lacking = load_embedder(EmbedderSpec(name), default_paths.models_directory(os.environ))
    if not hidden_layer.reads(shared_from(embedder.fingerprint), embedder.dimension):
        raise SystemExit(lacking or f"{name} is not two encoders side by side")
    return embedder


def store(network: Network, name: str) -> int:
    """The large tables as bytes, each column's weights as 127ths of its largest; how many bytes the file has."""
    file = PACKAGE / hidden_layer.FOLDER / hidden_layer.file_name(name, len(network.first))
    hidden, hidden_scales = _as_bytes(np.concatenate([network.first, network.second, network.product]))
    across, across_scales = _as_bytes(np.concatenate([network.across_first, network.across_second]))
    np.savez_compressed(
        file, hidden=hidden, hidden_scales=hidden_scales, across=across, across_scales=across_scales,
        hidden_bias=network.hidden_bias, last=network.last, alone=network.alone, bias=np.float32(network.bias),
    )  # fmt: skip
    hidden_layer.stored.cache_clear()
    return file.stat().st_size


def _as_bytes(table: Floats) -> tuple[NDArray[np.int8], Floats]:
    scales = np.asarray(np.abs(table).max(axis=0) / 127, dtype=np.float32)
    return np.round(table / scales).astype(np.int8), scales
