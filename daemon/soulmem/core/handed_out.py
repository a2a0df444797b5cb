"""What was handed out to a conversation, indexed so that it is recognised when it comes back.

Read by `injected`. Of what the memory itself wrote every run of eight words or twelve characters counts, and every
whole sentence; of messages only sentences and longer runs, because people use the same turns of phrase again and
again; and a person's own words count only beside something else that was handed out. Every text comes with the place
in the conversation after which it was handed out. Invariant: the index holds at most `MOST_UNITS` words; more
important texts are added first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

from soulmem.core.patterns import LazyPattern
from soulmem.core.shingles import CHARACTER, PHRASE, RUN, WORD, Units, hashed_runs, phrases, units_of
from soulmem.records import dataclass

MOST_UNITS = 120_000
_LONGEST = 60_000  # characters of one handed-out text that are remembered
_MOST_ALIKE = 64  # sentences that begin alike
_EMBEDDED = 14  # weight of a short sentence that is recognised within another: five words, or seven characters
_BEGINNING = -(-_EMBEDDED // max(WORD, CHARACTER))  # units that each such sentence has at least
_COLON = LazyPattern("[:：]")

_Key = TypeVar("_Key", int, tuple[int, int])


class Origin(StrEnum):
    """What a handed-out text was."""

    NOTE = "note"
    MESSAGE = "message"
    SUMMARY = "summary"
    PERSONA = "persona"
    LORE = "lore"
    SYSTEM = "system"


ANYBODY = "*"  # instead of a speaker: these words may be anybody's


@dataclass(frozen=True, slots=True)
class ServedText:
    """A text that was handed out after message `after` of the conversation was said (0: before any).

    `speaker` is whose words it holds, if anybody's: that person may say them again.
    """

    text: str
    origin: Origin
    after: int = 0
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A run of units `[first, last)` that was handed out.

    `own`: the words may be the speaker's own, or anybody's; `mine`: he said them before.
    """

    first: int
    last: int
    origin: Origin
    own: bool
    mine: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    after: int
    origin: Origin
    speaker: str
    common: bool = False  # of a phrase: words that anybody might say


@dataclass(frozen=True, slots=True)
class Asking:
    """The message that is looked at: its place, and who says it."""

    seq: int
    speaker: str | None

    def sees(self, entry: _Entry | None) -> bool:
        return entry is not None and entry.after < self.seq

    def owns(self, entry: _Entry) -> bool:
        return entry.speaker == ANYBODY or (entry.speaker != "" and entry.speaker == self.speaker)


class _Stretch:
    """Joins runs that overlap and are alike: a pasted page is one match, not one for each of its words."""

    __slots__ = ("_first", "_last", "_origin", "_own")

    def __init__(self) -> None:
        self._first = self._last = -1
        self._origin, self._own = Origin.NOTE, False

    def grow(self, first: int, last: int, entry: _Entry, by: Asking) -> Iterator[Match]:
        """Take in a run that begins after the ones before; what it does not join is handed out."""
        own = by.owns(entry)
        if first <= self._last and entry.origin is self._origin and own == self._own:
            self._last = max(self._last, last)
            return
        yield from self.end()
        self._first, self._last, self._origin, self._own = first, last, entry.origin, own

    def end(self) -> Iterator[Match]:
        """Hand out what is joined so far."""
        if self._last >= 0:
            yield Match(self._first, self._last, self._origin, self._own)
        self._first = self._last = -1


