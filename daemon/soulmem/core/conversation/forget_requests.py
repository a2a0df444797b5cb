"""Forget requests: what somebody asks to be forgotten of what he told, Chinese and English.

Read by digestion (`idle/upkeep/forget_step`). A request names what it means before it or in the same breath ("that
business about the horse, put it out of your mind", 那个网贷的事你给我忘了吧), or means what was said last ("forget what I just
told you"). Invariants: what may as well be a reproach, a plan dropped or "never mind" is no request ("you forgot",
别忘了, "forget it"); a question is none.
"""

# Patterns stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.chinese_segmenter import word_spans
from soulmem.core.text.tokens import query_terms
from soulmem.fast_dataclasses import dataclass

_LONGEST = 600  # characters of a message in which a request is looked for
_REACH = 2  # units before the request that may name what it means
_UNIT = LazyPattern(
    r"[^.!?。！？…\n]*?(?:[.!?。！？…\n]+|$|(?<=[\u4e00-\u9fff]{2})\s+(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]{2})[,，]\s*)"
)
_IT = r"(?:it|that|this|(?:all|everything|what|whatever) (?:(?:of )?(?:it|that|this)|(?:that )?i(?:['’]?ve| have)? (?:just |ever |once )?(?:said|told (?:you|u)|mentioned|confessed)(?: (?:to you|you|u))?(?: (?:about|of) [\w'’ -]{2,40}?)?)|those words|(?:that|the|this|my) [\w'’ -]{2,40}?)"
_ENGLISH = LazyPattern(
    r"\bput (?:it|that|this|all (?:of )?(?:it|that|this)|(?:that|the|this|my) [\w'’ -]{2,40}?) out of (?:your|ur) (?:mind|head)\b"
    rf"|\b(?:forget|delete|erase|wipe|scrub|remove|strike|cut|drop|clear|get rid of) {_IT} (?:completely |entirely )?(?:from|out of|off) (?:your|ur|the) (?:mind|memory|memories|brain|head|notes?|records?|diary|book)\b"
    r"|\bstrike (?:it|that|this) (?:out|off)\b"
    r"|(?:^\W*(?:(?:please|just|and|so|but|oh|ok|let['’]?s) )*(?:act |be |treat it |take it )?|\b(?:let|have) (?:it|that|this)(?: all)? be |\bbe )(?:as (?:if|though)|like) (?:i(?:['’]?d| had| have)?|it (?:was|were)) never (?:ever )?(?:said|told|mentioned|confessed|spoke|spoken|brought)\b"
    r"|(?<!to )(?<!we )(?<!they )\bpretend(?: that)? (?:i(?:['’]?d| had| have)?|it (?:was|were)) never (?:ever )?(?:said|told|mentioned|confessed|spoke|spoken|brought)\b"
    r"|\bforget (?:that )?(?:what )?i(?:['’]?ve| have)? (?:just |ever |once )?(?:said|told (?:you|u)|mentioned|confessed|brought up) (?!i\b|anything\W*$|something\W*$)(?:(?:it|that|this)\b|anything about\b|about\b|the\b|my\b|to\b|just now\b|earlier\b|yesterday\b)"
    r"|\bforget (?:what|everything|all|all that|anything) i(?:['’]?ve| have)? (?:just )?(?:said|told (?:you|u)|confessed)\b"
    r"|\b(?:please |can (?:you|u) |could (?:you|u) |would (?:you|u) |will (?:you|u) |want (?:you|u) to |like (?:you|u) to )(?:please |just )?(?:forget|delete|erase) (?:that|the|this|my) [\w'’ -]{2,40}? (?:i (?:told|mentioned to|confessed to) (?:you|u)|(?:thing|story|business|matter|secret)\b)"
    r"|\bi (?:do not|don['’]?t|dont) want (?:it|that|this|any of (?:it|that)) (?:ever )?(?:said|repeated|brought up|kept|stored|remembered|existing|to exist|on (?:the )?record|written down)\b"
    r"|\b(?:never|don['’]?t(?: you)?(?: ever)?|do not(?: ever)?) (?:bring (?:it|that|this) up|mention (?:it|that|this) (?:again|to me)|say (?:it|that|this) back)(?: to me)?(?: again)?\W*$"
    r"|\b(?:do not|don['’]?t|dont|please stop) (?:keep|remember|store|hold on to) (?:that|this|it|what i (?:just )?(?:said|told (?:you|u)))(?: (?:anywhere|any ?more|any longer|at all|in your (?:memory|head|notes)))+",
    re.IGNORECASE,
)
_NOT_ENGLISH = LazyPattern(
    r"\b(?:do not|don['’]?t|dont|never|won['’]?t|can['’]?t|cannot|could(?:n['’]?t| not)|did(?:n['’]?t)? (?:you|u)|(?<!can )(?<!could )(?<!would )(?<!will )(?:you|u)(?:['’]ve| have)?(?: already| always| just)?|ya|he|she|they|we|i|['’]ll|tend to|to not) (?:ever )?(?:forget|delete|erase|forgot|forgotten|wipe)\b(?! (?:it|that|this) (?:from|out of) (?:your|ur) )",
    re.IGNORECASE,
)
_CHINESE = LazyPattern(
    r"(?:你|您|麻烦|请|帮我|给我|从你)[^，。]{0,24}?(?:忘掉|忘却|删掉|删去|抹掉|抹去|抹了|勾掉|划掉|清掉|忘干净|删干净)(?:它)?(?:吧|罢|好吗|行吗|行不行|好不好|啊|哈|了)?\W*$"
    r"|(?:忘掉|忘却|删掉|删去|抹掉|抹去|抹了|勾掉|划掉|清掉|忘干净|删干净)(?:它)?(?:吧|罢|好吗|行吗)\W*$"
    r"|(?:你|您|麻烦你|请你?|帮我|给我)(?:就|快|赶紧|还是|都|也)?(?:把[^，。]{1,20}?)?(?:给我)?(?:忘了|忘记|删了)(?:它)?(?:吧|罢|好吗|啊|哈|行吗)?\W*$"
    r"|(?:就)?当我(?:从来|压根)?(?:都|就)?没(?:有)?(?:跟你)?(?:说|讲|提)过?\W*$"
    r"|(?:别|不要)(?:再)?(?:留着?|记着|记得|存着)(?:它|这个?|这事儿?|那事儿?|任何记录)?(?:了|啊|哈)?\W*$"
)
_SPEAKS_TO = LazyPattern(r"[你您请]|麻烦|[帮给]我")
_FORGETTING = LazyPattern(
    r"给我忘|忘掉|忘干净|当我[^，。]{0,6}没|(?:别|不要)再?(?:留|记着|存着)|不想(?:让)?(?:它|这|那|你)[^，。]{0,6}(?:留|记|在|存)|(?:请你?|麻烦|帮我)[^，。]{0,20}忘"
)
_DELETING = LazyPattern(r"删[掉了去]|抹[掉了去]|勾掉|划掉|清掉|删干净")
_OF_WHAT_WAS_SAID = LazyPattern(r"的?那?[桩件]?事|[说讲]过?的|告诉你|没说|记忆|脑子|留")
_MATTER = LazyPattern(r"的(?:那件?)?事[^。]{0,24}当我[^，。]{0,4}没")
_NOT_CHINESE = LazyPattern(
    r"(?:别|不要|没|不会|不能|可别|千万别|难道|是不是|(?<!给)(?<!帮)我|[他她咱])(?:又|也|都|就|把[^，。]{0,6})?(?:给)?(?:忘|删)|[?？]|吗\W*$|没(?:有)?\W*$"
)
_TAKEN_AWAY = LazyPattern(
    r"(?:从你?的?(?:脑子|记忆|心|记录)里)?(?:彻底)?(?:忘掉|忘却|删掉|删去|抹掉|抹去|抹了|勾掉|划掉|清掉|忘干净|删干净|忘了|忘记|删了)罢?"
)
_JUST_SAID = LazyPattern(
    r"\bi(?:['’]?ve| have)? just (?:said|told|mentioned|confessed)|\b(?:just now|a (?:moment|minute|second) ago)\b|刚才?(?:说|讲|告诉|跟你)|我刚[才刚]?(?:说|讲)",
    re.IGNORECASE,
)
_NAMES = LazyPattern(r"\W*(?:(?:oh|and|ok|so|also|um|er|by the way)\W+)*(?:that|about|you know)\b", re.IGNORECASE)
_FEW_WORDS = 4
_EMPTY = frozenset(
    "thing busi matter stori secret stuff told tell said say mention u oh ok pleas rather put mind head brain memori forget delet eras wipe "
    "never let strike anywher exist want dont like just can could would ever someth anyth everyth whole old part bit time day drop keep rememb"
    " note record pretend i'd id bring brought confess anymor longer lose ok okay said back pls plz ur act".split()
)
_EMPTY_HAN = frozenset(
    "事情 那个 这个 那件 这件 那些 这些 那事 这事 刚才 之前 上次 那天 那次 说过 告诉 忘了 忘掉 忘记 删了 删掉 就当 从来 没有 知道 真的 什么 我们 你们 自己 一下 任何 以后 现在 不要 不想 别再 留着 记着 脑子 心里 记忆 麻烦 前几 几日 前日 那桩 桩事 那件事 还有 事儿 的话 那话 这话 这事儿 那事儿".split()
)
_GRAMMAR_HAN = frozenset(
    "的了在是我你您他她它那这个件就都也把给跟和说讲提有没不事儿哦啊吧去过着被让叫很请别再还又快从对到"
)
_CONFIDES = LazyPattern(
    r"\b(?:(?:tell|telling|told) (?:you|u|any|no ?(?:one|body)|someone|somebody)|secret|between (?:us|you and me)|nobody (?:knows|else)|not (?:for|a word)|keep (?:it|this|that) to|confess|one thing)\b"
    r"|偷偷|悄悄|秘密|丢人|别往外|别跟|别告诉|没跟[^，。]{0,8}(?:讲|说)|(?:跟|和|对)你(?:说|讲)[个件一]|千万|保密|只告诉",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """`topic`: the words that name what is meant, none where it is what was said last; `start`: where that is named.

    `is_here`: what was said last stands in the same message, from `start` on.
    """

    topic: frozenset[str]
    start: int
    is_here: bool = False


def units(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a message stand, and Chinese clauses that a blank or comma parts."""
    return [match.span() for match in _UNIT.finditer(text[:_LONGEST]) if match[0].strip()]


def forget_request(text: str) -> ForgetRequest | None:
    """What a message asks to be forgotten; None where it asks nothing of the kind, or does not say what."""
    if len(text) > _LONGEST:
        return None
    spans = units(text)
    sure = _is_plain(text)
    for place, (start, end) in enumerate(spans):
        unit = text[start:end]
        if not (_asks_english(unit) or (sure and _asks_chinese(unit))):
            continue
        if _JUST_SAID.search(unit) is not None and not topic_words(_TAKEN_AWAY.sub(" ", unit)):
            return ForgetRequest(frozenset(), spans[place - 1][0] if place else start, is_here=place > 0)
        for first in range(place, max(-1, place - _REACH - 1), -1):
            named = topic_words(_TAKEN_AWAY.sub(" ", text[spans[first][0] : end]))
            if named:
                before = first - 1
                if (
                    first == place
                    or before < 0
                    or place - before > _REACH + 1
                    or not _leans(text[slice(*spans[before])])
                ):
                    return ForgetRequest(named, spans[first][0])
                return ForgetRequest(named | topic_words(text[slice(*spans[before])]), spans[before][0])
        return None
    return None


def _leans(unit: str) -> bool:
    """Whether a unit only names something, as "oh and that genetics thing i told u." or "The Benson thing." does."""
    return (unit.isascii() and len(unit.split()) <= _FEW_WORDS) or _NAMES.match(unit) is not None


def _is_plain(text: str) -> bool:
    """Whether a message speaks to the companion of forgetting: 你忘了吧 alone may reproach."""
    if _MATTER.search(text) is not None:
        return True
    deletes = _DELETING.search(text) is not None and _OF_WHAT_WAS_SAID.search(text) is not None
    return _SPEAKS_TO.search(text) is not None and (deletes or _FORGETTING.search(text) is not None)


def _asks_english(unit: str) -> bool:
    return _ENGLISH.search(unit) is not None and _NOT_ENGLISH.search(unit) is None


def _asks_chinese(unit: str) -> bool:
    return _CHINESE.search(unit.strip()) is not None and _NOT_CHINESE.search(unit) is None


def topic_words(text: str) -> frozenset[str]:
    """The words that name a thing: stems in English, words of two characters or more in Chinese."""
    latin = {term for term in query_terms(text) if term.isascii() and len(term) > 2} - _EMPTY
    return frozenset(latin | (_han_words(text) - _EMPTY_HAN))


def _han_words(text: str) -> set[str]:
    """The Chinese words of a text, and the pairs of characters that stand together and are no known words (网贷)."""
    words: set[str] = set()
    alone: tuple[int, str] | None = None
    for start, end in word_spans(text):
        word = text[start:end]
        if end - start > 1:
            words.add(word)
            alone = None
        elif word in _GRAMMAR_HAN:
            alone = None
        else:
            if alone is not None and alone[0] == start:
                words.add(alone[1] + word)
            alone = (end, word)
    return words


def mentions(text: str, topic: frozenset[str]) -> bool:
    """Whether a text has any word of a topic."""
    return bool(topic & topic_words(text)) or any(word in text for word in topic if not word.isascii())


def told_part(text: str, topic: frozenset[str]) -> str:
    """What is left of a message of what it told of a topic: what stands before that, and a sign that more was said.

    What only leads up to a confidence goes with it.
    """
    spans = units(text)
    hit = next((place for place, span in enumerate(spans) if not topic or mentions(text[slice(*span)], topic)), 0)
    while hit > 0 and _CONFIDES.search(text[slice(*spans[hit - 1])]) is not None:
        hit -= 1
    kept = text[: spans[hit][0]].strip() if spans else ""
    return f"{kept} …".strip()


_ENOUGH = 0.4  # of what names a topic, from which a text tells of it
_BESIDE_BEST = 0.75  # of the best, from which another tells of it too
_RARE = 0.06  # of the texts; what stands in more of them names nothing by itself
_RARE_LEAST = 3
_MOST = 3  # texts; where more tell of it, it is not plain what is meant


def told_of(topic: frozenset[str], texts: Sequence[str]) -> list[int]:
    """Which of these texts tell of a topic, in order; none where none plainly does, or too many do.

    A word counts the more, the fewer texts have it (inverse document frequency).
    """
    words = [
        topic & topic_words(text) | {word for word in topic if not word.isascii() and word in text} for text in texts
    ]
    among = {word: sum(word in each for each in words) for word in topic}
    weights = {word: math.log(1 + len(texts) / (0.5 + among[word])) for word in topic}
    rare = {word for word in topic if 0 < among[word] <= max(_RARE_LEAST, _RARE * len(texts))}
    whole = sum(weights.values())
    shares = {
        place: share
        for place, each in enumerate(words)
        if each & rare and (share := sum(weights[word] for word in each) / whole) >= _ENOUGH
    }
    best = max(shares.values(), default=0.0)
    found = [place for place, share in shares.items() if share >= _BESIDE_BEST * best]
    return found if len(found) <= _MOST else []
