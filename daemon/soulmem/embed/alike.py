"""How like two short texts are, whatever embedder there is and whatever languages they are in."""

from __future__ import annotations

from soulmem.core.parts import cosines, shared_from
from soulmem.ports import BLIND_BELOW, Embedder


def likeness(embedder: Embedder, first: str, second: str) -> float | None:
    """The cosine of two short texts, each in any language; None where the embedder cannot read both.

    It computes; call it in a thread.

    Raises:
        SoulmemError: `model_unavailable`, when an endpoint does not answer.
    """
    if min(map(embedder.coverage, (first, second))) < BLIND_BELOW:
        return None
    vectors = embedder.embed([first, second])
    return float(cosines(vectors[:1], vectors[1:], shared_from(embedder.fingerprint))[0, 0])
