"""What Chinese names are made of: surnames, characters of given names, titles, kin, foreign names by their sound.

The lists stand in `chinese_names.txt`, each with what it holds; nothing but `chinese_names` and its kin asks here.
`built` tells what is put together of them like a name (surname and given name, 小陈, 老王, 强哥, 团团, 玛丽亚) and what
that costs, in bits. Pure.
"""

# ruff: noqa: E501 (word lists stand on long lines)

from __future__ import annotations

from collections.abc import Iterator

from soulmem.core.text.chinese_segmenter import cost, is_word
from soulmem.core.text.word_file import read_sections

_LISTS = read_sections("core/names/chinese_names.txt")


def _characters(name: str) -> frozenset[str]:
    return frozenset("".join(_LISTS[name].split()))


FREQUENT = _characters("frequent")
COMMON = _characters("common")
RARE = _characters("rare")
COMPOUND = _LISTS["compound"].split()
GIVEN = _characters("given")
SOME = _characters("some")
NEVER = _characters("never")
TITLES = _LISTS["titles"].split()
FAMILIAR = tuple(_LISTS["familiar"].split())
NICKS = _characters("nicks")
PERSONS = _LISTS["persons"].split()
FOREIGN = frozenset(_LISTS["foreign"].split())
SOUNDS = _characters("sounds")
DOUBLED = _characters("doubled")

_NAMED = 6.0  # bits of there being a person at all
_FREQUENT_BITS, _COMMON_BITS, _RARE_BITS = 4.0, 5.5, 8.5  # bits of a surname
GIVEN_BITS, _SOME_BITS, _OTHER = 8.0, 10.5, 17.0  # bits of a character of a given name
_TITLE = 3.0
_TOGETHER = 3.0
_WORD = 8.0  # what is a word as well, or begins with one
_SELDOM = 6.0
_SELDOM_LAST = frozenset(
    "家花修正再才向当可能想若如后前时里下为在有无"
)  # 李雷家: rather the next word than the end of a name
_WILLS = frozenset("想可能愿")  # 何苗想学: rather what somebody wants than the middle of a name
_ALONE = frozenset("刚")  # 罗刚; but 陈默刚到
_BARE = 8.0  # a given name without its surname
_NICK = 3.5
_SOUND = 5.5  # bits of a character of a foreign name

_DOES = frozenset("学真喜想能开爱")  # 我弟学小号: rather what he does
_SELDOM_SAID = 16.0  # bits of a word that is rarer than names are: 我妹小雨
_CALLED_SO = frozenset("建国 建军 芳华 秋月 晨曦 黎明 向阳 向东 春花 知秋 若水".split())  # what nobody does or is
_ANIMALS = frozenset("虎狗猫驴牛")
_CALLED_TWICE = DOUBLED | GIVEN | SOME
_DOUBLED_TIMES = frozenset({"年年", "家家", "常常"})  # nobody but who is called so


def given_bits(chars: str) -> float | None:
    """The bits of a given name; None for what is none."""
    total = 0.0
    for place, char in enumerate(chars):
        if char in NEVER and not (len(chars) == 1 and char in _ALONE):
            return None
        total += GIVEN_BITS if char in GIVEN else _SOME_BITS if char in SOME else max(_OTHER, (cost(char) or 30) + 4)
        if place and char in _SELDOM_LAST:
            total += _SELDOM
        if not place and len(chars) > 1 and char in _WILLS:
            total += _SELDOM
    return total


def surname_bits(char: str) -> float | None:
    if char in FREQUENT:
        return _FREQUENT_BITS
    return _COMMON_BITS if char in COMMON else _RARE_BITS if char in RARE else None


