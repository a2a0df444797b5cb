"""List recall: of the items for a question that asks for all of something, those first that tell an entry of that list.

Called by `basic_recall`. Reads the words of the items, as they show now, in one look. Read-only. Invariants: a question
for no list that profiles have costs nothing; as many items are read as were found, no more.
"""

from __future__ import annotations

from soulmem.core.profiles.list_entries import asked_list, asks_for_entries
from soulmem.core.reranking.list_ranking import entries_first
from soulmem.core.search.memory_index import Hit
from soulmem.reading_lanes import in_turn
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.views.verbatim_messages import texts_and_speakers

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
    said = await memory.database.read(texts_and_speakers, [(hit.kind, hit.key) for hit in hits])
    told = [said.get((hit.kind, hit.key), ("", "")) for hit in hits]
    return await in_turn("".join(text for text, _ in told), lambda: entries_first(hits, told, asked))
