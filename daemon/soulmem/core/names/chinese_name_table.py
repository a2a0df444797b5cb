"""What Chinese names are made of: surnames, characters of given names, titles, kin, foreign names by their sound.

The lists stand in `chinese_names.txt`, each with what it holds; nothing but `chinese_names` and its kin asks here.
"""

from __future__ import annotations

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