class ServedIndex:
    """What was handed out to one conversation."""

    def __init__(self, texts: Iterable[ServedText] = ()) -> None:
        self._runs: dict[int, _Entry] = {}
        self._spoken_runs: dict[int, _Entry] = {}
        self._long_runs: dict[int, _Entry] = {}
        self._sentences: dict[int, dict[tuple[int, int], _Entry]] = {}  # by their first run: length and hash
        self._phrases: dict[int, _Entry] = {}
        # Lengths of short phrases that nobody else would say, by how they begin, to find them within others.
        self._short: dict[int, set[int]] = {}
        self._room = MOST_UNITS
        for text in texts:
            self.add(text)

    def __bool__(self) -> bool:
        return bool(self._runs or self._phrases)

    def add(self, served: ServedText) -> None:
        """Add a text; one that is longer than the room left is passed over."""
        text = served.text[:_LONGEST]
        units = units_of(text)
        if not units or len(units) > self._room:
            return
        self._room -= len(units)
        spoken = served.origin is Origin.MESSAGE
        entry = _Entry(served.after, served.origin, served.speaker)
        for _, _, key in hashed_runs(units):
            _keep(self._spoken_runs if spoken else self._runs, key, entry)
        for _, _, key in hashed_runs(units, 2 * RUN) if spoken else ():
            _keep(self._long_runs, key, entry)
        sentences = tuple(phrases(text, units))
        whole = ((0, len(units)),) if units.weight(0, len(units)) >= PHRASE else ()
        for first, last in dict.fromkeys((*whole, *sentences)):
            colon = _COLON.search(text, units.ends[first - 1], units.starts[first]) if first else None
            new = replace(entry, common=spoken or colon is not None)
            held = self._phrases.get(units.hash_of(first, last))
            if held is None or (held.after, held.common) > (new.after, new.common):
                self._phrases[units.hash_of(first, last)] = new
            if not new.common and _EMBEDDED <= units.weight(first, last) < RUN:
                self._short.setdefault(units.hash_of(first, first + _BEGINNING), set()).add(last - first)
        if spoken:
            self._add_sentences(units, sentences, entry)

    def _add_sentences(self, units: Units, sentences: Iterable[tuple[int, int]], entry: _Entry) -> None:
        for first, last in sentences:
            begins = units.first_run(first, last)
            if begins is not None:
                alike = self._sentences.setdefault(units.hash_of(first, begins), {})
                key = (last - first, units.hash_of(first, last))
                if len(alike) < _MOST_ALIKE or key in alike:
                    _keep(alike, key, entry)

    def runs_in(self, units: Units, by: Asking) -> Iterator[Match]:
        """Runs and sentences that were handed out before, by where they begin; adjoining runs in one."""
        stretch = _Stretch()
        for first, last, key in hashed_runs(units):
            held = self._runs.get(key)
            if held is not None and by.sees(held):
                yield from stretch.grow(first, last, held, by)
            for (length, whole), entry in self._sentences.get(key, {}).items():
                end = first + length
                if by.sees(entry) and end <= len(units) and units.hash_of(first, end) == whole:
                    yield from stretch.end()
                    yield Match(first, end, entry.origin, by.owns(entry))
        yield from stretch.end()

    def spoken_runs_in(self, units: Units, by: Asking, least: int) -> Iterator[Match]:
        """The same of parts of sentences of messages; `least` is `RUN` or twice that."""
        kept = self._spoken_runs if least == RUN else self._long_runs
        stretch = _Stretch()
        for first, last, key in hashed_runs(units, least) if kept else ():
            held = kept.get(key)
            if held is not None and by.sees(held):
                yield from stretch.grow(first, last, held, by)
        yield from stretch.end()

    def short_runs_in(self, units: Units, by: Asking) -> Iterator[Match]:
        """Short sentences of what the memory wrote, within others."""
        for first in range(len(units) - _BEGINNING + 1) if self._short else ():
            for length in self._short.get(units.hash_of(first, first + _BEGINNING), ()):
                end = first + length
                found = self.phrase(units, first, end, by) if end <= len(units) else None
                if found is not None and not found.own and units.weight(first, end) >= _EMBEDDED:
                    yield found

    def phrase(self, units: Units, first: int, last: int, by: Asking) -> Match | None:
        """Whether a whole phrase was handed out before; `own`: anybody might say so."""
        held = self._phrases.get(units.hash_of(first, last))
        if held is None or not by.sees(held):
            return None
        return Match(first, last, held.origin, held.common, held.speaker == by.speaker)


def _keep(kept: dict[_Key, _Entry], key: _Key, new: _Entry) -> None:
    """Who was first to say it counts."""
    if key not in kept or kept[key].after > new.after:
        kept[key] = new
