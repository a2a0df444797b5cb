"""What is withheld beside the text of a faded note, so that nothing around it says what its masks hide.

A note has a time, tags, attributes, names and quotes, and any of these may repeat a detail that has faded (ALGORITHMS
§7.5, §7.6). Called with the rendering of a note by `store/views/rendered_notes` for readers and by
`store/notes/masked_indexing` for search. Pure. Invariants: a note of which nothing is masked withholds nothing; a time
is told only as finely as what still shows tells it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import DAY_MS, Period, Wording
from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.dates.date_parser import DateSpan, find_dates
from soulmem.core.details.masking import Rendering
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text import tokens

UNKNOWN_AT_MS = -62_135_596_800_000  # 0001-01-01: where a time is wanted for order, and none is known
_SQUASHED = LazyPattern(r"[\W_]+")
_SHORTEST = 3  # letters of a word that is looked for within others
_NEAR_MS = 31 * DAY_MS  # a date this close to when the note happened says when that was
_FIRST_CJK = 0x2E80
_DAY = len("2026-03-01")
_CLOCK = CaselessPattern(
    r"\d[:：]\d\d|\b\d{1,2}\s?[ap]\.?m\b|o'clock|\b(?:noon|midnight|morning|afternoon|evening|night)\b"
    r"|[\d一二两三四五六七八九十]\s?[点點時时]|[早晚]上|[上中下]午|凌晨|半夜|傍晚"
)
# An hour alone (晚上六点): its day is that of the telling, and no words that could be masked tell it.
_HOUR_ALONE = LazyPattern(
    r"(?:[早晚]上|[上中下]午|早晨|清晨|一早|凌晨|半夜|深夜|夜里|傍晚)?[\d一二两三四五六七八九十]{0,3}(?:[点點时時](?:半|[一三]刻|整)?)?"
)


class Withheld:
    """What the masks of one note keep back, for `text` shown as `rendering`."""

    def __init__(self, text: str, rendering: Rendering, parts: int | None = None) -> None:
        """Args: parts: how much of its time was known when it was last put together anew, as `known_parts` says."""
        self._text = text
        self._parts = parts
        self._rendering = rendering
        self._read: dict[int, tuple[DateSpan, ...]] = {}
        self._masked = [piece for piece in rendering.pieces if piece.is_masked and not piece.is_gone]

    def __bool__(self) -> bool:
        return bool(self._masked)

    def tells(self, words: str) -> bool:
        """Whether these words hold any that is masked and shows nowhere in the note."""
        if not self._masked or not words:
            return False
        terms, squashed = self._hidden
        if any(term in terms for term in _terms(words)):
            return True
        plain = _SQUASHED.sub("", tokens.fold(words))
        return any(each in plain for each in squashed)

    def without(self, value: Any) -> Any:
        """A JSON value without the parts that tell; None where nothing is left of it."""
        if isinstance(value, dict):
            kept = {name: self.without(each) for name, each in value.items() if not self.tells(str(name))}
            return {name: each for name, each in kept.items() if each is not None}
        if isinstance(value, list):
            return [each for each in map(self.without, value) if each is not None]
        if isinstance(value, bool) or value is None:
            return value
        return None if self.tells(str(value)) else value

    @cached_property
    def _hidden(self) -> tuple[frozenset[str], frozenset[str]]:
        """(terms, words without marks and blanks) of what is masked and shows nowhere."""
        hidden = [self._text[piece.start : piece.end] for piece in self._masked]
        seen = self._rendering.text
        seen_plain = _SQUASHED.sub("", tokens.fold(seen))
        terms = frozenset(term for each in hidden for term in _terms(each)).difference(_terms(seen))
        words = (_SQUASHED.sub("", tokens.fold(word)) for each in hidden for word in each.split())
        squashed = [w for w in words if w and (len(w) >= _SHORTEST or not w.isascii()) and not tokens.is_grammar(w)]
        return terms, frozenset(word for word in squashed if word not in seen_plain)

    def known(self, at_ms: int) -> str | None:
        """The time of the note as finely as it is still known: ISO 8601, a day, a month, a year; None if not at all.

        Nothing is lost of a time that no masked words tell.
        """
        return said(at_ms, self.known_parts(at_ms))

    def cut(self, at_ms: int, known: str | None) -> str | None:
        """Another time of the same note, told no more finely than `known`."""
        return finely(at_ms, known)

    def known_from(self, at_ms: int) -> int:
        """The same as `known` for order and filters: where the known stretch of time begins, UTC milliseconds."""
        return at_ms if self.known_parts(at_ms) is None else began(self.known(at_ms))

    def known_parts(self, at_ms: int) -> int | None:
        """How much of the time is known: 3 the day, 2 the month, 1 the year, 0 nothing; None: all of it."""
        parts = self._parts
        if not self._masked:
            return parts
        if any(_CLOCK.search(self._text, piece.start, piece.end) for piece in self._masked):
            parts = 3 if parts is None else min(parts, 3)
        if self._hides_date(at_ms):
            period = self._still_told(at_ms)
            told = _shared_parts(period) if period is not None else 0
            parts = told if parts is None else min(parts, told)
        return parts

    def _hides_date(self, at_ms: int) -> bool:
        return any(
            span.start < piece.end and piece.start < span.end
            for span in self._dates(at_ms)
            if _HOUR_ALONE.fullmatch(self._text, span.start, span.end) is None
            if span.wording is not Wording.COMPLETE or span.from_ms - _NEAR_MS < at_ms < span.to_ms + _NEAR_MS
            for piece in self._masked
        )

    def _dates(self, at_ms: int) -> tuple[DateSpan, ...]:
        """The dates in the text, read as told at that time."""
        if at_ms not in self._read:
            self._read[at_ms] = tuple(find_dates(self._text, at_ms))
        return self._read[at_ms]

    def _still_told(self, at_ms: int) -> Period | None:
        """The shortest stretch around `at_ms` that clear words or a gist name."""
        periods = [period for period in self._told(at_ms) if period.from_ms <= at_ms < period.to_ms]
        return min(periods, key=lambda period: period.to_ms - period.from_ms, default=None)

    def _told(self, at_ms: int) -> Iterator[Period]:
        for span in self._dates(at_ms):
            if not any(span.start < piece.end and piece.start < span.end for piece in self._masked):
                yield span.period
        for piece in self._masked:
            # A gist is read years later: only what names its year says when.
            yield from (s.period for s in find_dates(piece.gist, at_ms) if s.wording is Wording.COMPLETE)


def said(at_ms: int, parts: int | None) -> str | None:
    """A time of which so much is known (`Withheld.known_parts`): ISO 8601, or None."""
    if parts is None:
        return to_iso(at_ms)
    return "-".join(to_iso(at_ms)[:_DAY].split("-")[:parts]) or None


def finely(at_ms: int, known: str | None) -> str | None:
    """Another time of a note, told no more finely than its own is `known` (`said`)."""
    if known is None:
        return None
    return to_iso(at_ms) if len(known) > _DAY else to_iso(at_ms)[: len(known)]


def began(known: str | None) -> int:
    """Where a stretch of time begins that is told by its year, month or day; `UNKNOWN_AT_MS` for None."""
    if known is None:
        return UNKNOWN_AT_MS
    year, month, day = (*(int(part) for part in known.split("-")), 1, 1)[:3]
    return calendar_math.day_number(year, month, day) * DAY_MS


def _shared_parts(period: Period) -> int:
    """How much the first and the last day of a period have in common: year, month, day."""
    first, last = (to_iso(at)[:_DAY].split("-") for at in (period.from_ms, period.to_ms - 1))
    return next((place for place in range(3) if first[place] != last[place]), 3)


def _terms(text: str) -> Iterator[str]:
    """The words of a text that say something; of Chinese the pairs, and single characters that stand alone."""
    for term in tokens.segment(text):
        if tokens.is_grammar(term):
            continue
        if len(term) > 1 or ord(term) < _FIRST_CJK or len(text.strip()) == 1:
            yield term
