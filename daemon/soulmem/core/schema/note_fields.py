"""Notes as values: what holds of every note, whoever made it.

Called by digestion, by `note.add` and by the store. How a note's elements come into being is in `elements`, who may be
forgotten in `forgetting`.
"""

from __future__ import annotations

from soulmem.core.schema.note_requests import NoteKind

GIST_LENGTH = 60
# Kinds that never fade by themselves: text the client gave as it is.
LASTING = frozenset({NoteKind.LORE})


def lasts(kind: NoteKind, *, pinned: bool) -> bool:
    """Whether nothing of a note ever fades: it is pinned, or text the client gave as it is."""
    return pinned or kind in LASTING
