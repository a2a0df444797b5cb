"""List ranking: what comes back where all of something is asked for, not the best answer.

Called by recall. Of what lies close together in time mostly one is a thing of its own and the rest is talk about it, so
what is alone in its hour comes first, and what tells an entry of the list before what is about it; and as much comes
back as there is evidence for, not as much as usual. Pure. Invariants: no score rises; what is kept is a beginning of
the ranking; where nothing tells an entry, the ranking stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.profiles.list_entries import AskedList, tells
from soulmem.core.search.memory_index import Hit

# Chosen on lists of ten to fifteen things told over a year, in both languages (`benchmarks/recall/lists.py`).
SAME_HOUR_MS = 3_600_000
SAME_HOUR = 0.8  # of the score, for what was told within an hour of something better
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


BESIDE = 0.6  # of its score, for what tells no entry of a list that is asked for


def entries_first(hits: Sequence[Hit], said: Sequence[tuple[str, str]], asked: AskedList) -> list[Hit]:
    """The items that tell an entry of what is asked for before the others; `said`: text and speaker of each."""
    telling = [tells(text, speaker, asked) for text, speaker in said]
    if not any(telling):
        return list(hits)
    found = [hit if has else hit._replace(score=BESIDE * hit.score) for hit, has in zip(hits, telling, strict=True)]
    return sorted(found, key=lambda hit: -hit.score)
