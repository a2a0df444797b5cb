"""Cutting messages into sentences, Chinese, English and mixed, as exact spans of the original text.

The first stage of the extractive engine. Because a sentence is a slice of its message, every quote taken from
one exists in the message word for word. Bracketed asides (a shared picture, a stage direction) are sentences of
their own; speech quoted within a sentence never cuts it, however many full stops it holds. No sentence is longer
than `LONGEST`, and no search runs over more than `_STRETCH` characters at once: a regular expression holds the
interpreter, and the event loop has to answer meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

LONGEST = 320

_CJK_CLASS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
CJK = LazyPattern(f"[{_CJK_CLASS}]")
_LATIN_WORD = LazyPattern(r"[A-Za-zÀ-ɏ]+")
WORD = LazyPattern(rf"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?|\d+(?:[.,:]\d+)*|[{_CJK_CLASS}]")
_STRETCH = 4096
_OVERHANG = 640  # more than the longest thing a boundary can be
_MARKS = ".!?…。！？；;"
_BOUNDARY = LazyPattern(
    r"(?P<aside>\[[^\[\]\n]{1,600}\]|(?<!\*)\*[^*\n]{2,300}\*(?!\*))"
    r"|(?P<quoted>(?<![\w\"])\"[^\"\n]{1,280}\"(?!\w)|“[^“”\n]{1,280}”|「[^「」\n]{1,280}」|『[^『』\n]{1,280}』)"
    r"|(?P<latin>(?<![.!?…])[.!?…]+[\"'”’)\]]*(?=\s|$))"
    r"|(?P<cjk>[。！？…!?；;]+[”』」）)\"]*)"
    r"|(?P<line>\n+)"
)
_BEGINNING = LazyPattern(r"[\[*\"“「『.!?…。！？；;\n]")  # of a boundary
_ABBREVIATION = CaselessPattern(
    r"(?:\b(?:mr|mrs|ms|dr|st|vs|prof|jr|sr|no|e\.g|i\.e|a\.m|p\.m)|(?<![\w'’])(?-i:[A-HJ-Z])|(?:^|[\n：:；;。！？])\s?\d{1,2})$"
)
_SOFT_CUT = LazyPattern(r"[,，、;；:：\s]")
_LOWER_AHEAD = LazyPattern(r"\s+[a-z]")
_QUESTION = LazyPattern(
    r"[?？][\"'”’)）]*$|(?:吗|(?<![那这要多])么)[。!！]?$|^.{0,4}呢[。!！]?$|(?:什么|怎么|哪|谁|几|多少|如何|咋|是不是|有没有).{0,12}呢[。!！]?$"
)
_QUOTED_END = LazyPattern(r"(?<=\w)[\s,:：，]*(?:\"[^\"]*\"|“[^“”]*”|「[^「」]*」)$")
_SPEECH_AHEAD = LazyPattern(r"[:：,，]\s*$")

# What numbers a point of a list told in one line: "1 im coeliac, 2 i hate moths", 一、花生过敏，二、怕狗.
_POINT = CaselessPattern(
    r"(?:^|(?<=[:：,，;；、\s]))(?:[(（]?(?P<number>[1-9])(?:[.)）、:：]\s?|\s(?=(?:i|i['’]?m|i['’]?ve|my|we|our|he|she|they|the|don['’]?t|never|no)\b))"
    r"|[(（]?(?P<numeral>[一二三四五六七八九])[、)）]|第(?P<ordinal>[一二三四五六七八九])[，,、])"
)
_BEFORE_FIRST = LazyPattern(r"(?:^|[:：]\s?)$")
_NUMERALS = "一二三四五六七八九"
_LEAST_POINTS = 3
_LEAST_OF_A_POINT = 3  # words or characters: "1 egg, 2 cups" are no points
_COUNT = LazyPattern(r"[\d俩仨一二两三四五六七八九十]\W*")  # a sentence that is one number


@dataclass(frozen=True)
class Sentence:
    """`text` stands at `start` in message `seq`. `is_aside`: bracketed, said by nobody; `is_point`: of a list."""

    seq: int
    start: int
    text: str
    is_aside: bool = False
    is_point: bool = False

    @cached_property
    def language(self) -> str:
        return language_of(self.text)

    @cached_property
    def is_question(self) -> bool:
        """Whether it asks; to tell of a question in quotes is not to ask."""
        return _QUESTION.search(self.text) is not None and _QUOTED_END.search(self.text) is None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Lower-case words, numbers and single CJK characters, in order."""
        return tuple(match[0].lower() for match in WORD.finditer(self.text))


def language_of(text: str) -> str:
    """`zh` if the text is mostly Chinese (characters against Latin words), else `en`."""
    if text.isascii():
        return "en"
    return _language_lately(text) if len(text) <= LONGEST else _language(text)


