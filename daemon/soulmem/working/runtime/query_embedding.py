"""Query embedding: the vector of a question that somebody waits for.

Called by the rankings of recall. Invariant: an embedder that is away or cannot read the question fails no recall.
"""

from __future__ import annotations

from collections.abc import Callable

from soulmem.errors import ErrorName, SoulmemError
from soulmem.ports import BLIND_BELOW, Embedding, FloatVector
from soulmem.working.runtime.long_texts import aside, is_quick


async def embedded(
    embedding: Embedding, text: str, meanwhile: Callable[[], None] | None = None, read: float | None = None
) -> FloatVector | None:
    """The vector of a question; None where the embedder cannot read it or is away: then words answer alone.

    `meanwhile` is done while the embedder is at work, if it is; `read`: how much of it the embedder can read, if known.
    """
    if read is None:
        covers = embedding.embedder.coverage
        read = covers(text) if is_quick(text) else await aside(text, lambda: covers(text))
    if read < BLIND_BELOW:
        return None
    try:
        return await embedding.embed_now(text, meanwhile)
    except SoulmemError as error:
        if error.name is not ErrorName.MODEL_UNAVAILABLE:
            raise
        return None
