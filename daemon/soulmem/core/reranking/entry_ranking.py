"""Entry ranking: where all of something is asked for, what tells an entry of that list comes before what is about it.

Called by recall after `list_ranking`. Pure. Invariants: no score rises; nothing is taken out; where nothing tells an
entry, the ranking stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.profiles.asked_lists import AskedList, tells
from soulmem.core.search.memory_index import Hit

BESIDE = 0.6  # of its score, for what tells no entry of a list that is asked for


def entries_first(hits: Sequence[Hit], said: Sequence[tuple[str, str]], asked: AskedList) -> list[Hit]:
    """The items that tell an entry of what is asked for before the others; `said`: text and speaker of each."""
    telling = [tells(text, speaker, asked) for text, speaker in said]
    if not any(telling):
        return list(hits)
    found = [hit if has else hit._replace(score=BESIDE * hit.score) for hit, has in zip(hits, telling, strict=True)]
    return sorted(found, key=lambda hit: -hit.score)
