"""Nouns of events that have a day of their own, so that "at the wedding" tells a day, in Chinese and English.

Read by `core/facts/event_references.py` and `event_dates.py` beside it. Plain data.
"""

from __future__ import annotations

from soulmem.core.text.word_file import read_rows

_ROWS = read_rows("core/wordlists/dated_events.txt", {})
_AS = "as "
_CALLED = {
    word: mark.removeprefix(_AS) for _, mark, words in _ROWS if mark.startswith(_AS) for word in words.split("|")
}


def event_words(language: str, *, only_kind: bool = False, told: bool = False) -> str:
    """The nouns in a language as alternatives, the longest first.

    `only_kind`: those alone that need no "the"; `told`: also the words by which an event is told.
    """
    found = [
        words
        for name, mark, words in _ROWS
        if name == language and (mark == "kind" or not only_kind) and (told or not mark.startswith(_AS))
    ]
    return "|".join(sorted({*"|".join(found).split("|")}, key=lambda word: (-len(word), word)))


def event_called(word: str) -> str:
    """The one name of an event that is told by several words: an operation for surgery, 婚礼 for 办喜事."""
    return _CALLED.get(word, word)


def words_of_event(name: str) -> tuple[str, ...]:
    """All words that tell an event of this name."""
    return (name, *(word for word, called in _CALLED.items() if called == name))
