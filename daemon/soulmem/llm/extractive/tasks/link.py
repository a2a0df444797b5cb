"""Links without a model: notes that share what is rarely shared, or that belong to one moment.

Called by the engine with the new notes and the hot ones. Two notes are tied by the names and content terms both
hold, the rarer the stronger (cosine of inverse-frequency weights), and a little by nearness in time. The ties of
recall (Hebb) are made elsewhere. Invariants: labels are known, no note is linked to itself, one link per
(source, target, kind, verb), at most 3·new + hot in all and three a new note.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations

from soulmem.core.calendar.calendar_math import HOUR_MS
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import LinkDraft, LinkKind, LinkNode, LinkRequest, NoteKind
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.language.content_words import content_terms

_MOST_PER_NOTE = 3
_LEAST_TIE = 0.12
_MOST_HOLDERS = 24  # a term held by more notes ties nothing
# A run of digits, which may be as long as a note, is tried once and not from each of them.
_DAY = LazyPattern(
    r"[(（][^()（）\d]*+\d[^()（）]*+[)）]|\b\d{1,2} [A-Z][a-z]+ \d{4}|(?<!\d)\d++年(?:\d++月)?(?:\d++[日号])?"
)


@dataclass(frozen=True, slots=True)
class _Tie:
    left: LinkNode
    right: LinkNode
    strength: float


def link(request: LinkRequest) -> tuple[LinkDraft, ...]:
    """Links among the new notes, between new and hot ones, and between hot ones that plainly belong together."""
    nodes = list({node.label: node for node in (*request.hot, *request.new)}.values())
    new = {node.label for node in request.new}
    most = 3 * len(request.new) + len(request.hot)
    taken: Counter[str] = Counter()
    links: list[LinkDraft] = []
    for tie in _ties(nodes):
        left, right = tie.left.label, tie.right.label
        between_hot = left not in new and right not in new
        if len(links) >= most or tie.strength < (3 * _LEAST_TIE if between_hot else _LEAST_TIE):
            continue
        if max(taken[left], taken[right]) >= _MOST_PER_NOTE and not (
            {left, right} & new and min(taken[left], taken[right]) == 0
        ):
            continue
        taken.update((left, right))
        links.append(_draft(tie))
    return tuple(links)


def _ties(nodes: list[LinkNode]) -> list[_Tie]:
    """All pairs that share a term, strongest first; ties of equal strength by label."""
    terms = {node.label: _terms(node) for node in nodes}
    holders: dict[str, list[LinkNode]] = defaultdict(list)
    for node in nodes:
        for term in sorted(terms[node.label]):
            holders[term].append(node)
    rarity = {term: math.log(1 + len(nodes) / len(held)) for term, held in holders.items()}
    length = {label: math.sqrt(math.fsum(rarity[t] ** 2 for t in sorted(own))) or 1.0 for label, own in terms.items()}
    shared: dict[tuple[str, str], list[str]] = defaultdict(list)
    for term, held in holders.items():
        if 1 < len(held) <= max(2, min(_MOST_HOLDERS, len(nodes) // 3)):
            for left, right in combinations(held, 2):
                shared[left.label, right.label].append(term)
    by_label = {node.label: node for node in nodes}
    ties = []
    for (first, second), common in shared.items():
        weight = math.fsum(rarity[term] ** 2 for term in common) / (length[first] * length[second])
        together = abs(by_label[first].at_ms - by_label[second].at_ms) <= HOUR_MS
        strength = round(min(1.0, weight + (0.05 if together else 0.0)), 4)
        ties.append(_Tie(by_label[first], by_label[second], strength))
    return sorted(ties, key=lambda tie: (-tie.strength, tie.left.label, tie.right.label))


def _terms(node: LinkNode) -> frozenset[str]:
    """Content terms and entities, without the day every note carries."""
    text = _DAY.sub(" ", node.text)
    return content_terms(text) | {entity.lower() for entity in node.entities if entity}


def _draft(tie: _Tie) -> LinkDraft:
    """Towards a fact or concept the tie is semantic; between two experiences it is an association."""
    left, right = tie.left, tie.right
    if left.kind is NoteKind.SEMANTIC and right.kind is not NoteKind.SEMANTIC:
        left, right = right, left
    semantic = right.kind is NoteKind.SEMANTIC
    verb = ("is akin to" if left.kind is NoteKind.SEMANTIC else "tells of") if semantic else ""
    return LinkDraft(
        src=left.label,
        dst=right.label,
        kind=LinkKind.SEMANTIC if semantic else LinkKind.ASSOCIATION,
        verb=verb,
        intensity=tie.strength,
        confidence=round(min(0.9, 0.4 + tie.strength), 4),
    )
