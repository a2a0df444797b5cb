"""Own words: where a question is about somebody by name who speaks himself, what others said gives way to what he said.

Called by recall for questions. What is known of somebody he mostly told himself; what others say to him has his name in
it and tells little of him. Pure. Invariants: no score rises; nothing is taken out; notes and links keep their scores.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

OTHERS = 0.8  # of the score, for what somebody else said
_SPEAKER = "speaker"  # the evidence that he says it who is named


def own_first(hits: Sequence[Hit], named: Collection[str]) -> list[Hit]:
    """The items with the messages of others a little below; `named`: the speakers whom a question names."""
    if not named or not any(hit.channels.get(_SPEAKER, 0.0) > 0.0 for hit in hits):
        return list(hits)
    found = [
        hit._replace(score=OTHERS * hit.score)
        if hit.kind is ItemKind.MESSAGE and not hit.channels.get(_SPEAKER, 0.0)
        else hit
        for hit in hits
    ]
    return sorted(found, key=lambda hit: -hit.score)
