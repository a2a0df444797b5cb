"""What was handed out to a conversation, indexed so that it is recognised when it comes back.

Read by `echo_masking`. Of what the memory itself wrote every run of eight words or twelve characters counts, and every
whole sentence; of messages only sentences and longer runs, because people use the same turns of phrase again and
again; and a person's own words count only beside something else that was handed out. Every text comes with the place
in the conversation after which it was handed out. Invariant: the index holds at most `MOST_UNITS` words; more
important texts are added first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.shingles import CHARACTER, PHRASE, RUN, WORD, Runs, Units, phrases, runs_of, units_of
from soulmem.fast_dataclasses import dataclass

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

    __slots__ = ("_first", "_last", "_origin", "_own", "found")

    def __init__(self) -> None:
        self.found: list[Match] = []
        self._first = self._last = -1
        self._origin, self._own = Origin.NOTE, False

    def grow(self, first: int, last: int, entry: _Entry, by: Asking) -> None:
        """Take in a run that begins after the ones before."""
        own = by.owns(entry)
        if first <= self._last and entry.origin is self._origin and own == self._own:
            self._last = max(self._last, last)
            return
        self.end()
        self._first, self._last, self._origin, self._own = first, last, entry.origin, own

    def end(self) -> None:
        """What is joined so far is found; what comes next begins anew."""
        if self._last >= 0:
            self.found.append(Match(self._first, self._last, self._origin, self._own))
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
        common = _Entry(served.after, served.origin, served.speaker, common=True)
        runs = runs_of(units)
        _keep_all(self._spoken_runs if spoken else self._runs, runs.hashes, entry)
        if spoken:
            _keep_all(self._long_runs, runs_of(units, 2 * RUN).hashes, entry)
        sentences = phrases(text, units)
        whole = ((0, len(units)),) if units.weight(0, len(units)) >= PHRASE else ()
        for first, last in dict.fromkeys((*whole, *sentences)):
            key = units.hash_of(first, last)
            colon = not spoken and first and _COLON.search(text, units.ends[first - 1], units.starts[first])
            new = common if spoken or colon else entry
            held = self._phrases.get(key)
            if held is None or (held.after, held.common) > (new.after, new.common):
                self._phrases[key] = new
            if not new.common and _EMBEDDED <= units.weight(first, last) < RUN:
                self._short.setdefault(units.hash_of(first, first + _BEGINNING), set()).add(last - first)
        if spoken:
            self._add_sentences(units, runs, sentences, entry)

    def _add_sentences(self, units: Units, runs: Runs, sentences: Iterable[tuple[int, int]], entry: _Entry) -> None:
        for first, last in sentences:
            if first < len(runs.lasts) and runs.lasts[first] <= last:
                alike = self._sentences.setdefault(runs.hashes[first], {})
                key = (last - first, units.hash_of(first, last))
                if len(alike) < _MOST_ALIKE or key in alike:
                    _keep(alike, key, entry)

    def runs_in(self, units: Units, by: Asking) -> list[Match]:
        """Runs and sentences that were handed out before, by where they begin; adjoining runs in one."""
        runs, stretch = runs_of(units), _Stretch()
        kept, sentences = self._runs, self._sentences
        # Nearly all of what people say was never handed out: what is not there at all is passed over first.
        if kept.keys().isdisjoint(runs.hashes) and sentences.keys().isdisjoint(runs.hashes):
            return []
        known = [(first, key) for first, key in enumerate(runs.hashes) if key in kept or key in sentences]
        for first, key in known:
            held = kept.get(key)
            if held is not None and by.sees(held):
                stretch.grow(first, runs.lasts[first], held, by)
            for (length, whole), entry in sentences.get(key, {}).items():
                end = first + length
                if by.sees(entry) and end <= len(units) and units.hash_of(first, end) == whole:
                    stretch.end()
                    stretch.found.append(Match(first, end, entry.origin, by.owns(entry)))
        stretch.end()
        return stretch.found

    def spoken_runs_in(self, units: Units, by: Asking, least: int) -> list[Match]:
        """The same of parts of sentences of messages; `least` is `RUN` or twice that."""
        kept = self._spoken_runs if least == RUN else self._long_runs
        runs, stretch = runs_of(units, least), _Stretch()
        for first, key in enumerate(runs.hashes):
            if key in kept and (held := kept[key]).after < by.seq:
                stretch.grow(first, runs.lasts[first], held, by)
        stretch.end()
        return stretch.found

    def short_runs_in(self, units: Units, by: Asking) -> list[Match]:
        """Short sentences of what the memory wrote, within others."""
        short, matches = self._short, list[Match]()
        if not short or short.keys().isdisjoint(units.hashes_of(_BEGINNING)):
            return matches
        for first, key in enumerate(units.hashes_of(_BEGINNING)):
            for length in short.get(key, ()):
                end = first + length
                found = self.phrase(units, first, end, by) if end <= len(units) else None
                if found is not None and not found.own and units.weight(first, end) >= _EMBEDDED:
                    matches.append(found)
        return matches

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


def _keep_all(kept: dict[int, _Entry], keys: Sequence[int], new: _Entry) -> None:
    if kept.keys().isdisjoint(keys):  # most of what is said, nobody said before
        kept.update(dict.fromkeys(keys, new))
        return
    for key in keys:
        _keep(kept, key, new)
