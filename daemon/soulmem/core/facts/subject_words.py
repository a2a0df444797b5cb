"""What a text is about, as words that two texts may share: neither who says it, nor a day, nor a number.

Used where it is decided whether an engine is asked what one note is to another. Words that ask for the same thing
(`concept_table`) count as one: a wedding and getting married, 妈妈 and mother. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.facts.relations import terms_of
from soulmem.core.questions.concept_table import TABLE
from soulmem.core.text.tokens import stemmed

_CONCEPT = "~"
_MOST_WORDS = 6  # for the same thing, that a search is widened by
_NUMBER = re.compile(r".*\d.*|[零一二三四五六七八九十百千万亿两几半]+")


def words_of_matter(text: str, at_ms: int, speaker: str = "") -> str:
    """The text to search by for what is of the same matter: without days and the speaker, with words for the same."""
    bare = _undated(text, at_ms).replace(speaker, " ") if speaker else _undated(text, at_ms)
    found = (_heads().get(term, ()) for term in sorted(terms_of(bare)))
    return " ".join([bare, *dict.fromkeys(word for words in found for word in words[:_MOST_WORDS])])


def matter_of(text: str, at_ms: int, speaker: str = "") -> frozenset[str]:
    """The words of a text, told at `at_ms` by `speaker`, that say what it is about, and what these ask for."""
    text = _undated(text, at_ms)
    words = frozenset(term for term in terms_of(text) - terms_of(speaker) if not _NUMBER.fullmatch(term))
    table = _concepts()
    return words.union(*(table.get(word, frozenset()) for word in words))


def is_concept(term: str) -> bool:
    """Whether an element of `matter_of` is what a word asks for, and no word of the text."""
    return term.startswith(_CONCEPT)


def _undated(text: str, at_ms: int) -> str:
    pieces, done = [], 0
    for span in find_dates(text, at_ms):
        pieces += [text[done : span.start], " " * (span.end - span.start)]
        done = span.end
    return "".join((*pieces, text[done:]))


@cache
def _heads() -> Mapping[str, tuple[str, ...]]:
    """By word, the words of its language that ask for the same."""
    found: dict[str, tuple[str, ...]] = {}
    for line in TABLE.strip().splitlines():
        heads = line.partition(">")[0].split()
        for word in heads:
            same = tuple(other for other in heads if other.isascii() == word.isascii())
            found.setdefault(_term(word), same)
    return found


def _term(word: str) -> str:
    return stemmed(word) if word.isascii() else word[-2:]


@cache
def _concepts() -> Mapping[str, frozenset[str]]:
    """By word, the concepts it asks for: a mark and the line of the table."""
    found: dict[str, set[str]] = {}
    for number, line in enumerate(TABLE.strip().splitlines()):
        for word in line.partition(">")[0].split():
            found.setdefault(_term(word), set()).add(f"{_CONCEPT}{number}")
    return {word: frozenset(lines) for word, lines in found.items()}
