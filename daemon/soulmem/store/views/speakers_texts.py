"""What notes and messages say as they are shown, and whose words they are. Read-only; called by recalls."""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

_QUERIES = (
    (ItemKind.NOTE, "SELECT id, coalesce(shown, text), coalesce(shown_speaker, speaker, '') FROM note"),
    (ItemKind.MESSAGE, "SELECT id, content, coalesce(speaker, '') FROM message"),
)


def texts_and_speakers(connection: Connection, items: Sequence[ItemRef]) -> dict[ItemRef, tuple[str, str]]:
    """The text and the speaker, empty where there is none, of each of these notes and messages that is there."""
    return {
        (kind, row): (text, speaker)
        for kind, query in _QUERIES
        for row, text, speaker in connection.execute(
            f"{query} WHERE id {AMONG}", (listed([key for of, key in items if of is kind]),)
        )
    }