def _language(text: str) -> str:
    chinese = len(CJK.findall(text, 0, 4000))
    return "zh" if chinese and chinese >= len(_LATIN_WORD.findall(text, 0, 4000)) else "en"


_language_lately = text_memo(256)(_language)  # asked by all that look at a sentence


def sentences_of(seq: int, text: str, start: int = 0, end: int | None = None) -> tuple[Sentence, ...]:
    """The sentences of a message, in order, blank ones left out; of `text[start:end]` where that is given."""
    found: list[Sentence] = []
    for piece_start, piece_end, is_aside in _pieces(text, start, len(text) if end is None else end):
        bounded = _bounded(text, piece_start, piece_end)
        for first, last, is_point in (point for bounds in bounded for point in _points(text, *bounds)):
            before = found[-1] if found else None
            if before is not None and _goes_with_next(before, is_aside, last):
                found.pop()
                found.append(Sentence(seq, before.start, text[before.start : last], is_aside))
            else:
                found.append(Sentence(seq, first, text[first:last], is_aside, is_point))
    return tuple(found)


def _points(text: str, first: int, last: int) -> Iterator[tuple[int, int, bool]]:
    """A sentence, or the points of the list that it tells in one line, each without its number; whether it is one."""
    points: list[re.Match[str]] = []
    sentence = text[first:last]
    for match in _POINT.finditer(sentence):
        number = match["number"] or str(1 + _NUMERALS.index(match["numeral"] or match["ordinal"]))
        if number == str(len(points) + 1) and (points or _BEFORE_FIRST.search(sentence, 0, match.start())):
            points.append(match)
    ends = [*(match.start() for match in points[1:]), len(sentence)]
    spans = [(match.end(), end) for match, end in zip(points, ends, strict=bool(points))]
    if len(spans) < _LEAST_POINTS or any(
        len(WORD.findall(sentence[slice(*span)])) < _LEAST_OF_A_POINT for span in spans
    ):
        yield first, last, False
        return
    for start, end in ((0, points[0].start()), *spans):
        said = sentence[start:end]
        if any(map(str.isalnum, said)):
            begins, ends_at = len(said) - len(said.lstrip()), len(said.rstrip(" \n,，;；、"))
            yield first + start + begins, first + start + ends_at, start > 0


def _goes_with_next(before: Sentence, is_aside: bool, end: int) -> bool:
    """Whether a sentence is one number, which by itself cannot be quoted: 俩。都上小学了."""
    is_plain = not (is_aside or before.is_aside)
    return is_plain and end - before.start <= LONGEST and _COUNT.fullmatch(before.text) is not None


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    said = start  # where the first letter of the piece is, as far as was looked: a piece may hold a thousand quotations
    for match in _marks(text, start, end):
        if match["aside"]:
            yield start, match.start(), False
            yield match.start(), match.end(), True
            start = match.end()
        elif match["quoted"]:
            places = range(max(said, start), match.start())
            said = next((place for place in places if text[place].isalnum()), match.start())
            if said == match.start():  # nothing is said before it: its sentences are sentences
                for inner in _BOUNDARY.finditer(text, match.start() + 1, match.end()):
                    if not _goes_on(text, inner):
                        yield start, inner.end(), False
                        start = inner.end()
            elif _ends_with_quotation(text, match):
                yield start, match.end(), False
                start = match.end()
        elif not (match["latin"] and _goes_on(text, match)):
            yield start, match.end(), False
            start = match.end()
    yield start, end, False


def _marks(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """What may end a sentence, found stretch by stretch."""
    while start < end:
        limit = min(start + _STRETCH, end)
        edge = limit if limit == end else limit - _OVERHANG
        place = start
        # Where a boundary may begin is found several times as fast as the boundaries themselves.
        while begin := _BEGINNING.search(text, place, limit):
            match = _BOUNDARY.match(text, begin.start(), limit)
            if match is None:
                place = begin.end()
                continue
            if match.start() >= edge:
                break
            yield match
            start = place = match.end()
        start = max(start, edge)


def _ends_with_quotation(text: str, match: re.Match[str]) -> bool:
    """Whether a sentence ends with the quotation it holds: a full stop within, and nothing goes on behind."""
    if text[match.end() - 2] not in _MARKS:
        return False
    behind = text[match.end() : match.end() + 3]
    if not behind.strip() or CJK.match(behind.lstrip()[:1] or " "):
        led = _SPEECH_AHEAD.search(text, max(0, match.start() - 3), match.start()) is not None
        return not behind.strip() or led
    return behind[0].isspace() and not behind.lstrip()[:1].islower()


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """A full stop that ends no sentence: an abbreviation, or a pause before a small letter."""
    if match[0] == "." and _ABBREVIATION.search(text, max(0, match.start() - 6), match.start()):
        return True
    pauses = match[0][0] in ".…" or match[0][-1] in "\"'”’)"
    return pauses and _LOWER_AHEAD.match(text, match.end()) is not None


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
