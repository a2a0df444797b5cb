"""Two encoders side by side as one space: MiniLM for what is English, the multilingual one for everything.

Built by `embedder_choice` for `auto` where both are installed. The vector of a text is both of its vectors one behind
the other, each scaled: the more of the text is English words that MiniLM knows, the more of the length its part has,
and of Chinese it has none. `core.schema.two_part_vectors` compares English with English by MiniLM, all else over what
both have. Invariants: rows have unit length; a text's vector depends on the text alone; what stands behind
`shared_from` is never empty, so any two texts can be compared there, whatever their languages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from soulmem.core.schema.two_part_vectors import marked
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.base.text_preparation import unit_rows
from soulmem.ports import Embedder, FloatMatrix
from soulmem.text_memo import text_memo

# Of the squared length of an English text's vector, the part of MiniLM: English is compared with English in that part
# alone, or nearly so where somebody multiplies whole vectors; the rest is there for those who ask in another language.
ENGLISH_PART = 0.9
# The share of letters in words that MiniLM keeps whole: of 99 in 100 English messages it is above the second, of
# sentences in other languages below the first.
FOREIGN_BELOW, ENGLISH_FROM = 0.5, 0.75
_VERSION = "paired-1"
_KEPT = 64  # texts: those of a few batches


class PairedEmbedder:
    """The `Embedder` port over both; thread-safe, deterministic."""

    def __init__(self, english: OnnxEmbedder, every: Embedder) -> None:
        self._english = english
        self._every = every
        # Asked of each text by `coverage` and, shortly after, by `embed`.
        self._english_in = text_memo(_KEPT)(self._english_share)

    @property
    def name(self) -> str:
        return f"{self._english.name}+{self._every.name}"

    @property
    def dimension(self) -> int:
        return self._english.dimension + self._every.dimension

    @property
    def shared_from(self) -> int:
        """Where the part of a vector begins that texts of every language have."""
        return self._english.dimension

    @cached_property
    def fingerprint(self) -> str:
        parts = (
            _VERSION,
            ENGLISH_PART,
            FOREIGN_BELOW,
            ENGLISH_FROM,
            self._english.fingerprint,
            self._every.fingerprint,
        )
        return marked(hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()[:12], self.shared_from)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Embed texts into an (n, dimension) float32 matrix with rows of unit length.

        Raises SoulmemError: `model_unavailable`, when a model answers with something unusable.
        """
        matrix = np.zeros((len(texts), self.dimension), dtype=np.float32)
        if not texts:
            return matrix
        part = np.array([ENGLISH_PART * self._english_in(text) for text in texts], dtype=np.float32)
        read = np.flatnonzero(part).tolist()
        if read:
            vectors = self._english.embed([texts[place] for place in read])
            matrix[read, : self.shared_from] = np.sqrt(part[read][:, None]) * vectors
        matrix[:, self.shared_from :] = np.sqrt(1 - part[:, None]) * self._every.embed(texts)
        return unit_rows(matrix, source=self.name)

    def coverage(self, text: str) -> float:
        """Share of the text that one of them can read."""
        english = self._english_in(text)
        return english if english == 1.0 else max(self._every.coverage(text), english)

    def _english_share(self, text: str) -> float:
        """How much of a text is English, 0..1."""
        known = self._english.share_of_whole_words(text)
        return min(1.0, max(0.0, (known - FOREIGN_BELOW) / (ENGLISH_FROM - FOREIGN_BELOW)))
