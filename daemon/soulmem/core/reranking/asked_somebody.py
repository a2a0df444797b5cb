"""Whether of two answers the later one may be of whom a question asks: 我妈的床 is no answer to where the dog sleeps.

Called by `competing_answers`. A question that names one of the family or an animal is answered by what speaks of the
same one: by such a word, by a word or a name that the earlier answer has, or by a pronoun where nobody else is spoken
of. What speaks of nobody is of whoever speaks. Pure. Invariant: a question that names nobody keeps no answer out.
"""

from __future__ import annotations

from soulmem.core.names.name_recogniser import find_names
from soulmem.core.names.name_spans import NameKind
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.text_memo import text_memo

_READ = 300  # characters
_WHO = {
    "mother": r"\b(?:mother|mum|mom|mam|mummy|mommy|ma)\b(?!-in-law)|妈|母亲|老娘|老太太",
    "father": r"\b(?:father|dad|daddy|da|pa|pop)\b(?!-in-law)|爸|父亲|老爹|老爷子",
    "son": r"\b(?:sons?|boys?|lads?)\b(?!-in-law)|儿子|小子",
    "daughter": r"\b(?:daughters?|girls?)\b(?!-in-law)|女儿|闺女|女子",
    "child": r"\b(?:kids?|child|children|baby|little one|first ?born)\b|孩子|娃|宝宝|丫头|小[子儿]",
    "husband": r"\b(?:husband|hubby)\b|老公|丈夫|先生|老头|老伴|当家的",
    "wife": r"\b(?:wife|missus)\b|老婆|妻子|媳妇|爱人|老伴|婆姨",
    "sister": r"\b(?:sis|sisters?)\b(?!-in-law)|姐|妹",
    "brother": r"\b(?:bro|brothers?)\b(?!-in-law)|哥|弟",
    "grandmother": r"\b(?:grandm(?:other|a)|gran|nan|nana|granny)\b|奶奶|外婆|姥姥",
    "grandfather": r"\b(?:grandf(?:ather|a)|grandad|granddad|grandpa)\b|爷爷|外公|姥爷",
    "dog": r"\b(?:dogs?|puppy|puppies|pups?|hounds?|mutts?)\b|狗",
    "cat": r"\b(?:cats?|kittens?|kitty|tabby)\b|猫",
}
_KINDS = {who: CaselessPattern(words) for who, words in _WHO.items()}
_PRONOUN = CaselessPattern(r"\b(?:he|she|they|it|his|her|hers|him|them|their|its)\b|[他她它]")


@text_memo(512)
def spoken_of(text: str) -> frozenset[str]:
    """Who of the family, and which animals, a text names, in the words of `_WHO`."""
    return frozenset(who for who, words in _KINDS.items() if words.search(text[:_READ]) is not None)


def may_answer(query: str, earlier: str, later: str) -> bool:
    """Whether the later of two answers may be of whom a question asks, of whom the earlier one is."""
    asked = spoken_of(query)
    if not asked:
        return True
    others = spoken_of(later)
    if (asked | spoken_of(earlier)) & others:
        return True
    names = _names(later)
    if names & _names(earlier):
        return True
    return not others and not names and _PRONOUN.search(later[:_READ]) is not None


@text_memo(512)
def _names(text: str) -> frozenset[str]:
    return frozenset(each.name.casefold() for each in find_names(text[:_READ]) if each.kind is NameKind.PERSON)
