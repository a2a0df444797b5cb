"""Names in English wording: who is named, and which other words with a capital stand for something of its own.

Within a sentence a capital is a name; at its beginning only what is surely one. Names with particles (van der Berg, de
la Cruz, al-Sayed), initials, hyphens and accents are one name, titles and kinship before it are none of it. In lower
case a word is a name where it is said to be (call me jo, my sister ines) or where it is a given name and hardly ever a
word. Names that are words (Will, May, Rose) are told by what is done with them. Pure, linear.
"""

# Patterns stand on long lines, as tables.

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from soulmem.core.names import english_name_table as table
from soulmem.core.names.english_lowercase_names import lower_case
from soulmem.core.names.english_name_kind import kind_of
from soulmem.core.names.english_name_usage import ENDINGS, Token, bare_end, has_words, is_name, is_prefixed, tokens_of
from soulmem.core.names.name_spans import NameKind, NameSpan
from soulmem.core.text.tokens import fold
from soulmem.text_memo import text_memo

_GREETINGS = frozenset(("hi", "hey", "hello", "bye", "dear", "thanks", "sorry", "goodbye"))


def find(text: str, known: Iterable[str] = ()) -> tuple[NameSpan, ...]:
    """The names that the Latin parts of a text hold, in order: of people, of places, of organisations and things.

    `known`: names that are names in any case of their letters.
    """
    if not has_words(text):
        return ()
    return _find(text, frozenset(fold(name) for name in known if name.strip()))


@text_memo(512)
def _find(text: str, known: frozenset[str]) -> tuple[NameSpan, ...]:
    tokens = tokens_of(text)
    found: list[NameSpan] = []
    at = 0
    while at < len(tokens):
        last = _known_run(tokens, at, known) or (
            _run(text, tokens, at)
            if tokens[at].is_capital or _begins_with_particle(text, tokens, at)
            else lower_case(text, tokens, at)
        )
        if not last:
            at += 1
            continue
        first, end, kind = last
        span = tokens[first].start, bare_end(tokens[end - 1])
        found.append(NameSpan(*span, text[slice(*span)], kind))
        at = end
    return tuple(found)


def _known_run(tokens: Sequence[Token], at: int, known: frozenset[str]) -> tuple[int, int, NameKind] | None:
    """The longest known name that begins here."""
    if not known:
        return None
    for size in (4, 3, 2, 1):
        part = tokens[at : at + size]
        if len(part) == size and fold(" ".join(token.plain for token in part)) in known:
            wordlike = size == 1 and (part[0].plain in table.WORDS_FOR_NAMES or part[0].plain in table.COMMON)
            if not wordlike or (part[0].is_capital and not part[0].opens):
                return at, at + size, NameKind.PERSON
    return None


def _begins_with_particle(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a surname begins in lower case behind a title: Dr. de Souza."""
    return (
        0 < at < len(tokens) - 1
        and tokens[at].plain in table.PARTICLES
        and tokens[at - 1].plain in table.TITLES
        and text[tokens[at - 1].end : tokens[at].start] in (" ", ". ")
        and (tokens[at + 1].is_capital or tokens[at + 1].plain in table.PARTICLES)
    )


def _run(text: str, tokens: Sequence[Token], at: int) -> tuple[int, int, NameKind] | None:
    """The name that begins with this capital, if one does."""
    first, end = _stretch(text, tokens, at)
    while first < end and _is_no_name(text, tokens, first, end):
        first += 1
    if first >= end:
        return None
    if end - first == 1 and not is_name(text, tokens, first):
        return None
    return first, end, kind_of(text, tokens, first, end)


def _is_i(token: Token) -> bool:
    """Whether it is the one who speaks: "what do I" is no Senhor do I."""
    return token.plain.partition("'")[0] == "i"


def _stretch(text: str, tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """The capitals that stand together from here on, with particles and initials between them."""
    end = at + 1
    while end < len(tokens) and not tokens[end - 1].is_possessive:
        between = text[tokens[end - 1].end : tokens[end].start]
        initial = between in (". ", ".") and len(tokens[end - 1].word) == 1
        if between != " " and not initial:
            break
        if tokens[end].is_capital:
            if tokens[end].plain in table.CAPITAL or _is_i(tokens[end]):
                break
            end += 1
            continue
        ahead = end
        while (
            ahead < len(tokens)
            and ahead - end < 3
            and tokens[ahead].plain in table.PARTICLES
            and text[tokens[ahead - 1].end : tokens[ahead].start] == " "
        ):
            ahead += 1
        # "van der Berg", "al-Sayed"; a particle alone ends nothing
        if (
            ahead < len(tokens)
            and ((ahead > end and tokens[ahead].is_capital and not _is_i(tokens[ahead])) or is_prefixed(tokens[ahead]))
            and text[tokens[ahead - 1].end : tokens[ahead].start] == " "
        ):
            end = ahead + 1
            continue
        break
    return at, end


def _is_no_name(text: str, tokens: Sequence[Token], first: int, end: int) -> bool:
    """Whether the first word of a run of capitals is no part of a name."""
    token = tokens[first]
    if token.plain in table.TITLES and token.plain not in table.WORDS_FOR_NAMES:
        return True
    if token.plain in table.CAPITAL and token.plain not in table.MONTHS:
        return len(token.word) > 1 or text[token.end : token.end + 1] != "."
    short = "'" in token.plain and token.plain.rpartition("'")[2] in table.SHORTENED
    titled = first > 0 and tokens[first - 1].plain in table.TITLES
    if short or (len(token.plain) < 2 and end - first == 1 and not titled):
        return True
    if token.plain in table.DEMONYMS or token.plain.removesuffix("s") in table.DEMONYMS:
        return False
    if end - first > 1 and token.opens:
        following = tokens[first + 1]
        if token.plain in table.GIVEN:
            return False
        if token.plain in table.WORDS_FOR_NAMES:
            return following.plain in table.GIVEN or following.plain in table.TITLES or following.plain in table.CAPITAL
        return (
            token.plain in table.COMMON
            or token.plain in table.KIN
            or token.plain in table.ACTS
            or (token.plain.endswith(ENDINGS) and "-" not in token.plain)
        )
    if token.plain in _GREETINGS:
        return True
    return end - first > 1 and token.plain in table.KIN


def names_in(text: str) -> Iterator[str]:
    """The words of `text` that must have been said by somebody; parts of a hyphenated word one by one."""
    for span in find(text):
        for word in re.split(r"[\s\-&.]+", span.name):
            name = re.sub(r"['’]s$", "", word)
            if len(name) > 1 and name[0].isupper() and name.casefold() not in table.CAPITAL:
                yield name


def is_demonym(name: str) -> bool:
    return name.casefold().removesuffix("s") in table.DEMONYMS or name.casefold() in table.DEMONYMS


def is_common_capital(word: str) -> bool:
    """Whether a word is written with a capital though it names nobody: a month, a title, an abbreviation."""
    return word.casefold() in table.CAPITAL
