"""The tone of a change: how much a statement sounds like news that something is another than it was.

Called by `change_features`. The words and neighbouring words of a text are weighed by a table (`change_weights.txt`)
that `benchmarks/changes/changes.py` fits on talk, beside the weights of the features: aspect, negation, verbs of
beginning and ending, what stands last. Words are stemmed, Chinese is read character by character, numbers are all one.
Pure; the same for the same text.
"""

from __future__ import annotations

import math
from functools import cache

from soulmem.core.regex.lazy_regex import KeptPattern
from soulmem.core.text.tokens import stemmed
from soulmem.core.text.word_file import read_sections
from soulmem.text_memo import text_memo

_PIECE = KeptPattern(r"[a-z]+(?:'[a-z]+)*|\d+(?:[.,:]\d+)*|[\u4e00-\u9fff]|[,，。.!！?？;；…]+")
_STOP = "|"
_MOST = 300  # characters that are read


def grams(text: str) -> frozenset[str]:
    """The words of a text, those that stand side by side, and three characters of Chinese; `|` is where it pauses."""
    pieces = [_STOP, *(_piece(match[0]) for match in _PIECE.finditer(text[:_MOST].casefold().replace("’", "'"))), _STOP]
    found: set[str] = set()
    for place, piece in enumerate(pieces):
        found.add(piece)
        found.add(" ".join(pieces[place : place + 2]))
        three = pieces[place : place + 3]
        if _STOP not in three and not any(each.isascii() for each in three):
            found.add(" ".join(three))
    return frozenset(found - {_STOP, f"{_STOP} {_STOP}"})


@text_memo(4_096)
def tone_of(text: str) -> float:
    """How much a text sounds like a change, from 0 to 1."""
    found = grams(text)
    table = _table()
    total = TONE_BIAS + sum(table.get(each, 0.0) for each in found) / math.sqrt(len(found) or 1)
    return 1.0 / (1.0 + math.exp(-total))


@cache
def _table() -> dict[str, float]:
    """What each gram weighs: a line of the table is a weight and the grams that have it."""
    lines = (line.partition("\t") for line in TONE.strip().splitlines())
    return {gram: float(weighs) for weighs, _, listed in lines for gram in listed.split("\t")}


def _piece(said: str) -> str:
    if said[0].isdigit():
        return "#"
    if said[0] in ",，。.!！?？;；…":
        return _STOP
    if said.isascii():
        return said if "'" in said and not said.endswith("'s") else stemmed(said.removesuffix("'s"))
    return said


_SECTIONS = read_sections("core/changes/change_weights.txt")


def _numbers(section: str) -> dict[str, float]:
    return {name: float(value) for name, value in (line.split("\t") for line in _SECTIONS[section].splitlines())}


_SCORES = _numbers("scores")
LIKELY, BIAS, TONE_BIAS = (_SCORES[name] for name in ("likely", "bias", "tone"))
WEIGHTS = _numbers("weights")
TONE = _SECTIONS["tone"]
