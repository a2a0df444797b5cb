"""Embedding a hundred languages in this process: multilingual-e5-small.

Built by `embedder_choice` over the folder that `e5_install` made; called from the threads of `embedding_threads`, alone
or beside MiniLM (`paired_embedder`). Texts go through in order of length, at most 8 texts and 256 padded tokens at a
time, on the calling thread alone. All its vectors point much the same way, and those of one language lie together; what
they share is taken out of them (`e5_space.npz`), so that cosines mean what they mean with other encoders, across
languages too, and one set of thresholds serves all. Invariant: a text's vector does not depend on what else is in its
batch beyond single roundings.

Model: Wang et al. 2024 (multilingual E5). Common directions: Mu, Viswanath 2018 (all but the top).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.adapters.table_embedder import MAX_CHARS, MAX_TOKENS, TableEmbedder
from soulmem.embed.base.model_manifest import E5, GRAPH_FILE, PACKED_FILES, TABLE_FILE, WEIGHTS_FILE, install_command
from soulmem.embed.base.onnx_session import batches_by_length, fingerprint_of, open_session
from soulmem.embed.base.packed_table import BLOCK_BYTES, BlockTable, weights_of
from soulmem.embed.base.text_preparation import legible, unit_rows
from soulmem.ports import FloatMatrix

SPACE_FILE = "embed/adapters/e5_space.npz"  # in the package
_BATCH_TEXTS, _BATCH_TOKENS = 8, 256  # more are hardly faster, and take tens of megabytes
_WIDTH = 384


class E5Embedder(TableEmbedder):
    """The `Embedder` port over the folder; thread-safe, deterministic; it takes about 50 MB."""

    name = E5
    dimension = _WIDTH
    install = install_command(E5)
    prefix = "query:"  # before a text that is compared with its like

    def _open(self, directory: Path) -> BlockTable:
        self._table = BlockTable(directory / TABLE_FILE, _WIDTH)
        self._session = open_session(directory / GRAPH_FILE, _dense_layers(directory / WEIGHTS_FILE))
        self._space = _space()
        return self._table

    @cached_property
    def fingerprint(self) -> str:
        """Digest of a sample of the model's files, and of what is taken out of its vectors; see `onnx_embedder`."""
        space = (part.tobytes() for part in self._space)
        return fingerprint_of(self._directory, PACKED_FILES, f"{MAX_TOKENS}:{self.prefix}".encode(), *space)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        return self._without_common(self.plain(texts)) if texts else np.zeros((0, _WIDTH), dtype=np.float32)

    def plain(self, texts: Sequence[str]) -> FloatMatrix:
        """The vectors as the model gives them, of unit length; see `embed`."""
        sentences = [self._tokens(text) for text in texts]
        rows = np.zeros((len(texts), _WIDTH), dtype=np.float32)
        for batch in batches_by_length(list(map(len, sentences)), texts=_BATCH_TEXTS, tokens=_BATCH_TOKENS):
            rows[batch] = self._forward([sentences[place] for place in batch])
        return unit_rows(rows, source=self.name)

    def coverage(self, text: str) -> float:
        """As `TableEmbedder` says, but that signs without a letter or a digit say too little to be compared, though
        some stand in the vocabulary."""
        return super().coverage(text) if any(map(str.isalnum, legible(text, max_chars=MAX_CHARS))) else 0.0

    def _forward(self, batch: Sequence[Sequence[int]]) -> FloatMatrix:
        lengths = np.array([len(sentence) for sentence in batch])
        mask = np.arange(lengths.max()) < lengths[:, None]
        rows = np.zeros((*mask.shape, _WIDTH), dtype=np.float32)
        rows[mask] = self._table.rows(np.array([number for sentence in batch for number in sentence], dtype=np.int64))
        return self._run(self._session, {"rows": rows, "attention_mask": mask.astype(np.int64)})

    def _without_common(self, vectors: FloatMatrix) -> FloatMatrix:
        mean, directions, share = self._space
        along = (vectors - mean) @ directions.T
        own = np.asarray(vectors - share * mean - along @ directions, dtype=np.float32)
        return unit_rows(own, source=self.name)


def _space() -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Of all vectors the mean (d,), directions (n, d) in which languages differ, and what share of the mean goes."""
    with files("soulmem").joinpath(SPACE_FILE).open("rb") as file, np.load(file, allow_pickle=False) as held:
        return held["mean"], held["directions"], held["share"]


def _dense_layers(weights: Path) -> dict[str, NDArray[np.generic]]:
    """The dense layers in whole numbers, as the graph names them, out of weights in four bits."""
    from soulmem.embed.install.onnx_export import tensor_places  # noqa: PLC0415  # they are small, but `hashing` must not pay for them
    from soulmem.embed.install.onnx_quantisation import numbers_of, quantised_rows, scale_of  # noqa: PLC0415  # ditto

    found: dict[str, NDArray[np.generic]] = {}
    for name, place in tensor_places(weights).items():
        if place.dtype == "U8":
            held = np.fromfile(weights, np.uint8, place.length, offset=place.offset)
            blocks = held.reshape(place.shape[0], -1, BLOCK_BYTES)
            numbers, scales = quantised_rows(weights_of(blocks))
            layer = name.removesuffix(".weight")
            found[numbers_of(layer)], found[scale_of(layer)] = np.ascontiguousarray(numbers.T), scales
    return found
