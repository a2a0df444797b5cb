"""Chinese words: where one ends and the next begins.

Chinese is written without blanks, so names, masks and terms that must not begin or end within a word (花生 is no 生)
ask here. A run of characters is cut where its words together are the most common (Viterbi over word counts); others may
add stretches of their own, as `chinese_names` does with what looks like a name. Pure, linear in the length of the text.
Costs are in bits: a word that is one in 2 ** n of all costs n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.word_file import read_sections
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

HAN_RUN = LazyPattern("[\u4e00-\u9fff]+")
LONGEST = 4  # characters of a word of the table
_FIRST_CLASS = 5  # bits of the class `a`
_UNKNOWN = 24.0  # bits of a character that is not in the table
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch that somebody offers as a whole beside the words of the table; `label` is his."""

    end: int
    cost: float
    label: str


@cache
def _table() -> dict[str, str]:
    return read_sections("core/text/chinese_words.txt")  # a hundred kilobytes: read when first used


@cache
def _groups() -> dict[str, str]:
    """What goes on behind each first character, each with the letter of its class, after one letter more."""
    found: dict[str, str] = {}
    for group in _table()["words"].split():
        found[group[0]] = found.get(group[0], "a") + group[1:]
    return found


@cache
def _characters() -> dict[str, int]:
    return {char: _bits(line[0]) for line in _table()["characters"].split() for char in line[1:]}


def _bits(letter: str) -> int:
    return ord(letter.lower()) - ord("a") + _FIRST_CLASS


def cost(word: str) -> float | None:
    """The bits of a word of the table; None for what is none."""
    if len(word) == 1:
        return _characters().get(word)
    letter = _class_of(word)
    return None if letter is None else _bits(letter)


def is_noun(word: str) -> bool:
    """Whether a word of two characters or more is known to be the name of a thing."""
    letter = _class_of(word)
    return letter is not None and letter.isupper()


def _class_of(word: str) -> str | None:
    group, rest = _groups().get(word[:1], ""), word[1:]
    at = group.find(rest) if rest else -1
    while at >= 0:
        end = at + len(rest)
        if group[at - 1] in _LETTERS and group[end] in _LETTERS:
            return group[end]
        at = group.find(rest, at + 1)
    return None


def is_word(text: str) -> bool:
    """Whether this is a word of two characters or more."""
    return len(text) > 1 and cost(text) is not None


def cut(run: str, offered: Mapping[int, Sequence[Stretch]] | None = None) -> list[tuple[int, int, str]]:
    """A run of Chinese characters as words: (start, end, label), the label empty for those of the table."""
    length = len(run)
    best = [0.0] + [float("inf")] * length
    came: list[tuple[int, str]] = [(0, "")] * (length + 1)
    for at in range(length):
        here = best[at]
        for size in range(1, min(LONGEST, length - at) + 1):
            bits = cost(run[at : at + size])
            if bits is None:
                if size > 1:
                    continue
                bits = _UNKNOWN
            if here + bits < best[at + size]:
                best[at + size], came[at + size] = here + bits, (at, "")
        for stretch in offered.get(at, ()) if offered else ():
            if here + stretch.cost < best[stretch.end]:
                best[stretch.end], came[stretch.end] = here + stretch.cost, (at, stretch.label)
    words: list[tuple[int, int, str]] = []
    at = length
    while at:
        start, label = came[at]
        words.append((start, at, label))
        at = start
    return words[::-1]


@text_memo(_KEPT)
def _words(run: str) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end, _ in cut(run))


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where the Chinese words of a text stand, in order."""
    return [(m.start() + s, m.start() + e) for m in HAN_RUN.finditer(text) for s, e in _words(m[0])]
