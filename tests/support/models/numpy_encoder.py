"""The encoder once more in NumPy, slow and plain: the oracle the ONNX graph is measured against.

Called by tests and by `soulmem model test`, never by the daemon. It computes in float64 with an exact erf, so
what differs from the graph is the graph's rounding. One sentence at a time: no padding, no mask to get wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.install.onnx_export import LAYER_NORM_EPSILON, bert_shape, tensor_places
from soulmem.embed.install.onnx_quantisation import MOST_INPUT, quantised_rows
from soulmem.ports import FloatMatrix

Matrix = NDArray[np.float64]
_erf = np.frompyfunc(math.erf, 1, 1)


class ReferenceEncoder:
    """A BERT sentence encoder over a safetensors file; memory: the weights, widened to float64."""

    def __init__(self, weights: Path, *, heads: int) -> None:
        from safetensors import safe_open  # noqa: PLC0415  # only for those who want the oracle

        self._shape = bert_shape(tensor_places(weights), heads=heads)
        with safe_open(weights, framework="numpy") as tensors:
            self._tensors = {name: tensors.get_tensor(name) for name in tensors.keys()}  # noqa: SIM118  # no dict
        self._prepared: dict[str, tuple[Matrix, Matrix | float]] = {}

    def encode(self, ids: Sequence[int]) -> FloatMatrix:
        """The unit vector (hidden,) of one sentence given as token ids, special tokens included."""
        words = self._tensor("embeddings.word_embeddings.weight")[list(ids)].astype(np.float64)
        places = self._tensor("embeddings.position_embeddings.weight")[: len(ids)]
        segment = self._tensor("embeddings.token_type_embeddings.weight")[0]
        x = self._norm(words + places + segment, "embeddings.LayerNorm")
        for number in range(self._shape.layers):
            x = self._layer(x, f"encoder.layer.{number}")
        mean = x.mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)

    def _tensor(self, name: str) -> NDArray[np.float32]:
        return np.asarray(self._tensors[name], dtype=np.float32)

    def _dense(self, x: Matrix, prefix: str) -> Matrix:
        weight, _ = self._weight(prefix)
        return np.asarray(x @ weight.T + self._tensor(f"{prefix}.bias"), dtype=np.float64)

    def _weight(self, prefix: str) -> tuple[Matrix, Matrix | float]:
        """What a dense layer multiplies by, and its scale; made once for all sentences."""
        if prefix not in self._prepared:
            self._prepared[prefix] = self._prepare(self._tensor(f"{prefix}.weight"))
        return self._prepared[prefix]

    def _prepare(self, weight: NDArray[np.float32]) -> tuple[Matrix, Matrix | float]:
        return weight.astype(np.float64), 1.0

    def _norm(self, x: Matrix, prefix: str) -> Matrix:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + LAYER_NORM_EPSILON)
        scaled = centred / spread * self._tensor(f"{prefix}.weight") + self._tensor(f"{prefix}.bias")
        return np.asarray(scaled, dtype=np.float64)

    def _layer(self, x: Matrix, prefix: str) -> Matrix:
        attended = self._attention(x, f"{prefix}.attention.self")
        middle = self._norm(
            self._dense(attended, f"{prefix}.attention.output.dense") + x, f"{prefix}.attention.output.LayerNorm"
        )
        wide = self._dense(middle, f"{prefix}.intermediate.dense")
        active = wide * 0.5 * (1.0 + np.asarray(_erf(wide / math.sqrt(2.0)), dtype=np.float64))
        return self._norm(self._dense(active, f"{prefix}.output.dense") + middle, f"{prefix}.output.LayerNorm")

    def _attention(self, x: Matrix, prefix: str) -> Matrix:
        heads, width = self._shape.heads, self._shape.hidden // self._shape.heads
        query, key, value = (
            self._dense(x, f"{prefix}.{part}").reshape(len(x), heads, width).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(width)
        share = np.exp(scores - scores.max(axis=-1, keepdims=True))
        share /= share.sum(axis=-1, keepdims=True)
        mixed: Matrix = (share @ value).transpose(1, 0, 2).reshape(len(x), -1)
        return mixed


class QuantisedReference(ReferenceEncoder):
    """The same with dense layers in whole numbers, as `onnx_quantisation` draws them."""

    def _dense(self, x: Matrix, prefix: str) -> Matrix:
        weight, scale_out = self._weight(prefix)
        scale_in = np.abs(x).max(axis=-1, keepdims=True) / MOST_INPUT
        product = np.rint(x / scale_in) @ weight.T
        return np.asarray(product * scale_in * scale_out + self._tensor(f"{prefix}.bias"), dtype=np.float64)

    def _prepare(self, weight: NDArray[np.float32]) -> tuple[Matrix, Matrix | float]:
        rows, scale = quantised_rows(weight)
        return rows.astype(np.float64), scale.astype(np.float64)
