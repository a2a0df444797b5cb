"""An encoder whose vocabulary's rows stay on the disk: what the multilingual ones share, whatever their network.

Made by `e5_embedder` and `multilingual_embedder` over the folder that their installation made: pieces by hash
(`unigram_tokenizer`), a table of rows (`packed_table`), a graph that is given the rows of its tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from soulmem.embed.base.model_manifest import TABLE_FILE, VOCABULARY_FILE
from soulmem.embed.base.onnx_session import first_line, unusable
from soulmem.embed.base.packed_table import MappedRows
from soulmem.embed.base.text_preparation import legible
from soulmem.embed.tokenizer.unigram_tokenizer import Unigram
from soulmem.errors import SoulmemError
from soulmem.ports import FloatMatrix

MAX_TOKENS = 256
MAX_CHARS = 1_500  # that more tokens could hardly fill
_BEGIN, _END = 1, 2


class TableEmbedder:
    """Part of the `Embedder` port over such a folder; thread-safe, deterministic."""

    name: str
    dimension: int
    install: str  # the command that makes the folder
    prefix = ""  # what the model was trained to read before a text

    def __init__(self, directory: Path) -> None:
        """Load the folder and embed one sentence, so that a model that does not work is noticed here.

        Raises SoulmemError: `model_unavailable`, when the folder holds no model that can be used.
        """
        self._directory = directory
        try:
            self._vocabulary = Unigram.read(directory / VOCABULARY_FILE)
            if len(self._open(directory)) <= self._vocabulary.last:
                raise ValueError(f"{TABLE_FILE} lacks rows of its vocabulary")
        except Exception as error:  # onnxruntime raises bare exceptions of many kinds
            raise self._unusable(first_line(error)) from error
        self._prefix = self._vocabulary.ids(self.prefix, most=MAX_TOKENS) if self.prefix else []
        self.embed(["probe 探测"])

    def _open(self, directory: Path) -> MappedRows:
        """Open the graph, and the table, which is returned."""
        raise NotImplementedError

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Embed texts into an (n, dimension) float32 matrix with rows of unit length.

        Raises SoulmemError: `model_unavailable`, when the model answers with something unusable.
        """
        raise NotImplementedError

    def coverage(self, text: str) -> float:
        """Share of the text's characters that it reads as words or parts of words; 0.0 when it has none to read.

        The letters of an alphabet it never learnt stand in the vocabulary one by one, and say nothing.
        """
        return self._vocabulary.share_read(legible(text, max_chars=MAX_CHARS))

    def _tokens(self, text: str) -> list[int]:
        most = MAX_TOKENS - 2 - len(self._prefix)
        pieces = self._vocabulary.ids(legible(text, max_chars=MAX_CHARS), most=most)
        return [_BEGIN, *self._prefix, *pieces, _END]

    def _run(self, session: Any, feeds: Mapping[str, Any]) -> FloatMatrix:
        try:
            answer = session.run(None, feeds)[0]
        except Exception as error:  # onnxruntime raises bare exceptions of many kinds
            raise self._unusable(first_line(error)) from error
        return np.asarray(answer, dtype=np.float32)

    def _unusable(self, reason: str) -> SoulmemError:
        return unusable(self._directory, reason, f"run `{self.install}`")
