"""English words as the recogniser of names sees them, and whether one with a capital is used as a name.

Of `english_names`. A word that opens a sentence is capitalised whatever it is, and Will, May or Rose may be words: what
stands before and behind decides. Pure.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.names import english_name_table as table
from soulmem.core.names import place_names
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.fast_dataclasses import dataclass

_WORD = LazyPattern(r"[A-Za-zÀ-ɏ](?:[A-Za-zÀ-ɏ0-9'’&-]*[A-Za-zÀ-ɏ0-9])?|\d+(?:[.,:]\d+)*")
_OPENS = LazyPattern(r"(?:^|[.!?:;…。！？：；\n\"“”「『(（\[*—–])\s*+[\"“「『(（*]*+\s*$")
_POSSESSIVE = LazyPattern(r"['’]s?$")
ENDINGS = tuple("ing ed ly tion ness ment ity ous ful less able ible ive".split())  # of words that are no names
_BEFORE_A_MONTH = frozenset(
    "in since until till by next last this early late mid every of during from to before after on around end".split()
)
_OF_A_PERSON = LazyPattern(
    r" (?:also |so |really |very |still |now |just )?(?:my|our|his|her|their|one of|coming|visiting|moving|asking|getting|bringing|staying|leaving|calling|driving|crying|working|studying|allergic|pregnant|married|engaged|sick|mad|late|upset|angry|scared|tired|hungry|asleep|from|born|afraid|vegan|vegetarian|single|\d|a (?:nurse|doctor|teacher|friend|good|great|sweet|lovely|student|vet|singer)|an? \w+(?:er|or|ist|ian)\b|two|three|called|told|said|gone|been|moved|lost|promised|agreed|bring|come|call|drive|help|join|pick|meet)\b"
)
_GIVEN_PAIR = LazyPattern(r"[A-ZÀ-Þ][\w'’]+-[A-ZÀ-Þ][\w'’]+")  # Mei-Ling
NAMED_AHEAD = CaselessPattern(
    r"(?:\b(?:named|called|nicknamed|name(?:['’]?s| is| was)|goes by|call(?:s|ed|ing)? (?:me|him|her|it|them|us)|named (?:him|her|it|them|the \w+)|naming (?:him|her|it|the \w+)|(?:she|he|it|they|who|everyone) (?:calls?|called) (?:me|him|her|it))\s+)$"
)


@dataclass(frozen=True, slots=True)
class Token:
    start: int
    end: int
    word: str
    plain: str  # in lower case, without a possessive
    is_possessive: bool
    opens: bool  # a sentence begins with it

    @property
    def is_capital(self) -> bool:
        return self.word[0].isupper()


def has_words(text: str) -> bool:
    """Whether there is any word of Latin letters, or a number."""
    return _WORD.search(text) is not None


def tokens_of(text: str) -> list[Token]:
    tokens: list[Token] = []
    for match in _WORD.finditer(text):
        word = match[0]
        lower = word.lower().replace("’", "'")
        plain = _POSSESSIVE.sub("", lower) if lower.endswith(("'s", "'")) else lower
        opens = _OPENS.search(text, max(0, match.start() - 6), match.start()) is not None
        tokens.append(Token(match.start(), match.end(), word, plain, plain != lower, opens))
    return tokens


def bare_end(token: Token) -> int:
    """Where a name ends that a possessive follows."""
    return token.start + len(_POSSESSIVE.sub("", token.word)) if token.is_possessive else token.end


def is_prefixed(token: Token) -> bool:
    head, dash, tail = token.word.partition("-")
    return bool(dash) and head.lower() in table.PARTICLES and tail[:1].isupper()


def is_given(token: Token) -> bool:
    """Whether a word is a given name, or two with a hyphen between them."""
    return token.plain in table.GIVEN or ("-" in token.plain and not table.GIVEN.isdisjoint(token.plain.split("-")))


def _is_acronym(tokens: Sequence[Token], at: int) -> bool:
    """Whether capitals alone (NATO) stand among words in lower case."""
    token = tokens[at]
    beside = [tokens[i] for i in (at - 1, at + 1) if 0 <= i < len(tokens)]
    return (
        not token.opens
        and len(token.word) > 1
        and any(not each.is_capital for each in beside)
        and token.plain not in table.COMMON
    )


def _all_capitals(tokens: Sequence[Token]) -> bool:
    """Whether every word is capitalised, as in a headline."""
    long = [token.is_capital for token in tokens if len(token.word) > 3]
    return len(long) >= 4 and all(long)


def _surely_named(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether an unknown word that opens a sentence is a name."""
    token = tokens[at]
    if token.plain in table.COMMON or token.plain in table.KIN or token.plain in table.TITLES:
        return False
    if token.plain.endswith(ENDINGS) and not _GIVEN_PAIR.fullmatch(token.word):
        return False
    if token.is_possessive:
        return True
    behind = text[token.end : token.end + 2]
    following = tokens[at + 1].plain if at + 1 < len(tokens) else ""
    if behind[:1] in ":：" and behind:
        return True
    if behind[:1] == " " and (following in table.ACTS or (following.endswith("ed") and len(following) > 4)):
        return True
    if following and tokens[at + 1].is_capital is False and following in {"and"} and at + 2 < len(tokens):
        return tokens[at + 2].is_capital or tokens[at + 2].plain in {"i", "me", "her", "his"}
    return (
        behind[:2] == ", "
        and text[tokens[at].start - 1 : tokens[at].start].strip() == ""
        and at == 0
        and following in table.TO_SOMEBODY
    )


