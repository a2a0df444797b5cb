"""Kin by name: "what does my husband do" is asked of Callum, where its asker once said that Callum is his husband.

Called by `basic_recall` for questions that speak of the asker's own kin. What speaks of them is searched first, among
what the question may find; the names in it stand for the word from then on. Read-only. Invariants: only what the asker
said of his own kin counts; a question that speaks of nobody's kin costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from soulmem.core.names.kin_names import names_of_kin, with_names, words_for
from soulmem.core.questions.question_concepts import Units
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.search.relevance_scoring import Question, read_question, speaker_key
from soulmem.core.text.tokens import query_terms, segment, term_hashes
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.verbatim_messages import texts_and_speakers

_LOOKED_AT = 12  # items that speak of the kin
_MOST_NAMES = 4
_STANDS_FOR = 0.9  # how much a name says of what the word says


async def by_names(memory: OpenMind, query: Query, text: str, kin: str, asker: str) -> tuple[Query, str]:
    """A query and its text, asked of the asker's relative by name where the mind knows it; else as they are.

    `kin`: the word for that relative, as `kin_names.asked_kin` finds it.
    """
    index = memory.index
    items = _speaking_of(index, kin, query) if kin and index is not None else []
    names = await memory.database.read(names_in, items, kin, asker) if items else ()
    if not names:
        return query, text
    return replace(query, question=named(query.question, kin, names)), with_names(text, names)


def _speaking_of(index: SearchIndex, kin: str, query: Query) -> list[ItemRef]:
    """The notes and messages that speak of a relative, among what a query may find."""
    asked = replace(
        query,
        question=read_question(" ".join(words_for(kin))),
        k=_LOOKED_AT,
        vector=None,
        speaker=None,
        exclude=frozenset(),
    )
    return [(hit.kind, hit.key) for hit in index.search(asked) if hit.kind in {ItemKind.NOTE, ItemKind.MESSAGE}]


def names_in(connection: Connection, items: Sequence[ItemRef], kin: str, asker: str) -> tuple[str, ...]:
    """By which names these items call the asker's relative, each once.

    `asker`: empty where nobody knows who asks; then several who told of such a relative are too many.
    """
    texts = texts_and_speakers(connection, items)
    found: dict[str, list[str]] = {}
    for item in items:
        text, speaker = texts.get(item, ("", ""))
        if text and (not asker or not speaker or speaker_key(speaker) == speaker_key(asker)):
            found.setdefault(speaker_key(speaker), []).extend(names_of_kin(text, kin, asker or speaker))
    every = [names for names in found.values() if names]
    return tuple(dict.fromkeys(every[0]))[:_MOST_NAMES] if len(every) == 1 else ()


def named(question: Question, kin: str, names: Sequence[str]) -> Question:
    """The question with these names beside its word for the relative, and instead of it where meaning counts."""
    words = [word for name in names for word in segment(name)]
    own = term_hashes([kin[-2:], *query_terms(kin)])
    places = np.flatnonzero(np.isin(question.units.terms, own))
    if not words or not len(places):
        return question
    more = term_hashes(words)
    fresh = more[~np.isin(more, question.terms)]
    return replace(
        question,
        embed_text=with_names(question.embed_text, names),
        terms=np.concatenate([question.terms, fresh]),
        weights=np.concatenate([question.weights, np.full(len(fresh), _STANDS_FOR, dtype=np.float32)]),
        units=_with(question.units, int(question.units.unit[places[0]]), more),
    )


def _with(units: Units, unit: int, terms: np.ndarray) -> Units:
    """The units with more terms that answer for one of them."""
    at = int(np.searchsorted(units.unit, unit, side="right"))
    return replace(
        units,
        terms=np.insert(units.terms, at, terms),
        strengths=np.insert(units.strengths, at, np.full(len(terms), _STANDS_FOR, dtype=np.float32)),
        unit=np.insert(units.unit, at, np.full(len(terms), unit)),
    )
