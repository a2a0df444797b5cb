"""Where one visible character ends and the next begins: a boundary never parts a letter from its accent.

A short form of Unicode's grapheme clusters (UAX 29), enough for what people write: combining marks, variations,
emoji joined into one, skin tones, flags, Hangul jamo. Used for the bounds of elements. Pure; offsets are code points.
"""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_FLAGS = range(0x1F1E6, 0x1F200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_JAMO_TAILS = range(0x1160, 0x1200)


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with whole characters at both ends; a span within the text, `start` < `end`, is taken for granted."""
    while _is_inside(text, start):
        start -= 1
    while _is_inside(text, end):
        end += 1
    return start, end


def _is_inside(text: str, at: int) -> bool:
    """Whether a place lies within one visible character."""
    if not 0 < at < len(text) or (text[at].isascii() and text[at - 1] != _JOINER):
        return False
    before, after = text[at - 1], text[at]
    code = ord(after)
    if unicodedata.category(after)[0] == "M" or after == _JOINER or code in _SKIN_TONES or code in _TAGS:
        return True
    if before == _JOINER:
        return unicodedata.category(after) == "So"
    if code in _JAMO_TAILS:
        return unicodedata.category(before) == "Lo"
    return code in _FLAGS and _flags_before(text, at) % 2 == 1


def _flags_before(text: str, at: int) -> int:
    """How many flag letters stand right before a place; they go in pairs."""
    first = at
    while first > 0 and ord(text[first - 1]) in _FLAGS:
        first -= 1
    return at - first
