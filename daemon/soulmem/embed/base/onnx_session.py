"""Opening a model file in onnxruntime, and telling one set of files from another: what all ONNX embedders share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.errors import SoulmemError, model_unavailable

_SAMPLE_BYTES, _SAMPLES = 65536, 16


def open_session(graph: Path, given: Mapping[str, NDArray[np.generic]] | None = None) -> Any:
    """An inference session on the calling thread alone. `given`: weights that the graph only names; they are copied."""
    import onnxruntime  # noqa: PLC0415  # `hashing` must not pay for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # an arena keeps the memory of the longest batch for ever; without it the speed is the same
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if given:
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in given.values()]
        options.add_external_initializers(list(given), values)
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


def batches_by_length(lengths: Sequence[int], *, texts: int, tokens: int) -> Iterator[list[int]]:
    """Indices in order of length, cut so that no batch exceeds its texts or, padded, its tokens."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        full = len(batch) >= texts or (len(batch) + 1) * lengths[index] > tokens
        if batch and full:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _sample(file: Path, digest: Any) -> None:
    """Feed the size of a file and 16 evenly spread blocks of 64 KiB into a digest; small files wholly."""
    size_bytes = file.stat().st_size
    digest.update(str(size_bytes).encode())
    with file.open("rb") as stream:
        if size_bytes <= _SAMPLE_BYTES * _SAMPLES:
            digest.update(stream.read())
            return
        for number in range(_SAMPLES):
            stream.seek((size_bytes - _SAMPLE_BYTES) * number // (_SAMPLES - 1))
            digest.update(stream.read(_SAMPLE_BYTES))


def fingerprint_of(directory: Path, names: Iterable[str], *parts: bytes) -> str:
    """Digest of what is said of a model (`parts`) and of a sample of its files, in the order of their names here."""
    digest = hashlib.sha256(b"".join(parts))
    for name in names:
        digest.update(name.encode())
        _sample(directory / name, digest)
    return digest.hexdigest()[:12]


def unusable(directory: Path, reason: str, advice: str) -> SoulmemError:
    """`model_unavailable`: why the model in a folder cannot be used, and what to do about it."""
    return model_unavailable(
        f"the model in {directory} cannot be used: {reason}", hint=f"{advice}, or name another in `embedder.name`"
    )


def first_line(error: Exception) -> str:
    """What an exception of a library says, in one line."""
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__
