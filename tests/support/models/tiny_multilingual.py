"""A multilingual model folder for unit tests: random weights of the real shapes, a vocabulary of a few dozen pieces."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.base.model_manifest import (
    GRAPH_FILE,
    MANIFEST_FILE,
    MULTILINGUAL,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    FileFacts,
    Manifest,
    manifest_text,
)
from soulmem.embed.install.multilingual_export import write_multilingual_graph, write_parts
from soulmem.embed.install.wheel_fetching import file_sha256

CHUNKS, ROWS = 3, 16
CONTROL = ("<unk>", "<s>", "</s>", "a1", "a2", "a3")
_SPELT = (
    "▁ ▁the ▁a ▁cat ▁lake a n e t l k c s",
    "我 去 了 湖边 湖 边 ▁anna ▁安 娜 ▁我 cat 。 ?",
)
PIECES = (
    *((piece, 0.0) for piece in CONTROL),
    *((piece, -1.0 - place * 0.25) for place, piece in enumerate(" ".join(_SPELT).split())),
)

Arrays = dict[str, NDArray[np.float32] | NDArray[np.uint8]]


def arrays(*, seed: int = 1) -> Arrays:
    """What the wheel's archive holds, at random."""
    draw = np.random.default_rng(seed)

    def some(*shape: int) -> NDArray[np.float32]:
        return (draw.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

    made: Arrays = {f"q{k + 1}": draw.integers(0, 64, (ROWS, 512), dtype=np.uint8) for k in range(CHUNKS)}
    made |= {"scale": np.full(CHUNKS, 0.05, np.float32), "lo": np.linspace(-1.7, -1.5, CHUNKS, dtype=np.float32)}
    for order in (2, 3, 5):
        made |= {f"proj{order}": some(512, 256), f"proj_b{order}": some(256)}
        made |= {f"ln_g{order}": 1 + some(256), f"ln_b{order}": some(256)}
        for layer in ("1", "2"):
            made |= {f"w{layer}_{order}": some(256 * order, 256), f"b{layer}_{order}": some(256)}
    made |= {"ln_g": 1 + some(1280), "ln_b": some(1280), "cnn_W": some(1280, 512) / 4, "cnn_b": some(512)}
    made |= {"d0": some(512, 320), "d1": some(320, 320), "p1": some(512, 320)}
    made |= {"d2": some(320, 512), "p3": some(320, 512), "d3": some(512, 512)}
    return made | {"eps": np.float32(1e-6)}


def write_pieces(file: Path, pieces: Sequence[tuple[str, float]] = PIECES) -> None:
    """A SentencePiece model: each piece a field 1 of text and score, and one field that nobody reads."""
    out = b""
    for text, score in pieces:
        name = text.encode()
        inner = b"\x0a" + bytes([len(name)]) + name + b"\x15" + struct.pack("<f", score) + b"\x18\x01"
        out += b"\x0a" + bytes([len(inner)]) + inner
    file.write_bytes(out + b"\x12\x03abc")


def write_multilingual(directory: Path, *, seed: int = 1) -> Path:
    """A complete folder with its manifest."""
    directory.mkdir(parents=True, exist_ok=True)
    write_pieces(directory / "sp.model")
    write_parts(
        arrays(seed=seed),
        directory / "sp.model",
        table=directory / TABLE_FILE,
        vocabulary=directory / VOCABULARY_FILE,
        weights=directory / WEIGHTS_FILE,
    )
    (directory / "sp.model").unlink()
    write_multilingual_graph(directory / WEIGHTS_FILE, directory / GRAPH_FILE)
    names = (GRAPH_FILE, TABLE_FILE, VOCABULARY_FILE, WEIGHTS_FILE)
    files = {name: FileFacts((directory / name).stat().st_size, file_sha256(directory / name)) for name in names}
    manifest = Manifest(MULTILINGUAL, "random", "none", 512, 256, 0, 1, files)
    (directory / MANIFEST_FILE).write_text(manifest_text(manifest), encoding="utf-8")
    return directory
