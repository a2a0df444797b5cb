"""Context sentences: the sentence before that one leans on, without which it would not be understood.

Called by `statements`. A lead stands right before in the same message, by the same speaker. Pure.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.llm.extractive.language.content_words import lexicon_for
from soulmem.llm.extractive.language.sentence_splitter import LONGEST, Sentence
from soulmem.llm.extractive.reading.assertions import CHINESE_PREDICATE, ENGLISH_PREDICATE

_TOPIC = CaselessPattern(
    r"\W*(?:(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?|(?!什么|谁|真|是|好|怎)[\u4e00-\u9fff]{2,4})[?？]\W*"
)
# In English the form of the verb shows that it is not who speaks: he would say "live".
_LEFT_OUT = LazyPattern(
    r"(?:(?:Still|Just|Only|Also|Never|Always) )?(?:Lives|Works|Has|Is|Likes|Loves|Hates|Plays|Goes|Drives|Owns|Runs"
    r"|Wants|Takes|Keeps|Sleeps|Eats|Teaches|Studies|Says|Thinks|Needs|Does(?:n['’]t)?|Isn['’]t|Hasn['’]t|Speaks|Sings|Sells|Makes|Collects|Smokes"
    r"|Drinks|Walks)\b(?! (?:it|that|this|anybody|anyone|not matter)\b)"
)
# What only names one thing more, of which the next sentence tells: "Also latex. Hives up to the elbow."
_ADDS = CaselessPattern(
    r"\W*(?:also|plus|and|oh and|and also|还有|另外|再就是|再有)(?:[,，：:\s]|(?=[\u4e00-\u9fff]))\s*\S.*"
)
_PREDICATE = {False: ENGLISH_PREDICATE, True: CHINESE_PREDICATE}
_FRAGMENT = 4  # words at most
_WHICH_ONE = CaselessPattern(r"\W*(?:the|my|that|this|his|her) (?:\w+ ){1,2}ones?\W*")  # left is no verb here


def leans_back(sentence: Sentence) -> bool:
    """Whether it begins with a pronoun for something named before, or leaves out of whom it tells ("Lives in Rye")."""
    if sentence.is_aside:
        return False
    return (
        lexicon_for(sentence.language).anaphor.match(sentence.text) is not None
        or _LEFT_OUT.match(sentence.text) is not None
    )


def is_topic(sentence: Sentence) -> bool:
    """Whether a question only names whom or what the next sentence is about ("Ravi? He's my cousin", 小马？我表弟)."""
    return sentence.is_question and _TOPIC.fullmatch(sentence.text) is not None


def is_fragment(sentence: Sentence) -> bool:
    """Whether it adds to the sentence before it and says nothing alone ("The left one.")."""
    if len(sentence.words) > _FRAGMENT:
        return False
    return (
        _PREDICATE[sentence.language == "zh"].search(sentence.text) is None
        or _WHICH_ONE.fullmatch(sentence.text) is not None
    )


def adds_a_thing(sentence: Sentence) -> bool:
    """Whether it only names one thing more ("Also latex."), and says nothing of it."""
    return is_fragment(sentence) and not sentence.is_question and _ADDS.fullmatch(sentence.text) is not None


def with_lead(text: str, before: Sentence | None, sentence: Sentence) -> Sentence:
    """A sentence together with the one that it leans on, for what leans on both."""
    if before is None or before.is_question:
        return sentence
    end = sentence.start + len(sentence.text)
    return Sentence(sentence.seq, before.start, text[before.start : end]) if end - before.start <= LONGEST else sentence
