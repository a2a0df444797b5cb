"""Asked lists: which list of whom a question asks for ("what gifts did she get", 我都去过哪些地方), and what belongs to it.

Called by recall where all of something is asked for (`core/reranking/entry_ranking`). Pure, and linear in the question.
Invariant: what belongs to somebody's relative is no entry of his own list.
"""

# Patterns stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.facts.clause_reader import OWN
from soulmem.core.facts.fact_reader import subject_key
from soulmem.core.names.kin_names import asked_kin, same_kin
from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.profiles.list_entries import entries_of, may_tell
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass

_READ = 400  # characters of a question
_KINDS = {
    "gifts": LazyPattern(r"\b(?:gifts?|presents?)\b|礼物|送(?:过|了)?(?:我|她|他)[^，。？！]{0,6}什么", re.IGNORECASE),
    "trips": LazyPattern(
        r"\b(?:cities|countries|towns|states|islands|trips?|destinations)\b|\bplaces\b(?=.{0,40}\b(?:been|visit|travel|went|go(?:ne)?|seen)\w*)|去过?(?:的|了)?[^，。？！]{0,4}(?:哪|什么地方|地方|城市|国家)|哪些(?:城市|国家|地方)|(?:旅行|旅游)过",
        re.IGNORECASE,
    ),
    "books": LazyPattern(r"\b(?:books?|novels?)\b|书|小说", re.IGNORECASE),
    "films": LazyPattern(r"\b(?:films?|movies?)\b|电影|片子", re.IGNORECASE),
    "courses": LazyPattern(r"\b(?:courses?|classes|workshops?|lessons|seminars?)\b|课|培训|[什么哪些]+班", re.IGNORECASE),
    "illnesses": LazyPattern(r"\b(?:illness(?:es)?|diseases?|sick(?:ness)?|health (?:problems|issues))\b|[生得患]过?(?:什么|哪些)?病|疾病", re.IGNORECASE),
}  # fmt: skip
_FIRST = LazyPattern(r"\b(?:I|me|my|we|our)\b|我|咱")


@dataclass(frozen=True, slots=True)
class AskedList:
    """`owners`: whose, as facts name subjects, without those that belong to somebody; empty: anybody's. `kin`: whose
    relative's instead, by the word."""

    kind: str
    owners: frozenset[str]
    kin: str = ""

    def holds(self, owner: str) -> bool:
        """Whether an entry of this one is asked for."""
        _, has, word = owner.rpartition(OWN)
        if has:
            return bool(self.kin) and same_kin(word, self.kin)
        if self.kin:
            return owner in self.owners
        return not self.owners or owner in self.owners


def asks_for_entries(question: str) -> bool:
    """Whether a question for all of something asks for a list of which entries are known."""
    return any(pattern.search(question[:_READ]) for pattern in _KINDS.values())


def asked_list(question: str, asker: str, by_name: str = "") -> AskedList | None:
    """The list that a question asks for all of, if it is one that entries are known of.

    Args: asker: who asks, if that is known; by_name: the question with names for the relatives it speaks of.
    """
    seen = question[:_READ]
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.search(seen)), None)
    if kind is None:
        return None
    named = frozenset(fold(each.name) for each in find_names(seen) if each.kind is NameKind.PERSON)
    named |= frozenset(fold(each.name) for each in find_names(by_name[:_READ]) if each.kind is NameKind.PERSON)
    kin = asked_kin(seen)
    if kin or named:
        return AskedList(kind, named, kin)
    return AskedList(kind, frozenset({subject_key(asker)}) if asker and _FIRST.search(seen) else frozenset())


def tells(text: str, speaker: str, asked: AskedList) -> bool:
    """Whether a text tells an entry of the list that is asked for."""
    if not may_tell(text, asked.kind):
        return False
    return any(entry.kind == asked.kind and asked.holds(entry.owner) for entry in entries_of(text, speaker))
