"""The mark of recalled notes that were put together anew, for a client that wants its prompt to tell them apart.

Called where a context is laid out. Read-only. Nothing is said of what a note was: that is `note.history`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from soulmem.core.search.index_columns import ItemKind
from soulmem.core.text.tokens import wording_language
from soulmem.store.notes import note_rows
from soulmem.store.sqlite.driver import Connection

_MARK = {"en": " (partly filled in since it was told)", "zh": "（其中有些是后来补上的）"}


def rewritten_of(connection: Connection, notes: Sequence[int]) -> frozenset[int]:
    """Those of these notes that were put together anew since they were told."""
    found = note_rows.get_many(connection, notes)
    return frozenset(note.id for note in found.values() if note.rewritten_exp is not None)


def with_marks(shown: Mapping[tuple[str, int], str], rewritten: Collection[int]) -> dict[tuple[str, int], str]:
    """Recalled items as lines, each of these notes with a word of it behind."""
    return {
        key: line + _MARK[wording_language(line)] if key[0] == ItemKind.NOTE and key[1] in rewritten else line
        for key, line in shown.items()
    }
