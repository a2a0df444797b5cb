"""Recognising a remote embedding model by what it says, since its weights cannot be seen.

Called by `openai_embedder` once per start. A server's numbers waver a little from day to day (batching, half precision,
a new version of the same software), so a digest of the numbers would make every mind embed everything anew. Instead the
probe vector of each model ever met is kept in a small file and compared by cosine. Invariant: two models that place
texts differently never share a fingerprint; one model keeps its own while the file is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from soulmem.ports import FloatMatrix

_SAME = 0.999  # cosine; servers waver by less than 1e-4, different models or quantisations differ by far more
_KEPT = 32


def recognise(file: Path | None, model: str, probe: FloatMatrix) -> str:
    """The fingerprint of the model of that name whose probe vector (dimension,) is `probe`.

    A model met for the first time gets one, and is remembered in `file` if that can be written.
    """
    known = _read(file)
    for entry in known:
        if entry["model"] == model and _alike(entry["probe"], probe):
            return str(entry["fingerprint"])
    # rounded, so that losing the file seldom changes anything
    signature = json.dumps([model, len(probe), [round(float(value), 2) + 0.0 for value in probe]])
    fingerprint = hashlib.sha256(signature.encode()).hexdigest()[:12]
    entry = {"model": model, "fingerprint": fingerprint, "probe": [round(float(value), 6) for value in probe]}
    if file is not None:
        # without the file the worst is one embedding too many
        with contextlib.suppress(OSError):
            _write(file, [*known, entry][-_KEPT:])
    return fingerprint


def _alike(kept: list[float], probe: FloatMatrix) -> bool:
    return len(kept) == len(probe) and float(np.dot(np.asarray(kept, dtype=np.float32), probe)) >= _SAME


def _read(file: Path | None) -> list[dict[str, Any]]:
    if file is None:
        return []
    try:
        entries = json.loads(file.read_text("utf-8"))
        return [
            {"model": entry["model"], "fingerprint": entry["fingerprint"], "probe": list(map(float, entry["probe"]))}
            for entry in entries
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _write(file: Path, entries: list[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        partial.write_text(json.dumps(entries), encoding="utf-8")
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)
