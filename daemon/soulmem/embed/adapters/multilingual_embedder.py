"""Embedding other languages than English in this process: the Universal Sentence Encoder, multilingual.

Built by `embedder_choice` over the folder that `multilingual_install` made; called from the threads of
`embedding_threads`, alone or beside MiniLM (`paired_embedder`). It reads Arabic, Chinese, Dutch, English, French,
German, Italian, Japanese, Korean, Polish, Portuguese, Russian, Spanish, Thai and Turkish, and places what means the
same in two of them side by side. Texts go through in batches without padding, on the calling thread alone. Invariant: a
text's vector does not depend on what else is in its batch beyond 1e-6 a component.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.adapters.table_embedder import MAX_TOKENS, TableEmbedder
from soulmem.embed.base.model_manifest import GRAPH_FILE, MULTILINGUAL, PACKED_FILES, TABLE_FILE, WEIGHTS_FILE
from soulmem.embed.base.onnx_session import fingerprint_of, open_session
from soulmem.embed.base.packed_table import PackedTable
from soulmem.embed.base.text_preparation import unit_rows
from soulmem.ports import FloatMatrix

_BATCH_TOKENS = 512
_WIDTH = 512
_BESIDE = np.arange(-2, 3)  # the tokens that the widest n-gram takes in


class MultilingualEmbedder(TableEmbedder):
    """The `Embedder` port over the folder; thread-safe, deterministic; it takes about 35 MB."""

    name = MULTILINGUAL
    dimension = _WIDTH
    install = "soulmem model install"

    def _open(self, directory: Path) -> PackedTable:
        self._table = PackedTable(directory / TABLE_FILE, _WIDTH)
        self._scale, self._lowest = _scales(directory / WEIGHTS_FILE)
        self._session = open_session(directory / GRAPH_FILE)
        return self._table

    @cached_property
    def fingerprint(self) -> str:
        """Digest of a sample of the model's files; see `minilm`."""
        return fingerprint_of(self._directory, PACKED_FILES, str(MAX_TOKENS).encode())

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        if not texts:
            return np.zeros((0, _WIDTH), dtype=np.float32)
        sentences = [self._tokens(text) for text in texts]
        parts = [self._forward(sentences[first:last]) for first, last in _batches(list(map(len, sentences)))]
        return np.concatenate(parts)

    def _forward(self, batch: Sequence[Sequence[int]]) -> FloatMatrix:
        lengths = np.array([len(sentence) for sentence in batch])
        ids = np.concatenate([np.array(sentence, dtype=np.int64) for sentence in batch])
        ends = np.cumsum(lengths)
        owner = np.repeat(np.arange(len(batch)), lengths)
        scale_of = ids % len(self._scale)
        rows = self._table.rows(ids) * self._scale[scale_of, None] + self._lowest[scale_of, None]
        beside = np.arange(len(ids))[:, None] + _BESIDE
        inside = (beside >= (ends - lengths)[owner, None]) & (beside < ends[owner, None])
        share = np.zeros((len(batch), len(ids)), dtype=np.float32)
        share[owner, np.arange(len(ids))] = 1 / np.sqrt(lengths[owner])
        feeds = {"rows": rows, "window": np.where(inside, beside, len(ids)), "share": share}
        return unit_rows(self._run(self._session, feeds), source=self.name)


def _scales(weights: Path) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Of the rows dealt out in turn: the size of a step, and where the numbers begin."""
    from soulmem.embed.install.onnx_export import tensor_places  # noqa: PLC0415  # it is small, but `hashing` must not pay for it

    places = tensor_places(weights)
    found = []
    for name in ("scale", "lo"):
        place = places[name]
        found.append(np.fromfile(weights, np.float32, place.length // 4, offset=place.offset))
    return found[0], found[1]


def _batches(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Stretches of texts, from and to, of at most 512 tokens or one text."""
    first = total = 0
    for place, length in enumerate(lengths):
        if place > first and total + length > _BATCH_TOKENS:
            yield first, place
            first, total = place, 0
        total += length
    yield first, len(lengths)
