"""The question that a message answers: the last one of the message before, if it wants to know something.

Used by `statements`: an answer too short to be understood alone is told with its question. Pure.
"""

from __future__ import annotations

import re

from soulmem.core.grounding.small_talk import is_courtesy
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import Turn
from soulmem.llm.extractive.language.content_words import content_terms, lexicon_for
from soulmem.llm.extractive.language.sentence_splitter import LONGEST, Sentence
from soulmem.llm.extractive.reading.omission_reasons import is_tagged
from soulmem.llm.extractive.wording.standalone_sentences import trimmed

_AND_YOU = LazyPattern(
    r"\W*(?:and |what about |how about )(?:you|u|yours|yourself)\W*|\W*(?:那)?[你您](?:们)?呢\W*", re.IGNORECASE
)
_INQUIRES = LazyPattern(
    r"\b(?:what|where|when|who|which|whose|how (?:old|many|much|long|tall|far|often))\b|什么|哪|谁|几|多少|多大|多久",
    re.IGNORECASE,
)


def question_of(turn: Turn, sentences: tuple[Sentence, ...]) -> Sentence | None:
    """The last question of a message; "and you?" together with what was said right before it."""
    for place in range(len(sentences) - 1, -1, -1):
        asked = sentences[place]
        if asked.is_aside or not asked.is_question or is_tagged(asked.text):
            continue
        if place and _AND_YOU.fullmatch(asked.text):
            start, end = sentences[place - 1].start, asked.start + len(asked.text)
            if end - start <= LONGEST:
                return Sentence(asked.seq, start, turn.text[start:end])
        return asked
    return None


def wants_to_know(question: Sentence, names: frozenset[str]) -> bool:
    """Whether a question is one, and no greeting ("hello, how are you?"). `names`: the speakers', in lower case."""
    small_talk = lexicon_for(question.language).small_talk
    if small_talk.fullmatch(question.text) or small_talk.fullmatch(trimmed(question.text)):
        return False
    if is_courtesy(question.text):
        return False
    return bool(content_terms(question.text) - names) or _INQUIRES.search(question.text) is not None
