"""No pattern can be made to try for ever: said by every pattern the daemon holds, at the texts that suit it worst.

`re` tries every way to divide a text that repeats what a pattern repeats. A pattern that takes more than the square of
the length costs hours for a few hundred characters, and holds the interpreter meanwhile; one that takes the square is
harmless where it reads a sentence, of which none has more than 320 characters (`extractive/sentences`).
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hostile_texts import hostile
from pattern_pumps import patterns_in_use, pumped, pumps
from slowness import within

_LENGTH = 160  # characters
_BOUND_S = 0.02  # the worst takes a fifth of it; one that is cubic takes fifty times as much
_PATIENCE_S = 1.0


class _TooLongError(Exception):
    pass


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """`re` looks for signals every few thousand steps."""

    def stop(*_: object) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _seconds(pattern: re.Pattern[str], text: str) -> float:
    began = time.thread_time()
    try:
        with _at_most(_PATIENCE_S):
            for _ in pattern.finditer(text):
                pass
    except _TooLongError:
        return _PATIENCE_S
    return time.thread_time() - began


@pytest.mark.thorough
def test_no_pattern_takes_more_than_the_square_of_a_text() -> None:
    patterns = patterns_in_use()
    assert len(patterns) > 800, "all that the modules hold are looked at"
    bound = within(_BOUND_S)
    costly = {}
    for place, pattern in patterns.items():
        for text in (text for unit in pumps(pattern) for text in pumped(unit, _LENGTH)):
            if _seconds(pattern, text) > bound and _seconds(pattern, text) > bound:
                costly[place] = text[:20], pattern.pattern[:100]
                break
    assert not costly


_LOOKED_AT = 4_000  # characters of a note whose details are looked for in one piece
_NUMBERS = (
    "numerals",
    "large_numerals",
    "ten_thousand",
    "digits",
    "digits_apart",
    "thousands",
    "spelt",
    "twenty",
    "money",
)
_HOLDS_S = 0.02  # the interpreter, from one match to the next; runs of number words held it ten times as long


@pytest.mark.thorough
def test_no_pattern_of_details_holds_the_interpreter_over_what_is_looked_at() -> None:
    rooms = ("soulmem.llm.extractive.details.", "soulmem.core.numbers.")
    patterns = {place: each for place, each in patterns_in_use().items() if place.startswith(rooms)}
    assert len(patterns) > 40
    bound, held = within(_HOLDS_S), {}
    for kind in _NUMBERS:
        text = hostile(kind, 4 * _LOOKED_AT)[:_LOOKED_AT]
        for place, pattern in patterns.items():
            if _longest(pattern, text) > bound and _longest(pattern, text) > bound:
                held[place] = kind
    assert not held


def _longest(pattern: re.Pattern[str], text: str) -> float:
    """The longest time between two matches, of the processor."""
    matches, longest = pattern.finditer(text), 0.0
    while True:
        began = time.thread_time()
        found = next(matches, None)
        longest = max(longest, time.thread_time() - began)
        if found is None:
            return longest


@pytest.mark.parametrize("harmful", [r"(?:刚刚?|又)*到", r"(a|a)*b", r"^\s*\s*(.+?)\s*x$", r"(?:\w+\s?)+:"])
def test_a_harmful_one_would_be_noticed(harmful: str) -> None:
    pattern = re.compile(harmful)
    texts = [text for unit in pumps(pattern) for text in pumped(unit, _LENGTH)]
    assert any(_seconds(pattern, text) > _BOUND_S for text in texts)
