"""The question that a message answers: the last one of the message before, if it wants to know something.

Used by `statements`: an answer too short to be understood alone is told with its question. Pure.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.grounding.small_talk import is_courtesy
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.note_requests import Turn
from soulmem.llm.extractive.language.content_words import content_terms, lexicon_for
from soulmem.llm.extractive.language.sentence_splitter import LONGEST, Sentence
from soulmem.llm.extractive.reading.omission_reasons import is_tagged
from soulmem.llm.extractive.wording.standalone_sentences import trimmed

_AND_YOU = CaselessPattern(
    r"\W*(?:and |what about |how about )(?:you|u|yours|yourself)\W*|\W*(?:那)?[你您](?:们)?呢\W*"
)
_INQUIRES = CaselessPattern(
    r"\b(?:what|where|when|who|which|whose|how (?:old|many|much|long|tall|far|often))\b|什么|哪|谁|几|多少|多大|多久"
)

_WHO = CaselessPattern(r"\bwho(?:m|se|['’]s)?\b|谁|哪一?位|哪个人")
_NAME_ALONE = LazyPattern(r"\W*[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?\W*|\W*[\u4e00-\u9fff]{2,4}\W*")
_WHETHER = CaselessPattern(
    r"^\W*(?:(?:and|so|but|well)[, ]+)?(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should)(?:n['’]?t)? "
    r"|(?:吗|么|没有?|不)\W*$|[是有能会要好]不?[是有能会要好没]|还好"
)
# What begins with a subject of its own: "The tiles come on Friday", 交房推迟了.
_OF_ITSELF = LazyPattern(
    r"(?:the|my|our) (?!same|one|other|answer)\w|(?!Yes|No|Yeah|Yep|Nope|Nah|Not|Well|He|She|It|They|That|This|I\b|We\b|You\b|There|Still|Just|Almost|Better|Much|All)"
    r"[A-Z][a-z]+ (?:is|was|has|had|will|\w+ed|\w+s) "
)
_MOVED_ZH = LazyPattern(
    r"(?P<what>[\u4e00-\u9fff]{2,8}?)(?:又|被|要|也)?(?:推迟|延期|提前|改[到在成期]|挪到|取消|延后|顺延)"
)
_MUCH = 3  # words of content


def tells_else(question: Sentence, sentence: Sentence, terms: frozenset[str]) -> bool:
    """Whether behind a question of yes or no comes news of something else, which is no answer.

    `terms`: of what is said. "Is the dog better?" "The tiles come a week late." In doubt it is an answer.
    """
    if _WHETHER.search(question.text) is None or not terms.isdisjoint(content_terms(question.text)):
        return False
    lexicon = lexicon_for(sentence.language)
    if lexicon.reply.match(sentence.text) or lexicon.anaphor.search(sentence.text):
        return False
    if sentence.language == "zh":
        return _MOVED_ZH.match(sentence.text) is not None
    return (
        len(terms) >= _MUCH
        and re.match(_OF_ITSELF.pattern, sentence.text, re.IGNORECASE) is not None
        and (_OF_ITSELF.match(sentence.text) is not None)
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


def names_whom(question: Sentence, sentence: Sentence) -> bool:
    """Whether an answer is nothing but the name of whoever was asked for: "Who did you tell?" "Almaz."."""
    return _WHO.search(question.text) is not None and _NAME_ALONE.fullmatch(sentence.text) is not None


def wants_to_know(question: Sentence, names: frozenset[str]) -> bool:
    """Whether a question is one, and no greeting ("hello, how are you?"). `names`: the speakers', in lower case."""
    small_talk = lexicon_for(question.language).small_talk
    if small_talk.fullmatch(question.text) or small_talk.fullmatch(trimmed(question.text)):
        return False
    if is_courtesy(question.text):
        return False
    return bool(content_terms(question.text) - names) or _INQUIRES.search(question.text) is not None
