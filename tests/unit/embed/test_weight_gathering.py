"""The quantised graph alone, with just those weights that it reads, is the same encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.base.model_manifest import GATHERED_FILE, GRAPH_FILE, QUANTISED_FILE, WEIGHTS_FILE
from soulmem.embed.install.onnx_quantisation import gather_weights
from tiny_model import write_model

TEXTS = ("anna went to the lake", "我 去 了 湖边", "安娜 went to 湖 边 with a cat", "")


def test_it_computes_the_same_without_the_whole_weights(tmp_path: Path) -> None:
    model = write_model(tmp_path / "tiny")
    before = OnnxEmbedder(model, graph_file=QUANTISED_FILE).embed(TEXTS)
    whole = (model / WEIGHTS_FILE).stat().st_size
    gather_weights(model / QUANTISED_FILE, model / GATHERED_FILE)
    first = (model / QUANTISED_FILE).read_bytes()
    (model / WEIGHTS_FILE).unlink()
    (model / GRAPH_FILE).unlink()
    alone = OnnxEmbedder(model, graph_file=QUANTISED_FILE)
    assert np.array_equal(alone.embed(TEXTS), before)
    pages = first.count(b"offset") * 4096
    assert (model / GATHERED_FILE).stat().st_size < whole + pages
    assert b"model.safetensors" not in first


def test_another_models_weights_are_another_fingerprint(tmp_path: Path) -> None:
    prints = set()
    for seed in (1, 2):
        model = write_model(tmp_path / str(seed), seed=seed)
        gather_weights(model / QUANTISED_FILE, model / GATHERED_FILE)
        (model / WEIGHTS_FILE).unlink()
        prints.add(OnnxEmbedder(model, graph_file=QUANTISED_FILE).fingerprint)
    assert len(prints) == 2
