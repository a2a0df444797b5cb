"""Text memo: what functions read of texts lately, kept so that nothing is read twice, and forgotten all at once.

Stands in for `functools.lru_cache` wherever what is kept is somebody's words. `minds/runtime` forgets when a mind is
closed or deleted: what was said to it does not stay in the process that served it. Invariant: forgetting changes no
answer, and costs only what it takes to read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, TypeVar

T = TypeVar("T")

_MEMOS: list[_lru_cache_wrapper[Any]] = []
_OTHERS: list[Callable[[], int]] = []


def text_memo(most: int) -> Callable[[Callable[..., T]], _lru_cache_wrapper[T]]:
    """A decorator that keeps the last answers of a pure function of texts, `most` of them."""

    def kept(function: Callable[..., T]) -> _lru_cache_wrapper[T]:
        memo = lru_cache(maxsize=most)(function)
        _MEMOS.append(memo)
        return memo

    return kept


def forget_with_texts(forget: Callable[[], int]) -> None:
    """Let what keeps texts in a way of its own be forgotten as well; `forget` returns how many it kept."""
    _OTHERS.append(forget)


_LONGEST_WORD = 64  # characters; longer words are rare, and keeping them would cost memory


class WordCache(dict[str, T]):
    """`memory[word]` is `answer(word)`: for functions asked millions of times about a few thousand words.

    A look-up that hits is one dictionary access, a third of what `lru_cache` takes. At most `most` answers are kept, of
    words of `longest` characters. For the constants of modules. Safe in threads: at worst a word is worked out twice.
    """

    __slots__ = ("_answer", "_longest", "_most")

    def __init__(self, answer: Callable[[str], T], most: int, longest: int = _LONGEST_WORD) -> None:
        super().__init__()
        self._answer, self._most, self._longest = answer, most, longest
        forget_with_texts(self._forget)

    def _forget(self) -> int:
        count = len(self)
        self.clear()
        return count

    def __missing__(self, word: str) -> T:
        found = self._answer(word)
        if len(word) <= self._longest:
            if len(self) >= self._most:
                self.clear()  # rare, and cheaper than keeping an order of use at every look-up
            self[word] = found
        return found


def forget_texts() -> int:
    """Forget all that is kept; how many answers that were. Safe in threads."""
    re.purge()  # patterns made of names and words, of which `re` keeps hundreds
    count = sum(forget() for forget in _OTHERS)
    for memo in _MEMOS:
        count += memo.cache_info().currsize
        memo.cache_clear()
    return count
