"""The multilingual encoder against plain arithmetic, and beside MiniLM, on random weights; no download."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from embedder_trial import check_folder
from soulmem.core.schema.two_part_vectors import cosines, shared_from
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, choose_embedder, load_embedder
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.adapters.multilingual_embedder import MultilingualEmbedder
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.adapters.paired_embedder import ENGLISH_PART, PairedEmbedder
from soulmem.embed.base.model_manifest import (
    GRAPH_FILE,
    MINILM,
    MULTILINGUAL,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
)
from soulmem.embed.install.multilingual_export import write_multilingual_graph
from soulmem.errors import SoulmemError
from soulmem.text_similarity import likeness, likenesses
from spread import spread
from tiny_model import write_model
from tiny_multilingual import CHUNKS, Arrays, arrays, write_multilingual

TEXTS = (
    "anna went to the lake",
    "我去了湖边。",
    "安娜 went to 湖边 with a cat",
    "",
    "🙂",
    "x" * 5000,
    "a",
    "the cat " * 300,
)
Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("models")
    write_multilingual(root / MULTILINGUAL)
    write_model(root / MINILM)
    return root


@pytest.fixture(scope="module")
def pair(models: Path) -> PairedEmbedder:
    return PairedEmbedder(OnnxEmbedder(models / MINILM), MultilingualEmbedder(models / MULTILINGUAL))


def normed(x: Floats, gain: Floats, offset: Floats, eps: float) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    scaled: Floats = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps) * gain + offset
    return scaled


def doubles(made: Arrays) -> dict[str, Floats]:
    return {name: np.asarray(value, dtype=np.float64) for name, value in made.items()}


def expected(a: dict[str, Floats], ids: list[int]) -> Floats:
    """The vector of one text, token by token, in double precision."""
    eps = float(a["eps"])
    rows = np.stack([a[f"q{i % CHUNKS + 1}"][i // CHUNKS] * a["scale"][i % CHUNKS] + a["lo"][i % CHUNKS] for i in ids])
    joined = np.concatenate([rows @ a[f"proj{n}"] + a[f"proj_b{n}"] for n in (2, 3, 5)], axis=1)
    gains, offsets = (np.concatenate([a[f"{part}{n}"] for n in (2, 3, 5)]) for part in ("ln_g", "ln_b"))
    joined = normed(joined, gains, offsets, eps)
    features = [rows]
    for place, (order, left) in enumerate(((2, 0), (3, 1), (5, 2))):
        x = joined[:, place * 256 : (place + 1) * 256]
        for layer in ("1", "2"):
            around = np.concatenate([np.zeros((left, 256)), x, np.zeros((order, 256))])
            wide = np.stack([around[t : t + order].ravel() for t in range(len(ids))])
            x = np.maximum(wide @ a[f"w{layer}_{order}"] + a[f"b{layer}_{order}"], 0) + x
        features.append(x)
    told = normed(np.concatenate(features, axis=1), a["ln_g"], a["ln_b"], eps) @ a["cnn_W"] + a["cnn_b"]
    mean = told.sum(axis=0) / np.sqrt(len(ids))
    middle = np.maximum(mean @ a["p1"] + np.maximum(mean @ a["d0"], 0) @ a["d1"], 0)
    z = np.tanh(middle @ a["p3"] + np.maximum(middle @ a["d2"], 0) @ a["d3"])
    unit: Floats = z / np.linalg.norm(z)
    return unit


@pytest.mark.thorough
def test_graph_equals_plain_arithmetic(models: Path) -> None:
    embedder = MultilingualEmbedder(models / MULTILINGUAL)
    vectors, made = embedder.embed(TEXTS), doubles(arrays())
    for text, vector in zip(TEXTS, vectors, strict=True):
        ids = embedder._tokens(text)
        assert len(ids) <= 256
        assert np.abs(expected(made, ids) - vector).max() <= 1e-5
    assert np.abs(vectors - np.concatenate([embedder.embed([text]) for text in TEXTS])).max() <= 1e-6


def test_fingerprint_follows_the_weights(models: Path, tmp_path: Path) -> None:
    here, there = (MultilingualEmbedder(write_multilingual(tmp_path / str(seed), seed=seed)) for seed in (1, 2))
    assert here.fingerprint == MultilingualEmbedder(models / MULTILINGUAL).fingerprint != there.fingerprint
    first = (tmp_path / "1" / GRAPH_FILE).read_bytes()
    write_multilingual_graph(tmp_path / "1" / WEIGHTS_FILE, tmp_path / "1" / GRAPH_FILE)
    assert (tmp_path / "1" / GRAPH_FILE).read_bytes() == first, "drawn the same twice"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("damaged", "damage"),
    spread([GRAPH_FILE, TABLE_FILE, VOCABULARY_FILE, WEIGHTS_FILE], ["missing", "cut", "other"]),
)
def test_a_damaged_folder_is_one_clear_error(tmp_path: Path, damaged: str, damage: str) -> None:
    folder = write_multilingual(tmp_path / MULTILINGUAL)
    file = folder / damaged
    if damage == "missing":
        file.unlink()
    else:
        kept = file.read_bytes()
        file.write_bytes(kept[: len(kept) // 3] if damage == "cut" else b"something else")
    with pytest.raises(SoulmemError) as raised:
        MultilingualEmbedder(folder)
    assert raised.value.name == "model_unavailable"
    assert "\n" not in raised.value.message
    fallback, reason = load_embedder(EmbedderSpec(MULTILINGUAL), tmp_path)
    assert isinstance(fallback, HashingEmbedder)
    assert "incomplete" in str(reason)


def test_a_file_that_changed_its_bytes_is_found(tmp_path: Path) -> None:
    folder = write_multilingual(tmp_path / MULTILINGUAL)
    assert check_folder(folder).sound
    rows = bytearray((folder / TABLE_FILE).read_bytes())
    rows[100] ^= 1
    (folder / TABLE_FILE).write_bytes(rows)
    assert check_folder(folder).damaged_files == (TABLE_FILE,)


def test_auto_takes_both_or_what_there_is(models: Path, tmp_path: Path) -> None:
    both, reason = load_embedder(EmbedderSpec(), models)
    assert isinstance(both, PairedEmbedder)
    assert (both.name, reason) == (
        "minilm+use-multilingual",
        f"minilm-int8 is not drawn in {models}: run `soulmem model install`",
    )
    assert choose_embedder(EmbedderSpec(), models)[0].name == both.name
    for name, other in ((MINILM, MULTILINGUAL), (MULTILINGUAL, MINILM)):
        (root := tmp_path / name).mkdir()
        (root / name).symlink_to(models / name)
        one, reason = load_embedder(EmbedderSpec(), root)
        assert one.name == name
        assert f"{other} is not installed" in str(reason)
        alone, reason = load_embedder(EmbedderSpec(name), root)
        assert (alone.name, reason) == (name, None)
        assert alone.fingerprint == one.fingerprint != both.fingerprint


def test_a_pair_is_one_space(pair: PairedEmbedder) -> None:
    english, chinese, mixed = pair.embed(["anna went to the lake", "我去了湖边", "安娜 went to the lake"])
    alone = pair._every.embed(["anna went to the lake", "我去了湖边", "安娜 went to the lake"])
    read = pair._english.embed(["anna went to the lake"])[0]
    split = pair.shared_from
    assert np.allclose(english[:split], np.sqrt(ENGLISH_PART) * read, atol=1e-6)
    assert np.allclose(english[split:], np.sqrt(1 - ENGLISH_PART) * alone[0], atol=1e-6)
    assert not chinese[:split].any()
    assert np.allclose(chinese[split:], alone[1], atol=1e-6)
    assert 0 < np.linalg.norm(mixed[:split]) < np.sqrt(ENGLISH_PART), "in between, by how much of it is English"
    assert shared_from(pair.fingerprint) == split
    told = np.stack([english, chinese, mixed])
    over_both = cosines(told, told, split)
    assert np.allclose(np.diag(over_both), 1.0, atol=1e-5)
    assert np.allclose(over_both[1], alone @ alone[1], atol=1e-5), "with what is Chinese all is compared in one space"
    in_each = (float(pair._english.embed(["安娜 went to the lake"])[0] @ read), float(alone[2] @ alone[0]))
    assert min(in_each) - 1e-5 <= over_both[0, 2] <= max(in_each) + 1e-5


def test_likeness_of_texts_is_none_where_one_cannot_be_read(pair: PairedEmbedder) -> None:
    assert likeness(pair, "anna went to the lake", "anna went to the lake") == pytest.approx(1.0, abs=1e-6)
    assert likeness(pair, "anna went to the lake", "🙂") is None
    assert likeness(HashingEmbedder(), "湖边", "湖边") == pytest.approx(1.0, abs=1e-6)
    pairs = [("anna went to the lake", "我去了湖边"), ("🙂", "a cat"), ("我去了湖边", "我去了湖边")]
    across, unread, same = likenesses(pair, pairs)
    assert (unread, same) == (None, pytest.approx(1.0, abs=1e-6))
    assert across == pytest.approx(likeness(pair, *pairs[0]), abs=1e-6)
