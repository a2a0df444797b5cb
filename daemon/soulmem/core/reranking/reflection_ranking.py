"""Reflection ranking: where what a mind concluded stands beside what it was told.

Called by the last step of a recall. Whoever asks for what recurs ("how often", "lately", 最近, 经常) is answered by a
reflection; whoever asks for a fact by the statement that tells it: there a reflection stands behind the first of those,
and is no sign that anything is known. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

_RECURS = CaselessPattern(
    r"\b(?:how (?:often|regularly|many times)|usually|normally|regularly|lately|recently|these days|of late|tends? to"
    r"|habits?|routines?|patterns?|been (?:up to|doing|like|feeling)|keeps? (?:on )?\w+ing|mostly|over and over"
    r"|again and again|in general|how (?:have|has) \w+(?: \w+)? been)\b"
    r"|多久|多少次|几次|经常|常常|平时|习惯|最近|这阵子|近来|这段时间|老是|总是|一般|规律"
)
_BEHIND = 0.98  # of the score of what tells


def asks_recurring(question: str) -> bool:
    """Whether a question asks for what recurs, or how things went over a time."""
    return _RECURS.search(question) is not None


def _is_one(hit: Hit, reflections: Collection[int]) -> bool:
    return hit.kind is ItemKind.NOTE and hit.key in reflections


def behind(hits: Sequence[Hit], reflections: Collection[int], *, asking: bool, recurring: bool) -> list[Hit]:
    """The hits with reflections where they belong; scores keep falling.

    Args:
        reflections: the notes that are, by number.
        asking: whether something is asked; what is only said reminds of either.
        recurring: whether what recurs is asked for.
    """
    if not reflections or not asking or recurring:
        return list(hits)
    told = [hit for hit in hits if not _is_one(hit, reflections)]
    concluded = [hit for hit in hits if _is_one(hit, reflections)]
    if not told:
        return [hit._replace(fit=0.0) for hit in concluded]
    first = told[0]
    most = [hit._replace(score=min(hit.score, round(_BEHIND * first.score, 6)), fit=0.0) for hit in concluded]
    rest = sorted([*most, *told[1:]], key=lambda hit: -hit.score)
    return [first, *rest]
