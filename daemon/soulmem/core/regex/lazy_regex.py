"""Regular expressions that are compiled after the start, or when they are first used if that comes before.

Those of dates, names and orders are long, and to compile them took a quarter of the daemon's start; of those in
modules that are loaded late, many are never asked, as those of a language that nobody speaks. What an earlier process
made of them can be given (`use_codes`), and is used instead. Use is as of `re.Pattern`, and from the second time on
costs as much. They are for the constants of modules: each is known from when it is made. Safe in threads, though two
may compile the same at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from soulmem.core.regex.caseless_classes import with_caseless_classes
from soulmem.core.regex.pattern_codes import Codes, Key, codes_of, pattern_of
from soulmem.text_memo import WordCache

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


_compiled: dict[Key, re.Pattern[str]] = {}
_given: dict[Key, Codes] = {}
_fresh: dict[Key, Codes] | None = None  # None: nobody keeps them


def use_codes(given: Mapping[Key, Codes]) -> None:
    """Compile what has codes here from these; from now on those of others are collected for `take_fresh_codes`."""
    global _fresh  # noqa: PLW0603 - one for the process, as the patterns are
    _given.update(given)
    _fresh = {} if _fresh is None else _fresh


def take_fresh_codes() -> dict[Key, Codes]:
    """The codes that were made since `use_codes`, or since they were last taken."""
    global _fresh  # noqa: PLW0603 - as above
    fresh = _fresh or {}
    _fresh = None if _fresh is None else {}
    return fresh


def _compile(text: str, flags: int) -> re.Pattern[str]:
    """As `re.compile` does, from given codes if there are any; what two modules write alike is compiled once."""
    key = (text, flags)
    made = _compiled.get(key)
    if made is None:
        made = _compiled[key] = _from_codes(key) or re.compile(text, flags)
    return made


def _from_codes(key: Key) -> re.Pattern[str] | None:
    given = _given.pop(key, None)
    made = pattern_of(key, given) if given is not None else None
    if made is None and _fresh is not None and (codes := codes_of(key)) is not None:
        made = pattern_of(key, codes)
        _fresh[key] = codes
    return made


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
            compiled = _compile(text, int(self._flags))
            for name in _METHODS:
                setattr(self, name, getattr(compiled, name))
            self._compiled = compiled
        return self._compiled


class CaselessPattern(LazyPattern):
    """One that matches letters in whatever case."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        super().__init__(text, re.IGNORECASE)


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


class KeptCaseless(KeptPattern):
    """One that matches letters in whatever case, and whose answers are kept."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        super().__init__(text, re.IGNORECASE)


def _keeping(ask: Callable[..., re.Match[str] | None]) -> Callable[..., re.Match[str] | None]:
    kept = WordCache(ask, _MOST_KEPT, _LONGEST_KEPT)

    def answer(text: str, start: int | None = None, end: int | None = None) -> re.Match[str] | None:
        if start is None:
            return kept[text]
        return ask(text, start) if end is None else ask(text, start, end)

    return answer


HAN = LazyPattern("[\u4e00-\u9fff]")  # a Chinese character
HAN_WIDE = LazyPattern("[\u3400-\u9fff]")  # the rare ones of the first extension as well
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
