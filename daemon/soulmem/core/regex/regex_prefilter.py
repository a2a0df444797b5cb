"""Regex prefilter: how the words of a text begin, to know at once which patterns cannot match in it.

Most patterns of words are sought in sentences that hold none of their words, and a search that finds nothing costs the
most. What a pattern needs is written beside it; the signs of a text are found once for all patterns. Called by the
grammars of dates and by the extractive engine. Invariant: what `re.IGNORECASE` takes for the same letter has the same
sign, so a pattern whose needs name the beginning of whole words it cannot do without is never left out wrongly.
"""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.text_memo import text_memo

Needs = tuple[frozenset[str], ...]  # of each set one sign at least

HEAD = 3  # letters: most words differ in them
DIGIT = "0"  # the sign of any digit, wherever it stands
_SENTENCE = 500  # characters
_WORD = LazyPattern(r"\w+")
_DIGIT = LazyPattern(r"\d")
_SAME_LETTER = str.maketrans("ıİſ\u212a", "iisk")  # all letters beyond ASCII that match one of ASCII's


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, in order: all that stands between two boundaries of words."""
    return _words_lately(text) if len(text) <= _SENTENCE else _words(text)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_plain(text)))


def signs_of(text: str) -> frozenset[str]:
    """The first three letters of each word, in lower case (a shorter word as it is), and `DIGIT` if there is one."""
    return _signs_lately(text) if len(text) <= _SENTENCE else _signs(text)


def _signs(text: str) -> frozenset[str]:
    heads = frozenset(heads_of(words_of(text)))
    return heads | {DIGIT} if _DIGIT.search(text) else heads


def _plain(text: str) -> str:
    return (text if text.isascii() else text.translate(_SAME_LETTER)).lower()


# A sentence is looked at for its dates, its facts and its topics, and once more when it is worded.
_signs_lately, _words_lately = text_memo(256)(_signs), text_memo(256)(_words)


def needs_of(words: str) -> Needs:
    """What a pattern needs: `last|next week|month` is one of the first two words and one of the others."""
    return tuple(frozenset(heads_of(each.split("|"))) for each in words.split())


def heads_of(words: Iterable[str]) -> Iterable[str]:
    """The signs of words in lower case."""
    return (word[:HEAD] for word in words)


def may_hold(signs: frozenset[str], needs: Needs) -> bool:
    """Whether a text with these signs may hold what has these needs."""
    return not any(map(signs.isdisjoint, needs))
