"""The ONNX graph against the NumPy reference, on random weights; no download."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from embedder_trial import check_folder, reference_difference
from numpy_encoder import QuantisedReference, ReferenceEncoder
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.base.model_manifest import GRAPH_FILE, QUANTISED_FILE
from soulmem.embed.install.onnx_export import tensor_places, write_graph
from soulmem.embed.install.onnx_quantisation import MOST_WEIGHT, QuantisedSheet, quantised_rows
from soulmem.errors import SoulmemError
from tiny_model import HEADS, WORDS, write_model, write_tokenizer, write_weights

SINGLE_ROUNDINGS = 2e-2  # of a component, where a number at the edge of a step falls to the other side
SENTENCES = (
    "anna went to the lake",
    "我 去 了 湖边",
    "安娜 went to 湖 边 with a cat",
    "tea",
    "",
    "nothing of this is known",
    "snow fell on tuesday " * 30,
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_model(tmp_path / "tiny")


def test_graph_equals_the_reference(model: Path) -> None:
    # 64 positions: the tokenizer must cut the longest sentence there
    embedder = OnnxEmbedder(model, max_tokens=64)
    reference = ReferenceEncoder(model / "model.safetensors", heads=HEADS)
    vectors = embedder.embed(SENTENCES)
    for sentence, vector in zip(SENTENCES, vectors, strict=True):
        ids = embedder._tokenizer.encode(sentence).ids
        assert len(ids) <= 64
        assert np.abs(reference.encode(ids) - vector).max() <= 1e-5


def test_quantised_graph_equals_its_reference(model: Path) -> None:
    embedder = OnnxEmbedder(model, max_tokens=64, graph_file=QUANTISED_FILE)
    exact = OnnxEmbedder(model, max_tokens=64).embed(SENTENCES)
    reference = QuantisedReference(model / "model.safetensors", heads=HEADS)
    vectors = embedder.embed(SENTENCES)
    for sentence, vector, near in zip(SENTENCES, vectors, exact, strict=True):
        expected = reference.encode(embedder._tokenizer.encode(sentence).ids)
        assert np.abs(expected - vector).max() <= SINGLE_ROUNDINGS
        assert 0.98 <= float(vector @ near) < 1.0 - 1e-7, "it is another graph, and near"


@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 40), st.floats(1e-3, 1e3))
@settings(max_examples=100, deadline=None)
def test_weights_in_whole_numbers_are_within_half_a_step(seed: int, rows: int, columns: int, size: float) -> None:
    weight = (np.random.default_rng(seed).standard_normal((rows, columns)) * size).astype(np.float32)
    weight[0] = 0.0
    numbers, scale = quantised_rows(weight)
    assert numbers.dtype == np.int8
    assert np.abs(numbers).max() <= MOST_WEIGHT
    assert 255 * MOST_WEIGHT * 2 < 2**15, "two products of bytes fit into sixteen bits on every processor"
    step = np.maximum(scale, 1e-30)[:, None]
    assert (np.abs(numbers * scale[:, None] - weight) <= 0.5001 * step).all()


def test_reference_difference_is_what_it_says(model: Path) -> None:
    short = ("anna went", "我 去", "tea")
    assert reference_difference(model, heads=HEADS, sentences=short) <= 1e-5
    write_weights(model / "model.safetensors", seed=2)
    other = ReferenceEncoder(model / "model.safetensors", heads=HEADS).encode([2, 4, 5, 3])
    write_weights(model / "model.safetensors", seed=1)
    assert np.abs(OnnxEmbedder(model).embed(["anna went"])[0] - other).max() > 1e-2


@pytest.mark.parametrize(("graph_file", "within"), [(GRAPH_FILE, 1e-6), (QUANTISED_FILE, SINGLE_ROUNDINGS)])
def test_company_in_a_batch_changes_nothing(model: Path, graph_file: str, within: float) -> None:
    embedder = OnnxEmbedder(model, max_tokens=64, graph_file=graph_file)
    together = embedder.embed(SENTENCES * 3)
    alone = np.concatenate([embedder.embed([sentence]) for sentence in SENTENCES * 3])
    assert np.abs(together - alone).max() <= within
    assert (embedder.embed(SENTENCES * 3) == together).all()


def test_graph_is_drawn_the_same_twice_and_holds_no_weights(model: Path) -> None:
    first, quantised = (model / GRAPH_FILE).read_bytes(), (model / QUANTISED_FILE).read_bytes()
    write_graph(model / "model.safetensors", model / GRAPH_FILE, heads=HEADS)
    write_graph(model / "model.safetensors", model / QUANTISED_FILE, heads=HEADS, sheet=QuantisedSheet)
    assert (model / GRAPH_FILE).read_bytes() == first
    assert (model / QUANTISED_FILE).read_bytes() == quantised
    assert len(first) < 40_000
    names = [QUANTISED_FILE, GRAPH_FILE, "model.safetensors", "tokenizer.json"]
    assert sorted(file.name for file in model.iterdir()) == names


def test_fingerprint_follows_the_weights(tmp_path: Path) -> None:
    one = OnnxEmbedder(write_model(tmp_path / "one", seed=1))
    same = OnnxEmbedder(write_model(tmp_path / "same", seed=1))
    other = OnnxEmbedder(write_model(tmp_path / "other", seed=2))
    assert one.fingerprint == same.fingerprint
    assert one.fingerprint != other.fingerprint
    assert one.dimension == other.dimension


def test_coverage_counts_unknown_tokens(model: Path) -> None:
    embedder = OnnxEmbedder(model)
    assert embedder.coverage("anna went to the lake") == 1.0
    assert embedder.coverage("anna berlin") == 0.5
    assert embedder.coverage("我去柏林") == 0.5
    assert embedder.coverage("安娜 likes 茶") == 0.5
    assert embedder.coverage("") == 0.0


@pytest.mark.parametrize(
    "ending", [b"", b"\xff" * 8, b"\x05\x00\x00\x00\x00\x00\x00\x00[1,2]", b"\x02" + b"\0" * 7 + b"{}"]
)
def test_foreign_weights_are_refused(tmp_path: Path, ending: bytes) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(ending)
    with pytest.raises(SoulmemError) as raised:
        write_graph(weights, tmp_path / "model.onnx", heads=HEADS)
    assert raised.value.name == "model_unavailable"
    assert "\n" not in raised.value.message
    assert not (tmp_path / "model.onnx").exists()


def test_wrong_number_of_heads_is_refused(tmp_path: Path) -> None:
    write_weights(tmp_path / "model.safetensors")
    with pytest.raises(SoulmemError, match="7 heads"):
        write_graph(tmp_path / "model.safetensors", tmp_path / "model.onnx", heads=7)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "model.safetensors"])
def test_incomplete_folder_is_one_clear_error(model: Path, missing: str) -> None:
    (model / missing).unlink()
    with pytest.raises(SoulmemError) as raised:
        OnnxEmbedder(model)
    assert raised.value.name == "model_unavailable"
    assert "\n" not in raised.value.message


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json"])
def test_damaged_folder_is_one_clear_error(model: Path, damaged: str) -> None:
    (model / damaged).write_bytes(b"not what it should be")
    with pytest.raises(SoulmemError) as raised:
        OnnxEmbedder(model)
    assert raised.value.name == "model_unavailable"
    assert "\n" not in raised.value.message


def test_weights_of_numbers_that_are_not_finite_are_noticed(tmp_path: Path) -> None:
    model = write_model(tmp_path / "tiny")
    place = tensor_places(model / "model.safetensors")["embeddings.LayerNorm.bias"]
    with (model / "model.safetensors").open("r+b") as stream:
        stream.seek(place.offset)
        stream.write(np.full(place.length // 4, np.nan, dtype=np.float32).tobytes())
    with pytest.raises(SoulmemError, match="not finite"):
        OnnxEmbedder(model)


def test_a_users_folder_has_nothing_to_be_checked_against(model: Path) -> None:
    found = check_folder(model)
    assert found.damaged_files is None
    assert found.sound


@pytest.mark.parametrize("pooling", ["mean", "first"])
def test_token_level_models_are_pooled_here(tmp_path: Path, pooling: str) -> None:
    """A model that gives token vectors and asks for token types: here simply the rows of a table."""
    table = np.random.default_rng(3).standard_normal((len(WORDS), 6)).astype(np.float32)
    sizes = ["batch", "tokens"]
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
            helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["types", "last"], ["wide"]),
            helper.make_node("Add", ["rows", "wide"], ["last_hidden_state"]),
        ],
        "tokens",
        [helper.make_tensor_value_info(name, TensorProto.INT64, sizes) for name in names],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*sizes, 6])],
        [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([2]), "last")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, str(tmp_path / "model.onnx"))
    write_tokenizer(tmp_path / "tokenizer.json")
    if pooling == "first":
        (tmp_path / "1_Pooling").mkdir()
        (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    rows = [WORDS.index(word) for word in ("[CLS]", "我", "去", "[SEP]")]
    expected = table[2] if pooling == "first" else table[rows].mean(axis=0)
    vectors = OnnxEmbedder(tmp_path).embed(["我 去", "anna went to the lake with a cat"])
    assert np.allclose(vectors[0], expected / np.linalg.norm(expected), atol=1e-6)
