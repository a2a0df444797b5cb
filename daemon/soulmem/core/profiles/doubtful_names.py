"""Doubtful names: pairs of names that may be one person's, and of which rules can tell neither that nor the reverse.

Called by `idle/reflection/name_questions`, which puts a few of them to a model. A short form (Mel, Melanie; 小红 and
王小红), a doubled character of one (红红), the same in another script, or nearly the same letters beside the same
people. Names that somebody tells apart, by naming both in a breath or by speaking of the other, are two, and names that
`identities` takes for one are one: neither is in doubt (algorithms.md §8.5). Source: entity resolution in Graphiti,
where only what strings leave open goes to a model. Pure. Invariant: the order in which notes are told changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.names.other_script import spellings
from soulmem.core.profiles.identities import identities
from soulmem.core.profiles.telling import Telling
from soulmem.core.text.tokens import fold, script_of
from soulmem.fast_dataclasses import dataclass

MOST_NAMES = 60  # that are compared with one another, those told of most
_SHORTEST = 3  # letters of a short form
_BESIDE = 2  # people who stand beside both, where only the letters are nearly the same
_FEWEST_LETTERS = 4
_MOST_EDITS = 2


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two names as they are written, each with the notes that bear it, the latest first."""

    one: str
    other: str
    of_one: tuple[int, ...]
    of_other: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Named:
    written: str
    notes: frozenset[int]
    beside: frozenset[str]
    speaks: bool


def doubtful_names(told: Sequence[Telling]) -> list[Doubt]:
    """The pairs in doubt, those first of whose names most is told."""
    found = _named(told)
    most = sorted(found, key=lambda key: (-len(found[key].notes), key))[:MOST_NAMES]
    pairs = [pair for pair in combinations(sorted(most), 2) if _may_be_one(*pair, found)]
    return [
        Doubt(found[a].written, found[b].written, _latest(found[a]), _latest(found[b]))
        for a, b in sorted(pairs, key=lambda pair: (-min(len(found[each].notes) for each in pair), pair))
        if not _are_known_as_one(found[a].written, b, told)
    ]


def _named(told: Sequence[Telling]) -> dict[str, _Named]:
    notes: defaultdict[str, set[int]] = defaultdict(set)
    beside: defaultdict[str, set[str]] = defaultdict(set)
    written: dict[str, str] = {}
    speaks: set[str] = set()
    for each in sorted(told, key=lambda telling: telling.note):
        if not each.holds:
            continue
        names = {fold(s.name): s.name for s in find_names(each.text, [each.speaker]) if s.kind is NameKind.PERSON}
        if each.speaker:
            speaks.add(fold(each.speaker))
            names.setdefault(fold(each.speaker), each.speaker)
        for key, name in names.items():
            notes[key].add(each.note)
            beside[key] |= names.keys() - {key}
            written.setdefault(key, name)
    return {
        key: _Named(written[key], frozenset(of), frozenset(beside[key]), key in speaks) for key, of in notes.items()
    }


def _latest(named: _Named) -> tuple[int, ...]:
    return tuple(sorted(named.notes, reverse=True))


def _may_be_one(one: str, other: str, found: dict[str, _Named]) -> bool:
    a, b = found[one], found[other]
    if (a.speaks and b.speaks) or other in a.beside or not a.notes.isdisjoint(b.notes):
        return False
    short, long = sorted((one, other), key=len)
    if _is_short_form(short, long) or one in _elsewhere(b.written) or other in _elsewhere(a.written):
        return True
    return len(a.beside & b.beside) >= _BESIDE and _is_nearly(short, long)


def _is_short_form(short: str, long: str) -> bool:
    """Mel of Melanie, 小红 of 王小红, 红红 of 王小红."""
    if script_of(short) == "cjk":
        is_doubled = len(short) == 2 and short[0] == short[1]
        return len(long) > len(short) >= 2 and (long.endswith(short) or (is_doubled and short[0] in long[1:]))
    return " " not in long and len(short) >= _SHORTEST and len(long) > len(short) and long.startswith(short)


def _elsewhere(name: str) -> set[str]:
    """How a name is written in the other script."""
    return {fold(each) for each in spellings(name)}


def _is_nearly(short: str, long: str) -> bool:
    """The same initial and hardly another letter: Katharine, Kathryn."""
    is_latin = short.isascii() and long.isascii() and len(short) >= _FEWEST_LETTERS
    return is_latin and short[0] == long[0] and _edits(short, long) <= _MOST_EDITS


def _edits(one: str, other: str) -> int:
    """Levenshtein distance; of names, so it may be quadratic."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        before, row[0] = row[0], at
        for place, each in enumerate(other, start=1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (letter != each))
    return row[-1]


def _are_known_as_one(one: str, other: str, told: Sequence[Telling]) -> bool:
    return any(other in {fold(name) for name in each.names} for each in identities(one, told))
