"""Answer model: how likely a statement answers a question, told by their vectors.

Called by the index for the best of what it found, and at recall for answers that compete. A cosine says that two texts
speak of like things, not that one answers the other: "what does my brother do for a living" is nearer to "my brother
rang" than to "Tom drives the 47 bus". The network adds to the cosines what invented lives taught it
(`benchmarks/changes/answering.py`). Pure. Invariant: a logit depends on the two vectors alone.
"""

from __future__ import annotations

import numpy as np

from soulmem.core.vector_models.hidden_layer import ENGLISH, SCALE, Floats, Network, judged, prepared, stored

NAME = "answer_model"
COSINES_WEIGH = 3.0  # in logits, the cosine of each part
_NONE, _ALL = -2.0, 8.0  # logits from which on something may answer, and surely does


def logits(question: Floats, vectors: Floats, using: Network | None = None) -> Floats:
    """How likely each statement answers the question, (n,).

    `question`: (d,), `vectors`: (n, d) as `hidden_layer.reads` them; `using`: None for the stored one.
    """
    return weighed(using or stored(NAME, vectors.shape[1]), prepared(question[None, :])[0], prepared(vectors))


def weighed(using: Network, question: Floats, table: Floats) -> Floats:
    """The logits (n,) of prepared vectors."""
    return np.asarray(judged(using, question, table) + by_cosines(question, table), dtype=np.float32)


def by_cosines(question: Floats, table: Floats) -> Floats:
    """What the cosines of both parts say alone, (n,)."""
    products = question * table
    near = products[:, :ENGLISH].sum(axis=1) + products[:, ENGLISH:].sum(axis=1)
    return np.asarray(COSINES_WEIGH / SCALE**2 * near, dtype=np.float32)


def shares(found: Floats) -> Floats:
    """Logits as shares 0..1 of a sure answer."""
    return np.asarray(np.clip((found - _NONE) / (_ALL - _NONE), 0, 1), dtype=np.float32)
