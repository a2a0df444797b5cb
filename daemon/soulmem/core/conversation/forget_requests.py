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

from soulmem.core.conversation.forget_wording import wording_of
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.chinese_segmenter import word_spans
from soulmem.core.text.tokens import query_terms
from soulmem.fast_dataclasses import dataclass

_LONGEST = 600  # characters of a message in which a request is looked for
_REACH = 2  # units before the request that may name what it means
_UNIT = LazyPattern(
    r"[^.!?。！？…\n]*?(?:[.!?。！？…\n]+|$|(?<=[\u4e00-\u9fff]{2})\s+(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]{2})[,，]\s*)"
)
_SENTENCE = LazyPattern(r"[^.!?。！？…\n]+[.!?。！？…\n]*")
_JUST_SAID = LazyPattern(
    r"\bi(?:['’]?ve| have)? just (?:said|told|mentioned|confessed)|\b(?:just now|a (?:moment|minute|second) ago)\b|刚才?(?:说|讲|告诉|跟你)|我刚[才刚]?(?:说|讲)",
    re.IGNORECASE,
)
_EMPTY = frozenset(
    "thing busi matter stori secret stuff told tell said say mention u oh ok pleas rather put mind head brain memori forget delet eras wipe "
    "never let strike anywher exist want dont like just can could would ever someth anyth everyth whole old part bit time day drop keep rememb"
    " note record pretend i'd id bring brought confess anymor longer lose ok okay said back lol god shouldnt pet scrub scratch rub wipe unsend un know talk gone good stay nowher hang save hold copi return trace flame consign beg now noth entir fade yaar sir mate hmm listen sound silly actual comfort own other ear meant was choos get wrong privat your you i'm pls plz ur act".split()
)
_EMPTY_HAN = frozenset(
    "事情 那个 这个 那件 这件 那些 这些 那事 这事 刚才 之前 上次 那天 那次 说过 告诉 忘了 忘掉 忘记 删了 删掉 就当 从来 没有 知道 真的 什么 我们 你们 自己 一下 任何 以后 现在 不要 不想 别再 留着 记着 脑子 心里 记忆 麻烦 前几 几日 前日 那桩 桩事 那件事 哎呀 漏嘴 听见 压根 记得 撤回 烂掉 吃过 那边 那里 那儿 这里 说法 权当 当未 未闻 失忆 但愿 未曾 千万 不该 赶快 留在 句话 这条 那段 这段 那条 往后 一个 方才 所言 头先 上回 昔日 清楚 误会 不好意思 拜托 麻烦 好吗 可以 已经 当作 存着 上礼拜 坦白 那笔 多嘴 嘴快 还有 事儿 的话 那话 这话 这事儿 那事儿".split()
)
_GRAMMAR_HAN = frozenset(
    "的了在是我你您他她它那这个件就都也把给跟和说讲提有没不事儿哦啊吧去过着被让叫很请别再还又快从对到"
)
_CONFIDES = LazyPattern(
    r"\b(?:(?:tell|telling|told) (?:you|u|any|no ?(?:one|body)|someone|somebody)|secret|between (?:us|you and me)|nobody (?:knows|else)|not (?:for|a word)|keep (?:it|this|that) to|confess|one thing)\b"
    r"|偷偷|悄悄|秘密|丢人|别往外|别跟|别告诉|没跟[^，。]{0,8}(?:讲|说)|(?:跟|和|对)你(?:说|讲)[个件一]|千万|保密|只告诉|[跟和]谁[也都]没|谁[也都]不知道|不晓得",
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
    wordings = [wording_of(text[start:end], text) for start, end in spans]
    place = next((place for place, found in enumerate(wordings) if found), None)
    if place is None:
        return None
    named = [
        topic_words(_without(text[slice(*span)], found)) if _near(at, place, wordings) else frozenset[str]()
        for at, (span, found) in enumerate(zip(spans, wordings, strict=True))
    ]
    start = spans[place][0]
    if _JUST_SAID.search(text[slice(*spans[place])]) is not None and not named[place]:
        return ForgetRequest(frozenset(), _begins(text, spans[place - 1][0] if place else start), is_here=place > 0)
    topic = frozenset().union(*named[: place + 1]) or frozenset().union(*named)  # what follows tells why more often
    first = next((at for at, words in enumerate(named) if words & topic), place)
    return ForgetRequest(topic, _begins(text, spans[min(first, place)][0]))


def _begins(text: str, position: int) -> int:
    """Where the sentence begins in which a position lies."""
    return max((match.start() for match in _SENTENCE.finditer(text) if match.start() <= position), default=0)


def _near(at: int, place: int, wordings: Sequence[Sequence[object]]) -> bool:
    """Whether a sentence may name what is meant: it stands near the first one that asks, or asks too."""
    return place - _REACH <= at <= place + 1 or bool(wordings[at])


def _without(sentence: str, found: Sequence[tuple[int, int]]) -> str:
    """A sentence without the words that ask."""
    for start, end in sorted(found, reverse=True):
        sentence = f"{sentence[:start]} {sentence[end:]}"
    return sentence


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
    """What is left of a message of what it told of a topic: whole sentences before that, and a sign that more was said.

    What only leads up to a confidence goes with it.
    """
    sentences = [match for match in _SENTENCE.finditer(text) if match[0].strip()]
    hit = next((place for place, each in enumerate(sentences) if not topic or mentions(each[0], topic)), 0)
    while hit > 0 and _CONFIDES.search(sentences[hit - 1][0]) is not None:
        hit -= 1
    kept = text[: sentences[hit].start()].strip() if sentences else ""
    return f"{kept} …".strip()


_ENOUGH = 0.4  # of what names a topic, from which a text tells of it
_UNSAID = 0.4
_BESIDE_BEST = 0.75  # of the best, from which another tells of it too
_RARE = 0.06  # of the texts; what stands in more of them names nothing by itself
_RARE_LEAST = 3
_FEW = 2  # words of a topic, of which one is enough
MOST_MEANT = 3  # texts; where more tell of it, it is not plain what is meant


def telling(topic: frozenset[str], texts: Sequence[str]) -> list[int]:
    """Which of these texts plainly tell of a topic, in order.

    A word counts the more, the fewer texts have it (inverse document frequency).
    """
    if not topic:
        return []
    words = [
        topic & topic_words(text) | {word for word in topic if not word.isascii() and word in text} for text in texts
    ]
    among = {word: sum(word in each for each in words) for word in topic}
    # A word that nobody said may be one for it, or none of it.
    weights = {
        word: math.log(1 + len(texts) / (0.5 + among[word])) * (1.0 if among[word] else _UNSAID) for word in topic
    }
    rare = {word for word in topic if 0 < among[word] <= max(_RARE_LEAST, _RARE * len(texts))}
    whole = sum(weights.values())
    shares = {
        place: share
        for place, each in enumerate(words)
        if each & rare
        and (len(each) > 1 or sum(map(bool, among.values())) <= _FEW)
        and (share := sum(weights[word] for word in each) / whole) >= _ENOUGH
    }
    best = max(shares.values(), default=0.0)
    return [place for place, share in shares.items() if share >= _BESIDE_BEST * best]
