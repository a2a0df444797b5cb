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

from soulmem.embed.base.model_manifest import (
    GRAPH_FILE,
    MULTILINGUAL,
    PACKED_FILES,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
)
from soulmem.embed.base.onnx_session import fingerprint_of, first_line, open_session, unusable
from soulmem.embed.base.packed_table import PackedTable
from soulmem.embed.base.text_preparation import legible, unit_rows
from soulmem.embed.tokenizer.unigram_tokenizer import Unigram
from soulmem.errors import SoulmemError
from soulmem.ports import FloatMatrix

MAX_TOKENS = 256
_MAX_CHARS = 1_500  # that more tokens could hardly fill
_COVERAGE_CHARS = 1_500
_BATCH_TOKENS = 512
_BEGIN, _END = 1, 2
_WIDTH = 512
_BESIDE = np.arange(-2, 3)  # the tokens that the widest n-gram takes in


class MultilingualEmbedder:
    """The `Embedder` port over the folder; thread-safe, deterministic; it takes about 35 MB."""

    def __init__(self, directory: Path) -> None:
        """Load the folder and embed one sentence, so that a model that does not work is noticed here.

        Raises SoulmemError: `model_unavailable`, when the folder holds no model that can be used.
        """
        self._directory = directory
        try:
            self._vocabulary = Unigram.read(directory / VOCABULARY_FILE)
            self._table = PackedTable(directory / TABLE_FILE, _WIDTH)
            if len(self._table) <= self._vocabulary.last:
                raise ValueError(f"{TABLE_FILE} lacks rows of its vocabulary")
            self._scale, self._lowest = _scales(directory / WEIGHTS_FILE)
            self._session = open_session(directory / GRAPH_FILE)
        except Exception as error:  # onnxruntime raises bare exceptions of many kinds
            raise self._unusable(first_line(error)) from error
        self._dimension = int(self.embed(["probe 探测"]).shape[1])

    @property
    def name(self) -> str:
        return MULTILINGUAL

    @property
    def dimension(self) -> int:
        return self._dimension

    @cached_property
    def fingerprint(self) -> str:
        """Digest of a sample of the model's files; see `minilm`."""
        return fingerprint_of(self._directory, PACKED_FILES, str(MAX_TOKENS).encode())

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Embed texts into an (n, dimension) float32 matrix with rows of unit length.

        Raises SoulmemError: `model_unavailable`, when the model answers with something unusable.
        """
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        sentences = [self._tokens(text) for text in texts]
        parts = [self._forward(sentences[first:last]) for first, last in _batches(list(map(len, sentences)))]
        return np.concatenate(parts)

    def coverage(self, text: str) -> float:
        """Share of the text's characters that it reads as words or parts of words; 0.0 when it has none to read.

        The letters of an alphabet it never learnt stand in the vocabulary one by one, and say nothing.
        """
        return self._vocabulary.share_read(legible(text, max_chars=_COVERAGE_CHARS))

    def _tokens(self, text: str) -> list[int]:
        pieces = self._vocabulary.ids(legible(text, max_chars=_MAX_CHARS), most=MAX_TOKENS - 2)
        return [_BEGIN, *pieces, _END]

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
        try:
            answer = self._session.run(None, feeds)[0]
        except Exception as error:  # onnxruntime raises bare exceptions of many kinds
            raise self._unusable(first_line(error)) from error
        return unit_rows(np.asarray(answer, dtype=np.float32), source=self.name)

    def _unusable(self, reason: str) -> SoulmemError:
        return unusable(self._directory, reason, "run `soulmem model install`")


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