def built(ahead: str) -> Iterator[tuple[int, float]]:
    """Of what begins here, everything that is built like a name: its length and its bits."""
    if ahead[:2] in COMPOUND:
        yield 2, _NAMED + 12.0
        yield from _after_surname(ahead, 2, 2.0)
    bits = surname_bits(ahead[0])
    if bits is not None:
        yield from _after_surname(ahead, 1, bits)
    yield from _familiar(ahead)
    yield from _foreign(ahead)
    if len(ahead) > 1 and ahead[0] == ahead[1] and ahead[0] in DOUBLED and ahead[:2] not in _DOUBLED_TIMES:
        yield 2, _NAMED + 10.0 + (_WORD if is_word(ahead[:2]) else 0.0)
    if len(ahead) > 1 and ahead[0] in GIVEN and ahead[1] in GIVEN and not is_word(ahead[:2]):
        yield 2, _NAMED + _BARE + 2 * GIVEN_BITS


def bare(chars: str) -> float | None:
    """The bits of a given name of two characters without its surname; None for a word, and for what is none."""
    if len(chars) < 2 or chars[0] in _DOES:
        return None
    if is_word(chars):
        is_small = chars[0] == "小" and chars[1] in GIVEN and (cost(chars) or 0) >= _SELDOM_SAID
        return _NAMED + _BARE + GIVEN_BITS if is_small or chars in _CALLED_SO else None
    given = given_bits(chars)
    return _NAMED + _BARE + given if given is not None and given < _OTHER + GIVEN_BITS else None


def _after_surname(ahead: str, first: int, bits: float) -> Iterator[tuple[int, float]]:
    for title in TITLES:
        if ahead.startswith(title, first):
            yield first + len(title), _NAMED + bits + _TITLE
    for size in (1, 2):
        if len(ahead) >= first + size:
            given = given_bits(ahead[first : first + size])
            if given is not None:
                # Two characters of a given name go together oftener than each by itself; of 周一开 the first two are a word.
                together = -_TOGETHER if size == 2 and given < _OTHER + GIVEN_BITS else 0.0
                doubled = size == 2 and ahead[first] == ahead[first + 1] and ahead[first] in _CALLED_TWICE
                within = (
                    _WORD
                    if not doubled and any(is_word(ahead[:part]) for part in range(2, first + size + 1) if first == 1)
                    else 0.0
                )
                if doubled:
                    given = min(given, GIVEN_BITS + _NICK)
                yield first + size, _NAMED + bits + given + together + within


def _familiar(ahead: str) -> Iterator[tuple[int, float]]:
    """小陈, 老王, 阿强, 老张头; 强哥, 梅姨."""
    if len(ahead) < 2:
        return
    first, second = ahead[0], ahead[1]
    if (
        (first in "二三四" or (first in "老小" and second not in _ANIMALS))
        and second in NICKS
        and not is_word(ahead[:2])
    ):
        yield 2, _NAMED + _NICK + (_COMMON_BITS if first in "二三四" else _FREQUENT_BITS)
    if first in "小老阿大":
        surname = surname_bits(second)
        bits = surname if surname is not None and first != "阿" else given_bits(second)
        if bits is not None and not (first == "大" and surname is None):
            yield 2, _NAMED + _NICK + bits + (_WORD if is_word(ahead[:2]) else 0.0)
            if first == "老" and ahead[2:3] == "头" and surname is not None:
                yield 3, _NAMED + _NICK + bits
    for title in FAMILIAR:
        if ahead.startswith(title, 1) and first in GIVEN and not is_word(ahead[: 1 + len(title)]):
            yield 1 + len(title), _NAMED + _NICK + GIVEN_BITS


def _foreign(ahead: str) -> Iterator[tuple[int, float]]:
    sounds = 0
    for char in ahead:
        if char not in SOUNDS:
            break
        sounds += 1
    for size in range(2, len(ahead) + 1):
        if ahead[:size] in FOREIGN:
            yield size, _NAMED + 7.0
    for size in range(3, sounds + 1):
        if not is_word(ahead[:size]):
            yield size, _NAMED + 6.0 + _SOUND * size
