"""A quotation that skips a word or two of what was said, found in the text it was taken from.

Small models copy a line and leave something out, or slip in a little word of their own. Called where `quote_matching`
finds no true copy. What is returned is the stretch of the text itself, so what is kept is what was said. Pure.
Invariants: every word of the quotation that says something stands in the stretch, in its order; nothing that denies was
skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from soulmem.core.text.tokens import fold, is_grammar
from soulmem.fast_dataclasses import dataclass

_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?|[\u3400-\u9fff]")
_DENIES = frozenset(
    "not never no nor none neither without nobody nothing hardly barely cannot 不 没 无 非 未 别 莫 勿 否".split()
)
_GAP = 3  # words of the text that may be skipped in one place
_LEAST_WORDS, _LEAST_CHARACTERS = 3, 5  # that say something, for a quotation to be looked for so
_OWN = 4  # one word in so many may be the copyist's, if it says nothing
_LONGEST = 60  # words of a quotation
_MOST_STARTS = 20


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def says_something(self) -> bool:
        return not is_grammar(self.text) or self.text in _DENIES or self.text.endswith(("n't", "n’t"))

    @property
    def denies(self) -> bool:
        return self.text in _DENIES or self.text.endswith(("n't", "n’t"))


def find_near(quote: str, text: str) -> tuple[int, int] | None:
    """Where the words of `quote` stand in `text` with a few others between them, as `[start, end)`; None if nowhere."""
    wanted = _words(quote)
    telling = [word for word in wanted if word.says_something]
    least = _LEAST_CHARACTERS if telling and all(word.text > "\u3400" for word in telling) else _LEAST_WORDS
    if len(telling) < least or len(wanted) > _LONGEST:
        return None
    said = _words(text)
    starts = [place for place, word in enumerate(said) if word.text == wanted[0].text][:_MOST_STARTS]
    found = [span for place in starts if (span := _follow(wanted, said, place)) is not None]
    return min(found, key=lambda span: span[1] - span[0], default=None)


def _words(text: str) -> list[_Word]:
    """The words of a text, or nothing of one whose letters change their number when they are evened out."""
    plain = fold(text)
    plain = plain if len(plain) == len(text) else text.lower()
    if len(plain) != len(text):
        return []
    return [_Word(match[0], match.start(), match.end()) for match in _WORD.finditer(plain)]


def _follow(wanted: Sequence[_Word], said: Sequence[_Word], place: int) -> tuple[int, int] | None:
    """From one place on, the words wanted, with what may lie between them."""
    start, own = said[place].start, 0
    end = said[place].end
    place += 1
    for word in wanted[1:]:
        reach = range(place, min(place + _GAP + 1, len(said)))
        at = next((each for each in reach if said[each].text == word.text), None)
        if at is None:
            own += 1
            if word.says_something or own * _OWN > len(wanted):
                return None
            continue
        if any(each.denies for each in said[place:at]):
            return None
        end, place = said[at].end, at + 1
    return start, end
