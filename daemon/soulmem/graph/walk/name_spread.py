"""Name spread: what one note tells of somebody brings up what others tell of him, whatever they are about.

Called by `spreading_activation` after PageRank. Each of the notes that were sent most passes a part of that on to the
notes that speak of the same person or thing (`state/name_hubs`), shared evenly among the names it holds and the notes
of each: of whom everybody speaks says little of any of them (HippoRAG's node specificity, algorithms.md §3.6). A note
that knows a relative by name ("my sister is called Mei") passes on once more. Invariant: barred notes are neither sent
anything nor counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from soulmem.graph.state.id_table import FloatArray, IntArray
from soulmem.graph.state.name_hubs import NameHubs
from soulmem.graph.walk.path_search import Path, PathLink

BY_NAME = 0  # in place of the number of a link: two notes speak of the same
PASSED_ON = 0.15  # of what a note was sent: more of it would outweigh what was learnt together
SENDERS = 8
MOST_NOTES = 16  # of one name
HELD = 0.3  # how well one remembers that two notes speak of the same, beside the weights of links


class Named(NamedTuple):
    """By which note another was brought up, and which part of what that was sent reached it."""

    sender: int
    part: float


class Reached(NamedTuple):
    """`given`: what each seed sent each of the notes `ids`, ascending; `by_name`: how names brought notes up."""

    ids: IntArray
    given: FloatArray
    by_name: dict[int, Named]


def through_names(hubs: NameHubs, ids: IntArray, given: FloatArray, barred: Collection[int]) -> Reached:
    """The same with what names bring up."""
    totals = given.sum(axis=0)
    places = np.argsort(-totals, kind="stable")[:SENDERS].tolist()
    first = {int(ids[place]): given[:, place] for place in places if totals[place] > 0.0}
    by_name: dict[int, Named] = {}
    sent = _passed_on(hubs, first, barred, by_name)
    known = {note: passed for note, passed in sent.items() if note not in first and hubs.knows_kin(note)}
    for note, passed in _passed_on(hubs, known, barred, by_name).items():
        sent[note] = sent[note] + passed if note in sent else passed
    if not sent:
        return Reached(ids, given, {})
    every = np.union1d(ids, np.fromiter(sent, np.int64, len(sent)))
    wider = np.zeros((len(given), len(every)))
    wider[:, np.searchsorted(every, ids)] = given
    for note, passed in sent.items():
        wider[:, int(np.searchsorted(every, note))] += passed
    return Reached(every, wider, by_name)


def _passed_on(
    hubs: NameHubs, senders: Mapping[int, FloatArray], barred: Collection[int], by_name: dict[int, Named]
) -> dict[int, FloatArray]:
    """What these pass on; who brought a note up most is put down where nobody did before."""
    sent: dict[int, FloatArray] = {}
    most: dict[int, float] = {}
    ways: dict[int, Named] = {}
    for sender in sorted(senders):
        names = () if sender in barred else hubs.names_in(sender)
        for name in names:
            others = hubs.others(name, sender, barred, MOST_NOTES)
            part = PASSED_ON / (len(names) * len(others)) if others else 0.0
            passed = part * senders[sender]
            amount = float(passed.sum())
            for other in others:
                sent[other] = sent[other] + passed if other in sent else passed
                if amount > most.get(other, 0.0):
                    most[other], ways[other] = amount, Named(sender, part)
    by_name |= {note: way for note, way in ways.items() if note not in by_name}
    return sent


def way_by_name(
    by_name: Mapping[int, Named], seed: int, note: int, path_to: Callable[[int], Path | None]
) -> Path | None:
    """The way to a note that a name brought up; None where none did, or the links that led there brought more."""
    linked, steps, part = path_to(note), list[PathLink](), 1.0
    end = note
    while end != seed and end in by_name and len(steps) < 2:  # over a relative's name at most once more
        sender, share = by_name[end]
        steps.insert(0, PathLink(BY_NAME, sender, end, False, share))
        part, end = part * share, sender
        before = Path((), 0.0, 1.0) if end == seed else path_to(end)
        if before is not None:
            contribution = before.contribution * part
            if linked is not None and linked.contribution >= contribution:
                return linked
            return Path((*before.links, *steps), before.cost - math.log(part), contribution)
    return linked


def without_names(links: Iterable[PathLink]) -> list[PathLink]:
    """The links of a way: what two notes speak of is none, and learns nothing."""
    return [link for link in links if link.link != BY_NAME]
