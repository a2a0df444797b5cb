"""English names in lower case: where a word is said to be one (call me jo, my sister ines), or is hardly ever a word.

Of `english_names`. Pure.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.names import english_name_table as table
from soulmem.core.names import place_names
from soulmem.core.names.english_name_usage import NAMED_AHEAD, Token, is_prefixed
from soulmem.core.names.name_spans import NameKind
from soulmem.core.regex.lazy_regex import CaselessPattern

_CALL_ME_END = CaselessPattern(
    r"\s*(?:$|[,.!?;)…~]|(?:please|pls|instead|for short|and|btw|lol|ok|haha|everyone|she|he|it)\b)"
)
_I_AM = CaselessPattern(
    r"\b(?:i['’]?m|i am|im|this is|it['’]?s|its|hi,? it['’]?s|my name['’]?s|my name is|me llamo|name['’]?s)\s+$"
)
_AFTER_I_AM = CaselessPattern(r"\s*(?:$|[,.!?;)~…]|(?:btw|by the way|from|and i|here|lol|\d|speaking|again|nice to)\b)")
_KIN_AHEAD = CaselessPattern(
    r"\b(?:my|our|his|her|your|their|the|a|new|old|best|little|big|younger|older|eldest|ex|late|dear)\s+(?:[a-z-]+[ -])?(?P<kin>[a-zé]+),?\s+$"
)


def lower_case(text: str, tokens: Sequence[Token], at: int) -> tuple[int, int, NameKind] | None:
    """The name that this word in lower case is, where it is one."""
    token = tokens[at]
    if is_prefixed(token):
        return at, at + 1, NameKind.PERSON
    if not token.plain.isalpha() or len(token.plain) < 2 or token.plain in table.NO_NAME_BEHIND_KIN:
        return None
    ahead = text[max(0, token.start - 48) : token.start]
    given = token.plain in table.GIVEN and token.plain not in table.WORDS_IN_LOWER_CASE
    wordlike = token.plain in table.WORDS_FOR_NAMES
    common = token.plain in table.COMMON or token.plain in table.CAPITAL or token.plain.endswith(("ing", "ed", "ly"))
    end = _lower_end(text, tokens, at)
    if NAMED_AHEAD.search(ahead):
        if token.plain in table.NO_CALLING or (common and not given):
            return None
        if given or wordlike or _CALL_ME_END.match(text, tokens[end - 1].end):
            return at, end, NameKind.PERSON
        return None
    titled = at > 0 and tokens[at - 1].plain in table.TITLES and text[tokens[at - 1].end : token.start] in (" ", ". ")
    if titled and (given or wordlike or not common) and token.plain not in table.KIN:
        return (
            (at, end, NameKind.PERSON)
            if given or wordlike or tokens[at - 1].plain in {"mr", "mrs", "ms", "dr", "prof", "uncle", "aunt", "auntie"}
            else None
        )
    if _I_AM.search(ahead):
        if (given or (wordlike and token.plain not in table.COMMON)) and _AFTER_I_AM.match(text, tokens[end - 1].end):
            return at, end, NameKind.PERSON
        return None
    kin = _KIN_AHEAD.search(ahead)
    if (
        kin is not None
        and kin["kin"].lower() in table.KIN
        and not common
        and token.plain not in table.ACTS
        and token.plain not in table.KIN
    ):
        following = tokens[at + 1].plain if at + 1 < len(tokens) else ""
        if given or wordlike or following in table.ACTS:
            return at, end, NameKind.PERSON
        return None
    if given and (
        token.plain in table.ONLY_NAMES
        or token.is_possessive
        or at == 0
        or tokens[at - 1].plain in table.LOWER_AHEAD
        or token.opens
        or (at + 1 < len(tokens) and tokens[at + 1].plain in table.ACTS)
    ):
        return (at, end, NameKind.PERSON) if not place_names.is_english_place(token.plain) else None
    return None


def _lower_end(text: str, tokens: Sequence[Token], at: int) -> int:
    """A given name in lower case may have a second behind it (maria lopez): only where that is a given name too."""
    end = at + 1
    if (
        end < len(tokens)
        and not tokens[at].is_possessive
        and text[tokens[at].end : tokens[end].start] == " "
        and tokens[end].plain in table.GIVEN
    ):
        end += 1
    return end
