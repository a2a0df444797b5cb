"""Words and characters of a text with where they stand, and hashes of any run of them, to compare texts piece by piece.

Used by `echo_masking` and by the gate. A Latin word or a number is one unit, so is each character of a script written
without blanks; case, width and accents are folded, punctuation and blanks do not count. Three words weigh as much as
four and a half characters. Hashes are the same in every process. Time and memory are linear in the text.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise
from zlib import crc32

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import forget_with_texts, text_memo

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
_MOST_KEPT = 60_000  # units of all such texts: some 6 MB with all that is found in them
_KEPT_LENGTH = 64  # characters of a word that is read once for all
_MODULUS, _BASE = (1 << 61) - 1, 1_000_003
_POWERS = [pow(_BASE, exponent, _MODULUS) for exponent in range(2 * RUN + 1)]


@dataclass(frozen=True, slots=True)
class Runs:
    """For each unit the shortest run from it on that weighs enough, none where the text ends before."""

    lasts: array[int]  # behind its last unit
    hashes: array[int]


@dataclass(slots=True)
class Units:
    """Where each unit stands and what it weighs; `prefix` holds the hashes of all beginnings.

    What `hashes_of`, `runs_of` and `phrases` find is kept, because each text is looked at several times.
    """

    starts: array[int]
    ends: array[int]
    weights: bytes
    prefix: array[int]
    short: dict[int, array[int]] = field(default_factory=dict)  # hashes, by the number of units
    runs: dict[int, Runs] = field(default_factory=dict)  # by the least weight
    phrases: tuple[tuple[int, int], ...] | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def hash_of(self, first: int, last: int) -> int:
        """Of the run `[first, last)`."""
        count = last - first
        power = _POWERS[count] if count < len(_POWERS) else pow(_BASE, count, _MODULUS)
        return (self.prefix[last] - self.prefix[first] * power) % _MODULUS

    def hashes_of(self, count: int) -> array[int]:
        """Of every run of so many units, by where it begins."""
        found = self.short.get(count)
        if found is None:
            prefix, power = self.prefix, _POWERS[count]
            hashes = [(end - begin * power) % _MODULUS for begin, end in zip(prefix, prefix[count:], strict=False)]
            found = self.short[count] = array("Q", hashes)
        return found

    def weight(self, first: int, last: int) -> int:
        return sum(self.weights[first:last])


def units_of(text: str) -> Units:
    """The units of a text; not to be changed, for a message is compared with all that are said around it.

    The memory holds what a few summaries of several conversations read, for the next one reads most of it again.
    """
    return _LATELY[text] if len(text) <= _MESSAGE else _units(text)


def _units(text: str) -> Units:
    spans = [match.span() for match in _UNIT.finditer(text)]
    words = [text[start:end] for start, end in spans]
    # A page without a blank is not kept.
    known = [_read(word) if len(word) <= _KEPT_LENGTH else _read.__wrapped__(word) for word in words]
    held, prefix = 0, [0]
    for value, _ in known:
        held = (held * _BASE + value) % _MODULUS
        prefix.append(held)
    starts, ends = array("I", [start for start, _ in spans]), array("I", [end for _, end in spans])
    return Units(starts, ends, bytes([weight for _, weight in known]), array("Q", prefix))


class _Lately(dict[str, Units]):
    """`lately[text]`: its units, from memory if it was read lately. Safe in threads: at worst one is read twice.

    Two halves, of which the older is given up whenever the younger is full: what is asked for again moves there.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._before: dict[str, Units] = {}
        self._half = self._room = most // 2  # units

    def __missing__(self, text: str) -> Units:
        found = self._before.get(text) or _units(text)
        self._room -= len(found)
        if self._room < 0:
            self._before = dict(self)
            self.clear()
            self._room = self._half - len(found)
        self[text] = found
        return found

    def forget(self) -> int:
        count = len(self) + len(self._before)
        self._before, self._room = {}, self._half
        self.clear()
        return count


_LATELY = _Lately(_MOST_KEPT)
forget_with_texts(_LATELY.forget)


@text_memo(65_536)
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


def runs_of(units: Units, least: int = RUN) -> Runs:
    """The same with the hash of each, several times as fast as asking for them one by one."""
    found = units.runs.get(least)
    if found is None:
        lasts, prefix = [last for _, last in runs(units, least)], units.prefix
        hashes = [
            (prefix[last] - begin * _POWERS[last - first]) % _MODULUS
            for first, (last, begin) in enumerate(zip(lasts, prefix, strict=False))
        ]
        found = units.runs[least] = Runs(array("I", lasts), array("Q", hashes))
    return found


def phrases(text: str, units: Units) -> tuple[tuple[int, int], ...]:
    """Sentences, lines and what stands between brackets or quotation marks, as runs of units, if long enough."""
    if units.phrases is None:
        # No unit holds a break, so each stands before the unit that begins behind it.
        cuts = [bisect_left(units.starts, match.start()) for match in _BREAK.finditer(text)]
        bounds = sorted({0, *cuts, len(units)})
        units.phrases = tuple(pair for pair in pairwise(bounds) if units.weight(*pair) >= PHRASE)
    return units.phrases
