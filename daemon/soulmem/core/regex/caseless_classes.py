"""Caseless classes: wide sets of characters are compiled without regard to case, where none of them has any.

To compile `[一-鿿]` with `re.IGNORECASE` takes five times as long as without: `re` asks each of its twenty thousand
characters for its other case. Called by `lazy_regex` for whatever it compiles. Invariant: what is written anew matches
what was written matches.
"""

from __future__ import annotations

import re
from functools import cache

_ESCAPE_OR_CLASS = re.compile(r"\\.|\[(?:\\.|[^\[\]\\])+\]", re.DOTALL)
_CHARACTER = r"\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\[^\w]|[^\\]"
_MEMBER = re.compile(rf"({_CHARACTER})(?:-({_CHARACTER}))?|(\\[dsDS])", re.DOTALL)
_CASELESS = (("0", "9"), ("\u2e80", "\ua63f"), ("\uac00", "\ud7af"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff"))
_LETTERS = {("A", "Z"), ("a", "z")}
_EVERY_LETTER = "A-Za-zıſİ\u212a"  # all that matches `[a-z]` if case does not count
_WIDE = 1000  # characters
_NO_CASE = "(?-i:"


def with_caseless_classes(pattern: str) -> str:
    """A pattern that is to be compiled with `re.IGNORECASE`, with its wide classes as they are compiled fast."""
    in_parts = _NO_CASE in pattern  # then `[A-Z]` may stand where its case counts

    def rewritten(found: re.Match[str]) -> str:
        return _rewritten(found[0], in_parts) if found[0].startswith("[") else found[0]

    return _ESCAPE_OR_CLASS.sub(rewritten, pattern)


@cache
def _rewritten(written: str, in_parts: bool) -> str:
    """A class of a pattern; as it was if it is narrow, or has members that have a case."""
    negation = "^" if written.startswith("[^") else ""
    members, end, kept = written[1 + len(negation) : -1], 0, []
    is_wide = has_letters = False
    for found in _MEMBER.finditer(members):
        if found.start() != end:
            return written
        end = found.end()
        span = _decoded(found[1]), _decoded(found[2] or found[1])
        if span in _LETTERS:
            has_letters = True
            continue
        if found[3] is None and not _is_caseless(*span):
            return written
        is_wide = is_wide or ord(span[1] or "\0") - ord(span[0] or "\0") >= _WIDE
        kept.append(found[0])
    if end != len(members) or not is_wide or (has_letters and in_parts):
        return written
    return f"{_NO_CASE}[{negation}{''.join(kept)}{_EVERY_LETTER if has_letters else ''}])"


def _decoded(character: str | None) -> str:
    if character is None or len(character) == 1:
        return character or ""
    return chr(int(character[2:], 16)) if character[1] in "uU" else character[1]


def _is_caseless(low: str, high: str) -> bool:
    return low.lower() == low.upper() if low == high else any(a <= low and high <= b for a, b in _CASELESS)
