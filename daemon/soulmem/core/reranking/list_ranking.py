"""List ranking: what comes back where all of something is asked for, not the best answer.

Called by recall. Of what lies close together in time mostly one is a thing of its own and the rest is talk about it, so
what is alone in its hour comes first; what who is asked about said himself before what he was told, and what tells a
thing that is asked for, and another than the last, before what is about it; and as much comes back as there is evidence
for, not as much as usual. Pure. Invariants: no score rises above the best; what is kept is a beginning of the ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import chain
from math import log1p
from typing import NamedTuple

from soulmem.core.profiles.asked_lists import AskedList, tells
from soulmem.core.search.memory_index import Hit
from soulmem.core.search.score_calibration import MIDDLE
from soulmem.core.text.tokens import text_hashes
from soulmem.fast_dataclasses import dataclass

# Chosen on lists of ten to fifteen things told over a year, in both languages (`benchmarks/recall/lists.py`).
SAME_HOUR_MS = 3_600_000
SAME_HOUR = 0.9  # of the score, for what was told within an hour of something better
EVIDENCE = 0.2  # of the best score: what has more belongs to the list
WIDEST = 40  # items of a list at most, where nobody says how many


def spread(hits: Sequence[Hit], at_ms: Sequence[int | None]) -> list[Hit]:
    """The items of a ranking over time: what was told within an hour of something better gives way.

    `at_ms`: when each was said or happened, None where that is not known.
    """
    told = list[int]()
    found = list[Hit]()
    for hit, at in zip(hits, at_ms, strict=True):
        near = at is not None and any(abs(at - other) <= SAME_HOUR_MS for other in told)
        found.append(hit._replace(score=SAME_HOUR * hit.score) if near else hit)
        if at is not None:
            told.append(at)
    return sorted(found, key=lambda hit: -hit.score)


def belonging(scores: Sequence[float]) -> int:
    """How many of a ranking's items belong to a list, given its scores, best first."""
    least = EVIDENCE * max(scores, default=0.0)
    return sum(score > 0 and score >= least for score in scores)


def kept(hits: Sequence[Hit], ranked: Sequence[Hit], k: int, *, widens: bool) -> tuple[list[Hit], int]:
    """What a list brings, and how many more there are.

    Args:
        hits: those with scores as they are returned; `ranked`: the same, or more, with rank scores.
        k: as many as usual; `widens`: and more, if there is evidence for more.
    """
    there = min(len(hits), belonging([hit.score for hit in ranked]))
    shown = list(hits[: max(k, min(there, WIDEST)) if widens else k])
    return shown, max(0, there - len(shown))


# Chosen on questions for several things of talks between two, and of the lists above; what lies near does as well.
ANOTHERS = 0.7  # of its worth, for what another said than who is asked about
# Of the best score, for saying all that is asked, for telling a member of what is asked, or an entry of the list.
COVERS, MEMBERS, ENTRY = 0.15, 0.3, 0.45
SAME_MEMBERS = 0.9  # of its worth, for what tells of no other member than what stands before it


class Told(NamedTuple):
    """An item as it shows: its text, who said it, and whether he, or the text of a note, is of whom is asked."""

    text: str
    speaker: str
    is_own: bool = True


@dataclass(frozen=True, slots=True)
class AskedThings:
    """What a question asks all of: the `terms` by which its members are told, and the list, where one is known."""

    terms: frozenset[int] = frozenset()
    of_list: AskedList | None = None


def gathered(hits: Sequence[Hit], told: Sequence[Told], asked: AskedThings) -> list[Hit]:
    """The items as they are worth where all of something is asked of somebody.

    What he said himself, what says more of what is asked, and what tells a member of it or an entry of the list: each
    time what is worth most beside the members that are told already, so that three clarinets give way to a violin. An
    entry of just that list answers, in whatever words it is told.
    """
    best = max((hit.score for hit in hits), default=0.0)
    if best <= 0:
        return list(hits)
    found = [asked.terms.intersection(text_hashes(each.text).tolist()) for each in told]
    spoken = Counter(chain.from_iterable(found))
    rare = {term: log1p(len(hits) / count) / log1p(len(hits)) for term, count in spoken.items()}
    worth, fits = list[float](), list[float]()
    for hit, each, members in zip(hits, told, found, strict=True):
        is_entry = asked.of_list is not None and tells(each.text, each.speaker, asked.of_list)
        member = ENTRY if is_entry else MEMBERS * min(1.0, sum(rare[term] for term in members))
        value = hit.score / best + COVERS * hit.covers + member
        worth.append(value if each.is_own else ANOTHERS * value)
        fits.append(max(hit.fit, MIDDLE) if is_entry else hit.fit)
    order = _in_turn(worth, found)
    scale = best / max((value for _, value in order), default=1.0)
    return [hits[place]._replace(score=round(scale * value, 6), fit=fits[place]) for place, value in order]


def _in_turn(worth: Sequence[float], members: Sequence[frozenset[int]]) -> list[tuple[int, float]]:
    """Each place with what it is worth beside those before it: what is told already only grows, so worth only falls."""
    waiting = [(-value, place, False) for place, value in enumerate(worth)]
    heapify(waiting)
    known: set[int] = set()
    order: list[tuple[int, float]] = []
    while waiting:
        value, place, is_repeated = heappop(waiting)
        if members[place] and not is_repeated and members[place] <= known:
            heappush(waiting, (SAME_MEMBERS * value, place, True))
            continue
        known |= members[place]
        order.append((place, -value))
    return order
