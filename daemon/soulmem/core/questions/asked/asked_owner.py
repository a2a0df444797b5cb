"""Whose kin or possession a question asks for, and whether a text may tell of it: 二胖的媳妇 is nobody else's wife.

Used by `core.search.answer_type`, for possessions in questions such as "what car do I drive", 我开什么车: what somebody
has now is no car that was sold, nor a dog that he only wishes for. Pure. Invariants: a text that names the owner, or
whoever is spoken of by a pronoun, may tell of it; one that tells of having or getting such a thing anywhere is met as
it stands.
"""

# ruff: noqa: E501 (patterns stand on long lines)

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from soulmem.core.names import chinese_names, english_names
from soulmem.core.names.name_spans import NameKind
from soulmem.core.questions.asked.asked_form import AGE
from soulmem.core.questions.asked.asked_subject import clauses_told
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
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
_MARRIED = CaselessPattern(
    r"\bwho\b[^?]{0,30}\bmarr(?:y|ied|ying)\b|\bmarried to who|嫁给?了?谁|娶了?(?:谁|哪)|[跟和与]谁(?:结婚|登记|领证|扯证|成家|成亲|办事|好上|处对象|在一起|离)"
)
_MARRIAGE = CaselessPattern(
    r"\bmarr(?:y|ied|ies|ying)\b|\bwed(?:s|ding)?\b|\b(?:husband|wife|spouse|partner|fianc\w+|boyfriend|girlfriend|bride|groom)\b"
    r"|嫁|娶|结婚|婚礼|办酒|喜酒|摆酒|订婚|未婚|结了?婚|登记|领了?证|扯了?证|成家|成亲|对象|老公|老婆|媳妇|丈夫|妻子|爱人|老伴|男友|女友|男朋友|女朋友|新郎|新娘|女婿|处着|好上|在一起|离婚"
)
_BLANK_ZH = LazyPattern(r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])")  # who writes no commas parts clauses by blanks
_OWN_NAME = CaselessPattern(
    r"\bmy (?:\w+ )?name(?:['’]s| is)\b|\bi['’]m (?:called\b|i(?=[,.!]|$)|(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?(?=[,.!]|$))|我(?:的)?(?:大名|本名|真名|全名|名字)|[我俺]叫|我姓"
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
    clauses = [part for each in clauses for part in _BLANK_ZH.split(each)]
    speaks = [_MARRIAGE.search(each) is not None for each in clauses]
    return "，".join(each for place, each in enumerate(clauses) if any(speaks[max(0, place - 1) : place + 1]))


def told_of_kin(clauses: Sequence[str]) -> str:
    """What a text may say of how somebody's kin is called: in Chinese the clauses that speak of kin or of a name."""
    return "，".join(each for each in clauses if each.isascii() or _NAMING.search(each) is not None)


def says_own_name(text: str) -> bool:
    """Whether somebody says how he himself is called."""
    return _OWN_NAME.search(text) is not None


_OWN_AGE = CaselessPattern(
    r"(?:\b(?:i|i['’]\w+|im|me)\b|[我咱俺])[^.!?;:。！？；：]{0,40}$|^[^a-zA-Z,.!?;:，。！？；：]{0,12}$"
)


def says_own_age(text: str) -> bool:
    """Whether an age stands behind who speaks: "he's asleep on my foot, nine years old" is that of a dog."""
    return any(_OWN_AGE.search(text[: each.end()]) is not None for each in AGE.finditer(text))


_HELD = CaselessPattern(
    r"\b(?:what|which)(?:['’]?s)? (?:\w+ ){1,4}?(?:do|does) (?:\w+ ){1,3}?(?:drive|have|own|use|ride|got|keep|wear|play)\b|\b(?:what|which) (?:\w+ ){1,3}?(?:have|has) (?:\w+ ){1,3}?got\b"
    r"|\b(?:do|does) (?:\w+ ){1,3}?(?:have|own|drive|keep) (?:an?|any)\b|\bwhat (?:\w+ )?(?:is|['’]s) (?:my|our|his|her) (?:car|phone|bike|van)\b"
    r"|[开骑养用戴住](?:的是|着)?(?:什么|啥|哪[种款辆部只个]?)|有(?:没有)?(?:什么|几[只条辆台]|养)"
)
_ONCE = CaselessPattern(r"\b(?:did|was|were|used to|had|before|first|last|old)\b|以前|之前|过去|原来|当时|那时")
_GONE = CaselessPattern(
    r"\b(?:sold|selling|scrapped|died|dead|stolen|totall?ed|wrote (?:it |the \w+ )?off|written off|g[oe]t(?:ting)? rid of|got rid|gave (?:it|him|her|the|my|our) (?:\w+ )?(?:away|to|up|back)|given away|traded (?:it |the \w+ |my \w+ )?in|passed away|lost (?:my|the|our|his|her)|put (?:him|her|it) down|no longer|rehomed|returned)\b"
    r"|卖了|卖掉|出手了|报废|丢了|弄丢|被偷|送人|送走|退了|没了|死了|去世|过世|不见了|处理了|坏了"
)
_WISHED = CaselessPattern(
    r"\b(?:wants?|wanted|wanting|wish(?:es)?|would (?:like|love)|['’]d (?:like|love)|hop(?:e|es|ing) (?:for|to)|dream(?:s|ing)? of|think(?:s|ing) (?:of|about) (?:getting|buying|adopting)|saving (?:up )?for|looking (?:for|at)|ask(?:s|ed|ing) for|begging for|might (?:get|buy)|planning (?:to|on)|should get|next (?:car|dog|cat|phone))\b"
    r"|想(?:要|养|买|换|领|弄|搞|给|在|有)|打算|准备(?:买|换|养)|计划(?:买|换|养)|要是|考虑(?:买|换|养)|盼着|吵着要|闹着要|攒钱"
)
_GOT = CaselessPattern(
    r"\b(?:bought|got (?:an?|two|three|him|her|it)\b(?! rid)|picked (?:up|it up)|adopted|collected|driving|drives?|swapped|replaced)\b"
    r"|买了|提了|换了|领养了|接回|开着|入手|抱了"
)


def asks_held(question: str) -> bool:
    """Whether a question asks what somebody has now, and not what he had."""
    return _HELD.search(question) is not None and _ONCE.search(question) is None


def tells_loss(text: str) -> bool:
    """Whether a text tells that something is gone, and of nothing that came."""
    return _GONE.search(text) is not None and _GOT.search(text) is None


def opens_with_wish(text: str) -> bool:
    """Whether a text begins with what somebody would like: nothing is otherwise for that."""
    told = clauses_told(text)
    return bool(told) and _WISHED.search(told[0].text) is not None


def says_not_held(question: str, text: str, kinds: Sequence[LazyPattern], called: Sequence[str]) -> bool:
    """Whether all that a text says of what somebody has is that it is gone, or wished for.

    `kinds`: of what is asked what he has of them; `called`: of what is asked how it is called.
    """
    if kinds and asks_held(question):
        return _never_held(text, lambda clause: min((_place(kind, clause) for kind in kinds), default=-1), _GONE)
    return any(_never_held(text, partial(_place_of, thing), None) for thing in called)


def _place(kind: LazyPattern, clause: str) -> int:
    found = kind.search(clause)
    return found.start() if found is not None else -1


def _place_of(thing: str, clause: str) -> int:
    told = rf"\b{re.escape(thing)}s?\b" if thing.isascii() else re.escape(thing)
    found = re.search(told, clause, re.IGNORECASE)
    return found.start() if found is not None else -1


def _never_held(text: str, place: Callable[[str], int], gone: LazyPattern | None) -> bool:
    """`place`: where in a clause the thing stands; -1 where the clause does not speak of it."""
    clauses = [each.text for each in clauses_told(text)]
    if any(_GOT.search(clause) and _WISHED.search(clause) is None for clause in clauses):
        return False
    of_it = [clause for clause in clauses if place(clause) >= 0]
    return bool(of_it) and all(
        (gone is not None and gone.search(clause)) or _is_wish(clause, place(clause)) for clause in of_it
    )


def _is_wish(clause: str, thing: int) -> bool:
    """Whether what stands at `thing` is wished for: who is wished something stands before the wish."""
    found = _WISHED.search(clause)
    return found is not None and found.start() <= thing
