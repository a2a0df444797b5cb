"""Repetition: whether a text says again what another one said.

Asked when a message is deleted: by `store/revision/erasure` for what else was written down because of it (a recall's
question, a lesson of a link, a refused draft), and for the other messages that hold the same words, which the client
may want to delete too. Pure. Numbers of three digits and more tell by themselves, other words by their share. The work
is linear in both texts; of a very long text only its most telling words count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass

_MOST_TERMS = 400
_MADE_OF = 0.5  # of the words of the deleted text
_MOSTLY = 0.7  # of the words of what is looked at
_REPEATS = 0.6
_FEWEST = 2  # words that a repetition shares where no number tells
_CODE = 3  # digits
_HINT = 3  # characters of a word at most by which texts without it are passed over
_WITHIN = str.maketrans("", "", "',")  # what may stand within a word or a number, and is no part of the term
_OTHERWISE = frozenset({"die", "lie", "tie"})  # stems that begin otherwise than their words: dying


@dataclass(frozen=True, slots=True)
class Telling:
    """What tells that something repeats a text."""

    texts: tuple[str, ...]
    terms: frozenset[str]
    codes: frozenset[str]
    _hints: tuple[str, ...] = field(default=(), repr=False)

    def may_stand_in(self, text: str) -> bool:
        """A cheap look: False only where none of the words can be in the text."""
        folded = tokens.fold(text).translate(_WITHIN)
        return any(hint in folded for hint in self._hints)

    def is_source_of(self, text: str) -> bool:
        """Whether a text was probably made of these words: it holds a number of theirs, or shares most words."""
        if not self.terms or not self.may_stand_in(text):
            return False
        words = content(text)
        shared = len(words & self.terms)
        if not shared:
            return False
        return (
            not self.codes.isdisjoint(words) or shared >= _MADE_OF * len(self.terms) or shared >= _MOSTLY * len(words)
        )

    def names(self, text: str) -> bool:
        """Whether a text holds a number or a code of these words: hardly anything else does."""
        return bool(self.codes) and self.may_stand_in(text) and not self.codes.isdisjoint(content(text))

    def is_repeated_in(self, text: str) -> bool:
        """Whether somebody who deletes these words would want to know of this text."""
        if not self.terms or not self.may_stand_in(text):
            return False
        words = content(text)
        if not self.codes.isdisjoint(words):
            return True
        return len(words & self.terms) >= max(_FEWEST, _REPEATS * len(self.terms))


def telling(texts: Iterable[str]) -> Telling:
    """What tells of these texts: the wordings that one message had."""
    kept = tuple(text for text in texts if text.strip())
    terms = frozenset().union(*(content(text) for text in kept)) if kept else frozenset[str]()
    codes = frozenset(term for term in terms if _is_code(term))
    if len(terms) > _MOST_TERMS:
        terms = frozenset(sorted(terms, key=lambda term: (term not in codes, -len(term), term))[:_MOST_TERMS])
    return Telling(kept, terms, codes & terms, tuple({_hint(term) for term in terms}))


def content(text: str) -> frozenset[str]:
    """The words of a text that say something; all of them where none does."""
    terms = set(tokens.segment(text))
    told = {term for term in terms if not tokens.is_grammar(term) and (len(term) > 1 or term.isascii())}
    return frozenset(told or terms)


def _hint(term: str) -> str:
    """What every text with this term has in it; the end of a stem is not always that of its word (cri: cry)."""
    if tokens.is_cjk_pair(term):
        return term
    return term[: 1 if term in _OTHERWISE else max(1, min(_HINT, len(term) - 1))]


def _is_code(term: str) -> bool:
    """A number that is nobody else's: three digits and more, and no year."""
    digits = sum(char.isdigit() for char in term)
    return digits >= _CODE and not (len(term) == 4 and term[:2] in ("19", "20"))


_ENDS = LazyPattern(r"[.!?。！？…;；\n]+")


def still_stands(quote: str, before: str, after: str) -> bool:
    """Whether the sentences of a message that hold a quotation are said in its new wording just as they were."""
    start = before.find(quote) if quote.strip() else -1
    if start < 0:
        return False
    said, end = {_even(piece) for piece in _ENDS.split(after)}, start + len(quote)
    at = 0
    for piece in _ENDS.split(before):
        first = before.find(piece, at)
        at = first + len(piece)
        if piece.strip() and first < end and at > start and _even(piece) not in said:
            return False
    return True


def is_carried(told: Iterable[str], by: Iterable[str], names: Iterable[str]) -> bool:
    """Whether every word of a note that says something stands in these messages too, or is a speaker's name."""
    known = set[str]().union(*(tokens.segment(text) for text in (*by, *names, *_FRAME)))
    said = set[str]().union(*(content(text) for text in told))
    return bool(said) and said <= known


_FRAME = ("user said says told", "用户说")  # words with which a note begins, whatever it tells


def _even(text: str) -> str:
    return " ".join(tokens.fold(text).split())
