"""Finding names: the one recogniser of people, animals, places and organisations in what is said, both languages.

Whoever wants to know whom or what a text names asks here: the gate (`name_grounding`), notes and their entities, masks,
queries. Names that are known (speakers, the mind's own, those of the graph) are names wherever they stand, whatever
follows them. Pure, linear in the length of the text; more than `LOOKED_AT` characters are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.core.names import chinese_names, english_names
from soulmem.core.names.name_spans import NameKind, NameSpan
from soulmem.core.regex.lazy_regex import LazyPattern

__all__ = ["LOOKED_AT", "NameKind", "NameSpan", "find_names", "people_in"]

LOOKED_AT = 20_000
# Labels of speakers that name nobody.
_ROLES = frozenset({"", "self", "user", "human", "assistant", "ai", "bot", "system", "用户", "助手"})
_LETTERED = LazyPattern(r"[小阿老][A-Z](?![A-Za-z\d])")  # 小Q


def find_names(text: str, known: Iterable[str] = ()) -> tuple[NameSpan, ...]:
    """The names of a text in order, none overlapping another.

    `known`: names that are known already; in Latin letters in any case.
    """
    seen = text[:LOOKED_AT]
    known = [name.strip() for name in known if name.strip().lower() not in _ROLES]
    latin = english_names.find(seen, known)
    if seen.isascii():
        return latin
    chinese = chinese_names.find(seen, known)
    latin = (*latin, *(NameSpan(*each.span(), each[0]) for each in _LETTERED.finditer(seen)))
    if not latin:
        return chinese
    latin = tuple(_familiar(seen, each) for each in latin)
    latin = tuple(each for each in latin if not any(o.start < each.end and each.start < o.end for o in chinese))
    return tuple(sorted((*chinese, *latin), key=lambda each: each.start))


def _familiar(text: str, each: NameSpan) -> NameSpan:
    """阿May, 小Q: the character before is part of the name."""
    if each.start and text[each.start - 1] in "阿小老" and each.kind is NameKind.PERSON:
        return NameSpan(each.start - 1, each.end, text[each.start - 1 : each.end])
    return each


def people_in(text: str, known: Iterable[str] = ()) -> tuple[str, ...]:
    """The people a text names, each once, in order."""
    return tuple(dict.fromkeys(each.name for each in find_names(text, known) if each.kind is NameKind.PERSON))
