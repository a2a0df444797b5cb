"""Trying an embedder out: is its folder whole, does it compute what it should, how fast is it here.

Called by `soulmem model test` and by benchmarks. The stopwatch is an argument, since time is read elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from numpy_encoder import ReferenceEncoder
from soulmem.embed.adapters.e5_embedder import E5Embedder
from soulmem.embed.adapters.multilingual_embedder import MultilingualEmbedder
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.base.model_manifest import (
    E5,
    MULTILINGUAL,
    QUANTISED_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    read_manifest,
)
from soulmem.embed.install.wheel_fetching import file_sha256
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import Embedder

TOLERANCE = 1e-5
LEAST_COSINE = 0.95
_ROUNDS = 20
SENTENCES = (
    "My sister Anna moved to Oslo in March.",
    "The cat hissed at the vet and hid under the sofa for the rest of the afternoon.",
    "我昨天和安娜去湖边散步了。",
    "她说 next Friday 要去 Berlin 出差。",
    "I like green tea.",
    "What did we say about the trip?",
    "The dentist appointment is on the 14th at half past nine, and I must not forget the forms this time.",
    "ok",
)


@dataclass(frozen=True, slots=True)
class FolderCheck:
    """Findings about a model folder; None where there is nothing to check against."""

    damaged_files: tuple[str, ...] | None
    reference_difference: float | None
    quantised_cosine: float | None  # the least between the two graphs

    @property
    def sound(self) -> bool:
        exact = self.reference_difference is None or self.reference_difference <= TOLERANCE
        near = self.quantised_cosine is None or self.quantised_cosine >= LEAST_COSINE
        return exact and near and not self.damaged_files


@dataclass(frozen=True, slots=True)
class Pace:
    """How long embedding takes here, on the calling thread alone."""

    sentence_ms: float
    sentences_per_second: float
    chinese_coverage: float
    english_coverage: float


def check_folder(directory: Path, *, sentences: tuple[str, ...] = SENTENCES) -> FolderCheck:
    """Compare an installed folder with its manifest, and its graph with the NumPy reference.

    Raises:
        SoulmemError: `model_unavailable`, when the folder cannot be loaded.
    """
    manifest = read_manifest(directory)
    if manifest is None:
        OnnxEmbedder(directory)
        return FolderCheck(None, None, None)
    damaged = tuple(
        name
        for name, facts in sorted(manifest.files.items())
        if not (directory / name).is_file() or file_sha256(directory / name) != facts.sha256
    )
    if manifest.name in (MULTILINGUAL, E5):
        if not damaged:
            (E5Embedder if manifest.name == E5 else MultilingualEmbedder)(directory)
        return FolderCheck(damaged, None, None)
    difference = reference_difference(directory, heads=manifest.heads, sentences=sentences)
    cosine = quantised_cosine(directory, sentences) if (directory / QUANTISED_FILE).is_file() else None
    return FolderCheck(damaged, difference, cosine)


def reference_difference(directory: Path, *, heads: int, sentences: tuple[str, ...]) -> float:
    """The largest difference of any component between the folder's graph and the NumPy reference."""
    from tokenizers import Tokenizer  # noqa: PLC0415  # after OnnxEmbedder has set its parallelism

    embedder = OnnxEmbedder(directory)
    manifest = read_manifest(directory)
    tokenizer = Tokenizer.from_file(str(directory / TOKENIZER_FILE))
    tokenizer.no_padding()
    tokenizer.enable_truncation(manifest.max_tokens if manifest else 256)
    reference = ReferenceEncoder(directory / WEIGHTS_FILE, heads=heads)
    expected = np.stack([reference.encode(tokenizer.encode(sentence).ids) for sentence in sentences])
    return float(np.abs(embedder.embed(sentences) - expected).max())


def quantised_cosine(directory: Path, sentences: tuple[str, ...]) -> float:
    """The least cosine of a sentence's vectors by the quantised and the exact graph of a folder."""
    exact, quantised = OnnxEmbedder(directory), OnnxEmbedder(directory, graph_file=QUANTISED_FILE)
    return float((exact.embed(sentences) * quantised.embed(sentences)).sum(axis=1).min())


def pace(embedder: Embedder, now_ms: Callable[[], float], rounds: int = _ROUNDS) -> Pace:
    """Measure an embedder with a stopwatch in milliseconds.

    Raises:
        SoulmemError: `model_unavailable`, when an endpoint does not answer.
    """
    embedder.embed(SENTENCES)
    single = []
    for round_number in range(rounds):
        started_at = now_ms()
        embedder.embed([SENTENCES[round_number % len(SENTENCES)]])
        single.append(now_ms() - started_at)
    started_at = now_ms()
    for _ in range(rounds):
        embedder.embed(SENTENCES)
    elapsed_ms = max(now_ms() - started_at, 1e-3)
    return Pace(
        sentence_ms=float(np.median(single)),
        sentences_per_second=rounds * len(SENTENCES) / elapsed_ms * 1000,
        chinese_coverage=embedder.coverage(SENTENCES[2]),
        english_coverage=embedder.coverage(SENTENCES[1]),
    )
