"""Word cache: a bounded memory of what a pure function made of a word.

For functions asked millions of times about a few thousand words; called by `core/text/tokens` and
`core/conversation/topic_shift`. A look-up that hits is one dictionary access, a third of what `functools.lru_cache`
takes. A word may be somebody's secret, so all are forgotten with the texts (`text_memo`). Invariant: at most `most`
answers are kept, of short words alone, and forgetting them changes no answer. They are for the constants of modules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from soulmem.text_memo import forget_with_texts

T = TypeVar("T")

_LONGEST = 64  # characters; longer words are rare, and keeping them would cost memory


class WordCache(dict[str, T]):
    """`memory[word]` is `answer(word)`. Safe in threads: at worst a word is worked out twice."""

    __slots__ = ("_answer", "_most")

    def __init__(self, answer: Callable[[str], T], most: int) -> None:
        super().__init__()
        self._answer = answer
        self._most = most
        forget_with_texts(self._forget)

    def _forget(self) -> int:
        count = len(self)
        self.clear()
        return count

    def __missing__(self, word: str) -> T:
        found = self._answer(word)
        if len(word) <= _LONGEST:
            if len(self) >= self._most:
                self.clear()  # rare, and cheaper than keeping an order of use at every look-up
            self[word] = found
        return found
