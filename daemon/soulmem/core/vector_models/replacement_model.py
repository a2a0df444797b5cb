"""Replacement model: how likely a later statement takes the place of an earlier one, told by their vectors.

Called at recall for the answers that `competing_answers` holds against each other. Words seldom tell that "turned in my
badge today" ends "I guard the museum at night"; vectors of sentences do better (`benchmarks/changes/replacement.py`
fits the network). Pure. Invariant: a logit depends on the two vectors alone.
"""

from __future__ import annotations

import numpy as np

from soulmem.core.vector_models.hidden_layer import Floats, Network, judged, prepared, stored

NAME = "replacement_model"


def logits(vectors: Floats) -> Floats:
    """How likely each statement is replaced by each other one, were that the later: (n, n) logits, [earlier, later].

    `vectors`: (n, d) as `hidden_layer.reads` them.
    """
    return weighed(stored(NAME, vectors.shape[1]), prepared(vectors))


def weighed(using: Network, table: Floats) -> Floats:
    """The logits (n, n) of prepared vectors (n, d): [earlier, later]."""
    found = np.zeros((len(table), len(table)), dtype=np.float32)
    for place, earlier in enumerate(table):
        found[place] = judged(using, earlier, table)
    return found
