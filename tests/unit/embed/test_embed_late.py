"""A model is loaded once, by whoever needs it first, and is then what it would have been at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from soulmem.embed.adapters.embedder_choice import EmbedderSpec, choose_embedder, load_embedder
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.adapters.lazy_embedder import LateEmbedder, Loaded
from soulmem.embed.base.model_manifest import MINILM
from tiny_model import write_model

TEXTS = ("anna went to the lake", "安娜去了湖边", "")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("models")
    write_model(root / MINILM)
    return root


@pytest.mark.parametrize("name", ["auto", "minilm-int8", "minilm"])
def test_it_is_the_embedder_that_would_have_been_loaded_at_once(models: Path, name: str) -> None:
    late, early = choose_embedder(EmbedderSpec(name), models)[0], load_embedder(EmbedderSpec(name), models)[0]
    assert isinstance(late, LateEmbedder)
    assert late.name == early.name
    assert (late.fingerprint, late.dimension) == (early.fingerprint, early.dimension)
    assert np.array_equal(late.embed(TEXTS), early.embed(TEXTS))
    assert [late.coverage(text) for text in TEXTS] == [early.coverage(text) for text in TEXTS]
    assert late.loaded()[0].name == early.name
    assert not late.holds_interpreter


def test_its_vectors_are_called_after_the_files_they_come_from(tmp_path: Path) -> None:
    late = choose_embedder(EmbedderSpec("minilm"), write_model(tmp_path / MINILM, seed=1).parent)[0]
    assert isinstance(late, LateEmbedder)
    late.loaded()
    write_model(tmp_path / MINILM, seed=2)  # as an installation does that comes between
    assert (
        late.fingerprint
        == load_embedder(EmbedderSpec("minilm"), write_model(tmp_path / "as" / MINILM).parent)[0].fingerprint
    )


def test_what_needs_no_loading_or_may_be_refused_is_chosen_at_once(models: Path, tmp_path: Path) -> None:
    assert isinstance(choose_embedder(EmbedderSpec("hashing"), models)[0], HashingEmbedder)
    fallback, reason = choose_embedder(EmbedderSpec("auto"), tmp_path)
    assert isinstance(fallback, HashingEmbedder)
    assert "soulmem model install" in (reason or "")
    own = choose_embedder(EmbedderSpec(str(models / MINILM)), tmp_path)[0]
    assert own.name == f"onnx:{MINILM}"


def test_a_model_that_turns_out_broken_is_replaced_and_says_why(models: Path, tmp_path: Path) -> None:
    broken = write_model(tmp_path / MINILM)
    for graph in broken.glob("*.onnx"):
        graph.write_bytes(b"no graph")
    late, reason = choose_embedder(EmbedderSpec("auto"), tmp_path)
    assert isinstance(late, LateEmbedder)
    assert reason is None
    assert late.name == "minilm"
    used, reason = late.loaded()
    assert "cannot be used" in (reason or "")
    assert (late.name, late.fingerprint, late.holds_interpreter) == ("hashing", used.fingerprint, True)


def test_many_threads_load_it_once() -> None:
    loads: list[int] = []
    together = threading.Barrier(4)

    def load() -> Loaded:
        loads.append(threading.get_ident())
        return HashingEmbedder(), None

    late = LateEmbedder("soon", load)

    def use() -> str:
        together.wait(10)
        return late.fingerprint

    with ThreadPoolExecutor(4) as pool:
        found = {each.result(10) for each in [pool.submit(use) for _ in range(4)]}
    assert len(loads) == 1
    assert found == {HashingEmbedder().fingerprint}
