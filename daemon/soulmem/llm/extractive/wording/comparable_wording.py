"""How the wordings of notes are compared: without the day they carry, by what they are about, by names and numbers.

Shared by judging, reconciling and merging. A note's text was made by `standalone_sentences`: a day in
brackets behind the speaker or the sentence says when it was told, and is no part of what was told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.engine_tasks import Labelled
from soulmem.core.text.tokens import fold, is_cjk_pair, is_grammar, query_terms
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.language.content_words import entities_of
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.sentence_splitter import CJK, WORD
from soulmem.text_memo import text_memo

LOOKED_AT = 2_000  # characters of a note or question that are looked at

_DAY = LazyPattern(
    r"\s?[(（](?:the week of |around |since |early |mid |late )?"
    r"(?:[^()（）]{0,20}\b\d{4}|\d{4}年)[^()（）]{0,30}[)）]"
)
_AND = LazyPattern(r"(?<=[a-z]) (?:and|&) (?=[A-Z])")
_POSSESSIVE_START = LazyPattern(r"(?:^|[.!?。！？]\s*)([A-ZÀ-Þ][\w-]+)['’]s\b")
_NO_NAME = frozenset(
    """
    what where who when how why let it that this there here he she today tomorrow yesterday everyone everybody someone
    somebody nobody one life
    """.split()
)
_ORDERS = CaselessPattern(
    r"^(?:compare|describe|explain|summari[sz]e|list|show|remind|find|recall|remember|ask|call|meet|tell|does|did) "
)
_MEANS = LazyPattern(rf"(?![什么怎哪谁几为何吗呢]){CJK.pattern}")  # a character that is no part of asking
_SUBJECT = LazyPattern(
    r"([A-ZÀ-Þ][A-Za-zÀ-ɏ0-9-]+(?: [A-ZÀ-Þ][A-Za-zÀ-ɏ0-9-]+)?)"
    r"(?=['’]s\b|\s?[:：,]|\s+(?:(?-i:[a-z])|\()|\s?[\u4e00-\u9fff])"
)
_TOPIC_ZH = LazyPattern(
    r"([\u4e00-\u9fff·]{2,4}?)(?=(?:又|也|还|都|就|再|才|刚|很|正|已经)*(?:喜欢|讨厌|住|是|在|去|对|说|觉得|想|有|养|买|的|最|不|今年|昨天|今天|每|经常|常|和|跟|会|要|来自|名叫|叫|[：:]))"
)
_NO_NAME_BEGINS = frozenset("我你他她它这那有没不也都就还在是的昨今明前后上下去每一什怎哪谁为几")
_NUMERAL = LazyPattern(
    r"\d+(?:[.,:]\d+)*|[一二两三四五六七八九十百千万]{1,16}(?=[个只条次年岁天月块元斤公位本张套家号点分倍人口层])"
)
_NUMBER_WORD = CaselessPattern(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|twice)\b"
)
_VALUE = {
    word: str(value)
    for value, words in enumerate(
        ("", "一", "two 二 两 twice", "three 三", "four 四", "five 五", "six 六", "seven 七", "eight 八", "nine 九",
         "ten 十", "eleven 十一", "twelve 十二")
    )
    for word in words.split()
}  # fmt: skip


def without_day(text: str) -> str:
    """The text without the bracketed dates that notes carry."""
    return " ".join(_DAY.sub("", text[:LOOKED_AT]).split()) if "(" in text or "（" in text else text[:LOOKED_AT]


def subject_terms(text: str) -> frozenset[str]:
    """What a text is about: stemmed words without grammar; of Chinese the pairs, or single characters without any."""
    return _subject_terms(text[:LOOKED_AT])


@text_memo(4096)
def _subject_terms(text: str) -> frozenset[str]:
    terms = [term for term in query_terms(text) if not is_grammar(term)]
    alone = not any(is_cjk_pair(term) for term in terms)
    return frozenset(term for term in terms if len(term) > 1 or term.isdigit() or (alone and _MEANS.match(term)))


def names_in(text: str, known: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Names, titles and places of a text in either language, in order; of `known` names any spelling of case."""
    text = text[:LOOKED_AT]
    folded = fold(text)
    heard = frozenset(name for name in known if name and _holds(folded, fold(name)))
    spelt = {fold(name): name for name in sorted(heard)}
    entities = entities_of(text, frozenset(name for name in heard if name in text))
    found = dict.fromkeys(spelt.get(fold(name), name) for name in entities)
    found |= {match[1]: None for match in _POSSESSIVE_START.finditer(text) if _is_name(match[1])}
    found |= dict.fromkeys(sorted(heard))
    once = {fold(name): name for each in reversed(found) for name in _AND.split(_ORDERS.sub("", each)) if name}
    return tuple(sorted(once.values(), key=lambda name: (folded.find(fold(name)), name)))[:8]


def subject_of(text: str) -> str:
    """Whom a note is about or who says it: the name it begins with; empty where it begins with none."""
    plain = without_day(text).lstrip(" \t\n\"'“「")
    match = _SUBJECT.match(plain)
    if match is not None and _is_name(match[0].split()[0].removesuffix("'s").removesuffix("’s")):
        return match[1]
    if CJK.match(plain):
        return next((name for name in names_in(plain[:40]) if plain.startswith(name)), _named_topic(plain))
    return ""


def _named_topic(text: str) -> str:
    """What stands before the first verb of a Chinese note, where that is short enough for a name."""
    match = _TOPIC_ZH.match(text)
    return match[1] if match is not None and match[1][0] not in _NO_NAME_BEGINS else ""


def _is_name(word: str) -> bool:
    return word.lower() not in _NO_NAME and word.lower() not in ENGLISH.stop and word.lower() not in ENGLISH.generic


def _holds(folded: str, name: str) -> bool:
    """Whether a name stands in a folded text as a word of its own; a Chinese one anywhere."""
    if not name:
        return False
    if CJK.search(name):
        return name in folded
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) is not None


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, in digits as far as they are small."""
    found = {_VALUE.get(match[0], match[0]) for match in _NUMERAL.finditer(text)}
    return frozenset(found | {_VALUE.get(match[0].lower(), match[0].lower()) for match in _NUMBER_WORD.finditer(text)})


def is_within(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether a wording of three words or more is told, word for word and in order, within a longer one."""
    rest = iter(whole)
    return 3 <= len(part) < len(whole) and all(word in rest for word in part)


@dataclass(frozen=True)
class Compared:
    """A note with what can be read from its wording, each when first asked for."""

    note: Labelled

    @cached_property
    def text(self) -> str:
        return without_day(self.note.text).strip()

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(match[0] for match in WORD.finditer(fold(self.text)))

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(fold(name) for name in names_in(self.text))

    @cached_property
    def times(self) -> frozenset[tuple[int, int]]:
        return frozenset((span.from_ms, span.to_ms) for span in find_dates(self.text, self.note.at_ms))
