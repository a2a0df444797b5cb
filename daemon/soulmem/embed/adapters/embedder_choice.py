"""Which embedder the daemon runs on, from its settings and from what is installed.

Called once at start by the daemon and by `soulmem model test`. Each adapter is imported only when chosen, so
`hashing` costs neither onnxruntime nor openai. Invariant: a daemon without weights still starts, and says why
its vectors are poorer; settings that cannot mean anything stop it instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import partial
from pathlib import Path

from soulmem.embed.adapters.lazy_embedder import LateEmbedder, Loaded
from soulmem.embed.base.model_manifest import (
    E5,
    GRAPH_FILE,
    MINILM,
    MINILM_INT8,
    MODELS_OF,
    MULTILINGUAL,
    QUANTISED_FILE,
    has_quantised,
    install_command,
    is_complete,
    is_installed,
)
from soulmem.errors import SoulmemError, StartupError
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import Embedder

_EX_CONFIG = 78
_ACQUAINTANCES = "endpoints.json"


@dataclass(frozen=True, slots=True)
class EmbedderSpec:
    """The settings `embedder.*`: a name (`auto`, `openai`, `hashing`, an embedded model's) or a folder."""

    name: str = "auto"
    base_url: str | None = None
    model: str | None = None
    api_key: str | None = field(default=None, repr=False)
    dimensions: int | None = None
    deadline_s: float = 30.0


def choose_embedder(spec: EmbedderSpec, models_dir: Path, after: Callable[[], None] | None = None) -> Loaded:
    """As `load_embedder`, but an embedded model is only looked for: it is loaded when it is needed.

    `after`: called when it was, where much memory is free again.
    Raises StartupError: as `load_embedder` does.
    """
    parts = _parts_of(spec.name, models_dir) if spec.name in MODELS_OF else []
    if not parts:
        return load_embedder(spec, models_dir)
    return LateEmbedder("+".join(parts), partial(load_embedder, spec, models_dir), after), None


def load_embedder(spec: EmbedderSpec, models_dir: Path) -> Loaded:
    """The embedder the settings ask for, or `hashing` and a line saying why it is not that one.

    An endpoint is not asked here: its `dimension` and `fingerprint` are known once it answers.

    Raises StartupError: exit code 78, when the settings name no model, no folder, or one that cannot be used.
    """
    match spec.name:
        case "hashing":
            return _hashing(), None
        case "openai":
            return _openai(spec, models_dir), None
        case name if name in MODELS_OF:
            return _embedded(name, models_dir)
        case _:
            return _folder(spec.name, models_dir), None


def _hashing() -> Embedder:
    from soulmem.embed.adapters.hashing_embedder import HashingEmbedder  # noqa: PLC0415  # see the module's first paragraph

    return HashingEmbedder()


def _parts_of(name: str, models_dir: Path) -> list[str]:
    """Which embedded models a name stands for, of those that are whole: one, or MiniLM and one of other languages."""
    parts = []
    for model in MODELS_OF[name]:
        if is_installed(name, models_dir / model):
            quantised = model == MINILM != name and has_quantised(models_dir / model)
            parts.append(MINILM_INT8 if quantised else model)
    return parts


def _embedded(name: str, models_dir: Path) -> Loaded:
    """The embedded models that a name stands for, as one embedder, and what of them is missing."""
    found: list[Embedder] = []
    missing: list[str] = []
    loaders: dict[str, Callable[[Path], Loaded]] = {
        MINILM: partial(_minilm, exact=name == MINILM),
        MULTILINGUAL: _multilingual,
        E5: _e5,
    }
    for model in MODELS_OF[name]:
        directory = models_dir / model
        try:
            if not is_installed(name, directory):
                state = "not installed"
                if directory.exists():
                    state = "installed without its exact graph" if is_complete(directory) else "incomplete"
                command = install_command(model, exact=name == MINILM)
                missing.append(f"{model} is {state} in {models_dir}: run `{command}`")
                continue
            embedder, why = loaders[model](directory)
        except Exception as error:  # libraries raise bare ones of many kinds, and an installation may be under way
            missing.append(str(error))
            continue
        found.append(embedder)
        missing += [why] if why else []
    if not found:
        return _hashing(), f"{'; '.join(missing)}; using hashing"
    return _paired(found), "; ".join(missing) or None


def _minilm(directory: Path, *, exact: bool) -> Loaded:
    """MiniLM with its quantised graph, which finds the same and is faster, or with the exact one."""
    from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder  # noqa: PLC0415  # see the module's first paragraph

    if not exact and has_quantised(directory):
        return OnnxEmbedder(directory, name=MINILM_INT8, graph_file=QUANTISED_FILE), None
    older = None if exact else f"{MINILM_INT8} is not drawn in {directory.parent}: run `soulmem model install`"
    return OnnxEmbedder(directory, name=MINILM), older


def _multilingual(directory: Path) -> Loaded:
    from soulmem.embed.adapters.multilingual_embedder import MultilingualEmbedder  # noqa: PLC0415  # see the module's first paragraph

    return MultilingualEmbedder(directory), None


def _e5(directory: Path) -> Loaded:
    from soulmem.embed.adapters.e5_embedder import E5Embedder  # noqa: PLC0415  # see the module's first paragraph

    return E5Embedder(directory), None


def _paired(found: list[Embedder]) -> Embedder:
    """MiniLM and the other as one embedder, where both were found."""
    from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder  # noqa: PLC0415  # see the module's first paragraph
    from soulmem.embed.adapters.paired_embedder import PairedEmbedder  # noqa: PLC0415  # see the module's first paragraph

    match found:
        case [OnnxEmbedder() as english, every]:
            return PairedEmbedder(english, every)
        case _:
            return found[0]


def _openai(spec: EmbedderSpec, models_dir: Path) -> Embedder:
    from soulmem.embed.adapters.openai_embedder import OpenAIEmbedder  # noqa: PLC0415  # see the module's first paragraph

    for setting, value in (("base_url", spec.base_url), ("model", spec.model)):
        if not value:
            raise StartupError(f"embedder.name is openai, but embedder.{setting} is not set", exit_code=_EX_CONFIG)
    try:
        return OpenAIEmbedder(
            spec.base_url or "",
            spec.model or "",
            spec.api_key,
            dimensions=spec.dimensions,
            deadline_s=spec.deadline_s,
            acquaintances=models_dir / _ACQUAINTANCES,
        )
    except SoulmemError as error:
        raise StartupError(f"{error}: {error.hint}", exit_code=_EX_CONFIG) from error


def _folder(name: str, models_dir: Path) -> Embedder:
    from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder  # noqa: PLC0415  # see the module's first paragraph

    for directory in (models_dir / name, Path(name).expanduser()):
        if (directory / GRAPH_FILE).is_file():
            try:
                return OnnxEmbedder(directory)
            except SoulmemError as error:
                raise StartupError(str(error), exit_code=_EX_CONFIG) from error
    raise StartupError(
        f"embedder.name is {name!r}: not auto, minilm, hashing or openai, and no folder with {GRAPH_FILE}",
        exit_code=_EX_CONFIG,
    )