def _is_used_as_name(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a capitalised word that is a name and a word (Will, May, Rose) is used as a name."""
    token = tokens[at]
    before = tokens[at - 1].plain if at and not token.opens else ""
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    behind = text[token.end : token.end + 2]
    month = token.plain in table.MONTHS
    if following is not None and following.word[0].isdigit():
        return False
    if month and before in _BEFORE_A_MONTH:
        return False
    if before and before.isdigit():
        return False
    if token.is_possessive and not (month and following is None):
        return True
    if not token.opens:
        return before not in table.DETERMINERS
    # at the beginning of a sentence
    if following is None:
        return False
    if behind[:1] in {",", ":"} and not month:
        return behind[:1] == ":" or following.plain in table.TO_SOMEBODY
    if behind[:1] in {"&"} or (following.plain in {"and", "&"} and at + 2 < len(tokens)):
        beside = tokens[at + 2] if at + 2 < len(tokens) else None
        return beside is not None and (beside.is_capital or beside.plain in {"his", "her", "i", "me"})
    if behind[:1] == "!" or following.plain in table.NO_SUBJECT_BEHIND:
        return False
    if following.plain == "made" and at + 2 < len(tokens) and tokens[at + 2].plain in table.DETERMINERS:
        return True  # Grace made the choir; but: hope made me stay
    skipped = at + 2 if following.plain in table.ADVERBS and at + 2 < len(tokens) else at + 1
    verb = tokens[skipped].plain
    if verb in table.COPULAS and token.plain in table.MATTERS:
        return _OF_A_PERSON.match(text, tokens[skipped].end) is not None
    return verb in table.ACTS or verb in table.MODALS or (verb.endswith("ed") and len(verb) > 4)


def is_name(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a single word with a capital is a name."""
    token = tokens[at]
    if token.plain in table.CAPITAL and token.plain not in table.MONTHS:
        return False
    titled = at > 0 and tokens[at - 1].plain in table.TITLES and text[tokens[at - 1].end : token.start] in (" ", ". ")
    if titled or NAMED_AHEAD.search(text, max(0, token.start - 40), token.start):
        return True
    if token.plain in table.WORDS_FOR_NAMES or token.plain in table.MONTHS:
        return _is_used_as_name(text, tokens, at)
    if token.word.isupper() and len(token.word) > 1:
        return token.plain in table.GIVEN or _is_acronym(tokens, at)
    if not token.opens and not _all_capitals(tokens):
        return True
    if is_given(token) or (place_names.ENGLISH_PLACES.fullmatch(token.plain) and token.plain not in table.COMMON):
        return True
    return _surely_named(text, tokens, at)
