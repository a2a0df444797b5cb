"""Reply overlap: which of the items that were handed out a reply was made of.

Called by `working/feedback/reply_usage` after the fact. What the question said already speaks for no item, and what
most items say for none of them. An item was used where the reply has much of what is left of it, or a number or a name
that no other item has. Pure; without a language model, in English, Chinese and both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from soulmem.core.names.name_recogniser import find_names
from soulmem.core.text import tokens
from soulmem.core.text.repetition import content

_MOST_SHARED = 0.5  # of the items, from which on a term is everybody's
_LEAST_TERMS = 2
_LEAST_SHARE = 0.4  # of what an item says beyond the question
_LEAST_DIGITS = 2
_READ = 2_000  # characters of each text
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
