"""The gist of a whole note: what kind of thing it tells of, in words that give none of it away (algorithms.md §6.3).

Used for the notes of both engines: a model's gist would have to be checked word by word, and costs tokens. Invariant: a
gist holds no name of its note.
"""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.llm.extractive.language.content_words import lexicon_for
from soulmem.llm.extractive.language.lexicon import DEFAULT_GIST, FACT_GISTS, GISTS


def note_gist(words: str, entities: Iterable[str], language: str, relation: str = "") -> str:
    """The vaguer wording of a note that rests on `words`; of a fact by its `relation`, else by its first topic.

    Args:
        entities: the names of the note.
        language: `en` or `zh`, of the words.
    """
    lexicon = lexicon_for(language)
    topics = lexicon.topics_of(words)
    default = DEFAULT_GIST[lexicon.language]
    gist = FACT_GISTS[lexicon.language].get(relation) or (GISTS[lexicon.language][topics[0]] if topics else default)
    leaks = any(name and name.lower() in gist.lower() for name in entities)
    return default if leaks else gist
