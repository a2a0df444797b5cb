"""What every embedder does to a text before it reads it, and to a matrix before it hands it out.

Called by the embedders alone. Invariant: whatever the text, no embedder fails because of it, and each row
that leaves an embedder is finite and of unit length.
"""

from __future__ import annotations

import numpy as np

from soulmem.errors import model_unavailable
from soulmem.ports import FloatMatrix

_TINY = 1e-12
_HINT = "check `embedder.name` and `embedder.model`: this may be no embedding model"


def legible(text: str, *, max_chars: int) -> str:
    """The first `max_chars` characters, lone surrogates replaced: encoders refuse what is not UTF-8."""
    clipped = text[:max_chars]
    try:
        clipped.encode()
    except UnicodeEncodeError:
        return clipped.encode("utf-8", "replace").decode()
    return clipped


def unit_rows(matrix: FloatMatrix, *, source: str) -> FloatMatrix:
    """Scale each row of an (n, d) matrix to unit length.

    Raises SoulmemError: `model_unavailable`, when a row is zero or not finite.
    """
    if not np.isfinite(matrix).all():
        raise model_unavailable(f"{source} answered with numbers that are not finite", hint=_HINT)
    wide = matrix.astype(np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    if matrix.size and float(norms.min()) < _TINY:
        raise model_unavailable(f"{source} answered with a vector of zeros", hint=_HINT)
    return np.asarray(wide / norms, dtype=np.float32)
