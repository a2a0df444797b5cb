"""Finding a quotation in the text it was taken from, however a copyist bent its blanks, widths and quotation marks.

Everything a language model says it quotes passes through here: what is found is stored as it stands in the original,
what is not found supports nothing (algorithms.md §6.3). Letters, case and their order must be those of the text;
blanks, full and half width, composed and decomposed accents, kinds of quotation marks and dashes may differ. Small
models also leave something out, or slip in a little word of their own: `find_near` is called where there is no true
copy, and gives back the stretch of the text itself. Pure. Invariants: offsets are code points of the original text,
half-open, and what they enclose, folded, holds the folded quotation; of a near one every word that says something
stands there in its order, and nothing that denies was skipped.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Sequence

from soulmem.core.text.tokens import fold, is_grammar
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

LINE_MARK = "⏎"  # what stands for a line break where a message is shown on one line

_SAME = str.maketrans(
    dict.fromkeys("‘’‚‛′`´ʼ", "'")
    | dict.fromkeys("“”„‟″«»「」『』〝〞〟", '"')
    | dict.fromkeys("‐‑‒–—―−─", "-")
    | {"｡": "。", "〜": "~", LINE_MARK: " "}
)
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufe0e\ufe0f")
_JAMO = range(0x1160, 0x1200)  # vowels and finals that join the consonant before them
_REMEMBERED_LENGTH = 200_000  # characters; a longer text is folded anew each time
_WIDEST, _SLACK = 4, 64  # how much longer than the text its quotation may be: one sign for three, blanks
_ELLIPSES = ("...", "…")


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text without what may differ, and where each of its characters begins and ends in the original."""

    text: str
    starts: array[int]
    ends: array[int]


def find_quote(quote: str, text: str, *, occurrence: int = 1) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, as code points `[start, end)`; None if it does not.

    An exact copy is preferred; else blanks, widths, marks and accents are evened out; else marks that a copyist put
    around it (quotation marks, a closing full stop, dots of omission) are left off too.

    `occurrence`: which one, from 1; the last one there is where there are fewer.
    """
    quote = quote.strip()
    if not quote or len(quote) > _WIDEST * len(text) + _SLACK:
        return None
    exact = _nth(quote, text, occurrence)
    if exact is not None:
        return exact, exact + len(quote)
    wanted = _fold(quote).text
    if not wanted:
        return None
    folded = _remembered(text) if len(text) <= _REMEMBERED_LENGTH else _fold(text)
    for candidate in dict.fromkeys((wanted, _bare(wanted))):
        at = _nth(candidate, folded.text, occurrence) if candidate else None
        if at is not None:
            return folded.starts[at], folded.ends[at + len(candidate) - 1]
    return None


def is_telling(quote: str, text: str) -> bool:
    """Whether a quotation says enough to support anything: two letters or digits, or all there is in `text`."""
    letters = sum(map(str.isalnum, quote))
    return letters >= 2 or bool(quote.strip() and quote.strip() == text.strip())


def _nth(wanted: str, text: str, occurrence: int) -> int | None:
    """Offset of the n-th occurrence, or of the last there is."""
    found, at = None, text.find(wanted)
    while at >= 0:
        found = at
        occurrence -= 1
        if occurrence <= 0:
            break
        at = text.find(wanted, at + len(wanted))
    return found


def _bare(folded: str) -> str:
    """Without marks around it that may be the copyist's."""
    for dots in _ELLIPSES:
        folded = folded.removeprefix(dots).removesuffix(dots)
    return folded.strip("\"'()[]<>*.。,、;:!?-")


@text_memo(16)
def _remembered(text: str) -> _Folded:
    return _fold(text)


def _fold(text: str) -> _Folded:
    pieces: list[str] = []
    starts, ends = array("I"), array("I")
    at, length = 0, len(text)
    while at < length:
        end = at + 1
        if text[at].isascii() and (end == length or text[end].isascii()):
            folded = "" if text[at].isspace() else "'" if text[at] == "`" else text[at]
        else:
            while end < length and _joins(text[end]):
                end += 1
            folded = _even(text[at:end])
        pieces.append(folded)
        for _ in folded:
            starts.append(at)
            ends.append(end)
        at = end
    return _Folded("".join(pieces), starts, ends)


def _joins(char: str) -> bool:
    """Whether a character belongs to the one before it: an accent, a variation selector, a joined vowel."""
    if char.isascii():
        return False
    return char in _INVISIBLE or unicodedata.category(char)[0] == "M" or ord(char) in _JAMO


def _even(cluster: str) -> str:
    """One character with what belongs to it, evened out; nothing for a blank."""
    visible = "".join(char for char in cluster.translate(_SAME) if char not in _INVISIBLE)
    folded = unicodedata.normalize("NFKC", visible).translate(_SAME)
    return "".join(char for char in folded if not char.isspace())


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
