"""Nouns of events that have a day of their own, so that "at the wedding" tells a day, in Chinese and English.

Read by `core/facts/event_references.py`. Plain data.
"""

from __future__ import annotations

from soulmem.core.text.word_file import read_rows

_ROWS = read_rows("core/wordlists/dated_events.txt", {})


def event_words(language: str, *, only_kind: bool = False) -> str:
    """The nouns in a language as alternatives, the longest first; `only_kind`: those that need no "the"."""
    rows = (row for row in _ROWS if row[0] == language and (not only_kind or row[1]))
    return "|".join(sorted("|".join(row[2] for row in rows).split("|"), key=len, reverse=True))
