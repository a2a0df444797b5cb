"""Embedding in this process: a folder with `model.onnx` and `tokenizer.json`, run by onnxruntime.

Built by `embedder_choice` for `minilm` and for any folder a user names; called from the threads of `embedding_threads`.
Texts go through in order of length, at most 8 texts and 512 padded tokens at a time, on the calling thread alone, so
the thread's priority governs the work and a long text costs megabytes, not hundreds. Invariant: a text's vector does
not depend on what else is in its batch beyond 1e-6 a component (padding is masked; only the order of additions moves),
or beyond single roundings where the graph is quantised.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.base.model_manifest import GRAPH_FILE, TOKENIZER_FILE, read_manifest
from soulmem.embed.base.onnx_session import batches_by_length, fingerprint_of, first_line, open_session, unusable
from soulmem.embed.base.text_preparation import legible, unit_rows
from soulmem.errors import SoulmemError
from soulmem.ports import FloatMatrix

MAX_TOKENS = 256
_BATCH_TEXTS = 8
_BATCH_TOKENS = 512  # padded; above it attention alone takes tens of megabytes
_CHARS_A_TOKEN = 16  # of a longer text no more is tokenised than could ever fill the tokens
_COVERAGE_CHARS = 2000
_LETTERS_A_SIGN = 3  # a Chinese character says as much as so many letters
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_WEIGHT_SUFFIXES = frozenset({".safetensors", ".data", ".onnx_data", ".bin"})


class OnnxEmbedder:
    """The `Embedder` port over a model folder; thread-safe, deterministic; MiniLM takes 85 MB, quantised about 30."""

    def __init__(
        self,
        directory: Path,
        *,
        name: str | None = None,
        max_tokens: int | None = None,
        batch_texts: int = _BATCH_TEXTS,
        graph_file: str = GRAPH_FILE,
    ) -> None:
        """Load the folder and embed one sentence, so that a model that does not work is noticed here.

        Raises SoulmemError: `model_unavailable`, when the folder holds no model that can be used.
        """
        self._directory = directory
        self.name = name or f"onnx:{directory.name}"
        self._batch_texts = batch_texts
        self._graph_file = graph_file
        manifest = read_manifest(directory)
        self._max_tokens = max_tokens or (manifest.max_tokens if manifest else MAX_TOKENS)
        for file in (graph_file, TOKENIZER_FILE):
            if not (directory / file).is_file():
                raise self._unusable(f"{file} is missing")
        try:
            self._tokenizer, self._pad_id, self._unknown_id = _open_tokenizer(directory, self._max_tokens)
            self._session = open_session(directory / graph_file)
        except Exception as error:  # onnxruntime and tokenizers raise bare exceptions of many kinds
            raise self._unusable(first_line(error)) from error
        self._inputs = frozenset(entry.name for entry in self._session.get_inputs())
        if "input_ids" not in self._inputs or not self._inputs <= _INPUTS:
            raise self._unusable(f"its inputs are {', '.join(sorted(self._inputs))}")
        self._output = _sentence_output(self._session.get_outputs())
        self._first_token_pools = _pools_first_token(directory)
        self.dimension = int(self._run(["probe 探测"]).shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """Digest of a sample of the model's files: any retraining, quantisation or swap changes it.

        A sample, because hashing gigabytes at each start is too much; `soulmem model test` checks whole files.
        """
        own = (self._graph_file, TOKENIZER_FILE)
        files = sorted(
            each for each in self._directory.iterdir() if each.name in own or each.suffix in _WEIGHT_SUFFIXES
        )
        said = f"{self._max_tokens}:{self._first_token_pools}".encode()
        return fingerprint_of(self._directory, [file.name for file in files], said)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Embed texts into an (n, dimension) float32 matrix with rows of unit length.

        Raises SoulmemError: `model_unavailable`, when the model answers with something unusable.
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return self._run(texts)

    def coverage(self, text: str) -> float:
        """Share of the text's first tokens that are in the vocabulary; 0.0 when it has none to read."""
        if self._unknown_id is None:
            return 1.0
        passage = legible(text, max_chars=_COVERAGE_CHARS)
        ids = self._tokenizer.encode(passage, add_special_tokens=False).ids
        return 1.0 - ids.count(self._unknown_id) / len(ids) if ids else 0.0

    def share_of_whole_words(self, text: str) -> float:
        """Share of the text's letters that stand in words of the vocabulary, not cut into pieces; 0.0 without letters.

        It tells the language the vocabulary was made for from others, whose words fall apart.
        """
        passage = self._tokenizer.encode(legible(text, max_chars=_COVERAGE_CHARS), add_special_tokens=False)
        words = passage.word_ids
        whole = letters = 0
        for place, token in enumerate(passage.tokens):
            piece = token.removeprefix("##")
            is_unknown = passage.ids[place] == self._unknown_id
            if not is_unknown and not piece.isalpha():
                continue
            is_latin = piece.isascii() and not is_unknown
            size = len(piece) if is_latin else _LETTERS_A_SIGN
            letters += size
            alone = words[place] not in (words[place - 1 : place] + words[place + 1 : place + 2])
            if is_latin and alone:
                whole += size
        return whole / letters if letters else 0.0

    def _run(self, texts: Sequence[str]) -> FloatMatrix:
        limit = self._max_tokens * _CHARS_A_TOKEN
        # one by one: an encoding keeps all that was cut off of its text for as long as it lives
        sentences = [self._tokenizer.encode(legible(text, max_chars=limit)).ids for text in texts]
        rows: FloatMatrix | None = None
        for batch in batches_by_length(list(map(len, sentences)), texts=self._batch_texts, tokens=_BATCH_TOKENS):
            vectors = self._forward([sentences[index] for index in batch])
            if rows is None:
                rows = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32)
            rows[batch] = vectors
        assert rows is not None
        return rows

    def _forward(self, batch: Sequence[Sequence[int]]) -> FloatMatrix:
        tokens = max(1, *map(len, batch), 1)
        ids = np.full((len(batch), tokens), self._pad_id, dtype=np.int64)
        mask = np.zeros((len(batch), tokens), dtype=np.int64)
        for row, sentence in enumerate(batch):
            ids[row, : len(sentence)] = sentence
            mask[row, : max(1, len(sentence))] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            answer = self._session.run(
                [self._output], {name: value for name, value in feeds.items() if name in self._inputs}
            )[0]
        except Exception as error:  # onnxruntime raises bare exceptions of many kinds
            raise self._unusable(first_line(error)) from error
        if answer.ndim == 3:
            answer = answer[:, 0] if self._first_token_pools else _mean_over_tokens(answer, mask)
        if answer.ndim != 2 or len(answer) != len(batch):
            raise self._unusable(f"its output has the shape {answer.shape}")
        return unit_rows(np.asarray(answer, dtype=np.float32), source=self.name)

    def _unusable(self, reason: str) -> SoulmemError:
        return unusable(self._directory, reason, "check it with `soulmem model test`")


