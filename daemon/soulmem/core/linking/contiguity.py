"""Contiguity: what was told in one breath comes to mind together, however unlike it is.

Called by the link step with where each new note was told. Pure. Invariants: what one person went on to say is closer
than what another said beside it; a pair is named once; no note is in more than three pairs, the closest first; equal
inputs give equal pairs.

Source: the contiguity effect of free recall (Kahana 1996; Howard and Kahana 2002): one thing calls up its neighbours in
time, the nearest by far the most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.linking.hebbian_linking import LinkProposal, fanned_out, link_key
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin
from soulmem.fast_dataclasses import dataclass

BREATH_MS = 120_000  # from one message to the next
FANOUT = 3
STRENGTH = 0.4
STABILITY_MS = 30 * DAY_MS  # as long as what is known by its meaning: it was lived through together
SAME, NEXT, BESIDE = 1.0, 0.8, 0.5  # in one message; in the next; in the next after or of somebody else's word


@dataclass(frozen=True, slots=True)
class Telling:
    """Where a note was told: `place` of the message in its conversation, when (ms), and by whom.

    `is_fact`: it says again what another note of the message tells of.
    """

    place: int
    at_ms: int
    speaker: str
    note: str
    is_fact: bool = False


def told_together(tellings: Iterable[Telling]) -> tuple[LinkProposal, ...]:
    """Links between notes told in one breath: a0 = 0.4 times how close, at most three a note.

    `tellings`: those of one message in the order in which it tells them.
    """
    found = _pairs(sorted(tellings, key=lambda each: each.place))
    ordered = sorted((-close, apart, u, v) for (u, v), (close, apart) in found.items())
    return tuple(
        LinkProposal(
            link_key(u, v, LinkKind.ASSOCIATION),
            LinkOrigin.HEBB,
            a0=close * STRENGTH,
            stability_ms=STABILITY_MS,
            coactivation=close * STRENGTH,
        )
        for u, v, close in fanned_out(((u, v, -negative) for negative, _, u, v in ordered), FANOUT)
    )


def answered_with(tellings: Iterable[Telling], used: Iterable[tuple[int, str]]) -> tuple[LinkProposal, ...]:
    """Links from what was told to what the answer to it was made of: as strong as told in the next message.

    `used`: of each message what its answer used, the best first; at most three a note.
    """
    made_of: dict[int, list[str]] = {}
    for place, note in used:
        made_of.setdefault(place, []).append(note)
    pairs = dict.fromkeys(
        (each.note, other)
        for each in sorted(tellings, key=lambda each: each.place)
        for other in (*made_of.get(each.place, ()), *made_of.get(each.place - 1, ()))
        if other != each.note
    )
    return tuple(
        LinkProposal(
            link_key(new, other, LinkKind.ASSOCIATION),
            LinkOrigin.HEBB,
            a0=close * STRENGTH,
            stability_ms=STABILITY_MS,
            coactivation=close * STRENGTH,
        )
        for new, other, close in fanned_out(((new, other, NEXT) for new, other in pairs), FANOUT)
    )


def _pairs(tellings: Sequence[Telling]) -> dict[tuple[str, str], tuple[float, int]]:
    """How close two notes were told, 0..1, and how many notes apart; the closest telling of each pair."""
    found: dict[tuple[str, str], tuple[float, int]] = {}

    def tie(one: Telling, other: Telling, close: float, apart: int) -> None:
        pair = (min(one.note, other.note), max(one.note, other.note))
        if one.note != other.note and (pair not in found or (-close, apart) < (-found[pair][0], found[pair][1])):
            found[pair] = (close, apart)

    messages: dict[int, list[Telling]] = {}
    for each in tellings:
        messages.setdefault(each.place, []).append(each)
    in_order = [(told[0], _facts_last(told)) for told in messages.values()]
    for at, (first, told) in enumerate(in_order):
        for place, one in enumerate(told):
            for apart, other in enumerate(told[place + 1 : place + 1 + FANOUT], start=1):
                tie(one, other, SAME, apart)
        nearest = _facts_last(reversed(told))[:FANOUT]
        for later, after in in_order[at + 1 : at + 3]:
            close = _closeness(first, later)
            for behind, one in enumerate(nearest, start=1):
                for apart, other in enumerate(after[:FANOUT] if close else (), start=behind):
                    tie(one, other, close, apart)
    return found


def _facts_last(told: Iterable[Telling]) -> list[Telling]:
    """What was lived through before the facts in it, which would take the places of what was told next."""
    return sorted(told, key=lambda each: each.is_fact)


def _closeness(before: Telling, after: Telling) -> float:
    """How close two messages were told, 0 where they were not in one breath."""
    is_same, apart = before.speaker == after.speaker, after.place - before.place
    if abs(after.at_ms - before.at_ms) > BREATH_MS or apart > (2 if is_same else 1):
        return 0.0
    return NEXT if is_same and apart == 1 else BESIDE
