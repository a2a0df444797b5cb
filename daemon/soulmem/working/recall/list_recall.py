"""List recall: of the items for a question that asks for all of something, those first that tell one of these things.

Called by `basic_recall`. Reads the words of the items, as they show now, in one look. Read-only. Invariant: as many
items are read as were found, no more.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from soulmem.core.profiles.asked_lists import asked_list
from soulmem.core.questions.asked.asked_classes import class_terms
from soulmem.core.reranking.list_ranking import AskedThings, Told, gathered
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit, SearchIndex
from soulmem.core.search.relevance_scoring import Question, speaker_key
from soulmem.core.text.tokens import fold
from soulmem.reading_lanes import in_turn
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.views.verbatim_messages import texts_and_speakers

POOL = 120  # items among which all of something is sought
_BESIDE = 60  # items that share no word with the question, and tell a member of what it asks for
_LEAST = 0.25  # of the best score, for what of these tells most


def with_members(index: SearchIndex, query: Query, hits: list[Hit], text: str) -> list[Hit]:
    """The items, and behind them what who is asked about said of members of what is asked for."""
    terms = np.array(sorted(class_terms(text)), dtype=np.uint32)
    best = max((hit.score for hit in hits), default=0.0)
    if not len(terms):
        return hits
    question = replace(query.question, terms=terms, weights=np.ones(len(terms), dtype=np.float32), periods=())
    beside = index.search(replace(query, question=question, vector=None, k=_BESIDE))
    known = {(hit.kind, hit.key) for hit in hits}
    most = max((hit.score for hit in beside), default=0.0) or 1.0
    return hits + [
        hit._replace(
            score=round(_LEAST * (best or 1.0) * hit.score / most, 6), channels={"member": hit.score / most},
            fit=0.0, covers=0.0,
        )
        for hit in beside
        if (hit.kind, hit.key) not in known
    ]  # fmt: skip


async def with_entries(
    memory: OpenMind, hits: list[Hit], question: Question, text: str, by_name: str, asker: str
) -> list[Hit]:
    """The items as they are ranked where a list is asked for.

    Args: by_name: the question with names for the asker's relatives.
    """
    if not hits:
        return hits
    said = await memory.database.read(texts_and_speakers, [(hit.kind, hit.key) for hit in hits])
    told = [_told(hit, *said.get((hit.kind, hit.key), ("", "")), question.named) for hit in hits]

    def ranked() -> list[Hit]:
        return gathered(hits, told, AskedThings(class_terms(text), asked_list(text, asker, by_name)))

    return await in_turn("".join(each.text for each in told), ranked)


def _told(hit: Hit, text: str, speaker: str, named: frozenset[str]) -> Told:
    """A note may tell of who is asked about in whosever words; a message tells of who speaks."""
    is_own = not named or speaker_key(speaker) in named
    if not is_own and hit.kind is ItemKind.NOTE:
        folded = fold(text)
        is_own = not speaker or any(name in folded for name in named)
    return Told(text, speaker, is_own)
