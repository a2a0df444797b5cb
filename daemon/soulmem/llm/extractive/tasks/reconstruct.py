"""Recalling faded notes without a model: nothing is made up, so no segment is ever filled.

To fill a gap is to invent what fits, which only a model that speaks as the character can do. A fill of None would
not be neutral either: it says "I really do not remember", after which a blank element loses its gist for good
(algorithms.md §7.7). No answer for a segment means that the attempt failed: the masked text is shown as it is, and
the note is not changed by having been looked at.
"""

from __future__ import annotations

from soulmem.core.schema.detail_tasks import Fill, ReconstructRequest


def reconstruct(request: ReconstructRequest) -> tuple[Fill, ...]:
    """No fills, whatever is asked."""
    return ()
