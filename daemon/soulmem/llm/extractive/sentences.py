"""Cutting messages into sentences, Chinese, English and mixed, as exact spans of the original text.

The first stage of the extractive engine. Because a sentence is a slice of its message, every quote taken from
one exists in the message word for word. Bracketed asides (a shared picture, a stage direction) are sentences of
their own. No sentence is longer than `LONGEST`, so a wall of text without punctuation stays workable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

LONGEST = 320

_CJK_CLASS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
CJK = re.compile(f"[{_CJK_CLASS}]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
WORD = re.compile(rf"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?|\d+(?:[.,:]\d+)*|[{_CJK_CLASS}]")
_BOUNDARY = re.compile(
    r"(?P<aside>\[[^\[\]\n]{1,600}\]|(?<!\*)\*[^*\n]{2,300}\*(?!\*))"
    r"|(?P<latin>[.!?…]+[\"'”’)\]]*(?=\s|$))"
    r"|(?P<cjk>[。！？…!?；;]+[”』」）)\"]*)"
    r"|(?P<line>\n+)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|st|vs|prof|jr|sr|no|e\.g|i\.e|a\.m|p\.m)|(?<![\w'’])(?-i:[A-HJ-Z]))$", re.IGNORECASE
)
_SOFT_CUT = re.compile(r"[,，、;；:：\s]")
_LOWER_AHEAD = re.compile(r"\s+[a-z]")
_QUESTION = re.compile(r"[?？][\"'”’)）]*$|(?:吗|呢|么)[。!！]?$")


@dataclass(frozen=True)
class Sentence:
    """`text` stands at `start` in message `seq`. `is_aside`: bracketed, said by nobody."""

    seq: int
    start: int
    text: str
    is_aside: bool = False

    @cached_property
    def language(self) -> str:
        return language_of(self.text)

    @cached_property
    def is_question(self) -> bool:
        return _QUESTION.search(self.text) is not None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Lower-case words, numbers and single CJK characters, in order."""
        return tuple(match[0].lower() for match in WORD.finditer(self.text))


def language_of(text: str) -> str:
    """`zh` if the text is mostly Chinese (characters against Latin words), else `en`."""
    chinese = sum(1 for _ in CJK.finditer(text, 0, 4000))
    return "zh" if chinese and chinese >= sum(1 for _ in _LATIN_WORD.finditer(text, 0, 4000)) else "en"


def sentences_of(seq: int, text: str) -> tuple[Sentence, ...]:
    """The sentences of a message, in order, blank ones left out."""
    return tuple(
        Sentence(seq, start, text[start:end], is_aside)
        for piece_start, piece_end, is_aside in _pieces(text)
        for start, end in _bounded(text, piece_start, piece_end)
    )


def _pieces(text: str) -> Iterator[tuple[int, int, bool]]:
    start = 0
    for match in _BOUNDARY.finditer(text):
        if match["aside"]:
            yield start, match.start(), False
            yield match.start(), match.end(), True
            start = match.end()
        elif not (match["latin"] and _goes_on(text, match)):
            yield start, match.end(), False
            start = match.end()
    yield start, len(text), False


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """A full stop that ends no sentence: an abbreviation, or a pause before a small letter."""
    if match[0] == "." and _ABBREVIATION.search(text, max(0, match.start() - 6), match.start()):
        return True
    return match[0][0] in ".…" and _LOWER_AHEAD.match(text, match.end()) is not None


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stripped piece, cut at commas or blanks where it is longer than `LONGEST`."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > LONGEST:
        cut = start + LONGEST
        for soft in _SOFT_CUT.finditer(text, start + LONGEST // 2, start + LONGEST):
            cut = soft.end()
        yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end and any(char.isalnum() for char in text[start:end]):
        yield start, end
