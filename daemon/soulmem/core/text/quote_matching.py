"""Finding a quotation in the text it was taken from, however a copyist bent its blanks, widths and quotation marks.

Everything a language model says it quotes passes through here: what is found is stored as it stands in the original,
what is not found supports nothing (algorithms.md §6.3). Letters, case and their order must be those of the text;
blanks, full and half width, composed and decomposed accents, kinds of quotation marks and dashes may differ. Pure.
Invariant: offsets are code points of the original text, half-open, and what they enclose, folded, holds the folded
quotation.
"""

from __future__ import annotations

import unicodedata
from array import array

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
