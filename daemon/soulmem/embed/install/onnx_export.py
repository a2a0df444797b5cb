"""The ONNX graph of a BERT sentence encoder, written beside its safetensors weights.

Owned by `model_install`, which calls `write_graph` once per model; nothing at run time needs this module or `onnx`.
The exact graph holds no weights: every initialiser points into `model.safetensors` (file, offset, length), so the
90 MB lie on the disk once, onnxruntime maps them instead of reading them, and rows of the vocabulary that no
text uses never become resident. Torch keeps a dense layer as (out, in); `Gemm` with `transB` takes it as it is.
Invariant: the bytes written depend on the weights' header and `GRAPH_VERSION` alone.

Architecture: Devlin et al. 2019 (BERT), with masked mean pooling and L2 normalisation after Reimers and
Gurevych 2019 (Sentence-BERT), both inside the graph: `input_ids, attention_mask -> sentence_embedding`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.errors import model_unavailable

GRAPH_VERSION = 1
OPSET = 20  # the first with Gelu; LayerNormalization came with 17
IR_VERSION = 9  # what OPSET 20 shipped with, so that old runtimes still read the file
LAYER_NORM_EPSILON = 1e-12
_MASKED = -1e9  # added to the scores of padding; exp() of it is exactly 0 in float32
_MAX_HEADER_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class TensorPlace:
    """Where a tensor lies in a safetensors file: its shape and its byte range from the start of the file."""

    shape: tuple[int, ...]
    dtype: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class BertShape:
    """The sizes of an encoder, read off its tensors; the number of heads is not among them."""

    layers: int
    heads: int
    hidden: int
    positions: int


def tensor_places(weights: Path) -> dict[str, TensorPlace]:
    """Read the header of a safetensors file: 8 bytes little-endian length, then JSON.

    Raises SoulmemError: `model_unavailable`, when the file is not a safetensors file.
    """
    try:
        with weights.open("rb") as stream:
            header_bytes = int.from_bytes(stream.read(8), "little")
            if not 2 <= header_bytes <= _MAX_HEADER_BYTES:
                raise ValueError("implausible header length")
            header = json.loads(stream.read(header_bytes))
        places = {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            start, end = entry["data_offsets"]
            places[name] = TensorPlace(tuple(entry["shape"]), entry["dtype"], 8 + header_bytes + start, end - start)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise model_unavailable(f"{weights} is not a safetensors file: {error}") from error
    return places


def write_tensors(tensors: Mapping[str, NDArray[np.generic]], file: Path) -> None:
    """A safetensors file of these tensors, by name: bytes as they are, all else as float32."""
    header: dict[str, Any] = {}
    offset, blocks = 0, []
    # Bytes come last: where they begin matters to nobody, where floats do must divide by four.
    for name in sorted(tensors, key=lambda name: (tensors[name].dtype == np.uint8, name)):
        is_bytes = tensors[name].dtype == np.uint8
        block = np.ascontiguousarray(tensors[name], dtype=np.uint8 if is_bytes else np.float32)
        blocks.append(block)
        ends = [offset, offset + block.nbytes]
        header[name] = {"dtype": "U8" if is_bytes else "F32", "shape": list(block.shape), "data_offsets": ends}
        offset += block.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with file.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for block in blocks:
            stream.write(block.tobytes())
        stream.flush()
        os.fsync(stream.fileno())


def bert_shape(places: dict[str, TensorPlace], *, heads: int) -> BertShape:
    """Derive an encoder's sizes from its tensors.

    Raises SoulmemError: `model_unavailable`, when they are not those of a float32 BERT encoder.
    """
    try:
        positions, hidden = places["embeddings.position_embeddings.weight"].shape
    except (KeyError, ValueError) as error:
        raise model_unavailable("the weights are not those of a BERT encoder") from error
    layers = 0
    while f"encoder.layer.{layers}.output.dense.weight" in places:
        layers += 1
    if layers == 0 or hidden % heads:
        raise model_unavailable(f"{layers} layers of width {hidden} do not make a BERT with {heads} heads")
    return BertShape(layers, heads, hidden, positions)


def write_graph(weights: Path, target: Path, *, heads: int, sheet: type[Sheet] | None = None) -> BertShape:
    """Write the graph for `weights` to `target` in the same directory, whole or not at all.

    `sheet` draws it; by default the exact one.

    Raises SoulmemError: `model_unavailable`, when the weights are not those of a float32 BERT encoder.
    """
    places = tensor_places(weights)
    shape = bert_shape(places, heads=heads)
    try:
        model = (sheet or Sheet)(weights, places).draw(shape)
    except KeyError as error:
        raise model_unavailable(f"{weights.name} lacks the tensor {error}") from error
    save_graph(model, target)
    return shape


def save_graph(model: Any, target: Path) -> None:
    """Write a graph (an onnx `ModelProto`), whole or not at all, once `onnx` found nothing wrong with it."""
    import onnx  # noqa: PLC0415  # needed only when a model is installed

    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with partial.open("wb") as stream:
            stream.write(model.SerializeToString(deterministic=True))
            stream.flush()
            os.fsync(stream.fileno())
        onnx.checker.check_model(str(partial))  # by path, because external data is looked for beside it
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


@dataclass(slots=True)
class Sheet:
    """The graph while it is drawn: nodes in order, and the initialisers they use."""

    weights: Path
    places: dict[str, TensorPlace]
    nodes: list[Any] = field(default_factory=list)
    initialisers: dict[str, Any] = field(default_factory=dict)
    version: int = GRAPH_VERSION
    sized_by: str = "input_ids"  # an input of the shape (batch, tokens)

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper  # noqa: PLC0415  # see write_graph

        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def constant(self, name: str, values: Any, dtype: type[np.generic]) -> str:
        from onnx import numpy_helper  # noqa: PLC0415  # see write_graph

        if name not in self.initialisers:
            self.initialisers[name] = numpy_helper.from_array(np.asarray(values, dtype=dtype), name)
        return name

    def weight(self, name: str) -> str:
        """An initialiser that points into the weights."""
        from onnx import TensorProto  # noqa: PLC0415  # see write_graph

        place = self._place(name)
        if name not in self.initialisers:
            tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=place.shape)
            tensor.data_location = TensorProto.EXTERNAL
            facts = (("location", self.weights.name), ("offset", place.offset), ("length", place.length))
            for key, value in facts:
                tensor.external_data.add(key=key, value=str(value))
            self.initialisers[name] = tensor
        return name

    def values(self, name: str) -> NDArray[np.float32]:
        """A tensor as it is in the weights."""
        place = self._place(name)
        return np.fromfile(self.weights, np.float32, place.length // 4, offset=place.offset).reshape(place.shape)

    def _place(self, name: str) -> TensorPlace:
        place = self.places[name]
        if place.dtype != "F32":
            raise model_unavailable(f"the tensor {name} is {place.dtype}, not F32")
        return place

    def dense(self, x: str, prefix: str, output: str) -> str:
        inputs = [x, self.weight(f"{prefix}.weight"), self.weight(f"{prefix}.bias")]
        return self.node("Gemm", inputs, output, transB=1)

    def norm(self, x: str, prefix: str, output: str) -> str:
        inputs = [x, self.weight(f"{prefix}.weight"), self.weight(f"{prefix}.bias")]
        return self.node("LayerNormalization", inputs, output, axis=-1, epsilon=LAYER_NORM_EPSILON)

    def draw(self, shape: BertShape) -> Any:
        from onnx import TensorProto, helper  # noqa: PLC0415  # see write_graph

        x = self._embeddings(shape)
        self._mask()
        head_sizes = self.constant("head_sizes", [shape.heads, shape.hidden // shape.heads], np.int64)
        self.node("Concat", ["sizes", head_sizes], "by_head", axis=0)
        for number in range(shape.layers):
            x = self._layer(x, f"encoder.layer.{number}", shape)
        output = self._pool(x, shape)
        graph = helper.make_graph(
            self.nodes,
            "bert_sentence_encoder",
            [
                self.words_input(shape),
                helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"]),
            ],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", shape.hidden])],
            list(self.initialisers.values()),
        )
        return helper.make_model(
            graph,
            producer_name="soulmem",
            producer_version=str(self.version),
            ir_version=IR_VERSION,
            opset_imports=[helper.make_opsetid("", OPSET)],
        )

    def words_input(self, shape: BertShape) -> Any:
        """What the graph is given of each token."""
        from onnx import TensorProto, helper  # noqa: PLC0415  # see write_graph

        return helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])

    def words(self) -> str:
        """The embedding of each token, (batch, tokens, hidden)."""
        return self.node("Gather", [self.weight("embeddings.word_embeddings.weight"), "input_ids"], "words")

    def _embeddings(self, shape: BertShape) -> str:
        """Token + position + segment-0 embedding, normalised, as (batch·tokens, hidden)."""
        self.node("Shape", [self.sized_by], "sizes")
        self.node("Shape", [self.sized_by], "token_count", start=1, end=2)
        words = self.words()
        positions = self.node(
            "Slice",
            [
                self.weight("embeddings.position_embeddings.weight"),
                self.constant("zero", [0], np.int64),
                "token_count",
                "zero",
            ],
            "positions",
        )
        segment = self.node(
            "Gather",
            [self.weight("embeddings.token_type_embeddings.weight"), self.constant("first", 0, np.int64)],
            "segment",
        )
        placed = self.node("Add", [positions, segment], "placed")
        summed = self.node("Add", [words, placed], "summed")
        normed = self.norm(summed, "embeddings.LayerNorm", "embedded")
        return self.node("Reshape", [normed, self.constant("flat", [-1, shape.hidden], np.int64)], "tokens_0")

    def _mask(self) -> None:
        """`bias` (batch, 1, 1, tokens): 0 for a token, a large negative number for padding."""
        self.node("Cast", ["attention_mask"], "mask", to=1)
        self.node("Sub", ["mask", self.constant("one", 1.0, np.float32)], "absent")
        self.node("Mul", ["absent", self.constant("masked", -_MASKED, np.float32)], "penalty")
        self.node("Unsqueeze", ["penalty", self.constant("axes_1_2", [1, 2], np.int64)], "bias")

    def _layer(self, x: str, prefix: str, shape: BertShape) -> str:
        attended = self._attention(x, prefix, shape)
        projected = self.dense(attended, f"{prefix}.attention.output.dense", f"{prefix}.projected")
        added = self.node("Add", [projected, x], f"{prefix}.added")
        middle = self.norm(added, f"{prefix}.attention.output.LayerNorm", f"{prefix}.middle")
        wide = self.dense(middle, f"{prefix}.intermediate.dense", f"{prefix}.wide")
        active = self.node("Gelu", [wide], f"{prefix}.active")
        narrow = self.dense(active, f"{prefix}.output.dense", f"{prefix}.narrow")
        summed = self.node("Add", [narrow, middle], f"{prefix}.summed")
        return self.norm(summed, f"{prefix}.output.LayerNorm", f"{prefix}.out")

    def _attention(self, x: str, prefix: str, shape: BertShape) -> str:
        parts = {}
        # keys are laid out (batch, head, width, tokens), so that the scores are a plain product
        for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            dense = self.dense(x, f"{prefix}.attention.self.{part}", f"{prefix}.{part}")
            split = self.node("Reshape", [dense, "by_head"], f"{prefix}.{part}.split")
            parts[part] = self.node("Transpose", [split], f"{prefix}.{part}.heads", perm=order)
        scale = self.constant("scale", (shape.hidden // shape.heads) ** -0.5, np.float32)
        product = self.node("MatMul", [parts["query"], parts["key"]], f"{prefix}.product")
        scaled = self.node("Mul", [product, scale], f"{prefix}.scaled")
        biased = self.node("Add", [scaled, "bias"], f"{prefix}.biased")
        share = self.node("Softmax", [biased], f"{prefix}.share", axis=-1)
        mixed = self.node("MatMul", [share, parts["value"]], f"{prefix}.mixed")
        joined = self.node("Transpose", [mixed], f"{prefix}.joined", perm=[0, 2, 1, 3])
        return self.node("Reshape", [joined, "flat"], f"{prefix}.attended")

    def _pool(self, x: str, shape: BertShape) -> str:
        """Mean over the real tokens, then unit length."""
        tail = self.constant("hidden", [shape.hidden], np.int64)
        self.node("Concat", ["sizes", tail], "by_token", axis=0)
        tokens = self.node("Reshape", [x, "by_token"], "tokens_last")
        row = self.node("Unsqueeze", ["mask", self.constant("axis_1", [1], np.int64)], "mask_row")
        total = self.node("MatMul", [row, tokens], "total")
        flat = self.node("Squeeze", [total, "axis_1"], "total_flat")
        # the direction of the mean is the direction of the sum: no division before normalising
        return self.node("LpNormalization", [flat], "sentence_embedding", axis=-1, p=2)
