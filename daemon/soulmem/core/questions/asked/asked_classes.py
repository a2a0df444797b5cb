"""Asked classes: of which class the things are that a question asks all of, and by which words its members are told.

Called by list recall: "what activities has she done" is answered by pottery and by a hike, which share no word with
it; her instruments by a clarinet, 参加过什么活动 by 义卖. The classes are those of `asked_classes.txt`, and the cases
of `core.questions.concept_table`. Pure. Invariants: the class stands behind the question word, or, where nothing
does, in the verb; who is named is of no class; a question of no known class has no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from soulmem.core.questions.concept_table import CASES
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text import tokens
from soulmem.core.text.word_file import read_sections
from soulmem.text_memo import text_memo

_READ = 400  # characters of a question
_AUXILIARY = r"(?:has|have|had|do|does|did|is|are|was|were|can|could|will|would|might|should)\b"
_ASKED = CaselessPattern(
    rf"\b(?:what|which|whose|how many)(?:['’]s)? (?!{_AUXILIARY})(?P<of>[^?.!]{{1,80}}?)"
    rf"(?= {_AUXILIARY}| (?:i|we)['’]ve\b|$)"
    r"|\b(?:what|which) (?:are|were|is) (?P<whose>[^?.!]{1,80})"
    r"|\b(?:all|every)(?: of)?(?: the| my| her| his| our| their| your)? (?P<all>\w+(?: \w+)?)"
)
_ASKED_ZH = LazyPattern(
    r"(?:哪些|哪几[个种样项类部本场次位座家条只首]?|什么样?的?|啥|多少[个种样项部本场次位座家条只首])(?P<of>[\u4e00-\u9fff]{1,6})"
    r"|(?:所有|全部)的?(?P<all>[\u4e00-\u9fff]{1,6})|(?P<before>[\u4e00-\u9fff]{1,6})(?:都|分别)?(?:有|是)(?:哪些|什么)[呢啊]?[?？。]?$"
)
_WORD = LazyPattern(r"[a-z][a-z-]+")
_LONGEST = 4  # characters of a Chinese word


@text_memo(64)
def class_terms(question: str) -> frozenset[int]:
    """The terms, as hashes, by which members are told of the classes that a question asks for; none: of no known one.

    Names of people count for nothing here, so they need not be taken out.
    """
    seen = tokens.fold(question[:_READ])
    found: set[str] = set()
    for words in _class_words(seen):
        found |= _members().get(words, frozenset())
    return frozenset(tokens.term_hashes(found).tolist())


def _class_words(seen: str) -> Iterator[str]:
    """The words of a question that may name a class, as they stand in the table."""
    stretches = list(_stretches(_ASKED.finditer(seen)))
    for stretch in stretches or ([seen] if seen.isascii() else []):
        yield from (tokens.stemmed(word.removesuffix("'s")) for word in _WORD.findall(stretch))
    if not seen.isascii():
        known = _members()
        for stretch in list(_stretches(_ASKED_ZH.finditer(seen))) or [seen]:
            yield stretch  # 菜
            for start in range(len(stretch)):
                for end in range(start + 2, min(len(stretch), start + _LONGEST) + 1):
                    if stretch[start:end] in known:
                        yield stretch[start:end]


def _stretches(found: Iterable[re.Match[str]]) -> Iterator[str]:
    for match in found:
        yield from (each for each in match.groups() if each)


@cache
def _members() -> dict[str, frozenset[str]]:
    """By each word that asks for a class, English stems and Chinese words, the terms of its members."""
    table: dict[str, set[str]] = {}
    own = read_sections("core/questions/asked/asked_classes.txt")["classes"]
    for line in (*own.splitlines(), *CASES.strip().splitlines()):
        heads, _, members = line.partition(">")
        told = {_term(word) for word in members.split()}
        for head in heads.split():
            table.setdefault(tokens.stemmed(head) if head.isascii() else head, set()).update(told | {_term(head)})
    return {head: frozenset(told) for head, told in table.items()}


def _term(word: str) -> str:
    return tokens.stemmed(word) if word.isascii() else word[-2:]