def _open_tokenizer(directory: Path, max_tokens: int) -> tuple[Any, int, int | None]:
    """The tokenizer, its padding id, and the id of unknown tokens if it has one."""
    # its own thread pool would escape the niceness of the thread that calls it
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer  # noqa: PLC0415  # `hashing` must not pay for it

    tokenizer = Tokenizer.from_file(str(directory / TOKENIZER_FILE))
    named = [tokenizer.token_to_id(token) for token in ("[PAD]", "<pad>")]
    pad_id = (tokenizer.padding or {}).get("pad_id", next((found for found in named if found is not None), 0))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    unknown = [
        tokenizer.token_to_id(token)
        for token in (getattr(tokenizer.model, "unk_token", None), "[UNK]", "<unk>")
        if token is not None
    ]
    return tokenizer, int(pad_id), next((found for found in unknown if found is not None), None)


def _sentence_output(outputs: Sequence[Any]) -> str:
    """A pooled sentence output if one is named so, else token vectors, else whatever comes first.

    BERT's own `pooler_output` is (n, d) too, but it was trained for another purpose.
    """
    for output in outputs:
        if "sentence" in output.name or output.name in ("embedding", "embeddings"):
            return str(output.name)
    for output in outputs:
        if len(output.shape) == 3:
            return str(output.name)
    return str(outputs[0].name)


def _pools_first_token(directory: Path) -> bool:
    """True when the folder's Sentence-Transformers settings ask for the first token instead of the mean."""
    try:
        settings = json.loads((directory / "1_Pooling" / "config.json").read_text("utf-8"))
        return bool(settings.get("pooling_mode_cls_token", False))
    except (OSError, ValueError, AttributeError):
        return False


def _mean_over_tokens(vectors: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    weights = mask[:, :, None].astype(np.float32)
    return np.asarray((vectors * weights).sum(axis=1) / weights.sum(axis=1), dtype=np.float32)
