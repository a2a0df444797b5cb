"""Standing wishes: what somebody wished for once and for all comes back with a request to which it applies.

"Always keep it short" and 我对花生过敏 share no word with what is to be done now, so they say little of it; yet whoever
does it must know them. Called by recall's choice, which marks those at hand, and for the scores, which bring the marked
ones above any usual floor. Pure. Invariants: few come so; nothing that answers surely comes behind them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from soulmem.core.questions.advice_questions import applies
from soulmem.core.search.index_columns import ItemRef
from soulmem.core.search.memory_index import Hit

WISH = "wish"  # the channel of what has a word that wishes have, and after they were read of those that apply
SCORE = 0.3  # at least, of one that applies: it answers nothing
MOST = 3
_READ = 1_000  # characters of a text: who wishes something says so in a sentence


def kept(picked: Sequence[Hit], k: int, texts: Mapping[ItemRef, str], request: str) -> list[Hit]:
    """The first `k` of a ranking, the wishes that apply marked; the best of those farther down in the last places.

    What had only such a word and is no wish goes.
    """
    may_wish = (place for place, hit in enumerate(picked) if WISH in hit.channels)
    applying = (place for place in may_wish if request and applies(request, texts.get(picked[place][:2], "")[:_READ]))
    chosen = frozenset(islice(applying, MOST))
    read = [hit if place in chosen else _without(hit) for place, hit in enumerate(picked)]
    there = [place for place, hit in enumerate(read) if hit is picked[place] or _speaks(hit)]
    farther = [place for place in there[k:] if place in chosen]
    front = [place for place in there[:k] if place not in chosen]
    leaving = frozenset(front[max(0, len(front) - len(farther)) :])
    return [read[place] for place in (*there[:k], *farther) if place not in leaving][:k]


def lifted(hits: Sequence[Hit]) -> list[Hit]:
    """Items with calibrated scores, the wishes that apply with SCORE at least, best first."""
    if not any(WISH in hit.channels for hit in hits):
        return list(hits)
    told = (hit._replace(score=max(hit.score, SCORE)) if WISH in hit.channels else hit for hit in hits)
    return sorted(told, key=lambda hit: -hit.score)


def _speaks(hit: Hit) -> bool:
    return any(value > 0 for value in hit.channels.values())


def _without(hit: Hit) -> Hit:
    if WISH not in hit.channels:
        return hit
    return hit._replace(channels={name: value for name, value in hit.channels.items() if name != WISH})
