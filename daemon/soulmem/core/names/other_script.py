"""The other script: how names and numbers of a question are written in it, 王丽 and Wang Li, 伦敦 and London.

Called where a question is read (`core.questions.question_concepts`, `core.search.relevance_scoring`,
`core.search.answer_type`). The names of places and of people by their sound stand in a table, `other_script.txt`; a
Chinese name is read by its characters, and Latin letters that read like one may be any of those that sound so. Pure.
Invariant: what is written alike in both scripts has no other spelling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from soulmem.core.names import chinese_name_parts as characters
from soulmem.core.names import english_name_table as english
from soulmem.core.numbers import number_words
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text import tokens
from soulmem.core.text.word_file import read_sections
from soulmem.text_memo import text_memo

# How well another spelling answers for a name or number.
_LISTED = 0.9  # it is the same name
_SOUNDS_SO = 0.8  # it is read so, as others may be
_PART = 0.6  # a part of it that others share: a given name of one character, the end of a number
_SURNAME = 0.35

_MOST = 256  # spellings of a name
_WORDS = 4  # of a name that is looked at
_LONGEST_SYLLABLE = 6
_LONGEST_GIVEN = 2  # characters
_FAMILIAR = "小老阿大"  # 小明 is Xiao Ming
_MOST_NUMBER = 99_999_999
_LATIN = LazyPattern("[a-z]+")
_HAN = LazyPattern("[\u3400-\u9fff]+")
_NUMERALS = LazyPattern(f"[{number_words.NUMERALS}]{{1,12}}")


class _Tables(NamedTuple):
    """`chinese`: by a name in Latin letters, its words joined by hyphens, the Chinese ones; `latin`: the reverse.
    `sounds`: by syllable the characters that are read so; `readings`: by character its syllables. `in_words`: the names
    of several words.
    """

    chinese: Mapping[str, Sequence[str]]
    latin: Mapping[str, Sequence[str]]
    sounds: Mapping[str, str]
    readings: Mapping[str, Sequence[str]]
    in_words: Sequence[str]


@cache
def _tables() -> _Tables:
    sections = read_sections("core/names/other_script.txt")
    chinese, latin, readings = (defaultdict[str, list[str]](list) for _ in range(3))
    for name, *others in (*_entries(sections["places"]), *_entries(sections["people"])):
        for other in others:
            chinese[other].append(name)
            latin[name].append(other)
    sounds = {row[0]: row[1] for row in _entries(sections["syllables"])}
    for syllable, read_so in sounds.items():
        for char in read_so:
            readings[char].append(syllable)
    in_words = [name.replace("-", " ") for name in chinese if "-" in name]
    return _Tables(dict(chinese), dict(latin), sounds, dict(readings), in_words)


def _entries(section: str) -> Iterator[list[str]]:
    return (entry.split() for entry in section.replace("\n", "|").split("|") if entry.strip())


def prepare() -> None:
    """Read the table, for which a calm moment serves better than the first question."""
    _tables()


@text_memo(256)
def spellings(name: str) -> tuple[str, ...]:
    """The whole name as it may be written in the other script, folded: "wang li", "li wang", "wangli" of 王丽."""
    folded = tokens.fold(name)
    return tuple(dict.fromkeys(_in_latin(folded) if _HAN.search(folded) else _in_chinese(folded)))[:_MOST]


@text_memo(256)
def name_terms(name: str) -> Mapping[str, float]:
    """The terms by which the other script says a name, each with how well it answers for it."""
    folded = tokens.fold(name)
    if not _HAN.search(folded):
        return _chinese_terms(folded)
    found: dict[str, float] = {}
    for other in _tables().latin.get(folded, ()):
        _allow(found, tokens.stemmed(other.rpartition("-")[2]), _LISTED)
    for surname, given in _read(folded):
        _allow(found, tokens.stemmed("".join(given)), _SOUNDS_SO if len(given) > 1 else _PART)
        if surname:
            _allow(found, tokens.stemmed(surname + "".join(given)), _SOUNDS_SO)
            found[tokens.stemmed(surname)] = _SURNAME  # "wangli" has the same stem
    return found


def named_in_words(folded: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    """The listed names of several words that a text holds: the term that ends each, and how Chinese says it."""
    for name in _tables().in_words:
        if name in folded:
            yield tokens.stemmed(name.rpartition(" ")[2]), _chinese_terms(name)


def number_terms(term: str) -> Mapping[str, float]:
    """The terms by which a number is said in other signs or words: of "3" three and 三, of 三 those and 3."""
    value = _number(term)
    if value is None or value > _MOST_NUMBER:
        return {}
    word, signs = _english_words().get(value), _chinese_number(value)
    pairs = tokens.segment(signs)[len(signs) :] or [signs]
    found = dict.fromkeys(pairs, _LISTED if len(pairs) == 1 else _PART)
    if value == _TWO:
        found["两"] = _LISTED
    found |= {str(value): _LISTED} | ({word: _LISTED} if word is not None else {})
    found.pop(term, None)
    return found


def chinese_numbers(text: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    """The numbers in Chinese signs: each term that ends one, alone or with what is counted, and how else it is said."""
    for match in _NUMERALS.finditer(text):
        value = number_words.chinese_value(match[0])
        if value is not None and value == int(value):
            said = {**number_terms(str(int(value))), str(int(value)): _LISTED}
            end = match.end()
            yield from ((term, said) for term in (match[0][-2:], match[0][-1], text[end - 1 : end + 1]))


# -- names in Latin letters -----------------------------------------------------------------------------------


def _in_latin(name: str) -> Iterator[str]:
    """A Chinese name in Latin letters."""
    for other in _tables().latin.get(name, ()):
        yield other.replace("-", " ")
    for surname, given in _read(name):
        joined = "".join(given)
        if not surname:
            yield joined
            continue
        yield f"{surname} {joined}"
        yield f"{joined} {surname}"
        yield surname + joined


def _read(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """How a Chinese name is read: its surname, "" where it has none, and its given name by syllables."""
    readings = _tables().readings
    if name in _tables().latin or not 2 <= len(name) <= 2 + _LONGEST_GIVEN or any(c not in readings for c in name):
        return
    ends = {2} if name[:2] in characters.COMPOUND else {1} if _is_surname(name[0]) or name[0] in _FAMILIAR else {0}
    for end in ends:
        if 0 < len(name) - end <= _LONGEST_GIVEN:
            for read in product(*(readings[char] for char in name)):
                yield "".join(read[:end]), read[end:]


def _is_surname(char: str) -> bool:
    return char in characters.FREQUENT or char in characters.COMMON or char in characters.RARE


# -- names in Chinese -----------------------------------------------------------------------------------------


def _in_chinese(name: str) -> Iterator[str]:
    """A name in Latin letters in Chinese."""
    words = _LATIN.findall(name)[:_WORDS]
    yield from _tables().chinese.get("-".join(words), ())
    for surnames, given in _sounding(words):
        yield from map("".join, product(surnames, *given))


def _chinese_terms(name: str) -> Mapping[str, float]:
    words = _LATIN.findall(name)[:_WORDS]
    listed = _tables().chinese.get("-".join(words)) or [
        each for word in words if len(word) > 1 for each in _tables().chinese.get(word, ())
    ]
    found = {each[-2:]: _LISTED for each in listed}
    for surnames, given in () if listed else _sounding(words):
        chars = [[each[-1] for each in surnames], *given] if len(given) == 1 else given
        for pair in map("".join, product(*chars)):
            _allow(found, pair, _SOUNDS_SO)
    return dict(list(found.items())[:_MOST])


def _sounding(words: Sequence[str]) -> Iterator[tuple[Sequence[str], list[str]]]:
    """What may be the Chinese name that these words read like: its surnames, and the characters of each syllable of its
    given name. A given name alone has two; one that English has too ("Dana") is none.
    """
    sounds = _tables().sounds
    if len(words) == 1 and words[0] not in english.GIVEN:
        for read in _syllables(words[0]):
            if len(read) == _LONGEST_GIVEN:
                yield from _named(read[0], read[1:], sounds)
                yield ("",), [sounds[each] for each in read]
    elif 1 < len(words) <= 1 + _LONGEST_GIVEN:
        for surname, rest in ((words[0], words[1:]), (words[-1], words[:-1])):
            for given in _syllables("".join(rest)):
                yield from _named(surname, given, sounds)


def _named(surname: str, given: Sequence[str], sounds: Mapping[str, str]) -> Iterator[tuple[list[str], list[str]]]:
    first = [char for char in sounds.get(surname, "") if _is_surname(char) or char in _FAMILIAR]
    parts = (product(*(sounds[each] for each in read)) for read in _syllables(surname) if len(read) > 1)
    first += [both for read in parts for both in map("".join, read) if both in characters.COMPOUND]
    if first and len(given) <= _LONGEST_GIVEN:
        yield first, [sounds[each] for each in given]


def _syllables(word: str) -> list[tuple[str, ...]]:
    """The ways to read a word as one or two syllables of Chinese."""
    sounds = _tables().sounds
    cuts = range(1, min(len(word), _LONGEST_SYLLABLE + 1))
    parted = [(word[:cut], word[cut:]) for cut in cuts if word[:cut] in sounds and word[cut:] in sounds]
    return [(word,), *parted] if word in sounds else list(parted)


# -- numbers --------------------------------------------------------------------------------------------------

_TWO = 2
_DIGITS = "零一二三四五六七八九"
_SCALES = ("", "十", "百", "千")


@cache
def _english_words() -> Mapping[int, str]:
    return {value: tokens.stemmed(word) for word, value in reversed(list(number_words.WORDS.items()))} | {
        value: word for word, value in number_words.LARGE.items()
    }


@cache
def _english_values() -> Mapping[str, int]:
    return {word: value for value, word in _english_words().items()}


def _number(term: str) -> int | None:
    if not term.isascii():
        return None
    return int(term) if term.isdigit() and len(term) < len(str(_MOST_NUMBER)) else _english_values().get(term)


def _chinese_number(value: int) -> str:
    """A number as it is said: 一千八百, 十二, 三万零五."""
    if value >= 10_000:
        rest = value % 10_000
        gap = "零" if 0 < rest < 1_000 else ""
        return f"{_chinese_number(value // 10_000)}万{gap}{_chinese_number(rest) if rest else ''}"
    digits = str(value)
    said = ""
    for place, digit in enumerate(map(int, digits)):
        if digit:
            said += _DIGITS[digit] + _SCALES[len(digits) - 1 - place]
        elif said and not said.endswith("零"):
            said += "零"
    return (said.removesuffix("零") or "零").removeprefix("一" if 10 <= value < 20 else "")


def _allow(known: dict[str, float], term: str, strength: float) -> None:
    known[term] = max(strength, known.get(term, 0.0))


def said_in(text: str, terms: Iterable[str], name: str) -> str:
    """How a text, whose terms are `terms`, writes this name in the other script; "" where it does not."""
    if text.isascii() == name.isascii():
        return ""
    if _HAN.search(name):
        present = frozenset(terms)
        return next((each for each in spellings(name) if present.issuperset(tokens.segment(each))), "")
    return next((each for each in spellings(name) if each in text), "")
