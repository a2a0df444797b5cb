"""The endpoint embedder against a real HTTP server that is proper, wrong, slow or gone."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from embedding_endpoint import EmbeddingEndpoint, running_endpoint
from slowness import within
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.adapters.openai_embedder import OpenAIEmbedder
from soulmem.errors import SoulmemError, StartupError

TEXTS = ["Anna moved to Oslo.", "安娜搬到了奥斯陆。", "她说 next Friday 去 Berlin"]


@pytest.fixture
def server() -> Iterator[EmbeddingEndpoint]:
    with running_endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def embedder(server: EmbeddingEndpoint) -> Iterator[OpenAIEmbedder]:
    remote = OpenAIEmbedder(server.url, "tiny", "secret-key", deadline_s=10.0)
    yield remote
    remote.close()


def refusal(embedder: OpenAIEmbedder) -> SoulmemError:
    with pytest.raises(SoulmemError) as raised:
        embedder.embed(TEXTS)
    error = raised.value
    assert error.name == "model_unavailable"
    assert error.retryable
    assert error.hint is not None
    assert "\n" not in error.message
    assert "secret-key" not in f"{error.message} {error.hint}"
    return error


def test_vectors_arrive_as_the_server_meant_them(server: EmbeddingEndpoint, embedder: OpenAIEmbedder) -> None:
    assert np.abs(embedder.embed(TEXTS) - HashingEmbedder().embed(TEXTS)).max() < 1e-6
    assert server.requests[-1]["encoding_format"] == "float"
    assert "dimensions" not in server.requests[-1]
    assert server.keys[-1] == "Bearer secret-key"
    assert embedder.name == "openai:tiny"


def test_order_is_taken_from_the_index(server: EmbeddingEndpoint, embedder: OpenAIEmbedder) -> None:
    server.behaviour = "reversed"
    assert np.abs(embedder.embed(TEXTS) - HashingEmbedder().embed(TEXTS)).max() < 1e-6


def test_dimensions_are_asked_for(server: EmbeddingEndpoint) -> None:
    embedder = OpenAIEmbedder(server.url, "tiny", dimensions=64)
    try:
        assert embedder.embed(TEXTS).shape == (3, 64)
        assert server.requests[-1]["dimensions"] == 64
        assert server.keys[-1] == "Bearer none"
    finally:
        embedder.close()


@pytest.mark.parametrize(
    "behaviour",
    "nan infinite zeros ragged fewer text empty doubled no_data null null_vector html 500 503 429 400 204".split(),
)
def test_a_wrong_answer_is_one_clear_error(server: EmbeddingEndpoint, embedder: OpenAIEmbedder, behaviour: str) -> None:
    assert embedder.dimension == 256
    server.behaviour = behaviour
    refusal(embedder)
    server.behaviour = "proper"
    assert embedder.embed(TEXTS).shape == (3, 256)


@pytest.mark.parametrize("behaviour", ["nan", "zeros", "no_data", "html", "500"])
def test_a_server_wrong_from_the_start_is_known_once_it_is_right(
    server: EmbeddingEndpoint, embedder: OpenAIEmbedder, behaviour: str
) -> None:
    server.behaviour = behaviour
    refusal(embedder)
    server.behaviour = "proper"
    assert embedder.dimension == 256


def test_errors_are_not_retried_in_secret(server: EmbeddingEndpoint, embedder: OpenAIEmbedder) -> None:
    server.behaviour = "500"
    refusal(embedder)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("behaviour", "setting"),
    [
        ("401", "embedder.api_key"),
        ("403", "embedder.api_key"),
        ("404", "embedder.model"),
        ("html", "embedder.base_url"),
    ],
)
def test_the_hint_names_the_setting(
    server: EmbeddingEndpoint, embedder: OpenAIEmbedder, behaviour: str, setting: str
) -> None:
    server.behaviour = behaviour
    assert setting in str(refusal(embedder).hint)


def test_another_size_than_before_is_refused(server: EmbeddingEndpoint, embedder: OpenAIEmbedder) -> None:
    embedder.embed(TEXTS)
    server.behaviour = "short"
    assert "255" in refusal(embedder).message


@pytest.mark.parametrize("behaviour", ["hang", "drip"])
def test_the_deadline_ends_the_whole_call(server: EmbeddingEndpoint, behaviour: str) -> None:
    """A server that sends a byte now and then never times out by itself."""
    embedder = OpenAIEmbedder(server.url, "tiny", deadline_s=0.5)
    embedder.embed(TEXTS)
    server.behaviour = behaviour
    started_at = time.monotonic()
    assert "0.5 s" in refusal(embedder).message
    assert time.monotonic() - started_at < within(1.4)
    server.behaviour = "proper"
    assert embedder.embed(TEXTS).shape == (3, 256)
    embedder.close()


def test_a_server_that_is_gone() -> None:
    with running_endpoint() as server:
        url = server.url
    embedder = OpenAIEmbedder(url, "tiny", deadline_s=5.0)
    assert "embedder.base_url" in str(refusal(embedder).hint)
    embedder.close()


def test_closing_ends_a_request_in_flight_and_the_embedder_serves_again(server: EmbeddingEndpoint) -> None:
    embedder = OpenAIEmbedder(server.url, "tiny", deadline_s=60.0)
    embedder.embed(TEXTS)
    embedder.close()
    assert embedder.embed(TEXTS).shape == (3, 256)
    embedder.close()


def test_a_password_in_the_url_is_not_shown() -> None:
    with running_endpoint() as server:
        url = server.url.replace("http://", "http://me:hunter2@")
    embedder = OpenAIEmbedder(url, "tiny", deadline_s=5.0)
    assert "hunter2" not in refusal(embedder).message
    embedder.close()


def fingerprint(url: str, file: Path | None, model: str = "tiny") -> str:
    embedder = OpenAIEmbedder(url, model, deadline_s=10.0, acquaintances=file)
    try:
        return embedder.fingerprint
    finally:
        embedder.close()


def test_fingerprint_bears_wavering_and_notices_a_swap(server: EmbeddingEndpoint, tmp_path: Path) -> None:
    file = tmp_path / "models" / "endpoints.json"
    first = fingerprint(server.url, file)
    server.wobble = 0.003  # moves many components over a rounding edge
    assert fingerprint(server.url, file) == first
    assert fingerprint(server.url, None) != first
    server.wobble = 0.0
    server.turned = True  # another model of the same name and dimension
    other = fingerprint(server.url, file)
    assert other != first
    server.turned = False
    assert fingerprint(server.url, file) == first
    assert fingerprint(server.url, file, "tinier") not in (first, other)


@pytest.mark.parametrize("damage", ["", "[]", "{}", "[1]", '[{"model": "tiny"}]', "\x00"])
def test_a_damaged_file_of_acquaintances_is_begun_anew(server: EmbeddingEndpoint, tmp_path: Path, damage: str) -> None:
    file = tmp_path / "endpoints.json"
    expected = fingerprint(server.url, None)
    file.write_text(damage, encoding="utf-8")
    assert fingerprint(server.url, file) == expected
    assert expected in file.read_text("utf-8")


def test_choice_makes_it_without_asking_the_server(tmp_path: Path) -> None:
    spec = EmbedderSpec(name="openai", base_url="http://127.0.0.1:9/v1", model="tiny", api_key="secret-key")
    embedder, reason = load_embedder(spec, tmp_path)
    assert (embedder.name, reason) == ("openai:tiny", None)
    assert "secret-key" not in repr(spec)


@pytest.mark.parametrize(
    "spec",
    [
        EmbedderSpec(name="openai"),
        EmbedderSpec(name="openai", base_url="http://127.0.0.1:9/v1"),
        EmbedderSpec(name="openai", base_url="127.0.0.1:9", model="tiny"),
        EmbedderSpec(name="openai", base_url="ftp://127.0.0.1", model="tiny"),
        EmbedderSpec(name="no-such-folder"),
    ],
)
def test_settings_that_mean_nothing_stop_the_start(spec: EmbedderSpec, tmp_path: Path) -> None:
    with pytest.raises(StartupError) as raised:
        load_embedder(spec, tmp_path)
    assert raised.value.exit_code == 78
    assert "embedder." in str(raised.value)


def test_only_the_chosen_adapter_is_imported(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; import soulmem.embed, soulmem.embed.run.embedding_threads, "
        "soulmem.embed.install.model_install;"
        "from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder;"
        f"load_embedder(EmbedderSpec('hashing'), Path({str(tmp_path)!r}));"
        f"load_embedder(EmbedderSpec('auto'), Path({str(tmp_path)!r}));"
        "load_embedder(EmbedderSpec('openai', 'http://127.0.0.1:9', 'm'), Path('/nowhere'));"
        "print(sorted({'openai', 'onnx', 'onnxruntime', 'tokenizers', 'safetensors'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
