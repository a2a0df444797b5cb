"""Tellings: a note as a profile reads it, and what it says: statements of facts, kin by name, entries of lists.

Read-only values. What a telling says depends on its words and speaker alone, so it is read once and kept with texts
that are read (`text_memo`). Invariants: pure; what was taken back as said by mistake says nothing.
"""

# ruff: noqa: E501 (patterns and words stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Iterator

from soulmem.core.facts.fact_reader import in_first_person, subject_key
from soulmem.core.facts.validity_intervals import Ending, was_taken_back
from soulmem.core.names.kin_names import named_kin
from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.core.wordlists.important_events import CARED, CARED_ZH
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

LOOKED_AT = 2_000
SOCIAL = r"(?:friend|colleague|coworker|boss|manager|neighbou?r|classmate|roommate|flatmate|teacher|coach|therapist|mentor|doctor)"
SOCIAL_ZH = "(?:好朋友|朋友|同事|同学|室友|邻居|老板|领导|老师|教练|医生)"
_NAME = r"(?-i:[A-ZÀ-Þ])[\w'’-]*"
_CALLED = CaselessPattern(
    rf"\b(?:my|our) (?:\w+ )?(?P<kin>{CARED}|{SOCIAL})s?(?:['’]s name)? (?:is|are|was)(?: called| named)? "
    rf"(?P<names>{_NAME}(?:(?:, | and |, and ){_NAME}){{0,3}})(?![\w'’])"
)
_SOCIAL = CaselessPattern(rf"\b(?:my|our) (?:\w+ )?(?P<kin>{SOCIAL})s?,? (?:called |named )?(?P<names>{_NAME})")
_CALLED_ZH = LazyPattern(
    rf"(?:我们|我|咱)家?的?(?P<kin>{CARED_ZH}|{SOCIAL_ZH})(?:的名字)?(?:名叫|叫做|叫|是)"
    r"(?P<names>[\u4e00-\u9fff·]{2,4}|[A-Z][A-Za-z]{1,15})(?=$|[，,。！!；;（(、和]|今年|住|在)"
)
_SOCIAL_ZH = LazyPattern(rf"(?P<kin>{SOCIAL_ZH})$")
_KIN_WORD = LazyPattern(rf"(?:\w+ )?(?:{CARED}|{SOCIAL})s?|{CARED_ZH}|{SOCIAL_ZH}")
_SPLIT = re.compile(r", and |, | and ")
_BACK = 4
_HYPHENS = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody's relative, friend or animal by name."""

    owner: str  # as facts name their subjects
    kin: str
    name: str


@dataclass(frozen=True, slots=True)
class Telling:
    """A note as it shows now. `at`: when it happened; `told`: when it was told."""

    note: int
    text: str
    speaker: str
    at: int
    told: int
    pinned: bool = False
    valid_from: int | None = None
    endings: tuple[Ending, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether it counts at all: what was said by mistake never held."""
        return bool(self.text) and not was_taken_back(self.endings)

    def until(self, said: str, relation: str) -> int | None:
        """Until when it, or what of it was said so, held; None where nothing ended it."""
        ends = [
            each.valid_to
            for each in self.endings
            if each.valid_to is not None
            and (each.whole or each.said == said or (not each.said and each.relation == relation))
        ]
        return min(ends, default=None)

    def is_wrong(self, said: str) -> bool:
        """Whether what was said so was taken back."""
        return any(each.valid_to is None and not each.whole and each.said == said for each in self.endings)


def is_kin_word(words: str) -> bool:
    """Whether words say what somebody is to another: sister, 同事."""
    return _KIN_WORD.fullmatch(words) is not None


@text_memo(4096)
def kin_in(text: str, speaker: str) -> tuple[Kin, ...]:
    """Whose kin, friends and animals a text names."""
    owner = subject_key(speaker)
    plain = in_first_person(text[:LOOKED_AT], speaker)
    found = [Kin(owner, each.kin, name) for each in named_kin(plain, [speaker]) for name in each.names]
    for pattern in (_CALLED, _SOCIAL):
        for match in pattern.finditer(plain):
            found += [Kin(owner, fold(match["kin"]), name) for name in _names(match["names"])]
    if not plain.isascii():
        found += [Kin(owner, match["kin"], match["names"]) for match in _CALLED_ZH.finditer(plain)]
        found += _friends(plain, owner)
    return tuple(dict.fromkeys(each for each in found if fold(each.name) not in {fold(speaker), each.kin}))


def _names(words: str) -> list[str]:
    return [_HYPHENS.sub("", name) for name in _SPLIT.split(words)]


def _friends(plain: str, owner: str) -> Iterator[Kin]:
    """朋友小雅, 同事老王: the name stands right behind the word."""
    for span in find_names(plain):
        ahead = _SOCIAL_ZH.search(plain[max(0, span.start - _BACK) : span.start])
        if ahead is not None and span.kind is NameKind.PERSON:
            yield Kin(owner, ahead["kin"], span.name)
