"""The same encoder with its dense layers in whole numbers: a quarter of the memory traffic, two to three times as fast.

Drawn by `model_install` beside the exact graph; nothing at run time needs this module or `onnx`. Weights are rounded
once, each output on a scale of its own; what enters a layer is rounded as it comes, each token on a scale of its own,
so a text's vector does not hang on its company in a batch beyond single roundings. Everything else stays float32.
Weights keep to ±64: then no processor's pairwise sums of 8-bit products can overflow (255 · 64 · 2 < 2^15), and the
integers are the same everywhere. Invariant: the bytes written depend on the weights and `QUANTISED_VERSION` alone.

Method: dynamic quantisation after Zafrir et al. 2019 (Q8BERT), symmetric, by token and by output.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.install.onnx_export import Sheet, save_graph

QUANTISED_VERSION = 1
MOST_WEIGHT, MOST_INPUT = 64, 127  # largest whole numbers; the input is kept as uint8 around _MIDDLE
_MIDDLE = 128
_LEAST_SCALE = 1e-12  # of a token that is all zero
_FLOAT = 1  # onnx's TensorProto.FLOAT


def quantised_rows(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights (out, in) as whole numbers and the scale of each output, (out,): weight ≈ numbers * scale[:, None]."""
    scale = np.maximum(np.abs(weight).max(axis=1), _LEAST_SCALE).astype(np.float32) / np.float32(MOST_WEIGHT)
    return np.rint(weight / scale[:, None]).astype(np.int8), scale


def numbers_of(prefix: str) -> str:
    """What the whole numbers of a layer are called in a graph."""
    return f"{prefix}.numbers"


def scale_of(prefix: str) -> str:
    """What the scales of a layer's outputs are called in a graph."""
    return f"{prefix}.scale"


@dataclass(slots=True)
class QuantisedSheet(Sheet):
    """A graph whose dense layers multiply whole numbers."""

    version: int = QUANTISED_VERSION
    entered: dict[str, tuple[str, str]] = field(default_factory=dict)  # input -> whole numbers, scale of each token

    def dense(self, x: str, prefix: str, output: str) -> str:
        numbers, scale_in = self._rounded(x)
        held, by_output = self.rounded_weight(prefix)
        middle = self.constant("middle", _MIDDLE, np.uint8)
        product = self.node("MatMulInteger", [numbers, held, middle], f"{output}.product")
        floats = self.node("Cast", [product], f"{output}.floats", to=_FLOAT)
        scaled = self.node("Mul", [floats, by_output], f"{output}.by_output")
        unrounded = self.node("Mul", [scaled, scale_in], f"{output}.by_token")
        return self.node("Add", [unrounded, self.weight(f"{prefix}.bias")], output)

    def rounded_weight(self, prefix: str) -> tuple[str, str]:
        """A layer's weights in whole numbers as the product takes them, (in, out), and the scale of each output."""
        weight, scale = quantised_rows(self.values(f"{prefix}.weight"))
        held = self.constant(numbers_of(prefix), np.ascontiguousarray(weight.T), np.int8)
        return held, self.constant(scale_of(prefix), scale, np.float32)

    def _rounded(self, x: str) -> tuple[str, str]:
        """`x` (tokens, in) in whole numbers, and the scale of each token (tokens, 1); once for all layers it enters."""
        if x not in self.entered:
            size = self.node("Abs", [x], f"{x}.size")
            last = self.constant("last", [-1], np.int64)
            most = self.node("ReduceMax", [size, last], f"{x}.most", keepdims=1)
            step = self.node("Mul", [most, self.constant("step", 1 / MOST_INPUT, np.float32)], f"{x}.step")
            scale = self.node("Max", [step, self.constant("least", _LEAST_SCALE, np.float32)], f"{x}.scale")
            spread = self.node("Div", [x, scale], f"{x}.spread")
            unit = self.constant("unit", 1.0, np.float32)
            middle = self.constant("middle", _MIDDLE, np.uint8)
            self.entered[x] = self.node("QuantizeLinear", [spread, unit, middle], f"{x}.numbers"), scale
        return self.entered[x]


_PAGE_BYTES = 4096  # onnxruntime maps what begins at a page
_CHUNK_BYTES = 1 << 20


def gather_weights(graph: Path, target: Path) -> None:
    """Copy what the graph reads of other files into `target`, in its own directory, and let it read there."""
    import onnx  # noqa: PLC0415  # needed only when a model is installed

    model = onnx.load(str(graph), load_external_data=False)
    with target.open("wb") as sink:
        for tensor in model.graph.initializer:
            if tensor.data_location != onnx.TensorProto.EXTERNAL:
                continue
            facts = {entry.key: entry.value for entry in tensor.external_data}
            sink.write(b"\0" * (-sink.tell() % _PAGE_BYTES))
            place, left = sink.tell(), int(facts["length"])
            with (graph.parent / facts["location"]).open("rb") as source:
                source.seek(int(facts["offset"]))
                while left and (chunk := source.read(min(left, _CHUNK_BYTES))):
                    sink.write(chunk)
                    left -= len(chunk)
            for entry in tensor.external_data:
                entry.value = {"location": target.name, "offset": str(place)}.get(entry.key, entry.value)
        sink.flush()
        os.fsync(sink.fileno())
    save_graph(model, graph)
