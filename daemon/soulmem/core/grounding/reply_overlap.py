"""Reply overlap: which of the items that were handed out a reply was made of, and whether it says anything else.

Called by `working/feedback/reply_usage` after the fact, and by `idle/steps/reply_echoes`. What the question said
already speaks for no item, and what most items say for none of them. An item was used where the reply has much of what
is left of it, or a number or a name that no other item has. Pure; without a language model, in English and Chinese.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from soulmem.core.names.name_recogniser import find_names
from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.text import tokens
from soulmem.core.text.repetition import content

_MOST_SHARED = 0.5  # of the items, from which on a term is everybody's
_LEAST_TERMS = 2
_LEAST_SHARE = 0.4  # of what an item says beyond the question
_LEAST_DIGITS = 2
_READ = 2_000  # characters of each text
_LEAST_ECHO = 2  # words with a meaning that an echo has
_FRAME = CaselessPattern(  # who says that he remembers says nothing else by it
    r"\b(?:i|you) (?:\w+ )?(?:remember(?:ed)?|recall(?:ed)?|know|knew|heard|told me|said|mentioned)(?: that)?\b"
    r"|我(?:还|都|当然)?记得|你(?:之前|以前|上次)?(?:跟我|和我)?(?:说|讲|提)过?(?=[^话])|我知道"
)
_FIRST = CaselessPattern(r"\b(?:i|i['’]\w+|my|me|mine|we|our|us|let['’]s)\b|我|咱")
_TURNS = CaselessPattern(  # what makes other than what was told of the same words
    r"n['’]t\b|\b(?:not|never|no|without|nobody|will|going to|gonna|might|may|should|could|would|if|maybe|perhaps"
    r"|used to|again|more|still|yet|instead|before|after|because)\b|['’]ll\b"
    r"|[不没未别将会要]|也许|可能|如果|应该|又|再|还|因为|以前|之后"
)
_TAG = CaselessPattern(
    r",\s*(?:\w+n['’]t|\w+) (?:he|she|it|they|you|we|i)\s*\?\s*$|[，,]?\s*(?:对吧|是吧|对不对|是不是|不是吗)[？?]?\s*$"
)
NEAR = 0.75  # cosine from which a reply means what an item says


def used_of(reply: str, question: str, items: Sequence[str], speakers: Iterable[str] = ()) -> tuple[int, ...]:
    """The places of the items that a reply quotes or paraphrases.

    `speakers`: who takes part in the talk; their names say nothing.
    """
    common = content(question[:_READ]) | {term for name in speakers for term in tokens.segment(name)}
    said = frozenset(tokens.segment(reply[:_READ]))
    told = [content(text[:_READ]) - common for text in items]
    held = Counter(term for terms in told for term in terms)
    everybodys = {term for term, count in held.items() if count > max(1.0, _MOST_SHARED * len(items))}
    places = []
    for place, (text, terms) in enumerate(zip(items, told, strict=True)):
        own = terms - everybodys
        shared = own & said
        is_told = bool(shared) and len(shared) >= max(min(_LEAST_TERMS, len(own)), _LEAST_SHARE * len(own))
        if is_told or any(held[term] == 1 for term in _telling(text[:_READ], shared)):
            places.append(place)
    return tuple(places)


def says_nothing_new(reply: str, items: Sequence[str], speakers: Iterable[str] = ()) -> bool:
    """Whether what an assistant said is wholly in items that it had been handed.

    What it says of itself, denies, expects or ties together is its own, though each word of it was handed out.
    """
    bare = _FRAME.sub(" ", _TAG.sub("", reply[:_READ]))
    handed = " ".join(items)
    if _FIRST.search(bare) or any(found[0].lower() not in handed.lower() for found in _TURNS.finditer(bare)):
        return False
    names = {term for name in speakers for term in tokens.segment(name)}
    said = {term for term in tokens.segment(bare) if not tokens.is_grammar(term) and (len(term) > 1 or term.isascii())}
    return len(said - names) >= _LEAST_ECHO and said - names <= set(tokens.segment(handed))


def is_recital(used: Sequence[int], items: Sequence[str]) -> bool:
    """Whether a reply says again more than half of what it was handed, so that this tells nothing of what it needed."""
    return len(used) > max(1.0, len(items) / 2) and len(items) > _LEAST_TERMS


def near_of(cosines: Mapping[int, float]) -> tuple[int, ...]:
    """The places of the items whose vector is as good as that of the reply."""
    return tuple(place for place, cosine in cosines.items() if cosine >= NEAR)


def _telling(text: str, shared: frozenset[str]) -> frozenset[str]:
    """Of these terms of a text the numbers, and those of names."""
    numbers = {term for term in shared if sum(map(str.isdigit, term)) >= _LEAST_DIGITS}
    if not shared - numbers:
        return frozenset(numbers)
    named = {term for span in find_names(text) for term in tokens.segment(text[span.start : span.end])}
    return frozenset(numbers | (shared & named))
