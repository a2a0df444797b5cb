"""Regular expressions that are compiled after the start, or when they are first used if that comes before.

Those of dates, names and orders are long, and to compile them took a quarter of the daemon's start. Use is as of
`re.Pattern`, at a tenth of a microsecond more a call; where that is felt, or where a module is loaded late anyway,
`re.compile` stays. They are for the constants of modules: each is known from when it is made. Safe in threads, though
two may compile the same at once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

_made: list[LazyPattern] = []


def compile_all() -> None:
    """Compile those that were not used yet. It takes a tenth of a second: call it in a thread, in a calm moment."""
    for pattern in tuple(_made):
        pattern.compiled()


class LazyPattern:
    """A pattern of `re` with the methods of a compiled one. A mistake in it is found when it is compiled."""

    __slots__ = ("_compiled", "_flags", "_text")

    def __init__(self, text: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._text = text
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None
        _made.append(self)

    def __repr__(self) -> str:
        return f"LazyPattern({self._text!r})"

    def compiled(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._text, self._flags)
        return self._compiled

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return (self._compiled or self.compiled()).search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return (self._compiled or self.compiled()).match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return (self._compiled or self.compiled()).fullmatch(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        return (self._compiled or self.compiled()).finditer(text, start, end)

    def findall(self, text: str) -> list[Any]:  # strings, or tuples of them where there are groups
        return (self._compiled or self.compiled()).findall(text)

    def split(self, text: str, most: int = 0) -> list[str | Any]:  # None where a group took no part
        return (self._compiled or self.compiled()).split(text, most)

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return (self._compiled or self.compiled()).sub(by, text, count)
