"""A model folder small enough for a unit test: a random two-layer BERT with a vocabulary of a few dozen words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from soulmem.embed.base.model_manifest import QUANTISED_FILE
from soulmem.embed.install.onnx_export import write_graph
from soulmem.embed.install.onnx_quantisation import QuantisedSheet

HEADS, LAYERS, HIDDEN, INNER, POSITIONS = 4, 2, 32, 64, 64
_WORDS_TEXT = "anna went to the lake with a cat snow fell on tuesday i like tea 安 娜 去 了 湖 边 我"
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *_WORDS_TEXT.split()]


def write_weights(file: Path, *, seed: int = 1) -> None:
    """Random weights under the names that BERT checkpoints use."""
    draw = np.random.default_rng(seed)
    tensors: dict[str, np.ndarray] = {}

    def add(name: str, *shape: int, scale: float = 0.3) -> None:
        tensors[name] = (draw.standard_normal(shape) * scale).astype(np.float32)

    def norm(prefix: str) -> None:
        tensors[f"{prefix}.weight"] = (1 + 0.2 * draw.standard_normal(HIDDEN)).astype(np.float32)
        add(f"{prefix}.bias", HIDDEN)

    add("embeddings.word_embeddings.weight", len(WORDS), HIDDEN)
    add("embeddings.position_embeddings.weight", POSITIONS, HIDDEN)
    add("embeddings.token_type_embeddings.weight", 2, HIDDEN)
    norm("embeddings.LayerNorm")
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}"
        for dense, rows, columns in (
            ("attention.self.query", HIDDEN, HIDDEN),
            ("attention.self.key", HIDDEN, HIDDEN),
            ("attention.self.value", HIDDEN, HIDDEN),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", INNER, HIDDEN),
            ("output.dense", HIDDEN, INNER),
        ):
            add(f"{prefix}.{dense}.weight", rows, columns)
            add(f"{prefix}.{dense}.bias", rows)
        norm(f"{prefix}.attention.output.LayerNorm")
        norm(f"{prefix}.output.LayerNorm")
    save_file(tensors, file)


def write_tokenizer(file: Path) -> None:
    tokenizer = Tokenizer(models.WordPiece({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(file))


def write_model(directory: Path, *, seed: int = 1) -> Path:
    """A complete folder: weights, both graphs, tokenizer; no manifest, as a user's own folder has none."""
    directory.mkdir(parents=True, exist_ok=True)
    write_weights(directory / "model.safetensors", seed=seed)
    write_graph(directory / "model.safetensors", directory / "model.onnx", heads=HEADS)
    write_graph(directory / "model.safetensors", directory / QUANTISED_FILE, heads=HEADS, sheet=QuantisedSheet)
    write_tokenizer(directory / "tokenizer.json")
    return directory
