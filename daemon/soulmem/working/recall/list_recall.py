"""List recall: of the items for a question that asks for all of something, those first that tell an entry of that list.

Called by `basic_recall`. Reads the words of the items, as they show now, in one look. Read-only. Invariants: a question
for no list that profiles have costs nothing; as many items are read as were found, no more.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.profiles.asked_lists import asked_list, asks_for_entries
from soulmem.core.reranking.entry_ranking import entries_first
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.reading_lanes import in_turn
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

POOL = 120


def pool_of(text: str) -> int:
    """Among how many items entries are sought that a question for all of something asks for; 0: it asks for none."""
    return POOL if asks_for_entries(text) else 0


async def with_entries(memory: OpenMind, hits: list[Hit], text: str, by_name: str, asker: str) -> list[Hit]:
    """The items as they are ranked where a list is asked for.

    Args: by_name: the question with names for the asker's relatives.
    """
    asked = asked_list(text, asker, by_name)
    if asked is None or not hits:
        return hits
    said = await memory.database.read(_said, [(hit.kind, hit.key) for hit in hits])
    told = [said.get((hit.kind, hit.key), ("", "")) for hit in hits]
    return await in_turn("".join(text for text, _ in told), lambda: entries_first(hits, told, asked))


def _said(connection: Connection, items: Sequence[ItemRef]) -> dict[ItemRef, tuple[str, str]]:
    """The text and the speaker of notes and messages."""
    found: dict[ItemRef, tuple[str, str]] = {}
    for kind, query in (
        (ItemKind.NOTE, "SELECT id, coalesce(shown, text), coalesce(shown_speaker, speaker, '') FROM note"),
        (ItemKind.MESSAGE, "SELECT id, content, coalesce(speaker, '') FROM message"),
    ):
        keys = listed([key for of, key in items if of is kind])
        for row, text, speaker in connection.execute(f"{query} WHERE id {AMONG}", (keys,)):
            found[kind, row] = text, speaker
    return found
