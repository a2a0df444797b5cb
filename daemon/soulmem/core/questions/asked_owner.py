"""Whose kin a question asks for, and whether a text may tell of it: 二胖的媳妇 is nobody else's wife.

Used by `core.search.answer_type`. Pure. Invariant: a text that names the owner, or whoever is spoken of by a pronoun,
may tell of it.
"""

# ruff: noqa: E501 (patterns stand on long lines)

from __future__ import annotations

import re
from collections.abc import Sequence

from soulmem.core.names import chinese_names, english_names
from soulmem.core.names.name_spans import NameKind
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.core.wordlists.important_events import KIN, KIN_ZH
from soulmem.text_memo import text_memo

_OTHERS_ZH = "老师|老板|领导|同事|同学|朋友|房东|室友|邻居|徒弟|师傅|爸|妈|丫头|小子|孩子|对象"
_OF_NAME = LazyPattern(rf"['’]s (?:\w+ )?{KIN}\b|(?:他|她)?家?的?[大小二三老]?(?:{KIN_ZH}|{_OTHERS_ZH})")
_OF_CALLED = LazyPattern(rf"^([\u4e00-\u9fff]{{2,3}}?)家?的[大小二三老]?(?:{KIN_ZH}|{_OTHERS_ZH})")
_NOBODY = LazyPattern(rf"[我咱俺你您他她它谁哪]|{KIN_ZH}|什么|以前|现在")
_KIN = LazyPattern(rf"\b{KIN}\b|{KIN_ZH}|{_OTHERS_ZH}")
_NAMING = LazyPattern(rf"{KIN_ZH}|{_OTHERS_ZH}|[叫姓名]|[他她](?:是|就是)")
_PRONOUN = LazyPattern(r"\b(?:he|she|they|his|her|their|him|them)\b|他|她|人家")
# Whom somebody married is another person than those the question names.
_MARRIED = LazyPattern(
    r"\bwho\b[^?]{0,30}\bmarr(?:y|ied|ying)\b|\bmarried to who|嫁给?了?谁|娶了?(?:谁|哪)|[跟和与]谁(?:结婚|登记|领证|扯证|成家|成亲|办事|好上|处对象|在一起|离)",
    re.IGNORECASE,
)
_MARRIAGE = LazyPattern(
    r"\bmarr(?:y|ied|ies|ying)\b|\bwed(?:s|ding)?\b|\b(?:husband|wife|spouse|partner|fianc\w+|boyfriend|girlfriend|bride|groom)\b"
    r"|嫁|娶|结婚|结了?婚|登记|领了?证|扯了?证|成家|成亲|对象|老公|老婆|媳妇|丈夫|妻子|爱人|老伴|男友|女友|男朋友|女朋友|新郎|新娘|女婿|处着|好上|在一起|离婚",
    re.IGNORECASE,
)
_OWN_NAME = LazyPattern(
    r"\bmy (?:\w+ )?name(?:['’]s| is)\b|\bi['’]m (?:called\b|i(?=[,.!]|$)|(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?(?=[,.!]|$))|我(?:的)?(?:大名|本名|真名|全名|名字)|[我俺]叫|我姓",
    re.IGNORECASE,
)
_COMMON_ZH = frozenset("老小阿大子儿家二三四的")


@text_memo(64)
def owners_asked(question: str) -> tuple[str, ...]:
    """The names, folded, of those whose kin a question asks for."""
    found: dict[str, None] = {}
    for find in (english_names.find, chinese_names.find):
        for name in find(question):
            if name.kind is NameKind.PERSON and _OF_NAME.match(question, name.end):
                found[fold(name.name)] = None
    called = _OF_CALLED.match(question)
    if called is not None and _NOBODY.search(called[1]) is None:
        found[called[1]] = None
    return tuple(found)


def is_of_others(text: str, owners: tuple[str, ...]) -> bool:
    """Whether what a text says of somebody's kin it says of other people's."""
    if not owners or _KIN.search(text) is None:
        return False
    folded = fold(text)
    if _PRONOUN.search(folded) is not None:
        return False
    return not any(_stands(owner, folded) for owner in owners)


def _stands(owner: str, text: str) -> bool:
    """Whether one is named in a text, by his name or a part of it: 孙艳 is 艳子."""
    if owner in text:
        return True
    return any(each in text for each in (owner.split() if owner.isascii() else set(owner) - _COMMON_ZH))


def asks_partner(question: str) -> bool:
    """Whether a question asks whom somebody married, or is with."""
    return _MARRIED.search(question) is not None


def told_of_marriage(clauses: Sequence[str]) -> str:
    """What a text says of marrying, or of being with somebody: each such clause, and what goes on behind it."""
    speaks = [_MARRIAGE.search(each) is not None for each in clauses]
    return "，".join(each for place, each in enumerate(clauses) if any(speaks[max(0, place - 1) : place + 1]))


def told_of_kin(clauses: Sequence[str]) -> str:
    """What a text may say of how somebody's kin is called: in Chinese the clauses that speak of kin or of a name."""
    return "，".join(each for each in clauses if each.isascii() or _NAMING.search(each) is not None)


def says_own_name(text: str) -> bool:
    """Whether somebody says how he himself is called."""
    return _OWN_NAME.search(text) is not None
