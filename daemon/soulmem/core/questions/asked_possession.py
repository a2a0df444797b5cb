"""Asked possession: what somebody has now is no car that was sold, nor a dog that he only wishes for.

Used by `core.search.answer_type` for questions such as "what car do I drive", 我开什么车, "what is my dog called". Pure.
Invariant: a text that tells of having or getting such a thing anywhere is met as it stands.
"""

# Patterns stand on long lines.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from soulmem.core.questions.asked_subject import clauses_told
from soulmem.core.regex.lazy_regex import LazyPattern

_HELD = LazyPattern(
    r"\b(?:what|which)(?:['’]?s)? (?:\w+ ){1,4}?(?:do|does) (?:\w+ ){1,3}?(?:drive|have|own|use|ride|got|keep|wear|play)\b|\b(?:what|which) (?:\w+ ){1,3}?(?:have|has) (?:\w+ ){1,3}?got\b"
    r"|\b(?:do|does) (?:\w+ ){1,3}?(?:have|own|drive|keep) (?:an?|any)\b|\bwhat (?:\w+ )?(?:is|['’]s) (?:my|our|his|her) (?:car|phone|bike|van)\b"
    r"|[开骑养用戴住](?:的是|着)?(?:什么|啥|哪[种款辆部只个]?)|有(?:没有)?(?:什么|几[只条辆台]|养)",
    re.IGNORECASE,
)
_ONCE = LazyPattern(
    r"\b(?:did|was|were|used to|had|before|first|last|old)\b|以前|之前|过去|原来|当时|那时", re.IGNORECASE
)
_GONE = LazyPattern(
    r"\b(?:sold|selling|scrapped|died|dead|stolen|totall?ed|wrote (?:it |the \w+ )?off|written off|g[oe]t(?:ting)? rid of|got rid|gave (?:it|him|her|the|my|our) (?:\w+ )?(?:away|to|up|back)|given away|traded (?:it |the \w+ |my \w+ )?in|passed away|lost (?:my|the|our|his|her)|put (?:him|her|it) down|no longer|rehomed|returned)\b"
    r"|卖了|卖掉|出手了|报废|丢了|弄丢|被偷|送人|送走|退了|没了|死了|去世|过世|不见了|处理了|坏了",
    re.IGNORECASE,
)
_WISHED = LazyPattern(
    r"\b(?:wants?|wanted|wanting|wish(?:es)?|would (?:like|love)|['’]d (?:like|love)|hop(?:e|es|ing) (?:for|to)|dream(?:s|ing)? of|think(?:s|ing) (?:of|about) (?:getting|buying|adopting)|saving (?:up )?for|looking (?:for|at)|ask(?:s|ed|ing) for|begging for|might (?:get|buy)|planning (?:to|on)|should get|next (?:car|dog|cat|phone))\b"
    r"|想(?:要|养|买|换|领|弄|搞|给|在|有)|打算|准备(?:买|换|养)|计划(?:买|换|养)|要是|考虑(?:买|换|养)|盼着|吵着要|闹着要|攒钱",
    re.IGNORECASE,
)
_GOT = LazyPattern(
    r"\b(?:bought|got (?:an?|two|three|him|her|it)\b(?! rid)|picked (?:up|it up)|adopted|collected|driving|drives?|swapped|replaced)\b"
    r"|买了|提了|换了|领养了|接回|开着|入手|抱了",
    re.IGNORECASE,
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
