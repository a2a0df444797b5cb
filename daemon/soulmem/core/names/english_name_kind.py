"""Of which kind a capitalised name in English wording is: a person, a place, an organisation, a thing.

Of `english_names`. Pure.
"""

# Patterns stand on long lines, as tables.

from __future__ import annotations

import re
from collections.abc import Sequence

from soulmem.core.names import english_name_table as table
from soulmem.core.names import place_names
from soulmem.core.names.english_name_usage import NAMED_AHEAD, Token, bare_end
from soulmem.core.names.name_spans import NameKind

# Words that stand with a capital in what a song or a book is called, and in nobody's name.
_OF_TITLES = frozenset({"with", "me", "you", "us", "we", "my", "your", "our", "and", "to", "for", "from", "on", "not"})


_SAINT = frozenset({"st", "saint"})


def kind_of(text: str, tokens: Sequence[Token], first: int, end: int) -> NameKind:
    """What bears a name with a capital."""
    words = text[tokens[first].start : bare_end(tokens[end - 1])]
    token = tokens[first]
    if any(each.plain in _OF_TITLES for each in tokens[first:end]):
        return NameKind.THING  # Abide With Me
    before = tokens[first - 1] if first and not token.opens else None
    ahead = before.plain if before is not None and text[before.end : token.start].strip(".,") in ("", " ") else ""
    if ahead in _SAINT:
        return NameKind.PLACE  # St Elizabeth, St Brendan's: a parish, a hospital
    if ahead in table.TITLES or (
        first and tokens[first - 1].plain in table.TITLES and text[tokens[first - 1].end : token.start] == ". "
    ):
        return NameKind.PERSON
    if NAMED_AHEAD.search(text, max(0, token.start - 40), token.start) or ahead in table.KIN:
        return NameKind.PERSON
    if token.plain in table.DEMONYMS or token.plain.removesuffix("s") in table.DEMONYMS:
        return NameKind.THING
    possessive = tokens[end - 1].is_possessive
    if place_names.is_english_place(words) and not possessive:
        named = end - first == 1 and token.plain in table.GIVEN and ahead not in table.PLACE_AHEAD
        if not named:
            return NameKind.ORGANISATION if place_names.ENGLISH_ENDS.search(words) else NameKind.PLACE
    if any(char.isdigit() for char in words) or (words.isupper() and len(words) > 3 and token.plain not in table.GIVEN):
        return NameKind.THING
    if any(char.isupper() for word in words.split() for char in word[1:]) and not re.search(
        r"\b(?:Mc|Mac|O['’]|D['’]|L['’]|De|Van|La|Le|Di)[A-Z]|-[A-Z]|\.", words
    ):
        return NameKind.THING  # YouTube, EpiPen
    if token.plain in table.GIVEN or token.plain in table.WORDS_FOR_NAMES or possessive:
        return NameKind.PERSON
    if any(each.plain in table.GIVEN for each in tokens[first:end]):
        return NameKind.PERSON
    described = (
        first > 1
        and tokens[first - 2].plain in {"a", "an"}
        and text[tokens[first - 2].end : token.start].count(" ") == 2
    )
    if ahead in table.DETERMINERS or (described and ahead not in table.KIN):
        return NameKind.THING  # a red Toyota
    moved = first > 1 and tokens[first - 2].plain in table.MOVES
    if ahead in {"in", "near", "around", "outside", "towards", "via", "visited", "visiting"} or (
        ahead in {"to", "from"} and moved
    ):
        return NameKind.PLACE
    if ahead == "at":  # works at Siemens, but met at Heathrow
        works = any(each.plain in table.WORKS for each in tokens[max(0, first - 5) : first])
        return NameKind.ORGANISATION if works else NameKind.PLACE
    if ahead in table.THING_AHEAD and ahead not in table.PERSON_AHEAD:
        return NameKind.THING
    return NameKind.PERSON
