"""The models directory: what lies in it, and what each installed model says about itself.

Called by `model_install` (writes manifests), `embedder_choice` (looks models up) and `soulmem model list`. A model is a
folder with `model.onnx` and `tokenizer.json`; a folder of our making also has `manifest.json`, written last,
so a folder with a manifest is complete.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from soulmem.fast_dataclasses import dataclass

GRAPH_FILE = "model.onnx"
QUANTISED_FILE = "model-int8.onnx"
GATHERED_FILE = "model-int8.data"  # what the quantised graph reads, where it is alone
TOKENIZER_FILE = "tokenizer.json"
WEIGHTS_FILE = "model.safetensors"
TABLE_FILE = "rows.bin"  # of a vocabulary, packed
VOCABULARY_FILE = "pieces.npy"
PACKED_FILES = (GRAPH_FILE, TABLE_FILE, VOCABULARY_FILE, WEIGHTS_FILE)  # of a model with such a table
MANIFEST_FILE = "manifest.json"
MINILM = "minilm"
MINILM_INT8 = "minilm-int8"  # the same folder, its quantised graph
MULTILINGUAL = "use-multilingual"
E5 = "e5"
AUTO = "auto"
# By name in the settings: the models that are meant, one, or MiniLM and beside it one of other languages.
MODELS_OF: Mapping[str, tuple[str, ...]] = {
    AUTO: (MINILM, MULTILINGUAL),
    MINILM: (MINILM,),
    MINILM_INT8: (MINILM,),
    MULTILINGUAL: (MULTILINGUAL,),
    E5: (E5,),
    f"{MINILM_INT8}+{MULTILINGUAL}": (MINILM, MULTILINGUAL),
    f"{MINILM_INT8}+{E5}": (MINILM, E5),
}
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a file of a model was when it was installed."""

    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The note an installed model carries: origin, sizes and digests."""

    name: str
    source: str
    licence: str
    dimension: int
    max_tokens: int
    heads: int
    graph_version: int
    files: Mapping[str, FileFacts]


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """One model of the models directory, as `soulmem model list` shows it."""

    name: str
    directory: Path
    size_bytes: int
    manifest: Manifest | None
    complete: bool


def install_command(*models: str, exact: bool = False) -> str:
    """The command that fetches these models; `exact`: MiniLM with the weights as they were trained."""
    own = [model for model in models if exact or model not in MODELS_OF[AUTO]]
    return " ".join(["soulmem model install", *(models if own else ())])


def read_manifest(directory: Path) -> Manifest | None:
    """The manifest of a model folder, or None when it has none that we understand."""
    try:
        fields = json.loads((directory / MANIFEST_FILE).read_text("utf-8"))
        if fields.pop("format") != _FORMAT:
            return None
        files = {name: FileFacts(**facts) for name, facts in fields.pop("files").items()}
        return Manifest(files=files, **fields)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def manifest_text(manifest: Manifest) -> str:
    """The JSON text of a manifest."""
    return json.dumps({"format": _FORMAT, **asdict(manifest)}, indent=2, ensure_ascii=False) + "\n"


def is_complete(directory: Path) -> bool:
    """True when the folder can be loaded: its files there, and those of its manifest at their size."""
    manifest = read_manifest(directory)
    if manifest is None:
        usable = all((directory / name).is_file() for name in (GRAPH_FILE, TOKENIZER_FILE))
        return usable and not (directory / MANIFEST_FILE).exists()
    for name, facts in manifest.files.items():
        file = directory / name
        if not file.is_file() or file.stat().st_size != facts.size_bytes:
            return False
    graph = QUANTISED_FILE if manifest.name == MINILM and GRAPH_FILE not in manifest.files else GRAPH_FILE
    needed = (graph, VOCABULARY_FILE if manifest.name in (MULTILINGUAL, E5) else TOKENIZER_FILE)
    return all((directory / name).is_file() for name in needed)


def is_installed(name: str, directory: Path) -> bool:
    """True when the folder of a model is whole, as a name in the settings means it: `minilm` means its exact graph."""
    return is_complete(directory) and (name != MINILM or (directory / GRAPH_FILE).is_file())


def has_quantised(directory: Path) -> bool:
    """True when a whole folder of ours holds the quantised graph too."""
    manifest = read_manifest(directory)
    return manifest is not None and QUANTISED_FILE in manifest.files and is_complete(directory)


def installed_models(models_dir: Path) -> tuple[InstalledModel, ...]:
    """The model folders of the models directory, by name; an absent directory holds none."""
    if not models_dir.is_dir():
        return ()
    found = []
    for directory in sorted(models_dir.iterdir()):
        drawn = any((directory / graph).is_file() for graph in (GRAPH_FILE, QUANTISED_FILE))
        if directory.name.startswith(".") or not drawn:
            continue
        size_bytes = sum(file.stat().st_size for file in directory.rglob("*") if file.is_file())
        found.append(
            InstalledModel(directory.name, directory, size_bytes, read_manifest(directory), is_complete(directory))
        )
    return tuple(found)
