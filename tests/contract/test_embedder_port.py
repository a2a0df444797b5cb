"""What every embedder owes its callers, asked of each implementation."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from embedding_endpoint import running_endpoint
from soulmem.embed.adapters.e5_embedder import E5Embedder
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.adapters.multilingual_embedder import MultilingualEmbedder
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.adapters.openai_embedder import OpenAIEmbedder
from soulmem.embed.adapters.paired_embedder import PairedEmbedder
from soulmem.ports import Embedder
from tiny_e5 import write_e5
from tiny_model import write_model
from tiny_multilingual import write_multilingual

TEXTS = (
    "anna went to the lake",
    "我 去 了 湖 边",
    "安娜 went to 湖边 with a cat",
    "",
    "   ",
    "🐍🐍",
    "\ud83d lone",
    "x" * 20_000,
    "长" * 20_000,
)


@pytest.fixture(scope="module", params=["hashing", "folder", "multilingual", "e5", "pair", "endpoint"])
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    tmp_path = tmp_path_factory.mktemp("embedder")
    match request.param:
        case "hashing":
            yield HashingEmbedder()
        case "folder":
            yield OnnxEmbedder(write_model(tmp_path / "tiny"), max_tokens=64)
        case "multilingual":
            yield MultilingualEmbedder(write_multilingual(tmp_path / "tiny"))
        case "e5":
            yield E5Embedder(write_e5(tmp_path / "tiny"))
        case "pair":
            every = MultilingualEmbedder(write_multilingual(tmp_path / "every"))
            yield PairedEmbedder(OnnxEmbedder(write_model(tmp_path / "tiny"), max_tokens=64), every)
        case _:
            with running_endpoint() as server:
                remote = OpenAIEmbedder(server.url, "tiny", deadline_s=10.0)
                yield remote
                remote.close()


def test_rows_are_unit_vectors_in_order(embedder: Embedder) -> None:
    matrix = embedder.embed(TEXTS)
    assert matrix.dtype == np.float32
    assert matrix.shape == (len(TEXTS), embedder.dimension)
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1.0, atol=1e-5)
    turned = embedder.embed(TEXTS[::-1])
    assert np.abs(matrix - turned[::-1]).max() <= 1e-6


def test_a_text_alone_equals_the_text_in_company(embedder: Embedder) -> None:
    matrix = embedder.embed(TEXTS * 2)
    for row, text in enumerate(TEXTS):
        assert np.abs(embedder.embed([text])[0] - matrix[row]).max() <= 1e-6


def test_no_texts_give_an_empty_matrix(embedder: Embedder) -> None:
    matrix = embedder.embed([])
    assert matrix.shape == (0, embedder.dimension)
    assert matrix.dtype == np.float32


def test_more_texts_than_any_batch(embedder: Embedder) -> None:
    texts = [f"anna fell on tuesday {number} 湖" for number in range(150)]
    assert embedder.embed(texts).shape == (150, embedder.dimension)


def test_identity_is_stable(embedder: Embedder) -> None:
    assert re.fullmatch(r"[0-9a-f]{12}(p\d+)?", embedder.fingerprint)
    assert embedder.fingerprint == embedder.fingerprint
    assert embedder.name


def test_coverage_is_a_share(embedder: Embedder) -> None:
    assert all(0.0 <= embedder.coverage(text) <= 1.0 for text in TEXTS)


def test_threads_do_not_disturb_one_another(embedder: Embedder) -> None:
    expected = embedder.embed(TEXTS)
    differences: list[float] = []

    def work() -> None:
        for _ in range(2):
            differences.append(float(np.abs(embedder.embed(TEXTS) - expected).max()))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(differences) == 6
    assert max(differences) <= 1e-6
