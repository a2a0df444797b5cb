"""Words and characters of a text with where they stand, and hashes of any run of them, to compare texts piece by piece.

Used by `injected` and by the gate. A Latin word or a number is one unit, so is each character of a script written
without blanks; case, width and accents are folded, punctuation and blanks do not count. Three words weigh as much as
four and a half characters. Hashes are the same in every process. Time and memory are linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from zlib import crc32

from soulmem.core.patterns import LazyPattern
from soulmem.core.tokens import fold
from soulmem.records import dataclass

WORD, CHARACTER = 3, 2  # weights
RUN = 8 * WORD  # = 12 characters: nobody says so much by chance in the same words
PHRASE = 4 * CHARACTER  # a whole sentence may be this short: three words, or four characters

_CJK = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3007\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNIT = LazyPattern(rf"[{_CJK}]|\d+|[^\W\d_{_CJK}]+(?:['’ʼ＇][^\W\d_{_CJK}]+)*")
_IS_CJK = LazyPattern(f"[{_CJK}]")
_BREAK = re.compile(r"[\n\r.!?;:。！？；：…|*•>\[\]【】()（）\"“”「」『』《》〈〉—]")
_MESSAGE = 1_000  # characters of a text whose units are kept for a while
_KEPT_LENGTH = 64  # characters of a word that is read once for all
_MODULUS, _BASE = (1 << 61) - 1, 1_000_003
_POWERS = [pow(_BASE, exponent, _MODULUS) for exponent in range(2 * RUN + 1)]


@dataclass(slots=True)
class Units:
    """Where each unit stands and what it weighs; `prefix` holds the hashes of all beginnings."""

    starts: list[int]
    ends: list[int]
    weights: list[int]
    prefix: list[int]

    def __len__(self) -> int:
        return len(self.starts)

    def hash_of(self, first: int, last: int) -> int:
        """Of the run `[first, last)`."""
        count = last - first
        power = _POWERS[count] if count < len(_POWERS) else pow(_BASE, count, _MODULUS)
        return (self.prefix[last] - self.prefix[first] * power) % _MODULUS

    def first_run(self, first: int, last: int) -> int | None:
        """The end of the shortest run from `first` on that weighs `RUN`, if it ends by `last`."""
        weight = 0
        for unit in range(first, last):
            weight += self.weights[unit]
            if weight >= RUN:
                return unit + 1
        return None

    def weight(self, first: int, last: int) -> int:
        return sum(self.weights[first:last])


def units_of(text: str) -> Units:
    """The units of a text; not to be changed, for a message is compared with all that are said around it."""
    return _units_lately(text) if len(text) <= _MESSAGE else _units(text)


def _units(text: str) -> Units:
    units = Units([], [], [], [0])
    held = 0
    for match in _UNIT.finditer(text):
        start, end = match.span()
        units.starts.append(start)
        units.ends.append(end)
        read = _read if end - start <= _KEPT_LENGTH else _read.__wrapped__  # a page without a blank is not kept
        value, weight = read(match[0])
        units.weights.append(weight)
        held = (held * _BASE + value) % _MODULUS
        units.prefix.append(held)
    return units


_units_lately = lru_cache(maxsize=128)(_units)


@lru_cache(maxsize=65_536)
def _read(word: str) -> tuple[int, int]:
    """Hash and weight of a unit."""
    weight = CHARACTER if len(word) == 1 and _IS_CJK.match(word) else WORD
    return crc32(fold(word).encode("utf-8", "surrogatepass")) + 1, weight


def weight_of(text: str) -> int:
    return sum(CHARACTER if _IS_CJK.match(word) else WORD for word in _UNIT.findall(text))


def runs(units: Units, least: int = RUN) -> Iterator[tuple[int, int]]:
    """For each unit the shortest run from it on that weighs `least`; none where the text ends before."""
    weights, count = units.weights, len(units)
    end = weight = 0
    for first in range(count):
        while weight < least:
            if end == count:
                return
            weight += weights[end]
            end += 1
        yield first, end
        weight -= weights[first]


def hashed_runs(units: Units, least: int = RUN) -> Iterator[tuple[int, int, int]]:
    """The same with the hash of each, several times as fast as asking for them one by one."""
    prefix = units.prefix
    for first, last in runs(units, least):
        yield first, last, (prefix[last] - prefix[first] * _POWERS[last - first]) % _MODULUS


def phrases(text: str, units: Units) -> Iterator[tuple[int, int]]:
    """Sentences, lines and what stands between brackets or quotation marks, as runs of units, if long enough."""
    first = 0
    for unit in range(1, len(units) + 1):
        last = unit == len(units)
        if last or _BREAK.search(text, units.ends[unit - 1], units.starts[unit]):
            if units.weight(first, unit) >= PHRASE:
                yield first, unit
            first = unit
