"""The file of multilingual-e5-small for unit tests: random weights of the real width, a few dozen pieces.

What its matrices hold is told beside it as plain numbers, for whoever computes with them in another way.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.base.model_manifest import (
    E5,
    GRAPH_FILE,
    MANIFEST_FILE,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    FileFacts,
    Manifest,
    manifest_text,
)
from soulmem.embed.install.e5_export import write_e5_graph, write_e5_parts
from soulmem.embed.install.wheel_fetching import file_sha256

HIDDEN, WIDE, LAYERS, HEADS, POSITIONS, BLOCK = 384, 64, 2, 12, 300, 32
CONTROL = ("<s>", "<pad>", "</s>", "<unk>")
_SPELT = "▁ ▁the ▁a ▁cat ▁lake a n e t l k c s 我 去 了 湖边 湖 边 ▁anna ▁安 娜 ▁我 cat 。 ? 🙂 ▁query :"
PIECES = (
    *((piece, 0.0) for piece in CONTROL),
    *((piece, -1.0 - place * 0.25) for place, piece in enumerate(_SPELT.split())),
    ("<mask>", 0.0),
)
ROWS = len(PIECES) + 3  # a few that no piece has
Numbers = dict[str, NDArray[np.float32]]


def write_source(file: Path, *, seed: int = 1) -> Numbers:
    """Write the file; every tensor as plain numbers, by its name there."""
    draw = np.random.default_rng(seed)
    sizes = {"emb.word": (ROWS, HIDDEN)}
    told: Numbers = {
        "emb.pos": draw.normal(0, 0.1, (POSITIONS, HIDDEN)).astype(np.float32),
        "emb.type": draw.normal(0, 0.1, (2, HIDDEN)).astype(np.float32),
        "emb.ln.w": draw.normal(1, 0.1, HIDDEN).astype(np.float32),
        "emb.ln.b": draw.normal(0, 0.1, HIDDEN).astype(np.float32),
    }
    for layer in range(LAYERS):
        sizes |= {f"l{layer}.{name}.w": (HIDDEN, HIDDEN) for name in ("q", "k", "v", "ao")}
        sizes |= {f"l{layer}.fi.w": (WIDE, HIDDEN), f"l{layer}.fo.w": (HIDDEN, WIDE)}
        for name, size in (("q", HIDDEN), ("k", HIDDEN), ("v", HIDDEN), ("ao", HIDDEN), ("fi", WIDE), ("fo", HIDDEN)):
            told[f"l{layer}.{name}.b"] = draw.normal(0, 0.1, size).astype(np.float32)
        for name in ("aln", "oln"):
            told[f"l{layer}.{name}.w"] = draw.normal(1, 0.1, HIDDEN).astype(np.float32)
            told[f"l{layer}.{name}.b"] = draw.normal(0, 0.1, HIDDEN).astype(np.float32)
    held = {name: (0, value.size, value.tobytes()) for name, value in told.items()}
    for name, (rows, width) in sizes.items():
        scales = draw.uniform(0.005, 0.02, (rows, width // BLOCK)).astype(np.float16)
        steps = draw.integers(0, 16, (rows, width // BLOCK, BLOCK), dtype=np.uint8)
        told[name] = ((steps.astype(np.float32) - 8) * scales[..., None].astype(np.float32)).reshape(rows, width)
        held[name] = (1, rows * width, _blocks(scales, steps))
    file.write_bytes(_whole(held))
    return told


def write_e5(directory: Path, *, seed: int = 1) -> Path:
    """A complete folder with its manifest."""
    directory.mkdir(parents=True, exist_ok=True)
    write_source(directory / "source.bin", seed=seed)
    write_e5_parts(
        directory / "source.bin",
        table=directory / TABLE_FILE,
        vocabulary=directory / VOCABULARY_FILE,
        weights=directory / WEIGHTS_FILE,
    )
    (directory / "source.bin").unlink()
    write_e5_graph(directory / WEIGHTS_FILE, directory / GRAPH_FILE)
    names = (GRAPH_FILE, TABLE_FILE, VOCABULARY_FILE, WEIGHTS_FILE)
    facts = {name: FileFacts((directory / name).stat().st_size, file_sha256(directory / name)) for name in names}
    manifest = Manifest(E5, "random", "none", HIDDEN, 256, HEADS, 1, facts)
    (directory / MANIFEST_FILE).write_text(manifest_text(manifest), encoding="utf-8")
    return directory


def _blocks(scales: NDArray[np.float16], steps: NDArray[np.uint8]) -> bytes:
    """Byte j of a block holds weight j in its low half and weight j + 16 in its high one."""
    out = bytearray()
    for scale, row in zip(scales.reshape(-1), steps.reshape(-1, BLOCK).tolist(), strict=True):
        out += scale.tobytes() + bytes(row[j] | row[j + 16] << 4 for j in range(16))
    return bytes(out)


def _whole(held: dict[str, tuple[int, int, bytes]]) -> bytes:
    names = [piece.encode() for piece, _ in PIECES]
    bounds = np.cumsum([0, *map(len, names)]).astype("<u4").tobytes()
    scores = np.array([score for _, score in PIECES], "<f4").tobytes()
    head = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, LAYERS, HEADS, WIDE, ROWS, POSITIONS, 2, 1e-12, BLOCK)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, names))) + bounds + scores + b"".join(names)
    # one character that is read as another, which nobody here needs
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 0xFF21, 1, 0x41) + struct.pack("<i", len(held))
    at = len(head) + sum(2 + len(name.encode()) + 21 for name in held)
    entries, blocks = b"", b""
    for name, (kind, count, content) in held.items():
        padding = -(at + len(blocks)) % 64
        blocks += b"\0" * padding
        entries += struct.pack("<H", len(name)) + name.encode()
        entries += struct.pack("<BIQQ", kind, count, at + len(blocks), len(content))
        blocks += content
    return head + entries + blocks
