"""Regular expressions that are compiled after the start, or when they are first used if that comes before.

Those of dates, names and orders are long, and to compile them took a quarter of the daemon's start; of those in
modules that are loaded late, many are never asked, as those of a language that nobody speaks. Use is as of
`re.Pattern`, and from the second time on costs as much. They are for the constants of modules: each is known from when
it is made. Safe in threads, though two may compile the same at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from soulmem.core.regex.caseless_classes import with_caseless_classes
from soulmem.text_memo import text_memo

_made: list[LazyPattern] = []
_counts: list[int] = []  # of patterns, each time all were compiled


def compile_all(goes_on: Callable[[], bool] = lambda: True) -> None:
    """Compile those that were not used yet, one after another while `goes_on`: in a thread, in a calm moment.

    There are a thousand of them. Whoever stops meanwhile must not wait for the rest.
    """
    for pattern in tuple(_made):
        if not goes_on():
            return
        pattern.compiled()
    _counts.append(len(_made))


def is_all_compiled() -> bool:
    """Whether `compile_all` is done, so that no text is the first to be held against a pattern."""
    return bool(_counts)


_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class LazyPattern:
    """A pattern of `re` with the methods of a compiled one. A mistake in it is found when it is compiled."""

    __slots__ = ("_compiled", "_flags", "_text", *_METHODS)

    # Those of the compiled pattern itself, once it is there: each message asks a dozen patterns.
    findall: Callable[..., list[Any]]  # strings, or tuples of them where there are groups
    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    split: Callable[..., list[str | Any]]  # None where a group took no part
    sub: Callable[..., str]

    def __init__(self, text: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._text = text
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None
        _made.append(self)

    def __repr__(self) -> str:
        return f"LazyPattern({self._text!r})"

    @property
    def pattern(self) -> str:
        """What it was made of, as a part of another one."""
        return self._text

    if not TYPE_CHECKING:  # else a mistaken name would be taken for a method

        def __getattr__(self, name: str) -> Any:
            """A method that is not there yet."""
            if name not in _METHODS:
                raise AttributeError(name)
            return getattr(self.compiled(), name)

    def compiled(self) -> re.Pattern[str]:
        if self._compiled is None:
            text = with_caseless_classes(self._text) if self._flags & re.IGNORECASE else self._text
            compiled = re.compile(text, self._flags)
            for name in _METHODS:
                setattr(self, name, getattr(compiled, name))
            self._compiled = compiled
        return self._compiled


_MOST_KEPT = 512  # answers of one pattern
_LONGEST_KEPT = 300  # characters of a text whose answers are kept


class KeptPattern(LazyPattern):
    """One that is asked about the same short texts again and again: what it answered is kept for a while.

    Each clause of a note is held against those of thirty others, by a hundred patterns.
    """

    __slots__ = ()

    def compiled(self) -> re.Pattern[str]:
        is_new = self._compiled is None
        compiled = super().compiled()
        if is_new:
            self.search, self.match = _keeping(compiled.search), _keeping(compiled.match)
        return compiled


def _keeping(ask: Callable[..., re.Match[str] | None]) -> Callable[..., re.Match[str] | None]:
    kept = text_memo(_MOST_KEPT)(ask)

    def answer(text: str, *bounds: int) -> re.Match[str] | None:
        return (kept if len(text) <= _LONGEST_KEPT else ask)(text, *bounds)

    return answer


_SLICE = 4_000  # characters


def in_slices(pattern: LazyPattern, text: str) -> Iterator[re.Match[str]]:
    """`finditer` of a costly pattern: a search that finds nothing in a long text would hold the interpreter throughout.

    Nothing is found that goes beyond a slice.
    """
    for begin, end in slices(text):
        yield from pattern.finditer(text, begin, end)


def slices(text: str) -> Iterator[tuple[int, int]]:
    """Where a long text may be cut to be searched: a slice ends with a line, a sentence or a word, what of these there
    is."""
    begin = 0
    while len(text) - begin > _SLICE:
        end = begin + _SLICE
        ends = (text.rfind(each, begin + _SLICE // 2, end) + len(each) for each in ("\n", ". ", "。", " "))
        cut = next((each for each in ends if each > begin + _SLICE // 2), end)
        yield begin, cut
        begin = cut
    yield begin, len(text)


_LONGEST_PIECE = 24  # characters


def begin_of_tail(piece: LazyPattern, text: str) -> int:
    """Where the longest run of pieces begins that ends with the text; its end if there is none.

    What `(?:piece)+$` finds, for pieces of at most 24 characters; but where pieces run into one another, as 从家 does
    with 家, `re` would try all ways to divide a run, twice as many for every few characters more. Here each place is
    looked at once, so the time is linear.
    """
    begin = len(text)
    ends = [begin]  # places from which pieces lead to the end, the first of them last
    for place in range(len(text) - 1, -1, -1):
        for end in reversed(ends):
            if end - place > _LONGEST_PIECE:
                break
            if piece.fullmatch(text, place, end):
                ends.append(place)
                begin = place
                break
        if begin - place >= _LONGEST_PIECE:  # nothing reaches so far
            break
    return begin
