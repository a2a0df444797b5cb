"""What a sentence tells beside the trifle in it.

老魏端了碗面上来，完了我俩一块儿遛了个弯儿 is of two people and no mere meal. Called by `importance_rating`. Pure,
Chinese and English.
"""

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.wordlists.important_events import KIN, KIN_ZH
from soulmem.core.wordlists.trivial_events import TRIFLES

_CLAUSES = LazyPattern(r"[,，、;；:：]+|\s[-–—]+\s|\b(?:and|but|so|because)\b")
_FEW = 3  # clauses: a short sentence with a trifle in it is about the trifle
_HAN = LazyPattern(r"[\u3400-\u9fff]")
_WORD = LazyPattern(r"[A-Za-zÀ-ɏ0-9'’]+")
_MUCH_HAN, _MUCH_WORDS = 12, 8
# It is told of people: what they did, or what befell them.
_OF_PEOPLE = LazyPattern(
    rf"\b(?:we|us|our|he|she|they|him|her|them|{KIN})\b|(?<=[a-z,] )(?-i:[A-Z])[a-z]{{2,}}"
    rf"|我[俩们]|咱|[他她]|[老小阿][\u4e00-\u9fff]|{KIN_ZH}",
    re.IGNORECASE,
)


def beside_trifles(plain: str, nameless: str) -> str:
    """The clauses of a sentence in which no trifle stands; empty where they say little, or nothing of other people.

    `nameless`: the same without its names, in which trifles are looked for.
    """
    parts, bare = _CLAUSES.split(plain), _CLAUSES.split(nameless)
    if len(parts) < _FEW or len(parts) != len(bare):
        return ""
    rest = [part for part, clause in zip(parts, bare, strict=True) if not any(w.search(clause) for _, w in TRIFLES)]
    told = ", ".join(part.strip() for part in rest)
    much = len(_HAN.findall(told)) >= _MUCH_HAN or len(_WORD.findall(told)) >= _MUCH_WORDS
    return told if much and _OF_PEOPLE.search(told) is not None else ""
