"""Which embedder the daemon runs on, from its settings and from what is installed.

Called once at start by the daemon and by `soulmem model test`. Each adapter is imported only when chosen, so
`hashing` costs neither onnxruntime nor openai. Invariant: a daemon without weights still starts, and says why
its vectors are poorer; settings that cannot mean anything stop it instead.
"""

from __future__ import annotations

from dataclasses import field
from functools import partial
from pathlib import Path

from soulmem.embed.late import LateEmbedder, Loaded
from soulmem.embed.manifest import BUILT_IN, GRAPH_FILE, MINILM, MINILM_INT8, QUANTISED_FILE, has_quantised, is_complete
from soulmem.errors import SoulmemError, StartupError
from soulmem.ports import Embedder
from soulmem.records import dataclass

_EX_CONFIG = 78
_ACQUAINTANCES = "endpoints.json"


@dataclass(frozen=True, slots=True)
class EmbedderSpec:
    """The settings `embedder.*`: a name (`auto`, `minilm-int8`, `minilm`, `hashing`, `openai`) or a model folder."""

    name: str = "auto"
    base_url: str | None = None
    model: str | None = None
    api_key: str | None = field(default=None, repr=False)
    dimensions: int | None = None
    deadline_s: float = 30.0


def choose_embedder(spec: EmbedderSpec, models_dir: Path) -> Loaded:
    """As `load_embedder`, but MiniLM is only looked for: it is loaded when it is needed, or `loaded` is called.

    Raises:
        StartupError: as `load_embedder` does.
    """
    directory = models_dir / MINILM
    if spec.name not in BUILT_IN or not is_complete(directory):
        return load_embedder(spec, models_dir)
    quantised = spec.name != MINILM and has_quantised(directory)
    return LateEmbedder(MINILM_INT8 if quantised else MINILM, partial(load_embedder, spec, models_dir)), None


def load_embedder(spec: EmbedderSpec, models_dir: Path) -> Loaded:
    """The embedder the settings ask for, or `hashing` and a line saying why it is not that one.

    An endpoint is not asked here: its `dimension` and `fingerprint` are known once it answers.

    Raises:
        StartupError: exit code 78, when the settings name no model, no folder, or one that cannot be used.
    """
    match spec.name:
        case "hashing":
            return _hashing(), None
        case "openai":
            return _openai(spec, models_dir), None
        case name if name in BUILT_IN:
            return _minilm(models_dir, exact=spec.name == MINILM)
        case _:
            return _folder(spec.name, models_dir), None


def _hashing() -> Embedder:
    from soulmem.embed.hashing import HashingEmbedder  # noqa: PLC0415  # see the module's first paragraph

    return HashingEmbedder()


def _minilm(models_dir: Path, *, exact: bool) -> Loaded:
    """MiniLM with its quantised graph, which finds the same and is faster, or with the exact one."""
    directory = models_dir / MINILM
    try:
        if not is_complete(directory):
            state = "incomplete" if directory.exists() else "not installed"
            return _hashing(), f"minilm is {state} in {models_dir}: run `soulmem model install`; using hashing"
        from soulmem.embed.minilm import OnnxEmbedder  # noqa: PLC0415  # see the module's first paragraph

        if not exact and has_quantised(directory):
            return OnnxEmbedder(directory, name=MINILM_INT8, graph_file=QUANTISED_FILE), None
        older = None if exact else f"{MINILM_INT8} is not drawn in {models_dir}: run `soulmem model install`"
        return OnnxEmbedder(directory, name=MINILM), older
    except Exception as error:  # libraries raise bare ones of many kinds, and an installation may be under way
        return _hashing(), f"{error}; using hashing"


def _openai(spec: EmbedderSpec, models_dir: Path) -> Embedder:
    from soulmem.embed.openai import OpenAIEmbedder  # noqa: PLC0415  # see the module's first paragraph

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
    from soulmem.embed.minilm import OnnxEmbedder  # noqa: PLC0415  # see the module's first paragraph

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
