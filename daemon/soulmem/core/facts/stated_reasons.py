"""Stated reasons: who asks why we move is not told it by the day on which we do.

Used by `core.search.answer_type` and `core.reranking.competing_answers`. Pure. Invariant: a text that says anything
beside what is asked about, and beside days and numbers, may give a reason.
"""

from __future__ import annotations

from soulmem.core.facts.topic_terms import terms_in, weight
from soulmem.core.regex.lazy_regex import CaselessPattern

_WHY = CaselessPattern(r"^\W*(?:(?:so|and|but|well|tell me) )?why\b|\bhow come\b|为什么|为啥|为何|怎么会")
_WHEN = CaselessPattern(
    r"\d+(?:st|nd|rd|th)?|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|[\d一二三四五六七八九十]+[年月日号点]|(?:周|星期|礼拜)[一二三四五六日天]"
)
_READ = 400  # characters
_LITTLE = 0.5  # what is left weighs no more than a common word


def asks_why(question: str) -> bool:
    """Whether a question asks for a reason."""
    return _WHY.search(question[:_READ]) is not None


def says_only_that(question: str, text: str) -> bool:
    """Whether a reason is asked for, and a text says no more than what has it, and when that was or will be."""
    if not asks_why(question):
        return False
    told = terms_in(_WHEN.sub(" ", text[:_READ]), ())
    return weight(told - terms_in(question[:_READ], ())) <= _LITTLE
